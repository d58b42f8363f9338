// From text to verified IR: a kernel of 20 lines, and how the time grows with the text. The bars: 0.5 ms for
// the first, 300 ms for 5,000 lines, and time in proportion to size.
//   taskset -c 0 build/release/tests/bench/front_end
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "runtime/runtime.h"

using namespace lanewise;

namespace {

constexpr const char* kTwentyLines = R"py(import math

from lanewise import gpu

TILE = 16


@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1], int64)")
def blur(image, weights, out, radius):
    x, y = gpu.grid(2)
    tile = gpu.shared.array((TILE, TILE), gpu.float32)
    height, width = image.shape
    if x < width and y < height:
        tile[gpu.threadIdx.y, gpu.threadIdx.x] = image[y, x]
    gpu.syncthreads()
    if x >= width or y >= height:
        return
    total = 0.0
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            yy = min(max(y + dy, 0), height - 1)
            xx = min(max(x + dx, 0), width - 1)
            total += weights[dy + radius, dx + radius] * image[yy, xx]
    if total > 1.0:
        total = 1.0 - math.exp(-total)
    out[y, x] = total if total > 0 else tile[gpu.threadIdx.y, 0]
)py";

// A kernel of about that many lines: straight-line code, branches and loops in turn.
std::string long_kernel(int lines) {
  std::string text =
      "from lanewise import gpu\n\n\n@gpu.jit(\"void(float32[::1], float32[::1], int64)\")\ndef long_one(x, "
      "out, n):\n"
      "    i = gpu.grid(1)\n    a = x[i]\n    b = a * 2\n    s = 0\n";
  for (int line = 9; line < lines; line += 10) {
    std::string k = std::to_string(line % 97);
    text += "    a = a * b + " + k + "\n    c = min(a, b) - x[i + " + k +
            "]\n    if c > a:\n        b = c - " + k +
            "\n    else:\n        b = a / (c + 1)\n    for j in range(n):\n        s += j * " + k +
            "\n        a += x[j]\n    out[i] = a + b * s\n";
  }
  return text;
}

struct Measured {
  double least = 1e30;
  size_t ops = 0;
};

Measured measure(const std::string& text, int rounds) {
  Measured result;
  for (int round = 0; round < rounds; ++round) {
    std::clock_t start = std::clock();  // of this process: other work on the machine does not count
    ir::Diagnostics diagnostics;
    auto opened = runtime::open_file({"bench.py", text}, {}, diagnostics);
    const frontend::KernelDeclaration* kernel = opened->kernel("");
    auto types = runtime::declared_types(*kernel, "", opened->sources, diagnostics);
    frontend::TypedModule typed = frontend::infer(kernel->function, *types, {}, opened->sources, diagnostics);
    if (diagnostics.has_errors()) {
      std::fputs(ir::render(diagnostics, opened->sources).c_str(), stderr);
      std::exit(1);
    }
    ir::Module module = frontend::lower(typed);
    if (auto error = ir::verify(module)) std::exit((std::fputs(error->message.c_str(), stderr), 1));
    double took = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    result.least = std::min(result.least, took);
    result.ops = module.entry().ops.size();
  }
  return result;
}

}  // namespace

int main() {
  std::printf("%8s %10s %10s %12s\n", "lines", "ops", "least ms", "us a line");
  auto row = [](int lines, const std::string& text, int rounds) {
    Measured m = measure(text, rounds);
    std::printf("%8d %10zu %10.3f %12.2f\n", lines, m.ops, m.least, m.least * 1000 / lines);
    std::fflush(stdout);
  };
  row(20, kTwentyLines, 300);
  for (int lines : {100, 500, 1000, 2000, 5000, 10000}) row(lines, long_kernel(lines), 8);
}
