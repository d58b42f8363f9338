// The devices: opened when first used, one current for each thread, and access between them.
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cuda/buffers.h"
#include "runtime/cuda/copies.h"
#include "runtime/cuda/engine.h"
#include "runtime/cuda/launch_errors.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

// The device that this thread selected, -1 if it did not.
thread_local int selected = kNoSelection;

struct Opened {
  std::mutex mutex;
  std::vector<std::unique_ptr<Device>> devices;  // by ordinal, null where not yet opened
};
Opened& opened() {
  static auto* the_opened = new Opened;
  return *the_opened;
}

int attribute_or_zero(int attribute, CUdevice handle) {
  int value = 0;
  return driver_state().driver.cuDeviceGetAttribute(&value, attribute, handle) == kSuccess ? value : 0;
}

// Else each synchronisation gives all free memory of the pool back, which the next allocation asks for again.
// The other half stays for other processes; who set a number before knows better.
void keep_half_in_pool(const Device& device) {
  constexpr int kReleaseThreshold = 4;
  CUmemoryPool pool = nullptr;
  uint64_t threshold = 0;
  const Driver& driver = driver_state().driver;
  if (driver.cuDeviceGetMemPool(&pool, device.handle) != kSuccess || !driver.cuMemPoolGetAttribute ||
      driver.cuMemPoolGetAttribute(pool, kReleaseThreshold, &threshold) != kSuccess || threshold != 0)
    return;
  threshold = device.memory_bytes / 2;
  if (driver.cuMemPoolSetAttribute) driver.cuMemPoolSetAttribute(pool, kReleaseThreshold, &threshold);
}

std::unique_ptr<Device> open_device(int ordinal) {
  auto d = std::make_unique<Device>();
  d->ordinal = ordinal;
  CUDA_CALL(cuDeviceGet, (&d->handle, ordinal));
  char name[256] = {};
  CUDA_CALL(cuDeviceGetName, (name, sizeof name - 1, d->handle));
  d->name = name;
  int major = 0, minor = 0;
  CUDA_CALL(cuDeviceGetAttribute, (&major, kComputeCapabilityMajor, d->handle));
  CUDA_CALL(cuDeviceGetAttribute, (&minor, kComputeCapabilityMinor, d->handle));
  d->sm = 10 * major + minor;
  CUDA_CALL(cuDeviceGetAttribute, (&d->max_shared_bytes, kMaxSharedPerBlock, d->handle));
  CUDA_CALL(cuDeviceTotalMem, (&d->memory_bytes, d->handle));
  // Older drivers do not know these: then there is no opting in to more shared memory, and there are no
  // pools.
  d->max_shared_bytes = std::max(d->max_shared_bytes, attribute_or_zero(kMaxSharedPerBlockOptIn, d->handle));
  d->has_pools = driver_state().driver.cuMemAllocAsync && attribute_or_zero(kMemoryPoolsSupported, d->handle);
  CUDA_CALL(cuDevicePrimaryCtxRetain, (&d->context, d->handle));
  if (d->has_pools) keep_half_in_pool(*d);
  return d;
}

// What every call needs; throws what is wrong.
void check_usable() {
  const DriverState& s = driver_state();
  if (!s.ready) throw CudaError(s.problem, s.code);
  if (s.is_forked)
    throw CudaError(
        "CUDA was started before this process was forked, and a child cannot use its parent's CUDA\n"
        "  use the \"spawn\" start method of multiprocessing, or start CUDA only in the children",
        kNotInitialized);
  if (std::string lost = lost_context(); !lost.empty())
    throw CudaError(
        "the CUDA context is lost since an earlier error: restart the process\n  the error was: " + lost,
        kLaunchFailed);
}

// Handles are ordinals in every driver there is, but nothing promises it.
int ordinal_of(CUdevice handle) {
  const Driver& driver = driver_state().driver;
  for (int i = 0, count = count_devices(); i < count; ++i) {
    CUdevice other = 0;
    if (driver.cuDeviceGet(&other, i) == kSuccess && other == handle) return i;
  }
  return 0;
}

// The device of the context that is current, as another library may have made it; 0 if there is none.
int device_of_current_context() {
  const Driver& driver = driver_state().driver;
  CUcontext context = nullptr;
  CUdevice handle = 0;
  if (driver.cuCtxGetCurrent(&context) != kSuccess || !context) return 0;
  return driver.cuCtxGetDevice(&handle) == kSuccess ? ordinal_of(handle) : 0;
}

// Access to a device's memory does not include what comes from its pool: that is asked for by itself.
void share_pool(const Device& owner, const Device& user) {
  constexpr int kOnDevice = 1, kReadWrite = 3;
  if (!owner.has_pools) return;
  CUmemoryPool pool = nullptr;
  CUDA_CALL(cuDeviceGetMemPool, (&pool, owner.handle));
  CUmemAccess access{kOnDevice, user.ordinal, kReadWrite};
  CUDA_CALL(cuMemPoolSetAccess, (pool, &access, 1));
}

uint64_t peer_bit(int ordinal) { return ordinal < 64 ? uint64_t{1} << ordinal : 0; }

}  // namespace

bool has_peer_access(const Device& device, int peer) { return (device.peers & peer_bit(peer)) != 0; }

int count_devices() {
  check_usable();
  return driver_state().device_count;
}

const Device& device(int ordinal) {
  int count = count_devices();
  std::scoped_lock lock(opened().mutex);
  auto& devices = opened().devices;
  if (devices.empty()) devices.resize(static_cast<size_t>(count));
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= devices.size())
    throw LaunchError("there is no CUDA device " + std::to_string(ordinal) + ": there are " +
                      std::to_string(devices.size()) + ", counted from 0");
  auto& found = devices[static_cast<size_t>(ordinal)];
  if (!found) found = open_device(ordinal);
  return *found;
}

const Device& device() {
  if (selected >= 0) return device(selected);
  check_usable();
  return device(device_of_current_context());
}

std::optional<int> device_of_memory(CUdeviceptr pointer) {
  const Driver& driver = driver_state().driver;
  unsigned type = 0, managed = 0;
  int ordinal = 0;
  if (driver.cuPointerGetAttribute(&type, kPointerMemoryType, pointer) != kSuccess || type != kDeviceMemory ||
      (driver.cuPointerGetAttribute(&managed, kPointerIsManaged, pointer) == kSuccess && managed) ||
      driver.cuPointerGetAttribute(&ordinal, kPointerDeviceOrdinal, pointer) != kSuccess)
    return std::nullopt;
  return ordinal;
}

const Device& device_of_stream(CUstream stream) {
  constexpr uintptr_t kPerThread = 2;  // the largest of the handles that name default streams
  const Device& current = device();
  if (reinterpret_cast<uintptr_t>(stream) <= kPerThread || count_devices() == 1) return current;
  // Streams of all contexts can be asked about, but some context must be current.
  ContextScope scope(current);
  CUcontext context = nullptr;
  const Driver& driver = driver_state().driver;
  if (!driver.cuStreamGetCtx || driver.cuStreamGetCtx(stream, &context) != kSuccess) return current;
  for (int i = 0, count = count_devices(); i < count; ++i) {
    std::scoped_lock lock(opened().mutex);
    const Device* one = opened().devices[static_cast<size_t>(i)].get();
    if (one && one->context == context) return *one;
  }
  // Of a device that nothing was done on yet.
  CUdevice handle = 0;
  if (driver.cuCtxPushCurrent(context) != kSuccess) return current;
  CUresult code = driver.cuCtxGetDevice(&handle);
  driver.cuCtxPopCurrent(&context);
  return code == kSuccess ? device(ordinal_of(handle)) : current;
}

bool device_alive() {
  const DriverState& s = driver_state();
  return s.ready && !s.is_forked && lost_context().empty();
}

ContextScope::ContextScope(const Device& device) {
  check_usable();
  CUDA_CALL(cuCtxPushCurrent, (device.context));
}

ContextScope::~ContextScope() {
  CUcontext popped = nullptr;
  driver_state().driver.cuCtxPopCurrent(&popped);
}

int current_device() { return device().ordinal; }

DeviceInfo device_info(int ordinal) {
  const Device& d = device(ordinal);
  DeviceInfo info;
  info.ordinal = ordinal;
  info.name = d.name;
  info.sm = d.sm;
  info.memory_bytes = static_cast<int64_t>(d.memory_bytes);
  const Driver& driver = driver_state().driver;
  char text[32] = {};
  if (driver.cuDeviceGetPCIBusId(text, sizeof text - 1, d.handle) == kSuccess) info.pci_bus_id = text;
  if (driver.cuDeviceGetUuid) driver.cuDeviceGetUuid(info.uuid.data(), d.handle);
  return info;
}

int device_attribute(int ordinal, int attribute) {
  int value = 0;
  CUDA_CALL(cuDeviceGetAttribute, (&value, attribute, device(ordinal).handle));
  return value;
}

void select_device(int ordinal) {
  if (ordinal != kNoSelection) device(ordinal);
  selected = ordinal;
}

int selected_device() { return selected; }

MemoryInfo memory_info() {
  ContextScope scope(device());
  size_t free = 0, total = 0;
  CUDA_CALL(cuMemGetInfo, (&free, &total));
  return {static_cast<int64_t>(free), static_cast<int64_t>(total)};
}

bool can_access_peer(int ordinal, int peer) {
  int can = 0;
  CUDA_CALL(cuDeviceCanAccessPeer, (&can, device(ordinal).handle, device(peer).handle));
  return can != 0;
}

void enable_peer_access(int peer) {
  const Device& other = device(peer);
  ContextScope scope(device());
  CUresult code =
      available(driver_state().driver.cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess")(other.context, 0);
  if (code != kPeerAccessAlreadyEnabled) check(code, "cuCtxEnablePeerAccess");
  share_pool(other, device());
  device().peers |= peer_bit(peer);
}

std::vector<const Device*> opened_devices() {
  std::scoped_lock lock(opened().mutex);
  std::vector<const Device*> result;
  for (const auto& one : opened().devices)
    if (one) result.push_back(one.get());
  return result;
}

void finish_users_of(const Device& owner, bool by_all) noexcept {
  for (const Device* one : opened_devices())
    if (one == &owner || by_all || has_peer_access(*one, owner.ordinal))
      cleanup(*one, [] { driver_state().driver.cuCtxSynchronize(); });
}

void release_memory() {
  count_devices();  // throws where nothing can be done
  for (const Device* one : opened_devices()) {
    ContextScope scope(*one);
    CUDA_CALL(cuCtxSynchronize, ());
    free_kept_memory(*one);
  }
  free_staging();
  raise_failures();
}

}  // namespace cuda
}  // namespace lanewise::runtime
