// Whether the stream and the memory of device arrays of a launch are where its kernel runs.
#pragma once
#include <span>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// Throws LaunchError for a stream or memory of another device, with the parameter's name and the way out.
// Memory that the driver does not know is left to the kernel: its error says where.
void check_devices(const KernelInfo& kernel, const Device& device, std::span<const Argument> arguments,
                   CUstream stream);

}  // namespace lanewise::runtime::cuda
