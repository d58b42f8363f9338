// Where the values of a plan live that one segment makes and another uses: cheap ones are computed again, the
// rest go to *slots* in the worker's arena. Where threads run one after the other, a thread's slots lie
// together, so that one address leads to all; where gangs do, each slot is an array by thread.
#pragma once
#include <vector>

#include "codegen/host/plan.h"

namespace lanewise::codegen::host {

struct Place {
  enum class Kind : uint8_t {
    Own,        // used only in the segment that defines it, or never
    Uniform,    // one value for the block
    Slot,       // `slot`
    Recompute,  // by its op, wherever it is used
  };
  Kind kind = Kind::Own;
  uint32_t slot = 0;
};

struct LocalArray {
  enum class Kind : uint8_t {
    Stack,    // of those that run at once: the threads use it one after the other, or gang after gang
    Scratch,  // the same, too big for the stack: in the arena
    Slot,     // an array for each thread, in the context
  };
  Kind kind = Kind::Stack;
  int64_t bytes = 0;
  int64_t offset =
      0;  // Scratch: in the arena; Slot: its arrays start at context + offset * round_up(threads)
};

struct Slot {
  int64_t offset =
      0;  // in the thread's record; of gangs: its array starts at context + offset * round_up(threads)
  ir::Type type;
};

struct Placement {
  std::vector<Place> places;  // by value
  std::vector<Slot> slots;
  std::map<ir::OpId, std::pair<uint32_t, uint32_t>> loop_slots;  // For with varying bounds: distance, counter
  std::map<ir::OpId, LocalArray> local_arrays;
  std::map<ir::OpId, int64_t> shared_arrays;  // offsets in the arena
  int64_t shared_bytes = 0;                   // of shared arrays and scratch
  int64_t limit_offset = 0;                   // as a local array's; if the plan uses limits
  int64_t behind_offset = 0;                  // the same, of the marks of threads left behind
  // What threads bring to a meeting and what they get, arrays by thread as local arrays: Value, Mask, Lane,
  // Result. Before and after the values there is room for as many more.
  int64_t lane_offsets[4] = {};
  bool has_meetings = false;
  int64_t record_bytes = 0;   // of a thread's slots; the records come first in the context
  int64_t context_bytes = 0;  // of one thread
};

// `threads`: how many run at once, each with its own arrays.
Placement place_values(const ir::Function& kernel, const Plan& plan, int64_t threads = 1);

}  // namespace lanewise::codegen::host
