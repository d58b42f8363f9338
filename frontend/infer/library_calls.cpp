// Calls of builtins that frontend/library has: functions of the kernel language whose text the user never
// sees.
#include "frontend/infer/function_inference.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

// How a function is called: "isclose(a, b, rel_tol=..., abs_tol=...)".
std::string spell_call(std::string_view name, const FunctionRef& function) {
  std::string out;
  for (const Parameter& p : (*function.ast)[function.def].params) {
    out += out.empty() ? "" : ", ";
    out += p.kind == Parameter::Kind::Star ? "*" : "";
    out += p.name;
    out += p.default_value.valid() ? "=..." : "";
  }
  return std::string(name) + "(" + out + ")";
}

}  // namespace

// What inference says of the function would point into text that is not the user's, so only whether it failed
// is known.
Value FunctionInference::invoke_library(const HostValue::Function& function, std::vector<Value> values,
                                        SourceRange range) {
  size_t reports = reports_.size();
  Value result = invoke(function, std::move(values), {}, range, range);
  reports_.resize(reports);
  return result;
}

Value FunctionInference::call_library(const std::string& name, std::string_view function_name,
                                      CallArguments& call) {
  HostValue::Function function = library_function(function_name);
  std::string given;
  for (const Value& v : call.positional) given += (given.empty() ? "" : ", ") + describe(v);
  std::optional<std::vector<Value>> values = match_parameters(*function, call);
  if (!values) return error(call.range);
  for (const Value& v : *values)
    if (v.is_error()) return error(call.range);
  Value result = invoke_library(function, std::move(*values), call.range);
  if (result.is_error()) {
    std::string_view last = std::string_view(name).substr(name.rfind('.') + 1);
    report(DiagnosticId::ArgumentType, call.range,
           {name, "its arguments", "`" + spell_call(last, *function) + "`", "(" + given + ")"});
  }
  return result;
}

}  // namespace lanewise::frontend::inference
