#include "ir/warp_ops.h"

#include "ir/error.h"

namespace lanewise::ir {
namespace {

constexpr unsigned kLanes = static_cast<unsigned>(kWarpSize);

bool has(uint32_t lanes, unsigned lane) { return lane < kLanes && (lanes >> lane & 1) != 0; }

// The lane that a shuffle reads; out of range where it leaves the warp.
unsigned source(OpKind kind, unsigned lane, int32_t operand) {
  unsigned by = static_cast<unsigned>(operand) % kLanes;
  switch (kind) {
    case OpKind::ShflIdx: return by;
    case OpKind::ShflUp: return lane - by;
    case OpKind::ShflDown: return lane + by;
    default: return lane ^ by;
  }
}

OpKind combination(OpKind kind) {
  switch (kind) {
    case OpKind::ReduceAdd: return OpKind::Add;
    case OpKind::ReduceMin: return OpKind::Min;
    case OpKind::ReduceMax: return OpKind::Max;
    case OpKind::ReduceAnd: return OpKind::And;
    case OpKind::ReduceOr: return OpKind::Or;
    default: return OpKind::Xor;
  }
}

Bits reduce(OpKind kind, Type type, uint32_t members, const WarpBits& value) {
  Bits result = 0;
  bool first = true;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(members, lane)) continue;
    Bits both[] = {result, value[lane]};
    result = first ? value[lane] : evaluate_scalar(combination(kind), type, type, both);
    first = false;
  }
  return result;
}

uint32_t equal_to(Bits wanted, uint32_t members, const WarpBits& value) {
  uint32_t equal = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (has(members, lane) && value[lane] == wanted) equal |= 1u << lane;
  return equal;
}

Bits one_lane(OpKind kind, Type type, const WarpOperands& in, unsigned lane) {
  uint32_t members = in.here & in.mask[lane];
  switch (kind) {
    case OpKind::ShflIdx:
    case OpKind::ShflUp:
    case OpKind::ShflDown:
    case OpKind::ShflXor: {
      unsigned from = source(kind, lane, in.lane[lane]);
      return has(members, from) ? in.value[from] : in.value[lane];
    }
    case OpKind::VoteAll: return equal_to(1, members, in.value) == members;
    case OpKind::VoteAny: return equal_to(1, members, in.value) != 0;
    case OpKind::VoteEq: {
      uint32_t yes = equal_to(1, members, in.value);
      return yes == 0 || yes == members;
    }
    case OpKind::Ballot: return equal_to(1, members, in.value);
    case OpKind::MatchAny: return equal_to(in.value[lane], members, in.value);
    case OpKind::MatchAll: {
      unsigned first = members ? static_cast<unsigned>(__builtin_ctz(members)) : 0;
      return equal_to(in.value[first], members, in.value) == members ? members : 0;
    }
    case OpKind::ActiveMask: return in.here;
    case OpKind::SyncWarp: return 0;
    default: break;
  }
  LANEWISE_CHECK(kind >= OpKind::ReduceAdd && kind <= OpKind::ReduceXor, "a warp op was expected");
  return reduce(kind, type, members, in.value);
}

}  // namespace

WarpBits evaluate_warp(OpKind kind, Type type, const WarpOperands& operands) {
  WarpBits results{};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (has(operands.here, lane)) results[lane] = one_lane(kind, type, operands, lane);
  return results;
}

}  // namespace lanewise::ir
