// cuda_status(): what there is to run CUDA kernels on, or what is missing, as text.
#include <cstdio>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

std::string describe_device(const Driver& driver, int ordinal, int& sm) {
  CUdevice handle = 0;
  char name[256] = {};
  int major = 0, minor = 0;
  size_t bytes = 0;
  CUresult code = driver.cuDeviceGet(&handle, ordinal);
  if (code == kSuccess) code = driver.cuDeviceGetName(name, sizeof name - 1, handle);
  if (code == kSuccess) code = driver.cuDeviceGetAttribute(&major, kComputeCapabilityMajor, handle);
  if (code == kSuccess) code = driver.cuDeviceGetAttribute(&minor, kComputeCapabilityMinor, handle);
  if (code == kSuccess) code = driver.cuDeviceTotalMem(&bytes, handle);
  std::string text = "device " + std::to_string(ordinal) + ": ";
  if (code != kSuccess) return text + error_name(code);
  sm = 10 * major + minor;
  char gib[32];
  std::snprintf(gib, sizeof gib, "%.1f", static_cast<double>(bytes) / (1 << 30));
  return text + name + ", compute capability " + std::to_string(major) + "." + std::to_string(minor) + ", " +
         gib + " GiB";
}

CudaStatus make_status() {
  CudaStatus status;
  const DriverState& state = driver_state();
  status.driver_version = state.driver.version;
  if (!state.ready) {
    status.report = state.problem;
    return status;
  }
  int version = state.driver.version;
  status.report =
      "CUDA driver for CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  int count = 0;
  state.driver.cuDeviceGetCount(&count);
  for (int i = 0; i < count; ++i) {
    int sm = 0;
    status.report += "\n";
    status.report += describe_device(state.driver, i, sm);
    if (i == 0) status.sm = sm;
    if (sm > 0 && sm < 35) status.report += ": too old, compute capability 3.5 or more is needed";
  }
  // The oldest architecture that code can be made for.
  status.usable = status.sm >= 35;
  if (!status.usable) status.report += "\ndevice 0 cannot be used: compute capability 3.5 or more is needed";
  return status;
}

}  // namespace
}  // namespace cuda

const CudaStatus& cuda_status() {
  static const auto* status = [] {
    auto* made = new CudaStatus;
    try {
      *made = cuda::make_status();
    } catch (const std::exception& error) {
      made->report = std::string("CUDA cannot be used: ") + error.what();
    }
    return made;
  }();
  return *status;
}

}  // namespace lanewise::runtime
