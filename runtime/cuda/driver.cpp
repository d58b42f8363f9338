// Opens libcuda.so.1 (LANEWISE_CUDA_DRIVER may name another file), finds its entry points, initialises it and
// retains the primary context of device 0. Every way this fails ends in a text that says what is missing.
#include "runtime/cuda/driver.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace lanewise::runtime::cuda {
namespace {

// The youngest row of driver_api.def that every launch needs.
constexpr int kMinimumVersion = 7000;

std::string cuda_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void* open_library(std::string& problem) {
  const char* named = std::getenv("LANEWISE_CUDA_DRIVER");
  bool is_named = named && *named;
  const char* path = is_named ? named : "libcuda.so.1";
  void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle) return handle;
  problem = std::string("no CUDA driver: ") + dlerror();
  if (is_named) {
    problem += "\n  LANEWISE_CUDA_DRIVER names that file: unset it to use the system's driver";
    return nullptr;
  }
  // Windows' driver in its Linux subsystem is in no standard path.
  handle = dlopen("/usr/lib/wsl/lib/libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    problem +=
        "\n  install NVIDIA's driver; in a container, start it with the GPU (docker run --gpus all); or run "
        "on the "
        "CPU: LANEWISE_TARGET=cpu";
  return handle;
}

using GetProcAddress = CUresult (*)(const char* name, void** function, int version, uint64_t flags,
                                    int* status);

template <class Function>
void find(Function& function, void* library, GetProcAddress get, const char* name, const char* symbol,
          int since) {
  void* found = nullptr;
  if (get && get(name, &found, since, 0, nullptr) != kSuccess) found = nullptr;
  if (!found) found = dlsym(library, symbol);
  function = reinterpret_cast<Function>(found);
}

bool find_functions(Driver& driver, void* library, std::string& problem) {
  auto get = reinterpret_cast<GetProcAddress>(dlsym(library, "cuGetProcAddress_v2"));
  std::string missing;
#define DRIVER_FUNCTION(name, symbol, since, parameters) \
  find(driver.name, library, get, #name, symbol, since); \
  if (!driver.name)                                      \
    missing += std::string(missing.empty() ? "" : ", ") + #name + " (CUDA " + cuda_version(since) + ")";
#include "runtime/cuda/driver_api.def"
  if (driver.cuDriverGetVersion) driver.cuDriverGetVersion(&driver.version);
  // cuFuncSetAttribute is younger than the rest and only large dynamic shared memory needs it.
  bool usable = missing.empty() || missing == "cuFuncSetAttribute (CUDA 9.0)";
  if (usable && driver.version >= kMinimumVersion) return true;
  problem = "the CUDA driver is too old: it serves CUDA " + cuda_version(driver.version) + ", at least " +
            cuda_version(kMinimumVersion) + " is needed" + (missing.empty() ? "" : "; it lacks " + missing) +
            "\n  install a newer NVIDIA driver";
  return false;
}

std::string initialisation_problem(CUresult code) {
  std::string text = "the CUDA driver does not start: cuInit gives " + error_name(code);
  if (std::string_view hint = error_hint(code); !hint.empty()) text += "\n  " + std::string(hint);
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (code == kNoDevice && visible) text += "\n  CUDA_VISIBLE_DEVICES is \"" + std::string(visible) + "\"";
  return text;
}

// Filled in place: error_name() looks into it while it is being made.
DriverState& state() {
  static auto* the_state = new DriverState;
  return *the_state;
}

void open_driver() {
  DriverState& s = state();
  void* library = open_library(s.problem);
  if (!library || !find_functions(s.driver, library, s.problem)) return;
  s.process = getpid();
  s.code = s.driver.cuInit(0);
  int count = 0;
  if (s.code == kSuccess) s.code = s.driver.cuDeviceGetCount(&count);
  if (s.code == kSuccess && count == 0) s.code = kNoDevice;
  s.ready = s.code == kSuccess;
  if (!s.ready) s.problem = initialisation_problem(s.code);
}

void open_device(Device& d) {
  CUDA_CALL(cuDeviceGet, (&d.handle, 0));
  char name[256] = {};
  CUDA_CALL(cuDeviceGetName, (name, sizeof name - 1, d.handle));
  d.name = name;
  int major = 0, minor = 0;
  CUDA_CALL(cuDeviceGetAttribute, (&major, kComputeCapabilityMajor, d.handle));
  CUDA_CALL(cuDeviceGetAttribute, (&minor, kComputeCapabilityMinor, d.handle));
  d.sm = 10 * major + minor;
  CUDA_CALL(cuDeviceGetAttribute, (&d.max_shared_bytes, kMaxSharedPerBlock, d.handle));
  int opt_in = 0;
  // Drivers before CUDA 9 do not know the attribute: then there is no opting in either.
  if (driver_state().driver.cuDeviceGetAttribute(&opt_in, kMaxSharedPerBlockOptIn, d.handle) == kSuccess)
    d.max_shared_bytes = std::max(d.max_shared_bytes, opt_in);
  CUDA_CALL(cuDevicePrimaryCtxRetain, (&d.context, d.handle));
}

}  // namespace

const DriverState& driver_state() {
  static std::once_flag once;
  std::call_once(once, open_driver);
  return state();
}

const Driver& driver_table() { return state().driver; }

const Device& device() {
  const DriverState& s = driver_state();
  if (!s.ready) throw CudaError(s.problem, s.code);
  if (getpid() != s.process)
    throw CudaError(
        "CUDA was started before this process was forked, and a child cannot use its parent's CUDA\n"
        "  use the \"spawn\" start method of multiprocessing, or start CUDA only in the children",
        kNotInitialized);
  if (std::string lost = lost_context(); !lost.empty())
    throw CudaError(
        "the CUDA context is lost since an earlier error: restart the process\n  the error was: " + lost,
        kLaunchFailed);
  static auto* mutex = new std::mutex;
  static auto* the_device = new Device;
  std::scoped_lock lock(*mutex);
  if (!the_device->context) open_device(*the_device);
  return *the_device;
}

bool device_alive() {
  const DriverState& s = driver_state();
  return s.ready && getpid() == s.process && lost_context().empty();
}

ContextScope::ContextScope() { CUDA_CALL(cuCtxPushCurrent, (device().context)); }

ContextScope::~ContextScope() {
  CUcontext popped = nullptr;
  driver_state().driver.cuCtxPopCurrent(&popped);
}

}  // namespace lanewise::runtime::cuda
