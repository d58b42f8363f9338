// Other views of the same memory: reshape, ravel, transpose, and `.flat`. What would need a copy is refused.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

// order= of reshape and ravel: the layout that the array must have.
std::optional<Layout> FunctionInference::order_of(const std::string& name, CallArguments& call,
                                                  const Value& array) {
  Layout order = Layout::C;
  for (auto& [keyword, value] : call.keywords) {
    auto* letter = value.object<std::string>();
    if (keyword != "order" || !letter || letter->size() != 1 || !std::strchr("CFAK", (*letter)[0])) {
      report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return std::nullopt;
    }
    bool same = *letter == "A" || *letter == "K";
    order = *letter == "F" || (same && array.type.layout == Layout::F) ? Layout::F : Layout::C;
  }
  return order;
}

Value FunctionInference::whole_size(Value& array, SourceRange range) {
  Value size = python_int(1, range);
  for (unsigned d = 0; d < array.type.ndim; ++d)
    size = binary(Operator::Mul, size, shape(array, d, range), range, range);
  return size;
}

Value FunctionInference::reshape(Value& array, std::vector<Value> dims, Layout order, SourceRange range) {
  // One dimension has the elements in the same order either way; so has one number.
  bool fits_order =
      array.type.layout == order ||
      (array.type.ndim <= 1 && (array.type.layout == Layout::C || array.type.layout == Layout::F));
  if (!fits_order) {
    Report& r =
        report(DiagnosticId::NotContiguous, range, {describe(array), order == Layout::C ? "C" : "Fortran"});
    r.with_hint(array.type.layout == Layout::F && order == Layout::C
                    ? "`order=\"F\"` reshapes it; or index the dimensions it has"
                    : "index the dimensions it has");
    explain(r, array);
    return error(range);
  }
  stabilise(array);
  Value v;
  v.type = array.type;
  v.type.ndim = static_cast<uint8_t>(dims.size());
  v.type.layout = dims.size() <= 1 ? Layout::C : order;
  v.range = range;
  v.known.memory = array.known.memory;
  std::vector<TExprId> children = {array.expr};
  for (Value& dim : dims) {
    children.push_back(dim.expr);
    v.known.items.push_back({.constant = dim.known.constant, .non_negative = true, .items = {}});
  }
  v.expr = add({.kind = TExprKind::Reshape, .type = v.type, .range = range, .children = std::move(children)});
  return v;
}

// a.reshape(2, -1), a.reshape((2, 3)), numpy.reshape(a, (2, 3), order="F").
Value FunctionInference::reshape_call(CallArguments& call) {
  SourceRange range = call.range;
  Value array = call.positional[0];
  if (expression_of(array)) return refuse_expression(array, "reshaped", range);
  if (!array.is_array()) {
    report(DiagnosticId::ArgumentType, array.range, {"reshape", "argument 1", "an array", describe(array)});
    return error(range);
  }
  std::optional<Layout> order = order_of("reshape", call, array);
  if (!order) return error(range);
  std::vector<Value> dims(call.positional.begin() + 1, call.positional.end());
  if (dims.size() == 1 && dims[0].is_tuple()) {
    Value shape_tuple = dims[0];
    dims = items(shape_tuple);
  }
  if (call.positional.size() < 2 || dims.size() > kMaxDimensions) {
    report(DiagnosticId::ArgumentCount, range,
           {"reshape", "a shape of up to 8 dimensions", std::to_string(dims.size())});
    return error(range);
  }
  Value rest = whole_size(array, range), size = rest;
  std::optional<size_t> open;
  Value known = python_int(1, range);
  for (size_t d = 0; d < dims.size(); ++d) {
    TExprId extent = to_index(dims[d], "an extent");
    if (!extent.valid()) return error(range);
    bool constant = dims[d].known.constant.has_value();
    if (constant && float_value(*dims[d].known.constant).value_or(0) < 0) {
      if (open) {
        report(DiagnosticId::ArgumentType, dims[d].range,
               {"reshape", "the shape", "known but for one extent", "-1 twice"});
        return error(range);
      }
      open = d;
      continue;
    }
    Value as_int = scalar(ValueType::python_number(ir::kI64), extent, dims[d].range);
    as_int.known.non_negative = true;
    dims[d] = constant ? python_int(index_value(*dims[d].known.constant).value_or(0), dims[d].range) : as_int;
    stabilise(dims[d]);
    known = binary(Operator::Mul, known, dims[d], range, range);
  }
  if (open) {
    dims[*open] = binary(Operator::FloorDiv, size, known, range, range);
    dims[*open].known.non_negative = true;
    stabilise(dims[*open]);
  }
  std::optional<int64_t> have = known_extent(size), want = known_extent(known);
  bool fits_size = !have || !want || (open ? *want != 0 && *have % *want == 0 : *have == *want);
  if (!fits_size) {
    std::vector<Value> from;
    for (unsigned d = 0; d < array.type.ndim; ++d) from.push_back(shape(array, d, range));
    report(DiagnosticId::ShapeMismatch, range, {spell_extents(from), spell_extents(dims)});
    return error(range);
  }
  return reshape(array, std::move(dims), *order, range);
}

Value FunctionInference::ravel(CallArguments& call) {
  Value array = call.positional[0];
  if (expression_of(array)) return flat(array, call.range);
  std::optional<Layout> order = array.is_array() ? order_of("ravel", call, array) : std::nullopt;
  if (!order) return error(call.range);
  Value size = whole_size(array, call.range);
  stabilise(size);
  return reshape(array, {size}, *order, call.range);
}

// All elements in C order: a view where they lie so, else an expression.
Value FunctionInference::flat(Value array, SourceRange range) {
  if (array.is_array() && (array.type.layout == Layout::C || array.type.ndim <= 1)) {
    if (array.type.ndim == 1) return array;
    Value size = whole_size(array, range);
    stabilise(size);
    return reshape(array, {size}, Layout::C, range);
  }
  ArrayExpressionPtr of = as_expression(array);
  if (!of) return error(range);
  ArrayExpression out = *of;
  Value size = python_int(1, range);
  for (const Value& extent : of->shape) size = binary(Operator::Mul, size, extent, range, range);
  stabilise(size);
  out.shape = {size};
  out.repeats.clear();
  for (ArrayExpression::Leaf& leaf : out.leaves) leaf.aligned = false, leaf.turns.reset();
  out.element = [this, of, range](std::span<const Value> indices) {
    Indices at(of->ndim());
    Value rest = indices[0];
    for (size_t d = of->ndim(); d-- > 0;) {
      stabilise(rest);
      at[d] = d == 0 ? rest : binary(Operator::Mod, rest, of->shape[d], range, range);
      if (d > 0) rest = binary(Operator::FloorDiv, rest, of->shape[d], range, range);
      at[d].known.non_negative = true;
    }
    return of->element(at);
  };
  return defer(std::move(out), range);
}

Value FunctionInference::transpose(Value array, const std::vector<unsigned>& axes, SourceRange range) {
  if (expression_of(array)) return transposed_expression(as_expression(array), axes, range);
  bool reversed = true, same = true;
  for (size_t d = 0; d < axes.size(); ++d) {
    reversed &= axes[d] == axes.size() - 1 - d;
    same &= axes[d] == d;
  }
  if (same) return array;
  Value v;
  v.type = array.type;
  bool contiguous = array.type.layout == Layout::C || array.type.layout == Layout::F;
  if (!reversed || !contiguous)
    v.type.layout = array.type.general_layout();
  else
    v.type.layout = array.type.layout == Layout::C ? Layout::F : Layout::C;
  v.range = range;
  v.known.memory = array.known.memory;
  for (unsigned axis : axes)
    v.known.items.push_back(axis < array.known.items.size()
                                ? array.known.items[axis]
                                : Known{.constant = {}, .non_negative = true, .items = {}});
  TExpr node{.kind = TExprKind::Transpose, .type = v.type, .range = range, .children = {array.expr}};
  if (!reversed) node.shape.assign(axes.begin(), axes.end());
  v.expr = add(std::move(node));
  return v;
}

// Constants that name each dimension once at most.
std::optional<std::vector<unsigned>> FunctionInference::axes_of(std::span<Value> values, size_t ndim) {
  std::vector<unsigned> axes;
  int64_t count = static_cast<int64_t>(ndim);
  for (Value& value : values) {
    std::optional<int64_t> at = value.known.constant ? index_value(*value.known.constant) : std::nullopt;
    int64_t axis = at.value_or(count);
    if (axis < 0) axis += count;
    bool usable = axis >= 0 && axis < count && !std::ranges::count(axes, static_cast<unsigned>(axis));
    if (!usable) {
      report(DiagnosticId::ArgumentType, value.range,
             {"transpose", "an axis", "a constant from 0 to " + std::to_string(count - 1) + ", each once",
              at ? std::to_string(*at) : describe(value)});
      return std::nullopt;
    }
    axes.push_back(static_cast<unsigned>(axis));
  }
  return axes;
}

// a.transpose(), a.transpose(1, 0, 2), a.transpose((1, 0, 2)), a.swapaxes(0, 1).
Value FunctionInference::transpose_call(const std::string& name, CallArguments& call) {
  Value array = call.positional[0];
  if (!is_whole(array)) return array;
  size_t ndim = array.is_array() ? array.type.ndim : expression_of(array)->ndim();
  std::vector<Value> given(call.positional.begin() + 1, call.positional.end());
  for (auto& [keyword, value] : call.keywords) {
    if (keyword != "axes" || !given.empty()) {
      report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return error(call.range);
    }
    given.push_back(value);
  }
  if (given.size() == 1 && given[0].is_tuple()) {
    Value all = given[0];
    given = items(all);
  }
  bool swap = name == "numpy.swapaxes";
  if (given.size() == 1 && given[0].object<HostValue::None>()) given.clear();
  std::vector<unsigned> axes(ndim);
  std::iota(axes.begin(), axes.end(), 0u);
  if (given.empty() && !swap) {
    std::ranges::reverse(axes);
    return transpose(array, axes, call.range);
  }
  if (given.size() != (swap ? 2 : ndim)) {
    report(DiagnosticId::ArgumentCount, call.range,
           {name, counted(swap ? 2 : ndim, "axis number"), std::to_string(given.size())});
    return error(call.range);
  }
  bool itself = swap && given[0].known.constant && given[1].known.constant &&
                same_constant(given[0].known.constant, given[1].known.constant);
  std::optional<std::vector<unsigned>> chosen =
      axes_of(std::span(given).first(itself ? 1 : given.size()), ndim);
  if (!chosen) return error(call.range);
  if (itself) return array;
  if (!swap)
    axes = *chosen;
  else
    std::swap(axes[(*chosen)[0]], axes[(*chosen)[1]]);
  return transpose(array, axes, call.range);
}

}  // namespace lanewise::frontend::inference
