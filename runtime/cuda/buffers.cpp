#include "runtime/cuda/buffers.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace lanewise::runtime::cuda {
namespace {

constexpr size_t kSmallest = 4096, kStep = 1 << 20, kKept = size_t{256} << 20;
constexpr size_t kMostWaiting = 10, kWaitingPart = 5;

struct Memory {
  std::multimap<size_t, CUdeviceptr> kept;
  size_t kept_bytes = 0;
  std::vector<CUdeviceptr> waiting;  // to be freed
  size_t waiting_bytes = 0;
};

struct AllMemory {
  std::mutex mutex;
  std::map<const Device*, Memory> devices;
};
AllMemory& all() {
  static auto* the_memory = new AllMemory;  // outlives every other static: launches may happen in destructors
  return *the_memory;
}

// Few different sizes, so that the next launch finds what this one gave back.
size_t round_size(size_t bytes) {
  if (bytes > kStep) return (bytes + kStep - 1) / kStep * kStep;
  size_t rounded = kSmallest;
  while (rounded < bytes) rounded *= 2;
  return rounded;
}

// A free alone waits for the device, but not where the memory came from a pool, and not for other devices.
void free_all(const Device& device, const std::vector<CUdeviceptr>& pointers) {
  if (pointers.empty()) return;
  finish_users_of(device, /*by_all=*/false);
  for (CUdeviceptr pointer : pointers) driver_state().driver.cuMemFree(pointer);
}

void trim_pool(const Device& device) {
  CUmemoryPool pool = nullptr;
  const Driver& driver = driver_state().driver;
  if (device.has_pools && driver.cuDeviceGetMemPool(&pool, device.handle) == kSuccess)
    driver.cuMemPoolTrimTo(pool, 0);
}

// A stream that allocates from the device's pool, null if the memory comes from the device itself.
CUresult try_allocate(CUdeviceptr& pointer, size_t bytes, CUstream pool) {
  const Driver& driver = driver_state().driver;
  return pool ? driver.cuMemAllocAsync(&pointer, bytes, pool) : driver.cuMemAlloc(&pointer, bytes);
}

}  // namespace

CUdeviceptr allocate_memory(const Device& device, size_t bytes, CUstream stream) {
  CUdeviceptr pointer = 0;
  CUstream pool = device.has_pools ? stream : nullptr;
  CUresult code = try_allocate(pointer, bytes, pool);
  if (code == kOutOfMemory) {
    free_kept_memory(device);
    code = try_allocate(pointer, bytes, pool);
  }
  if (code != kSuccess)
    fail(code, pool ? "cuMemAllocAsync" : "cuMemAlloc", {}, std::to_string(bytes) + " bytes were asked for");
  return pointer;
}

void fill_memory(CUdeviceptr destination, const void* source, size_t bytes) {
  constexpr unsigned kNonBlocking = 1;
  // The default stream may be part of a capture, and is waited for by others.
  CUstream stream = nullptr;
  CUDA_CALL(cuStreamCreateWithPriority, (&stream, kNonBlocking, 0));
  const Driver& driver = driver_state().driver;
  CUresult code = driver.cuMemcpyHtoDAsync(destination, source, bytes, stream);
  CUresult waited = code == kSuccess ? driver.cuStreamSynchronize(stream) : kSuccess;
  driver.cuStreamDestroy(stream);
  check(code, "cuMemcpyHtoDAsync");
  check(waited, "cuStreamSynchronize");
}

void free_memory(const Device& device, Block block) {
  std::vector<CUdeviceptr> due;
  {
    std::scoped_lock lock(all().mutex);
    Memory& memory = all().devices[&device];
    memory.waiting.push_back(block.pointer);
    memory.waiting_bytes += block.bytes;
    if (memory.waiting.size() <= kMostWaiting && memory.waiting_bytes <= device.memory_bytes / kWaitingPart)
      return;
    due.swap(memory.waiting);
    memory.waiting_bytes = 0;
  }
  free_all(device, due);
}

void free_kept_memory(const Device& device) {
  std::vector<CUdeviceptr> due;
  {
    std::scoped_lock lock(all().mutex);
    Memory memory = std::exchange(all().devices[&device], {});
    due = std::move(memory.waiting);
    for (auto [bytes, pointer] : memory.kept) due.push_back(pointer);
  }
  free_all(device, due);
  trim_pool(device);
}

Block take_block(const Device& device, size_t bytes) {
  size_t size = round_size(bytes);
  {
    std::scoped_lock lock(all().mutex);
    Memory& memory = all().devices[&device];
    auto found = memory.kept.lower_bound(size);
    if (found != memory.kept.end() && found->first <= 2 * size) {
      Block block{found->second, found->first};
      memory.kept.erase(found);
      memory.kept_bytes -= block.bytes;
      return block;
    }
  }
  return {allocate_memory(device, size), size};
}

void give_block(const Device& device, Block block) {
  {
    std::scoped_lock lock(all().mutex);
    Memory& memory = all().devices[&device];
    if (memory.kept_bytes + block.bytes <= kKept) {
      memory.kept.emplace(block.bytes, block.pointer);
      memory.kept_bytes += block.bytes;
      return;
    }
  }
  driver_state().driver.cuMemFree(block.pointer);
}

}  // namespace lanewise::runtime::cuda
