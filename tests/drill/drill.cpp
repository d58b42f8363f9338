// A CUDA driver in front of another one: it counts calls and what they leave alive, and fails the call it is
// told to, or lets a test do something in the middle of it. Made from the engine's own table of entry points,
// so that it has all that the engine may call and no others.
//
// Environment: DRILL_DRIVER is the driver behind it; DRILL_SKIP, names separated by commas: calls that
// succeed at once without reaching it. The rest is asked for through the functions at the end (ctypes in
// tests/python).
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/cuda/driver.h"

namespace {

using namespace lanewise::runtime::cuda;

enum Index {
#define DRIVER_FUNCTION(name, symbol, since, parameters) k_##name,
#include "runtime/cuda/driver_api.def"
  kCount
};
constexpr const char* kNames[] = {
#define DRIVER_FUNCTION(name, symbol, since, parameters) #name,
#include "runtime/cuda/driver_api.def"
};

// What a call makes and another one ends.
struct Kind {
  const char* made_by;
  const char* ended_by;
};
constexpr Kind kKinds[] = {{"cuMemAlloc", "cuMemFree"},
                           {"cuMemAllocAsync", "cuMemFree"},
                           {"cuMemAllocManaged", "cuMemFree"},
                           {"cuMemHostAlloc", "cuMemFreeHost"},
                           {"cuMemHostRegister", "cuMemHostUnregister"},
                           {"cuModuleLoadDataEx", "cuModuleUnload"},
                           {"cuStreamCreateWithPriority", "cuStreamDestroy"},
                           {"cuEventCreate", "cuEventDestroy"},
                           {"cuStreamEndCapture", "cuGraphDestroy"},
                           {"cuGraphInstantiateWithFlags", "cuGraphExecDestroy"},
                           {"cuCtxPushCurrent", "cuCtxPopCurrent"}};

struct State {
  std::atomic<long> calls{0}, fail_at{0};
  std::atomic<int> code{0};
  std::mutex mutex;
  std::map<std::string, long> live;  // by the name of the call that ends it
  std::string failed;                // the call that was failed last
  bool skipped[kCount] = {};
  std::string watched;  // what drill_watch was told
  void (*watcher)() = nullptr;
  bool watches_end = false;
  void* driver = nullptr;
};

State& state() {
  static State* the_state = [] {
    auto* made = new State;
    const char* path = std::getenv("DRILL_DRIVER");
    made->driver = dlopen(path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    std::string skip = std::string(",") + (std::getenv("DRILL_SKIP") ? std::getenv("DRILL_SKIP") : "") + ",";
    for (int i = 0; i < kCount; ++i)
      made->skipped[i] = skip.find(std::string(",") + kNames[i] + ",") != skip.npos;
    return made;
  }();
  return *the_state;
}

void count(const char* name, long step) {
  std::scoped_lock lock(state().mutex);
  for (const Kind& kind : kKinds) {
    if (step > 0 && !std::strcmp(kind.made_by, name)) ++state().live[kind.ended_by];
    if (step < 0 && !std::strcmp(kind.ended_by, name)) {
      --state().live[name];
      return;
    }
  }
}

bool is_to_fail(int index, CUresult& code) {
  State& s = state();
  if (++s.calls != s.fail_at) return false;
  code = s.code;
  std::scoped_lock lock(s.mutex);
  s.failed = kNames[index];
  return true;
}

void tell_watcher(int index, bool at_end) {
  State& s = state();
  void (*watcher)() = nullptr;
  {
    std::scoped_lock lock(s.mutex);
    if (s.watches_end == at_end && s.watched == kNames[index]) {
      s.watched.clear();
      watcher = s.watcher;
    }
  }
  if (watcher) watcher();
}

template <int index, class... Args>
struct Call {
  static inline CUresult (*real)(Args...) = nullptr;
  static CUresult call(Args... args) {
    CUresult code = kSuccess;
    if (is_to_fail(index, code)) return code;
    if (state().skipped[index]) return kSuccess;
    tell_watcher(index, false);
    code = real(args...);
    if (code == kSuccess) {
      count(kNames[index], 1);
      count(kNames[index], -1);
    }
    tell_watcher(index, true);
    return code;
  }
};

using GetProcAddress = CUresult (*)(const char*, void**, int, uint64_t, int*);

template <int index, class... Args>
void* wrapped(CUresult (*)(Args...), const char* symbol, int version) {
  using This = Call<index, Args...>;
  static GetProcAddress get = reinterpret_cast<GetProcAddress>(dlsym(state().driver, "cuGetProcAddress_v2"));
  void* found = nullptr;
  if (!get || get(kNames[index], &found, version, 0, nullptr) != kSuccess) found = nullptr;
  if (!found) found = dlsym(state().driver, symbol);
  This::real = reinterpret_cast<CUresult (*)(Args...)>(found);
  return found ? reinterpret_cast<void*>(&This::call) : nullptr;
}

}  // namespace

#define DRILL_API extern "C" __attribute__((visibility("default")))

DRILL_API CUresult cuGetProcAddress_v2(const char* name, void** function, int version, uint64_t, int*) {
  *function = nullptr;
  if (!state().driver) return kNotSupported;
#define DRIVER_FUNCTION(entry, symbol, since, parameters) \
  if (!std::strcmp(name, #entry))                         \
    *function = wrapped<k_##entry>(static_cast<CUresult(*) parameters>(nullptr), symbol, version);
#include "runtime/cuda/driver_api.def"
  return *function ? kSuccess : kNotSupported;
}

// Calls since the last drill_fail.
DRILL_API long drill_calls() { return state().calls; }
// Fails the n-th call from now with `code`; 0: none.
DRILL_API void drill_fail(long n, int code) {
  state().fail_at = 0;
  state().calls = 0;
  state().code = code;
  state().fail_at = n;
}
// The call that was failed last, "" if none was since the last time this was asked.
DRILL_API const char* drill_failed() {
  static thread_local std::string text;
  std::scoped_lock lock(state().mutex);
  text.swap(state().failed);
  state().failed.clear();
  return text.c_str();
}
// The next call of `name` runs `watcher` on its thread before it reaches the driver, or when it has.
DRILL_API void drill_watch(const char* name, void (*watcher)(), bool at_end) {
  std::scoped_lock lock(state().mutex);
  state().watched = name;
  state().watcher = watcher;
  state().watches_end = at_end;
}
// How much of what `ended_by` ends is alive: "cuMemFree": allocations of device memory.
DRILL_API long drill_live(const char* ended_by) {
  std::scoped_lock lock(state().mutex);
  auto found = state().live.find(ended_by);
  return found == state().live.end() ? 0 : found->second;
}
