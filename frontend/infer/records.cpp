// Records: fields by name, whole records stored, memory seen as another type. A record is a place in memory,
// an array without dimensions: `r = p[i]; r.x = 1` changes `p`. So are the texts in it; fields that are
// numbers are read and written through a place of their own.
#include <algorithm>

#include "frontend/infer/function_inference.h"
#include "frontend/record_type.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {}  // namespace

// The field that a subscript names: `p["x"]`, `p[NAME]`; nothing evaluated otherwise.
std::optional<std::string> FunctionInference::field_name(const Value& base, const Expr& e) {
  if (!base.is_array() || !base.type.element.is_record() || e.children.size() != 2) return std::nullopt;
  const Expr& subscript = ast_[e.children[1]];
  if (subscript.kind == ExprKind::String) return subscript.text;
  if (subscript.kind != ExprKind::Name && subscript.kind != ExprKind::Attribute) return std::nullopt;
  Mark before = mark();
  Value value = infer(e.children[1]);
  if (auto* name = value.object<std::string>()) return *name;
  rollback(before);
  return std::nullopt;
}

const RecordField* FunctionInference::find_field(const Value& base, const std::string& name,
                                                 SourceRange range) {
  const RecordType& record = *base.type.element.record;
  if (const RecordField* field = record.find(name)) return field;
  Report& r = report(DiagnosticId::UnknownField, range, {to_string(base.type.element), name});
  std::vector<std::string> names;
  for (const RecordField& field : record.fields) names.push_back(field.name);
  std::string near = ir::nearest_name(name, names);
  if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
  explain(r, base);
  return nullptr;
}

// The field of a record, or of each record of an array.
Value FunctionInference::field_place(Value& base, const RecordField& field, SourceRange range) {
  Value v;
  v.range = range;
  v.origin = base.origin;
  v.type = base.type;
  v.type.element = field.type;
  size_t ndim = base.type.ndim + field.shape.size();
  if (ndim > kMaxDimensions)
    return not_supported(range, "an array of " + std::to_string(ndim) + " dimensions", "index it first");
  v.type.ndim = static_cast<uint8_t>(ndim);
  unsigned alignment = base.type.unaligned ? 1 : base.type.element.alignment();
  v.type.unaligned = alignment_at(alignment, field.offset) < field.type.alignment();
  bool alone = base.type.ndim == 0 && (!v.type.unaligned || field.type.is_place());
  v.type.layout = alone ? Layout::C : Layout::Bytes;
  v.known.memory = base.known.memory;
  v.known.items = base.known.items;
  v.known.items.resize(base.type.ndim);
  for (int64_t extent : field.shape)
    v.known.items.push_back({.constant = make_int(extent), .non_negative = true, .items = {}});
  v.expr = add({.kind = TExprKind::Field,
                .type = v.type,
                .range = range,
                .index = field.offset,
                .children = {base.expr},
                .shape = field.shape});
  return v;
}

// What reading a place gives: the number in it, or the place itself where that is what a value of it is.
Value FunctionInference::read_place(Value place, SourceRange range) {
  if (place.is_error() || place.type.ndim > 0 || place.type.element.is_place()) return place;
  Subscripts none;
  none.all_indices = true;
  return subscript_array(place, none, range);
}

Value FunctionInference::field_of(Value& base, const std::string& name, SourceRange name_range,
                                  SourceRange range) {
  const RecordField* field = find_field(base, name, name_range);
  return field ? field_place(base, *field, range) : error(range);
}

// `p[i].x = v`, `p[i]["x"] = v`, `p.x = v`: all of a place.
void FunctionInference::store_in_place(Value place, Value value, SourceRange range) {
  if (place.is_error()) return;
  Subscripts all;
  all.list.resize(place.type.ndim);
  all.all_indices = place.type.ndim == 0;
  store(place, all, std::move(value), range);
}

// The place of an assignment's target that is a field, evaluated once; nullopt if it is none.
std::optional<Value> FunctionInference::target_field(const Expr& target, Value& base) {
  if (!base.is_array() || !base.type.element.is_record()) return std::nullopt;
  if (target.kind == ExprKind::Attribute) return field_of(base, target.text, target.op_range, target.range);
  std::optional<std::string> name = field_name(base, target);
  if (!name) return std::nullopt;
  return field_of(base, *name, ast_[target.children[1]].range, target.range);
}

// A record or text put into a place or into each place of a view.
void FunctionInference::store_record(Value& target, Value value, SourceRange range) {
  const ElementType& element = target.type.element;
  if (value.is_array() && value.type.element == element && target.type.ndim > 0)
    return assign_elements(target, std::move(value), range);
  if (value.is_place() && value.type.element == element) {
    emit({.kind = TStmtKind::StoreElement, .range = range, .array = target.expr, .value = value.expr});
    return;
  }
  bool by_field =
      element.is_record() && value.is_tuple() && value.type.items.size() == element.record->fields.size();
  if (by_field) {
    stabilise(target);
    std::vector<Value> parts = items(value);
    for (Value& part : parts) stabilise(part);
    for (size_t i = 0; i < parts.size(); ++i)
      store_in_place(field_place(target, element.record->fields[i], range), std::move(parts[i]), range);
    return;
  }
  Report& r = report(DiagnosticId::StoreType, value.range, {describe(value), to_string(element)});
  if (value.is_place() && value.type.element.is_record())
    r.with_hint("records are of one type only if names, types and offsets agree: assign field by field");
  explain(r, value);
}

Value FunctionInference::call_view(Value base, const Expr& e) {
  size_t position = out_->size();
  CallArguments call = infer_arguments(e);
  Value* earlier[] = {&base};
  keep_order(earlier, position);
  if (call.error || !arity("view", call, 1, 1)) return error(e.range);
  std::optional<ElementType> element = dtype_of(call.positional[0]);
  if (!element) {
    report(DiagnosticId::ArgumentType, call.positional[0].range,
           {"view", "the dtype", "a type such as np.int32", describe(call.positional[0])});
    return error(e.range);
  }
  if (base.is_array()) return reinterpret(base, *element, e.range);
  if (element->is_time()) return as_time(ticks(base), element->time, e.range);
  if (*element == ElementType(ir::kI64)) return ticks(base);
  report(DiagnosticId::ViewType, e.range, {describe(base), to_string(*element)});
  return error(e.range);
}

// `a.view(dtype)`: the same bytes. Elements of another size need them one after another.
Value FunctionInference::reinterpret(Value& array, const ElementType& element, SourceRange range) {
  const ValueType& from = array.type;
  unsigned old_size = from.element.size(), size = element.size();
  bool resized = old_size != size;
  bool contiguous = from.layout == Layout::C && from.ndim > 0;
  if (size == 0 || old_size == 0 || (resized && !contiguous)) {
    Report& r = report(DiagnosticId::ViewType, range, {describe(array), to_string(element)});
    r.with_hint("elements of another size need a C-contiguous array");
    explain(r, array);
    return error(range);
  }
  Value v;
  v.range = range;
  v.origin = array.origin;
  v.type = from;
  v.type.element = element;
  v.type.unaligned = alignment_of(array.expr) < element.alignment();
  if (v.type.layout == Layout::Strided && (element.is_place() || v.type.unaligned))
    v.type.layout = Layout::Bytes;
  if (v.type.unaligned && !element.is_place()) v.type.layout = Layout::Bytes;
  v.known.memory = array.known.memory;
  v.known.items = array.known.items;
  if (resized) {
    v.known.items.resize(from.ndim);
    Known& last = v.known.items.back();
    std::optional<int64_t> extent = last.constant ? index_value(*last.constant) : std::nullopt;
    if (extent && *extent * old_size % size != 0) {
      report(DiagnosticId::ViewType, range, {describe(array), to_string(element)})
          .with_hint(std::to_string(*extent * old_size) + " bytes are not a multiple of " +
                     std::to_string(size));
      return error(range);
    }
    if (extent)
      last.constant = make_int(*extent * old_size / size);
    else
      last.constant.reset();
  }
  v.expr = add({.kind = TExprKind::Reinterpret, .type = v.type, .range = range, .children = {array.expr}});
  return v;
}

}  // namespace lanewise::frontend::inference
