// What runtime/device.cpp calls for Target::Cpu and Target::Interpreter; see runtime/device.h.
#pragma once
#include "runtime/device.h"

namespace lanewise::runtime::host {

DeviceInfo device_info();
int device_attribute(int attribute);
MemoryInfo memory_info();
std::shared_ptr<HostMemory> allocate_host_memory(int64_t bytes);
std::shared_ptr<HostMemory> use_host_memory(void* data, int64_t bytes);
std::shared_ptr<Event> make_event(Target target, bool timing);
std::shared_ptr<Stream> make_stream(Target target, void* handle);

}  // namespace lanewise::runtime::host
