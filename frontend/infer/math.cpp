// Functions of floats: those that are one op, and what is made of several.
#include <algorithm>
#include <cmath>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/infer/machine.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

Value FunctionInference::call_op(OpKind op, const std::string& name, CallArguments& call) {
  if (op == OpKind::Fence || op == OpKind::InlinePtx || ir::is_machine_op(op))
    return MachineCalls(*this).call_op(op, name, call);
  if (ir::has_order(op)) return atomic(op, name, call);
  if (ir::is_load(op) || ir::is_store(op)) return cached_access(op, name, call);
  if (ir::meets_others(op) || ir::is_fence(op)) return call_thread_op(op, name, call);
  if (op >= OpKind::Popc && op <= OpKind::Brev) return bit_op(op, name, call);
  return call_float_op(op, name, call);
}

// An op whose operands are all T:float (the second of ldexp an int): the operands become the float type of
// rule 4.1.
Value FunctionInference::call_float_op(OpKind op, const std::string& name, CallArguments& call) {
  const ir::Signature& signature = ir::info(op).signature;
  size_t count = signature.operand_count;
  if (!arity(name, call, count, count) || !all_numbers(name, call.positional)) return error(call.range);
  return float_op(op, call.positional, call.range);
}

ValueType FunctionInference::float_type_of(std::span<const Value> values) const {
  std::vector<Number> numbers;
  for (const Value& v : values) numbers.push_back(as_number(v));
  NumberType type = float_type(numbers.data(), numbers.size(), session_.python_float());
  return type.python ? ValueType::python_number(type.type) : ValueType::typed(type.type);
}

Value FunctionInference::float_op(OpKind op, std::vector<Value> values, SourceRange range) {
  const ir::Signature& signature = ir::info(op).signature;
  size_t floats = 0;
  while (floats < signature.operand_count && signature.operands[floats].letter == 'T') ++floats;
  ValueType type = float_type_of(std::span(values).first(floats));
  std::vector<TExprId> children;
  for (size_t i = 0; i < values.size(); ++i)
    children.push_back(convert(values[i], i < floats ? type : ValueType::typed(signature.operands[i].fixed)));
  ValueType result = type;
  if (signature.result.letter == 0) result.scalar = signature.result.fixed;
  Value v = op_value(op, result, std::move(children), range);
  v.integral = op == OpKind::Floor || op == OpKind::Ceil || op == OpKind::Trunc;
  return v;
}

Value FunctionInference::float_of(const Value& value) {
  return converted(value, float_type_of(std::span(&value, 1)));
}

Value FunctionInference::call_math(Handler handler, const std::string& name, CallArguments& call) {
  SourceRange range = call.range;
  if (handler == Handler::Where) return select(name, call);
  bool logical = handler == Handler::LogicalAnd || handler == Handler::LogicalOr ||
                 handler == Handler::LogicalXor || handler == Handler::LogicalNot;
  if (logical && std::ranges::any_of(call.positional, &Value::is_complex))
    for (Value& v : call.positional) v = to_bool(v);
  if (!all_numbers(name, call.positional, true)) return error(range);
  std::vector<Value>& args = call.positional;
  auto rounded = [&](OpKind op) {
    return args[0].type.scalar.is_float() ? float_op(op, {args[0]}, range)
                                          : unary(Operator::Pos, args[0], range);
  };
  switch (handler) {
    case Handler::FloorOf: return rounded(OpKind::Floor);
    case Handler::CeilOf: return rounded(OpKind::Ceil);
    case Handler::TruncOf: return rounded(OpKind::Trunc);
    case Handler::FloatAbs: return absolute(float_of(args[0]), range);
    case Handler::Float64Library: return float64_library(name, args[0], range);
    case Handler::Degrees: return scaled(args[0], 180 / kPi, range);
    case Handler::Radians: return scaled(args[0], kPi / 180, range);
    case Handler::Modf: return modf(args[0], range);
    case Handler::Frexp: return frexp(args[0], range);
    case Handler::Log: {
      if (args.size() == 1) return float_op(OpKind::Log, {args[0]}, range);
      ValueType type = float_type_of(args);
      Value x = op_value(OpKind::Log, type, {convert(args[0], type)}, range);
      Value base = op_value(OpKind::Log, type, {convert(args[1], type)}, range);
      return op_value(OpKind::Div, type, {x.expr, base.expr}, range);
    }
    case Handler::Hypot: {
      if (args.size() == 1) return absolute(float_of(args[0]), range);
      Value sum = args[0];
      for (size_t i = 1; i < args.size(); ++i) sum = float_op(OpKind::Hypot, {sum, args[i]}, range);
      return sum;
    }
    case Handler::NumpyRound: {
      if (args.size() == 2) return round_number(name, call);
      return args[0].type.scalar.is_float() ? float_op(OpKind::Rint, {args[0]}, range) : args[0];
    }
    case Handler::Clip: {
      Value low = min_max_of(OpKind::Max, {args[0], args[1]}, range);
      return min_max_of(OpKind::Min, {low, args[2]}, range);
    }
    case Handler::Square: stabilise(args[0]); return binary(Operator::Mul, args[0], args[0], range, range);
    case Handler::Reciprocal: return binary(Operator::Div, number({1.0}, range), args[0], range, range);
    case Handler::Sign: return sign(args[0], range);
    case Handler::LogicalNot: return unary(Operator::Not, args[0], range);
    default: break;
  }
  Value a = to_bool(args[0]), b = to_bool(args[1]);
  if (handler == Handler::LogicalXor) return compare(Operator::Ne, a, b, range);
  return bool_op(handler == Handler::LogicalAnd ? OpKind::And : OpKind::Or, a, b, range);
}

// A function of one float that frontend/library has for float64, rounded to the type of rule 4.1.
Value FunctionInference::float64_library(const std::string& name, const Value& x, SourceRange range) {
  Value value = float_of(x);
  ValueType type = value.type;
  Value wide = converted(std::move(value), ValueType::typed(ir::kF64));
  return converted(invoke_library(library_function(name), {std::move(wide)}, range), type);
}

Value FunctionInference::scaled(const Value& x, double factor, SourceRange range) {
  Value value = float_of(x);
  Value by = converted(number({factor}, range), value.type);
  return op_value(OpKind::Mul, value.type, {value.expr, by.expr}, range);
}

// The fraction has the sign of x, and is a zero where x is an infinity.
Value FunctionInference::modf(const Value& x, SourceRange range) {
  Value value = float_of(x);
  stabilise(value);
  Value whole = op_value(OpKind::Trunc, value.type, {value.expr}, range);
  stabilise(whole);
  Value infinite = float_op(OpKind::IsInf, {value}, range);
  Value difference = op_value(OpKind::Sub, value.type, {value.expr, whole.expr}, range);
  Value zero = converted(number({0.0}, range), value.type);
  Value fraction =
      op_value(OpKind::Select, value.type,
               {convert(infinite, ValueType::typed(ir::kBool)), zero.expr, difference.expr}, range);
  fraction = op_value(OpKind::CopySign, value.type, {fraction.expr, value.expr}, range);
  return tuple({fraction, whole}, range);
}

Value FunctionInference::frexp(const Value& x, SourceRange range) {
  Value value = float_of(x);
  stabilise(value);
  Value fraction = op_value(OpKind::FrexpFraction, value.type, {value.expr}, range);
  Value exponent = op_value(OpKind::FrexpExponent, ValueType::typed(ir::kI32), {value.expr}, range);
  return tuple({fraction, converted(exponent, ValueType::python_number(ir::kI64))}, range);
}

// -1, 0 or 1 in the type of x; NaN of a NaN.
Value FunctionInference::sign(Value x, SourceRange range) {
  ValueType type = x.type;
  if (!type.scalar.is_float()) type.scalar = type.python ? ir::kI64 : promoted(type.scalar);
  x = converted(x, type);
  stabilise(x);
  auto constant = [&](int64_t n) { return converted(python_int(n, range), type); };
  ValueType truth = ValueType::typed(ir::kBool);
  Value zero = constant(0), one = constant(1), minus = constant(-1);
  Value positive = op_value(OpKind::Gt, truth, {x.expr, zero.expr}, range);
  Value negative = op_value(OpKind::Lt, truth, {x.expr, zero.expr}, range);
  Value rest = op_value(OpKind::Select, type, {negative.expr, minus.expr, x.expr}, range);
  return op_value(OpKind::Select, type, {positive.expr, one.expr, rest.expr}, range);
}

// np.where(c, a, b), gpu.selp(c, a, b): both are evaluated.
Value FunctionInference::select(const std::string& name, CallArguments& call) {
  if (call.positional[1].is_tuple() || call.positional[1].is_vector()) return select_items(name, call);
  if (!all_numbers(name, call.positional, true)) return error(call.range);
  Value condition = to_bool(call.positional[0]);
  Value& a = call.positional[1];
  Value& b = call.positional[2];
  ValueType type = *join_types(a.type, a.known, b.type, b.known);
  if (type.is_complex()) {
    stabilise(condition);
    auto [a_real, a_imag] = complex_parts(a, type);
    auto [b_real, b_imag] = complex_parts(b, type);
    CallArguments real{.positional = {condition, a_real, b_real}, .keywords = {}, .range = call.range};
    CallArguments imag{.positional = {condition, a_imag, b_imag}, .keywords = {}, .range = call.range};
    return make_complex(select(name, real), select(name, imag), call.range);
  }
  TExprId left = convert(a, type), right = convert(b, type);
  TExprId c = convert(condition, ValueType::typed(ir::kBool));
  Value v = op_value(OpKind::Select, type, {c, left, right}, call.range);
  v.known.non_negative |= !v.known.constant && a.known.non_negative && b.known.non_negative;
  return v;
}

// Of tuples and of vectors: item by item.
Value FunctionInference::select_items(const std::string& name, CallArguments& call) {
  Value& a = call.positional[1];
  Value& b = call.positional[2];
  if (b.is_error()) return error(call.range);
  if (a.type.kind != b.type.kind || a.type.item_count() != b.type.item_count()) {
    Report& r = report(DiagnosticId::ArgumentType, b.range, {name, "argument 3", describe(a), describe(b)});
    explain(r, b);
    return error(call.range);
  }
  Value condition = to_bool(call.positional[0]);
  if (condition.is_error()) return error(call.range);
  for (Value* value : {&condition, &a, &b}) stabilise(*value);
  ValueType type = a.type;
  std::vector<Value> left = items(a), right = items(b), chosen;
  for (size_t i = 0; i < left.size(); ++i) {
    CallArguments one{.positional = {condition, left[i], right[i]}, .keywords = {}, .range = call.range};
    chosen.push_back(select(name, one));
  }
  return with_items_of(type, std::move(chosen), call.range);
}

}  // namespace lanewise::frontend::inference
