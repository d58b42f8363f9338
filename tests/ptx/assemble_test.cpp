// Assembles every op on every type and every sample kernel, for every architecture, with each ptxas that can
// be found and takes the architecture. A missing assembler is a skip that names the wheel to install.
#include <gtest/gtest.h>

#include <filesystem>

#include "codegen/codegen.h"
#include "runtime/runtime.h"
#include "tests/ptx/assemblers.h"
#include "tests/support/op_instances.h"
#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

using codegen::PtxTarget;

std::string emit(const std::string& text, PtxTarget target) {
  return codegen::emit_ptx(module_from(text), target);
}

// The oldest and the newest release that take the architecture at all.
std::vector<Assembler> assemblers_for(int sm) {
  std::vector<Assembler> usable;
  std::string empty = emit("kernel @empty() {\n  return\n}\n", {.sm = sm});
  for (const Assembler& assembler : assemblers())
    if (assemble(assembler, empty, sm).empty()) usable.push_back(assembler);
  if (usable.size() > 2) usable.erase(usable.begin() + 1, usable.end() - 1);
  return usable;
}

class Assemble : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    usable_ = assemblers_for(GetParam());
    if (usable_.empty())
      GTEST_SKIP() << "no ptxas for sm_" << GetParam() << " (" << assemblers().size()
                   << " releases found): " << how_to_get_assemblers();
  }
  void check(const std::string& ptx, std::string_view name) {
    for (const Assembler& assembler : usable_)
      EXPECT_EQ(assemble(assembler, ptx, GetParam()), "") << name << ", ptxas " << assembler.release << "\n"
                                                          << ptx;
  }

  std::vector<Assembler> usable_;
};

// Ops together by kind, a kernel for about as many as compile in a moment.
TEST_P(Assemble, EveryOpOnEveryType) {
  constexpr size_t kTogether = 80;
  std::vector<OpInstance> all = scalar_op_instances();
  for (size_t first = 0; first < all.size(); first += kTogether) {
    auto begin = all.begin() + static_cast<ptrdiff_t>(first);
    auto end = all.begin() + static_cast<ptrdiff_t>(std::min(first + kTogether, all.size()));
    check(emit(combined_kernel({begin, end}), {.sm = GetParam()}), to_string(*begin));
  }
}

TEST_P(Assemble, SampleKernels) {
  for (const SampleKernel& kernel : sample_kernels())
    if (kernel.name != "grid barrier" || GetParam() >= 60)
      check(emit(kernel.text, {.sm = GetParam()}), kernel.name);
}

TEST_P(Assemble, OptionsAndLimits) {
  PtxTarget target{.sm = GetParam(), .ftz = true, .max_threads = 256, .min_blocks = 2};
  check(emit(saxpy_kernel(), target), "launch bounds");
  ir::SourceMap sources;
  uint32_t file = sources.add({"a \"name\" with spaces.py", saxpy_kernel(), 1});
  ir::Diagnostics diagnostics;
  std::optional<ir::Module> module = ir::parse(sources, file, diagnostics);
  ASSERT_TRUE(module);
  target = {.sm = GetParam(), .line_info = true};
  check(codegen::emit_ptx(*module, target, &sources), "line information");
  std::string many = "kernel @wide(";
  for (int i = 0; i < 544; ++i) many.append(i ? ", %p" : "%p").append(std::to_string(i)).append(": i64");
  check(emit(many + ") {\n  return\n}\n", {.sm = GetParam()}), "4352 bytes of parameters");
  std::string greek = saxpy_kernel();
  greek.replace(greek.find("@saxpy"), 6, "@λ");
  check(emit(greek, {.sm = GetParam()}), "a name that is not ASCII");
  if (GetParam() < 70) return;
  for (int i = 544; i < 800; ++i) many.append(", %p").append(std::to_string(i)).append(": i64");
  std::string wide = emit(many + ") {\n  return\n}\n", {.sm = GetParam()});
  // CUDA 11.8 knows PTX 7.8 at most.
  if (usable_.front().release.starts_with("11.")) usable_.erase(usable_.begin());
  check(wide, "6400 bytes of parameters");
}

TEST_P(Assemble, FastMath) {
  for (ir::OpKind kind : {ir::OpKind::Div, ir::OpKind::Sqrt, ir::OpKind::Sin, ir::OpKind::Pow,
                          ir::OpKind::Log2, ir::OpKind::Tanh}) {
    std::vector<OpInstance> instances;
    for (const OpInstance& instance : scalar_op_instances())
      if (instance.kind == kind) instances.push_back(instance);
    std::string text = combined_kernel(instances);
    text.replace(text.find(") {\n"), 4, ") fast_math {\n");
    check(emit(text, {.sm = GetParam()}), ir::info(kind).text);
  }
}

// Every kernel of a folder's kernel files that says its types itself. A file may say `# oldest: sm_60`.
struct FileKernel {
  std::string name;
  ir::Module module;
  int oldest = 0;
};
std::vector<FileKernel> kernels_in(const std::filesystem::path& folder) {
  std::vector<FileKernel> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".py") continue;
    ir::Diagnostics diagnostics;
    std::string text = *runtime::read_text_file(entry.path().string());
    constexpr std::string_view kOldest = "# oldest: sm_";
    size_t said = text.find(kOldest);
    int oldest = said == text.npos ? 0 : std::atoi(text.c_str() + said + kOldest.size());
    auto opened = runtime::open_file({entry.path().string(), std::move(text), 1}, {}, diagnostics);
    for (const frontend::KernelDeclaration* kernel : opened->kernels()) {
      auto types = runtime::declared_types(*kernel, "", opened->sources, diagnostics);
      if (!types) continue;
      std::string name = entry.path().filename().string() + " " + kernel->function.name;
      runtime::CompileOptions options;
      options.target = runtime::Target::Cuda;
      found.push_back(
          {name, runtime::compile_to_ir(kernel->function, *types, options, opened->sources), oldest});
    }
  }
  return found;
}

TEST_P(Assemble, KernelFiles) {
  std::filesystem::path root = LANEWISE_SOURCE_DIR;
  size_t count = 0;
  for (const char* folder : {"tests/golden/ptx", "examples"})
    for (const FileKernel& kernel : kernels_in(root / folder)) {
      if (GetParam() < kernel.oldest) continue;
      check(codegen::emit_ptx(kernel.module, {.sm = GetParam()}), kernel.name);
      PtxTarget checked{.sm = GetParam(), .facts = {.small = true, .distinct = true, .aligned = true}};
      check(codegen::emit_ptx(kernel.module, checked), kernel.name + ", checked launch");
      ++count;
    }
  EXPECT_GE(count, 12u);
}

// With the record of a launch that may fail, passed on to functions that are called.
TEST_P(Assemble, WhatThreadsFailWith) {
  codegen::PtxHidden hidden;
  check(codegen::emit_ptx(module_from(failing_kernel()), {.sm = GetParam()}, nullptr, &hidden), "failing");
  EXPECT_EQ(hidden.failures.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Sm, Assemble, ::testing::ValuesIn(codegen::ptx_architectures()),
                         [](const auto& test) { return std::to_string(test.param); });

}  // namespace
}  // namespace lanewise::test
