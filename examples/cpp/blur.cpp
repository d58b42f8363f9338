// 2-D arrays, device memory, constants from outside and errors as data: a box blur of an image.
#include <lanewise/lanewise.h>

#include <cstdio>
#include <vector>

constexpr const char* kKernels = R"(
from lanewise import gpu

RADIUS = 1

@gpu.jit
def blur(image, out):
    x, y = gpu.grid(2)
    h, w = image.shape
    if x >= w or y >= h:
        return
    total = 0.0
    count = 0
    for dy in range(-RADIUS, RADIUS + 1):
        for dx in range(-RADIUS, RADIUS + 1):
            if 0 <= x + dx < w and 0 <= y + dy < h:
                total += image[y + dy, x + dx]
                count += 1
    out[y, x] = total / count
)";

int main() {
  try {
    lanewise::Module module = lanewise::compile(kKernels, {.constants = {{"RADIUS", "2"}}});

    // A single bright pixel in the middle of 9 x 12: its light goes to the 5 x 5 pixels around it.
    constexpr int64_t kHeight = 9, kWidth = 12;
    std::vector<float> image(kHeight * kWidth, 0.0f);
    image[4 * kWidth + 6] = 25.0f;
    lanewise::Buffer<float> in(image), out(image.size());
    module.launch("blur", {2, 2}, {8, 8}, in.array({kHeight, kWidth}), out.array({kHeight, kWidth}));
    std::vector<float> blurred = out.to_host();

    for (int64_t y = 0; y < kHeight; ++y) {
      for (int64_t x = 0; x < kWidth; ++x) std::printf("%2g", blurred[static_cast<size_t>(y * kWidth + x)]);
      std::printf("\n");
    }
    if (blurred[4 * kWidth + 6] != 1.0f || blurred[2 * kWidth + 4] != 1.0f || blurred[4 * kWidth + 3] != 0.0f)
      return 1;

    // A mistake in a kernel arrives as data.
    try {
      lanewise::compile("from lanewise import gpu\n@gpu.jit\ndef k(x):\n    x[0] = colour\n")
          .specialize("k", std::span<float>(blurred));
      return 1;
    } catch (const lanewise::CompileError& error) {
      const lanewise::Diagnostic& first = error.diagnostics.at(0);
      std::printf("line %u: %s [%s]\n", first.line, first.message.c_str(), first.id.c_str());
    }
  } catch (const lanewise::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
