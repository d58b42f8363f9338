// Device memory: for the copies of host arrays, kept for the next launch instead of freed; and what callers
// free, which waits so that no free stops the device each time. The device's context must be current.
#pragma once
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

struct Block {
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
};
// At least `bytes`, aligned to 256. Only memory that no unfinished work uses may be given back.
Block take_block(const Device& device, size_t bytes);
void give_block(const Device& device, Block block);

// In the order of the stream's work, from the device's pool, where `stream` is not null and the device has
// one. Where memory is short, all that is kept goes first.
CUdeviceptr allocate_memory(const Device& device, size_t bytes, CUstream stream = nullptr);
// Copies host memory to new device memory, and waits for it; in the midst of a capture too.
void fill_memory(CUdeviceptr destination, const void* source, size_t bytes);
// Frees it later: with ten others, or when they are a fifth of the device's memory. A free waits for the
// device, for kernels of any stream may still use the memory.
void free_memory(const Device& device, Block block);
// All that is kept or waits to be freed.
void free_kept_memory(const Device& device);

}  // namespace lanewise::runtime::cuda
