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

Bits reduce(OpKind kind, Type type, uint32_t members, const WarpBits& value) {
  auto [combine, result] = reduction_of(kind, type);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!has(members, lane)) continue;
    Bits both[] = {result, value[lane]};
    result = evaluate_scalar(combine, type, type, both);
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

Reduction reduction_of(OpKind kind, Type type) {
  Bits all = ~Bits{0} >> (64 - type.bits), top = Bits{1} << (type.bits - 1);
  switch (kind) {
    case OpKind::ReduceMin: return {OpKind::Min, type.is_signed() ? top - 1 : all};
    case OpKind::ReduceMax: return {OpKind::Max, canonical_bits(type, type.is_signed() ? top : 0)};
    case OpKind::ReduceAnd: return {OpKind::And, canonical_bits(type, all)};
    case OpKind::ReduceOr: return {OpKind::Or, 0};
    case OpKind::ReduceXor: return {OpKind::Xor, 0};
    default: return {OpKind::Add, 0};
  }
}

WarpBits evaluate_warp(OpKind kind, Type type, const WarpOperands& operands) {
  WarpBits results{};
  for (unsigned lane = 0; lane < kLanes; ++lane)
    if (has(operands.here, lane)) results[lane] = one_lane(kind, type, operands, lane);
  return results;
}

}  // namespace lanewise::ir
