// Arithmetic on constants of which one at least is a typed number, and casts. The types are those of
// infer/number_rules.h and the values those of the IR's own ops, so that a module constant and the same
// expression inside a kernel agree.
#include <algorithm>
#include <cmath>

#include "frontend/host_numbers.h"
#include "frontend/infer/constants.h"
#include "frontend/infer/number_rules.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend {
namespace {

using ir::OpKind;

Number as_number(const HostValue& value) {
  ValueType type = type_of_number(value, ir::kF64);
  return {type.scalar, type.python, &value};
}

std::optional<OpKind> op_kind(Operator op) {
  switch (op) {
    case Operator::Add: return OpKind::Add;
    case Operator::Sub: return OpKind::Sub;
    case Operator::Mul: return OpKind::Mul;
    case Operator::Div: return OpKind::Div;
    case Operator::FloorDiv: return OpKind::FloorDiv;
    case Operator::Mod: return OpKind::FloorMod;
    case Operator::BitAnd: return OpKind::And;
    case Operator::BitOr: return OpKind::Or;
    case Operator::BitXor: return OpKind::Xor;
    default: return std::nullopt;
  }
}

HostValue apply(OpKind op, ir::Type type, const HostValue& a, const HostValue& b) {
  ir::Bits operands[] = {ir::bits_of(convert_constant(a, type), type),
                         ir::bits_of(convert_constant(b, type), type)};
  return make_typed(type, ir::immediate_of(ir::evaluate_scalar(op, type, type, operands), type));
}

std::optional<HostValue> typed_shift(Operator op, const HostValue& left, const HostValue& right) {
  std::optional<Wide> count = integer_value(right);
  if (!integer_value(left) || !count) return std::nullopt;
  Number a = as_number(left);
  ir::Type type = a.python ? a.type.is_bool() ? ir::kI64 : a.type : promoted(a.type);
  // Every count outside of 0..width-1 means the same.
  auto clipped = static_cast<int64_t>(*count < 0 || *count > 64 ? Wide{64} : *count);
  ir::Bits operands[] = {ir::bits_of(convert_constant(left, type), type), static_cast<ir::Bits>(clipped)};
  OpKind kind = op == Operator::Shl ? OpKind::Shl : OpKind::Shr;
  return make_typed(type, ir::immediate_of(ir::evaluate_scalar(kind, type, type, operands), type));
}

}  // namespace

std::optional<HostValue> typed_binary(Operator op, const HostValue& left, const HostValue& right) {
  if (op == Operator::Shl || op == Operator::Shr) return typed_shift(op, left, right);
  Number a = as_number(left), b = as_number(right);
  std::optional<Wide> divisor = integer_value(right);
  bool integers = integer_value(left) && divisor;
  bool bitwise = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
  if (bitwise && !integers) return std::nullopt;
  ir::Type type = arithmetic_type(a, b, ir::kF64).type;
  if (bitwise && a.type.is_bool() && b.type.is_bool()) type = ir::kBool;
  bool divides = op == Operator::Div || op == Operator::FloorDiv || op == Operator::Mod;
  if (divides && integers && *divisor == 0) return std::nullopt;
  if (op == Operator::Div && !type.is_float()) type = ir::kF64;
  if (op == Operator::Pow) return apply(type.is_float() ? OpKind::Pow : OpKind::IntPow, type, left, right);
  std::optional<OpKind> kind = op_kind(op);
  if (!kind) return std::nullopt;
  return apply(*kind, type, left, right);
}

std::optional<HostValue> typed_unary(Operator op, const HostValue& operand) {
  ir::Type type = as_number(operand).type;
  if (op == Operator::Invert && type.is_bool())
    return make_typed(type, int64_t{*integer_value(operand) == 0});
  type = promoted(type);
  ir::Bits bits = ir::bits_of(convert_constant(operand, type), type);
  if (op == Operator::Pos) return make_typed(type, ir::immediate_of(bits, type));
  if (op == Operator::Invert && type.is_float()) return std::nullopt;
  OpKind kind = op == Operator::Invert ? OpKind::Not : OpKind::Neg;
  return make_typed(type, ir::immediate_of(ir::evaluate_scalar(kind, type, type, &bits), type));
}

int compare_typed(const HostValue& left, const HostValue& right) {
  if (integer_value(left) && integer_value(right)) return compare_python(left, right);
  ir::Type type = arithmetic_type(as_number(left), as_number(right), ir::kF64).type;
  double a = std::get<double>(convert_constant(left, type)),
         b = std::get<double>(convert_constant(right, type));
  return a < b ? -1 : a == b ? 0 : a > b ? 1 : 2;
}

std::optional<HostValue> evaluate_cast(const HostValue::DType& type, const HostValue& value) {
  if (type.type.is_complex()) return complex_cast(type, value);
  if (!type.type.is_scalar() || !is_number(value)) return std::nullopt;
  ir::Type to = type.type.scalar;
  std::optional<Wide> integer = integer_value(value);
  double real = *float_value(value);
  if (to.is_bool()) {
    bool is_true = *truth(value);
    return type.python ? HostValue{is_true} : make_typed(ir::kBool, int64_t{is_true});
  }
  if (to.is_float()) {
    if (type.python) return HostValue{real};
    return make_typed(to, convert_constant(value, to));
  }
  if (!integer) {
    if (!std::isfinite(real) || std::fabs(real) >= 0x1p65) return std::nullopt;
    integer = static_cast<Wide>(std::trunc(real));
  }
  if (type.python) {
    if (!fits(*integer, ir::kI64) && !fits(*integer, ir::kU64)) return std::nullopt;
    return make_int(*integer);
  }
  // A typed number wraps, as in NumPy; a Python number out of range is a mistake.
  bool typed = std::holds_alternative<HostValue::Typed>(value.value);
  if (!typed && !fits(*integer, to)) return std::nullopt;
  return make_typed(to, convert_constant(typed ? value : make_int(*integer), to));
}

}  // namespace lanewise::frontend
