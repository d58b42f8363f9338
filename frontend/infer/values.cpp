// Values from constants, types and nodes; tuples, which stay in parts as long as nobody needs them whole.
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::OpKind;

Value FunctionInference::error(SourceRange range) const {
  Value v;
  v.range = range;
  return v;
}

Value FunctionInference::scalar(const ValueType& type, TExprId expr, SourceRange range) const {
  Value v;
  v.type = type;
  v.expr = expr;
  v.range = range;
  v.known.non_negative = type.is_scalar() && (type.scalar.is_unsigned() || type.scalar.is_bool());
  return v;
}

// A number known at compile time: always a Const node of its own type.
Value FunctionInference::number(const HostValue& constant, SourceRange range) {
  ValueType type = type_of_number(constant, session_.python_float());
  Value v = scalar(type, const_expr(type, convert_constant(constant, type.scalar), range), range);
  v.known.constant = constant;
  v.known.non_negative = float_value(constant).value_or(-1) >= 0;
  return v;
}

Value FunctionInference::python_int(int64_t value, SourceRange range) {
  return number(make_int(value), range);
}

Value FunctionInference::object(HostValue value, SourceRange range) const {
  Value v;
  v.type = ValueType::none();
  v.known.constant = std::move(value);
  v.range = range;
  return v;
}

Value FunctionInference::from_host(const HostValue& value, const std::string& name, SourceRange range) {
  if (is_number(value)) return number(value, range);
  if (auto* complex = std::get_if<HostValue::Complex>(&value.value)) return complex_number(*complex, range);
  if (auto* items = std::get_if<HostValue::Tuple>(&value.value)) {
    std::vector<Value> parts;
    for (size_t i = 0; i < items->items.size(); ++i)
      parts.push_back(from_host(items->items[i], name + "[" + std::to_string(i) + "]", range));
    return tuple(std::move(parts), range, items->names);
  }
  if (auto* time = std::get_if<HostValue::Time>(&value.value))
    return as_time(ticks_constant(time->value, range), time->type, range);
  if (auto* array = std::get_if<HostValue::Array>(&value.value)) {
    Value v;
    v.type = ValueType::array((*array)->element, static_cast<unsigned>((*array)->shape.size()), Layout::C,
                              ir::Space::Constant, false);
    v.expr = add({.kind = TExprKind::Data,
                  .type = v.type,
                  .range = range,
                  .index = session_.data_index(*array, name),
                  .shape = (*array)->shape});
    v.range = range;
    for (int64_t extent : (*array)->shape)
      v.known.items.push_back({.constant = make_int(extent), .non_negative = true, .items = {}});
    return v;
  }
  if (auto* unsupported = std::get_if<HostValue::Unsupported>(&value.value)) {
    Report& r = report(ir::DiagnosticId::UnusableName, range, {name, unsupported->what});
    bool in_file = unsupported->range != SourceRange{};
    bool function = unsupported->what.starts_with("a plain Python function");
    bool definition = function || unsupported->what.starts_with("a function") ||
                      unsupported->what == "an asynchronous function" || unsupported->what == "a class";
    bool changed = unsupported->what.find(kHostChange) != std::string::npos;
    if (in_file)
      r.label(unsupported->range, definition ? "defined here"
                                  : changed  ? "may be changed here"
                                             : "assigned here, in host code");
    bool list = unsupported->what == "a list", dict = unsupported->what == "a dict";
    if (!in_file && list) {
      r.with_hint("make it a tuple, which cannot change, or a NumPy array");
    } else if (!in_file && dict) {
      r.with_hint("use a named tuple, or one name for each value");
    } else if (changed) {
      r.with_hint(
          "pass it to the kernel as an argument, or build it in one expression and leave it as it is");
    } else if (function) {
      r.with_hint("decorate it with `@gpu.jit(device=True)`");
    } else if (in_file && !definition && name.find_first_of(".[") == name.npos) {
      r.with_hint("give its value when compiling: -D" + name + "=VALUE, or Options::constants");
    } else {
      r.with_hint(
          "a kernel can use numbers, tuples of them, NumPy arrays, types and other kernels' device "
          "functions");
    }
    return error(range);
  }
  if (auto* builtin = std::get_if<HostValue::Builtin>(&value.value))
    if (std::optional<Value> found = special_register(builtin->name, range)) return *found;
  return object(value, range);
}

namespace {

size_t count_leaves(const ValueType& type) {
  size_t count = type.lanes;
  for (const ValueType& item : type.items) count += count_leaves(item);
  return count;
}

}  // namespace

Value FunctionInference::too_many_items(SourceRange range) {
  return not_supported(range, "a tuple of more than " + std::to_string(kMaxTupleItems) + " items",
                       "use an array");
}

Value FunctionInference::tuple(std::vector<Value> parts, SourceRange range, TupleNames names) {
  size_t leaves = 0;
  for (const Value& part : parts) leaves += count_leaves(part.type);
  if (leaves > kMaxTupleItems) return too_many_items(range);
  Value v;
  v.range = range;
  std::vector<ValueType> types;
  HostValue::Tuple constants;
  for (Value& part : parts) {
    if (part.is_error()) return error(range);
    types.push_back(part.type);
    if (part.known.constant) constants.items.push_back(*part.known.constant);
    v.known.items.push_back(part.known);
  }
  v.type = ValueType::tuple(std::move(types), names);
  constants.names = std::move(names);
  if (constants.items.size() == parts.size()) v.known.constant = HostValue{std::move(constants)};
  v.parts = std::move(parts);
  if (v.parts.empty()) v.expr = add({.kind = TExprKind::Tuple, .type = v.type, .range = range});
  return v;
}

std::vector<Value> FunctionInference::items(Value& value) {
  std::vector<Value> out;
  for (size_t i = 0; i < value.type.item_count(); ++i) out.push_back(tuple_item(value, i, value.range));
  return out;
}

Value FunctionInference::tuple_item(Value& value, size_t index, SourceRange range) {
  if (!value.parts.empty()) return value.parts[index];
  Known known = index < value.known.items.size() ? value.known.items[index] : Known{};
  const ValueType type = value.type.item(index);
  // Items that are known are not read from memory.
  if (known.constant && (type.kind == ValueType::Kind::None || is_number(*known.constant))) {
    Value item = from_host(*known.constant, "", range);
    if (item.type == type) return item;
  }
  stabilise(value);
  Value item;
  item.type = type;
  item.known = std::move(known);
  item.range = range;
  item.expr = add({.kind = TExprKind::TupleItem,
                   .type = type,
                   .range = range,
                   .index = static_cast<uint32_t>(index),
                   .children = {value.expr}});
  return item;
}

TExprId FunctionInference::node(Value& value) {
  if (value.expr.valid() || value.parts.empty()) return value.expr;
  std::vector<TExprId> children;
  for (Value& part : value.parts) {
    TExprId child = node(part);
    if (child.valid()) children.push_back(child);  // compile-time things have no leaves
  }
  // Children stand for items, so a tuple that holds compile-time things keeps one for each.
  if (children.size() != value.parts.size()) {
    children.clear();
    for (Value& part : value.parts) {
      TExprId child = part.expr;
      if (!child.valid()) child = add({.kind = TExprKind::Tuple, .type = part.type, .range = part.range});
      children.push_back(child);
    }
  }
  value.expr = add(
      {.kind = TExprKind::Tuple, .type = value.type, .range = value.range, .children = std::move(children)});
  return value.expr;
}

Number FunctionInference::as_number(const Value& value) const {
  return {value.type.scalar, value.type.python, value.known.constant ? &*value.known.constant : nullptr};
}

Known objects_of(const ValueType& type, const Known& known) {
  Known out;
  if (type.kind == ValueType::Kind::None)
    out.constant = known.constant.value_or(HostValue{HostValue::None{}});
  for (size_t i = 0; i < type.items.size(); ++i)
    out.items.push_back(objects_of(type.items[i], i < known.items.size() ? known.items[i] : Known{}));
  return out;
}

std::string FunctionInference::describe(const Value& value) const {
  if (value.is_object()) return value.known.constant ? describe_object(*value.known.constant) : "None";
  return to_string(value.type);
}

}  // namespace lanewise::frontend::inference
