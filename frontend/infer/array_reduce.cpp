// Reductions of array expressions: one loop nest with an accumulator, typed by the rules for numbers: sums of
// integers have 64 bits, sums of floats the precision of the data (float16 is summed in float32).
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

const std::map<std::string_view, Reduction> kReductions = {
    {"numpy.sum", Reduction::Sum},       {"numpy.prod", Reduction::Prod},
    {"numpy.min", Reduction::Min},       {"numpy.amin", Reduction::Min},
    {"numpy.max", Reduction::Max},       {"numpy.amax", Reduction::Max},
    {"numpy.nanmin", Reduction::NanMin}, {"numpy.nanmax", Reduction::NanMax},
    {"numpy.any", Reduction::Any},       {"numpy.all", Reduction::All},
    {"numpy.mean", Reduction::Mean},     {"numpy.argmin", Reduction::ArgMin},
    {"numpy.argmax", Reduction::ArgMax}};

bool is_sum(Reduction kind) {
  return kind == Reduction::Sum || kind == Reduction::Prod || kind == Reduction::Mean;
}
bool wants_least(Reduction kind) {
  return kind == Reduction::Min || kind == Reduction::NanMin || kind == Reduction::ArgMin;
}

// What every number of the type is at least, or at most.
ir::Immediate bound_of(ir::Type type, bool greatest) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (type.is_float()) return greatest ? kInfinity : -kInfinity;
  if (type.is_bool()) return int64_t{greatest};
  if (type.is_signed()) {
    int64_t most = INT64_MAX >> (64 - type.bits);
    return greatest ? most : -most - 1;
  }
  return greatest ? static_cast<int64_t>(UINT64_MAX >> (64 - type.bits)) : int64_t{0};
}

}  // namespace

// The accumulator before the first element.
Value FunctionInference::start_of(Reduction kind, const Value& sample, SourceRange range) {
  ValueType truth = ValueType::typed(ir::kBool);
  if (kind == Reduction::Any || kind == Reduction::All)
    return converted(number({kind == Reduction::All}, range), truth);
  if (sample.is_time() && (!is_sum(kind) || (kind != Reduction::Prod && !sample.type.time.is_date))) {
    // NaT is the least of all counts.
    int64_t count = is_sum(kind) ? 0 : wants_least(kind) ? INT64_MAX : INT64_MIN + 1;
    if (kind == Reduction::NanMin || kind == Reduction::NanMax) count = kNotATime;
    return as_time(ticks_constant(count, range), sample.type.time, range);
  }
  if (is_sum(kind)) {
    // The type of `s + x` for a Python variable s.
    bool whole = sample.type.is_scalar() && (sample.type.scalar.is_int() || sample.type.scalar.is_bool());
    ir::Type python = !whole ? session_.python_float() : sample.type.scalar == ir::kU64 ? ir::kU64 : ir::kI64;
    size_t said = reports_.size();
    Value sum = sample_of([&] {
      Value s = scalar(ValueType::python_number(python), TExprId{}, range), x = sample;
      s.expr = local_expr(temporary(s.type), range);
      x.expr = local_expr(temporary(x.type), range);
      return binary(Operator::Add, s, x, range, range);
    });
    if (sum.is_error()) return sum;
    reports_.erase(reports_.begin() + static_cast<ptrdiff_t>(said), reports_.end());
    return converted(python_int(kind == Reduction::Prod, range), sum.type);
  }
  if (!sample.is_scalar() ||
      !(sample.type.scalar.is_int() || sample.type.scalar.is_float() || sample.type.scalar.is_bool())) {
    Report& r = report(DiagnosticId::OperandTypes, range, {"<", describe(sample), describe(sample)});
    r.with_hint("such numbers have no order");
    return error(range);
  }
  ir::Immediate first = bound_of(sample.type.scalar, wants_least(kind));
  bool skips_nan = (kind == Reduction::NanMin || kind == Reduction::NanMax) && sample.type.scalar.is_float();
  if (skips_nan) first = std::numeric_limits<double>::quiet_NaN();
  return scalar(sample.type, const_expr(sample.type, first, range), range);
}

// NumPy's least or greatest: a NaN is both.
Value FunctionInference::extreme(Operator wanted, Value& total, Value& element, SourceRange range) {
  const ValueType type = total.type;
  stabilise(element);
  Value better = compare(wanted, element, total, range);
  if (type.scalar.is_float() || type.is_time()) {
    Value nan = compare(Operator::Ne, element, element, range);
    better = bool_op(OpKind::Or, better, nan, range);
  }
  TExprId chosen = convert(better, ValueType::typed(ir::kBool));
  if (type.is_time()) {
    Value a = ticks(element), b = ticks(total);
    return as_time(op_value(OpKind::Select, a.type, {chosen, a.expr, b.expr}, range), type.time, range);
  }
  return op_value(OpKind::Select, type, {chosen, element.expr, total.expr}, range);
}

Value FunctionInference::step_of(Reduction kind, Value& total, Value& element, SourceRange range) {
  switch (kind) {
    case Reduction::Sum:
    case Reduction::Mean: return binary(Operator::Add, total, element, range, range);
    case Reduction::Prod: return binary(Operator::Mul, total, element, range, range);
    case Reduction::Min:
    case Reduction::Max:
      if (!total.type.scalar.is_bool())
        return extreme(kind == Reduction::Min ? Operator::Lt : Operator::Gt, total, element, range);
      [[fallthrough]];
    case Reduction::NanMin:
    case Reduction::NanMax:
      if (total.is_time())
        return time_extreme(wants_least(kind) ? OpKind::Min : OpKind::Max, total, element, range);
      return min_max_of(wants_least(kind) ? OpKind::Min : OpKind::Max, {total, element}, range);
    case Reduction::Any:
    case Reduction::All: {
      Value truth = to_bool(element);
      return bool_op(kind == Reduction::Any ? OpKind::Or : OpKind::And, total, truth, range);
    }
    case Reduction::ArgMin:
    case Reduction::ArgMax: break;
  }
  return error(range);
}

Value FunctionInference::reduce(Reduction kind, const ArrayExpression& of, SourceRange range) {
  if (kind == Reduction::ArgMin || kind == Reduction::ArgMax) return reduce_arg(kind, of, range);
  Value total = start_of(kind, of.sample, range);
  if (total.is_error()) return error(range);
  const ValueType type = total.type;
  LocalId sum = temporary(type);
  set(sum, node(total), range);
  LoopPlan plan = contiguous_order(nullptr, of, of.ndim());
  auto turn = [&](std::span<const Value> indices) {
    Value so_far = scalar(type, local_expr(sum, range), range), element = of.element(indices);
    if (element.is_error()) return;
    Value next = step_of(kind, so_far, element, range);
    if (!next.is_error()) set(sum, convert(next, type), range);
  };
  where_equal(
      of.equal, [&] { for_each(of.shape, plan, turn, range); }, range);
  Value out = scalar(type, local_expr(sum, range), range);
  if (kind != Reduction::Mean) return out;
  Value count = python_int(1, range);
  for (const Value& extent : of.shape) count = binary(Operator::Mul, count, extent, range, range);
  return binary(Operator::Div, out, count, range, range);
}

// The index, counted along the last dimension first, of the first least or greatest element, or of the first
// NaN.
Value FunctionInference::reduce_arg(Reduction kind, const ArrayExpression& of, SourceRange range) {
  Value best = start_of(kind, of.sample, range);
  if (best.is_error()) return error(range);
  const ValueType type = best.type, integer = ValueType::python_number(ir::kI64);
  LocalId value = temporary(type), place = temporary(integer);
  set(value, best.expr, range);
  set(place, python_int(0, range).expr, range);
  LoopPlan plan = contiguous_order(nullptr, {}, of.ndim());
  auto turn = [&](std::span<const Value> indices) {
    Value element = of.element(indices), so_far = scalar(type, local_expr(value, range), range);
    if (element.is_error()) return;
    stabilise(element);
    Value better = compare(kind == Reduction::ArgMin ? Operator::Lt : Operator::Gt, element, so_far, range);
    if (type.scalar.is_float() || type.is_time()) {
      Value nan = compare(Operator::Ne, element, element, range);
      Value number_before = compare(Operator::Eq, so_far, so_far, range);
      nan = bool_op(OpKind::And, nan, number_before, range);
      better = bool_op(OpKind::Or, better, nan, range);
    }
    Value at = python_int(0, range);
    for (size_t d = 0; d < indices.size(); ++d) {
      Value base = binary(Operator::Mul, at, of.shape[d], range, range);
      at = binary(Operator::Add, base, indices[d], range, range);
    }
    TStmtId keep = make_set(value, element.expr, range), here = make_set(place, at.expr, range);
    emit({.kind = TStmtKind::If, .range = range, .value = better.expr, .body = {keep, here}});
  };
  where_equal(
      of.equal, [&] { for_each(of.shape, plan, turn, range); }, range);
  Value out = scalar(integer, local_expr(place, range), range);
  out.known.non_negative = true;
  return out;
}

// One number for each place of the other dimensions, computed where it is used.
Value FunctionInference::reduce_axes(Reduction kind, const ArrayExpressionPtr& of, std::vector<size_t> axes,
                                     bool keep, SourceRange range) {
  if (of->loops)
    return not_supported(range, "a sum or product of sums or products",
                         "assign the inner one to an array first");
  ArrayExpression out = *of;
  out.loops = true;
  out.shape.clear(), out.repeats.clear();
  std::vector<int> to(of->ndim(), -1);
  std::vector<bool> turns;
  for (size_t d = 0; d < of->ndim(); ++d) {
    bool reduced = std::ranges::count(axes, d) > 0;
    if (!reduced) to[d] = static_cast<int>(out.shape.size());
    if (reduced && !keep) continue;
    out.shape.push_back(reduced ? python_int(1, range) : of->shape[d]);
    turns.push_back(!reduced);
  }
  for (ArrayExpression::Leaf& leaf : out.leaves) {
    leaf.aligned = false;
    renumber(leaf, to, out.ndim());
    if (leaf.turns) leaf.turns = turns;
  }
  out.element = [this, of, axes, kind, keep, range](std::span<const Value> indices) {
    Indices at;
    size_t next = 0;
    for (size_t d = 0; d < of->ndim(); ++d) {
      bool reduced = std::ranges::count(axes, d) > 0;
      at.push_back(reduced ? Value{} : indices[next]);
      next += !reduced || keep;
    }
    ArrayExpression line;
    line.sample = of->sample;
    for (size_t axis : axes) line.shape.push_back(of->shape[axis]);
    line.element = [of, axes, at](std::span<const Value> k) {
      Indices all = at;
      for (size_t i = 0; i < axes.size(); ++i) all[axes[i]] = k[i];
      return of->element(all);
    };
    return reduce(kind, line, range);
  };
  out.sample = sample_of([&] {
    Indices zeros(out.ndim(), python_int(0, range));
    return out.element(zeros);
  });
  return out.sample.is_error() ? error(range) : defer(std::move(out), range);
}

// One constant, or a tuple of them: from the first dimension to the last.
std::optional<std::vector<size_t>> FunctionInference::axes_of_reduction(Value& axis, size_t ndim) {
  std::vector<Value> given = axis.is_tuple() ? items(axis) : std::vector<Value>{axis};
  std::vector<size_t> axes;
  int64_t count = static_cast<int64_t>(ndim);
  for (const Value& one : given) {
    std::optional<int64_t> at = one.known.constant ? index_value(*one.known.constant) : std::nullopt;
    if (!at) {
      not_supported(axis.range, "an axis that is not constant", "write the loop, or one statement an axis");
      return std::nullopt;
    }
    size_t d = static_cast<size_t>(*at < 0 ? *at + count : *at);
    if (*at < -count || *at >= count || std::ranges::count(axes, d) > 0) {
      report(DiagnosticId::IndexRange, axis.range, {std::to_string(*at), std::to_string(count)});
      return std::nullopt;
    }
    axes.push_back(d);
  }
  std::ranges::sort(axes);
  return axes;
}

// numpy.sum(a), a.sum(axis=0), ...
Value FunctionInference::reduce_call(const std::string& name, CallArguments& call) {
  SourceRange range = call.range;
  Reduction kind = kReductions.at(name);
  Value *axis = nullptr, *dtype = nullptr, *keepdims = nullptr;
  for (auto& [keyword, value] : call.keywords) {
    Value** slot = keyword == "axis"                    ? &axis
                   : keyword == "dtype" && is_sum(kind) ? &dtype
                   : keyword == "keepdims"              ? &keepdims
                                                        : nullptr;
    if (!slot) {
      report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return error(range);
    }
    if (!value.object<HostValue::None>()) *slot = &value;
  }
  size_t count = call.positional.size();
  if (count < 1 || count > 2 || (count == 2 && axis)) {
    report(DiagnosticId::ArgumentCount, range, {name, "an array, and perhaps an axis", count_text(call)});
    return error(range);
  }
  if (count == 2 && !call.positional[1].object<HostValue::None>()) axis = &call.positional[1];
  Value array = call.positional[0];
  if (array.is_single()) {  // a number is an array without dimensions
    if (kind == Reduction::ArgMin || kind == Reduction::ArgMax) return python_int(0, range);
    return kind == Reduction::Any || kind == Reduction::All ? to_bool(array) : array;
  }
  if (dtype) {
    std::optional<ElementType> type = dtype_of(*dtype);
    if (!type) {
      report(DiagnosticId::ArgumentType, dtype->range,
             {name, "the dtype", "a type such as np.float32", describe(*dtype)});
      return error(range);
    }
    HostValue::DType to{*type, false};
    array = elementwise(
        {array}, [this, to, range](std::vector<Value>& v) { return cast(v[0], to, range); }, range);
  }
  ArrayExpressionPtr of = as_expression(array);
  if (!of) return error(range);
  bool keep = keepdims && keepdims->known.constant && truth(*keepdims->known.constant).value_or(false);
  std::vector<size_t> axes(of->ndim());
  std::iota(axes.begin(), axes.end(), size_t{0});
  if (axis) {
    std::optional<std::vector<size_t>> given = axes_of_reduction(*axis, of->ndim());
    if (!given) return error(range);
    axes = std::move(*given);
  }
  if (axes.empty()) return array;
  if (axes.size() == of->ndim() && !keep) return reduce(kind, *of, range);
  bool place = kind == Reduction::ArgMin || kind == Reduction::ArgMax;
  if (place && axes.size() > 1)
    return not_supported(range, "`" + name + "` along several axes", "leave `axis` out, or give one");
  return reduce_axes(kind, of, std::move(axes), keep, range);
}

// The mean of the squared distances from the mean: real, also of complex numbers.
Value FunctionInference::variance(Value array, bool root, SourceRange range) {
  if (!is_whole(array)) {
    report(DiagnosticId::ArgumentType, array.range,
           {root ? "std" : "var", "argument 1", "an array", describe(array)});
    return error(range);
  }
  if (array.is_array()) hold(array);
  ArrayExpressionPtr of = as_expression(array);
  if (!of) return error(range);
  Value mean = reduce(Reduction::Mean, *of, range);
  if (mean.is_error()) return error(range);
  Value squares = elementwise(
      {array, mean},
      [this, range](std::vector<Value>& v) {
        Value distance = binary(Operator::Sub, v[0], v[1], range, range);
        if (distance.is_error()) return distance;
        stabilise(distance);
        std::vector<Value> parts = distance.is_complex() ? items(distance) : std::vector<Value>{distance};
        Value square = binary(Operator::Mul, parts[0], parts[0], range, range);
        if (parts.size() == 1) return square;
        Value other = binary(Operator::Mul, parts[1], parts[1], range, range);
        return binary(Operator::Add, square, other, range, range);
      },
      range);
  ArrayExpressionPtr all = squares.is_error() ? nullptr : as_expression(squares);
  if (!all) return error(range);
  Value out = reduce(Reduction::Mean, *all, range);
  return root && !out.is_error() ? float_op(OpKind::Sqrt, {out}, range) : out;
}

// a @ b: one number for two vectors, else an expression whose elements are sums of products.
Value FunctionInference::matmul(Value left, Value right, SourceRange range) {
  ArrayExpressionPtr a = as_expression(left), b = a ? as_expression(right) : nullptr;
  if (!a || !b) return error(range);
  if (a->ndim() == 0 || b->ndim() == 0 || a->ndim() > 2 || b->ndim() > 2) {
    report(DiagnosticId::OperandTypes, range, {"@", describe(left), describe(right)})
        .with_hint("it multiplies arrays of one or two dimensions");
    return error(range);
  }
  if (a->loops || b->loops)
    return not_supported(range, "a product of products", "assign the inner one to an array first");
  std::vector<Value> lines = {a->shape.back()};
  ArrayExpression other;
  other.shape = {b->shape[0]};
  ArrayExpression out;
  for (const ArrayExpressionPtr& side : {a, b})
    for (const auto& [left_extent, right_extent] : side->equal)
      must_equal(out.equal, left_extent, right_extent);
  if (!shapes_fit(lines, other, out.equal, range)) return error(range);
  bool rows = a->ndim() == 2, columns = b->ndim() == 2;
  out.memory = state_.memory;
  out.stored = stored_.size();
  out.loops = true;
  out.weight = a->weight + b->weight;
  if (rows) out.shape.push_back(a->shape[0]);
  if (columns) out.shape.push_back(b->shape[1]);
  for (const ArrayExpressionPtr& side : {a, b})
    for (ArrayExpression::Leaf leaf : side->leaves) {
      leaf.aligned = false;
      leaf.turns.reset();
      out.leaves.push_back(std::move(leaf));
    }
  Combine product = [this, range](std::vector<Value>& v) {
    return binary(Operator::Mul, v[0], v[1], range, range);
  };
  std::optional<Value> sample = element_sample({a, b}, product, range);
  if (!sample) return error(range);
  // Of two vectors the one number is wanted here; else whoever wants the elements tests the extents.
  std::vector<ExtentPair> of_line;
  if (!rows && !columns) of_line = out.equal;
  out.element = [=, this, length = lines[0], sample = *sample](std::span<const Value> indices) {
    Indices at(indices.begin(), indices.end());
    ArrayExpression line;
    line.equal = of_line;
    line.sample = sample;
    line.shape = {length};
    line.element = [=](std::span<const Value> k) {
      Indices left_at, right_at;
      if (rows) left_at.push_back(at[0]);
      left_at.push_back(k[0]);
      right_at.push_back(k[0]);
      if (columns) right_at.push_back(at.back());
      std::vector<Value> factors = {a->element(left_at), b->element(right_at)};
      return product(factors);
    };
    return reduce(Reduction::Sum, line, range);
  };
  if (!rows && !columns) return out.element({});
  out.sample = sample_of([&] {
    Indices zeros(out.ndim(), python_int(0, range));
    return out.element(zeros);
  });
  return out.sample.is_error() ? error(range) : defer(std::move(out), range);
}

Value FunctionInference::reduce_sequence(Reduction kind, const std::string& name, Value& values,
                                         SourceRange range) {
  ArrayExpressionPtr of = as_expression(values);
  if (!of) return error(range);
  if (of->ndim() == 1) return reduce(kind, *of, range);
  report(DiagnosticId::ArgumentType, values.range,
         {name, "argument 1", "an array of one dimension", describe(values)})
      .with_hint("`np." + name + "()` is of all elements");
  return error(range);
}

// any(t), all(t) of a tuple or an array.
Value FunctionInference::truth_of_items(Reduction kind, const std::string& name, CallArguments& call) {
  Value& values = call.positional[0];
  if (is_whole(values)) return reduce_sequence(kind, name, values, call.range);
  if (!values.is_tuple()) {
    report(DiagnosticId::ArgumentType, values.range,
           {name, "argument 1", "an array or a tuple", describe(values)});
    return error(call.range);
  }
  Value out = number({kind == Reduction::All}, call.range);
  for (Value& item : items(values)) {
    Value truth = to_bool(item);
    out = bool_op(kind == Reduction::All ? OpKind::And : OpKind::Or, out, truth, call.range);
  }
  return out;
}

}  // namespace lanewise::frontend::inference
