// Loops over the elements of arrays, and what is assigned to whole views: one loop nest, nothing is
// allocated.
#include <algorithm>
#include <numeric>
#include <utility>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

// Calls `body` with the indices of an element, inside of a loop for each dimension.
void FunctionInference::for_each(std::span<const Value> shape, const LoopPlan& plan,
                                 const std::function<void(std::span<const Value>)>& body, SourceRange range) {
  size_t ndim = plan.order.size();
  Indices counters(ndim), indices(shape.size());  // by level, by dimension
  ValueType counter = ValueType::python_number(ir::kI64);
  // One of two numbers of a level, whichever way round the loops are nested.
  auto of_level = [&](std::span<const Value> by_dimension, size_t level) {
    const Value &a = by_dimension[plan.order[level]], &b = by_dimension[plan.order[ndim - 1 - level]];
    if (!plan.inside_out || ndim - 1 == 2 * level) return a;
    Value chosen = op_value(ir::OpKind::Select, counter, {plan.inside_out->expr, b.expr, a.expr}, range);
    stabilise(chosen);
    return chosen;
  };
  auto innermost = [&] {
    for (size_t level = 0; level < ndim; ++level) {
      Value index = counters[level];
      if (plan.inside_out && ndim - 1 != 2 * level)
        index = op_value(ir::OpKind::Select, counter,
                         {plan.inside_out->expr, counters[ndim - 1 - level].expr, index.expr}, range);
      stabilise(index);
      index.known.non_negative = true;
      indices[plan.order[level]] = std::move(index);
    }
    body(indices);
  };
  std::function<void(size_t)> nest = [&](size_t level) {
    if (level == ndim) return innermost();
    Value extent = of_level(shape, level), zero = python_int(0, range), one = python_int(1, range);
    if (known_extent(extent) == 1) {
      counters[level] = zero;
      return nest(level + 1);
    }
    Value start = zero, stop = extent, step = one, minus_one = python_int(-1, range);
    if (plan.backwards[plan.order[level]]) {
      start = binary(Operator::Sub, extent, one, range, range);
      stop = step = minus_one;
    }
    if (!plan.steps.empty()) {
      step = of_level(plan.steps, level);
      Value down = compare(Operator::Lt, step, zero, range);
      stabilise(down);
      Value last = binary(Operator::Sub, extent, one, range, range);
      start = op_value(ir::OpKind::Select, counter, {down.expr, last.expr, zero.expr}, range);
      stop = op_value(ir::OpKind::Select, counter, {down.expr, minus_one.expr, extent.expr}, range);
    }
    LocalId local = temporary(counter);
    counters[level] = scalar(counter, local_expr(local, range), range);
    std::vector<TStmtId> turn;
    element_loops_.emplace_back(local, out_);
    in_list(turn, [&] { nest(level + 1); });
    element_loops_.pop_back();
    emit({.kind = TStmtKind::For,
          .range = range,
          .local = local,
          .value = start.expr,
          .upper = stop.expr,
          .step = step.expr,
          .body = std::move(turn)});
  };
  nest(0);
}

// The innermost loop goes along what lies together in most of the arrays, the target before all; but inside
// of all others those along which something that is a loop of its own stays the same.
LoopPlan TreeFacts::contiguous_order(const Value* target, const ArrayExpression& source, size_t ndim) const {
  LoopPlan plan{std::vector<unsigned>(ndim), std::vector<bool>(ndim, false), {}, {}, false};
  std::iota(plan.order.begin(), plan.order.end(), 0u);
  int votes = 0;
  auto vote = [&](const ValueType& type, int weight) {
    if (type.ndim == ndim && (type.layout == Layout::C || type.layout == Layout::F))
      votes += type.layout == Layout::F ? weight : -weight;
  };
  if (target) vote(target->type, 2);
  for (const ArrayExpression::Leaf& leaf : source.leaves)
    if (leaf.aligned) vote(leaf.array.type, 1);
  if (votes > 0 && ndim > 1) std::ranges::reverse(plan.order);
  std::ranges::stable_partition(plan.order, [&](unsigned d) {
    size_t missing = ndim - source.ndim();
    return source.loops
               ? d >= missing && !(d - missing < source.repeats.size() && source.repeats[d - missing])
               : true;
  });
  return plan;
}

// Along which dimensions of `out` a part that is a loop of its own is the same.
void FunctionInference::note_repeats(ArrayExpression& out, const ArrayExpression& part) const {
  out.repeats.resize(out.ndim());
  size_t missing = out.ndim() - part.ndim();
  for (size_t d = 0; d < out.ndim(); ++d) {
    bool inside = d >= missing && d - missing < part.repeats.size() && part.repeats[d - missing];
    bool repeated = d < missing || (is_repeated(part.shape[d - missing]) && !is_repeated(out.shape[d]));
    out.repeats[d] = out.repeats[d] || inside || repeated;
  }
}

Value FunctionInference::hoisted(const ArrayExpression& of, const Indices& indices, SourceRange range) {
  auto is_counter = [&](const Value& index, LocalId counter) {
    return index.expr.valid() && exprs_[index.expr.index].kind == TExprKind::Local &&
           exprs_[index.expr.index].local == counter;
  };
  // Whoever asks for an element of something else than loops of this nest gets it where it is asked for.
  size_t level = element_loops_.size();
  bool known = std::ranges::all_of(indices, [&](const Value& index) {
    return known_extent(index).has_value() ||
           std::ranges::any_of(element_loops_, [&](auto& loop) { return is_counter(index, loop.first); });
  });
  for (; known && level > 0; --level) {
    LocalId counter = element_loops_[level - 1].first;
    if (std::ranges::any_of(indices, [&](const Value& index) { return is_counter(index, counter); })) break;
  }
  if (!known || level == element_loops_.size()) return of.element(indices);
  // The statements before the loop that is inside of the last one which it depends on.
  std::vector<TStmtId>* list = element_loops_[level].second;
  std::vector<std::pair<LocalId, std::vector<TStmtId>*>> inner(
      element_loops_.begin() + static_cast<ptrdiff_t>(level), element_loops_.end());
  element_loops_.resize(level);
  Value element = in_list(*list, [&] {
    Value v = of.element(indices);
    if (!v.is_error()) freeze(v);
    return v;
  });
  element_loops_.insert(element_loops_.end(), inner.begin(), inner.end());
  element.range = range;
  return element;
}

// Whether the source can be broadcast to the extents of the target; those that are only known of the source
// are taken from it. What only run time knows goes into `equal`.
bool FunctionInference::shapes_fit(std::vector<Value>& extents, const ArrayExpression& source,
                                   std::vector<ExtentPair>& equal, SourceRange range) {
  bool good = source.ndim() <= extents.size();
  for (size_t d = 0; d < source.ndim() && good; ++d) {
    Value& extent = extents[extents.size() - source.ndim() + d];
    std::optional<int64_t> wanted = known_extent(extent), there = known_extent(source.shape[d]);
    if (there == 1) continue;
    if (!there) {
      bool repeated = is_repeated(source.shape[d]) && !is_repeated(extent);
      must_equal(equal, source.shape[d], repeated ? python_int(1, range) : extent);
      continue;
    }
    good = wanted ? wanted == there : !extent.known.at_most_one;
    if (wanted || !good) continue;
    must_equal(equal, source.shape[d], extent);
    extent = source.shape[d];
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
  std::vector<int> to = broadcast_dimensions(source, extents);
  for (ArrayExpression::Leaf& leaf : out->leaves) {
    leaf.aligned = false;
    renumber(leaf, to, extents.size());
  }
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
  std::vector<ExtentPair> equal = from->equal;
  if (!shapes_fit(extents, *from, equal, range)) return;
  LoopPlan plan = contiguous_order(&target, *from, extents.size());
  if (std::shared_ptr<ArrayExpression> repeated = repeated_source(*from, extents)) from = repeated;
  std::vector<ArrayExpression::Leaf> unordered;
  if (!plan_overlap(target, node, *from, plan, unordered, range)) return;
  auto store_one = [&](std::span<const Value> indices) {
    Indices at = broadcast_indices(*from, extents, indices);
    Value element = from->loops || plan.ahead ? hoisted(*from, at, range) : from->element(at);
    store_element(target, indices, std::move(element), range);
  };
  auto store_all = [&] {
    bool outside = std::exchange(hoist_parts_, plan.ahead);
    for_each(extents, plan, store_one, range);
    hoist_parts_ = outside;
  };
  where_equal(
      equal, [&] { where_ordered(target, unordered, plan, store_all, range); }, range);
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
  std::vector<ExtentPair> equal;
  stabilise(extent);
  if (!known_extent(extent)) must_equal(equal, extent, python_int(static_cast<int64_t>(all.size()), range));
  auto store_all = [&] {
    for (size_t i = 0; i < all.size(); ++i) {
      Value index = python_int(static_cast<int64_t>(i), range);
      if (target.type.ndim == 1)
        store_element(target, std::span(&index, 1), all[i], range);
      else
        assign_elements(row(target, index.expr, false, range), all[i], range);
    }
  };
  where_equal(equal, store_all, range);
}

}  // namespace lanewise::frontend::inference
