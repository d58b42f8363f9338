// Calls: casts, device functions with their defaults and keywords.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>

#include "frontend/infer/constant_expr.h"
#include "frontend/infer/function_inference.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

Value FunctionInference::infer_call(const Expr& e) {
  if (ast_[e.children[0]].kind == ExprKind::Attribute) return call_attribute(e);
  return call_written(infer(e.children[0]), e);
}

Value FunctionInference::call_written(Value callee, const Expr& e) {
  if (auto* builtin = callee.object<HostValue::Builtin>(); builtin && builtin->name == "print")
    return infer_print(e);
  if (auto* builtin = callee.object<HostValue::Builtin>();
      builtin && (builtin->name == "operator.getitem" || builtin->name == "operator.setitem"))
    return item_by_name(builtin->name, e);
  CallArguments call = infer_arguments(e);
  callee.range = ast_[e.children[0]].range;
  return call_value(callee, call);
}

Value FunctionInference::call_value(const Value& callee, CallArguments& call) {
  if (callee.is_error()) return error(call.range);
  if (auto* dtype = callee.object<HostValue::DType>()) return call_dtype(*dtype, call);
  if (auto* builtin = callee.object<HostValue::Builtin>()) return call_builtin(builtin->name, call);
  if (auto* function = callee.object<HostValue::Function>())
    return call_function(*function, call, callee.range);
  if (auto* function = callee.object<HostValue::Cuda>()) return call_cuda(**function, call, callee.range);
  if (auto* type = callee.object<HostValue::TupleClass>()) return call_tuple_class(*type, call);
  if (auto* partial = callee.object<HostValue::Partial>()) return call_partial(*partial, call, callee.range);
  Report& r = report(DiagnosticId::NotCallable, callee.range, {describe(callee)});
  if (callee.is_array()) r.with_hint("elements are read with `[]`");
  if (callee.object<HostValue::Namespace>())
    r.with_hint(
        "there are no classes in kernels, but for named tuples: `collections.namedtuple(\"P\", \"x y\")`");
  explain(r, callee);
  return error(call.range);
}

CallArguments FunctionInference::infer_arguments(const Expr& e) {
  CallArguments call;
  call.range = e.range;
  std::vector<Value> values;
  std::vector<size_t> keyword_of;  // index into e.keywords + 1, 0 for positional ones
  size_t first_keyword = e.children.size() - e.keywords.size();
  for (size_t i = 1; i < e.children.size(); ++i) {
    const Expr& a = ast_[e.children[i]];
    size_t position = out_->size();
    bool starred = a.kind == ExprKind::Starred;
    Value value = infer(starred ? a.children[0] : e.children[i]);
    if (out_->size() != position) {
      std::vector<Value*> earlier;
      for (Value& v : values) earlier.push_back(&v);
      keep_order(earlier, position);
    }
    call.error |= value.is_error();
    if (starred && !value.is_error()) {
      if (!value.is_tuple()) {
        report(DiagnosticId::UnpackType, value.range, {describe(value)});
        call.error = true;
        continue;
      }
      for (Value& item : items(value)) values.push_back(std::move(item)), keyword_of.push_back(0);
      continue;
    }
    keyword_of.push_back(i >= first_keyword ? i - first_keyword + 1 : 0);
    values.push_back(std::move(value));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (keyword_of[i] == 0)
      call.positional.push_back(std::move(values[i]));
    else
      call.keywords.emplace_back(e.keywords[keyword_of[i] - 1], std::move(values[i]));
  }
  return call;
}

namespace {

// float("inf"), int("12"): what such a constant text is worth.
std::optional<HostValue> number_of_text(const std::string& text, bool is_float) {
  const char* begin = text.c_str();
  char* end = nullptr;
  if (is_float) {
    double value = std::strtod(begin, &end);
    bool hex = text.find_first_of("xX(") != text.npos;
    return !text.empty() && *end == 0 && !hex ? std::optional(HostValue{value}) : std::nullopt;
  }
  errno = 0;
  long long value = std::strtoll(begin, &end, 10);
  return !text.empty() && *end == 0 && errno == 0 ? std::optional(make_int(value)) : std::nullopt;
}

}  // namespace

Value FunctionInference::call_dtype(const HostValue::DType& type, CallArguments& call) {
  if (call.error) return error(call.range);
  if (type.type.is_vector()) return vector_of(type.type, call);
  if (type.type.is_complex()) {
    if (!arity(type.python ? "complex" : to_string(type.type), call, type.python ? 0 : 1, 2))
      return error(call.range);
    return complex_of(call, type.python ? std::nullopt : std::optional(ValueType::typed(type.type)));
  }
  ir::Type held = type.type.scalar;
  std::string name = type.python ? (held.is_bool()    ? "bool"
                                    : held.is_float() ? "float"
                                                      : "int")
                                 : to_string(ValueType::typed(type.type));
  if (!arity(name, call, type.python ? 0 : 1, 1)) return error(call.range);
  if (call.positional.empty()) return cast(python_int(0, call.range), type, call.range);
  Value& value = call.positional[0];
  if (is_whole(value))
    return elementwise(
        {value}, [this, type, range = call.range](std::vector<Value>& v) { return cast(v[0], type, range); },
        call.range);
  if (auto* text = value.object<std::string>(); text && type.python && !held.is_bool())
    if (std::optional<HostValue> parsed = number_of_text(*text, held.is_float()))
      return number(*parsed, call.range);
  if (held.is_bool() && (value.is_tuple() || value.is_complex()))
    return cast(to_bool(value), type, call.range);
  if (value.is_complex()) return refuse_complex(name, call);
  if (value.is_time() && held.is_int()) value = ticks(value);
  if (!all_numbers(name, call.positional)) return error(call.range);
  return cast(value, type, call.range);
}

Value FunctionInference::cast(Value value, const HostValue::DType& type, SourceRange range) {
  Value v;
  if (type.type.is_time()) {
    v.type = ValueType::typed(type.type);
    v.range = range;
    v.expr = convert_time(std::move(value), type.type.time, range);
    return v.expr.valid() ? v : error(range);
  }
  if (value.is_time()) {  // its count; NaT is NaN as a float
    Value count = ticks(std::move(value));
    stabilise(count);
    Value number = cast(count, type, range);
    if (number.is_error() || !number.type.scalar.is_float()) return number;
    TExprId nan = const_expr(number.type, std::numeric_limits<double>::quiet_NaN(), range);
    return op_value(ir::OpKind::Select, number.type, {is_nat(count, range).expr, nan, number.expr}, range);
  }
  if (!type.python) {
    if (!check_range(value, type.type.scalar, "the type of this cast")) return error(range);
    v = converted(std::move(value), ValueType::typed(type.type));
  } else if (type.type.scalar.is_bool()) {
    v = converted(to_bool(std::move(value)), ValueType::python_number(ir::kBool));
  } else if (type.type.scalar.is_float()) {
    v = converted(std::move(value), ValueType::python_number(session_.python_float()));
  } else {
    bool wide = value.type.scalar == ir::kU64;
    v = converted(std::move(value), ValueType::python_number(wide ? ir::kU64 : ir::kI64));
  }
  v.range = range;
  v.origin = {};
  v.integral = false;
  return v;
}

namespace {

constexpr size_t kMaxCallChain = 10;

const std::vector<Parameter>& parameters_of(const FunctionRef& function) {
  return function.def.valid() ? (*function.ast)[function.def].params
                              : (*function.ast)[function.lambda].params;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return out;
}

}  // namespace

bool FunctionInference::match_keywords(const FunctionRef& function, CallArguments& call,
                                       std::vector<std::optional<Value>>& slots) {
  const std::vector<Parameter>& params = parameters_of(function);
  for (auto& [name, value] : call.keywords) {
    auto found = std::ranges::find_if(params, [&](const Parameter& p) {
      return p.name == name && p.kind != Parameter::Kind::PositionalOnly && p.kind != Parameter::Kind::Star;
    });
    size_t index = static_cast<size_t>(found - params.begin());
    if (found == params.end() || slots[index]) {
      Report& r = report(DiagnosticId::UnknownKeyword, value.range, {function.name, name});
      std::vector<std::string> names;
      for (const Parameter& p : params) names.push_back(p.name);
      std::string near = ir::nearest_name(name, names);
      if (found != params.end())
        r.with_hint("it was given already");
      else if (!near.empty())
        r.with_hint("did you mean `" + near + "`?");
      return false;
    }
    slots[index] = std::move(value);
  }
  return true;
}

// The value of each parameter, defaults included; nullopt if the call does not fit (reported).
std::optional<std::vector<Value>> FunctionInference::match_parameters(const FunctionRef& function,
                                                                      CallArguments& call) {
  const std::vector<Parameter>& params = parameters_of(function);
  std::vector<std::optional<Value>> slots(params.size());
  size_t next = 0, positional = 0;
  std::optional<size_t> star;
  for (const Parameter& p : params) {
    if (p.kind == Parameter::Kind::DoubleStar) {
      not_supported(call.range, "calling a function that has a `**` parameter",
                    "name the parameters: arguments may be given by name");
      return std::nullopt;
    }
    if (p.kind == Parameter::Kind::Star)
      star = static_cast<size_t>(&p - params.data());
    else
      positional += p.kind != Parameter::Kind::KeywordOnly;
  }
  if (star) {
    std::vector<Value> rest;
    for (size_t i = positional; i < call.positional.size(); ++i) {
      call.positional[i].is_list = false;
      rest.push_back(std::move(call.positional[i]));
    }
    call.positional.resize(std::min(positional, call.positional.size()));
    slots[*star] = tuple(std::move(rest), call.range);
    if (slots[*star]->is_error()) return std::nullopt;
  }
  if (call.positional.size() > positional) {
    report(DiagnosticId::ArgumentCount, call.range,
           {function.name, counted(positional, "argument"), std::to_string(call.positional.size())});
    if (function_range(function) != SourceRange{})
      reports_.back().label(function_range(function), "defined here");
    return std::nullopt;
  }
  for (Value& v : call.positional) slots[next++] = std::move(v);
  if (!match_keywords(function, call, slots)) return std::nullopt;
  std::vector<Value> out;
  std::vector<std::string> missing;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!slots[i]) slots[i] = default_argument(function, i, call.range);
    if (slots[i])
      out.push_back(std::move(*slots[i]));
    else
      missing.push_back(params[i].name);
  }
  if (missing.empty()) return out;
  report(DiagnosticId::MissingArgument, call.range, {function.name, joined(missing)});
  if (function_range(function) != SourceRange{})
    reports_.back().label(function_range(function), "defined here");
  return std::nullopt;
}

SourceRange FunctionInference::function_range(const FunctionRef& function) const {
  return function.def.valid() ? (*function.ast)[function.def].name_range
                              : (*function.ast)[function.lambda].range;
}

std::optional<Value> FunctionInference::default_argument(const FunctionRef& function, size_t index,
                                                         SourceRange range) {
  const Parameter& p = parameters_of(function)[index];
  if (index < function.defaults.size() && function.defaults[index])
    return from_host(*function.defaults[index], p.name, range);
  if (!p.default_value.valid()) return std::nullopt;
  std::optional<HostValue> value =
      evaluate_constant(*function.ast, p.default_value, function.environment.get());
  if (value && !std::holds_alternative<HostValue::Unsupported>(value->value))
    return from_host(*value, p.name, range);
  report(DiagnosticId::DefaultNotConstant, (*function.ast)[p.default_value].range, {p.name})
      .label(range, "called here")
      .with_hint("pass the argument, or make the default a constant");
  return error(range);
}

Value FunctionInference::call_function(const HostValue::Function& function, CallArguments& call,
                                       SourceRange callee_range) {
  if (function->is_kernel) {
    report(DiagnosticId::KernelCall, call.range, {function->name})
        .with_hint("decorate it with `@gpu.jit(device=True)` to call it from kernels");
    return error(call.range);
  }
  if (call.error) return error(call.range);
  std::optional<std::vector<Value>> values = match_parameters(*function, call);
  if (!values) return error(call.range);
  // A function defined here gets the variables it uses, as they are now.
  std::vector<std::string> captured = captured_variables(*function);
  for (const std::string& name : captured) values->push_back(lookup_local(name, call.range));
  return invoke(function, std::move(*values), captured, call.range, callee_range);
}

// Arrays that may be parts of one array are told apart from others in the function, too.
void FunctionInference::note_shared_memory(std::span<const Value> values, std::vector<Argument>& arguments) {
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Value &a = values[i], &b = values[j];
      if (!a.is_array() || !b.is_array() || !may_share_memory(a, b)) continue;
      if (are_disjoint(a.expr, b.expr)) continue;
      bool known = a.known.memory != 0 && b.known.memory != 0;
      uint64_t& first = arguments[j].known.memory;
      if (!known) first = kSharedWithAny;
      if (first == 0) first = j + 1;
      arguments[i].known.memory = first;
    }
}

// The function on these values, one for each parameter and each captured variable. Library functions have no
// text to point to: what is wrong in them is reported at the call.
Value FunctionInference::invoke(const HostValue::Function& function, std::vector<Value> values,
                                const std::vector<std::string>& captured, SourceRange range,
                                SourceRange callee_range) {
  bool library = is_library_function(*function);
  std::vector<Argument> arguments;
  TExpr node_of_call{.kind = TExprKind::Call, .range = range};
  for (Value& v : values) {
    if (v.is_error()) return error(range);
    v.is_list = false;
    if (v.deferred() || contained_expression(v))
      return refuse_expression(v, "passed to a device function", v.range);
    Argument& argument = arguments.emplace_back();
    argument.type = v.type;
    argument.known = objects_of(v.type, v.known);
    if (!v.is_object()) node_of_call.children.push_back(node(v));
  }
  note_shared_memory(values, arguments);
  if (session_.calls >= Session::kMaxCalls) {
    report(DiagnosticId::TooDeep, range);
    return error(range);
  }
  ++session_.calls;
  uint32_t index = session_.specialise(function, arguments, captured);
  --session_.calls;
  const Specialisation& callee = session_[index];
  bool failed = false;
  for (Report r : callee.reports) {
    if (library && !is_error(r)) continue;
    if (library) {
      r.range = range;
      r.labels.clear();
      r.call_chain.clear();
    } else if (bool said = std::ranges::any_of(
                   r.call_chain, [&](const ir::Label& label) { return label.range == callee_range; });
               !said && r.call_chain.size() < kMaxCallChain) {
      r.call_chain.push_back({callee_range, "`" + function->name + "` is called here"});
    }
    failed |= is_error(r);
    reports_.push_back(std::move(r));
  }
  if (failed || !callee.result_known_yet || callee.result.is_error()) return error(range);
  node_of_call.index = index;
  node_of_call.type = callee.result;
  TExprId id = add(std::move(node_of_call));
  if (callee.result.kind == ValueType::Kind::None) {
    emit({.kind = TStmtKind::Expr, .range = range, .value = id});
    return object(callee.result_known.constant.value_or(HostValue{HostValue::None{}}), range);
  }
  Value result;
  result.type = callee.result;
  result.expr = id;
  result.range = range;
  result.known = objects_of(result.type, callee.result_known);
  result.known.non_negative =
      callee.result_known.non_negative ||
      (result.is_scalar() && (result.type.scalar.is_unsigned() || result.type.scalar.is_bool()));
  return result;
}

}  // namespace lanewise::frontend::inference
