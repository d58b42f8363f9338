// Host memory that kernels use in place: where it is on the device.
#pragma once
#include <optional>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// The device's address of host memory that was made Mapped or Managed and holds all bytes from `low` to
// `high`.
std::optional<CUdeviceptr> device_address(const char* low, const char* high);

}  // namespace lanewise::runtime::cuda
