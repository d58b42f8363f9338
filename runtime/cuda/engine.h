// What runtime/device.cpp and memory.cpp call for Target::Cuda; see runtime/device.h.
#pragma once
#include "runtime/device.h"

namespace lanewise::runtime::cuda {

// --- devices.cpp; ordinals and all else as in runtime/device.h
int count_devices();
DeviceInfo device_info(int ordinal);
int device_attribute(int ordinal, int attribute);
int current_device();
void select_device(int ordinal);
int selected_device();
MemoryInfo memory_info();
bool can_access_peer(int ordinal, int peer);
void enable_peer_access(int peer);
void release_memory();

// --- memory.cpp, host_memory.cpp
std::shared_ptr<DeviceBuffer> wrap_memory(void* data, int64_t bytes, std::function<void()> release);
IpcHandle ipc_handle(const DeviceBuffer& buffer, int64_t& offset);
std::shared_ptr<DeviceBuffer> open_ipc_handle(const IpcHandle& handle, int64_t bytes);
std::shared_ptr<HostMemory> allocate_host_memory(int64_t bytes, const HostMemoryOptions& options);
std::shared_ptr<HostMemory> register_host_memory(void* data, int64_t bytes, const HostMemoryOptions& options);

// --- streams.cpp, graphs.cpp
std::shared_ptr<Event> make_event(bool timing);
std::shared_ptr<Stream> make_stream(const StreamOptions& options);
std::shared_ptr<Stream> existing_stream(void* handle);
PriorityRange priority_range();
void start_profiler();
void stop_profiler();

}  // namespace lanewise::runtime::cuda
