#include "runtime/cuda/via_cuda_cpp.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/cuda/nvrtc.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr int kOldestArchitecture = 75;  // of the NVRTC of CUDA 13

}  // namespace

bool by_way_of_cuda_cpp() {
  static const bool chosen = [] {
    const char* set = std::getenv("LANEWISE_CUDA_VIA");
    return set && std::string(set) == "nvrtc";
  }();
  return chosen;
}

std::string ptx_by_way_of_cuda_cpp(const KernelInfo& kernel, const codegen::PtxTarget& target) {
  codegen::PtxTarget newer = target;
  newer.sm = std::max(target.sm, kOldestArchitecture);
  newer.ftz |= kernel.options.float_mode.fast_math;
  return compile_whole_cuda(kernel.name + ".cu", codegen::emit_cuda(kernel.module, newer, &kernel.sources),
                            codegen::cuda_options(kernel.module, newer), {.sm = newer.sm});
}

}  // namespace lanewise::runtime::cuda
