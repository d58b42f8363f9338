// Opens libcuda.so.1 (LANEWISE_CUDA_DRIVER may name another file), finds its entry points and initialises it.
// Every way this fails ends in a text that says what is missing.
#include "runtime/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

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
  if (!driver.name && since <= kMinimumVersion) missing += std::string(missing.empty() ? "" : ", ") + #name;
#include "runtime/cuda/driver_api.def"
  if (driver.cuDriverGetVersion) driver.cuDriverGetVersion(&driver.version);
  if (missing.empty() && driver.version >= kMinimumVersion) return true;
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
  if (pthread_atfork(nullptr, nullptr, [] { state().is_forked = true; }) != 0) {
    s.problem = "CUDA cannot be used: there is no memory for a fork handler";
    return;
  }
  s.code = s.driver.cuInit(0);
  if (s.code == kSuccess) s.code = s.driver.cuDeviceGetCount(&s.device_count);
  if (s.code == kSuccess && s.device_count == 0) s.code = kNoDevice;
  s.ready = s.code == kSuccess;
  if (!s.ready) s.problem = initialisation_problem(s.code);
}

}  // namespace

const DriverState& driver_state() {
  static std::once_flag once;
  std::call_once(once, open_driver);
  return state();
}

const Driver& driver_table() { return state().driver; }

void fail_missing(std::string_view function) {
  std::string since;
#define DRIVER_FUNCTION(name, symbol, version, parameters) \
  if (function == #name) since = cuda_version(version);
#include "runtime/cuda/driver_api.def"
  throw CudaError(std::string(function) + " is missing: the driver serves CUDA " +
                      cuda_version(driver_table().version) + ", it is there since CUDA " + since +
                      "\n  install a newer NVIDIA driver",
                  kNotSupported);
}

}  // namespace lanewise::runtime::cuda
