// Dates and durations: NumPy's arithmetic on 64-bit counts of units. The finer unit wins; NaT spreads.
#include <algorithm>
#include <limits>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/time_text.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

const ValueType kTicks = ValueType::typed(ir::kI64);
const ValueType kTruth = ValueType::typed(ir::kBool);

bool is_number_of(const Value& v, bool with_floats) {
  return v.is_scalar() && (with_floats || !v.type.scalar.is_float());
}

}  // namespace

// The count that a time is; an integer counts as one of no unit.
Value FunctionInference::ticks(Value value) { return converted(std::move(value), kTicks); }

Value FunctionInference::as_time(const Value& count, const TimeType& type, SourceRange range) {
  Value v;
  v.type = ValueType::typed(ElementType::of(type));
  v.range = range;
  v.expr = convert(count.expr, v.type);
  return v;
}

Value FunctionInference::ticks_constant(int64_t value, SourceRange range) {
  return scalar(kTicks, const_expr(kTicks, value, range), range);
}

Value FunctionInference::ticks_op(OpKind op, const Value& a, const Value& b, SourceRange range) {
  bool compares = op >= OpKind::Eq && op <= OpKind::Ge;
  return op_value(op, compares ? kTruth : a.type, {a.expr, b.expr}, range);
}

Value FunctionInference::is_nat(const Value& count, SourceRange range) {
  return ticks_op(OpKind::Eq, count, ticks_constant(kNotATime, range), range);
}

// NaT where the condition holds.
Value FunctionInference::nat_if(const Value& condition, const Value& count, SourceRange range) {
  return op_value(OpKind::Select, kTicks, {condition.expr, ticks_constant(kNotATime, range).expr, count.expr},
                  range);
}

// In another unit; towards coarser ones it is rounded down, as NumPy's casts are. nullopt where the ratio of
// the units is no constant.
std::optional<Value> FunctionInference::in_unit(Value value, const TimeType& to, SourceRange range) {
  TimeType from = value.is_time() ? value.type.time : TimeType{};
  std::optional<TimeRatio> ratio = time_ratio(from, to);
  if (!ratio) return std::nullopt;
  Value count = ticks(std::move(value));
  if (ratio->multiply == 1 && ratio->divide == 1) return count;
  stabilise(count);
  Value other = ratio->divide == 1
                    ? ticks_op(OpKind::Mul, count, ticks_constant(ratio->multiply, range), range)
                    : ticks_op(OpKind::FloorDiv, count, ticks_constant(ratio->divide, range), range);
  return nat_if(is_nat(count, range), other, range);
}

Value FunctionInference::refuse_times(Operator op, const Value& left, const Value& right, SourceRange range) {
  bool mixed = left.is_time() && right.is_time() && !common_time_type(left.type.time, right.type.time);
  return refuse_operands(op, left, right, range,
                         mixed ? "months and years have no fixed length in other units" : "");
}

Value FunctionInference::time_binary(Operator op, Value& left, Value& right, SourceRange range,
                                     SourceRange op_range) {
  bool dates = (left.is_time() && left.type.time.is_date) || (right.is_time() && right.type.time.is_date);
  switch (op) {
    case Operator::Add:
    case Operator::Sub: return add_times(op, left, right, range, op_range);
    case Operator::Mul: {
      if (right.is_time()) std::swap(left, right);
      if (dates || !is_number_of(right, true)) break;
      return scale_time(op, left, right, range);
    }
    case Operator::Div:
    case Operator::FloorDiv:
    case Operator::Mod:
      if (dates || !left.is_time()) break;
      if (right.is_time()) return divide_times(op, left, right, range, op_range);
      if (op == Operator::Mod || !is_number_of(right, true)) break;
      return scale_time(op, left, right, range);
    default: break;
  }
  return refuse_times(op, left, right, op_range);
}

// The two as counts of one unit; nullopt, reported, where there is none.
std::optional<Times> FunctionInference::same_unit(Operator op, Value& left, Value& right, SourceRange range) {
  auto usable = [](const Value& v) { return v.is_time() || is_number_of(v, false); };
  Times out;
  if (usable(left) && usable(right)) {
    TimeType a = left.is_time() ? left.type.time : TimeType{},
             b = right.is_time() ? right.type.time : TimeType{};
    if (std::optional<TimeType> common = common_time_type(a, b)) {
      out.type = *common;
      std::optional<Value> x = in_unit(left, *common, range);
      if (x) {
        stabilise(*x);
        std::optional<Value> y = in_unit(right, *common, range);
        if (y) {
          stabilise(*y);
          out.left = *x, out.right = *y;
          return out;
        }
      }
    }
  }
  refuse_times(op, left, right, range);
  return std::nullopt;
}

Value FunctionInference::add_times(Operator op, Value& left, Value& right, SourceRange range,
                                   SourceRange op_range) {
  bool left_date = left.is_time() && left.type.time.is_date,
       right_date = right.is_time() && right.type.time.is_date;
  bool is_sum = op == Operator::Add;
  if ((is_sum && left_date && right_date) || (!is_sum && right_date && !left_date))
    return refuse_times(op, left, right, op_range);
  std::optional<Times> times = same_unit(op, left, right, op_range);
  if (!times) return error(range);
  times->type.is_date = left_date != right_date;
  Value result = ticks_op(is_sum ? OpKind::Add : OpKind::Sub, times->left, times->right, range);
  Value nat = op_value(OpKind::Or, kTruth,
                       {is_nat(times->left, range).expr, is_nat(times->right, range).expr}, range);
  return as_time(nat_if(nat, result, range), times->type, range);
}

// A duration times or by a number; quotients and products with floats are truncated.
Value FunctionInference::scale_time(Operator op, Value& left, Value& right, SourceRange range) {
  TimeType type = left.type.time;
  Value count = ticks(left);
  stabilise(count);
  Value nat = is_nat(count, range);
  if (right.type.scalar.is_float()) {
    ValueType real = ValueType::typed(ir::kF64);
    TExprId a = convert(count, real), b = convert(right, real);
    Value exact = op_value(op == Operator::Mul ? OpKind::Mul : OpKind::Div, real, {a, b}, range);
    stabilise(exact);
    Value finite = op_value(OpKind::IsFinite, kTruth, {exact.expr}, range);
    Value lost = op_value(OpKind::Or, kTruth,
                          {nat.expr, op_value(OpKind::Not, kTruth, {finite.expr}, range).expr}, range);
    return as_time(nat_if(lost, converted(exact, kTicks), range), type, range);
  }
  Value by = converted(right, kTicks);
  if (op == Operator::Mul)
    return as_time(nat_if(nat, ticks_op(OpKind::Mul, count, by, range), range), type, range);
  stabilise(by);
  Value zero = ticks_constant(0, range);
  Value down = ticks_op(OpKind::FloorDiv, count, by, range),
        rest = ticks_op(OpKind::FloorMod, count, by, range);
  // Truncation is one more than the floor where the quotient is negative and not whole.
  Value differs = op_value(
      OpKind::Ne, kTruth,
      {ticks_op(OpKind::Lt, count, zero, range).expr, ticks_op(OpKind::Lt, by, zero, range).expr}, range);
  Value up =
      op_value(OpKind::And, kTruth, {differs.expr, ticks_op(OpKind::Ne, rest, zero, range).expr}, range);
  Value quotient = ticks_op(OpKind::Add, down, converted(up, kTicks), range);
  Value lost = op_value(OpKind::Or, kTruth, {nat.expr, ticks_op(OpKind::Eq, by, zero, range).expr}, range);
  return as_time(nat_if(lost, quotient, range), type, range);
}

Value FunctionInference::divide_times(Operator op, Value& left, Value& right, SourceRange range,
                                      SourceRange op_range) {
  std::optional<Times> times = same_unit(op, left, right, op_range);
  if (!times) return error(range);
  Value nat = op_value(OpKind::Or, kTruth,
                       {is_nat(times->left, range).expr, is_nat(times->right, range).expr}, range);
  if (op == Operator::Div) {
    ValueType real = ValueType::typed(ir::kF64);
    TExprId a = convert(times->left, real), b = convert(times->right, real);
    Value quotient = op_value(OpKind::Div, real, {a, b}, range);
    TExprId nan = const_expr(real, std::numeric_limits<double>::quiet_NaN(), range);
    return op_value(OpKind::Select, real, {nat.expr, nan, quotient.expr}, range);
  }
  Value zero = ticks_constant(0, range);
  if (op == Operator::FloorDiv) {
    Value quotient = ticks_op(OpKind::FloorDiv, times->left, times->right, range);
    return op_value(OpKind::Select, kTicks, {nat.expr, zero.expr, quotient.expr}, range);
  }
  Value rest = ticks_op(OpKind::FloorMod, times->left, times->right, range);
  Value lost =
      op_value(OpKind::Or, kTruth, {nat.expr, ticks_op(OpKind::Eq, times->right, zero, range).expr}, range);
  return as_time(nat_if(lost, rest, range), times->type, range);
}

// NaT is equal to nothing and in no order.
Value FunctionInference::compare_times(Operator op, OpKind kind, Value& left, Value& right,
                                       SourceRange range) {
  bool dates = left.is_time() && right.is_time() && left.type.time.is_date != right.type.time.is_date;
  if (dates) return refuse_times(op, left, right, range);
  std::optional<Times> times = same_unit(op, left, right, range);
  if (!times) return error(range);
  Value holds = ticks_op(kind, times->left, times->right, range);
  // A NaT is the least of all counts: on one of the sides it decides nothing that is not decided already.
  bool of_right = kind == OpKind::Gt || kind == OpKind::Ge;
  Value nat = is_nat(of_right ? times->right : times->left, range);
  if (kind == OpKind::Ne) return op_value(OpKind::Or, kTruth, {holds.expr, nat.expr}, range);
  return op_value(OpKind::And, kTruth, {holds.expr, op_value(OpKind::Not, kTruth, {nat.expr}, range).expr},
                  range);
}

Value FunctionInference::time_unary(Operator op, Value operand, SourceRange range) {
  if (operand.type.time.is_date || op == Operator::Invert) {
    report(DiagnosticId::OperandType, range, {std::string(spelling(op)), describe(operand)});
    return error(range);
  }
  if (op == Operator::Pos) return operand;
  Value count = ticks(operand);
  return as_time(op_value(OpKind::Neg, kTicks, {count.expr}, range), operand.type.time, range);  // NaT stays
}

// The lesser or greater; of a NaT and a time it is the time, as of a NaN and a number.
Value FunctionInference::time_extreme(OpKind op, Value left, Value right, SourceRange range) {
  bool dates = left.is_time() && right.is_time() && left.type.time.is_date != right.type.time.is_date;
  Operator comparison = op == OpKind::Min ? Operator::Lt : Operator::Gt;
  if (dates) return refuse_times(comparison, left, right, range);
  bool is_date = left.is_time() ? left.type.time.is_date : right.type.time.is_date;
  std::optional<Times> times = same_unit(comparison, left, right, range);
  if (!times) return error(range);
  times->type.is_date = is_date;
  const Value &a = times->left, &b = times->right;
  Value chosen = ticks_op(op, a, b, range);
  if (op == OpKind::Min)  // NaT is the least of all counts
    for (auto [one, other] : {std::pair(&b, &a), std::pair(&a, &b)})
      chosen = op_value(OpKind::Select, kTicks, {is_nat(*one, range).expr, other->expr, chosen.expr}, range);
  return as_time(chosen, times->type, range);
}

// The value as a time of this type; invalid, reported, where it cannot be.
TExprId FunctionInference::convert_time(Value value, const TimeType& type, SourceRange range) {
  bool usable = value.is_time() ? value.type.time.is_date == type.is_date ||
                                      value.type.time.unit == TimeType::Unit::Generic
                                : is_number_of(value, false);
  std::optional<Value> count = usable ? in_unit(value, type, range) : std::nullopt;
  if (!count) {
    Report& r = report(DiagnosticId::StoreType, value.range, {describe(value), to_string(type)});
    explain(r, value);
    return {};
  }
  return as_time(*count, type, range).expr;
}

std::optional<Value> FunctionInference::call_with_times(const std::string& name, CallArguments& call) {
  std::vector<Value> args = call.positional;
  bool one_tuple = args.size() == 1 && args[0].is_tuple();
  if (one_tuple) {
    Value values = args[0];
    args = items(values);
  }
  if (!call.keywords.empty() || std::ranges::none_of(args, &Value::is_time)) return std::nullopt;
  const Builtin* known = builtin_of_name(name);
  std::optional<Handler> handler = known ? std::optional(known->handler) : std::nullopt;
  std::optional<OpKind> op = op_of_name(name);
  bool least = handler ? handler == Handler::Min : op == OpKind::Min;
  bool greatest = handler ? handler == Handler::Max : op == OpKind::Max;
  if ((least || greatest) && args.size() > 1) {
    Value out = args[0];
    for (size_t i = 1; i < args.size() && !out.is_error(); ++i)
      out = time_extreme(least ? OpKind::Min : OpKind::Max, out, args[i], call.range);
    return out;
  }
  if (one_tuple) return std::nullopt;
  if (handler == Handler::Abs && args.size() == 1 && !args[0].type.time.is_date) {
    Value count = ticks(args[0]);
    return as_time(op_value(OpKind::Abs, kTicks, {count.expr}, call.range), args[0].type.time,
                   call.range);  // NaT stays
  }
  if (handler == Handler::Where && args.size() == 3) {
    Value condition = to_bool(args[0]);
    std::optional<Times> times = same_unit(Operator::Eq, args[1], args[2], call.range);
    if (!times || condition.is_error()) return error(call.range);
    times->type.is_date = (args[1].is_time() ? args[1] : args[2]).type.time.is_date;
    TExprId chosen = convert(condition, kTruth);
    return as_time(
        op_value(OpKind::Select, kTicks, {chosen, times->left.expr, times->right.expr}, call.range),
        times->type, call.range);
  }
  return std::nullopt;
}

// numpy.timedelta64(n, "s"), numpy.datetime64(n, "ms"), numpy.isnat(t).
Value FunctionInference::call_time(Handler handler, const std::string& name, CallArguments& call) {
  Value& value = call.positional[0];
  if (handler == Handler::IsNat) {
    if (value.is_time()) return is_nat(ticks(value), call.range);
    report(DiagnosticId::ArgumentType, value.range, {name, "argument 1", "a time", describe(value)});
    return error(call.range);
  }
  bool is_date = handler == Handler::DateTime;
  TimeType type{.is_date = is_date};
  if (value.is_time()) type.unit = value.type.time.unit, type.count = value.type.time.count;
  if (call.positional.size() == 2) {
    auto* unit = call.positional[1].object<std::string>();
    std::optional<TimeType> given = unit ? parse_time_unit(*unit, is_date) : std::nullopt;
    if (!given) {
      report(DiagnosticId::ArgumentType, call.positional[1].range,
             {name, "the unit", "a literal such as \"ms\"", describe(call.positional[1])});
      return error(call.range);
    }
    type = *given;
  }
  auto* text = value.object<std::string>();
  if (text && (*text == "NaT" || *text == "nat"))
    return as_time(ticks_constant(kNotATime, call.range), type, call.range);
  if (std::optional<int64_t> ticks = text && is_date ? parse_date(*text, type) : std::nullopt)
    return as_time(ticks_constant(*ticks, call.range), type, call.range);
  if (!value.is_time() && !is_number_of(value, false)) {
    Report& r = report(DiagnosticId::ArgumentType, value.range,
                       {name, "argument 1", "an integer or a time", describe(value)});
    if (text && is_date)
      r.with_hint(
          "dates are written \"2024-02-29\" or \"2024-02-29T12:30:15.250\", in no finer parts than the unit");
    return error(call.range);
  }
  TExprId id = convert_time(value, type, call.range);
  if (!id.valid()) return error(call.range);
  Value v;
  v.type = ValueType::typed(ElementType::of(type));
  v.range = call.range;
  v.expr = id;
  return v;
}

}  // namespace lanewise::frontend::inference
