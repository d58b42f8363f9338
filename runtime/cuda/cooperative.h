// Launches whose blocks wait for each other: the counter of the grid barrier, and how many blocks fit.
#pragma once
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// Device memory for the counter that the kernel's hidden last parameter points to (codegen/nvptx/
// lower_grid_barrier.cpp): one for each stream, whose launches follow each other, and for each launch that
// is captured. The context must be current.
CUdeviceptr grid_counter(const Device& gpu, CUstream stream);
// Before the stream is destroyed: its counter, 0 for none, which is the caller's to free after that. The
// context must be current.
CUdeviceptr take_grid_counter(const Device& gpu, CUstream stream);
void free_grid_counter(const Device& gpu, CUdeviceptr counter);

// How many blocks can be on the device at once; 0 if it does not launch such kernels.
int64_t resident_blocks(const Device& gpu, CUfunction function, int64_t threads, int64_t dynamic_shared_bytes,
                        const std::string& kernel);

}  // namespace lanewise::runtime::cuda
