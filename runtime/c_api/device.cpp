// Targets, device memory and what the library knows of the machine.
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

void check_range(const runtime::DeviceBuffer& buffer, const void* host, int64_t bytes, int64_t offset) {
  if (!buffer.contains(offset, bytes))
    throw InvalidCall("bytes " + std::to_string(offset) + " to " + std::to_string(offset) + " + " +
                      std::to_string(bytes) + " are not inside the buffer of " +
                      std::to_string(buffer.bytes));
  if (bytes && !host) throw InvalidCall("the host's memory is NULL");
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

lw_status lw_buffer_create(lw_target target, int64_t bytes, lw_buffer** buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    if (bytes < 0) throw InvalidCall("a buffer of " + std::to_string(bytes) + " bytes");
    *buffer = new lw_buffer{runtime::allocate(to_target(target), bytes)};
  });
}

void lw_buffer_release(lw_buffer* buffer) { delete buffer; }
void* lw_buffer_data(const lw_buffer* buffer) { return buffer ? buffer->buffer->data : nullptr; }
int64_t lw_buffer_size(const lw_buffer* buffer) { return buffer ? buffer->buffer->bytes : 0; }

lw_status lw_buffer_write(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset) {
  return guarded([&] {
    runtime::DeviceBuffer& target = *require(buffer, "buffer").buffer;
    check_range(target, source, bytes, offset);
    if (bytes) target.copy_from_host(source, bytes, offset);
  });
}

lw_status lw_buffer_read(const lw_buffer* buffer, void* destination, int64_t bytes, int64_t offset) {
  return guarded([&] {
    const runtime::DeviceBuffer& source = *require(buffer, "buffer").buffer;
    check_range(source, destination, bytes, offset);
    if (bytes) source.copy_to_host(destination, bytes, offset);
  });
}

lw_status lw_synchronize(lw_target target) {
  return guarded([&] { runtime::synchronize(to_target(target)); });
}
