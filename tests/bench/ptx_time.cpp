// From the text of a kernel file to PTX, warm: the time of the front end and the passes, of LLVM, and of
// both.
//   build/release/tests/bench/ptx_time [FILE.py ...]     (typed_kernels.py if none)
// For sm_80 and launches that are checked, as those of the runtime are.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "codegen/codegen.h"
#include "runtime/runtime.h"

using namespace lanewise;

namespace {

double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Times {
  double front = 0, llvm = 0;
};

// One kernel of the file, everything anew. `name` gets the kernel's name.
bool compile_once(const std::string& path, const std::string& text, size_t which, std::string& name,
                  Times& times) {
  double start = now();
  ir::Diagnostics diagnostics;
  auto opened = runtime::open_file({path, text, 1}, {}, diagnostics);
  auto kernels = opened->kernels();
  if (which >= kernels.size()) return false;
  name = kernels[which]->function.name;
  auto types = runtime::declared_types(*kernels[which], "", opened->sources, diagnostics);
  if (!types) {
    std::fprintf(stderr, "%s: no types for `%s`\n%s", path.c_str(), name.c_str(),
                 ir::render(diagnostics, opened->sources).c_str());
    return false;
  }
  ir::Module module = runtime::compile_to_ir(kernels[which]->function, *types, {}, opened->sources);
  double middle = now();
  codegen::emit_ptx(module, {.sm = 80, .facts = {.small = true, .distinct = true, .aligned = true}},
                    &opened->sources);
  times = {middle - start, now() - middle};
  return true;
}

void measure(const std::string& path) {
  std::optional<std::string> text = runtime::read_text_file(path);
  if (!text) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    return;
  }
  for (size_t which = 0;; ++which) {
    constexpr int kRounds = 30;
    std::string name;
    std::vector<double> front, llvm, both;
    for (int round = 0; round < kRounds; ++round) {
      Times times;
      if (!compile_once(path, *text, which, name, times)) return;
      if (round < 3) continue;  // first uses
      front.push_back(times.front), llvm.push_back(times.llvm), both.push_back(times.front + times.llvm);
    }
    auto median = [](std::vector<double>& values) {
      std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2),
                       values.end());
      return values[values.size() / 2];
    };
    double least = *std::min_element(both.begin(), both.end());
    std::printf("%-24s %8.2f %8.2f %8.2f %8.2f\n", name.c_str(), median(front), median(llvm), median(both),
                least);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  if (files.empty()) files.push_back(LANEWISE_SOURCE_DIR "/tests/bench/typed_kernels.py");
  std::printf("%-24s %8s %8s %8s %8s\n", "ms, median", "to IR", "to PTX", "both", "least");
  try {
    for (const std::string& file : files) measure(file);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
