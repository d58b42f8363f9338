// Calls of builtins: Python's own functions and the dispatch of all others.
#include <algorithm>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/infer/hints.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

// numpy.clip(a, min, max), by name too: with one bound it is numpy.maximum or numpy.minimum.
std::optional<std::string> clip_of_one_bound(CallArguments& call) {
  std::optional<Value> bounds[2];
  std::vector<Value>& given = call.positional;
  for (size_t b = 0; b < 2; ++b) {
    if (given.size() > b + 1) bounds[b] = given[b + 1];
    std::string_view names[] = {b == 0 ? "a_min" : "a_max", b == 0 ? "min" : "max"};
    for (std::string_view name : names)
      if (const Value* named = call.keyword(name); named && !bounds[b]) {
        bounds[b] = *named;
        std::erase_if(call.keywords, [&](const auto& keyword) { return keyword.first == name; });
      }
    if (bounds[b] && bounds[b]->object<HostValue::None>()) bounds[b].reset();
  }
  if (given.empty() || given.size() > 3 || (!bounds[0] && !bounds[1])) return std::nullopt;
  given.resize(1);
  for (std::optional<Value>& bound : bounds)
    if (bound) given.push_back(std::move(*bound));
  if (given.size() == 3) return std::nullopt;
  return bounds[0] ? "numpy.maximum" : "numpy.minimum";
}

}  // namespace

Value FunctionInference::call_builtin(const std::string& name, CallArguments& call) {
  if (call.error) return error(call.range);
  if (name == "numpy.clip")
    if (std::optional<std::string> one = clip_of_one_bound(call)) return call_builtin(*one, call);
  if (std::optional<Value> result = call_on_arrays(name, call)) return *result;
  if (name.starts_with("cmath."))
    if (std::optional<Value> value = call_cmath(name, call)) return *value;
  if (std::optional<Value> value = call_with_complex(name, call)) return *value;
  if (std::optional<Value> value = call_with_times(name, call)) return *value;
  if (const Builtin* known = builtin_of_name(name)) {
    auto [counted, least, most] = known->arguments;
    if (counted && !arity(name, call, least, most)) return error(call.range);
    return call_handler(known->handler, name, call);
  }
  if (std::optional<NamedOperator> op = operator_of_name(name)) return call_operator(*op, name, call);
  if (std::optional<OpKind> op = op_of_name(name)) return call_op(*op, name, call);
  if (is_library_name(name)) return call_library(name, name, call);
  bool own = name.find('.') == name.npos && name != "print" && name != "complex" && name != "slice";
  if (own) return call_object(Handler::NoObject, name, call);
  std::string hint = hint_instead_of(name);
  if (!hint.empty()) return not_supported(call.range, "`" + name + "()`", hint);
  return not_yet(call.range, "`" + name + "()`");
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

// Whether all are numbers, also complex ones where the function takes these; reports the first that is not.
bool FunctionInference::all_numbers(const std::string& name, std::span<const Value> values, bool complex) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_error()) return false;
    if (values[i].is_scalar() || (complex && values[i].is_complex())) continue;
    if (is_whole(values[i])) {
      not_supported(values[i].range, "`" + name + "` of a whole array", "call it for each element");
      return false;
    }
    Report& r = report(DiagnosticId::ArgumentType, values[i].range,
                       {name, "argument " + std::to_string(i + 1),
                        values[i].is_complex() ? "a real number" : "a number", describe(values[i])});
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
      if (call.positional[0].is_complex()) return complex_abs(call.positional[0], call.range);
      if (!all_numbers(name, call.positional)) return error(call.range);
      return absolute(call.positional[0], call.range);
    case Handler::DivMod: return div_mod(name, call);
    case Handler::Angle:
    case Handler::Conjugate:
    case Handler::ImagOf:
    case Handler::RealOf: return call_part(handler, name, call);
    case Handler::ArrayFunction: return array_function(name, call);
    case Handler::SliceOf: return slice_object(call);
    case Handler::Len: return length(name, call);
    case Handler::Max: return min_max(OpKind::Max, name, call);
    case Handler::Min: return min_max(OpKind::Min, name, call);
    case Handler::Power:
      if (call.positional.size() == 3) return power_modulo(call);
      return binary(Operator::Pow, call.positional[0], call.positional[1], call.range, call.range);
    case Handler::Round: return round_number(name, call);
    case Handler::Sum: return sum(name, call);
    case Handler::All: return truth_of_items(Reduction::All, name, call);
    case Handler::Any: return truth_of_items(Reduction::Any, name, call);
    case Handler::ListOf:
    case Handler::TupleOf: return copied_tuple(handler, name, call);
    case Handler::LoopOnly: return listed(name, call);
    case Handler::Sorted: return sorted(call);
    case Handler::Product: return product(name, call);
    case Handler::Callable:
    case Handler::CharOf:
    case Handler::Concat:
    case Handler::Contains:
    case Handler::DTypeOf:
    case Handler::IsInstance:
    case Handler::IsNot:
    case Handler::IsObject:
    case Handler::IsSubtype:
    case Handler::Limits:
    case Handler::NoObject:
    case Handler::OrdOf:
    case Handler::TypeOf: return call_object(handler, name, call);
    case Handler::Truth: return to_bool(call.positional[0]);
    case Handler::DateTime:
    case Handler::IsNat:
    case Handler::TimeDelta: return call_time(handler, name, call);
    case Handler::CompareAndSwap:
    case Handler::ConstArray:
    case Handler::Grid:
    case Handler::GridSize:
    case Handler::Group:
    case Handler::LaneMask:
    case Handler::LocalArray:
    case Handler::SharedArray: return call_gpu(handler, name, call);
    default: return call_math(handler, name, call);
  }
}

Value FunctionInference::div_mod(const std::string& name, CallArguments& call) {
  if (!all_numbers(name, call.positional)) return error(call.range);
  for (Value& v : call.positional) stabilise(v);
  Value quotient = binary(Operator::FloorDiv, call.positional[0], call.positional[1], call.range, call.range);
  Value rest = binary(Operator::Mod, call.positional[0], call.positional[1], call.range, call.range);
  return tuple({quotient, rest}, call.range);
}

// tuple(t), list(t).
Value FunctionInference::copied_tuple(Handler handler, const std::string& name, CallArguments& call) {
  if (handler == Handler::ListOf && (call.positional.empty() || !call.positional[0].is_tuple()))
    return call_object(Handler::NoObject, name, call);
  if (call.positional.empty()) return tuple({}, call.range);
  Value& of = call.positional[0];
  if (enum_members(of)) of = sequence_of(of).value;
  if (!of.is_tuple())
    return not_supported(call.range, "`tuple()` of " + describe(of), "name the elements: `(a[0], a[1])`");
  of.is_list = handler == Handler::ListOf;
  if (!of.type.names) return of;
  return tuple(items(of), call.range);
}

Value FunctionInference::length(const std::string& name, CallArguments& call) {
  Value& v = call.positional[0];
  if (enum_members(v)) v = sequence_of(v).value;
  if (v.is_array() && v.type.ndim > 0) return shape(v, 0, call.range);
  if (const ArrayExpression* of = expression_of(v); of && of->ndim() > 0) return of->shape[0];
  if (v.is_tuple() || v.is_vector()) return python_int(static_cast<int64_t>(v.type.item_count()), call.range);
  if (auto* text = v.object<std::string>()) return python_int(static_cast<int64_t>(text->size()), call.range);
  Report& r =
      report(DiagnosticId::ArgumentType, v.range, {name, "argument 1", "an array or a tuple", describe(v)});
  explain(r, v);
  return error(call.range);
}

Value FunctionInference::sum(const std::string& name, CallArguments& call) {
  if (call.keywords.size() == 1 && call.keywords[0].first == "start")
    call.positional.push_back(call.keywords[0].second), call.keywords.clear();
  if (!arity(name, call, 1, 2)) return error(call.range);
  Value& values = call.positional[0];
  if (is_whole(values)) {
    Value total = reduce_sequence(Reduction::Sum, name, values, call.range);
    if (call.positional.size() == 1 || total.is_error()) return total;
    return binary(Operator::Add, call.positional[1], total, call.range, call.range);
  }
  if (!values.is_tuple() && !values.is_vector())
    return not_supported(call.range, "`sum()` of anything but a tuple or an array", "add in a loop");
  Value total = call.positional.size() == 2 ? call.positional[1] : python_int(0, call.range);
  for (Value& item : items(values)) total = binary(Operator::Add, total, item, call.range, call.range);
  return total;
}

// math.prod
Value FunctionInference::product(const std::string& name, CallArguments& call) {
  Value total = python_int(1, call.range);
  if (call.keywords.size() == 1 && call.keywords[0].first == "start")
    total = call.keywords[0].second, call.keywords.clear();
  if (!arity(name, call, 1, 1)) return error(call.range);
  Value& values = call.positional[0];
  if (!values.is_tuple())
    return not_yet(call.range, "`" + name + "()` of anything but a tuple", "multiply in a loop");
  for (Value& item : items(values)) total = binary(Operator::Mul, total, item, call.range, call.range);
  return total;
}

// pow(base, exponent, modulus) of integers.
Value FunctionInference::power_modulo(CallArguments& call) {
  for (const Value& v : call.positional)
    if (!v.is_error() && !(v.is_scalar() && !v.type.scalar.is_float())) {
      report(DiagnosticId::ArgumentType, v.range,
             {"pow", "with a modulus, each argument", "an integer", describe(v)});
      return error(call.range);
    }
  return call_library("pow", "builtins._pow_modulo", call);
}

Value FunctionInference::min_max(OpKind op, const std::string& name, CallArguments& call) {
  if (call.keyword("key"))
    return not_supported(call.range, "`" + name + "()` with a `key`", "compare in a loop");
  if (const Value* fallback = call.keyword("default")) {
    bool empty =
        call.positional.size() == 1 && call.positional[0].is_tuple() && call.positional[0].type.items.empty();
    if (empty) return *fallback;
    std::erase_if(call.keywords, [](const auto& keyword) { return keyword.first == "default"; });
  }
  bool one_tuple = call.positional.size() == 1 && call.positional[0].is_tuple() && call.keywords.empty();
  if (one_tuple) {
    Value values = call.positional[0];
    call.positional = items(values);
  }
  if (one_tuple && call.positional.empty()) {
    return not_supported(call.range, "`" + name + "()` of an empty tuple", "test `len(t)` first");
  }
  if (call.positional.size() == 1 && is_whole(call.positional[0]) && call.keywords.empty())
    return reduce_sequence(op == OpKind::Min ? Reduction::NanMin : Reduction::NanMax, name,
                           call.positional[0], call.range);
  constexpr size_t kMost = 1024;  // as many as a tuple may have
  size_t most = call.positional.size() > kMost ? kMost : SIZE_MAX;
  if (!arity(name, call, one_tuple ? 1 : 2, most) || !all_numbers(name, call.positional))
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
  bool negative =
      value.type.python && value.known.constant && integer_value(*value.known.constant).value_or(0) < 0;
  if (negative) return unary(Operator::Neg, std::move(value), range);  // exact
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
  if (!all_numbers(name, call.positional)) return error(call.range);
  Value& x = call.positional[0];
  bool digits = call.positional.size() == 2;
  std::optional<int64_t> places;
  if (digits && call.positional[1].known.constant) places = index_value(*call.positional[1].known.constant);
  if (!x.type.scalar.is_float()) {
    if (digits && (!places || *places < 0)) return call_library(name, "builtins._round_integer", call);
    return unary(Operator::Pos, x, call.range);
  }
  if (!digits) {
    Value rounded = op_value(OpKind::Rint, x.type, {x.expr}, call.range);
    return converted(rounded, ValueType::python_number(ir::kI64));
  }
  if (!places || *places < -30 || *places > 30) return call_library(name, "builtins._round_places", call);
  double scale = 1;
  for (int64_t i = 0; i < std::abs(*places); ++i) scale *= 10;
  Value factor = converted(number({scale}, call.range), x.type);
  OpKind there = *places < 0 ? OpKind::Div : OpKind::Mul, back = *places < 0 ? OpKind::Mul : OpKind::Div;
  Value scaled_up = op_value(there, x.type, {x.expr, factor.expr}, call.range);
  Value rounded = op_value(OpKind::Rint, x.type, {scaled_up.expr}, call.range);
  return op_value(back, x.type, {rounded.expr, factor.expr}, call.range);
}

}  // namespace lanewise::frontend::inference
