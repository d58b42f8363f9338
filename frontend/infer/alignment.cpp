// What the address of a view is known to be a multiple of, so that bytes can be seen as wider elements. In:
// an array's expression. Out: a power of two, from 1 to 16.
#include <algorithm>

#include "frontend/infer/tree_facts.h"

namespace lanewise::frontend::inference {

using ir::OpKind;

namespace {

// Where arrays that the kernel makes lie.
constexpr unsigned kMost = 16;
// Of expressions that are looked into.
constexpr unsigned kMaxDepth = 8;

unsigned power_of_two_in(int64_t value) {
  unsigned power = kMost;
  while (value % power != 0) power /= 2;
  return power;
}

}  // namespace

// What a temporary, or a variable that is bound once, was set to.
const TExpr& TreeFacts::origin_of(TExprId node) const {
  for (unsigned depth = 0;; ++depth) {
    node = through_temporaries(node);
    const TExpr& e = exprs_[node.index];
    if (e.kind != TExprKind::Local) return e;
    const std::string& name = locals_[e.local.index].name;
    bool parameter = std::ranges::find(params_, e.local) != params_.end();
    if (depth == kMaxDepth || parameter || (!name.starts_with('.') && !bound_once(name))) return e;
    TExprId value;
    size_t sets = 0;
    for (const TStmt& s : stmts_) {
      bool sets_it = (s.kind == TStmtKind::Set || s.kind == TStmtKind::For) && s.local == e.local;
      sets += sets_it;
      if (sets_it) value = s.kind == TStmtKind::Set ? s.value : TExprId{};
    }
    if (sets != 1 || !value.valid()) return e;
    node = value;
  }
}

// A power of two that divides an integer. Integers wrap at more bits than these are, so that it holds of what
// is left of a sum or product, too.
unsigned TreeFacts::divisor_of(TExprId number, unsigned depth) const {
  if (depth == kMaxDepth) return 1;
  const TExpr& e = origin_of(number);
  if (e.kind == TExprKind::Const) {
    auto* value = std::get_if<int64_t>(&e.immediate);
    return value ? power_of_two_in(*value) : 1;
  }
  if (e.kind == TExprKind::Convert) {
    const TExpr& from = exprs_[e.children[0].index];
    bool integers =
        from.type.is_scalar() && from.type.scalar.is_int() && e.type.is_scalar() && e.type.scalar.is_int();
    return integers ? divisor_of(e.children[0], depth + 1) : 1;
  }
  if (e.kind != TExprKind::Op || !e.type.is_scalar() || !e.type.scalar.is_int()) return 1;
  switch (e.op) {
    case OpKind::Add:
    case OpKind::Sub:
      return std::min(divisor_of(e.children[0], depth + 1), divisor_of(e.children[1], depth + 1));
    case OpKind::Mul:
      return std::min(kMost, divisor_of(e.children[0], depth + 1) * divisor_of(e.children[1], depth + 1));
    case OpKind::Shl: {
      const TExpr& count = origin_of(e.children[1]);
      auto* bits = count.kind == TExprKind::Const ? std::get_if<int64_t>(&count.immediate) : nullptr;
      unsigned factor = bits && *bits >= 0 ? 1u << std::min<int64_t>(*bits, 4) : 1;
      return std::min(kMost, divisor_of(e.children[0], depth + 1) * factor);
    }
    default: return 1;
  }
}

unsigned TreeFacts::alignment_of(TExprId array, unsigned depth) const {
  const TExpr& e = origin_of(array);
  unsigned declared = e.type.unaligned ? 1 : std::min(kMost, e.type.element.alignment());
  if (depth == kMaxDepth) return declared;
  switch (e.kind) {
    case TExprKind::SharedArray:
    case TExprKind::LocalArray:
    case TExprKind::DynamicShared:
    case TExprKind::Data: return kMost;
    case TExprKind::Reinterpret:
    case TExprKind::Reshape:
    case TExprKind::Transpose: return std::max(declared, alignment_of(e.children[0], depth + 1));
    case TExprKind::View: break;
    default: return declared;
  }
  const ValueType& from = exprs_[e.children[0].index].type;
  if (from.layout == Layout::Bytes) return declared;
  // An offset is the sum of indices times strides times the element's size; strides are whole numbers.
  unsigned size = power_of_two_in(from.element.size()), alignment = alignment_of(e.children[0], depth + 1);
  for (const TSubscript& s : e.subscripts) {
    if (s.kind == TSubscript::Kind::Whole || s.kind == TSubscript::Kind::New) continue;
    const TExpr* step = s.step.valid() ? &origin_of(s.step) : nullptr;
    auto* by = step && step->kind == TExprKind::Const ? std::get_if<int64_t>(&step->immediate) : nullptr;
    bool forward = !step || (by && *by > 0);
    if (forward && !s.lower.valid()) continue;
    // A negative index counts from an end that may be anywhere.
    auto starts_positive = [&](TExprId id) {
      const TExpr& lower = origin_of(id);
      auto* value = lower.kind == TExprKind::Const ? std::get_if<int64_t>(&lower.immediate) : nullptr;
      return value && *value >= 0;
    };
    bool counts_from_start = forward && s.lower.valid() && (!s.wrap || starts_positive(s.lower));
    alignment = std::min(alignment,
                         counts_from_start ? std::min(kMost, size * divisor_of(s.lower, depth + 1)) : size);
  }
  return std::max(declared, alignment);
}

}  // namespace lanewise::frontend::inference
