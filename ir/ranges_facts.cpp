// Facts of one walk: stating them, forgetting them, and drawing them from conditions.
#include <algorithm>
#include <array>

#include "ir/ir.h"
#include "ir/ranges.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir {
namespace {

constexpr int kAssumeDepth = 16;  // conditions within conditions
constexpr int kNarrowDepth = 4;   // ops back from a compared value
constexpr int kQueryDepth = 3;
constexpr int kQueryBudget = 100;           // ops looked at per query
constexpr size_t kMaxDifferences = 32;      // looked at per query, the latest ones
constexpr Wide kMaxFactor = Wide{1} << 32;  // products with it fit 128 bits

// Cuts a single value off the ends.
Range without(Range range, const Range& value) {
  if (!value.single()) return range;
  if (range.lo == value.lo) ++range.lo;
  if (range.hi == value.lo) --range.hi;
  return range;
}

Wide divide_up(Wide a, Wide b) { return a >= 0 ? (a + b - 1) / b : -(-a / b); }
Wide divide_down(Wide a, Wide b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

Ranges::Ranges(const Function& function, const Tree& tree, const LaunchFacts& facts)
    : function_(function), tree_(tree), small_(facts.small), known_(function.values.size()) {
  for (uint32_t v = 0; v < known_.size(); ++v)
    if (tracks(function.type(ValueId{v}))) known_[v] = full_range(function.type(ValueId{v}));
  if (!function.is_kernel) return;
  for (ValueId param : function.params()) {
    if (!tracks(function.type(param))) continue;
    Range& known = known_[param.index];
    if (is_shape_parameter(function.values[param].name))
      known = intersection(known, {0, Wide{small_ ? kSmall : kMaxExtent}});
    else if (small_ && function.type(param) == kI64)
      known = {-Wide{kSmall}, Wide{kSmall}};
  }
}

Range Ranges::of(ValueId v, int depth) const {
  Range range = known_[v.index];
  if (depth == 0 || range.single() || !tracks(function_.type(v))) return range;
  bool outermost = budget_ == 0;
  if (outermost) budget_ = kQueryBudget;
  if (budget_ > 1) {
    --budget_;
    if (const Op* op = definition(v)) {
      Range again = intersection(range, computed(*op, v, depth));
      if (!again.empty()) range = again;  // else no thread comes here
    }
  }
  if (outermost) budget_ = 0;
  return range;
}

Range Ranges::computed(const Op& op, ValueId v, int depth) const {
  Type type = function_.type(v);
  if (op.kind == OpKind::Const) {
    Bits bits = bits_of(op.immediate, type);
    Wide value = type.is_signed() ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
    return {value, value};
  }
  if (auto special = special_range(op.kind)) return *special;
  if (op.kind == OpKind::If) {
    auto slot = static_cast<size_t>(std::find(op.results.begin(), op.results.end(), v) - op.results.begin());
    Range joined;
    for (RegionId arm : op.regions) {
      const Op& end = function_.ops[function_.regions[arm].ops.back()];
      if (end.kind == OpKind::Yield) joined = hull(joined, of(end.operands[slot], depth - 1));
    }
    return joined.empty() ? full_range(type) : joined;
  }
  if (!is_scalar_op(op.kind)) return full_range(type);
  Range operands[Signature::kMaxOperands];
  for (size_t i = 0; i < op.operands.size(); ++i) operands[i] = of(op.operands[i], depth - 1);
  Range range =
      result_range(op.kind, function_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]), type, operands);
  if (small_ && op.kind == OpKind::Mul && counts_threads(op))
    return {operands[0].lo * operands[1].lo, Wide{kSmall}};  // which does not wrap
  // a full range may be that of a difference that wraps
  if (op.kind != OpKind::Sub || differences_.empty() || range == full_range(type)) return range;
  Range known = intersection(range, difference(op.operands[0], op.operands[1]));
  return known.empty() ? range : known;
}

// The threads of the grid along an axis, or of the blocks before the own one.
bool Ranges::counts_threads(const Op& product) const {
  auto without_cast = [&](ValueId v) -> const Op* {
    const Op* op = definition(v);
    return op && op->kind == OpKind::Cast ? definition(op->operands[0]) : op;
  };
  const Op *a = without_cast(product.operands[0]), *b = without_cast(product.operands[1]);
  if (!a || !b) return false;
  for (auto [block, grid, size] : {std::array{OpKind::BlockIdX, OpKind::GridDimX, OpKind::BlockDimX},
                                   std::array{OpKind::BlockIdY, OpKind::GridDimY, OpKind::BlockDimY},
                                   std::array{OpKind::BlockIdZ, OpKind::GridDimZ, OpKind::BlockDimZ}})
    for (auto [one, other] : {std::pair{a, b}, std::pair{b, a}})
      if ((one->kind == block || one->kind == grid) && other->kind == size) return true;
  return false;
}

void Ranges::narrow(ValueId v, const Range& range) { narrow(v, range, 0); }

void Ranges::narrow(ValueId v, const Range& range, int depth) {
  if (!tracks(function_.type(v))) return;
  Range known = known_[v.index], narrowed = intersection(known, range);
  if (narrowed.empty()) return;  // no thread comes here
  if (narrowed != known) {
    undo_.push_back({v, known});
    known_[v.index] = narrowed;
  }
  if (depth <= 0) return;
  if (const Op* op = definition(v)) narrow_operands(*op, narrowed, depth - 1);
}

// What the result's range says of the operands, where the op does not wrap.
void Ranges::narrow_operands(const Op& op, const Range& range, int depth) {
  if (op.operands.empty() || !is_scalar_op(op.kind) || !tracks(function_.type(op.operands[0]))) return;
  Range a = of(op.operands[0], kQueryDepth);
  Range b = op.operands.size() > 1 ? of(op.operands[1], kQueryDepth) : Range{};
  Range full = full_range(function_.type(op.results[0]));
  switch (op.kind) {
    case OpKind::Cast:
      if (!full.within({0, 1}) && a.within(full)) narrow(op.operands[0], range, depth);
      return;
    case OpKind::Add:
      if (!Range{a.lo + b.lo, a.hi + b.hi}.within(full)) return;
      narrow(op.operands[0], {range.lo - b.hi, range.hi - b.lo}, depth);
      narrow(op.operands[1], {range.lo - a.hi, range.hi - a.lo}, depth);
      return;
    case OpKind::Sub:
      if (!Range{a.lo - b.hi, a.hi - b.lo}.within(full)) return;
      narrow(op.operands[0], {range.lo + b.lo, range.hi + b.hi}, depth);
      narrow(op.operands[1], {a.lo - range.hi, a.hi - range.lo}, depth);
      return;
    case OpKind::Mul:
      if (!b.single() || b.lo <= 0 || b.lo > kMaxFactor) return;
      if (a.lo * b.lo < full.lo || a.hi * b.lo > full.hi) return;
      narrow(op.operands[0], {divide_up(range.lo, b.lo), divide_down(range.hi, b.lo)}, depth);
      return;
    case OpKind::FloorDiv:
      if (!b.single() || b.lo <= 0 || b.lo > kMaxFactor) return;
      narrow(op.operands[0], {range.lo * b.lo, range.hi * b.lo + b.lo - 1}, depth);
      return;
    case OpKind::Min:
      narrow(op.operands[0], {range.lo, a.hi}, depth);
      narrow(op.operands[1], {range.lo, b.hi}, depth);
      return;
    case OpKind::Max:
      narrow(op.operands[0], {a.lo, range.hi}, depth);
      narrow(op.operands[1], {b.lo, range.hi}, depth);
      return;
    default: return;
  }
}

void Ranges::undo_to(size_t mark) {
  for (; undo_.size() > mark; undo_.pop_back()) {
    if (undo_.back().value.valid())
      known_[undo_.back().value.index] = undo_.back().before;
    else
      differences_.pop_back();
  }
}

void Ranges::assume(ValueId condition, bool truth) { assume(condition, truth, kAssumeDepth); }

void Ranges::assume(ValueId condition, bool truth, int depth) {
  narrow(condition, {truth, truth});
  const Op* op = definition(condition);
  if (!op || depth == 0) return;
  switch (op->kind) {
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge:
      if (tracks(function_.type(op->operands[0])))
        assume_compare(truth ? op->kind : negated_comparison(op->kind), op->operands[0], op->operands[1],
                       kNarrowDepth);
      return;
    case OpKind::Not: assume(op->operands[0], !truth, depth - 1); return;
    case OpKind::And:
    case OpKind::Or:
      if (truth != (op->kind == OpKind::And)) return;
      assume(op->operands[0], truth, depth - 1);
      assume(op->operands[1], truth, depth - 1);
      return;
    case OpKind::Cast:
      if (!tracks(function_.type(op->operands[0]))) return;
      if (!truth)
        narrow(op->operands[0], {0, 0}, kNarrowDepth);
      else
        narrow(op->operands[0], without(of(op->operands[0], kQueryDepth), {0, 0}), kNarrowDepth);
      return;
    case OpKind::If: {
      auto at = std::find(op->results.begin(), op->results.end(), condition);
      assume_if(*op, static_cast<size_t>(at - op->results.begin()), truth, depth - 1);
      return;
    }
    default: return;
  }
}

// `a and b` is `if a { yield b } else { yield false }`: where an arm cannot have given this result, the other
// ran.
void Ranges::assume_if(const Op& op, size_t result, bool truth, int depth) {
  for (size_t arm = 0; arm < 2; ++arm) {
    const Op& end = function_.ops[function_.regions[op.regions[arm]].ops.back()];
    const Op& other = function_.ops[function_.regions[op.regions[1 - arm]].ops.back()];
    if (end.kind != OpKind::Yield) continue;
    bool other_ran_not = other.kind != OpKind::Yield;
    if (!other_ran_not) {
      Range given = of(other.operands[result], 1);
      other_ran_not = given.single() && given.lo != Wide{truth};
    }
    if (!other_ran_not) continue;
    assume(op.operands[0], arm == 0, depth);
    assume(end.operands[result], truth, depth);
    return;
  }
}

void Ranges::define(ValueId v, const Range& range) {
  if (v.index >= known_.size()) known_.resize(v.index + 1);
  known_[v.index] = range;
}

void Ranges::alias(ValueId v, ValueId same_as) {
  aliases_.resize(known_.size());
  aliases_[v.index] = same_as;
}

void Ranges::assume_difference(ValueId a, ValueId b, Wide least) {
  Sum sa = without_offset(a), sb = without_offset(b);
  bool constant = of(sa.base, 1).single() || of(sb.base, 1).single();
  if (constant || sa.base == sb.base) return;  // the ranges say it all
  differences_.push_back({sa.base, sb.base, least - sa.offset + sb.offset});
  undo_.push_back({});
}

// Takes off constants that were added without wrapping, and conversions that keep the value.
Ranges::Sum Ranges::without_offset(ValueId v) const {
  Sum sum{v, 0};
  for (int depth = 0; depth < kNarrowDepth; ++depth) {
    if (sum.base.index < aliases_.size() && aliases_[sum.base.index].valid())
      sum.base = aliases_[sum.base.index];
    const Op* op = definition(sum.base);
    if (!op || !is_scalar_op(op->kind) || !tracks(function_.type(op->operands[0]))) return sum;
    Range full = full_range(function_.type(sum.base)), a = of(op->operands[0], 1);
    if (op->kind == OpKind::Cast && !full.within({0, 1}) && a.within(full)) {
      sum.base = op->operands[0];
      continue;
    }
    if (op->kind != OpKind::Add && op->kind != OpKind::Sub) return sum;
    Range b = of(op->operands[1], 1);
    bool swap = op->kind == OpKind::Add && a.single();
    if (swap) std::swap(a, b);
    Wide offset = op->kind == OpKind::Sub ? -b.lo : b.lo;
    if (!b.single() || !Range{a.lo + offset, a.hi + offset}.within(full)) return sum;
    sum = {op->operands[swap ? 1 : 0], sum.offset + offset};
  }
  return sum;
}

// What the stated differences say of a - b, as a number that does not wrap.
Range Ranges::difference(ValueId a, ValueId b) const {
  constexpr Wide kFar = Wide{1} << 66;
  Range range{-kFar, kFar};
  Sum sa = without_offset(a), sb = without_offset(b);
  Wide offset = sa.offset - sb.offset;
  size_t from = differences_.size() - std::min(differences_.size(), kMaxDifferences);
  for (size_t i = from; i < differences_.size(); ++i) {
    const Difference& fact = differences_[i];
    if (fact.a == sa.base && fact.b == sb.base) range.lo = std::max(range.lo, fact.least + offset);
    if (fact.b == sa.base && fact.a == sb.base) range.hi = std::min(range.hi, offset - fact.least);
  }
  return range;
}

void Ranges::assume_compare(OpKind compare, ValueId a, ValueId b) {
  if (tracks(function_.type(a))) assume_compare(compare, a, b, kNarrowDepth);
}

// The comparison is true.
void Ranges::assume_compare(OpKind kind, ValueId a, ValueId b, int depth) {
  Range ra = of(a, kQueryDepth), rb = of(b, kQueryDepth);
  if (kind == OpKind::Lt || kind == OpKind::Le) assume_difference(b, a, kind == OpKind::Lt);
  switch (kind) {
    case OpKind::Lt:
      narrow(a, {ra.lo, std::min(ra.hi, rb.hi - 1)}, depth);
      narrow(b, {std::max(rb.lo, ra.lo + 1), rb.hi}, depth);
      return;
    case OpKind::Le:
      narrow(a, {ra.lo, std::min(ra.hi, rb.hi)}, depth);
      narrow(b, {std::max(rb.lo, ra.lo), rb.hi}, depth);
      return;
    case OpKind::Gt: assume_compare(OpKind::Lt, b, a, depth); return;
    case OpKind::Ge: assume_compare(OpKind::Le, b, a, depth); return;
    case OpKind::Eq:
      narrow(a, rb, depth);
      narrow(b, ra, depth);
      return;
    default:
      narrow(a, without(ra, rb), depth);
      narrow(b, without(rb, ra), depth);
      return;
  }
}

}  // namespace lanewise::ir
