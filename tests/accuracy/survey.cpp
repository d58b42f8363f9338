#include "survey.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace accuracy {
namespace {

constexpr uint64_t kThreads = uint64_t{1} << 17, kInputs = 256, kChunk = kThreads * kInputs;
constexpr double kReferenceError = 1e-7;  // of the float64 function, in units of float32's last place
constexpr uint64_t kControlStride = 4099;

std::string survey_text(const Function& f) {
  return R"py(
import math
import numpy
from lanewise import gpu

f32, f64, i64, u32 = gpu.float32, gpu.float64, gpu.int64, gpu.uint32
THREADS = )py" +
         std::to_string(kThreads) + "\nINPUTS = " + std::to_string(kInputs) + R"py(

@gpu.jit(device=True)
def difference(got, exact):
    word = exact.view(i64)
    exponent = min(max((word >> 52) & 0x7FF, i64(1023 - 126)), i64(1023 + 127))
    unit = ((i64(2 * 1023 + 23) - exponent) << 52).view(f64)
    size = abs(got - exact) * unit
    alike = (got.view(i64) < 0) == (word < 0)
    overflows = abs(got) > 3.5e38 and abs(exact) >= 3.402823669209385e38 and alike
    if got != got or exact != exact:
        size = f64(0) if got != got and exact != exact else f64(1e9)
    elif overflows:
        size = f64(0)
    elif not alike or abs(got) > 3.5e38 or abs(exact) > 3.5e38:
        size = f64(1e9)
    return size

@gpu.jit
def survey(first, out):
    i = gpu.grid(1)
    largest = f64(0)
    for k in range(INPUTS):
        x = u32(first + k * THREADS + i).view(f32)
        largest = max(largest, difference(f64()py" +
         std::string(f.in_float32) + "(x)), " + std::string(f.in_float64) + R"py((f64(x))))
    out[i] = largest
)py";
}

// A thread's inputs.
std::vector<uint32_t> inputs_of(uint64_t first, uint64_t thread) {
  std::vector<uint32_t> bits(kInputs);
  for (uint64_t k = 0; k < kInputs; ++k) bits[k] = static_cast<uint32_t>(first + k * kThreads + thread);
  return bits;
}

}  // namespace

void survey_every_float(const Function& f, const lanewise::Options& options,
                        const std::function<double(const std::vector<uint32_t>&)>& examine) {
  lanewise::Module module = lanewise::compile(survey_text(f), options);
  std::vector<double> largest(kThreads);
  std::vector<uint32_t> control;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += kControlStride)
    control.push_back(static_cast<uint32_t>(bits));
  double worst = examine(control);
  std::vector<uint64_t> order(kThreads);
  for (uint64_t first = 0; first < uint64_t{1} << 32; first += kChunk) {
    module.launch("survey", {static_cast<int64_t>(kThreads / 128)}, {128}, static_cast<int64_t>(first),
                  largest);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint64_t a, uint64_t b) { return largest[a] > largest[b]; });
    for (uint64_t thread : order) {
      if (largest[thread] <= std::max(worst - kReferenceError, 0.0)) break;
      worst = examine(inputs_of(first, thread));
    }
  }
}

}  // namespace accuracy
