// Device copies of the constant arrays of a kernel that are too large for its code: made once, read by all
// launches, gone with the kernel. For one device.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "ir/ir.h"
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

class CapturedArrays {
 public:
  // Copies those of `wanted` (indices into the module's data) that are not there yet, and returns the
  // addresses of all. The context is current.
  std::vector<CUdeviceptr> load(const Device& device, const ir::Module& module,
                                std::span<const size_t> wanted);
  // When no launch runs any more, with the context current.
  void free();

 private:
  std::map<size_t, CUdeviceptr> copies_;  // by index
};

}  // namespace lanewise::runtime::cuda
