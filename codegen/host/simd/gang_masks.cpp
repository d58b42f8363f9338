// Masks, and tests whether all or any of their lanes take part. Those of indices that count up lane by lane
// against a bound (`i < n`) are tested by scalars: the masks themselves are made where some lanes are
// missing.
#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::Value;

// The scalar's distance from the first lane, once, against a constant for each lane.
Value* GangEmitter::compare_with_uniform(const ir::Op& op, const Lanes& a, const Lanes& b) {
  ir::Type type = f_.type(op.operands[0]);
  if (!type.is_signed() || type.bits < 32) return nullptr;
  bool left = !a.uniform() && a.constant_pattern() && a.exact && b.uniform();
  bool right = !b.uniform() && b.constant_pattern() && b.exact && a.uniform();
  if (!left && !right) return nullptr;
  const Lanes &lanes = left ? a : b, &scalar = left ? b : a;
  for (int64_t element : lanes.terms[0].pattern)
    if (element > (1 << 24) || element < -(1 << 24)) return nullptr;
  if (std::optional<bool> known = compare_known(op.kind, lanes, scalar.base, left))
    return *known ? all_lanes() : no_lanes();
  bool overflows = !is_not_negative(op.operands[left ? 0 : 1]) || !is_not_negative(op.operands[left ? 1 : 0]);
  Value* distance = overflows ? bounded(llvm::Intrinsic::ssub_sat, scalar.base, lanes.base)
                              : b_.CreateSub(scalar.base, lanes.base, "", false, true);
  return compare_line(op.kind, lanes, scalar.base, distance, left);
}

// Of lanes that are not negative the base is neither: it is the first lane, or less by what others add.
bool GangEmitter::is_not_negative(ir::ValueId v) {
  auto range = index_math_.range(v);
  if (!range || range->first < 0) return false;
  Lanes own = lanes(v);
  return own.uniform() || *std::ranges::min_element(own.terms[0].pattern) == 0;
}

// A line that starts at 0 against an i32.
Value* GangEmitter::compare_pattern(OpKind kind, const Pattern& pattern, Value* scalar) {
  Lanes line = Lanes::of_uniform(b_.getInt32(0));
  line.terms.push_back({nullptr, pattern});
  return compare_line(kind, line, scalar, scalar, true);
}

// An exact line against a scalar, or the other way round, by the scalar's distance from the line's base (i32
// or i64, at its type's end where it is beyond).
Value* GangEmitter::compare_line(OpKind kind, const Lanes& line, Value* scalar, Value* distance,
                                 bool line_is_left) {
  const Pattern& pattern = line.terms[0].pattern;
  Value* narrow = distance;
  if (distance->getType()->isIntegerTy(64)) {
    narrow = bounded(llvm::Intrinsic::smin, narrow, b_.getInt64(INT32_MAX));
    narrow = bounded(llvm::Intrinsic::smax, narrow, b_.getInt64(INT32_MIN));
    narrow = b_.CreateTrunc(narrow, b_.getInt32Ty());
  }
  Value* steps = pattern_vector(b_.getInt32Ty(), pattern);
  Value* bound = b_.CreateVectorSplat(kGang, narrow);
  Value* mask = line_is_left ? scalar_.emit(kind, ir::kI32, ir::kBool, {steps, bound})
                             : scalar_.emit(kind, ir::kI32, ir::kBool, {bound, steps});
  if (llvm::isa<llvm::Constant>(mask) || kind == OpKind::Eq || kind == OpKind::Ne) return mask;
  ir::Type type = distance->getType()->isIntegerTy(64) ? ir::kI64 : ir::kI32;
  auto test = [&](int64_t element) {
    Value* lane =
        b_.CreateAdd(line.base, llvm::ConstantInt::getSigned(scalar->getType(), element), "", false, true);
    return line_is_left ? scalar_.emit(kind, type, ir::kBool, {lane, scalar})
                        : scalar_.emit(kind, type, ir::kBool, {scalar, lane});
  };
  auto [least, most] = std::ranges::minmax(pattern);
  // Below the scalar: all if the greatest is, any if the least is.
  bool is_below = (kind == OpKind::Lt || kind == OpKind::Le) == line_is_left;
  mask_tests_[mask] = {test(is_below ? most : least), test(is_below ? least : most)};
  return mask;
}

// Of an `and` of two conditions.
void GangEmitter::note_tests_of_both(Value* mask, const Lanes& a, const Lanes& b) {
  auto all_of = [&](const Lanes& condition) -> Value* {
    if (condition.uniform()) return condition.base;
    auto known = mask_tests_.find(condition.vector);
    return known == mask_tests_.end() ? nullptr : known->second.all;
  };
  Value *first = all_of(a), *second = all_of(b);
  if (first && second && !llvm::isa<llvm::Constant>(mask))
    mask_tests_[mask] = {b_.CreateAnd(first, second), nullptr};
}

Value* GangEmitter::all(Value* mask) {
  if (is_all(mask)) return b_.getTrue();
  auto known = mask_tests_.find(mask);
  if (known != mask_tests_.end() && known->second.all) return known->second.all;
  return b_.CreateICmpEQ(bits(mask), b_.getInt32(UINT32_MAX));
}
Value* GangEmitter::any(Value* mask) {
  auto known = mask_tests_.find(mask);
  if (known != mask_tests_.end() && known->second.any) return known->second.any;
  return b_.CreateICmpNE(bits(mask), b_.getInt32(0));
}

bool GangEmitter::is_all(Value* mask) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant && constant->isAllOnesValue();
}
bool GangEmitter::is_none(Value* mask) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(mask);
  return constant && constant->isNullValue();
}
Value* GangEmitter::both(Value* a, Value* b) {
  if (is_all(a) || is_none(b)) return b;
  if (is_all(b) || is_none(a)) return a;
  // Not `and`: what dead lanes have in b may be anything.
  return b_.CreateSelect(a, b, no_lanes());
}
Value* GangEmitter::without(Value* a, Value* b) {
  if (is_none(b) || is_none(a)) return a;
  if (is_all(b)) return no_lanes();
  return is_all(a) ? b_.CreateNot(b) : b_.CreateSelect(a, b_.CreateNot(b), no_lanes());
}
Value* GangEmitter::either(Value* a, Value* b) {
  if (is_none(a) || is_all(b)) return b;
  if (is_none(b) || is_all(a)) return a;
  return b_.CreateOr(a, b);
}

}  // namespace lanewise::codegen::host
