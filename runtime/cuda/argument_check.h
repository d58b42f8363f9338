// Whether the memory of a launch's device arrays is where its kernel runs.
#pragma once
#include <span>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// Throws LaunchError for memory of another device, or of the host, with the parameter's name and the way out.
// Memory that the driver does not know is left to the kernel: its error says where.
void check_devices(const KernelInfo& kernel, const Device& device, std::span<const Argument> arguments);

}  // namespace lanewise::runtime::cuda
