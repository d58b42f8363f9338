// Captured work that can be launched again.
#pragma once
#include <memory>

#include "runtime/cuda/driver.h"
#include "runtime/device.h"

namespace lanewise::runtime::cuda {

// Takes the graph over. Its context must be current.
std::shared_ptr<Graph> make_graph(const Device& device, CUgraph graph);
// Whether what is put on the stream goes into a graph instead of running.
bool is_capturing(CUstream stream);

}  // namespace lanewise::runtime::cuda
