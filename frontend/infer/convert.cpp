// Conversions, joins and conditions.
#include <algorithm>

#include "frontend/infer/function_inference.h"
#include "ir/error.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

Known known_item(const Known& known, size_t index) {
  if (index < known.items.size()) return known.items[index];
  return {};
}

std::optional<ValueType> join_arrays(const ValueType& a, const ValueType& b) {
  if (a.element != b.element || a.ndim != b.ndim) return std::nullopt;
  ValueType joined = a;
  if (a.layout != b.layout) joined.layout = Layout::Strided;
  if (a.space != b.space) joined.space = ir::Space::Generic;
  joined.writable = a.writable && b.writable;
  joined.unaligned = a.unaligned || b.unaligned;
  bool bytes = a.in_bytes() || b.in_bytes() || joined.unaligned;
  if (joined.layout != a.layout || a.layout != b.layout || (bytes && joined.layout == Layout::Strided))
    joined.layout = bytes ? Layout::Bytes : Layout::Strided;
  if (joined.is_place()) joined.layout = Layout::C;
  return joined;
}

Number number_of(const ValueType& type, const Known& known) {
  return {type.scalar, type.python, known.constant ? &*known.constant : nullptr};
}

}  // namespace

std::optional<ValueType> FunctionInference::join_types(const ValueType& a, const Known& ka,
                                                       const ValueType& b, const Known& kb) const {
  if (a.is_error() || b.is_error()) return ValueType::error();
  if (a.kind != b.kind && !(a.is_number() && b.is_number())) return std::nullopt;
  if (a.is_complex() || b.is_complex()) return join_complex(a, ka, b, kb);
  switch (a.kind) {
    case ValueType::Kind::Error: return a;
    case ValueType::Kind::None:
      return same_constant(ka.constant, kb.constant) ? std::optional(a) : std::nullopt;
    case ValueType::Kind::Array: return join_arrays(a, b);
    case ValueType::Kind::Scalar: {
      NumberType joined = joined_type(number_of(a, ka), number_of(b, kb), session_.python_float());
      return joined.python ? ValueType::python_number(joined.type) : ValueType::typed(joined.type);
    }
    case ValueType::Kind::Complex:  // see above
    case ValueType::Kind::Vector:
    case ValueType::Kind::Time: return a == b ? std::optional(a) : std::nullopt;
    case ValueType::Kind::Tuple: break;
  }
  if (a.items.size() != b.items.size()) return std::nullopt;
  std::vector<ValueType> items;
  for (size_t i = 0; i < a.items.size(); ++i) {
    std::optional<ValueType> item = join_types(a.items[i], known_item(ka, i), b.items[i], known_item(kb, i));
    if (!item) return std::nullopt;
    items.push_back(*item);
  }
  return ValueType::tuple(std::move(items), a.names == b.names ? a.names : TupleNames{});
}

std::optional<ValueType> FunctionInference::join_complex(const ValueType& a, const Known& ka,
                                                         const ValueType& b, const Known& kb) const {
  Number numbers[] = {number_of(a, ka), number_of(b, kb)};
  // Of a complex number there is no constant that the rules could look at.
  if (a.is_complex()) numbers[0].constant = nullptr;
  if (b.is_complex()) numbers[1].constant = nullptr;
  return complex_type(numbers);
}

TExprId FunctionInference::convert(TExprId id, const ValueType& type) {
  TExpr e = exprs_[id.index];
  if (e.type == type) return id;
  if (type.is_complex() && e.type.is_scalar()) {
    ValueType part = type.item(0);
    TExprId real = convert(id, part), imag = const_expr(part, 0.0, e.range);
    return add({.kind = TExprKind::Tuple, .type = type, .range = e.range, .children = {real, imag}});
  }
  if (type.is_complex() && e.kind == TExprKind::Tuple) {
    for (TExprId& child : e.children) child = convert(child, type.item(0));
    e.type = type;
    return add(std::move(e));
  }
  if (e.kind == TExprKind::Const)
    return const_expr(type, convert_constant(constant_of(e.type, e.immediate), type.scalar), e.range);
  if (type.is_scalar() && e.type.scalar == type.scalar) {
    // A Python number held like the typed one, or the other way round.
    e.type = type;
    return add(std::move(e));
  }
  return add({.kind = TExprKind::Convert, .type = type, .range = e.range, .children = {id}});
}

TExprId FunctionInference::convert(Value& value, const ValueType& type) {
  if (!value.parts.empty() && type.has_items()) {
    if (value.type == type) return node(value);
    std::vector<TExprId> children;
    for (size_t i = 0; i < value.parts.size(); ++i) {
      TExprId child = convert(value.parts[i], type.item(i));
      if (!child.valid()) child = add({.kind = TExprKind::Tuple, .type = type.item(i), .range = value.range});
      children.push_back(child);
    }
    return add(
        {.kind = TExprKind::Tuple, .type = type, .range = value.range, .children = std::move(children)});
  }
  if (!value.expr.valid()) return value.expr;
  return convert(value.expr, type);
}

Value FunctionInference::converted(Value value, const ValueType& type) {
  if (value.is_error() || value.type == type) return value;
  if (type.is_complex() && value.is_number()) {
    bool real = value.is_scalar();
    Value zero = real ? number({0.0}, value.range) : Value{};
    std::vector<Value> parts = real ? std::vector<Value>{value, zero} : items(value);
    return make_complex(converted(parts[0], type.item(0)), converted(parts[1], type.item(1)), value.range);
  }
  Value out;
  out.expr = convert(value, type);
  out.type = type;
  out.range = value.range;
  if (type.is_scalar() && value.is_scalar()) {
    ir::Type from = value.type.scalar, to = type.scalar;
    bool keeps = to.is_float() || from.is_bool() || to.bits > from.bits ||
                 (to.bits == from.bits && !from.is_unsigned());
    out.known.non_negative = to.is_unsigned() || to.is_bool() || (value.known.non_negative && keeps);
  }
  if (value.known.constant && type.is_scalar() && out.expr.valid()) {
    out.known.constant = constant_of(type, exprs_[out.expr.index].immediate);
    out.known.non_negative = float_value(*out.known.constant).value_or(-1) >= 0;
  }
  return out;
}

bool FunctionInference::check_range(const Value& value, ir::Type type, std::string_view what) {
  if (!value.known.constant || !value.type.python || !(type.is_int())) return true;
  std::optional<Wide> integer = integer_value(*value.known.constant);
  if (!integer) {
    double real = *float_value(*value.known.constant);
    if (real != real) return true;
    bool far = real <= -0x1p65 || real >= 0x1p65;
    integer = far ? Wide{real < 0 ? -1 : 1} * (Wide{1} << 65) : static_cast<Wide>(real);  // truncates
  }
  if (fits(*integer, type)) return true;
  std::string name = to_string(ValueType::typed(type));
  Report& r = report(DiagnosticId::ConstantRange, value.range,
                     {spell(*value.known.constant), name, std::string(what)});
  if (*integer < 0 && type.is_unsigned())
    r.with_hint("`~np." + name + "(0)` has all bits set; a cast of a variable wraps");
  explain(r, value);
  return false;
}

Value FunctionInference::to_bool(Value value) {
  if (value.is_error()) return value;
  if (value.is_time()) value = ticks(std::move(value));
  if (value.is_scalar()) {
    if (value.type.scalar.is_bool()) return value;
    Value out = scalar(value.type.python ? ValueType::python_number(ir::kBool) : ValueType::typed(ir::kBool),
                       TExprId{}, value.range);
    out.expr = convert(value, out.type);
    if (value.known.constant) out.known.constant = constant_of(out.type, exprs_[out.expr.index].immediate);
    return out;
  }
  if (value.is_complex() && !value.known.constant) {
    std::vector<Value> parts = items(value);
    Value real = to_bool(parts[0]), imag = to_bool(parts[1]);
    return bool_op(OpKind::Or, real, imag, value.range);
  }
  if (value.known.constant && !value.deferred()) {
    if (std::optional<bool> known = truth(*value.known.constant)) return number({*known}, value.range);
  }
  if (value.is_tuple()) return number({!value.type.items.empty()}, value.range);
  Report& r = report(DiagnosticId::ConditionType, value.range, {describe(value)});
  if (is_whole(value))
    r.with_hint("`(...).any()` or `.all()` says it of all elements; `a.size > 0` of the size");
  explain(r, value);
  return error(value.range);
}

TExprId FunctionInference::to_index(Value& value, std::string_view what) {
  if (value.is_error()) return {};
  bool usable =
      value.is_scalar() && (value.type.scalar.is_int() || value.type.scalar.is_bool() || value.integral);
  if (!usable) {
    Report& r = report(DiagnosticId::IndexType, value.range, {std::string(what), describe(value)});
    if (value.is_scalar()) r.with_hint("`int(x)` truncates; `x // y` of integers stays an integer");
    explain(r, value);
    return {};
  }
  return convert(value, ValueType::python_number(ir::kI64));
}

}  // namespace lanewise::frontend::inference
