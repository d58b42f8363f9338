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
      const Driver& driver = driver_state().driver;
      CUresult code = driver.cuMemcpyHtoD(address, bytes.data(), bytes.size());
      // The copy may go on when the call returns, and streams that do not wait for it may come next.
      if (code == kSuccess) code = driver.cuStreamSynchronize(nullptr);
      if (code != kSuccess) driver.cuMemFree(address);
      check(code, "cuMemcpyHtoD");
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
