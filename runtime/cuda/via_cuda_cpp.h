// For tests: LANEWISE_CUDA_VIA=nvrtc makes the code of kernels by way of CUDA C++ and NVRTC, so that
// everything that runs shows whether the text of codegen/cuda_cpp/ means the same as the PTX.
#pragma once
#include <string>

#include "codegen/codegen.h"
#include "runtime/runtime.h"

namespace lanewise::runtime::cuda {

bool by_way_of_cuda_cpp();
std::string ptx_by_way_of_cuda_cpp(const KernelInfo& kernel, const codegen::PtxTarget& target, int newest_ptx,
                                   codegen::PtxHidden& hidden);

}  // namespace lanewise::runtime::cuda
