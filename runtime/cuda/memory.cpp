// Device memory that callers own, its copies, and waiting for the device.
#include <algorithm>
#include <map>
#include <mutex>

#include "runtime/backend.h"
#include "runtime/cuda/buffers.h"
#include "runtime/cuda/copies.h"
#include "runtime/cuda/engine.h"
#include "runtime/cuda/graph.h"
#include "runtime/cuda/launch_errors.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

class CudaBuffer : public DeviceBuffer {
 public:
  CudaBuffer(const Device& of, CUdeviceptr pointer, int64_t size) : device_(of), pointer_(pointer) {
    data = reinterpret_cast<void*>(pointer_);
    bytes = size;
    target = Target::Cuda;
    device = device_.ordinal;
  }
  // Without a stream the copies are done when the calls return, and come after all work of the default
  // stream.
  void copy_from_host(const void* source, int64_t count, int64_t offset, void* stream) override {
    check_range(count, offset);
    if (count == 0) return;
    ContextScope scope(device_);
    keep_if_captured(at(offset), stream);
    copy_in(device_, at(offset), source, static_cast<size_t>(count), static_cast<CUstream>(stream));
    if (!stream) wait_for_default_stream();
  }
  void copy_to_host(void* destination, int64_t count, int64_t offset, void* stream) const override {
    check_range(count, offset);
    if (count == 0) return;
    ContextScope scope(device_);
    keep_if_captured(at(offset), stream);
    copy_out(device_, destination, at(offset), static_cast<size_t>(count), static_cast<CUstream>(stream));
    if (!stream) wait_for_default_stream();
  }
  void copy_from_device(const DeviceBuffer& source, int64_t count, int64_t source_offset, int64_t offset,
                        void* stream) override {
    check_range(count, offset);
    LANEWISE_CHECK(source.target == Target::Cuda && source.contains(source_offset, count),
                   "a copy reaches beyond its device buffer");
    if (count == 0) return;
    const auto& from = static_cast<const CudaBuffer&>(source);
    ContextScope scope(device_);
    auto size = static_cast<size_t>(count);
    auto queue = static_cast<CUstream>(stream);
    keep_if_captured(at(offset), stream);
    keep_if_captured(from.at(source_offset), stream);
    if (&from.device_ == &device_) {
      CUDA_CALL(cuMemcpyDtoDAsync, (at(offset), from.at(source_offset), size, queue));
    } else {
      // The stream orders it with work of its own device only.
      if (!stream) from.finish_default_stream();
      CUDA_CALL(cuMemcpyPeerAsync,
                (at(offset), device_.context, from.at(source_offset), from.device_.context, size, queue));
    }
    if (!stream) wait_for_default_stream();
  }
  void finish_default_stream() const {
    ContextScope scope(device_);
    wait_for_default_stream();
  }
  CUdeviceptr pointer() const { return pointer_; }
  const Device& on() const { return device_; }

 protected:
  const Device& device_;

 private:
  static void keep_if_captured(CUdeviceptr address, void* stream) {
    if (stream && keeps_for_graph(static_cast<CUstream>(stream))) keep_memory_for_graph(address);
  }
  static void wait_for_default_stream() {
    CUDA_CALL(cuStreamSynchronize, (nullptr));
    raise_failures();
  }
  CUdeviceptr at(int64_t offset) const { return pointer_ + static_cast<uint64_t>(offset); }
  void check_range(int64_t count, int64_t offset) const {
    LANEWISE_CHECK(contains(offset, count), "a copy reaches beyond its device buffer");
  }

  CUdeviceptr pointer_;
};

class OwnBuffer;
// By address, for keep_memory_for_graph().
struct OwnBuffers {
  std::mutex mutex;
  std::map<CUdeviceptr, std::weak_ptr<const OwnBuffer>> all;
};
OwnBuffers& own_buffers() {
  static auto* the_buffers = new OwnBuffers;
  return *the_buffers;
}

class OwnBuffer final : public CudaBuffer {
 public:
  using CudaBuffer::CudaBuffer;
  static std::shared_ptr<OwnBuffer> make(const Device& device, CUdeviceptr pointer, int64_t bytes) {
    auto buffer = std::make_shared<OwnBuffer>(device, pointer, bytes);
    std::scoped_lock lock(own_buffers().mutex);
    own_buffers().all[pointer] = buffer;
    return buffer;
  }
  ~OwnBuffer() override {
    {
      std::scoped_lock lock(own_buffers().mutex);
      own_buffers().all.erase(pointer());
    }
    cleanup(device_, [&] { free_memory(device_, {pointer(), static_cast<size_t>(bytes)}); });
  }
};

// Memory of others.
class WrappedBuffer final : public CudaBuffer {
 public:
  WrappedBuffer(const Device& of, CUdeviceptr pointer, int64_t size, std::function<void()> release)
      : CudaBuffer(of, pointer, size), release_(std::move(release)) {}
  ~WrappedBuffer() override {
    if (release_) release_();
  }

 private:
  std::function<void()> release_;
};

class IpcBuffer final : public CudaBuffer {
 public:
  using CudaBuffer::CudaBuffer;
  ~IpcBuffer() override {
    cleanup(device_, [&] { driver_state().driver.cuIpcCloseMemHandle(pointer()); });
  }
};

}  // namespace

void keep_memory_for_graph(CUdeviceptr address) {
  std::shared_ptr<const OwnBuffer> found;
  {
    std::scoped_lock lock(own_buffers().mutex);
    auto after = own_buffers().all.upper_bound(address);
    if (after != own_buffers().all.begin()) found = std::prev(after)->second.lock();
  }
  if (found && address < found->pointer() + static_cast<uint64_t>(std::max<int64_t>(found->bytes, 1)))
    keep_for_graph(std::move(found));
}

std::shared_ptr<DeviceBuffer> wrap_memory(void* data, int64_t bytes, std::function<void()> release) {
  const Device& current = device();
  auto pointer = reinterpret_cast<CUdeviceptr>(data);
  std::optional<int> owner;
  {
    ContextScope scope(current);
    owner = device_of_memory(pointer);
  }
  return std::make_shared<WrappedBuffer>(owner ? device(*owner) : current, pointer, bytes,
                                         std::move(release));
}

IpcHandle ipc_handle(const DeviceBuffer& buffer, int64_t& offset) {
  const auto& memory = static_cast<const CudaBuffer&>(buffer);
  ContextScope scope(memory.on());
  CUipcMemHandle handle{};
  CUdeviceptr begin = 0;
  size_t size = 0;
  CUDA_CALL(cuMemGetAddressRange, (&begin, &size, memory.pointer()));
  offset = static_cast<int64_t>(memory.pointer() - begin);
  CUresult code = driver_state().driver.cuIpcGetMemHandle(&handle, begin);
  if (code == kInvalidValue)
    fail(code, "cuIpcGetMemHandle", {},
         "memory of a pool cannot be handed to another process: allocate it without a stream");
  check(code, "cuIpcGetMemHandle");
  IpcHandle bytes;
  std::copy(std::begin(handle.reserved), std::end(handle.reserved), bytes.begin());
  return bytes;
}

std::shared_ptr<DeviceBuffer> open_ipc_handle(const IpcHandle& bytes, int64_t count) {
  constexpr unsigned kLazyPeerAccess = 1;
  const Device& d = device();
  ContextScope scope(d);
  CUipcMemHandle handle{};
  std::copy(bytes.begin(), bytes.end(), handle.reserved);
  CUdeviceptr pointer = 0;
  CUDA_CALL(cuIpcOpenMemHandle, (&pointer, handle, kLazyPeerAccess));
  return std::make_shared<IpcBuffer>(d, pointer, count);
}

}  // namespace cuda

std::shared_ptr<DeviceBuffer> allocate_cuda(int64_t bytes, void* stream) {
  auto queue = static_cast<cuda::CUstream>(stream);
  const cuda::Device& device = cuda::device_of_stream(queue);
  cuda::ContextScope scope(device);
  if (queue && cuda::is_capturing(queue))
    throw LaunchError("memory cannot be allocated on a stream that is being captured: allocate it before");
  // Distinct addresses for empty buffers too.
  auto size = static_cast<size_t>(std::max<int64_t>(bytes, 1));
  cuda::CUdeviceptr pointer = cuda::allocate_memory(device, size, queue);
  return cuda::OwnBuffer::make(device, pointer, bytes);
}

void synchronize_cuda() {
  cuda::ContextScope scope(cuda::device());
  CUDA_CALL(cuCtxSynchronize, ());
  cuda::raise_failures();
}

}  // namespace lanewise::runtime
