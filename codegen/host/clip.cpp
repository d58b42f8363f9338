// A segment that is one `if thread index < bound` does nothing for the other threads: the thread loop ends at
// the bound, and nobody tests the condition. So it is with those that `if thread index >= bound: return`
// ends.
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
    if (item.kind == Item::Kind::StrideTurn) continue;
    if (item.kind != Item::Kind::Op) return {};
    const ir::Op& op = f_.ops[item.op];
    if (op.kind == OpKind::If && op.results.empty()) {
      // The kernel's last segment may be left by a return without a trace.
      const ir::Region& then_region = f_.regions[op.regions[0]];
      bool returns = then_region.ops.size() == 1 && f_.ops[then_region.ops[0]].kind == OpKind::Return &&
                     is_empty(f_, op.regions[1]) && !plan_.uses_limits;
      bool guards = is_empty(f_, op.regions[1]) && i + 1 == segment.items.size();
      if (!returns && !guards) return {};
      Clip clip;
      split_condition(op.operands[0], returns, clip);
      if (clip.bounds.empty()) return {};
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

// Splits a condition at its `and`s into bounds and the rest.
void KernelEmitter::split_condition(ValueId condition, bool negated, Clip& clip) {
  ir::OpId id = tree_.definition(plan_.resolve(condition));
  if (id.valid()) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == (negated ? OpKind::Or : OpKind::And) && f_.type(op.results[0]).is_bool()) {
      split_condition(op.operands[0], negated, clip);
      return split_condition(op.operands[1], negated, clip);
    }
    if (op.kind == OpKind::Not) return split_condition(op.operands[0], !negated, clip);
    if (std::optional<Bound> bound = bound_of(op, negated)) {
      clip.bounds.push_back(std::move(*bound));
      return;
    }
  }
  clip.rest.push_back({condition, negated});
}

std::optional<KernelEmitter::Bound> KernelEmitter::bound_of(const ir::Op& op, bool negated) const {
  using Kind = Bound::Kind;
  if (op.kind < OpKind::Eq || op.kind > OpKind::Ge || !f_.type(op.operands[0]).is_signed())
    return std::nullopt;
  std::optional<Kind> kind;
  switch (op.kind) {
    case OpKind::Eq: kind = negated ? std::nullopt : std::optional(Kind::Equal); break;
    case OpKind::Ne: kind = negated ? std::optional(Kind::Equal) : std::nullopt; break;
    case OpKind::Lt: kind = negated ? Kind::AtLeast : Kind::Below; break;
    case OpKind::Le: kind = negated ? Kind::Above : Kind::AtMost; break;
    case OpKind::Gt: kind = negated ? Kind::AtMost : Kind::Above; break;
    default: kind = negated ? Kind::Below : Kind::AtLeast; break;
  }
  if (!kind) return std::nullopt;
  for (size_t i = 0; i < 2; ++i) {
    if (!is_uniform(plan_.resolve(op.operands[1 - i]))) continue;
    std::optional<ThreadIndex> index = index_math_.thread_index(op.operands[i]);
    if (!index) continue;
    if (i == 1) {  // the index is on the right: the relation turns round
      constexpr Kind kTurned[] = {Kind::Above, Kind::AtLeast, Kind::Below, Kind::AtMost, Kind::Equal};
      kind = kTurned[static_cast<size_t>(*kind)];
    }
    return Bound{std::move(*index), *kind, op.operands[1 - i]};
  }
  return std::nullopt;
}

// Saturating sums and differences, minimum and maximum of signed integers; of constants a constant.
Value* KernelEmitter::bounded(llvm::Intrinsic::ID kind, Value* a, Value* b) {
  auto *left = llvm::dyn_cast<llvm::ConstantInt>(a), *right = llvm::dyn_cast<llvm::ConstantInt>(b);
  if (!left || !right) return b_.CreateBinaryIntrinsic(kind, a, b);
  const llvm::APInt &x = left->getValue(), &y = right->getValue();
  switch (kind) {
    case llvm::Intrinsic::smin: return b_.getInt(llvm::APIntOps::smin(x, y));
    case llvm::Intrinsic::smax: return b_.getInt(llvm::APIntOps::smax(x, y));
    case llvm::Intrinsic::sadd_sat: return b_.getInt(x.sadd_sat(y));
    case llvm::Intrinsic::ssub_sat: return b_.getInt(x.ssub_sat(y));
    default: return b_.CreateBinaryIntrinsic(kind, a, b);
  }
}

// limit - offsets: the bound of the thread's own index.
Value* KernelEmitter::own_limit(const ThreadIndex& index, Value* limit) {
  for (ValueId offset : index.offsets) limit = bounded(llvm::Intrinsic::ssub_sat, limit, value(offset));
  return limit;
}

// Narrows the thread loop to the bound; a loop from begin to end with begin >= end is not run.
void KernelEmitter::narrow(Extent& extent, const Bound& bound) {
  Value* limit = own_limit(bound.index, b_.CreateSExt(value(bound.limit), b_.getInt64Ty()));
  auto one_more = [&] { return bounded(llvm::Intrinsic::sadd_sat, limit, b_.getInt64(1)); };
  auto end_at = [&](Value* v) { extent.end = bounded(llvm::Intrinsic::smin, extent.end, v); };
  auto begin_at = [&](Value* v) { extent.begin = bounded(llvm::Intrinsic::smax, extent.begin, v); };
  extent.may_be_empty = true;
  switch (bound.kind) {
    case Bound::Kind::Below: return end_at(limit);
    case Bound::Kind::AtMost: return end_at(one_more());
    case Bound::Kind::Above: return begin_at(one_more());
    case Bound::Kind::AtLeast: return begin_at(limit);
    case Bound::Kind::Equal: begin_at(limit); return end_at(one_more());
  }
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
