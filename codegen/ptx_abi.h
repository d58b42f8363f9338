// The contract between the code that codegen makes for CUDA and the runtime that launches it.
// Plain data, also described to LLVM in codegen/nvptx/lower_report.cpp: change both together.
#pragma once
#include <cstdint>

namespace lanewise::codegen {

// Where the threads of a launch note that they failed. A kernel that may fail has two hidden parameters
// (PtxHidden): the record's address, in memory that host and device see, and the number of the launch, never
// 0. Launches may share a record if they run one after the other: the first one that fails keeps it, with the
// first of its threads in the order of blocks and threads.
struct PtxFailure {
  static constexpr uint64_t kNoKey = ~uint64_t{0};
  static constexpr int kThreadBits = 10;

  uint64_t launch;  // 0: no thread has failed
  uint64_t key;     // linear block << kThreadBits | linear thread; kNoKey before
  uint32_t lock;    // not 0 while a thread writes
  uint32_t site;    // index into the failures that emit_ptx() gave
  uint32_t grid[3], block[3];
  // Followed by one word for each value of the site, as ir::Scalar holds them.
  const uint64_t* values() const { return reinterpret_cast<const uint64_t*>(this + 1); }
};
static_assert(sizeof(PtxFailure) == 48);

}  // namespace lanewise::codegen
