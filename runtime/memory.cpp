// Memory of a target's device. On the CPU and the interpreter that is host memory, aligned to 64 bytes.
#include <cstdlib>
#include <cstring>
#include <new>

#include "runtime/backend.h"

namespace lanewise::runtime {
namespace {

class HostBuffer : public DeviceBuffer {
 public:
  HostBuffer(Target of, int64_t size) {
    target = of;
    bytes = size;
    auto rounded = (static_cast<size_t>(size) + 63) / 64 * 64;
    data = std::aligned_alloc(64, rounded == 0 ? 64 : rounded);
    if (!data) throw std::bad_alloc();
  }
  ~HostBuffer() override { std::free(data); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  void copy_from_host(const void* source, int64_t count, int64_t offset) override {
    check(count, offset);
    if (count > 0) std::memcpy(static_cast<char*>(data) + offset, source, static_cast<size_t>(count));
  }
  void copy_to_host(void* destination, int64_t count, int64_t offset) const override {
    check(count, offset);
    if (count > 0)
      std::memcpy(destination, static_cast<const char*>(data) + offset, static_cast<size_t>(count));
  }

 private:
  void check(int64_t count, int64_t offset) const {
    LANEWISE_CHECK(contains(offset, count), "a copy reaches beyond its device buffer");
  }
};

}  // namespace

std::shared_ptr<DeviceBuffer> allocate_host(Target target, int64_t bytes) {
  return std::make_shared<HostBuffer>(target, bytes);
}

std::shared_ptr<DeviceBuffer> allocate(Target target, int64_t bytes) {
  if (bytes < 0) throw LaunchError("a device buffer of " + std::to_string(bytes) + " bytes was asked for");
  return target == Target::Cuda ? allocate_cuda(bytes) : allocate_host(target, bytes);
}

void synchronize(Target target) {
  if (target == Target::Cuda) synchronize_cuda();
}

}  // namespace lanewise::runtime
