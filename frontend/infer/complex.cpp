// Complex numbers: a value is its two parts, and an operation is that of real numbers on them. What takes
// more than a line or two is a function of library/cmath.py.
#include <algorithm>

#include "frontend/infer/function_inference.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr uint64_t kMaxMultipliedOut = 64;

}  // namespace

Value FunctionInference::complex_number(const HostValue::Complex& constant, SourceRange range) {
  bool python = constant.part.is_void();
  auto part = [&](double value) {
    return number(python ? HostValue{value} : make_typed(constant.part, value), range);
  };
  return make_complex(part(constant.real), part(constant.imag), range);
}

// Both parts must have one type of float.
Value FunctionInference::make_complex(Value real, Value imag, SourceRange range) {
  if (real.is_error() || imag.is_error()) return error(range);
  Value v;
  v.range = range;
  v.type = real.type.python ? ValueType::python_complex(real.type.scalar)
                            : ValueType::typed(ElementType::complex(real.type.scalar));
  if (real.known.constant && imag.known.constant)
    v.known.constant =
        HostValue{HostValue::Complex{*float_value(*real.known.constant), *float_value(*imag.known.constant),
                                     real.type.python ? ir::kVoid : real.type.scalar}};
  v.known.items = {real.known, imag.known};
  v.parts = {std::move(real), std::move(imag)};
  return v;
}

// The type that an operation on these numbers works in: as of floats (rule 4.1), at least 32 bits a part.
ValueType FunctionInference::complex_type(std::span<const Value> values) const {
  std::vector<Number> numbers;
  for (const Value& v : values) {
    numbers.push_back(as_number(v));
    if (v.is_complex()) numbers.back().constant = nullptr;
  }
  return complex_type(numbers);
}

ValueType FunctionInference::complex_type(std::span<const Number> numbers) const {
  NumberType type = float_type(numbers.data(), numbers.size(), session_.python_float());
  if (type.type.bits < 32) type.type = ir::kF32;
  return type.python ? ValueType::python_complex(type.type)
                     : ValueType::typed(ElementType::complex(type.type));
}

// The two parts of a real or complex number as floats of the type's part.
std::pair<Value, Value> FunctionInference::complex_parts(const Value& value, const ValueType& type) {
  Value whole = converted(value, type);
  return {tuple_item(whole, 0, value.range), tuple_item(whole, 1, value.range)};
}

Value FunctionInference::complex_binary(Operator op, Value& left, Value& right, SourceRange range,
                                        SourceRange op_range) {
  bool arithmetic = op == Operator::Add || op == Operator::Sub || op == Operator::Mul ||
                    op == Operator::Div || op == Operator::Pow;
  bool floors = op == Operator::FloorDiv || op == Operator::Mod;
  if (!arithmetic)
    return refuse_operands(
        op, left, right, op_range,
        floors ? "complex numbers have no order, and so no floor; use `/`, or the parts: `z.real`" : "");
  // Both are used more than once.
  stabilise(left, right);
  const Value both[] = {left, right};
  const ValueType type = complex_type(both);
  switch (op) {
    case Operator::Mul: return complex_product(left, right, type, range);
    case Operator::Div: return complex_quotient(left, right, type, range);
    case Operator::Pow: return complex_power(left, right, type, range);
    default: break;
  }
  auto [a, b] = complex_parts(left, type);
  auto [c, d] = complex_parts(right, type);
  // A real operand stays real: its imaginary part is no 0 that would take away the sign of a zero.
  Value real = binary(op, a, c, range, range);
  if (!left.is_complex() && op == Operator::Sub)
    return make_complex(real, unary(Operator::Neg, d, range), range);
  if (!left.is_complex()) return make_complex(real, d, range);
  return make_complex(real, right.is_complex() ? binary(op, b, d, range, range) : b, range);
}

Value FunctionInference::complex_product(const Value& left, const Value& right, const ValueType& type,
                                         SourceRange range) {
  auto times = [&](const Value& x, const Value& y) { return binary(Operator::Mul, x, y, range, range); };
  auto [a, b] = complex_parts(left, type);
  auto [c, d] = complex_parts(right, type);
  if (!left.is_complex()) return make_complex(times(a, c), times(a, d), range);
  if (!right.is_complex()) return make_complex(times(a, c), times(b, c), range);
  Value real = binary(Operator::Sub, times(a, c), times(b, d), range, range);
  Value imag = binary(Operator::Add, times(a, d), times(b, c), range, range);
  return make_complex(std::move(real), std::move(imag), range);
}

Value FunctionInference::complex_quotient(Value& left, Value& right, const ValueType& type,
                                          SourceRange range) {
  if (right.is_complex()) return call_complex_library("cmath._divide", {left, right}, type, range);
  auto [a, b] = complex_parts(left, type);
  Value divisor = converted(right, type.item(0));
  return make_complex(binary(Operator::Div, a, divisor, range, range),
                      binary(Operator::Div, b, divisor, range, range), range);
}

// A constant integer exponent multiplies out, as of real numbers.
Value FunctionInference::complex_power(Value& left, Value& right, const ValueType& type, SourceRange range) {
  std::optional<Wide> exponent = right.known.constant && !right.type.scalar.is_float()
                                     ? integer_value(*right.known.constant)
                                     : std::nullopt;
  if (!exponent || *exponent > Wide{kMaxMultipliedOut} || *exponent < -Wide{kMaxMultipliedOut})
    return call_complex_library("cmath._power", {left, right}, type, range);
  uint64_t rest = static_cast<uint64_t>(*exponent < 0 ? -*exponent : *exponent);
  Value power = converted(left, type), one = converted(python_int(1, range), type), result = one;
  for (bool any = false; rest; rest >>= 1) {
    if (rest & 1) {
      result = any ? complex_product(result, power, type, range) : power;
      any = true;
      stabilise(result);
    }
    if (rest > 1) power = complex_product(power, power, type, range), stabilise(power);
  }
  result.range = range;
  return *exponent < 0 ? complex_quotient(one, result, type, range) : result;
}

Value FunctionInference::compare_complex(Operator op, Value& left, Value& right, SourceRange range) {
  if (op != Operator::Eq && op != Operator::Ne)
    return refuse_operands(op, left, right, range,
                           "complex numbers have no order; compare `abs(z)`, `z.real` or `z.imag`");
  stabilise(left, right);
  const Value both[] = {left, right};
  const ValueType type = complex_type(both);
  auto [a, b] = complex_parts(left, type);
  auto [c, d] = complex_parts(right, type);
  Value real = compare(op, a, c, range), imag = compare(op, b, d, range);
  return bool_op(op == Operator::Eq ? OpKind::And : OpKind::Or, real, imag, range);
}

Value FunctionInference::complex_abs(Value& value, SourceRange range) {
  std::vector<Value> parts = items(value);
  return float_op(OpKind::Hypot, {parts[0], parts[1]}, range);
}

Value FunctionInference::complex_conjugate(Value value, SourceRange range) {
  if (!value.is_complex()) return unary(Operator::Pos, std::move(value), range);
  std::vector<Value> parts = items(value);
  return make_complex(parts[0], unary(Operator::Neg, parts[1], range), range);
}

// complex(a, b), np.complex64(a, b): a + b * 1j, in the type if one is named, else that of the arguments.
Value FunctionInference::complex_of(CallArguments& call, const std::optional<ValueType>& wanted) {
  std::vector<Value>& values = call.positional;
  if (values.empty()) values.push_back(python_int(0, call.range));
  if (!all_numbers(wanted ? to_string(*wanted) : "complex", values, true)) return error(call.range);
  ValueType type = wanted ? *wanted : complex_type(values);
  Value v = converted(values[0], type);
  v.range = call.range;
  v.origin = {};
  if (values.size() == 1) return v;
  if (!values[0].is_complex() && !values[1].is_complex()) {
    ValueType part = type.item(0);
    return make_complex(converted(values[0], part), converted(values[1], part), call.range);
  }
  Value imaginary =
      complex_product(values[1], complex_number({0, 1, ir::kVoid}, call.range), type, call.range);
  return complex_binary(Operator::Add, v, imaginary, call.range, call.range);
}

// np.real, imag, conj and angle: of numbers and, the first two, of arrays.
Value FunctionInference::call_part(Handler handler, const std::string& name, CallArguments& call) {
  Value& z = call.positional[0];
  bool part = handler == Handler::RealOf || handler == Handler::ImagOf;
  if (part && z.is_array() && z.type.element.is_complex())
    return part_view(z, handler == Handler::ImagOf, call.range);
  if (handler == Handler::RealOf && z.is_array()) return z;
  if (!all_numbers(name, call.positional, true)) return error(call.range);
  if (handler == Handler::Conjugate) return complex_conjugate(z, call.range);
  if (handler == Handler::RealOf) return z.is_complex() ? tuple_item(z, 0, call.range) : z;
  if (handler == Handler::ImagOf)
    return z.is_complex() ? tuple_item(z, 1, call.range) : converted(python_int(0, call.range), z.type);
  std::vector<Value> parts = z.is_complex() ? items(z) : std::vector<Value>{z, number({0.0}, call.range)};
  return float_op(OpKind::Atan2, {parts[1], parts[0]}, call.range);
}

namespace {

// The result of a library function on Python numbers is one, too.
ValueType as_python(const ValueType& type) {
  if (type.is_scalar()) return ValueType::python_number(type.scalar);
  if (type.is_complex()) return ValueType::python_complex(type.scalar);
  if (!type.is_tuple()) return type;
  std::vector<ValueType> items;
  for (const ValueType& item : type.items) items.push_back(as_python(item));
  return ValueType::tuple(std::move(items));
}

}  // namespace

// The libraries are written for typed numbers; `type` says the precision and what the result is to be.
Value FunctionInference::call_complex_library(const std::string& name, std::vector<Value> arguments,
                                              const ValueType& type, SourceRange range) {
  ValueType typed =
      type.is_complex() ? ValueType::typed(ElementType::complex(type.scalar)) : ValueType::typed(type.scalar);
  for (Value& argument : arguments) argument = converted(std::move(argument), typed);
  Value result = invoke(library_function(name), arguments, {}, range, range);
  if (result.is_error() || !type.python) return result;
  return converted(std::move(result), as_python(result.type));
}

// cmath.*: of real numbers as well.
std::optional<Value> FunctionInference::call_cmath(const std::string& name, CallArguments& call) {
  if (!is_library_name(name)) return std::nullopt;
  HostValue::Function function = library_function(name);
  size_t count = function->ast->stmts[function->def].params.size();
  bool log = name == "cmath.log";
  if (!arity(name, call, count, log ? 2 : count) || !all_numbers(name, call.positional, true))
    return error(call.range);
  ValueType type = complex_type(call.positional);
  if (name == "cmath.rect") {
    for (const Value& v : call.positional)
      if (v.is_complex()) return refuse_complex(name, call);
    type = type.item(0);
  }
  bool base = log && call.positional.size() == 2;
  return call_complex_library(base ? "cmath._log_base" : name, call.positional, type, call.range);
}

// A builtin with a complex argument; nullopt if it is one that takes such by itself.
std::optional<Value> FunctionInference::call_with_complex(const std::string& name, CallArguments& call) {
  if (std::ranges::none_of(call.positional, &Value::is_complex)) return std::nullopt;
  static constexpr std::pair<std::string_view, const char*> kFunctions[] = {
      {"arccos", "acos"}, {"arccosh", "acosh"}, {"arcsin", "asin"}, {"arcsinh", "asinh"},
      {"arctan", "atan"}, {"arctanh", "atanh"}, {"acos", "acos"},   {"acosh", "acosh"},
      {"asin", "asin"},   {"asinh", "asinh"},   {"atan", "atan"},   {"atanh", "atanh"},
      {"cos", "cos"},     {"cosh", "cosh"},     {"exp", "exp"},     {"isfinite", "isfinite"},
      {"isinf", "isinf"}, {"isnan", "isnan"},   {"log", "log"},     {"log10", "log10"},
      {"log2", "_log2"},  {"sin", "sin"},       {"sinh", "sinh"},   {"sqrt", "sqrt"},
      {"tan", "tan"},     {"tanh", "tanh"}};
  bool numpy = name.starts_with("numpy.");
  std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
  for (auto& [known, function] : kFunctions) {
    if (!numpy || known != last) continue;
    if (!arity(name, call, 1, 1)) return error(call.range);
    return call_complex_library(std::string("cmath.") + function, call.positional,
                                complex_type(call.positional), call.range);
  }
  const Builtin* known_builtin = builtin_of_name(name);
  if (known_builtin && known_builtin->complex) return std::nullopt;
  bool takes_them = operator_of_name(name).has_value();
  std::optional<ir::OpKind> op = op_of_name(name);
  bool shuffles = op && *op >= OpKind::ShflIdx && *op <= OpKind::ShflXor;
  takes_them |= name.starts_with("gpu.atomic.") || op == OpKind::Select || shuffles;
  if (takes_them || (!op && !known_builtin && !is_library_name(name))) return std::nullopt;
  return refuse_complex(name, call);
}

Value FunctionInference::refuse_complex(const std::string& name, CallArguments& call) {
  auto z = std::ranges::find_if(call.positional, &Value::is_complex);
  Report& r = report(
      DiagnosticId::ArgumentType, z->range,
      {name, "argument " + std::to_string(z - call.positional.begin() + 1), "a real number", describe(*z)});
  std::string of_cmath = "cmath." + name.substr(name.rfind('.') + 1);
  if (name.starts_with("math.") && library_function(of_cmath))
    r.with_hint("`" + of_cmath + "` is the same of complex numbers");
  else
    r.with_hint("use its parts, `z.real` and `z.imag`, or its size, `abs(z)`");
  explain(r, *z);
  return error(call.range);
}

}  // namespace lanewise::frontend::inference
