#include "runtime/cuda/captured_arrays.h"

#include "runtime/cuda/buffers.h"

namespace lanewise::runtime::cuda {

std::vector<CUdeviceptr> CapturedArrays::load(const Device& device, const ir::Module& module,
                                              std::span<const size_t> wanted) {
  std::vector<CUdeviceptr> addresses;
  for (size_t index : wanted) {
    auto copy = copies_.find(index);
    if (copy == copies_.end()) {
      const std::string& bytes = module.data[index].bytes;
      CUdeviceptr address = allocate_memory(device, bytes.size());
      try {
        fill_memory(address, bytes.data(), bytes.size());
      } catch (...) {
        driver_state().driver.cuMemFree(address);
        throw;
      }
      copy = copies_.emplace(index, address).first;
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
