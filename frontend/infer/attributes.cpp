// Attributes: `gpu.threadIdx.x`, `a.shape`, `x.dtype.type`, members of modules and objects.
#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/infer/hints.h"
#include "frontend/record_type.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr const char* kArrayAttributes[] = {"shape",   "size",     "ndim",   "dtype", "T",
                                            "strides", "itemsize", "nbytes", "real",  "imag"};
// What NumPy's arrays have and kernels do not, yet.
constexpr const char* kArrayMethods[] = {"sum",    "min",       "max",     "mean",   "any",       "all",
                                         "argmin", "argmax",    "dot",     "view",   "reshape",   "ravel",
                                         "fill",   "copy",      "flatten", "astype", "transpose", "std",
                                         "var",    "prod",      "flat",    "item",   "tolist",    "cumsum",
                                         "conj",   "conjugate", "sort",    "clip",   "round",     "squeeze"};

bool among(const std::string& name, std::span<const char* const> list) {
  return std::ranges::any_of(list, [&](const char* one) { return name == one; });
}

}  // namespace

Value FunctionInference::infer_attribute(const Expr& e) { return attribute(infer(e.children[0]), e); }

Value FunctionInference::attribute(Value base, const Expr& e) {
  if (base.is_error()) return error(e.range);
  if (base.is_array()) return array_attribute(base, e);
  if (expression_of(base)) return expression_attribute(base, e);
  if (base.is_number()) return scalar_attribute(base, e);
  if (base.is_vector()) return vector_attribute(base, e);
  if (base.is_time() && e.text == "dtype")
    return object({HostValue::DType{base.type.element_type(), false}}, e.range);
  if (base.object<HostValue::Namespace>()) return namespace_attribute(base, e);
  if (auto* builtin = base.object<HostValue::Builtin>()) return builtin_attribute(builtin->name, base, e);
  if (base.object<HostValue::DType>()) return dtype_attribute(base, e);
  if (base.is_tuple()) return tuple_attribute(base, e);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  if (auto* type = base.object<HostValue::TupleClass>(); type && type->names.index_of(e.text))
    r.with_hint("fields belong to the tuples: `" + type->names.name() + "(...)." + e.text + "`");
  if (base.object<HostValue::Function>() && e.text == "py_func") return base;
  explain(r, base);
  return error(e.range);
}

Value FunctionInference::namespace_attribute(const Value& base, const Expr& e) {
  const auto& environment = base.object<HostValue::Namespace>()->environment;
  if (environment)
    if (std::optional<HostValue> found = environment->lookup(e.text))
      return from_host(*found, text(e.range), e.range);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {quote(text(base.range)), e.text});
  std::string near = environment ? ir::nearest_name(e.text, environment->names()) : "";
  if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
  return error(e.range);
}

Value FunctionInference::builtin_attribute(const std::string& name, const Value& base, const Expr& e) {
  if (std::optional<HostValue> found = builtin_module_attribute(name, e.text))
    return from_host(*found, text(e.range), e.range);
  if (std::string hint = hint_instead_of(name + "." + e.text); !hint.empty())
    return not_supported(e.range, quote(text(e.range)), hint);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {quote(text(base.range)), e.text});
  bool index =
      name == "gpu.threadIdx" || name == "gpu.blockIdx" || name == "gpu.blockDim" || name == "gpu.gridDim";
  if (index) r.with_hint("it has `x`, `y` and `z`");
  std::string near =
      index ? "" : ir::nearest_name(e.text, builtin_module_names(name), misspelt_letters(e.text));
  if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
  return error(e.range);
}

Value FunctionInference::dtype_attribute(const Value& base, const Expr& e) {
  const HostValue::DType& dtype = *base.object<HostValue::DType>();
  if (e.text == "type" || e.text == "dtype") {
    Value v = base;
    v.range = e.range;
    return v;
  }
  if (e.text == "itemsize") return python_int(dtype.type.size(), e.range);
  if (e.text == "name") return object({to_string(ValueType::typed(dtype.type))}, e.range);
  if (e.text == "kind") {
    const char* kind = !dtype.type.is_scalar()         ? (dtype.type.is_complex() ? "c" : "V")
                       : dtype.type.scalar.is_bool()   ? "b"
                       : dtype.type.scalar.is_float()  ? "f"
                       : dtype.type.scalar.is_signed() ? "i"
                                                       : "u";
    return object({std::string(kind)}, e.range);
  }
  report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  return error(e.range);
}

Value FunctionInference::scalar_attribute(Value& base, const Expr& e) {
  if (base.is_complex() && (e.text == "real" || e.text == "imag"))
    return tuple_item(base, e.text == "real" ? 0 : 1, e.range);
  if (e.text == "real") {
    base.range = e.range;
    base.origin = {};
    return base;
  }
  bool member = base.type.scalar.is_int() || (base.type.python && base.known.constant);
  if (e.text == "value" && member) return base;  // of an enum's member, which is its value
  if (e.text == "imag") return converted(python_int(0, e.range), base.type);
  if (!base.type.python && e.text == "dtype")
    return object({HostValue::DType{base.type.element_type(), false}}, e.range);
  if (e.text == "numerator" && !base.type.scalar.is_float()) return unary(Operator::Pos, base, e.range);
  if (e.text == "denominator" && !base.type.scalar.is_float()) return python_int(1, e.range);
  if (!base.type.python && e.text == "itemsize") return python_int(base.type.scalar.element_size(), e.range);
  if (!base.type.python && e.text == "ndim") return python_int(0, e.range);
  if (!base.type.python && e.text == "size") return python_int(1, e.range);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  if (e.text == "conjugate" || e.text == "conj") r.with_hint("it is called: `z.conjugate()`");
  if (among(e.text, kArrayAttributes)) r.with_hint("this is one number, not an array");
  explain(r, base);
  return error(e.range);
}

Value FunctionInference::shape(Value& array, unsigned dimension, SourceRange range) {
  const TExpr& e = exprs_[array.expr.index];
  // Arrays made here and constant ones have shapes known now.
  bool fixed =
      e.kind == TExprKind::SharedArray || e.kind == TExprKind::LocalArray || e.kind == TExprKind::Data;
  if (fixed) return python_int(e.shape[dimension], range);
  if (dimension < array.known.items.size() && array.known.items[dimension].constant)
    return number(*array.known.items[dimension].constant, range);
  stabilise(array);
  ValueType type = ValueType::python_number(ir::kI64);
  Value v = scalar(type,
                   add({.kind = TExprKind::Shape,
                        .type = type,
                        .range = range,
                        .index = dimension,
                        .children = {array.expr}}),
                   range);
  v.known.non_negative = true;
  v.known.at_most_one = dimension < array.known.items.size() && array.known.items[dimension].at_most_one;
  return v;
}

Value FunctionInference::stride_in_bytes(Value& array, unsigned dimension, SourceRange range) {
  stabilise(array);
  ValueType integer = ValueType::python_number(ir::kI64);
  TExpr node{.kind = TExprKind::Stride, .type = integer, .range = range, .index = dimension};
  node.children = {array.expr};
  Value stride = scalar(integer, add(std::move(node)), range);
  if (array.type.in_bytes()) return stride;
  return binary(Operator::Mul, stride, python_int(array.type.element.size(), range), range, range);
}

// The array of one of the parts of a complex array's elements, in the same memory.
Value FunctionInference::part_view(Value& base, bool imag, SourceRange range) {
  Value v;
  v.range = range;
  v.type = base.type;
  v.type.element = base.type.element.scalar;
  v.type.layout = base.type.general_layout();
  v.known.items = base.known.items;
  v.known.memory = base.known.memory;
  v.expr = add({.kind = TExprKind::Component,
                .type = v.type,
                .range = range,
                .index = imag ? 1u : 0u,
                .children = {base.expr}});
  return v;
}

Value FunctionInference::array_attribute(Value& base, const Expr& e) {
  const ValueType type = base.type;
  // Of a record its fields; an array's own attributes come before the fields of its records.
  bool field = type.element.is_record() && type.element.record->find(e.text);
  if (field && (type.ndim == 0 || !among(e.text, kArrayAttributes)))
    return read_place(field_of(base, e.text, e.op_range, e.range), e.range);
  ValueType integer = ValueType::python_number(ir::kI64);
  if (e.text == "shape") {
    std::vector<Value> parts;
    for (unsigned d = 0; d < type.ndim; ++d) parts.push_back(shape(base, d, e.range));
    return tuple(std::move(parts), e.range);
  }
  if (e.text == "ndim") return python_int(type.ndim, e.range);
  if (e.text == "itemsize") return python_int(type.element.size(), e.range);
  if (e.text == "dtype") return object({HostValue::DType{type.element, false}}, e.range);
  if (e.text == "size" || e.text == "nbytes") {
    Value size;
    if (type.ndim == 1) {
      size = shape(base, 0, e.range);
    } else {
      size = scalar(
          integer, add({.kind = TExprKind::Size, .type = integer, .range = e.range, .children = {base.expr}}),
          e.range);
      size.known.non_negative = true;
    }
    if (e.text == "size") return size;
    return binary(Operator::Mul, size, python_int(type.element.size(), e.range), e.range, e.range);
  }
  if (e.text == "strides") {
    std::vector<Value> parts;
    stabilise(base);
    for (unsigned d = 0; d < type.ndim; ++d) parts.push_back(stride_in_bytes(base, d, e.range));
    return tuple(std::move(parts), e.range);
  }
  if (type.element.is_complex() && (e.text == "real" || e.text == "imag"))
    return part_view(base, e.text == "imag", e.range);
  if (e.text == "real" || (e.text == "T" && type.ndim < 2)) return base;
  if (e.text == "T") {
    std::vector<unsigned> axes;
    for (unsigned d = type.ndim; d-- > 0;) axes.push_back(d);
    return transpose(base, axes, e.range);
  }
  if (e.text == "flat") return flat(base, e.range);
  if (among(e.text, kArrayMethods))
    return not_yet(e.op_range, "the array method `" + e.text + "`", "write the loop over the elements");
  if (type.element.is_record()) return field_of(base, e.text, e.op_range, e.range);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  std::vector<std::string> names(std::begin(kArrayAttributes), std::end(kArrayAttributes));
  names.insert(names.end(), std::begin(kArrayMethods), std::end(kArrayMethods));
  std::string near = ir::nearest_name(e.text, names);
  if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
  explain(r, base);
  return error(e.range);
}

}  // namespace lanewise::frontend::inference
