// Calls of device functions in CUDA C++: their arguments are converted to the types that the signature
// declares.
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

constexpr std::string_view kWayOut =
    "give it a function in Python for other targets, `gpu.cuda_function(..., fallback=f)`, or compile for "
    "CUDA";

bool layout_fits(const ValueType& given, const ValueType& wanted) {
  if (wanted.has_strides()) return true;
  return given.layout == wanted.layout || (given.ndim <= 1 && !given.has_strides());
}

}  // namespace

// Makes `value` the declared argument; false if it cannot be (reported).
bool FunctionInference::cuda_argument(const CudaFunction& function, size_t index, Value& value) {
  const ValueType& wanted = function.params[index];
  auto refuse = [&](std::string_view hint) {
    Report& r =
        report(DiagnosticId::ArgumentType, value.range,
               {function.name, "argument " + std::to_string(index + 1), to_string(wanted), describe(value)});
    if (!hint.empty()) r.with_hint(std::string(hint));
    explain(r, value);
    return false;
  };
  if (value.is_error()) return false;
  if (value.deferred() || contained_expression(value)) {
    refuse_expression(value, "passed to a device function", value.range);
    return false;
  }
  if (wanted.is_array()) {
    if (!value.is_array() || value.type.element != wanted.element || value.type.ndim != wanted.ndim)
      return refuse("");
    if (!layout_fits(value.type, wanted))
      return refuse(
          "the C++ function gets the address of the first element; declare the array with `:` instead of "
          "`::1` if it need not be contiguous");
    if (value.type.unaligned) return refuse("the addresses of its elements are not multiples of their size");
    if (wanted.writable && !value.type.writable)
      return refuse("declare it as \"read-only " + to_string(wanted) + "\" if the function only reads it");
    return true;
  }
  if (wanted.is_vector() || wanted.is_time()) return value.type == wanted || refuse("");
  if (!value.is_number() || (value.is_complex() && !wanted.is_complex())) return refuse("");
  bool to_integer = wanted.is_scalar() && (wanted.scalar.is_int() || wanted.scalar.is_bool());
  if (to_integer && value.is_scalar() && value.type.scalar.is_float())
    return refuse("convert it: `" + std::string(wanted.scalar.is_bool() ? "x != 0" : "int(x)") + "`");
  if (wanted.is_scalar() && !check_range(value, wanted.scalar, "the type that the function takes"))
    return false;
  value = converted(std::move(value), wanted);
  return !value.is_error();
}

Value FunctionInference::call_cuda(const CudaFunction& function, CallArguments& call, SourceRange where) {
  if (call.error) return error(call.range);
  if (!session_.options.cuda_functions) {
    if (function.fallback) return call_value(from_host(*function.fallback, function.name, where), call);
    report(DiagnosticId::CudaFunction, where, {function.name}).with_hint(std::string(kWayOut));
    return error(call.range);
  }
  if (!call.keywords.empty()) {
    report(DiagnosticId::UnknownKeyword, call.keywords[0].second.range,
           {function.name, call.keywords[0].first})
        .with_hint("the parameters of a C++ function have no names here");
    return error(call.range);
  }
  size_t count = function.params.size();
  if (call.positional.size() != count) {
    report(DiagnosticId::ArgumentCount, call.range,
           {function.name, std::to_string(count) + (count == 1 ? " argument" : " arguments"),
            std::to_string(call.positional.size())});
    return error(call.range);
  }
  TExpr e{.kind = TExprKind::External, .type = function.result, .range = call.range};
  for (size_t i = 0; i < count; ++i) {
    Value& value = call.positional[i];
    if (!cuda_argument(function, i, value)) return error(call.range);
    e.children.push_back(node(value));
  }
  e.index = session_.external_index(function.code);
  TExprId id = add(std::move(e));
  if (function.result.kind == ValueType::Kind::None) {
    emit({.kind = TStmtKind::Expr, .range = call.range, .value = id});
    return object({HostValue::None{}}, call.range);
  }
  Value result;
  result.type = function.result;
  result.expr = id;
  result.range = call.range;
  result.known.non_negative =
      result.is_scalar() && (result.type.scalar.is_unsigned() || result.type.scalar.is_bool());
  return result;
}

}  // namespace lanewise::frontend::inference
