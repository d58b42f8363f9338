// Copies between host memory of any kind and the device. Large ones from and to pageable memory go through
// two pinned buffers in turn: one is filled or emptied by the host while the device works on the other.
#pragma once
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// The device's context must be current. Ordered on the stream. The source may be changed as soon as copy_in
// returns, unless it is pinned; what copy_out copies is there when the stream is done.
void copy_in(const Device& device, CUdeviceptr destination, const void* source, size_t bytes, CUstream stream,
             std::string_view kernel = {});
void copy_out(const Device& device, void* destination, CUdeviceptr source, size_t bytes, CUstream stream,
              std::string_view kernel = {});

// Whether the driver knows the address as host memory that is not paged.
bool is_pinned(const void* data);
// Frees the pinned buffers that no copy uses now.
void free_staging();

}  // namespace lanewise::runtime::cuda
