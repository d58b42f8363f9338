// Calls of builtins: Python's own functions and the dispatch of all others.
#include <algorithm>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

Value FunctionInference::call_builtin(const std::string& name, CallArguments& call) {
  if (call.error) return error(call.range);
  if (std::optional<Handler> handler = handler_of_name(name)) return call_handler(*handler, name, call);
  if (std::optional<NamedOperator> op = operator_of_name(name)) return call_operator(*op, name, call);
  if (std::optional<OpKind> op = op_of_name(name)) return call_op(*op, name, call);
  std::string hint;
  if (name == "numpy.zeros" || name == "numpy.empty" || name == "numpy.ones" || name == "numpy.full" ||
      name == "list")
    hint = "`gpu.local.array(shape, dtype)` gives each thread an array of its own";
  if (name == "gpu.cg.this_grid")
    hint = "end the kernel where all blocks must be done and launch a second one for the rest";
  return not_yet(call.range, "`" + name + "()`", hint);
}

std::string FunctionInference::count_text(const CallArguments& call) const {
  return std::to_string(call.positional.size() + call.keywords.size());
}

bool FunctionInference::arity(const std::string& name, CallArguments& call, size_t least, size_t most) {
  if (!call.keywords.empty()) {
    report(DiagnosticId::UnknownKeyword, call.keywords[0].second.range, {name, call.keywords[0].first});
    return false;
  }
  size_t count = call.positional.size();
  if (count >= least && count <= most) return true;
  std::string wanted = std::to_string(least);
  if (most == SIZE_MAX)
    wanted += " or more";
  else if (most != least)
    wanted += " to " + std::to_string(most);
  wanted += least == 1 && most == 1 ? " argument" : " arguments";
  report(DiagnosticId::ArgumentCount, call.range, {name, wanted, std::to_string(count)});
  return false;
}

bool FunctionInference::all_numbers(const std::string& name, std::span<const Value> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_error()) return false;
    if (values[i].is_scalar()) continue;
    if (values[i].is_array()) {
      not_yet(values[i].range, "`" + name + "` of a whole array", "call it for each element");
      return false;
    }
    Report& r = report(DiagnosticId::ArgumentType, values[i].range,
                       {name, "argument " + std::to_string(i + 1), "a number", describe(values[i])});
    explain(r, values[i]);
    return false;
  }
  return true;
}

Value FunctionInference::call_operator(const NamedOperator& op, const std::string& name,
                                       CallArguments& call) {
  if (!arity(name, call, op.unary ? 1 : 2, op.unary ? 1 : 2)) return error(call.range);
  if (op.unary) return unary(op.op, call.positional[0], call.range);
  Value& a = call.positional[0];
  Value& b = call.positional[1];
  bool comparison = op.op >= Operator::Eq && op.op <= Operator::Ge;
  return comparison ? compare(op.op, a, b, call.range) : binary(op.op, a, b, call.range, call.range);
}

Value FunctionInference::call_handler(Handler handler, const std::string& name, CallArguments& call) {
  switch (handler) {
    case Handler::Abs:
      if (!arity(name, call, 1, 1) || !all_numbers(name, call.positional)) return error(call.range);
      return absolute(call.positional[0], call.range);
    case Handler::DivMod: {
      if (!arity(name, call, 2, 2) || !all_numbers(name, call.positional)) return error(call.range);
      for (Value& v : call.positional) stabilise(v);
      Value quotient =
          binary(Operator::FloorDiv, call.positional[0], call.positional[1], call.range, call.range);
      Value rest = binary(Operator::Mod, call.positional[0], call.positional[1], call.range, call.range);
      return tuple({quotient, rest}, call.range);
    }
    case Handler::Len: return length(name, call);
    case Handler::Max: return min_max(OpKind::Max, name, call);
    case Handler::Min: return min_max(OpKind::Min, name, call);
    case Handler::Power:
      if (!arity(name, call, 2, 2)) return error(call.range);
      return binary(Operator::Pow, call.positional[0], call.positional[1], call.range, call.range);
    case Handler::Round: return round_number(name, call);
    case Handler::Sum: return sum(name, call);
    case Handler::TupleOf:
      if (!arity(name, call, 1, 1)) return error(call.range);
      if (!call.positional[0].is_tuple()) return not_yet(call.range, "`tuple()` of anything but a tuple");
      call.positional[0].is_list = false;
      return call.positional[0];
    case Handler::LoopOnly:
      return not_yet(call.range, "`" + name + "()` outside of a `for` loop",
                     "write `for x in " + name + "(...):`");
    case Handler::Truth:
      if (!arity(name, call, 1, 1)) return error(call.range);
      return to_bool(call.positional[0]);
    case Handler::CompareAndSwap:
    case Handler::ConstArray:
    case Handler::Grid:
    case Handler::GridSize:
    case Handler::LaneMask:
    case Handler::LocalArray:
    case Handler::SharedArray: return call_gpu(handler, name, call);
    default: return call_math(handler, name, call);
  }
}

Value FunctionInference::length(const std::string& name, CallArguments& call) {
  if (!arity(name, call, 1, 1)) return error(call.range);
  Value& v = call.positional[0];
  if (v.is_array() && v.type.ndim > 0) return shape(v, 0, call.range);
  if (v.is_tuple()) return python_int(static_cast<int64_t>(v.type.items.size()), call.range);
  if (auto* text = v.object<std::string>()) return python_int(static_cast<int64_t>(text->size()), call.range);
  Report& r =
      report(DiagnosticId::ArgumentType, v.range, {name, "argument 1", "an array or a tuple", describe(v)});
  explain(r, v);
  return error(call.range);
}

Value FunctionInference::sum(const std::string& name, CallArguments& call) {
  if (!arity(name, call, 1, 2)) return error(call.range);
  Value& values = call.positional[0];
  if (!values.is_tuple()) return not_yet(call.range, "`sum()` of anything but a tuple", "add in a loop");
  Value total = call.positional.size() == 2 ? call.positional[1] : python_int(0, call.range);
  for (Value& item : items(values)) total = binary(Operator::Add, total, item, call.range, call.range);
  return total;
}

Value FunctionInference::min_max(OpKind op, const std::string& name, CallArguments& call) {
  bool one_tuple = call.positional.size() == 1 && call.positional[0].is_tuple() && call.keywords.empty();
  if (one_tuple) {
    Value values = call.positional[0];
    call.positional = items(values);
  }
  if (call.positional.size() == 1 && call.positional[0].is_array() && call.keywords.empty())
    return not_yet(call.range, "`" + name + "()` of a whole array", "loop over its elements");
  constexpr size_t kMost = 1024;  // as many as a tuple may have
  if (!arity(name, call, one_tuple ? 1 : 2, call.positional.size() > kMost ? kMost : SIZE_MAX) || !all_numbers(name, call.positional))
    return error(call.range);
  return min_max_of(op, call.positional, call.range);
}

Value FunctionInference::min_max_of(OpKind op, std::vector<Value> values, SourceRange range) {
  ValueType type = values[0].type;
  Known known = values[0].known;
  for (size_t i = 1; i < values.size(); ++i) {
    type = *join_types(type, known, values[i].type, values[i].known);
    if (!values[i].known.constant) known.constant.reset();
  }
  bool all = true, any = false;
  Value result;
  for (size_t i = 0; i < values.size(); ++i) {
    all &= values[i].known.non_negative, any |= values[i].known.non_negative;
    Value next = converted(values[i], type);
    if (i == 0) {
      result = next;
    } else if (type.scalar.is_bool()) {
      result = bool_op(op == OpKind::Min ? OpKind::And : OpKind::Or, result, next, range);
    } else {
      result = op_value(op, type, {result.expr, next.expr}, range);
    }
  }
  result.range = range;
  result.known.non_negative |= op == OpKind::Min ? all : any && !type.scalar.is_float();
  return result;
}

Value FunctionInference::absolute(Value value, SourceRange range) {
  ir::Type held = value.type.scalar;
  if (!held.is_float()) held = value.type.python ? (held == ir::kU64 ? held : ir::kI64) : promoted(held);
  ValueType type = value.type.python ? ValueType::python_number(held) : ValueType::typed(held);
  Value v = converted(value, type);
  v.range = range;
  if (held.is_unsigned() || value.known.non_negative) return v;
  v = op_value(OpKind::Abs, type, {v.expr}, range);
  v.known.non_negative = true;
  return v;
}

// Halves to even; an int without the second argument.
Value FunctionInference::round_number(const std::string& name, CallArguments& call) {
  if (!arity(name, call, 1, 2) || !all_numbers(name, call.positional)) return error(call.range);
  Value& x = call.positional[0];
  bool digits = call.positional.size() == 2;
  std::optional<int64_t> places;
  if (digits && call.positional[1].known.constant) places = index_value(*call.positional[1].known.constant);
  if (!x.type.scalar.is_float()) {
    if (digits && (!places || *places < 0))
      return not_yet(call.range, "`round()` of an integer to tens", "divide, round and multiply");
    return unary(Operator::Pos, x, call.range);
  }
  if (!digits) {
    Value rounded = op_value(OpKind::Rint, x.type, {x.expr}, call.range);
    return converted(rounded, ValueType::python_number(ir::kI64));
  }
  if (!places || *places < -30 || *places > 30)
    return not_yet(call.positional[1].range, "`round()` to a number of digits that is not a small constant");
  double scale = 1;
  for (int64_t i = 0; i < std::abs(*places); ++i) scale *= 10;
  Value factor = converted(number({scale}, call.range), x.type);
  OpKind there = *places < 0 ? OpKind::Div : OpKind::Mul, back = *places < 0 ? OpKind::Mul : OpKind::Div;
  Value scaled_up = op_value(there, x.type, {x.expr, factor.expr}, call.range);
  Value rounded = op_value(OpKind::Rint, x.type, {scaled_up.expr}, call.range);
  return op_value(back, x.type, {rounded.expr, factor.expr}, call.range);
}

}  // namespace lanewise::frontend::inference
