// NVIDIA's driver library, opened at run time: its entry points, the errors of its calls, the devices and
// their primary contexts. Private to runtime/cuda/. Nothing is touched before the first call.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/runtime.h"

namespace lanewise::runtime::cuda {

// The driver's ABI, as documented; its own header is not needed.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUmemoryPool = struct CUmemPoolHandle_st*;
struct CUmemAccess {  // CUmemAccessDesc
  int location_type, location, flags;
};
struct CUipcMemHandle {
  char reserved[64];
};
enum LaunchAttributeId : unsigned {
  kAttributeCooperative = 2,
  kAttributeClusterDimension = 4,
  kAttributeProgrammaticSerialization = 6,
  kAttributePriority = 8
};
struct CUlaunchAttribute {
  LaunchAttributeId id;
  char padding[4];
  union {
    char size[64];
    unsigned dimension[3];
    int number;
  } value;
};
static_assert(sizeof(CUlaunchAttribute) == 72);
struct CUlaunchConfig {
  unsigned grid[3], block[3], dynamic_shared_bytes;
  CUstream stream;
  const CUlaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(CUlaunchConfig) == 56);

enum DriverResult : CUresult {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kStubLibrary = 34,
  kNoDevice = 100,
  kInvalidPtx = 218,
  kUnsupportedPtx = 222,
  kNoBinary = 209,
  kInvalidHandle = 400,
  kNotReady = 600,
  kPeerAccessAlreadyEnabled = 704,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kSystemNotReady = 802,
  kSystemDriverMismatch = 803,
  kCompatNotSupported = 804,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kCaptureInvalidated = 901,
  kUnknown = 999
};

enum DeviceAttribute : int {
  kMaxSharedPerBlock = 8,
  kMultiprocessors = 16,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kCooperativeLaunch = 95,
  kMaxSharedPerBlockOptIn = 97,
  kMemoryPoolsSupported = 115,
  kClusterLaunch = 120
};
enum FunctionAttribute : int {
  kFunctionMaxThreads = 0,
  kFunctionSharedBytes = 1,
  kFunctionConstBytes = 2,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionPtxVersion = 5,
  kFunctionBinaryVersion = 6,
  kFunctionMaxDynamicShared = 8,
  kFunctionNonPortableCluster = 13
};
enum PointerAttribute : int { kPointerMemoryType = 2, kPointerIsManaged = 8, kPointerDeviceOrdinal = 9 };
enum MemoryType : unsigned { kHostMemory = 1, kDeviceMemory = 2 };
enum JitOption : int { kJitErrorLog = 5, kJitErrorLogBytes = 6 };

struct Driver {
#define DRIVER_FUNCTION(name, symbol, since, parameters) CUresult(*name) parameters = nullptr;
#include "runtime/cuda/driver_api.def"
  int version = 0;  // 1000 * major + 10 * minor of the newest CUDA it can serve
};

// What opening and initialising the driver gave. Done by the first call; the process's fate from then on.
struct DriverState {
  Driver driver;
  bool ready = false;
  std::string problem;  // why it is not: what is missing and the way out
  CUresult code = kSuccess;
  std::atomic<bool> is_forked = false;  // since it was initialised: a child cannot use its parent's
  int device_count = 0;
};
const DriverState& driver_state();
// The entry points as far as they have been found; opens nothing.
const Driver& driver_table();

// --- devices.cpp

// A device in use, with its primary context. Lives as long as the process.
struct Device {
  int ordinal = 0;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  std::string name;
  int sm = 0;                // 10 * major + minor
  int max_shared_bytes = 0;  // of a block, static and dynamic together
  size_t memory_bytes = 0;
  bool has_pools = false;                   // memory can be allocated in the order of a stream
  mutable std::atomic<uint64_t> peers = 0;  // bits of the devices whose memory its kernels may use too
};
bool has_peer_access(const Device& device, int peer);

int count_devices();
// This thread's device: the one that it selected, else that of the context which another library has made
// current, else device 0. Throws CudaError if there is none, if the context is lost, or in a forked child.
const Device& device();
// Throws LaunchError if there is no such device.
const Device& device(int ordinal);
// The device that has the memory; nullopt for memory that the driver does not know, or moves about.
std::optional<int> device_of_memory(CUdeviceptr pointer);
// Whose work the stream orders; this thread's device for the default streams.
const Device& device_of_stream(CUstream stream);
// Those that have been used.
std::vector<const Device*> opened_devices();
// Before memory of the device is freed: waits for all work that may use it, on the device, and on those that
// have access to its memory or, `by_all`, on every one.
void finish_users_of(const Device& owner, bool by_all) noexcept;
// For destructors and other places that must not throw: whether calls make sense at all.
bool device_alive();

// Makes a device's context current on this thread for as long as it lives, over whatever others made current.
class ContextScope {
 public:
  explicit ContextScope(const Device& device);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
};

// Runs `action` with the device's context current, for destructors: not at all once the process is ending or
// the context is lost, and with all exceptions dropped: what it would free goes with the context.
template <class Action>
void cleanup(const Device& device, Action action) noexcept {
  if (!device_alive()) return;
  try {
    ContextScope scope(device);
    action();
  } catch (...) {
  }
}

// --- errors.cpp
// "CUDA_ERROR_ILLEGAL_ADDRESS (700)"
std::string error_name(CUresult code);
// What a user can do about it, "" if the name says it all.
std::string_view error_hint(CUresult code);
// Whether the context is unusable after this error.
bool is_sticky(CUresult code);
// Throws CudaError naming the call, the code, the kernel and the way out; remembers a lost context.
[[noreturn]] void fail(CUresult code, std::string_view call, std::string_view kernel = {},
                       std::string_view details = {});
inline void check(CUresult code, std::string_view call, std::string_view kernel = {}) {
  if (code != kSuccess) fail(code, call, kernel);
}
// The first sticky error's message, "" while the context lives.
std::string lost_context();

// A driver without the function is too old: throws CudaError with the CUDA version that has it.
[[noreturn]] void fail_missing(std::string_view function);
template <class Function>
Function available(Function function, std::string_view name) {
  if (!function) fail_missing(name);
  return function;
}

}  // namespace lanewise::runtime::cuda

// CUDA_CALL(cuMemFree, (pointer)): calls it, throws CudaError naming it if it fails.
#define CUDA_CALL(name, arguments) CUDA_CALL_FOR({}, name, arguments)
#define CUDA_CALL_FOR(kernel, name, arguments)                                                           \
  ::lanewise::runtime::cuda::check(                                                                      \
      ::lanewise::runtime::cuda::available(::lanewise::runtime::cuda::driver_state().driver.name, #name) \
          arguments,                                                                                     \
      #name, kernel)
