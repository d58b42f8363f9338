// The definition of the warp ops: what each lane gets of what all lanes of its warp hand in.
#pragma once
#include <array>
#include <cstdint>

#include "ir/launch_limits.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir {

using WarpBits = std::array<Bits, kWarpSize>;

// What the lanes hand in; only those in `here` are looked at.
struct WarpOperands {
  uint32_t here = 0;                       // the lanes that are at the op together
  std::array<uint32_t, kWarpSize> mask{};  // of each lane
  WarpBits value{};                        // in their canonical form
  std::array<int32_t, kWarpSize> lane{};   // of shuffles
};

// What a reduction does with the members' values: `combine` from `start` on, which changes nothing and is
// what no members make.
struct Reduction {
  OpKind combine;
  Bits start;  // in its canonical form
};
Reduction reduction_of(OpKind kind, Type type);

// The results of the lanes in `here`; `type` is that of the value (of no meaning for ActiveMask and
// SyncWarp).
WarpBits evaluate_warp(OpKind kind, Type type, const WarpOperands& operands);

}  // namespace lanewise::ir
