#include "runtime/cuda/argument_check.h"

#include "runtime/backend.h"

namespace lanewise::runtime::cuda {
namespace {

// The device that memory is on; the launch's own where nobody knows.
int device_of(const Argument& argument, const Device& launched_on) {
  if (argument.ordinal >= 0) return argument.ordinal;
  return device_of_memory(reinterpret_cast<CUdeviceptr>(argument.data)).value_or(launched_on.ordinal);
}

}  // namespace

void check_devices(const KernelInfo& kernel, const Device& device, std::span<const Argument> arguments,
                   CUstream stream) {
  if (count_devices() == 1) return;
  if (const Device& other = device_of_stream(stream); &other != &device)
    throw LaunchError("kernel `" + kernel.name + "`: the stream is of CUDA device " +
                      std::to_string(other.ordinal) + ", but the launch is on device " +
                      std::to_string(device.ordinal) + "\n  select the stream's device first");
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (!argument.device || argument.ndim < 0 || !argument.data) continue;
    int ordinal = device_of(argument, device);
    if (ordinal == device.ordinal || has_peer_access(device, ordinal)) continue;
    std::string other = std::to_string(ordinal);
    throw LaunchError("kernel `" + kernel.name + "`, argument `" + leaf_name(kernel, i) +
                      "`: its memory is on CUDA device " + other + ", but the launch is on device " +
                      std::to_string(device.ordinal) + "\n  select the device first (with gpu.gpus[" + other +
                      "]: ...), copy the array, or enable peer access");
  }
}

}  // namespace lanewise::runtime::cuda
