// The contract between the code that codegen makes for the CPU and the runtime that calls it.
// Plain data, also described to LLVM in codegen/host/: change both together.
#pragma once
#include <cstdint>

namespace lanewise::codegen {

// Takes what a thread prints or fails with: `site` is an index into HostKernel::outputs, `values` has one
// word for each of the site's types, as ir::Scalar holds them. Called from any worker; must not throw.
using HostOutputFunction = void (*)(void* context, int64_t site, int64_t block, int64_t thread,
                                    const uint64_t* values);

// Called by a block that has come to a grid barrier; returns when all blocks have. `error`: what the function
// says if the launch cannot go on.
using HostGridBarrierFunction = void (*)(void* context, int64_t block, int64_t error);

// One launch, shared by all workers, read-only while it runs.
struct HostLaunch {
  const uint64_t* params;  // one eight-byte slot per kernel parameter, the value in the slot's low bytes
  int32_t grid[3];         // blocks, x y z, all at least 1
  int32_t block[3];        // threads of a block, x y z
  int64_t dynamic_shared_bytes;
  HostOutputFunction output;  // not null if the kernel has output sites
  void* output_context;
  HostGridBarrierFunction
      grid_barrier;  // not null if the kernel has grid barriers: then a call runs one block
  void* grid_context;
};

// Runs blocks first .. first + count - 1 (linear order, x fastest), one after the other, in `arena`.
// Returns 0, or 1 + the index into HostKernel::errors of what ended the launch early.
using HostKernelFunction = int64_t (*)(const HostLaunch* launch, char* arena, int64_t first, int64_t count);

// Scratch memory of one worker, 64-byte aligned:
//   static shared memory | dynamic shared memory | kMargin | context of the threads
// where each part starts at a multiple of 64 and the context has room for round_up(threads) threads.
struct HostLayout {
  int64_t shared_bytes = 0;              // static shared memory of a block
  int64_t context_bytes_per_thread = 0;  // values and local arrays that live across a barrier

  // Room before and after shared memory for vectors of which only some lanes count.
  static constexpr int64_t kMargin = 256;
  static constexpr int64_t round_up(int64_t n) { return (n + 63) / 64 * 64; }
  int64_t arena_bytes(int64_t threads, int64_t dynamic_shared_bytes) const {
    return round_up(shared_bytes) + round_up(dynamic_shared_bytes) +
           context_bytes_per_thread * round_up(threads) + kMargin;
  }
};

}  // namespace lanewise::codegen
