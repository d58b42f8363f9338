// Functions and methods of whole arrays: what is computed for each element, reductions, new arrays.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

// Methods that are functions of the same name in numpy, with the array as the first argument.
constexpr const char* kNumpyMethods[] = {
    "sum", "prod", "min",  "max",   "any",     "all",   "mean",      "argmin",   "argmax", "std",
    "var", "dot",  "clip", "round", "reshape", "ravel", "transpose", "swapaxes", "conj",   "conjugate"};
constexpr const char* kOwnMethods[] = {
    "fill",    "astype",  "copy",    "flatten", "item", "tolist", "sort",   "cumsum", "squeeze", "argsort",
    "cumprod", "tobytes", "nonzero", "repeat",  "take", "put",    "resize", "trace",  "diagonal"};

bool among(const std::string& name, std::span<const char* const> list) {
  return std::ranges::any_of(list, [&](const char* one) { return name == one; });
}

}  // namespace

// The operands of a function that numbers have and arrays have element by element; 0 for all others.
size_t FunctionInference::elementwise_arity(const std::string& name) const {
  if (const Builtin* known = builtin_of_name(name)) return known->each ? known->arguments.least : 0;
  if (std::optional<NamedOperator> op = operator_of_name(name)) return op->unary ? 1 : 2;
  std::optional<OpKind> op = op_of_name(name);
  if (!op || ir::info(*op).effect != ir::Effect::None) return 0;
  return ir::info(*op).signature.operand_count;
}

std::optional<Value> FunctionInference::call_on_arrays(const std::string& name, CallArguments& call) {
  bool whole = std::ranges::any_of(call.positional, [&](const Value& v) { return is_whole(v); }) ||
               std::ranges::any_of(call.keywords, [&](const auto& k) { return is_whole(k.second); });
  size_t count = whole ? elementwise_arity(name) : 0;
  if (count == 0) return std::nullopt;
  // As NumPy's functions have it: the result may go into an array that is given last.
  std::optional<Value> out;
  bool numpy = name.starts_with("numpy.");
  const Builtin* known = builtin_of_name(name);
  bool last_is_out = numpy && !(known && known->arguments.most > count);
  auto keyword = std::ranges::find(call.keywords, "out", [](const auto& k) { return k.first; });
  if (keyword != call.keywords.end()) {
    out = keyword->second;
    call.keywords.erase(keyword);
  } else if (last_is_out && call.positional.size() == count + 1 && is_whole(call.positional.back())) {
    out = call.positional.back();
    call.positional.pop_back();
  }
  if (out && out->object<HostValue::None>()) out.reset();
  if (out && !out->is_array()) {
    report(DiagnosticId::ArgumentType, out->range, {name, "`out`", "an array", describe(*out)});
    return error(call.range);
  }
  if (out) hold(*out);
  CallArguments shape = call;  // without values: what becomes of each element
  auto combine = [this, name, shape](std::vector<Value>& elements) mutable {
    CallArguments each = shape;
    size_t next = 0;
    for (Value& v : each.positional) v = elements[next++];
    for (auto& [key, v] : each.keywords) v = elements[next++];
    return call_builtin(name, each);
  };
  std::vector<Value> operands = call.positional;
  for (auto& [key, v] : call.keywords) operands.push_back(v);
  Value result = elementwise(std::move(operands), combine, call.range);
  if (!out || result.is_error()) return result;
  assign_elements(*out, result, call.range);
  return *out;
}

// `f(...)` where f is an attribute: a method of an array, or what the attribute stands for.
Value FunctionInference::call_attribute(const Expr& e) {
  const Expr& callee = ast_[e.children[0]];
  Value base = infer(callee.children[0]);
  if (callee.text == "view" && (base.is_array() || base.is_time())) return call_view(std::move(base), e);
  if (std::optional<Value> done = method_of_value(base, e)) return *done;
  bool method = is_whole(base) && (among(callee.text, kNumpyMethods) || among(callee.text, kOwnMethods));
  if (!method) {
    Value function = attribute(std::move(base), callee);
    return call_written(std::move(function), e);
  }
  size_t position = out_->size();
  CallArguments call = infer_arguments(e);
  Value* earlier[] = {&base};
  keep_order(earlier, position);
  if (call.error) return error(e.range);
  call.positional.insert(call.positional.begin(), std::move(base));
  if (among(callee.text, kNumpyMethods)) return call_builtin("numpy." + callee.text, call);
  return array_method(callee.text, call);
}

Value FunctionInference::array_method(const std::string& name, CallArguments& call) {
  Value& array = call.positional[0];
  if (name == "fill") {
    if (!arity(name, call, 2, 2)) return error(call.range);
    if (!array.is_array()) return refuse_expression(array, "filled", call.range);
    assign_elements(array, call.positional[1], call.range);
    return none(call.range);
  }
  if (name == "astype") return astype(call);
  if (name == "copy" || name == "flatten")
    return not_supported(
        call.range, "`" + name + "()`, which makes a new array",
        name == "copy" ? "`t = gpu.local.array(n, dtype)`, `t[:] = a` copies into an array of fixed size"
                       : "`.ravel()` is a view of a contiguous array; `.flat` goes over any");
  if (name == "item") {
    ArrayExpressionPtr of = as_expression(array);
    bool indexed = of && call.positional.size() == 1 + of->ndim();
    if (of && (indexed || call.positional.size() == 1)) {
      Indices at;
      for (size_t d = 0; d < of->ndim(); ++d)
        at.push_back(indexed ? wrapped_index(call.positional[1 + d], of->shape[d])
                             : python_int(0, call.range));
      if (std::ranges::any_of(at, &Value::is_error)) return error(call.range);
      return element_where_equal(of, at, call.range);
    }
  }
  return not_supported(call.range, "the array method `" + name + "`", "write the loop over the elements");
}

Value FunctionInference::astype(CallArguments& call) {
  std::erase_if(call.keywords, [](const auto& k) { return k.first == "copy"; });
  if (call.keywords.size() == 1 && call.keywords[0].first == "dtype") {
    call.positional.push_back(call.keywords[0].second);
    call.keywords.clear();
  }
  if (!arity("astype", call, 2, 2)) return error(call.range);
  std::optional<ElementType> type = dtype_of(call.positional[1]);
  if (!type) {
    report(DiagnosticId::ArgumentType, call.positional[1].range,
           {"astype", "the dtype", "a type such as np.float32", describe(call.positional[1])});
    return error(call.range);
  }
  HostValue::DType to{*type, false};
  return elementwise(
      {call.positional[0]},
      [this, to, range = call.range](std::vector<Value>& v) { return cast(v[0], to, range); }, call.range);
}

Value FunctionInference::array_function(const std::string& name, CallArguments& call) {
  if (name == "numpy.zeros" || name == "numpy.empty" || name == "numpy.ones" || name == "numpy.full" ||
      name == "numpy.zeros_like" || name == "numpy.empty_like" || name == "numpy.ones_like" ||
      name == "numpy.full_like")
    return new_filled(name, call);
  if (call.positional.empty()) {
    report(DiagnosticId::ArgumentCount, call.range, {name, "an array", count_text(call)});
    return error(call.range);
  }
  Value& array = call.positional[0];
  if (name == "numpy.dot" || name == "numpy.matmul" || name == "operator.matmul" || name == "numpy.vdot" ||
      name == "numpy.inner") {
    if (!arity(name, call, 2, 2)) return error(call.range);
    if (name == "numpy.vdot" && is_whole(array)) {
      auto conjugate = [this](std::vector<Value>& v) { return complex_conjugate(v[0], v[0].range); };
      array = elementwise({array}, conjugate, array.range);
    }
    return matmul(array, call.positional[1], call.range);
  }
  if (!is_whole(array) && !array.is_single()) {
    Report& r =
        report(DiagnosticId::ArgumentType, array.range, {name, "argument 1", "an array", describe(array)});
    explain(r, array);
    return error(call.range);
  }
  if (name == "numpy.std" || name == "numpy.var") {
    if (!arity(name, call, 1, 1)) return error(call.range);
    return variance(array, name == "numpy.std", call.range);
  }
  if (name == "numpy.reshape") return reshape_call(call);
  if (name == "numpy.ravel") return ravel(call);
  if (name == "numpy.transpose" || name == "numpy.swapaxes") return transpose_call(name, call);
  return reduce_call(name, call);
}

// numpy.zeros(3), numpy.full((4, 4), 7, np.int32): an array of each thread's own.
Value FunctionInference::new_filled(const std::string& name, CallArguments& call) {
  bool full = name.starts_with("numpy.full"), like = name.ends_with("_like");
  std::vector<std::string> names = {like ? "a" : "shape", "dtype"};
  if (full) names.insert(names.begin() + 1, "fill_value");
  std::vector<std::optional<Value>> given(names.size());
  for (size_t i = 0; i < call.positional.size() && i < given.size(); ++i) given[i] = call.positional[i];
  for (auto& [keyword, value] : call.keywords) {
    auto found = std::ranges::find(names, keyword);
    if (found == names.end()) {
      report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return error(call.range);
    }
    given[static_cast<size_t>(found - names.begin())] = value;
  }
  bool enough = given[0] && (!full || given[1]) && call.positional.size() <= names.size();
  if (!enough || (like && !is_whole(*given[0]))) {
    report(DiagnosticId::ArgumentCount, call.range,
           {name,
            like   ? "an array"
            : full ? "a shape and a value"
                   : "a shape",
            count_text(call)});
    return error(call.range);
  }
  CallArguments made;
  made.range = call.range;
  ElementType element = ir::kF64;
  if (full && given[1]->is_single() && (!given[1]->type.python || !given[1]->type.scalar.is_float()))
    element = given[1]->type.element_type();
  Value dtype = object({HostValue::DType{element, false}}, call.range);
  if (like) {
    ArrayExpressionPtr of = as_expression(*given[0]);
    if (!of) return error(call.range);
    dtype = object({HostValue::DType{of->sample.type.element_type(), false}}, call.range);
    given[0] = tuple(of->shape, given[0]->range);
  }
  if (given.back() && !given.back()->object<HostValue::None>()) dtype = *given.back();
  made.positional = {*given[0], dtype};
  size_t said = reports_.size();
  Value array = new_array(ir::Space::Local, name, made);
  if (array.is_error()) {
    for (size_t i = said; i < reports_.size(); ++i)
      if (reports_[i].id == DiagnosticId::ShapeNotConstant)
        reports_[i].with_hint(
            "kernels cannot allocate: the shape of an array of a thread's own must be known "
            "when it is compiled; pass larger ones as arguments");
    return array;
  }
  if (name.starts_with("numpy.empty")) return array;
  stabilise(array);
  Value value = full ? *given[1] : python_int(name.starts_with("numpy.ones"), call.range);
  assign_elements(array, value, call.range);
  return array;
}

}  // namespace lanewise::frontend::inference
