// Things of compile time as arguments and results of builtins: types, named functions, constants of types;
// and the methods of numbers.
#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/type_limits.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

// type(x)
Value FunctionInference::type_of_value(const Value& value, SourceRange range) const {
  if (value.is_scalar() || value.type.is_complex() || value.type.is_vector())
    return object({HostValue::DType{value.type.element_type(), value.type.python}}, range);
  if (value.is_tuple() && value.type.names)
    return object({HostValue::TupleClass{value.type.names, {}}}, range);
  if (value.is_tuple()) return object({HostValue::Builtin{value.is_list ? "list" : "tuple"}}, range);
  if (value.is_array()) return object({HostValue::Builtin{"numpy.ndarray"}}, range);
  if (value.object<std::string>()) return object({HostValue::Builtin{"str"}}, range);
  return object({HostValue::Builtin{"type"}}, range);
}

namespace {

// Whether a number of this type is one of the classes that NumPy has above its types.
std::optional<bool> is_of_kind(const std::string& name, ir::Type type) {
  bool integer = type.is_int(), real = type.is_float();
  if (name == "numpy.generic") return true;
  if (name == "numpy.number") return integer || real;
  if (name == "numpy.integer") return integer;
  if (name == "numpy.signedinteger") return integer && type.is_signed();
  if (name == "numpy.unsignedinteger") return integer && type.is_unsigned();
  if (name == "numpy.floating" || name == "numpy.inexact") return real;
  return std::nullopt;
}

bool is_class_name(const std::string& name) {
  static constexpr std::string_view kClasses[] = {
      "tuple", "list", "str",  "complex", "numpy.ndarray", "object", "dict", "set", "numpy.complexfloating",
      "bytes", "type", "slice"};
  return std::ranges::find(kClasses, name) != std::end(kClasses);
}

}  // namespace

// isinstance(value, type): nullopt if `type` is no type. Python numbers are int, float and bool; others are
// NumPy's, of which float64 is a float.
std::optional<bool> FunctionInference::is_instance(const Value& value, const HostValue& type) const {
  if (auto* many = std::get_if<HostValue::Tuple>(&type.value)) {
    bool any = false;
    for (const HostValue& one : many->items) {
      std::optional<bool> is = is_instance(value, one);
      if (!is) return std::nullopt;
      any |= *is;
    }
    return any;
  }
  if (auto* dtype = std::get_if<HostValue::DType>(&type.value)) {
    if (!value.is_scalar() && !value.type.is_complex() && !value.type.is_vector()) return false;
    ElementType element = value.type.element_type();
    if (!dtype->python) return !value.type.python && element == dtype->type;
    if (!dtype->type.is_scalar() || !element.is_scalar())
      return value.type.python && element.kind == dtype->type.kind;
    ir::Type held = element.scalar, wanted = dtype->type.scalar;
    if (wanted.is_float()) return held.is_float() && (value.type.python || held == ir::kF64);
    if (wanted.is_bool()) return value.type.python && held.is_bool();
    return value.type.python && !held.is_float();
  }
  if (auto* tuple_class = std::get_if<HostValue::TupleClass>(&type.value))
    return value.is_tuple() && value.type.names == tuple_class->names;
  if (std::holds_alternative<HostValue::None>(type.value)) return value.object<HostValue::None>() != nullptr;
  auto* builtin = std::get_if<HostValue::Builtin>(&type.value);
  if (!builtin) return std::nullopt;
  if (std::optional<bool> kind = is_of_kind(builtin->name, value.type.scalar))
    return value.is_scalar() && !value.type.python && *kind;
  if (!is_class_name(builtin->name)) return std::nullopt;
  if (builtin->name == "object") return true;
  if (builtin->name == "tuple") return value.is_tuple() && !value.is_list;
  if (builtin->name == "list") return value.is_list;
  if (builtin->name == "str") return value.object<std::string>() != nullptr;
  return builtin->name == "numpy.ndarray" && value.is_array();
}

Value FunctionInference::call_partial(const HostValue::Partial& partial, CallArguments& call,
                                      SourceRange where) {
  CallArguments whole;
  whole.range = call.range;
  whole.error = call.error;
  for (const HostValue& argument : partial.arguments)
    whole.positional.push_back(from_host(argument, "an argument of functools.partial", call.range));
  for (Value& v : call.positional) whole.positional.push_back(std::move(v));
  for (const auto& [name, value] : partial.keywords)
    if (!call.keyword(name)) whole.keywords.emplace_back(name, from_host(value, name, call.range));
  for (auto& keyword : call.keywords) whole.keywords.push_back(std::move(keyword));
  for (const Value& v : whole.positional) whole.error |= v.is_error();
  return call_value(from_host(*partial.callee, "functools.partial", where), whole);
}

Value FunctionInference::call_object(Handler handler, const std::string& name, CallArguments& call) {
  SourceRange range = call.range;
  std::vector<Value>& args = call.positional;
  switch (handler) {
    case Handler::TypeOf: return type_of_value(args[0], range);
    case Handler::IsInstance: return instance_test(name, args[0], args[1], range);
    case Handler::IsSubtype: return is_subtype(name, call);
    case Handler::Callable: {
      const Value& v = args[0];
      bool callable = v.object<HostValue::Function>() || v.object<HostValue::DType>() ||
                      v.object<HostValue::Builtin>() || v.object<HostValue::Partial>() ||
                      v.object<HostValue::Cuda>() || v.object<HostValue::TupleClass>();
      return number({callable}, range);
    }
    case Handler::DTypeOf: {
      std::optional<ElementType> type = dtype_of(args[0]);
      if (type) return object({HostValue::DType{*type, false}}, range);
      report(DiagnosticId::ArgumentType, args[0].range, {name, "argument 1", "a type", describe(args[0])});
      return error(range);
    }
    case Handler::Limits: return limits(name, call);
    case Handler::CharOf:
    case Handler::OrdOf: return character_code(handler, name, call);
    case Handler::IsObject:
    case Handler::IsNot:
      return compare(handler == Handler::IsNot ? Operator::IsNot : Operator::Is, args[0], args[1], range);
    case Handler::Contains: return contains(args[1], args[0], range);
    case Handler::Concat: return binary(Operator::Add, args[0], args[1], range, range);
    default: return no_object(name, range);
  }
}

Value FunctionInference::instance_test(const std::string& name, const Value& value, const Value& type,
                                       SourceRange range) {
  std::optional<bool> is = type.known.constant ? is_instance(value, *type.known.constant) : std::nullopt;
  if (is) return number({*is}, range);
  report(DiagnosticId::ArgumentType, type.range,
         {name, "argument 2", "a type or a tuple of types", describe(type)});
  return error(range);
}

// issubclass(a, b), np.issubdtype(a, b).
Value FunctionInference::is_subtype(const std::string& name, CallArguments& call) {
  std::vector<Value>& args = call.positional;
  SourceRange range = call.range;
  Value sample;
  if (std::optional<ElementType> type = dtype_of(args[0])) sample.type = ValueType::typed(*type);
  auto* dtype = args[1].object<HostValue::DType>();
  if (sample.is_error()) {
    report(DiagnosticId::ArgumentType, args[0].range,
           {name, "argument 1", "a type of numbers", describe(args[0])});
    return error(range);
  }
  if (dtype) return number({dtype->type == sample.type.element_type()}, range);
  return instance_test(name, sample, args[1], range);
}

// ord("a"), chr(97), of constants.
Value FunctionInference::character_code(Handler handler, const std::string& name, CallArguments& call) {
  std::vector<Value>& args = call.positional;
  SourceRange range = call.range;
  auto* text = args[0].object<std::string>();
  std::optional<int64_t> code = args[0].known.constant ? index_value(*args[0].known.constant) : std::nullopt;
  if (handler == Handler::OrdOf && text && text->size() == 1 && static_cast<unsigned char>((*text)[0]) < 128)
    return python_int((*text)[0], range);
  if (handler == Handler::CharOf && code && *code >= 0 && *code < 128)
    return object({std::string(1, static_cast<char>(*code))}, range);
  return not_supported(range, "`" + name + "()` of anything but a constant ASCII character",
                       "there are no strings at run time: keep character codes in a uint8 array");
}

// What Python has and kernels do not.
Value FunctionInference::no_object(const std::string& name, SourceRange range) {
  static constexpr std::pair<std::string_view, std::string_view> kInstead[] = {
      {"list", "a tuple has a fixed length; for storage that changes use `gpu.local.array(n, dtype)`"},
      {"dict", "use arrays, or a tuple of constants"},
      {"set", "`x in (1, 2, 3)` tests membership"},
      {"frozenset", "`x in (1, 2, 3)` tests membership"},
      {"str", "there are no strings at run time: store numbers, and format them on the host"},
      {"repr", "there are no strings at run time: store numbers, and format them on the host"},
      {"format", "there are no strings at run time: store numbers, and format them on the host"},
      {"hasattr",
       "what an argument has is known from its type: `isinstance(x, ...)` is decided at compile time"},
      {"getattr", "write the attribute's name: `x.name`"},
      {"setattr", "records' fields are assigned with `a[i].name = x`"},
      {"open", "read files on the host"},
      {"input", "read input on the host and pass it as an argument"},
      {"map", "write the loop, or a comprehension"},
      {"filter", "write the loop with an `if`"},
      {"iter", "loop over it: `for x in a:`"},
      {"next", "keep the position in a variable: `x = a[i]; i += 1`"},
      {"object", "compare with `None`, or use a number"},
      {"bytes", "use a uint8 array"},
      {"eval", "call a device function"},
      {"exec", "call a device function"},
      {"vars", "write the names"},
      {"locals", "write the names"},
      {"globals", "write the names"},
      {"super", "there are no classes in kernels"},
      {"id", "compare values with `==`"},
      {"hash", "compute one from the value's bits"},
  };
  for (auto [known, hint] : kInstead)
    if (known == name) return not_supported(range, "`" + name + "()`", std::string(hint));
  return not_supported(range, "`" + name + "()`");
}

// numpy.finfo(float32).eps, numpy.iinfo(x.dtype).max: of types, their names, and of numbers.
Value FunctionInference::limits(const std::string& name, CallArguments& call) {
  const Value& of = call.positional[0];
  std::optional<ElementType> type = of.is_scalar() ? std::optional(of.type.element_type()) : dtype_of(of);
  if (std::optional<HostValue> found = type ? type_limits(name, type->scalar) : std::nullopt)
    return object(*found, call.range);
  report(
      DiagnosticId::ArgumentType, of.range,
      {name, "argument 1", name == "numpy.finfo" ? "a type of floats" : "a type of integers", describe(of)});
  return error(call.range);
}

std::optional<Value> FunctionInference::enum_members(const Value& value) {
  auto* space = value.object<HostValue::Namespace>();
  std::optional<HostValue> found =
      space && space->environment ? space->environment->lookup("_member_map_") : std::nullopt;
  if (!found || !std::holds_alternative<HostValue::Tuple>(found->value)) return std::nullopt;
  return from_host(*found, text(value.range), value.range);
}

namespace {

constexpr std::string_view kNumberMethods[] = {"astype",     "view",      "item", "is_integer",
                                               "bit_length", "conjugate", "conj", "__abs__"};

}  // namespace

// `x.item()`, `t.count(1)`: nullopt if the callee, an attribute of `base`, is no such method.
std::optional<Value> FunctionInference::method_of_value(Value& base, const Expr& e) {
  const std::string& name = ast_[e.children[0]].text;
  if (name == "bit_count" && base.is_scalar()) {
    CallArguments none_wanted = infer_arguments(e);
    return bit_count(std::move(base), none_wanted);
  }
  if (base.is_complex() && (name == "conjugate" || name == "conj")) {
    CallArguments none_wanted = infer_arguments(e);
    if (none_wanted.error || !arity(name, none_wanted, 0, 0)) return error(e.range);
    return complex_conjugate(std::move(base), e.range);
  }
  bool of_time = base.is_time() && name == "astype";
  bool of_number = base.is_scalar() && std::ranges::find(kNumberMethods, name) != std::end(kNumberMethods);
  const TupleNames& fields = base.type.names;
  bool of_tuple = base.is_tuple() && !base.is_list &&
                  ((fields && name == "_replace") ||
                   ((name == "count" || name == "index") && !(fields && fields.index_of(name))));
  if (!of_number && !of_tuple && !of_time) return std::nullopt;
  size_t position = out_->size();
  CallArguments call = infer_arguments(e);
  Value* earlier[] = {&base};
  keep_order(earlier, position);
  return of_tuple ? tuple_method(std::move(base), name, call)
                  : call_number_method(std::move(base), name, call);
}

Value FunctionInference::call_number_method(Value base, const std::string& name, CallArguments& call) {
  if (call.error) return error(call.range);
  bool wants_type = name == "astype" || name == "view";
  if (!arity(name, call, wants_type, wants_type)) return error(call.range);
  if (name == "conjugate" || name == "conj") return unary(Operator::Pos, std::move(base), call.range);
  if (name == "__abs__") return absolute(std::move(base), call.range);
  if (name == "item") {
    ir::Type held = base.type.scalar;
    ir::Type python = held.is_bool() ? ir::kBool : held.is_float() ? ir::kF64 : ir::kI64;
    return cast(std::move(base), {python, true}, call.range);
  }
  if (name == "is_integer" || name == "bit_length") {
    call.positional.push_back(std::move(base));
    return call_library(name, "builtins._" + name, call);
  }
  std::optional<ElementType> type = dtype_of(call.positional[0]);
  if (!type) {
    report(DiagnosticId::ArgumentType, call.positional[0].range,
           {name, "argument 1", "a type", describe(call.positional[0])});
    return error(call.range);
  }
  if (name == "astype") {
    base.known.constant.reset();  // wraps, as NumPy's does, where a cast of a constant would be an error
    return cast(std::move(base), {*type, false}, call.range);
  }
  ir::Type to = type->scalar;
  if (!type->is_scalar() || to.bits != base.type.scalar.bits || to.is_bool() || base.type.scalar.is_bool())
    return not_supported(call.range, "`view` of " + describe(base) + " as a type of another size");
  return op_value(OpKind::Bitcast, ValueType::typed(*type), {base.expr}, call.range);
}

// operator.getitem(a, i) and operator.setitem(a, i, x), as a[i] and a[i] = x.
Value FunctionInference::item_by_name(const std::string& name, const Expr& e) {
  bool sets = name == "operator.setitem";
  if (e.children.size() != (sets ? 4 : 3) || !e.keywords.empty()) {
    report(DiagnosticId::ArgumentCount, e.range,
           {name, sets ? "3 arguments" : "2 arguments", std::to_string(e.children.size() - 1)});
    return error(e.range);
  }
  Expr subscript;
  subscript.kind = ExprKind::Subscript;
  subscript.range = e.range;
  subscript.op_range = e.op_range;
  subscript.children = {e.children[1], e.children[2]};
  if (!sets) return infer_subscript(subscript);
  Value value = infer(e.children[3]);
  if (!value.is_error()) assign_subscript(subscript, std::move(value));
  return none(e.range);
}

}  // namespace lanewise::frontend::inference
