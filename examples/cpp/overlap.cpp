// Copies beside kernels: a large array goes through the device in pieces on two streams, so that one piece is
// copied while the kernel works on the other. On the CPU the same program runs piece after piece.
#include <lanewise/lanewise.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

constexpr const char* kKernels = R"(
from lanewise import gpu

@gpu.jit
def smooth(x, y, n):
    i = gpu.grid(1)
    if i < n:
        y[i] = (x[max(i - 1, 0)] + x[i] + x[min(i + 1, n - 1)]) / 3
)";

constexpr size_t kCount = 1 << 20, kPiece = 1 << 17;

// One stream and the device memory of the pieces that go through it.
struct Lane {
  lanewise::Stream stream;
  lanewise::Buffer<float> in{kPiece, stream}, out{kPiece, stream};
};

int main() {
  try {
    lanewise::Module module = lanewise::compile(kKernels);

    // Copies go on beside the host, and beside kernels, only from and to pinned memory.
    lanewise::HostArray<float> input(kCount), output(kCount);
    for (size_t i = 0; i < kCount; ++i) input[i] = static_cast<float>(i % 1000);

    std::array<Lane, 2> lanes;
    lanewise::Kernel smooth = module.specialize("smooth", lanes[0].in, lanes[0].out, int32_t{0});
    lanewise::Event start, end;
    start.record();
    for (Lane& lane : lanes) lane.stream.wait(start);
    for (size_t first = 0; first < kCount; first += kPiece) {
      Lane& lane = lanes[first / kPiece % lanes.size()];
      lane.in.write(std::span(input).subspan(first, kPiece), lane.stream);
      smooth.launch({.grid = kPiece / 256, .block = 256, .stream = lane.stream}, lane.in, lane.out,
                    static_cast<int32_t>(kPiece));
      lane.out.read(std::span(output).subspan(first, kPiece), lane.stream);
    }
    // The end of both: the first stream waits for the second.
    lanewise::Event second_done({.timing = false});
    second_done.record(lanes[1].stream);
    lanes[0].stream.wait(second_done);
    end.record(lanes[0].stream);
    end.synchronize();

    for (size_t i = 0; i < kCount; ++i) {
      size_t low = i / kPiece * kPiece, high = low + kPiece - 1;
      float expected = (input[std::max(i, low + 1) - 1] + input[i] + input[std::min(i + 1, high)]) / 3;
      if (output[i] < expected - 1e-3f || output[i] > expected + 1e-3f) {
        std::printf("wrong: %g at %zu, not %g\n", output[i], i, expected);
        return 1;
      }
    }
    std::printf("%s: %zu elements in %zu pieces on two streams, %.2f ms\n",
                lanewise::device_info(lanewise::current_device()).name.c_str(), kCount, kCount / kPiece,
                end.since(start));
  } catch (const lanewise::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
