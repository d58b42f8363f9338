#include "runtime/cuda/captured_arrays.h"

#include "runtime/cuda/buffers.h"

namespace lanewise::runtime::cuda {

std::vector<CUdeviceptr> CapturedArrays::load(const Device& device, const ir::Module& module,
                                              std::span<const size_t> wanted) {
  std::vector<CUdeviceptr> addresses;
  for (size_t index : wanted) {
    auto [copy, is_new] = copies_.try_emplace(index);
    if (is_new) {
      const std::string& bytes = module.data[index].bytes;
      copy->second = allocate_memory(device, bytes.size());
      CUDA_CALL(cuMemcpyHtoD, (copy->second, bytes.data(), bytes.size()));
    }
    addresses.push_back(copy->second);
  }
  return addresses;
}

void CapturedArrays::free() {
  for (auto [index, address] : copies_) driver_state().driver.cuMemFree(address);
  copies_.clear();
}

}  // namespace lanewise::runtime::cuda
