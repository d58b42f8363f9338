// Extents of arrays that are used together: those that are known to be the same need nothing, the others are
// compared when the kernel runs. In: extents, each a number that stays. Out: the statements that may rely on
// them, behind a test.
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::OpKind;
using Kind = TSubscript::Kind;

std::optional<int64_t> TreeFacts::known_extent(const Value& extent) const {
  return extent.known.constant ? index_value(*extent.known.constant) : std::nullopt;
}

bool TreeFacts::is_repeated(const Value& extent) const {
  return extent.known.at_most_one || known_extent(extent) == 1;
}

std::string TreeFacts::spell_extents(std::span<const Value> shape) const {
  std::string out;
  for (const Value& extent : shape) {
    std::optional<int64_t> known = is_repeated(extent) ? 1 : known_extent(extent);
    out += (out.empty() ? "" : ", ") + (known ? std::to_string(*known) : "?");
  }
  return "(" + out + (shape.size() == 1 ? ",)" : ")");
}

bool TreeFacts::same_extent(const Value& a, const Value& b) const {
  if (same_value(a.expr, b.expr)) return true;
  auto shape_of = [&](const Value& extent) -> const TExpr* {
    const TExpr& e = exprs_[extent.expr.index];
    auto found = e.kind == TExprKind::Local ? extent_of_.find(e.local.index) : extent_of_.end();
    return found == extent_of_.end() ? nullptr : &exprs_[found->second.index];
  };
  const TExpr *x = shape_of(a), *y = shape_of(b);
  return x && y && same_dimension(x->children[0], x->index, y->children[0], y->index);
}

// Whether two arrays have the same extent in these dimensions.
bool TreeFacts::same_dimension(TExprId a, unsigned a_dimension, TExprId b, unsigned b_dimension) const {
  a = through_temporaries(a), b = through_temporaries(b);
  if (a == b) return a_dimension == b_dimension;
  const TExpr &x = exprs_[a.index], &y = exprs_[b.index];
  if (x.kind != y.kind) return false;
  if (x.kind == TExprKind::Local) {
    const std::string& name = locals_[x.local.index].name;
    return x.local == y.local && a_dimension == b_dimension && (name.starts_with('.') || bound_once(name));
  }
  if (x.kind == TExprKind::Transpose) {
    auto source = [&](const TExpr& e, unsigned d) {
      return e.shape.empty() ? e.type.ndim - 1 - d : static_cast<unsigned>(e.shape[d]);
    };
    return same_dimension(x.children[0], source(x, a_dimension), y.children[0], source(y, b_dimension));
  }
  if (x.kind == TExprKind::Component)
    return same_dimension(x.children[0], a_dimension, y.children[0], b_dimension);
  if (x.kind != TExprKind::View) return false;
  // The subscript that a dimension of the view comes from, and the dimension of the array that it is for.
  auto subscript = [](const TExpr& e, unsigned dimension, unsigned& source) {
    source = 0;
    for (const TSubscript& s : e.subscripts) {
      if (s.kind != Kind::Index && dimension-- == 0) return &s;
      source += s.kind != Kind::New;
    }
    return static_cast<const TSubscript*>(nullptr);
  };
  unsigned a_source = 0, b_source = 0;
  const TSubscript *s = subscript(x, a_dimension, a_source), *t = subscript(y, b_dimension, b_source);
  if (!s || !t || s->kind != t->kind || s->kind == Kind::New) return false;
  return (s->kind == Kind::Whole || same_length(*s, *t)) &&
         same_dimension(x.children[0], a_source, y.children[0], b_source);
}

// Of slices of the same dimension.
bool TreeFacts::same_length(const TSubscript& a, const TSubscript& b) const {
  bool same = same_value(a.lower, b.lower) && same_value(a.upper, b.upper) && same_value(a.step, b.step);
  if (same) return true;
  // How many elements less than all there are: `1:`, `:-1`, `2:-3`.
  auto less = [&](const TSubscript& s) -> std::optional<int64_t> {
    auto bound = [&](TExprId id) -> std::optional<int64_t> {
      if (!id.valid()) return 0;
      const TExpr& e = exprs_[id.index];
      return e.kind == TExprKind::Const ? std::optional(std::get<int64_t>(e.immediate)) : std::nullopt;
    };
    std::optional<int64_t> lower = bound(s.lower), upper = bound(s.upper);
    bool from_both_ends = !s.step.valid() && lower && upper && *lower >= 0 &&
                          (s.upper.valid() ? *upper < 0 && *upper > INT32_MIN : true) && *lower < INT32_MAX;
    return from_both_ends ? std::optional(*lower - *upper) : std::nullopt;
  };
  std::optional<int64_t> x = less(a), y = less(b);
  return x && x == y;
}

void TreeFacts::must_equal(std::vector<ExtentPair>& equal, const Value& a, const Value& b) const {
  if (same_extent(a, b)) return;
  for (const ExtentPair& pair : equal)
    if (same_extent(pair.first, a) && same_extent(pair.second, b)) return;
  equal.emplace_back(a, b);
}

void FunctionInference::where_equal(std::span<const ExtentPair> equal, const std::function<void()>& body,
                                    SourceRange range) {
  if (equal.empty()) return body();
  Value all;
  for (const ExtentPair& pair : equal) {
    Value a = pair.first, b = pair.second, same = compare(Operator::Eq, a, b, range);
    all = all.is_error() ? same : bool_op(OpKind::And, all, same, range);
  }
  std::vector<TStmtId> then, otherwise;
  in_list(then, body);
  in_list(otherwise, [&] {
    for (const ExtentPair& pair : equal) {
      Value a = pair.first, b = pair.second;
      auto failed_here = [&] {
        report_failure("ValueError", "`" + text(range) + "`: extents {} and {} do not go together", {a, b},
                       range);
      };
      if (equal.size() == 1) return failed_here();
      Value differ = compare(Operator::Ne, a, b, range);
      std::vector<TStmtId> failed;
      in_list(failed, failed_here);
      emit({.kind = TStmtKind::If, .range = range, .value = differ.expr, .body = std::move(failed)});
    }
  });
  emit({.kind = TStmtKind::If,
        .range = range,
        .value = convert(all, ValueType::typed(ir::kBool)),
        .body = std::move(then),
        .orelse = std::move(otherwise)});
}

}  // namespace lanewise::frontend::inference
