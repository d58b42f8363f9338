#include "runtime/cuda/host_memory.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "runtime/cuda/engine.h"

namespace lanewise::runtime::cuda {
namespace {

enum HostFlag : unsigned { kPortable = 1, kMapped = 2, kWriteCombined = 4 };
enum ManagedFlag : unsigned { kAttachGlobal = 1, kAttachHost = 2 };

// Ranges that kernels use in place, by their low end. Launches look here for each host array.
struct InPlace {
  struct Range {
    const char* high;
    CUdeviceptr device;
  };
  std::shared_mutex mutex;
  std::map<const char*, Range> ranges;
  std::atomic<bool> any = false;
};
InPlace& in_place() {
  static auto* the_ranges = new InPlace;
  return *the_ranges;
}

class CudaHostMemory : public HostMemory {
 public:
  CudaHostMemory(const Device& device, void* pointer, int64_t size) : device_(device) {
    data = pointer;
    bytes = size;
  }
  void use_in_place(CUdeviceptr address) {
    std::unique_lock lock(in_place().mutex);
    const auto* low = static_cast<const char*>(data);
    in_place().ranges[low] = {low + bytes, address};
    in_place().any = true;
    is_in_place_ = true;
  }

 protected:
  // Copies and kernels may still use the memory.
  template <class Action>
  void free_with(Action action) noexcept {
    forget();
    finish_users_of(device_, /*by_all=*/true);
    cleanup(device_, [&] { action(driver_state().driver); });
  }

 private:
  void forget() {
    if (!is_in_place_) return;
    std::unique_lock lock(in_place().mutex);
    in_place().ranges.erase(static_cast<const char*>(data));
    in_place().any = !in_place().ranges.empty();
  }

  const Device& device_;
  bool is_in_place_ = false;
};

class PinnedMemory final : public CudaHostMemory {
 public:
  using CudaHostMemory::CudaHostMemory;
  ~PinnedMemory() override {
    free_with([&](const Driver& driver) { driver.cuMemFreeHost(data); });
  }
};
class ManagedMemory final : public CudaHostMemory {
 public:
  using CudaHostMemory::CudaHostMemory;
  ~ManagedMemory() override {
    free_with([&](const Driver& driver) { driver.cuMemFree(reinterpret_cast<CUdeviceptr>(data)); });
  }
};
class RegisteredMemory final : public CudaHostMemory {
 public:
  using CudaHostMemory::CudaHostMemory;
  ~RegisteredMemory() override {
    free_with([&](const Driver& driver) { driver.cuMemHostUnregister(data); });
  }
};

unsigned host_flags(const HostMemoryOptions& options) {
  unsigned flags = 0;
  if (options.portable) flags |= kPortable;
  if (options.kind == HostMemoryKind::Mapped) flags |= kMapped;
  if (options.write_combined) flags |= kWriteCombined;
  return flags;
}

// Of memory that is already owned, so that it is freed if this fails.
void map(CudaHostMemory& memory) {
  CUdeviceptr address = 0;
  CUDA_CALL(cuMemHostGetDevicePointer, (&address, memory.data, 0));
  memory.use_in_place(address);
}

std::shared_ptr<HostMemory> allocate_managed(const Device& device, int64_t bytes, size_t size,
                                             bool attach_global) {
  CUdeviceptr pointer = 0;
  CUDA_CALL(cuMemAllocManaged, (&pointer, size, attach_global ? kAttachGlobal : kAttachHost));
  auto memory = std::make_shared<ManagedMemory>(device, reinterpret_cast<void*>(pointer), bytes);
  memory->use_in_place(pointer);
  return memory;
}

}  // namespace

std::optional<CUdeviceptr> device_address(const char* low, const char* high) {
  InPlace& known = in_place();
  if (!known.any) return std::nullopt;
  std::shared_lock lock(known.mutex);
  auto after = known.ranges.upper_bound(low);
  if (after == known.ranges.begin()) return std::nullopt;
  auto [begin, range] = *std::prev(after);
  if (high > range.high) return std::nullopt;
  return range.device + static_cast<uint64_t>(low - begin);
}

std::shared_ptr<HostMemory> allocate_host_memory(int64_t bytes, const HostMemoryOptions& options) {
  const Device& d = device();
  ContextScope scope(d);
  auto size = static_cast<size_t>(std::max<int64_t>(bytes, 1));
  if (options.kind == HostMemoryKind::Managed) return allocate_managed(d, bytes, size, options.attach_global);
  void* pointer = nullptr;
  CUDA_CALL(cuMemHostAlloc, (&pointer, size, host_flags(options)));
  auto memory = std::make_shared<PinnedMemory>(d, pointer, bytes);
  if (options.kind == HostMemoryKind::Mapped) map(*memory);
  return memory;
}

std::shared_ptr<HostMemory> register_host_memory(void* data, int64_t bytes,
                                                 const HostMemoryOptions& options) {
  const Device& d = device();
  ContextScope scope(d);
  // The bit of write-combined memory means something else there; what is there has its kind already.
  HostMemoryOptions plain = options;
  plain.write_combined = false;
  CUDA_CALL(cuMemHostRegister, (data, static_cast<size_t>(bytes), host_flags(plain)));
  auto memory = std::make_shared<RegisteredMemory>(d, data, bytes);
  if (options.kind == HostMemoryKind::Mapped) map(*memory);
  return memory;
}

}  // namespace lanewise::runtime::cuda
