#include "runtime/cuda/copies.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cuda/graph.h"

namespace lanewise::runtime::cuda {
namespace {

// From here on it pays to go through pinned memory; halves so large that a copy outweighs its start.
constexpr size_t kLarge = size_t{4} << 20, kHalf = size_t{2} << 20;
constexpr unsigned kPortable = 1, kNoTiming = 2;

// Two pinned halves, each with the event after which it is free again.
class Staging {
 public:
  explicit Staging(const Device& device) : device_(device) {
    void* memory = nullptr;
    CUDA_CALL(cuMemHostAlloc, (&memory, 2 * kHalf, kPortable));
    memory_ = static_cast<char*>(memory);
    try {
      for (CUevent& event : events_) CUDA_CALL(cuEventCreate, (&event, kNoTiming));
    } catch (...) {
      free();  // the destructor does not run for what was not constructed
      throw;
    }
  }
  ~Staging() { free(); }
  void free() {
    cleanup(device_, [&] {
      const Driver& driver = driver_state().driver;
      for (CUevent event : events_) {
        if (!event) continue;
        driver.cuEventSynchronize(event);
        driver.cuEventDestroy(event);
      }
      if (memory_) driver.cuMemFreeHost(memory_);
    });
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  char* half(size_t which) const { return memory_ + which * kHalf; }
  void wait(size_t which) { CUDA_CALL(cuEventSynchronize, (events_[which])); }
  void mark(size_t which, CUstream stream) { CUDA_CALL(cuEventRecord, (events_[which], stream)); }

 private:
  const Device& device_;
  char* memory_ = nullptr;
  std::array<CUevent, 2> events_{};
};

struct Spare {
  std::mutex mutex;
  std::map<const Device*, std::vector<std::unique_ptr<Staging>>> devices;
};
Spare& spare() {
  static auto* the_spare = new Spare;
  return *the_spare;
}

// A Staging for one copy; null if there is no pinned memory left, which only makes copies slower.
class Borrowed {
 public:
  explicit Borrowed(const Device& device) : device_(device) {
    {
      std::scoped_lock lock(spare().mutex);
      auto& list = spare().devices[&device];
      if (!list.empty()) {
        staging_ = std::move(list.back());
        list.pop_back();
        return;
      }
    }
    try {
      staging_ = std::make_unique<Staging>(device);
    } catch (const CudaError& error) {
      if (error.code != kOutOfMemory) throw;
    }
  }
  ~Borrowed() {
    if (!staging_) return;
    std::scoped_lock lock(spare().mutex);
    auto& list = spare().devices[&device_];
    if (list.size() < 4) list.push_back(std::move(staging_));
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Staging* operator->() const { return staging_.get(); }
  explicit operator bool() const { return staging_ != nullptr; }

 private:
  const Device& device_;
  std::unique_ptr<Staging> staging_;
};

// A graph would copy from the pinned half again, whatever is in it by then.
bool wants_staging(const void* host, size_t bytes, CUstream stream) {
  return bytes >= kLarge && !is_pinned(host) && !is_capturing(stream);
}

}  // namespace

bool is_pinned(const void* data) {
  unsigned type = 0;
  return driver_state().driver.cuPointerGetAttribute(&type, kPointerMemoryType,
                                                     reinterpret_cast<CUdeviceptr>(data)) == kSuccess &&
         type == kHostMemory;
}

void copy_in(const Device& device, CUdeviceptr destination, const void* source, size_t bytes, CUstream stream,
             std::string_view kernel) {
  if (wants_staging(source, bytes, stream)) {
    if (Borrowed staging(device); staging) {
      size_t which = 0;
      for (size_t at = 0; at < bytes; at += kHalf, which = 1 - which) {
        size_t count = std::min(kHalf, bytes - at);
        staging->wait(which);
        std::memcpy(staging->half(which), static_cast<const char*>(source) + at, count);
        CUDA_CALL_FOR(kernel, cuMemcpyHtoDAsync, (destination + at, staging->half(which), count, stream));
        staging->mark(which, stream);
      }
      return;
    }
  }
  CUDA_CALL_FOR(kernel, cuMemcpyHtoDAsync, (destination, source, bytes, stream));
}

void copy_out(const Device& device, void* destination, CUdeviceptr source, size_t bytes, CUstream stream,
              std::string_view kernel) {
  if (wants_staging(destination, bytes, stream)) {
    if (Borrowed staging(device); staging) {
      auto fetch = [&](size_t at) {
        size_t which = at / kHalf % 2, count = std::min(kHalf, bytes - at);
        staging->wait(which);
        CUDA_CALL_FOR(kernel, cuMemcpyDtoHAsync, (staging->half(which), source + at, count, stream));
        staging->mark(which, stream);
      };
      fetch(0);
      for (size_t at = 0; at < bytes; at += kHalf) {
        if (at + kHalf < bytes) fetch(at + kHalf);
        size_t which = at / kHalf % 2;
        staging->wait(which);
        std::memcpy(static_cast<char*>(destination) + at, staging->half(which), std::min(kHalf, bytes - at));
      }
      return;
    }
  }
  CUDA_CALL_FOR(kernel, cuMemcpyDtoHAsync, (destination, source, bytes, stream));
}

void free_staging() {
  std::map<const Device*, std::vector<std::unique_ptr<Staging>>> freed;
  std::scoped_lock lock(spare().mutex);
  freed.swap(spare().devices);
}

}  // namespace lanewise::runtime::cuda
