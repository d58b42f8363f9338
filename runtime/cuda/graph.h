// Captured work that can be launched again.
#pragma once
#include <memory>
#include <vector>

#include "runtime/cuda/driver.h"
#include "runtime/device.h"

namespace lanewise::runtime::cuda {

// What a graph uses, kernels and memory, which lives as long as it does.
using Kept = std::vector<std::shared_ptr<const void>>;
// Between these, what is put on streams that are captured is kept for the graph.
void begin_keeping(CUstream stream);
Kept end_keeping(CUstream stream);
// Whether keep_for_graph() is needed for work on the stream; quick where nothing is captured.
bool keeps_for_graph(CUstream stream);
// Whether there is a capture that was begun here.
bool keep_for_graph(std::shared_ptr<const void> used);
// The memory at the address, if it was allocated here (memory.cpp).
void keep_memory_for_graph(CUdeviceptr address);
// Takes the graph over. Its context must be current.
std::shared_ptr<Graph> make_graph(const Device& device, CUgraph graph, Kept kept);
// Whether what is put on the stream goes into a graph instead of running.
bool is_capturing(CUstream stream);
// While it lives this thread may load code and allocate memory although a stream is captured: neither becomes
// part of the graph, and what the graph needs is kept for it.
class RelaxedCapture {
 public:
  RelaxedCapture();
  ~RelaxedCapture();
  RelaxedCapture(const RelaxedCapture&) = delete;

 private:
  int mode_;  // the thread's own
};

}  // namespace lanewise::runtime::cuda
