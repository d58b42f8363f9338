#include "runtime/cuda/argument_check.h"

#include "runtime/backend.h"

namespace lanewise::runtime::cuda {
namespace {

// The device that memory of others is on; the launch's own where the driver does not know, or moves it about.
int device_of(const Argument& argument, const Device& launched_on) {
  if (argument.ordinal >= 0) return argument.ordinal;
  const Driver& driver = driver_state().driver;
  auto pointer = reinterpret_cast<CUdeviceptr>(argument.data);
  unsigned type = 0, managed = 0;
  int ordinal = 0;
  if (driver.cuPointerGetAttribute(&type, kPointerMemoryType, pointer) != kSuccess || type != kDeviceMemory ||
      (driver.cuPointerGetAttribute(&managed, kPointerIsManaged, pointer) == kSuccess && managed) ||
      driver.cuPointerGetAttribute(&ordinal, kPointerDeviceOrdinal, pointer) != kSuccess)
    return launched_on.ordinal;
  return ordinal;
}

}  // namespace

void check_devices(const KernelInfo& kernel, const Device& device, std::span<const Argument> arguments) {
  if (count_devices() == 1) return;
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
