// The smallest program: compile a kernel from a text, launch it on whatever device there is, print its PTX.
#include <lanewise/lanewise.h>

#include <cstdio>
#include <vector>

constexpr const char* kKernels = R"(
from lanewise import gpu

@gpu.jit
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]
)";

int main() {
  try {
    lanewise::Module module = lanewise::compile(kKernels);
    std::vector<float> x(1000, 1.0f), y(1000, 2.0f);
    module.launch("saxpy", {4}, {256}, 2.0f, std::span<const float>(x), std::span<float>(y));
    for (float value : y) {
      if (value != 4.0f) {
        std::printf("wrong: %g\n", value);
        return 1;
      }
    }
    std::printf("y[0] = %g\n", y[0]);  // 4
    std::string ptx = module.ptx("saxpy", "saxpy(float32, float32[::1], float32[::1])", 80);
    size_t entry = ptx.find(".visible .entry");
    std::printf("%s ...\n", ptx.substr(entry, ptx.find('(', entry) - entry).c_str());
  } catch (const lanewise::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
