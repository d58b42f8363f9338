// Making array expressions: operands, broadcasting, the type of an element; their attributes and subscripts.
#include "frontend/infer/array_expression.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr unsigned kMaxWeight = 1000;

const ValueType kIndex = ValueType::python_number(ir::kI64);

}  // namespace

void renumber(ArrayExpression::Leaf& leaf, std::span<const int> to, size_t ndim) {
  for (int& axis : leaf.axes)
    if (axis >= 0) axis = to[static_cast<size_t>(axis)];
  if (!leaf.turns) return;
  std::vector<bool> turns(ndim);
  for (size_t d = 0; d < to.size(); ++d)
    if (to[d] >= 0) turns[static_cast<size_t>(to[d])] = (*leaf.turns)[d];
  leaf.turns = std::move(turns);
}

const ArrayExpression* FunctionInference::expression_of(const Value& value) const {
  return dynamic_cast<const ArrayExpression*>(value.deferred());
}

void FunctionInference::hold(Value& value) {
  bound_once(value.origin.name) ? stabilise(value) : freeze(value);
}

// What an expression read when it was made may have been written since; then its value now is another one.
// Each name for memory counts as memory of its own, as everywhere in array expressions.
bool FunctionInference::is_current(const ArrayExpression& expression, SourceRange range) {
  if (expression.memory == state_.memory) return true;
  std::span<const uint64_t> stores(stored_.begin() + static_cast<ptrdiff_t>(expression.stored),
                                   stored_.end());
  bool anything = std::ranges::count(stores, uint64_t{0}) > 0;
  bool kept = std::ranges::all_of(expression.leaves, [&](const ArrayExpression::Leaf& leaf) {
    uint64_t memory = leaf.array.known.memory;
    bool other = memory != 0 && !anything && std::ranges::count(stores, memory) == 0;
    return other || leaf.array.type.space == ir::Space::Constant;
  });
  if (kept) return true;
  report(DiagnosticId::StaleExpression, range)
      .with_hint("assign it to an array where it is made: `t = gpu.local.array(n, dtype)`, `t[:] = ...`");
  return false;
}

ArrayExpressionPtr FunctionInference::as_expression(Value value) {
  if (auto* later = value.object<HostValue::Later>()) {
    auto expression = std::dynamic_pointer_cast<const ArrayExpression>(*later);
    if (expression) return is_current(*expression, value.range) ? expression : nullptr;
  }
  auto out = std::make_shared<ArrayExpression>();
  out->memory = state_.memory;
  out->stored = stored_.size();
  if (value.is_array()) {
    TExprId node = value.expr;
    hold(value);
    std::vector<int> axes(value.type.ndim);
    std::iota(axes.begin(), axes.end(), 0);
    out->leaves.push_back(
        {value, node, true, true, std::move(axes), std::vector<bool>(value.type.ndim, true)});
    for (unsigned d = 0; d < value.type.ndim; ++d) {
      Value extent = shape(value, d, value.range);
      stabilise(extent);
      out->shape.push_back(std::move(extent));
    }
    out->element = [this, value](std::span<const Value> indices) {
      return element_of(value, indices, value.range);
    };
    Indices zeros(value.type.ndim, scalar(kIndex, TExprId{}, value.range));
    out->sample = sample_of([&] {
      for (Value& zero : zeros) zero = python_int(0, value.range);
      return out->element(zeros);
    });
    return out;
  }
  if (!value.is_single()) {
    if (value.is_error()) return nullptr;
    Report& r = report(DiagnosticId::ArgumentType, value.range,
                       {"an array expression", "an operand", "an array or a number", describe(value)});
    explain(r, value);
    return nullptr;
  }
  hold(value);
  out->weight = 0;
  out->sample = value;
  out->element = [value](std::span<const Value>) { return value; };
  return out;
}

Value FunctionInference::element_of(const Value& array, std::span<const Value> indices, SourceRange range) {
  Subscripts all;
  all.all_indices = true;
  for (const Value& index : indices)
    all.list.push_back(
        {.kind = TSubscript::Kind::Index, .lower = index.expr, .upper = {}, .step = {}, .wrap = false});
  Value from = array;
  return subscript_array(from, all, range);
}

Value FunctionInference::defer(ArrayExpression expression, SourceRange range) {
  expression.owner = id_;
  expression.serial = ++deferred_;
  std::string dims;
  for (size_t d = 0; d < expression.ndim(); ++d) dims += d ? ", :" : ":";
  expression.description = "an array expression (" + to_string(expression.sample.type) + "[" + dims + "])";
  // What is to be said of an element was said when its type was found.
  expression.element = [this, make = std::move(expression.element)](std::span<const Value> indices) {
    size_t said = reports_.size();
    Value v = make(indices);
    if (!v.is_error()) reports_.erase(reports_.begin() + static_cast<ptrdiff_t>(said), reports_.end());
    return v;
  };
  return object({HostValue::Later(std::make_shared<const ArrayExpression>(std::move(expression)))}, range);
}

Value FunctionInference::named_expression(const ArrayExpression& expression, SourceRange range) {
  auto named = std::make_shared<ArrayExpression>(expression);
  for (ArrayExpression::Leaf& leaf : named->leaves) leaf.fixed = false;
  named_deferred_ = true;
  return object({HostValue::Later(std::move(named))}, range);
}

std::optional<std::string> TreeFacts::contained_expression(const Value& tuple) const {
  if (!tuple.is_tuple()) return std::nullopt;
  for (const Known& item : tuple.known.items)
    if (item.constant && std::holds_alternative<HostValue::Later>(item.constant->value))
      return describe_object(*item.constant);
  return std::nullopt;
}

Value FunctionInference::sample_of(const std::function<Value()>& make) {
  Mark start = mark();
  std::vector<TStmtId> scratch;
  auto loops = std::exchange(element_loops_, {});  // nothing of it may get into them
  Value v = in_list(scratch, make);
  element_loops_ = std::move(loops);
  Reports said(reports_.begin() + static_cast<ptrdiff_t>(start.reports), reports_.end());
  rollback(start);
  for (Report& r : said) reports_.push_back(std::move(r));
  v.expr = {};
  v.parts.clear();
  v.known.constant.reset();
  v.known.items.clear();
  v.origin = {};
  return v;
}

std::optional<Value> FunctionInference::element_sample(const std::vector<ArrayExpressionPtr>& parts,
                                                       const Combine& combine, SourceRange range) {
  Value sample = sample_of([&] {
    std::vector<Value> elements;
    for (const ArrayExpressionPtr& part : parts) {
      Value element = part->sample;
      if (!element.expr.valid()) element.expr = local_expr(temporary(element.type), range);
      elements.push_back(std::move(element));
    }
    return combine(elements);
  });
  if (sample.is_error()) return std::nullopt;
  if (sample.is_single()) return sample;
  not_supported(range, "a function with several results of whole arrays", "call it for each element");
  return std::nullopt;
}

Value FunctionInference::elementwise(std::vector<Value> operands, Combine combine, SourceRange range) {
  std::vector<ArrayExpressionPtr> parts;
  ArrayExpression out;
  out.memory = state_.memory;
  out.stored = stored_.size();
  for (Value& operand : operands) {
    ArrayExpressionPtr part = operand.is_error() ? nullptr : as_expression(operand);
    if (!part) return error(range);
    out.weight += part->weight;
    out.loops |= part->loops;
    for (const auto& [a, b] : part->equal) must_equal(out.equal, a, b);
    parts.push_back(std::move(part));
  }
  if (out.weight > kMaxWeight) {
    not_supported(range, "an array expression of more than " + std::to_string(kMaxWeight) + " operations",
                  "assign parts of it to arrays");
    return error(range);
  }
  std::optional<Value> sample = element_sample(parts, combine, range);
  if (!sample || !broadcast(parts, out, range)) return error(range);
  out.sample = std::move(*sample);
  for (const ArrayExpressionPtr& part : parts) {
    bool whole = part->ndim() == out.ndim();
    for (size_t d = 0; d < part->ndim() && whole; ++d)
      whole = !is_repeated(part->shape[d]) || is_repeated(out.shape[d]);
    if (part->loops) note_repeats(out, *part);
    std::vector<int> to = broadcast_dimensions(*part, out.shape);
    for (ArrayExpression::Leaf leaf : part->leaves) {
      leaf.aligned &= whole;
      renumber(leaf, to, out.ndim());
      out.leaves.push_back(std::move(leaf));
    }
  }
  out.element = [this, parts, range, extents = out.shape,
                 combine = std::move(combine)](std::span<const Value> indices) {
    std::vector<Value> elements;
    for (size_t i = 0; i < parts.size(); ++i) {
      size_t first = static_cast<size_t>(std::ranges::find(parts, parts[i]) - parts.begin());
      if (first < i) {
        stabilise(elements[first]);
        elements.push_back(elements[first]);
      } else {
        Indices at = broadcast_indices(*parts[i], extents, indices);
        elements.push_back(parts[i]->loops || hoist_parts_ ? hoisted(*parts[i], at, range)
                                                           : parts[i]->element(at));
      }
    }
    return combine(elements);
  };
  return defer(std::move(out), range);
}

// Extents known to be 1 are repeated; others must be the same, now or at run time.
bool FunctionInference::broadcast(const std::vector<ArrayExpressionPtr>& parts, ArrayExpression& out,
                                  SourceRange range) {
  std::vector<Value>& shape = out.shape;
  size_t ndim = 0;
  for (const ArrayExpressionPtr& part : parts) ndim = std::max(ndim, part->ndim());
  shape.assign(ndim, python_int(1, range));
  for (size_t d = 0; d < ndim; ++d) {
    const ArrayExpression* from = nullptr;
    for (const ArrayExpressionPtr& part : parts) {
      size_t missing = ndim - part->ndim();
      if (d < missing) continue;
      const Value& extent = part->shape[d - missing];
      std::optional<int64_t> here = known_extent(extent), before = known_extent(shape[d]);
      if (is_repeated(extent)) {
        if (before == 1 && here != 1) shape[d] = extent;  // there may be none
        continue;
      }
      if (here && before && *before != 1 && *before != *here) {
        report(DiagnosticId::ShapeMismatch, range, {spell_extents(from->shape), spell_extents(part->shape)});
        return false;
      }
      if (!is_repeated(shape[d]) && !(here && before)) must_equal(out.equal, shape[d], extent);
      if (is_repeated(shape[d]) || (here && !before)) shape[d] = extent, from = part.get();
    }
  }
  // What has at most one element along a longer dimension must have it.
  for (const ArrayExpressionPtr& part : parts)
    for (size_t d = 0; d < part->ndim(); ++d) {
      const Value& extent = part->shape[d];
      bool repeated = is_repeated(extent) && !is_repeated(shape[ndim - part->ndim() + d]);
      if (repeated && !known_extent(extent)) must_equal(out.equal, extent, python_int(1, range));
    }
  return true;
}

Indices FunctionInference::broadcast_indices(const ArrayExpression& part, std::span<const Value> shape,
                                             std::span<const Value> indices) {
  Indices out;
  size_t missing = shape.size() - part.ndim();
  for (size_t d = 0; d < part.ndim(); ++d) {
    bool repeated = is_repeated(part.shape[d]) && !is_repeated(shape[missing + d]);
    out.push_back(repeated ? python_int(0, indices[missing + d].range) : indices[missing + d]);
  }
  return out;
}

// The dimension of `shape` that each dimension of the part is, -1 of those that are repeated.
std::vector<int> TreeFacts::broadcast_dimensions(const ArrayExpression& part,
                                                 std::span<const Value> shape) const {
  std::vector<int> to;
  size_t missing = shape.size() - part.ndim();
  for (size_t d = 0; d < part.ndim(); ++d) {
    bool repeated = is_repeated(part.shape[d]) && !is_repeated(shape[missing + d]);
    to.push_back(repeated ? -1 : static_cast<int>(missing + d));
  }
  return to;
}

// Where a value is wanted that has memory of its own.
Value FunctionInference::refuse_expression(const Value& value, std::string what, SourceRange range) {
  report(DiagnosticId::ExpressionEscapes, range,
         {std::move(what), contained_expression(value).value_or(describe(value))})
      .with_hint("assign it to an array first: `t = gpu.local.array(n, dtype)`, `t[:] = ...`");
  return error(range);
}

Value FunctionInference::expression_attribute(const Value& base, const Expr& e) {
  const ArrayExpression& of = *expression_of(base);
  if (e.text == "shape") return tuple(of.shape, e.range);
  if (e.text == "ndim") return python_int(static_cast<int64_t>(of.ndim()), e.range);
  if (e.text == "size") {
    Value size = python_int(1, e.range);
    for (const Value& extent : of.shape) size = binary(Operator::Mul, size, extent, e.range, e.range);
    return size;
  }
  if (e.text == "dtype") return object({HostValue::DType{of.sample.type.element_type(), false}}, e.range);
  if (e.text == "T") {
    std::vector<unsigned> axes;
    for (size_t d = of.ndim(); d-- > 0;) axes.push_back(static_cast<unsigned>(d));
    return transposed_expression(as_expression(base), std::move(axes), e.range);
  }
  if (e.text == "real" || e.text == "imag")
    return elementwise(
        {base}, [this, &e](std::vector<Value>& v) { return attribute(v[0], e); }, e.range);
  report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  return error(e.range);
}

Value FunctionInference::transposed_expression(const ArrayExpressionPtr& of, std::vector<unsigned> axes,
                                               SourceRange range) {
  if (!of) return error(range);
  ArrayExpression out = *of;
  out.repeats.resize(axes.size());
  for (size_t d = 0; d < axes.size(); ++d) {
    out.shape[d] = of->shape[axes[d]];
    out.repeats[d] = axes[d] < of->repeats.size() && of->repeats[axes[d]];
  }
  std::vector<int> to(axes.size());
  for (size_t d = 0; d < axes.size(); ++d) to[axes[d]] = static_cast<int>(d);
  for (ArrayExpression::Leaf& leaf : out.leaves) {
    leaf.aligned &= out.ndim() < 2;
    renumber(leaf, to, out.ndim());
  }
  out.element = [of, axes](std::span<const Value> indices) {
    Indices from(indices.begin(), indices.end());
    for (size_t d = 0; d < axes.size(); ++d) from[axes[d]] = indices[d];
    return of->element(from);
  };
  return defer(std::move(out), range);
}

// An index as Python reads it, as one that is not negative.
Value FunctionInference::wrapped_index(Value& index, const Value& extent) {
  TExprId node = to_index(index, "an index");
  if (!node.valid()) return error(index.range);
  Value i = scalar(kIndex, node, index.range);
  i.known = index.known;
  if (exprs_[node.index].kind == TExprKind::Const)
    i = python_int(std::get<int64_t>(exprs_[node.index].immediate), index.range);
  if (i.known.non_negative) {
    hold(i);
    return i;
  }
  stabilise(i);
  Value zero = python_int(0, index.range);
  Value negative = compare(Operator::Lt, i, zero, index.range);
  Value sum = binary(Operator::Add, i, extent, index.range, index.range);
  Value out = op_value(OpKind::Select, kIndex,
                       {convert(negative, ValueType::typed(ir::kBool)), sum.expr, i.expr}, index.range);
  freeze(out);
  out.known.non_negative = true;
  return out;
}

// Indices pick elements; dimensions may be left whole or added.
Value FunctionInference::subscript_expression(const Value& base, const Expr& e) {
  std::vector<Written> written;
  Value array = base;
  if (!written_subscripts(array, e, written)) return error(e.range);
  ArrayExpressionPtr of = as_expression(base);
  if (!of || !expand_ellipsis(base, of->ndim(), e, written)) return error(e.range);
  Indices fixed(of->ndim());
  std::vector<std::optional<size_t>> kept;  // of each dimension of the result: the one it was
  size_t dimension = 0;
  for (Written& w : written) {
    if (w.kind == Written::Kind::New) {
      kept.push_back(std::nullopt);
      continue;
    }
    size_t d = dimension++;
    if (w.kind == Written::Kind::Index) {
      fixed[d] = wrapped_index(w.bounds[0], of->shape[d]);
      if (fixed[d].is_error()) return error(e.range);
      continue;
    }
    if (w.given[0] || w.given[1] || w.given[2])
      return not_supported(e.range, "slicing an array expression", "slice its operands: `a[1:] + b[1:]`");
    kept.push_back(d);
  }
  return part_of(of, fixed, kept, e.range);
}

// The expression with some indices fixed; `kept` says of each dimension of the result which one it was, if
// any.
Value FunctionInference::part_of(const ArrayExpressionPtr& of, const Indices& fixed,
                                 const std::vector<std::optional<size_t>>& kept, SourceRange range) {
  if (kept.empty()) return element_where_equal(of, fixed, range);
  ArrayExpression out = *of;
  out.shape.clear(), out.repeats.clear();
  for (const std::optional<size_t>& d : kept) {
    out.shape.push_back(d ? of->shape[*d] : python_int(1, range));
    out.repeats.push_back(d && *d < of->repeats.size() && of->repeats[*d]);
  }
  bool all = kept.size() == of->ndim();
  for (size_t d = 0; d < kept.size(); ++d) all &= kept[d] == d;
  std::vector<int> to(of->ndim(), -1);
  size_t left = 0;
  for (size_t d = 0; d < kept.size(); ++d)
    if (kept[d]) to[*kept[d]] = static_cast<int>(d), ++left;
  for (ArrayExpression::Leaf& leaf : out.leaves) {
    leaf.aligned &= all;
    renumber(leaf, to, out.ndim());
    if (left < of->ndim()) leaf.turns.reset();  // an index that may be anything
  }
  out.element = [of, fixed, kept](std::span<const Value> indices) {
    Indices from = fixed;
    for (size_t d = 0; d < kept.size(); ++d)
      if (kept[d]) from[*kept[d]] = indices[d];
    return of->element(from);
  };
  return defer(std::move(out), range);
}

// One element of an expression whose arrays may not go together.
Value FunctionInference::element_where_equal(const ArrayExpressionPtr& of, const Indices& at,
                                             SourceRange range) {
  if (of->equal.empty() || !of->sample.is_number()) return of->element(at);
  LocalId found = temporary(of->sample.type);
  Value nothing = converted(python_int(0, range), of->sample.type);
  set(found, node(nothing), range);
  auto keep = [&] {
    Value element = of->element(at);
    if (!element.is_error()) set(found, node(element), range);
  };
  where_equal(of->equal, keep, range);
  return scalar(of->sample.type, local_expr(found, range), range);
}

Value FunctionInference::expression_row(const Value& base, TExprId index, SourceRange range) {
  ArrayExpressionPtr of = as_expression(base);
  if (!of) return error(range);
  Indices fixed(of->ndim());
  fixed[0] = scalar(kIndex, index, range);
  fixed[0].known.non_negative = true;
  freeze(fixed[0]);
  std::vector<std::optional<size_t>> kept;
  for (size_t d = 1; d < of->ndim(); ++d) kept.push_back(d);
  return part_of(of, fixed, kept, range);
}

}  // namespace lanewise::frontend::inference
