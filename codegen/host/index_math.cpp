// Sums with a thread index in them, and ranges, by looking at the ops that make a value.
#include "codegen/host/index_math.h"

#include "ir/launch_limits.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;

namespace {
constexpr int kMaxDepth = 8;
constexpr size_t kMaxOffsets = 4;
constexpr int64_t kMaxOffset = int64_t{1} << 60;
}  // namespace

std::optional<ThreadIndex> IndexMath::thread_index(ValueId v) const {
  ThreadIndex index;
  if (!add_to(index, v)) return std::nullopt;
  return index;
}

bool IndexMath::add_to(ThreadIndex& index, ValueId v) const {
  ir::OpId id = tree_.definition(resolve_(v));
  if (!id.valid()) return false;
  const ir::Op& op = f_.ops[id];
  switch (op.kind) {
    case OpKind::ThreadIdX: index.axis = Axis::X; return true;
    case OpKind::ThreadIdY: index.axis = Axis::Y; return true;
    case OpKind::ThreadIdZ: index.axis = Axis::Z; return true;
    case OpKind::Cast: {
      // An index fits every integer type from 16 bits up; a sum need not.
      ir::Type from = f_.type(op.operands[0]), to = f_.type(op.results[0]);
      bool fits = from.is_int() && from.bits >= 16 && to.is_int() && to.bits >= 16;
      return fits && index.offsets.empty() && add_to(index, op.operands[0]) && index.offsets.empty();
    }
    case OpKind::Add:
      if (f_.type(op.results[0]) != ir::kI64) return false;
      for (size_t i = 0; i < 2; ++i) {
        ValueId offset = op.operands[i];
        if (!uniform_(resolve_(offset))) continue;
        auto known = range(offset);
        if (!known || known->first < 0 || known->second > kMaxOffset) return false;
        if (!add_to(index, op.operands[1 - i])) return false;
        index.offsets.push_back(offset);
        return index.offsets.size() <= kMaxOffsets;
      }
      return false;
    default: return false;
  }
}

std::optional<IndexMath::Range> IndexMath::range(ValueId v, int depth) const {
  ir::OpId id = tree_.definition(resolve_(v));
  if (!id.valid() || depth > kMaxDepth) return std::nullopt;
  const ir::Op& op = f_.ops[id];
  if (auto bounds = ir::launch_bounds(op.kind)) return Range{bounds->least, bounds->most};
  auto of = [&](size_t i) { return range(op.operands[i], depth + 1); };
  switch (op.kind) {
    case OpKind::Const:
      // From 2**63 on the immediate of an unsigned one is negative.
      if (const auto* number = std::get_if<int64_t>(&op.immediate);
          number && (*number >= 0 || f_.type(v).is_signed()))
        return Range{*number, *number};
      return std::nullopt;
    case OpKind::Cast: {
      ir::Type from = f_.type(op.operands[0]), to = f_.type(op.results[0]);
      bool keeps = from.is_int() && to == ir::kI64 && (from.is_signed() || from.bits < 64);
      return keeps ? of(0) : std::nullopt;
    }
    case OpKind::Add:
    case OpKind::Mul: {
      if (f_.type(op.results[0]) != ir::kI64) return std::nullopt;
      auto a = of(0), b = of(1);
      if (!a || !b || a->first < 0 || b->first < 0) return std::nullopt;
      Range result;
      bool overflows = op.kind == OpKind::Add ? __builtin_add_overflow(a->second, b->second, &result.second)
                                              : __builtin_mul_overflow(a->second, b->second, &result.second);
      if (overflows) return std::nullopt;
      result.first = op.kind == OpKind::Add ? a->first + b->first : a->first * b->first;
      return result;
    }
    default: return std::nullopt;
  }
}

}  // namespace lanewise::codegen::host
