// Views as they were written: which part of an array a view is, and how two parts of one array lie to each
// other. In: nodes. Out: paths, differences, relations.
#include <algorithm>

#include "frontend/infer/tree_facts.h"

namespace lanewise::frontend::inference {

using ir::OpKind;
using Kind = TSubscript::Kind;

bool TreeFacts::bound_once(const std::string& name) const {
  auto found = binding_counts_.find(name);
  return found != binding_counts_.end() && found->second == 1;
}

TExprId TreeFacts::through_temporaries(TExprId node) const {
  while (node.valid() && exprs_[node.index].kind == TExprKind::Local) {
    auto found = view_of_.find(exprs_[node.index].local.index);
    if (found == view_of_.end()) break;
    node = found->second;
  }
  return node;
}

namespace {

// Into a field of the elements, or a part of complex numbers.
void enter_part(ViewPath& path, const TExpr& e) {
  bool whole = path.end - path.begin == path.size;
  path.size = e.type.element.size();
  path.first += e.kind == TExprKind::Component ? e.index * path.size : e.index;
  uint64_t count = 1;
  for (int64_t extent : e.shape) count *= static_cast<uint64_t>(extent);
  if (whole) path.begin = path.first, path.end = path.first + count * path.size;
  path.subscripts.resize(path.subscripts.size() + e.shape.size());
}

}  // namespace

// Views of views are put together where the inner one leaves whole dimensions only.
ViewPath TreeFacts::path_of(TExprId node) const {
  node = through_temporaries(node);
  const TExpr& e = exprs_[node.index];
  if (e.kind == TExprKind::Local) {
    uint64_t size = e.type.element.size();
    return {e.local, true, std::vector<TSubscript>(e.type.ndim), 0, size, 0, size};
  }
  bool part = e.kind == TExprKind::Field || e.kind == TExprKind::Component;
  bool derived = e.kind == TExprKind::View || e.kind == TExprKind::Transpose ||
                 e.kind == TExprKind::Reshape || e.kind == TExprKind::Convert ||
                 e.kind == TExprKind::Reinterpret || part;
  if (!derived) return {};
  ViewPath path = path_of(e.children[0]);
  bool same_size = e.kind == TExprKind::Reinterpret && path.size == e.type.element.size();
  path.known &= e.kind == TExprKind::View || part || same_size;
  if (!path.known || same_size) return path;
  if (part) {
    enter_part(path, e);
    return path;
  }
  size_t next = 0;
  for (TSubscript& s : path.subscripts) {
    if (s.kind == Kind::Index) continue;
    if (next == e.subscripts.size()) break;
    const TSubscript& outer = e.subscripts[next++];
    path.known &= outer.kind != Kind::New && (s.kind == Kind::Whole || outer.kind == Kind::Whole);
    if (s.kind == Kind::Whole) s = outer;
  }
  return path;
}

namespace {

// An i64 expression as something plus a constant; nothing if it is a constant.
struct Linear {
  TExprId base;
  int64_t offset = 0;
};

Linear linear(const std::vector<TExpr>& exprs, TExprId id) {
  const TExpr& e = exprs[id.index];
  if (e.kind == TExprKind::Const) return {{}, std::get<int64_t>(e.immediate)};
  bool sum =
      e.kind == TExprKind::Op && (e.op == OpKind::Add || e.op == OpKind::Sub) && e.type.scalar == ir::kI64;
  if (!sum) return {id, 0};
  auto constant = [&](TExprId child) {
    return exprs[child.index].kind == TExprKind::Const ? std::get_if<int64_t>(&exprs[child.index].immediate)
                                                       : nullptr;
  };
  bool minus = e.op == OpKind::Sub;
  if (const int64_t* right = constant(e.children[1])) {
    Linear left = linear(exprs, e.children[0]);
    int64_t by = minus ? -*right : *right;
    return __builtin_add_overflow(left.offset, by, &left.offset) ? Linear{id, 0} : left;
  }
  if (const int64_t* left = constant(e.children[0]); left && !minus) {
    Linear right = linear(exprs, e.children[1]);
    return __builtin_add_overflow(right.offset, *left, &right.offset) ? Linear{id, 0} : right;
  }
  return {id, 0};
}

}  // namespace

// Whether both are the same number at this point: constants, variables, and what is computed of them.
bool TreeFacts::same_value(TExprId a, TExprId b) const {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid();
  if (a == b) return true;
  const TExpr &x = exprs_[a.index], &y = exprs_[b.index];
  if (x.kind != y.kind || x.type != y.type || x.children.size() != y.children.size()) return false;
  switch (x.kind) {
    case TExprKind::Const: return x.immediate == y.immediate;
    case TExprKind::Local: return x.local == y.local;
    case TExprKind::Convert: break;
    case TExprKind::Op:
      if (x.op != y.op || ir::info(x.op).effect != ir::Effect::None) return false;
      break;
    default: return false;
  }
  for (size_t i = 0; i < x.children.size(); ++i)
    if (!same_value(x.children[i], y.children[i])) return false;
  return true;
}

std::optional<int64_t> TreeFacts::difference(TExprId a, TExprId b) const {
  Linear x = linear(exprs_, a), y = linear(exprs_, b);
  int64_t out = 0;
  if (!same_value(x.base, y.base) || __builtin_sub_overflow(x.offset, y.offset, &out)) return std::nullopt;
  return out;
}

// Whether two bounds count from the same end of a dimension.
bool TreeFacts::same_end(TExprId a, bool a_wraps, TExprId b, bool b_wraps) const {
  if (!a_wraps && !b_wraps) return true;
  Linear x = linear(exprs_, a), y = linear(exprs_, b);
  return !x.base.valid() && !y.base.valid() && (x.offset < 0) == (y.offset < 0);
}

// Whether all of `a` lies behind all of `b`, in a dimension where both go up from bounds that count from the
// same end.
bool TreeFacts::starts_after(const TSubscript& a, const TSubscript& b) const {
  bool first = a.kind == Kind::Index || a.kind == Kind::Slice;
  if (!first || !a.lower.valid() || (a.step.valid() && linear(exprs_, a.step).base.valid())) return false;
  if (a.step.valid() && linear(exprs_, a.step).offset < 0) return false;
  if (b.kind == Kind::Index) {
    if (!same_end(a.lower, a.wrap, b.lower, b.wrap)) return false;
    std::optional<int64_t> d = difference(a.lower, b.lower);
    return d && *d > 0;
  }
  if (b.kind != Kind::Slice || !b.upper.valid() || !same_end(a.lower, a.wrap, b.upper, b.wrap_upper))
    return false;
  if (b.step.valid() && (linear(exprs_, b.step).base.valid() || linear(exprs_, b.step).offset < 0))
    return false;
  std::optional<int64_t> d = difference(a.lower, b.upper);
  return d && *d >= 0;
}

DimensionRelation TreeFacts::relate(const TSubscript& target, const TSubscript& leaf) const {
  using Relation = DimensionRelation::Kind;
  if (starts_after(target, leaf) || starts_after(leaf, target)) return {Relation::Disjoint};
  if (target.kind == Kind::Index && leaf.kind == Kind::Index) {
    std::optional<int64_t> d = difference(leaf.lower, target.lower);
    bool both_constant = !linear(exprs_, leaf.lower).base.valid();
    bool same_end = !both_constant ||
                    (linear(exprs_, leaf.lower).offset < 0) == (linear(exprs_, target.lower).offset < 0);
    // The same place or another one: either way nothing is read after it was written.
    return {d && *d != 0 && same_end ? Relation::Disjoint : Relation::Same};
  }
  if (target.kind == Kind::Index || leaf.kind == Kind::Index) return {};
  return relate_slices(target, leaf);
}

bool TreeFacts::are_disjoint(TExprId a, TExprId b) const {
  ViewPath x = path_of(a), y = path_of(b);
  if (!x.known || !y.known || x.base != y.base) return false;
  if (x.apart(y)) return true;
  for (size_t d = 0; d < std::min(x.subscripts.size(), y.subscripts.size()); ++d)
    if (relate(x.subscripts[d], y.subscripts[d]).kind == DimensionRelation::Kind::Disjoint) return true;
  return false;
}

DimensionRelation TreeFacts::relate_slices(const TSubscript& target, const TSubscript& leaf) const {
  using Relation = DimensionRelation::Kind;
  if (!same_value(target.step, leaf.step)) return {};
  if (same_value(target.lower, leaf.lower)) return {Relation::Same};
  int64_t step = 1;
  if (target.step.valid()) {
    Linear known = linear(exprs_, target.step);
    if (known.base.valid()) return {};
    step = known.offset;
  }
  // Where a slice starts that is counted from the same end of the dimension; left out, it is the first.
  auto start = [&](const TSubscript& s) -> std::optional<Linear> {
    if (!s.lower.valid()) return step > 0 ? std::optional(Linear{}) : std::nullopt;
    Linear at = linear(exprs_, s.lower);
    bool from_front = at.base.valid() ? !s.wrap : at.offset >= 0;
    return from_front ? std::optional(at) : std::nullopt;
  };
  std::optional<Linear> from = start(leaf), to = start(target);
  if (!from || !to || !same_value(from->base, to->base)) return {};
  int64_t distance = from->offset - to->offset;
  if (distance % step != 0) return {Relation::Disjoint};
  return {Relation::Shifted, distance / step};
}

}  // namespace lanewise::frontend::inference
