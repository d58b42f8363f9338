// runtime/device.h: each call goes to the driver or to this machine.
#include "runtime/device.h"

#include "runtime/backend.h"
#include "runtime/cuda/engine.h"
#include "runtime/host_device.h"

namespace lanewise::runtime {
namespace {

bool is_cuda(Target target) { return target == Target::Cuda; }

void check_host_ordinal(int ordinal) {
  if (ordinal != 0)
    throw LaunchError("there is no device " + std::to_string(ordinal) + ": the CPU is one device, number 0");
}

void check_bytes(int64_t bytes) {
  if (bytes < 0) throw LaunchError("memory of " + std::to_string(bytes) + " bytes was asked for");
}

[[noreturn]] void refuse_ipc() {
  throw LaunchError(
      "memory can be handed to another process on CUDA only: on the CPU use shared memory of the system");
}

}  // namespace

int device_count(Target target) { return is_cuda(target) ? cuda::count_devices() : 1; }

DeviceInfo device_info(Target target, int ordinal) {
  if (is_cuda(target)) return cuda::device_info(ordinal);
  check_host_ordinal(ordinal);
  return host::device_info();
}

int device_attribute(Target target, int ordinal, int attribute) {
  if (is_cuda(target)) return cuda::device_attribute(ordinal, attribute);
  check_host_ordinal(ordinal);
  return host::device_attribute(attribute);
}

int current_device(Target target) { return is_cuda(target) ? cuda::current_device() : 0; }

void select_device(Target target, int ordinal) {
  if (is_cuda(target)) return cuda::select_device(ordinal);
  if (ordinal != kNoSelection) check_host_ordinal(ordinal);
}

int selected_device(Target target) { return is_cuda(target) ? cuda::selected_device() : kNoSelection; }

bool can_access_peer(Target target, int ordinal, int peer) {
  if (is_cuda(target)) return cuda::can_access_peer(ordinal, peer);
  check_host_ordinal(ordinal);
  check_host_ordinal(peer);
  return false;
}

void enable_peer_access(Target target, int peer) {
  if (is_cuda(target)) return cuda::enable_peer_access(peer);
  throw LaunchError("the CPU is one device and has no peers");
}

MemoryInfo memory_info(Target target) { return is_cuda(target) ? cuda::memory_info() : host::memory_info(); }

void release_memory(Target target) {
  if (is_cuda(target)) cuda::release_memory();
}

std::shared_ptr<DeviceBuffer> wrap_memory(Target target, void* data, int64_t bytes,
                                          std::function<void()> release) {
  check_bytes(bytes);
  return is_cuda(target) ? cuda::wrap_memory(data, bytes, std::move(release))
                         : wrap_host(target, data, bytes, std::move(release));
}

IpcHandle ipc_handle(const DeviceBuffer& buffer, int64_t* offset) {
  if (!is_cuda(buffer.target)) refuse_ipc();
  int64_t begin = 0;
  IpcHandle handle = cuda::ipc_handle(buffer, begin);
  if (!offset && begin != 0)
    throw LaunchError("the memory lies inside a larger allocation, " + std::to_string(begin) +
                      " bytes from its begin: make the handle of the whole one");
  if (offset) *offset = begin;
  return handle;
}

std::shared_ptr<DeviceBuffer> open_ipc_handle(const IpcHandle& handle, int64_t bytes) {
  check_bytes(bytes);
  return cuda::open_ipc_handle(handle, bytes);
}

std::shared_ptr<HostMemory> allocate_host_memory(Target target, int64_t bytes,
                                                 const HostMemoryOptions& options) {
  check_bytes(bytes);
  return is_cuda(target) ? cuda::allocate_host_memory(bytes, options) : host::allocate_host_memory(bytes);
}

std::shared_ptr<HostMemory> register_host_memory(Target target, void* data, int64_t bytes,
                                                 const HostMemoryOptions& options) {
  check_bytes(bytes);
  bool needed = is_cuda(target) && bytes > 0;
  return needed ? cuda::register_host_memory(data, bytes, options) : host::use_host_memory(data, bytes);
}

std::shared_ptr<Event> make_event(Target target, bool timing) {
  return is_cuda(target) ? cuda::make_event(timing) : host::make_event(target, timing);
}

std::shared_ptr<Stream> make_stream(Target target, const StreamOptions& options) {
  return is_cuda(target) ? cuda::make_stream(options) : host::make_stream(target, nullptr);
}

std::shared_ptr<Stream> existing_stream(Target target, void* handle) {
  return is_cuda(target) ? cuda::existing_stream(handle) : host::make_stream(target, handle);
}

PriorityRange priority_range(Target target) {
  return is_cuda(target) ? cuda::priority_range() : PriorityRange{};
}

void start_profiler(Target target) {
  if (is_cuda(target)) cuda::start_profiler();
}

void stop_profiler(Target target) {
  if (is_cuda(target)) cuda::stop_profiler();
}

}  // namespace lanewise::runtime
