// Loops over the elements of arrays, and what is assigned to whole views: one loop nest, nothing is
// allocated.
#include <algorithm>
#include <numeric>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

// Calls `body` with the indices of an element, inside of a loop for each dimension.
void FunctionInference::for_each(std::span<const Value> shape, const LoopPlan& plan,
                                 const std::function<void(std::span<const Value>)>& body, SourceRange range) {
  Indices indices(shape.size());
  ValueType counter = ValueType::python_number(ir::kI64);
  std::function<void(size_t)> nest = [&](size_t level) {
    if (level == plan.order.size()) return body(indices);
    unsigned d = plan.order[level];
    if (known_extent(shape[d]) == 1) {
      indices[d] = python_int(0, range);
      return nest(level + 1);
    }
    LocalId local = temporary(counter);
    indices[d] = scalar(counter, local_expr(local, range), range);
    indices[d].known.non_negative = true;
    std::vector<TStmtId> turn;
    in_list(turn, [&] { nest(level + 1); });
    Value zero = python_int(0, range), one = python_int(1, range), minus_one = python_int(-1, range);
    Value last = plan.backwards[d] ? binary(Operator::Sub, shape[d], one, range, range) : zero;
    emit({.kind = TStmtKind::For,
          .range = range,
          .local = local,
          .value = last.expr,
          .upper = plan.backwards[d] ? minus_one.expr : shape[d].expr,
          .step = plan.backwards[d] ? minus_one.expr : one.expr,
          .body = std::move(turn)});
  };
  nest(0);
}

// The innermost loop goes along what lies together in most of the arrays, the target before all.
LoopPlan FunctionInference::contiguous_order(const Value* target,
                                             std::span<const ArrayExpression::Leaf> leaves,
                                             size_t ndim) const {
  LoopPlan plan{std::vector<unsigned>(ndim), std::vector<bool>(ndim, false)};
  std::iota(plan.order.begin(), plan.order.end(), 0u);
  int votes = 0;
  auto vote = [&](const ValueType& type, int weight) {
    if (type.ndim == ndim && (type.layout == Layout::C || type.layout == Layout::F))
      votes += type.layout == Layout::F ? weight : -weight;
  };
  if (target) vote(target->type, 2);
  for (const ArrayExpression::Leaf& leaf : leaves)
    if (leaf.aligned) vote(leaf.array.type, 1);
  if (votes > 0 && ndim > 1) std::ranges::reverse(plan.order);
  return plan;
}

// Whether the source can be broadcast to the extents of the target; those that are only known of the source
// are taken from it.
bool FunctionInference::shapes_fit(std::vector<Value>& extents, const ArrayExpression& source,
                                   SourceRange range) {
  bool good = source.ndim() <= extents.size();
  for (size_t d = 0; d < source.ndim() && good; ++d) {
    Value& extent = extents[extents.size() - source.ndim() + d];
    std::optional<int64_t> wanted = known_extent(extent), there = known_extent(source.shape[d]);
    if (!there || there == 1) continue;
    good = wanted ? wanted == there : !extent.known.at_most_one;
    if (!wanted && good) extent = source.shape[d];
  }
  if (!good)
    report(DiagnosticId::ShapeMismatch, range, {spell_extents(extents), spell_extents(source.shape)});
  return good;
}

// A source that is broadcast: its leaves are read again for other elements. Nothing if it is not.
std::shared_ptr<ArrayExpression> FunctionInference::repeated_source(const ArrayExpression& source,
                                                                    std::span<const Value> extents) const {
  size_t missing = extents.size() - source.ndim();
  bool repeated = missing > 0;
  for (size_t d = 0; d < source.ndim(); ++d)
    repeated |= is_repeated(source.shape[d]) && !is_repeated(extents[missing + d]);
  if (!repeated) return nullptr;
  auto out = std::make_shared<ArrayExpression>(source);
  for (ArrayExpression::Leaf& leaf : out->leaves) leaf.aligned = false;
  return out;
}

void FunctionInference::store_element(Value& array, std::span<const Value> indices, Value value,
                                      SourceRange range) {
  Subscripts all;
  all.all_indices = true;
  for (const Value& index : indices)
    all.list.push_back(
        {.kind = TSubscript::Kind::Index, .lower = index.expr, .upper = {}, .step = {}, .wrap = false});
  store(array, all, std::move(value), range);
}

// `target[...] = source`, for views and whole arrays; a number is repeated.
void FunctionInference::assign_elements(Value target, Value source, SourceRange range) {
  if (expression_of(target)) {
    refuse_expression(target, "written to", range);
    return;
  }
  if (source.is_error() || target.is_error() || !check_writable(target, range)) return;
  if (source.is_tuple() && target.type.ndim > 0) return assign_items(target, source, range);
  TExprId node = target.expr;
  stabilise(target);
  ArrayExpressionPtr from = as_expression(source);
  if (!from) return;
  std::vector<Value> extents;
  for (unsigned d = 0; d < target.type.ndim; ++d) {
    extents.push_back(shape(target, d, range));
    stabilise(extents.back());
  }
  if (!shapes_fit(extents, *from, range)) return;
  LoopPlan plan = contiguous_order(&target, from->leaves, extents.size());
  if (std::shared_ptr<ArrayExpression> repeated = repeated_source(*from, extents)) from = repeated;
  if (!plan_overlap(target, node, *from, plan, range)) return;
  for_each(
      extents, plan,
      [&](std::span<const Value> indices) {
        Value element = from->element(broadcast_indices(*from, extents, indices));
        store_element(target, indices, std::move(element), range);
      },
      range);
}

// `rgb[:] = r, g, b`: item by item.
void FunctionInference::assign_items(Value& target, Value& source, SourceRange range) {
  stabilise(target);
  std::vector<Value> all = items(source);
  Value extent = shape(target, 0, range);
  if (known_extent(extent) && known_extent(extent) != static_cast<int64_t>(all.size())) {
    report(DiagnosticId::ShapeMismatch, range,
           {spell_extents(std::span(&extent, 1)), "(" + std::to_string(all.size()) + ",)"});
    return;
  }
  for (Value& item : all) stabilise(item);
  for (size_t i = 0; i < all.size(); ++i) {
    Value index = python_int(static_cast<int64_t>(i), range);
    if (target.type.ndim == 1)
      store_element(target, std::span(&index, 1), all[i], range);
    else
      assign_elements(row(target, index.expr, false, range), all[i], range);
  }
}

}  // namespace lanewise::frontend::inference
