// Targets, devices and what the library knows of the machine.
#include "runtime/c_api/api.h"

namespace lanewise::c_api {

runtime::Target to_target(lw_target target) {
  switch (target) {
    case LW_TARGET_DEFAULT: return runtime::default_target();
    case LW_TARGET_CPU: return runtime::Target::Cpu;
    case LW_TARGET_CUDA: return runtime::Target::Cuda;
    case LW_TARGET_INTERPRETER: return runtime::Target::Interpreter;
    default: throw InvalidCall("there is no target " + std::to_string(target));
  }
}

namespace {

lw_target from_target(runtime::Target target) {
  switch (target) {
    case runtime::Target::Cpu: return LW_TARGET_CPU;
    case runtime::Target::Cuda: return LW_TARGET_CUDA;
    case runtime::Target::Interpreter: return LW_TARGET_INTERPRETER;
  }
  return LW_TARGET_DEFAULT;
}

}  // namespace
}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

const char* lw_version(void) {
  static const std::string text = runtime::version();
  return text.c_str();
}

lw_status lw_default_target(lw_target* target) {
  return guarded([&] { require(target, "target") = from_target(runtime::default_target()); });
}

const char* lw_cuda_report(void) { return runtime::cuda_status().report.c_str(); }

int32_t lw_cuda_compute_capability(void) {
  const runtime::CudaStatus& status = runtime::cuda_status();
  return status.usable ? status.sm : 0;
}

int32_t lw_num_threads(void) { return runtime::num_threads(); }

lw_status lw_set_print(lw_print_function print, void* context) {
  return guarded([&] {
    if (!print) return runtime::set_print_sink({});
    runtime::set_print_sink([=](std::string_view text) { print(context, text.data(), text.size()); });
  });
}

lw_status lw_set_num_threads(int32_t count) {
  return guarded([&] { runtime::set_num_threads(count); });
}

lw_status lw_device_count(lw_target target, int32_t* count) {
  return guarded([&] { require(count, "count") = runtime::device_count(to_target(target)); });
}

lw_status lw_get_device_info(lw_target target, int32_t device, lw_device_info* out) {
  return guarded([&] {
    require(out, "out");
    runtime::DeviceInfo info = runtime::device_info(to_target(target), device);
    lw_device_info full{};
    full.struct_size = out->struct_size;
    full.device = info.ordinal;
    full.compute_capability = info.sm;
    full.memory_bytes = info.memory_bytes;
    info.name.copy(full.name, sizeof full.name - 1);
    info.pci_bus_id.copy(full.pci_bus_id, sizeof full.pci_bus_id - 1);
    std::memcpy(full.uuid, info.uuid.data(), sizeof full.uuid);
    std::memcpy(out, &full, std::min(out->struct_size, sizeof full));
  });
}

lw_status lw_device_attribute(lw_target target, int32_t device, int32_t attribute, int32_t* value) {
  return guarded([&] {
    require(value, "value");
    *value = runtime::device_attribute(to_target(target), device, attribute);
  });
}

lw_status lw_current_device(lw_target target, int32_t* device) {
  return guarded([&] { require(device, "device") = runtime::current_device(to_target(target)); });
}

lw_status lw_select_device(lw_target target, int32_t device) {
  return guarded([&] { runtime::select_device(to_target(target), device); });
}

lw_status lw_selected_device(lw_target target, int32_t* device) {
  return guarded([&] { require(device, "device") = runtime::selected_device(to_target(target)); });
}

lw_status lw_can_access_peer(lw_target target, int32_t device, int32_t peer, int32_t* can) {
  return guarded(
      [&] { require(can, "can") = runtime::can_access_peer(to_target(target), device, peer) ? 1 : 0; });
}

lw_status lw_enable_peer_access(lw_target target, int32_t peer) {
  return guarded([&] { runtime::enable_peer_access(to_target(target), peer); });
}

lw_status lw_memory_info(lw_target target, int64_t* free_bytes, int64_t* total_bytes) {
  return guarded([&] {
    require(free_bytes, "free_bytes");
    require(total_bytes, "total_bytes");
    runtime::MemoryInfo info = runtime::memory_info(to_target(target));
    *free_bytes = info.free;
    *total_bytes = info.total;
  });
}

lw_status lw_release_memory(lw_target target) {
  return guarded([&] { runtime::release_memory(to_target(target)); });
}

lw_status lw_synchronize(lw_target target) {
  return guarded([&] { runtime::synchronize(to_target(target)); });
}

lw_status lw_start_profiler(lw_target target) {
  return guarded([&] { runtime::start_profiler(to_target(target)); });
}

lw_status lw_stop_profiler(lw_target target) {
  return guarded([&] { runtime::stop_profiler(to_target(target)); });
}
