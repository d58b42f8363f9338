#include "frontend/infer/hints.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lanewise::frontend::inference {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kSort =
    "sort on the host, or write the sort in a `gpu.local.array` or shared array";
constexpr std::string_view kRunning = "keep the running value in a variable of a loop over the elements";
constexpr std::string_view kNoMemory =
    "kernels cannot allocate: write the parts into an array that there is, such as `out[:n] = a`";
constexpr std::string_view kCapture =
    "make it outside of the kernel, where it becomes a constant array; storage of a thread is "
    "`gpu.local.array(n, dtype)`";

constexpr Row kFunctions[] = {
    {"sort", kSort},
    {"argsort", kSort},
    {"partition", kSort},
    {"argpartition", kSort},
    {"unique", kSort},
    {"median", kSort},
    {"nanmedian", kSort},
    {"percentile", kSort},
    {"quantile", kSort},
    {"searchsorted", "write the binary search as a `while` loop"},
    {"cumsum", kRunning},
    {"cumprod", kRunning},
    {"diff", "subtract views: `out[:] = a[1:] - a[:-1]`"},
    {"concatenate", kNoMemory},
    {"stack", kNoMemory},
    {"hstack", kNoMemory},
    {"vstack", kNoMemory},
    {"append", kNoMemory},
    {"repeat", kNoMemory},
    {"tile", kNoMemory},
    {"pad", kNoMemory},
    {"roll", "compute the index: `a[(i + shift) % n]`"},
    {"flip", "take a view: `a[::-1]`"},
    {"array", kCapture},
    {"asarray", kCapture},
    {"arange", kCapture},
    {"linspace", kCapture},
    {"eye", kCapture},
    {"identity", kCapture},
    {"meshgrid", "compute coordinates from the index"},
    {"nonzero", "loop over the elements and test each"},
    {"argwhere", "loop over the elements and test each"},
    {"count_nonzero", "sum the condition: `(a != 0).sum()`"},
    {"einsum", "write out the loops, or use `np.dot` and `@`"},
    {"outer", "broadcast: `a[:, None] * b`"},
    {"histogram", "count with `gpu.atomic.add(counts, bin, 1)`"},
    {"bincount", "count with `gpu.atomic.add(counts, value, 1)`"},
    {"convolve", "sum products in a loop"},
};

constexpr Row kModules[] = {
    {"numpy.random.",
     "in kernels `gpu.random` has generators: `philox_uniform_float32(seed, index)`, or "
     "`xoroshiro128p_uniform_float32(states, i)`"},
    {"random.",
     "in kernels `gpu.random` has generators: `philox_uniform_float32(seed, index)`, or "
     "`xoroshiro128p_uniform_float32(states, i)`"},
    {"numpy.linalg.", "write out the loops, or call it on the host"},
    {"numpy.fft.", "write the transform out, or call it on the host"},
};

constexpr Row kImports[] = {
    {"np", "import numpy as np"},
    {"numpy", "import numpy"},
    {"math", "import math"},
    {"cmath", "import cmath"},
    {"operator", "import operator"},
    {"gpu", "from lanewise import gpu"},
    {"cuda", "from lanewise import gpu as cuda"},
};

std::string_view found(const Row* begin, const Row* end, std::string_view name) {
  const Row* row = std::find_if(begin, end, [&](const Row& r) { return r.first == name; });
  return row == end ? std::string_view() : row->second;
}

}  // namespace

std::string hint_instead_of(const std::string& function) {
  constexpr std::string_view kNumpy = "numpy.";
  if (function == "collections.namedtuple" || function == "functools.partial")
    return "call it outside of the kernel";
  for (const auto& [module, hint] : kModules)
    if (function.starts_with(module)) return std::string(hint);
  if (!function.starts_with(kNumpy)) return "";
  return std::string(
      found(std::begin(kFunctions), std::end(kFunctions), std::string_view(function).substr(kNumpy.size())));
}

std::string hint_to_import(const std::string& name) {
  std::string_view statement = found(std::begin(kImports), std::end(kImports), name);
  return statement.empty() ? "" : "import it at the top of the file: `" + std::string(statement) + "`";
}

}  // namespace lanewise::frontend::inference
