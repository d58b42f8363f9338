// Arithmetic: the types are number_rules.h's, the nodes are made here; constants are computed.
#include <algorithm>

#include "frontend/infer/function_inference.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

OpKind arithmetic_op(Operator op) {
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
    case Operator::Shl: return OpKind::Shl;
    default: return OpKind::Shr;
  }
}

bool is_bitwise(Operator op) {
  return op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
}

bool is_integer(const Value& v) { return v.type.scalar.is_int() || v.type.scalar.is_bool(); }

// Of 64-bit Python numbers, which index arithmetic does not overflow.
bool stays_non_negative(Operator op, const Known& a, const Known& b) {
  switch (op) {
    case Operator::Add:
    case Operator::Mul:
    case Operator::Div:
    case Operator::FloorDiv:
    case Operator::BitOr:
    case Operator::BitXor: return a.non_negative && b.non_negative;
    case Operator::Mod: return b.non_negative;
    case Operator::BitAnd: return a.non_negative || b.non_negative;
    case Operator::Shr: return a.non_negative;
    default: return false;
  }
}

ValueType number_type(const NumberType& type) {
  return type.python ? ValueType::python_number(type.type) : ValueType::typed(type.type);
}

constexpr uint64_t kMaxMultipliedOut = 64;

}  // namespace

Value FunctionInference::op_value(OpKind op, const ValueType& type, std::vector<TExprId> children,
                                  SourceRange range) {
  Value v = scalar(type, op_expr(op, type, std::move(children), range), range);
  fold(v);
  return v;
}

void FunctionInference::fold(Value& value) {
  const TExpr& e = exprs_[value.expr.index];
  if (e.kind != TExprKind::Op || !ir::is_scalar_op(e.op) || e.children.empty() || !e.type.is_scalar()) return;
  std::vector<ir::Bits> bits;
  for (TExprId child : e.children) {
    const TExpr& c = exprs_[child.index];
    if (c.kind != TExprKind::Const) return;
    bits.push_back(ir::bits_of(c.immediate, c.type.scalar));
  }
  ir::Type operand = exprs_[e.children[e.op == OpKind::Select ? 1 : 0].index].type.scalar;
  ir::Bits result = ir::evaluate_scalar(e.op, operand, e.type.scalar, bits.data());
  ir::Immediate immediate = ir::immediate_of(result, e.type.scalar);
  value.expr = const_expr(e.type, immediate, e.range);
  value.known.constant = constant_of(value.type, immediate);
  value.known.non_negative = float_value(*value.known.constant).value_or(-1) >= 0;
}

Value FunctionInference::infer_binary(const Expr& e) {
  std::vector<Value> sides = infer_all(e.children);
  return binary(e.op, std::move(sides[0]), std::move(sides[1]), e.range, e.op_range);
}

Value FunctionInference::binary(Operator op, Value left, Value right, SourceRange range,
                                SourceRange op_range) {
  if (left.is_error() || right.is_error()) return error(range);
  if (left.is_tuple() || right.is_tuple()) return tuple_binary(op, left, right, range, op_range);
  bool whole = is_whole(left) || is_whole(right), numbers = left.is_single() || right.is_single();
  if (whole && (numbers || (is_whole(left) && is_whole(right)))) {
    if (op == Operator::MatMul) return matmul(std::move(left), std::move(right), range);
    return elementwise(
        {std::move(left), std::move(right)},
        [this, op, range, op_range](std::vector<Value>& v) {
          return binary(op, v[0], v[1], range, op_range);
        },
        range);
  }
  if (op != Operator::MatMul && (left.is_vector() || right.is_vector()))
    return vector_binary(op, left, right, range, op_range);
  if (op != Operator::MatMul && (left.is_complex() || right.is_complex()) && left.is_number() &&
      right.is_number())
    return complex_binary(op, left, right, range, op_range);
  if (left.is_time() || right.is_time()) return time_binary(op, left, right, range, op_range);
  if (op == Operator::MatMul || !left.is_scalar() || !right.is_scalar())
    return refuse_operands(op, left, right, op_range);
  if (left.known.constant && right.known.constant && left.type.python && right.type.python) {
    Value folded = fold_binary(op, left, right, range);
    if (folded.is_error() || folded.expr.valid()) return folded;
  }
  bool integers = is_integer(left) && is_integer(right);
  bool wants_integers = is_bitwise(op) || op == Operator::Shl || op == Operator::Shr;
  if (wants_integers && !integers)
    return refuse_operands(op, left, right, op_range,
                           "convert with `int(x)`, or a cast such as `np.uint32(x)`");
  if (op == Operator::Shl || op == Operator::Shr) return shift(op, left, right, range);
  if (op == Operator::Pow) return power(left, right, range);
  return number_binary(op, left, right, range);
}

namespace {

// Where Python has no integer and the language has (rules 3 and 4): negative exponents and shift counts.
std::optional<Wide> negative_count(Operator op, const HostValue& left, const HostValue& right) {
  std::optional<Wide> a = integer_value(left), b = integer_value(right);
  if (a == Wide{0} && op == Operator::Shl) return 0;  // however far
  if (!a || !b || *b >= 0) return std::nullopt;
  switch (op) {
    case Operator::Shl: return 0;
    case Operator::Shr: return *a < 0 ? -1 : 0;
    case Operator::Pow: return *a == 1 ? 1 : *a == -1 ? (*b % 2 == 0 ? 1 : -1) : 0;
    default: return std::nullopt;
  }
}

}  // namespace

// Both Python numbers: exact, as Python would. No value (None) where it is left to the run-time op.
Value FunctionInference::fold_binary(Operator op, const Value& left, const Value& right, SourceRange range) {
  if (std::optional<Wide> value = negative_count(op, *left.known.constant, *right.known.constant))
    return number(make_int(*value), range);
  std::optional<HostValue> result = evaluate_binary(op, *left.known.constant, *right.known.constant);
  if (result && is_number(*result)) return number(*result, range);
  bool grows = op == Operator::Add || op == Operator::Sub || op == Operator::Mul || op == Operator::Pow ||
               op == Operator::Shl;
  if (!result && grows && is_integer(left) && is_integer(right)) {
    report(DiagnosticId::ConstantOverflow, range, {text(range)});
    return error(range);
  }
  return none(range);
}

Value FunctionInference::number_binary(Operator op, Value& left, Value& right, SourceRange range) {
  NumberType rule = arithmetic_type(as_number(left), as_number(right), session_.python_float());
  if (op == Operator::Div && !rule.type.is_float()) {
    rule = {left.type.python && right.type.python ? session_.python_float() : ir::kF64,
            left.type.python && right.type.python};
  }
  if (is_bitwise(op) && left.type.scalar.is_bool() && right.type.scalar.is_bool()) rule.type = ir::kBool;
  warn_number_type(rule, left, right, range);
  ValueType type = number_type(rule);
  bool non_negative = type.scalar.bits == 64 && stays_non_negative(op, left.known, right.known);
  TExprId a = convert(left, type), b = convert(right, type);
  Value v = op_value(arithmetic_op(op), type, {a, b}, range);
  v.known.non_negative |= non_negative && !v.known.constant;
  return v;
}

void FunctionInference::warn_number_type(const NumberType& type, const Value& left, const Value& right,
                                         SourceRange range) {
  if (type.widened_u32) {
    const Value& python = left.type.python ? left : right;
    Report& r = report(DiagnosticId::WidenedUint32, range, {describe(python)});
    r.with_hint("`np.uint32(x)` keeps the arithmetic in 32 bits");
    explain(r, python);
  }
  if (type.mixed_64) {
    Report& r = report(DiagnosticId::MixedSigns, range, {describe(left), describe(right)});
    r.with_hint("cast one side: `np.int64(x)` or `np.uint64(x)`");
    explain(r, left);
    explain(r, right);
  }
}

Value FunctionInference::shift(Operator op, Value& left, Value& right, SourceRange range) {
  ir::Type held = left.type.scalar;
  if (left.type.python) {
    held = held == ir::kU64 ? held : ir::kI64;
  } else if (held.is_unsigned()) {
    held = held.bits < 32 ? ir::kU32 : held;
  } else {
    held = promoted(held);
  }
  ValueType type = number_type({held, left.type.python && right.type.python});
  bool non_negative = left.type.python && op == Operator::Shr && left.known.non_negative;
  TExprId a = convert(left, type);
  ValueType count = right.type.scalar.is_bool() ? ValueType::typed(ir::kI32) : right.type;
  TExprId b = convert(right, count);
  Value v = op_value(arithmetic_op(op), type, {a, b}, range);
  v.known.non_negative |= non_negative && !v.known.constant;
  return v;
}

// A constant integer exponent multiplies out; integers to an integer power stay integers.
Value FunctionInference::power(Value& left, Value& right, SourceRange range) {
  NumberType rule = arithmetic_type(as_number(left), as_number(right), session_.python_float());
  warn_number_type(rule, left, right, range);
  ValueType type = number_type(rule);
  std::optional<Wide> exponent =
      right.known.constant && is_integer(right) ? integer_value(*right.known.constant) : std::nullopt;
  bool small = exponent && *exponent <= Wide{kMaxMultipliedOut} && *exponent >= -Wide{kMaxMultipliedOut};
  if (exponent == Wide{0}) small = left.known.constant.has_value();  // x ** 0 is no constant where x is none
  if (small && (rule.type.is_float() || *exponent >= 0)) {
    uint64_t times = static_cast<uint64_t>(*exponent < 0 ? -*exponent : *exponent);
    Value product = multiply_out(left, type, times, range);
    if (*exponent >= 0) return product;
    Value one = converted(python_int(1, range), type);
    return op_value(OpKind::Div, type, {one.expr, product.expr}, range);
  }
  TExprId a = convert(left, type), b = convert(right, type);
  return op_value(rule.type.is_float() ? OpKind::Pow : OpKind::IntPow, type, {a, b}, range);
}

Value FunctionInference::multiply_out(Value base, const ValueType& type, uint64_t exponent,
                                      SourceRange range) {
  if (exponent == 0) return converted(python_int(1, range), type);
  Value power = scalar(type, convert(base, type), range);
  Value result;
  for (uint64_t rest = exponent;;) {
    if (rest > 1) stabilise(power);  // used at least twice
    if (rest & 1)
      result = result.expr.valid() ? op_value(OpKind::Mul, type, {result.expr, power.expr}, range) : power;
    rest >>= 1;
    if (rest == 0) break;
    power = op_value(OpKind::Mul, type, {power.expr, power.expr}, range);
  }
  result.range = range;
  if (!result.known.constant && exprs_[result.expr.index].kind == TExprKind::Const)
    result.known.constant = constant_of(type, exprs_[result.expr.index].immediate);
  result.known.non_negative |= base.known.non_negative && type.scalar.bits == 64;
  return result;
}

Value FunctionInference::infer_unary(const Expr& e) {
  if (e.op == Operator::Not) return unary(e.op, infer_condition(e.children[0]), e.range);
  return unary(e.op, infer(e.children[0]), e.range);
}

Value FunctionInference::unary(Operator op, Value operand, SourceRange range) {
  if (op == Operator::Not) operand = to_bool(std::move(operand));
  if (operand.is_error()) return error(range);
  if (operand.is_time() && op != Operator::Not) return time_unary(op, std::move(operand), range);
  if (operand.is_vector()) return vector_unary(op, operand, range);
  if (operand.is_complex() && op != Operator::Invert) {
    std::vector<Value> parts = items(operand);
    return make_complex(unary(op, parts[0], range), unary(op, parts[1], range), range);
  }
  if (is_whole(operand))
    return elementwise(
        {std::move(operand)}, [this, op, range](std::vector<Value>& v) { return unary(op, v[0], range); },
        range);
  bool usable = operand.is_scalar() && !(op == Operator::Invert && operand.type.scalar.is_float());
  if (!usable) {
    Report& r = report(DiagnosticId::OperandType, range, {std::string(spelling(op)), describe(operand)});
    explain(r, operand);
    return error(range);
  }
  bool python = operand.type.python;
  if (op == Operator::Not || (op == Operator::Invert && operand.type.scalar.is_bool())) {
    ValueType type = number_type({ir::kBool, python});
    return op_value(OpKind::Not, type, {convert(operand, type)}, range);
  }
  std::optional<Wide> integer =
      python && operand.known.constant ? integer_value(*operand.known.constant) : std::nullopt;
  if (integer) {
    Wide result = op == Operator::Neg ? -*integer : op == Operator::Pos ? *integer : ~*integer;
    if (fits(result, ir::kI64) || fits(result, ir::kU64)) return number(make_int(result), range);
    report(DiagnosticId::ConstantOverflow, range, {text(range)});
    return error(range);
  }
  ir::Type held = operand.type.scalar;
  if (!held.is_float()) held = python ? (held == ir::kU64 ? held : ir::kI64) : promoted(held);
  ValueType type = number_type({held, python});
  if (op == Operator::Pos) {
    Value v = converted(operand, type);
    v.range = range;
    return v;
  }
  return op_value(op == Operator::Neg ? OpKind::Neg : OpKind::Not, type, {convert(operand, type)}, range);
}

}  // namespace lanewise::frontend::inference
