#include "runtime/cuda/via_cuda_cpp.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/cuda/device_code.h"
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

std::string ptx_by_way_of_cuda_cpp(const KernelInfo& kernel, const codegen::PtxTarget& target, int newest_ptx,
                                   codegen::PtxHidden& hidden) {
  codegen::PtxTarget newer = target;
  newer.sm = std::max(target.sm, kOldestArchitecture);
  newer.ftz |= kernel.options.float_mode.fast_math;
  std::vector<std::string> options = codegen::cuda_options(kernel.module, newer);
  if (!kernel.module.externals.empty()) options.push_back("--relocatable-device-code=true");
  std::string text = codegen::emit_cuda(kernel.module, newer, &kernel.sources, &hidden);
  std::string ptx =
      compile_whole_cuda(kernel.name + ".cu", text, options, {.sm = newer.sm, .newest_ptx = newest_ptx});
  return merge_externals(std::move(ptx), kernel.module, newer, kernel.options.link, newest_ptx);
}

}  // namespace lanewise::runtime::cuda
