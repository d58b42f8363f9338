// A segment that is one `if thread index < bound` does nothing for the other threads: the thread loop ends at
// the bound, and nobody tests the condition. So do the threads that `if thread index >= bound: return` ends.
#include <algorithm>

#include "codegen/host/kernel_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::Value;

namespace {

bool is_empty(const ir::Function& f, ir::RegionId region) {
  const ir::Region& r = f.regions[region];
  return r.ops.size() == 1 && f.ops[r.ops[0]].kind == OpKind::Yield;
}

}  // namespace

KernelEmitter::Clip KernelEmitter::find_clip(const Segment& segment) {
  for (size_t i = 0; i < segment.items.size(); ++i) {
    const Item& item = segment.items[i];
    if (item.kind != Item::Kind::Op) return {};
    const ir::Op& op = f_.ops[item.op];
    if (op.kind == OpKind::If && op.results.empty()) {
      // The kernel's last segment may be left by a return without a trace.
      const ir::Region& then_region = f_.regions[op.regions[0]];
      bool returns = then_region.ops.size() == 1 && f_.ops[then_region.ops[0]].kind == OpKind::Return &&
                     is_empty(f_, op.regions[1]) && !plan_.uses_limits;
      bool guards = is_empty(f_, op.regions[1]) && i + 1 == segment.items.size();
      Clip clip;
      if ((!returns && !guards) || !conjunction(op.operands[0], returns, clip) || clip.bounds.empty())
        return {};
      clip.guard = item.op;
      clip.returns = returns;
      return clip;
    }
    // Before the guard: only what may be left undone.
    ir::Effect effect = ir::info(op.kind).effect;
    if (effect != ir::Effect::None && effect != ir::Effect::Read) return {};
    for (ValueId v : op.results)
      if (placement_.places[v.index].kind == Place::Kind::Slot) return {};
  }
  return {};
}

// Splits a condition at its `and`s into bounds and the rest. False if it cannot be split at all.
bool KernelEmitter::conjunction(ValueId condition, bool negated, Clip& clip) {
  ir::OpId id = tree_.definition(plan_.resolve(condition));
  if (id.valid()) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == (negated ? OpKind::Or : OpKind::And) && f_.type(op.results[0]).is_bool())
      return conjunction(op.operands[0], negated, clip) && conjunction(op.operands[1], negated, clip);
    if (op.kind == OpKind::Not) return conjunction(op.operands[0], !negated, clip);
    Bound bound;
    if (comparison(op, negated, bound)) {
      clip.bounds.push_back(bound);
      return true;
    }
  }
  clip.rest.push_back({condition, negated});
  return true;
}

// index + offsets < limit, or <=.
bool KernelEmitter::comparison(const ir::Op& op, bool negated, Bound& bound) {
  OpKind kind = op.kind;
  if (kind < OpKind::Lt || kind > OpKind::Ge || !f_.type(op.operands[0]).is_signed()) return false;
  if (negated)
    kind = kind == OpKind::Lt   ? OpKind::Ge
           : kind == OpKind::Ge ? OpKind::Lt
           : kind == OpKind::Le ? OpKind::Gt
                                : OpKind::Le;
  bool index_left = kind == OpKind::Lt || kind == OpKind::Le;
  bound.inclusive = kind == OpKind::Le || kind == OpKind::Ge;
  bound.limit = op.operands[index_left ? 1 : 0];
  if (!is_uniform(plan_.resolve(bound.limit))) return false;
  return index_plus_offsets(op.operands[index_left ? 0 : 1], bound);
}

bool KernelEmitter::index_plus_offsets(ValueId v, Bound& bound) {
  ir::OpId id = tree_.definition(plan_.resolve(v));
  if (!id.valid()) return false;
  const ir::Op& op = f_.ops[id];
  switch (op.kind) {
    case OpKind::ThreadIdX: bound.axis = Axis::X; return true;
    case OpKind::ThreadIdY: bound.axis = Axis::Y; return true;
    case OpKind::ThreadIdZ: bound.axis = Axis::Z; return true;
    case OpKind::Cast: {
      // An index fits every integer type from 16 bits up.
      ir::Type from = f_.type(op.operands[0]), to = f_.type(op.results[0]);
      return from.is_int() && from.bits >= 16 && to.is_int() && to.bits >= 16 && bound.offsets.empty() &&
             index_plus_offsets(op.operands[0], bound) && bound.offsets.empty();
    }
    case OpKind::Add: {
      if (f_.type(op.results[0]) != ir::kI64) return false;
      for (size_t i = 0; i < 2; ++i) {
        ValueId offset = op.operands[i];
        if (!is_uniform(plan_.resolve(offset))) continue;
        auto known = range(offset);
        if (!known || known->first < 0 || known->second > int64_t{1} << 60) return false;
        if (!index_plus_offsets(op.operands[1 - i], bound)) return false;
        bound.offsets.push_back(offset);
        return bound.offsets.size() <= 4;
      }
      return false;
    }
    default: return false;
  }
}

// What can be said of an integer from the ops that make it.
std::optional<std::pair<int64_t, int64_t>> KernelEmitter::range(ValueId v, int depth) {
  using Range = std::pair<int64_t, int64_t>;
  ir::OpId id = tree_.definition(plan_.resolve(v));
  if (!id.valid() || depth > 8) return std::nullopt;
  const ir::Op& op = f_.ops[id];
  auto of = [&](size_t i) { return range(op.operands[i], depth + 1); };
  switch (op.kind) {
    case OpKind::Const:
      if (const auto* number = std::get_if<int64_t>(&op.immediate)) return Range{*number, *number};
      return std::nullopt;
    case OpKind::ThreadIdX:
    case OpKind::ThreadIdY: return Range{0, 1023};
    case OpKind::ThreadIdZ: return Range{0, 63};
    case OpKind::BlockIdX: return Range{0, INT32_MAX - 1};
    case OpKind::BlockIdY:
    case OpKind::BlockIdZ: return Range{0, 65534};
    case OpKind::BlockDimX:
    case OpKind::BlockDimY: return Range{1, 1024};
    case OpKind::BlockDimZ: return Range{1, 64};
    case OpKind::GridDimX: return Range{1, INT32_MAX};
    case OpKind::GridDimY:
    case OpKind::GridDimZ: return Range{1, 65535};
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
      bool bad = op.kind == OpKind::Add ? __builtin_add_overflow(a->first, b->first, &result.first) ||
                                              __builtin_add_overflow(a->second, b->second, &result.second)
                                        : __builtin_mul_overflow(a->first, b->first, &result.first) ||
                                              __builtin_mul_overflow(a->second, b->second, &result.second);
      return bad ? std::nullopt : std::optional(result);
    }
    default: return std::nullopt;
  }
}

// The least of the extent and limit - offsets (+ 1 if inclusive); may be negative.
Value* KernelEmitter::clipped_end(const Bound& bound, Value* extent) {
  Value* limit = b_.CreateSExt(value(bound.limit), b_.getInt64Ty());
  for (ValueId offset : bound.offsets)
    limit = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, limit, value(offset));
  if (bound.inclusive) limit = b_.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, limit, b_.getInt64(1));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, limit, extent);
}

// The guard itself: what its bounds have not decided is still tested.
void KernelEmitter::emit_guarded(const Clip& clip) {
  const ir::Op& op = f_.ops[clip.guard];
  // Whether the thread goes on: into the `if`, or past the return.
  Value* goes_on = b_.getTrue();
  for (auto [condition, negated] : clip.rest) {
    Value* c = value(condition);
    goes_on = b_.CreateAnd(goes_on, negated ? b_.CreateNot(c) : c);
  }
  llvm::BasicBlock* inside = new_block("guarded");
  b_.CreateCondBr(goes_on, inside, thread_->end);
  b_.SetInsertPoint(inside);
  if (clip.returns) return;
  End end = new_end("guard.end", {});
  emit_region(op.regions[0], &end);
  start(end, {});
}

}  // namespace lanewise::codegen::host
