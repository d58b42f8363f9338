// Arrays: making shared and local ones, storing elements, filling views.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

std::optional<ElementType> FunctionInference::dtype_of(const Value& value) const {
  if (auto* dtype = value.object<HostValue::DType>()) return dtype->type;
  if (auto* name = value.object<std::string>()) {
    std::optional<ValueType> type = parse_type_text(*name);
    if (type && !type->is_array() && !type->is_tuple()) return type->element_type();
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> FunctionInference::constant_shape(Value& shape) {
  std::vector<Value> dims;
  if (shape.is_tuple()) {
    dims = items(shape);
  } else {
    dims.push_back(shape);
  }
  std::vector<int64_t> out;
  for (const Value& dim : dims) {
    if (dim.is_error()) return std::nullopt;
    std::optional<int64_t> size = dim.known.constant ? index_value(*dim.known.constant) : std::nullopt;
    if (!size && dim.integral && dim.known.constant)
      size = static_cast<int64_t>(*float_value(*dim.known.constant));
    if (!size || *size < 0) {
      Report& r = report(DiagnosticId::ShapeNotConstant, dim.range,
                         {dim.known.constant ? spell(*dim.known.constant) : describe(dim)});
      r.with_hint(
          "use a literal, a module-level or captured constant, or a variable assigned once from such");
      explain(r, dim);
      return std::nullopt;
    }
    out.push_back(*size);
  }
  Wide total = 1;
  for (int64_t size : out) total = std::min(total * Wide{size}, Wide{1} << 62);
  if (total > Wide{INT32_MAX} || out.size() > kMaxDimensions) {
    report(DiagnosticId::ShapeTooLarge, shape.range, {spell_shape(out)});
    return std::nullopt;
  }
  return out;
}

std::string FunctionInference::spell_shape(const std::vector<int64_t>& shape) const {
  HostValue::Tuple tuple;
  for (int64_t size : shape) tuple.items.push_back(make_int(size));
  return spell({tuple});
}

// alignment= is accepted as Numba has it. Every access is aligned to its element, so it changes nothing.
bool FunctionInference::check_alignment(const std::string& name, const Value& value) {
  if (value.object<HostValue::None>() || value.is_error()) return !value.is_error();
  std::optional<int64_t> bytes = value.known.constant ? index_value(*value.known.constant) : std::nullopt;
  if (bytes && *bytes >= 8 && *bytes <= 1 << 16 && (*bytes & (*bytes - 1)) == 0) return true;
  report(DiagnosticId::ArgumentType, value.range,
         {name, "the alignment", "a constant power of two of at least 8",
          bytes ? std::to_string(*bytes) : describe(value)});
  return false;
}

Value FunctionInference::new_array(ir::Space space, const std::string& name, CallArguments& call) {
  static constexpr std::string_view kNames[] = {"shape", "dtype", "alignment"};
  Value* given[3] = {};
  for (size_t i = 0; i < call.positional.size() && i < 3; ++i) given[i] = &call.positional[i];
  for (auto& [keyword, value] : call.keywords) {
    auto found = std::ranges::find(kNames, keyword);
    if (found == std::end(kNames)) {
      report(DiagnosticId::UnknownKeyword, value.range, {name, keyword});
      return error(call.range);
    }
    given[found - std::begin(kNames)] = &value;
  }
  if (call.positional.size() > 3 || !given[0] || !given[1]) {
    report(DiagnosticId::ArgumentCount, call.range, {name, "a shape and a dtype", count_text(call)})
        .with_hint("for example `" + name + "((16, 16), np.float32)`");
    return error(call.range);
  }
  if (given[2] && !check_alignment(name, *given[2])) return error(call.range);
  std::optional<ElementType> element = dtype_of(*given[1]);
  std::optional<std::vector<int64_t>> shape = constant_shape(*given[0]);
  if (!element && !given[1]->is_error()) {
    report(DiagnosticId::ArgumentType, given[1]->range,
           {name, "the dtype", "a type such as np.float32", describe(*given[1])});
  }
  if (!element || !shape) return error(call.range);
  bool empty = std::ranges::count(*shape, 0) > 0;
  bool dynamic = space == ir::Space::Shared && shape->size() == 1 && empty;
  if (empty && !dynamic) {
    report(DiagnosticId::ShapeNotConstant, given[0]->range, {spell_shape(*shape)})
        .with_hint(
            "only a one-dimensional shared array may have size 0: it is the dynamic shared memory of the "
            "launch");
    return error(call.range);
  }
  Value v;
  v.type = ValueType::array(*element, static_cast<unsigned>(shape->size()), Layout::C, space);
  v.range = call.range;
  v.known.memory = uint64_t{2} << 32 | call.range.begin;
  if (dynamic) v.known.memory = uint64_t{3} << 32;
  if (!dynamic)
    for (int64_t size : *shape)
      v.known.items.push_back({.constant = make_int(size), .non_negative = true, .items = {}});
  TExprKind kind = dynamic                      ? TExprKind::DynamicShared
                   : space == ir::Space::Shared ? TExprKind::SharedArray
                                                : TExprKind::LocalArray;
  v.expr = add({.kind = kind,
                .type = v.type,
                .range = call.range,
                .shape = dynamic ? std::vector<int64_t>{} : *shape});
  return v;
}

bool FunctionInference::check_writable(const Value& array, SourceRange range) {
  if (array.type.writable) return true;
  std::string name = array.origin.name.empty() ? text(array.range) : array.origin.name;
  Report& r = report(DiagnosticId::ReadOnly, range, {name, describe(array)});
  if (array.origin.parameter) r.label(array.origin.where, "this parameter is read-only");
  r.with_hint(array.type.space == ir::Space::Constant
                  ? "captured arrays are constants; pass it as an argument to write to it"
                  : "pass a writable array");
  return false;
}

void FunctionInference::store(Value& array, Subscripts& subscripts, Value value, SourceRange range) {
  if (value.is_error() || subscripts.error || !check_writable(array, range)) return;
  stored_.push_back(array.known.memory);
  const ElementType element = array.type.element;
  if (element.is_place()) {
    Value target = view(array, subscripts.list, range);
    return element.is_text() ? store_text(target, std::move(value), range)
                             : store_record(target, std::move(value), range);
  }
  if (element.is_time() && !is_whole(value) && !value.is_tuple()) {
    value.expr = convert_time(value, element.time, range);
    if (!value.expr.valid()) return;
    value.type = ValueType::typed(element);
  }
  if (!subscripts.all_indices && (is_whole(value) || value.is_tuple() || value.is_single())) {
    if (value.is_scalar() && element.is_scalar()) {
      if (!check_range(value, element.scalar, "an element of this array")) return;
      value = converted(std::move(value), ValueType::typed(element));
    }
    return assign_elements(view(array, subscripts.list, range), std::move(value), range);
  }
  bool fits = element.is_scalar()    ? value.is_scalar()
              : element.is_complex() ? value.is_number()
                                     : value.type == ValueType::typed(element);
  if (!fits) {
    Report& r =
        report(DiagnosticId::StoreType, value.range, {describe(value), to_string(ValueType::typed(element))});
    if (value.is_complex()) r.with_hint("store its real part, `z.real`, or its size, `abs(z)`");
    explain(r, value);
    return;
  }
  if (element.is_scalar() && !check_range(value, element.scalar, "an element of this array")) return;
  TExprId converted_value = convert(value, ValueType::typed(element));
  TStmt s{.kind = TStmtKind::StoreElement, .range = range, .array = array.expr, .value = converted_value};
  for (const TSubscript& one : subscripts.list) s.indices.push_back(one.lower), s.wrap.push_back(one.wrap);
  emit(std::move(s));
}

}  // namespace lanewise::frontend::inference
