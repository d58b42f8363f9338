// Device memory for the copies of host arrays, kept for the next launch instead of freed. Only for memory
// that no unfinished work uses when it is given back.
#pragma once
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

struct Block {
  CUdeviceptr pointer = 0;
  size_t bytes = 0;
};
// At least `bytes`, aligned to 256. The context must be current.
Block take_block(size_t bytes);
void give_block(Block block);

// cuMemAlloc; where memory is short, the blocks that are kept go first.
CUdeviceptr allocate_memory(size_t bytes);

}  // namespace lanewise::runtime::cuda
