#include "runtime/cuda/buffers.h"

#include <map>
#include <mutex>

namespace lanewise::runtime::cuda {
namespace {

constexpr size_t kSmallest = 4096, kStep = 1 << 20, kKept = size_t{256} << 20;

struct Kept {
  std::mutex mutex;
  std::multimap<size_t, CUdeviceptr> blocks;
  size_t bytes = 0;
};
Kept& kept() {
  static auto* the_kept = new Kept;  // outlives every other static: launches may happen in destructors
  return *the_kept;
}

// Few different sizes, so that the next launch finds what this one gave back.
size_t round_size(size_t bytes) {
  if (bytes > kStep) return (bytes + kStep - 1) / kStep * kStep;
  size_t rounded = kSmallest;
  while (rounded < bytes) rounded *= 2;
  return rounded;
}

void free_all_kept() {
  std::multimap<size_t, CUdeviceptr> blocks;
  {
    std::scoped_lock lock(kept().mutex);
    blocks.swap(kept().blocks);
    kept().bytes = 0;
  }
  for (auto [bytes, pointer] : blocks) driver_state().driver.cuMemFree(pointer);
}

}  // namespace

CUdeviceptr allocate_memory(size_t bytes) {
  CUdeviceptr pointer = 0;
  CUresult code = driver_state().driver.cuMemAlloc(&pointer, bytes);
  if (code == kOutOfMemory) {
    free_all_kept();
    code = driver_state().driver.cuMemAlloc(&pointer, bytes);
  }
  if (code != kSuccess) fail(code, "cuMemAlloc", {}, std::to_string(bytes) + " bytes were asked for");
  return pointer;
}

Block take_block(size_t bytes) {
  size_t size = round_size(bytes);
  {
    std::scoped_lock lock(kept().mutex);
    auto found = kept().blocks.lower_bound(size);
    if (found != kept().blocks.end() && found->first <= 2 * size) {
      Block block{found->second, found->first};
      kept().blocks.erase(found);
      kept().bytes -= block.bytes;
      return block;
    }
  }
  return {allocate_memory(size), size};
}

void give_block(Block block) {
  {
    std::scoped_lock lock(kept().mutex);
    if (kept().bytes + block.bytes <= kKept) {
      kept().blocks.emplace(block.bytes, block.pointer);
      kept().bytes += block.bytes;
      return;
    }
  }
  driver_state().driver.cuMemFree(block.pointer);
}

}  // namespace lanewise::runtime::cuda
