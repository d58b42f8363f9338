// Device memory that callers own, its copies, and waiting for the device.
#include <algorithm>

#include "runtime/backend.h"
#include "runtime/cuda/buffers.h"
#include "runtime/cuda/launch_errors.h"

namespace lanewise::runtime {
namespace cuda {
namespace {

class CudaBuffer final : public DeviceBuffer {
 public:
  explicit CudaBuffer(int64_t size) {
    ContextScope scope;
    // Distinct addresses for empty buffers too.
    pointer_ = allocate_memory(static_cast<size_t>(std::max<int64_t>(size, 1)));
    data = reinterpret_cast<void*>(pointer_);
    bytes = size;
    target = Target::Cuda;
  }
  ~CudaBuffer() override {
    // Freed at once, never cached: a kernel on another stream may still use it, and cuMemFree waits for it.
    if (!device_alive()) return;
    try {
      ContextScope scope;
      driver_state().driver.cuMemFree(pointer_);
    } catch (const CudaError&) {
      // The process is ending or the context is lost: the memory goes with it.
    }
  }
  void copy_from_host(const void* source, int64_t count, int64_t offset) override {
    check_range(count, offset);
    if (count == 0) return;
    ContextScope scope;
    CUDA_CALL(cuMemcpyHtoD, (pointer_ + static_cast<uint64_t>(offset), source, static_cast<size_t>(count)));
    raise_failures();
  }
  void copy_to_host(void* destination, int64_t count, int64_t offset) const override {
    check_range(count, offset);
    if (count == 0) return;
    ContextScope scope;
    CUDA_CALL(cuMemcpyDtoH,
              (destination, pointer_ + static_cast<uint64_t>(offset), static_cast<size_t>(count)));
    raise_failures();
  }

 private:
  void check_range(int64_t count, int64_t offset) const {
    LANEWISE_CHECK(contains(offset, count), "a copy reaches beyond its device buffer");
  }

  CUdeviceptr pointer_ = 0;
};

}  // namespace
}  // namespace cuda

std::shared_ptr<DeviceBuffer> allocate_cuda(int64_t bytes) {
  if (bytes < 0) throw LaunchError("a device array cannot have " + std::to_string(bytes) + " bytes");
  return std::make_shared<cuda::CudaBuffer>(bytes);
}

void synchronize_cuda() {
  cuda::ContextScope scope;
  CUDA_CALL(cuCtxSynchronize, ());
  cuda::raise_failures();
}

}  // namespace lanewise::runtime
