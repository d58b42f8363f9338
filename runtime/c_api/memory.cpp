// Memory of devices, and of the host for devices.
#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

void check_bytes(int64_t bytes) {
  if (bytes < 0) throw InvalidCall("memory of " + std::to_string(bytes) + " bytes was asked for");
}

void check_memory(const void* data, int64_t bytes) {
  check_bytes(bytes);
  if (bytes && !data) throw InvalidCall("the memory is NULL");
}

void check_range(const runtime::DeviceBuffer& buffer, int64_t bytes, int64_t offset) {
  if (!buffer.contains(offset, bytes))
    throw InvalidCall("bytes " + std::to_string(offset) + " to " + std::to_string(offset) + " + " +
                      std::to_string(bytes) + " are not inside the buffer of " +
                      std::to_string(buffer.bytes));
}

void check_copy(const runtime::DeviceBuffer& buffer, const void* host, int64_t bytes, int64_t offset) {
  check_range(buffer, bytes, offset);
  if (bytes && !host) throw InvalidCall("the host's memory is NULL");
}

void write(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset, const lw_stream* stream) {
  runtime::DeviceBuffer& target = *require(buffer, "buffer").buffer;
  check_copy(target, source, bytes, offset);
  void* handle = handle_of(stream, target.target);
  if (bytes) target.copy_from_host(source, bytes, offset, handle);
}

void read(const lw_buffer* buffer, void* destination, int64_t bytes, int64_t offset,
          const lw_stream* stream) {
  const runtime::DeviceBuffer& source = *require(buffer, "buffer").buffer;
  check_copy(source, destination, bytes, offset);
  void* handle = handle_of(stream, source.target);
  if (bytes) source.copy_to_host(destination, bytes, offset, handle);
}

void copy(runtime::DeviceBuffer& to, int64_t to_offset, const runtime::DeviceBuffer& from,
          int64_t from_offset, int64_t bytes, const lw_stream* stream) {
  if ((to.target == runtime::Target::Cuda) != (from.target == runtime::Target::Cuda))
    throw InvalidCall("the buffers are of different targets: copy through the host's memory");
  check_range(to, bytes, to_offset);
  check_range(from, bytes, from_offset);
  bool apart = to_offset + bytes <= from_offset || from_offset + bytes <= to_offset;
  if (&to == &from && bytes && !apart) throw InvalidCall("the ranges of a copy overlap");
  void* handle = handle_of(stream, to.target);
  if (bytes) to.copy_from_device(from, bytes, from_offset, to_offset, handle);
}

runtime::HostMemoryOptions to_options(const lw_host_memory_options* options) {
  lw_host_memory_options full = full_struct(options);
  runtime::HostMemoryOptions out;
  switch (full.kind) {
    case LW_PINNED: out.kind = runtime::HostMemoryKind::Pinned; break;
    case LW_MAPPED: out.kind = runtime::HostMemoryKind::Mapped; break;
    case LW_MANAGED: out.kind = runtime::HostMemoryKind::Managed; break;
    default: throw InvalidCall("there is no kind of host memory " + std::to_string(full.kind));
  }
  out.portable = full.portable != 0;
  out.write_combined = full.write_combined != 0;
  out.attach_global = full.attach_host == 0;
  return out;
}

}  // namespace
}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

lw_status lw_buffer_create(lw_target target, int64_t bytes, lw_buffer** buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    check_bytes(bytes);
    *buffer = new lw_buffer{runtime::allocate(to_target(target), bytes)};
  });
}

lw_status lw_buffer_create_async(lw_stream* stream, int64_t bytes, lw_buffer** buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    check_bytes(bytes);
    const runtime::Stream& ordered_on = *require(stream, "stream").stream;
    *buffer = new lw_buffer{runtime::allocate(ordered_on.target, bytes, ordered_on.handle)};
  });
}

lw_status lw_buffer_wrap(lw_target target, void* data, int64_t bytes, lw_callback release, void* context,
                         lw_buffer** buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    check_memory(data, bytes);
    std::function<void()> call;
    if (release) call = [=] { release(context); };
    auto made = std::make_unique<lw_buffer>();  // first: nothing may fail once `release` is the buffer's
    made->buffer = runtime::wrap_memory(to_target(target), data, bytes, std::move(call));
    *buffer = made.release();
  });
}

void lw_buffer_release(lw_buffer* buffer) { delete buffer; }
void* lw_buffer_data(const lw_buffer* buffer) { return buffer ? buffer->buffer->data : nullptr; }
int64_t lw_buffer_size(const lw_buffer* buffer) { return buffer ? buffer->buffer->bytes : 0; }
int32_t lw_buffer_device(const lw_buffer* buffer) { return buffer ? buffer->buffer->device : 0; }

lw_status lw_buffer_write(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset) {
  return guarded([&] { write(buffer, source, bytes, offset, nullptr); });
}

lw_status lw_buffer_read(const lw_buffer* buffer, void* destination, int64_t bytes, int64_t offset) {
  return guarded([&] { read(buffer, destination, bytes, offset, nullptr); });
}

lw_status lw_buffer_write_async(lw_buffer* buffer, const void* source, int64_t bytes, int64_t offset,
                                lw_stream* stream) {
  return guarded([&] { write(buffer, source, bytes, offset, stream); });
}

lw_status lw_buffer_read_async(const lw_buffer* buffer, void* destination, int64_t bytes, int64_t offset,
                               lw_stream* stream) {
  return guarded([&] { read(buffer, destination, bytes, offset, stream); });
}

lw_status lw_buffer_copy(lw_buffer* destination, int64_t destination_offset, const lw_buffer* source,
                         int64_t source_offset, int64_t bytes, lw_stream* stream) {
  return guarded([&] {
    copy(*require(destination, "destination").buffer, destination_offset, *require(source, "source").buffer,
         source_offset, bytes, stream);
  });
}

lw_status lw_buffer_ipc_handle(const lw_buffer* buffer, lw_ipc_handle* handle) {
  return guarded([&] {
    require(handle, "handle");
    runtime::IpcHandle bytes = runtime::ipc_handle(*require(buffer, "buffer").buffer);
    std::memcpy(handle->bytes, bytes.data(), bytes.size());
  });
}

lw_status lw_buffer_open_ipc(const lw_ipc_handle* handle, int64_t bytes, lw_buffer** buffer) {
  return guarded([&] {
    require(buffer, "buffer");
    check_bytes(bytes);
    runtime::IpcHandle opened;
    std::memcpy(opened.data(), require(handle, "handle").bytes, opened.size());
    *buffer = new lw_buffer{runtime::open_ipc_handle(opened, bytes)};
  });
}

lw_status lw_host_memory_create(lw_target target, int64_t bytes, const lw_host_memory_options* options,
                                lw_host_memory** memory) {
  return guarded([&] {
    require(memory, "memory");
    check_bytes(bytes);
    *memory =
        new lw_host_memory{runtime::allocate_host_memory(to_target(target), bytes, to_options(options))};
  });
}

lw_status lw_host_memory_register(lw_target target, void* data, int64_t bytes,
                                  const lw_host_memory_options* options, lw_host_memory** memory) {
  return guarded([&] {
    require(memory, "memory");
    check_memory(data, bytes);
    runtime::HostMemoryOptions wanted = to_options(options);
    if (wanted.kind == runtime::HostMemoryKind::Managed)
      throw InvalidCall("memory of the caller's can be pinned or mapped, not managed");
    *memory = new lw_host_memory{runtime::register_host_memory(to_target(target), data, bytes, wanted)};
  });
}

void lw_host_memory_release(lw_host_memory* memory) { delete memory; }
void* lw_host_memory_data(const lw_host_memory* memory) { return memory ? memory->memory->data : nullptr; }
int64_t lw_host_memory_size(const lw_host_memory* memory) { return memory ? memory->memory->bytes : 0; }
