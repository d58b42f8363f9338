// Vectors of two to four numbers, float32x4 and its like: made from numbers and shorter vectors, taken apart
// by x, y, z, w or an index; operators work component by component, a number counting for all components.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr std::string_view kFields = "xyzw";

}  // namespace

Value FunctionInference::make_vector(std::vector<Value> components, ir::Type component, SourceRange range) {
  Value v;
  v.range = range;
  v.type = ValueType::typed(ElementType::vector(component, static_cast<unsigned>(components.size())));
  for (Value& one : components) {
    if (one.is_error()) return error(range);
    one = converted(std::move(one), ValueType::typed(component));
    v.known.items.push_back(one.known);
  }
  v.parts = std::move(components);
  return v;
}

// A tuple, complex number or vector like one of this type, with other items.
Value FunctionInference::with_items_of(const ValueType& type, std::vector<Value> parts, SourceRange range) {
  for (const Value& part : parts)
    if (part.is_error()) return error(range);
  if (type.is_tuple()) return tuple(std::move(parts), range, type.names);
  if (type.is_complex()) return make_complex(std::move(parts[0]), std::move(parts[1]), range);
  return vector_result(std::move(parts), range);
}

// float32x4(v2, 1.0, 2.0): as many numbers, vectors' components counted, as the type has; or one for all.
Value FunctionInference::vector_of(const ElementType& type, CallArguments& call) {
  std::string name = to_string(type);
  if (!arity(name, call, 1, type.lanes)) return error(call.range);
  std::vector<Value> components;
  for (size_t i = 0; i < call.positional.size(); ++i) {
    Value& given = call.positional[i];
    if (given.is_error()) return error(call.range);
    if (given.is_vector() || (given.is_tuple() && call.positional.size() == 1)) {
      for (Value& one : items(given)) components.push_back(std::move(one));
    } else {
      components.push_back(given);
    }
  }
  for (const Value& one : components) {
    if (!all_numbers(name, std::span(&one, 1))) return error(call.range);
    if (!check_range(one, type.scalar, "a component of this vector")) return error(call.range);
  }
  if (components.size() == 1 && type.lanes > 1) {
    stabilise(components[0]);
    components.resize(type.lanes, components[0]);
  }
  if (components.size() != type.lanes) {
    report(DiagnosticId::ArgumentCount, call.range,
           {name, counted(type.lanes, "number"), std::to_string(components.size())})
        .with_hint("the components of vectors among the arguments count");
    return error(call.range);
  }
  return make_vector(std::move(components), type.scalar, call.range);
}

// Elementwise; a number is taken for every component.
Value FunctionInference::vector_binary(Operator op, Value& left, Value& right, SourceRange range,
                                       SourceRange op_range) {
  const Value& vector = left.is_vector() ? left : right;
  bool usable = true;
  for (const Value* side : {&left, &right})
    usable &= side->is_scalar() || (side->is_vector() && side->type.lanes == vector.type.lanes);
  if (!usable)
    return refuse_operands(op, left, right, op_range,
                           "vectors go with vectors of as many components, and with numbers");
  stabilise(left, right);
  std::vector<Value> a = left.is_vector() ? items(left) : std::vector<Value>(vector.type.lanes, left);
  std::vector<Value> b = right.is_vector() ? items(right) : std::vector<Value>(vector.type.lanes, right);
  std::vector<Value> out;
  for (size_t i = 0; i < a.size(); ++i) {
    Value one = binary(op, a[i], b[i], range, op_range);
    if (one.is_error()) return error(range);
    // Like numbers of 8 and 16 bits, vectors of such become wider: into a vector of the wider type.
    out.push_back(std::move(one));
  }
  return vector_result(std::move(out), range);
}

// Components of one type that operators made, as a vector; they may be Python numbers of a comparison.
Value FunctionInference::vector_result(std::vector<Value> components, SourceRange range) {
  ir::Type component = components[0].type.scalar;
  return make_vector(std::move(components), component, range);
}

Value FunctionInference::compare_vectors(Operator op, Value& left, Value& right, SourceRange range) {
  bool equality = op == Operator::Eq || op == Operator::Ne;
  if (!equality || !left.is_vector() || !right.is_vector() || left.type.lanes != right.type.lanes)
    return refuse_operands(op, left, right, range,
                           "vectors of as many components are `==` or `!=`; compare components: `v.x < w.x`");
  stabilise(left, right);
  std::vector<Value> a = items(left), b = items(right);
  Value all = number({true}, range);
  for (size_t i = 0; i < a.size(); ++i) {
    Value same = compare(Operator::Eq, a[i], b[i], range);
    all = bool_op(OpKind::And, all, same, range);
  }
  return op == Operator::Ne ? unary(Operator::Not, all, range) : all;
}

Value FunctionInference::vector_unary(Operator op, Value& operand, SourceRange range) {
  std::vector<Value> out;
  for (Value& one : items(operand)) {
    out.push_back(unary(op, one, range));
    if (out.back().is_error()) return error(range);
  }
  return vector_result(std::move(out), range);
}

Value FunctionInference::vector_attribute(Value& base, const Expr& e) {
  size_t field = e.text.size() == 1 ? kFields.find(e.text[0]) : kFields.npos;
  if (field < base.type.lanes) return tuple_item(base, field, e.range);
  if (e.text == "dtype") return object({HostValue::DType{base.type.element_type(), false}}, e.range);
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  std::string hint = "its components are `x`";
  for (unsigned i = 1; i < base.type.lanes; ++i) hint += std::string(", `") + kFields[i] + "`";
  r.with_hint(hint);
  explain(r, base);
  return error(e.range);
}

}  // namespace lanewise::frontend::inference
