// Memory of a target's device. On the CPU and the interpreter that is host memory, aligned to 64 bytes.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/backend.h"

namespace lanewise::runtime {
namespace {

class HostBuffer : public DeviceBuffer {
 public:
  HostBuffer(Target of, void* memory, int64_t size) {
    target = of;
    data = memory;
    bytes = size;
  }
  void copy_from_host(const void* source, int64_t count, int64_t offset, void*) override {
    check(*this, count, offset);
    if (count > 0) std::memmove(at(*this, offset), source, static_cast<size_t>(count));
  }
  void copy_to_host(void* destination, int64_t count, int64_t offset, void*) const override {
    check(*this, count, offset);
    if (count > 0) std::memmove(destination, at(*this, offset), static_cast<size_t>(count));
  }
  void copy_from_device(const DeviceBuffer& source, int64_t count, int64_t source_offset, int64_t offset,
                        void* stream) override {
    check(source, count, source_offset);
    copy_from_host(at(source, source_offset), count, offset, stream);
  }

 private:
  static char* at(const DeviceBuffer& buffer, int64_t offset) {
    return static_cast<char*>(buffer.data) + offset;
  }
  static void check(const DeviceBuffer& buffer, int64_t count, int64_t offset) {
    LANEWISE_CHECK(buffer.target != Target::Cuda && buffer.contains(offset, count),
                   "a copy reaches beyond its device buffer");
  }
};

// One that frees its memory, or lets go of others'.
class OwnHostBuffer final : public HostBuffer {
 public:
  OwnHostBuffer(Target of, void* memory, int64_t size, std::function<void()> release)
      : HostBuffer(of, memory, size), release_(std::move(release)) {}
  ~OwnHostBuffer() override {
    if (release_) release_();
  }

 private:
  std::function<void()> release_;
};

}  // namespace

void* allocate_host_bytes(int64_t bytes) {
  constexpr int64_t kAlignment = 64;
  // Distinct addresses for empty arrays too.
  auto rounded =
      (static_cast<size_t>(std::max<int64_t>(bytes, 1)) + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = std::aligned_alloc(kAlignment, rounded);
  if (!memory) throw std::bad_alloc();
  return memory;
}

std::shared_ptr<DeviceBuffer> wrap_host(Target target, void* data, int64_t bytes,
                                        std::function<void()> release) {
  return std::make_shared<OwnHostBuffer>(target, data, bytes, std::move(release));
}

std::shared_ptr<DeviceBuffer> allocate(Target target, int64_t bytes, void* stream) {
  if (bytes < 0) throw LaunchError("a device buffer of " + std::to_string(bytes) + " bytes was asked for");
  if (target == Target::Cuda) return allocate_cuda(bytes, stream);
  void* memory = allocate_host_bytes(bytes);
  return wrap_host(target, memory, bytes, [memory] { std::free(memory); });
}

void synchronize(Target target) {
  if (target == Target::Cuda) synchronize_cuda();
}

}  // namespace lanewise::runtime
