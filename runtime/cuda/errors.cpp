// Errors of driver calls: names, what to do about them, and the memory of a lost context.
#include <atomic>
#include <mutex>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr struct {
  CUresult code;
  std::string_view hint;
} kHints[] = {
    {kOutOfMemory, "the device has not enough free memory: free device arrays, or work in smaller pieces"},
    {kInvalidHandle,
     "the stream or event was destroyed, or is of another device than the memory, the event or the graph"},
    {kNotInitialized,
     "if this process was forked after CUDA was started, use the \"spawn\" start method of multiprocessing"},
    {kDeinitialized, "the driver is shutting down: the call came too late in the process's exit"},
    {kStubLibrary,
     "the library opened is a stub for linking: take the toolkit's lib64/stubs out of LD_LIBRARY_PATH"},
    {kNoDevice,
     "check that nvidia-smi lists a GPU; in a container, start it with the GPU (docker run --gpus all); "
     "check "
     "CUDA_VISIBLE_DEVICES"},
    {kUnsupportedPtx, "the driver is too old for the code's PTX version: install a newer NVIDIA driver"},
    {kNoBinary, "the code was made for a newer compute capability than the device has"},
    {kIllegalAddress,
     "an index of the kernel is outside its array. The context is lost: restart the process. Running with "
     "target=\"interpreter\" or under compute-sanitizer helps to find the place"},
    {kLaunchOutOfResources,
     "the kernel needs more registers or memory than a block of that size has: use a smaller block"},
    {kLaunchTimeout,
     "the kernel ran longer than the display's watchdog allows. The context is lost: restart the process"},
    {kAssert, "an assertion in the kernel failed. The context is lost: restart the process"},
    {kMisalignedAddress,
     "an array's address is not a multiple of its element's size. The context is lost: restart the process"},
    {kLaunchFailed, "the kernel failed on the device. The context is lost: restart the process"},
    {kSystemNotReady,
     "the system is not ready for CUDA: start nvidia-fabricmanager, or look into the system log"},
    {kSystemDriverMismatch,
     "the kernel module and libcuda.so.1 are of different versions: reboot after a driver update, or use a "
     "container image without its own libcuda"},
    {kCompatNotSupported,
     "a forward-compatibility libcuda is in the path that this device does not support: take it out of "
     "LD_LIBRARY_PATH"},
    {kUnknown,
     "the kernel module may not be loaded or /dev/nvidia* may not be accessible: try nvidia-smi as the same "
     "user, "
     "and nvidia-modprobe -u; after a suspend or a driver update, reboot"},
};

struct Lost {
  std::mutex mutex;
  std::atomic<bool> flag = false;
  std::string message;
};
Lost& lost() {
  static auto* the_lost = new Lost;
  return *the_lost;
}

}  // namespace

std::string error_name(CUresult code) {
  const char* name = nullptr;
  const Driver& driver = driver_table();
  if (!driver.cuGetErrorName || driver.cuGetErrorName(code, &name) != kSuccess || !name) name = "CUDA error";
  return std::string(name) + " (" + std::to_string(code) + ")";
}

std::string_view error_hint(CUresult code) {
  for (const auto& row : kHints)
    if (row.code == code) return row.hint;
  return {};
}

bool is_sticky(CUresult code) {
  // 214 ECC error, 700 .. 719 without the launch and peer access errors, which say so before anything ran.
  if (code == 214 || code == kIllegalAddress || code == kLaunchTimeout || code == kAssert) return true;
  return code >= 714 && code <= kLaunchFailed;
}

void fail(CUresult code, std::string_view call, std::string_view kernel, std::string_view details) {
  const Driver& driver = driver_table();
  const char* text = nullptr;
  if (!driver.cuGetErrorString || driver.cuGetErrorString(code, &text) != kSuccess || !text)
    text = "unknown error";
  std::string message = std::string(call) + " failed: " + error_name(code) + ": " + text;
  if (!kernel.empty()) message += "\n  kernel: " + std::string(kernel);
  if (!details.empty()) message += "\n  " + std::string(details);
  if (std::string_view hint = error_hint(code); !hint.empty()) message += "\n  " + std::string(hint);
  if (is_sticky(code)) {
    std::scoped_lock lock(lost().mutex);
    if (!lost().flag) {
      lost().message = message;
      lost().flag = true;
    }
  }
  throw CudaError(message, code);
}

std::string lost_context() {
  if (!lost().flag) return {};
  std::scoped_lock lock(lost().mutex);
  return lost().message;
}

}  // namespace lanewise::runtime::cuda
