// `np.dtype([("x", np.float32), ("m", "i4", (2, 3))], align=True)` and `np.timedelta64(3, "s")` as constants
// of a kernel file.
#include "frontend/frontend.h"
#include "frontend/infer/constants.h"
#include "frontend/kernel_file.h"
#include "frontend/record_type.h"
#include "frontend/time_text.h"

namespace lanewise::frontend {
namespace {

std::optional<ElementType> element_of(const HostValue& value) {
  if (auto* dtype = std::get_if<HostValue::DType>(&value.value)) return dtype->type;
  auto* text = std::get_if<std::string>(&value.value);
  std::optional<ValueType> type = text ? parse_type_text(*text) : std::nullopt;
  if (!type || type->is_tuple() || (type->is_array() && !type->is_place())) return std::nullopt;
  return type->element_type();
}

std::optional<RecordField> field_of(const HostValue& value) {
  auto* parts = std::get_if<HostValue::Tuple>(&value.value);
  if (!parts || parts->items.size() < 2 || parts->items.size() > 3) return std::nullopt;
  auto* name = std::get_if<std::string>(&parts->items[0].value);
  std::optional<ElementType> type = element_of(parts->items[1]);
  if (!name || name->empty() || !type) return std::nullopt;
  RecordField field;
  field.name = *name;
  field.type = *type;
  if (parts->items.size() == 2) return field;
  auto* extents = std::get_if<HostValue::Tuple>(&parts->items[2].value);
  std::vector<HostValue> list = extents ? extents->items : std::vector<HostValue>{parts->items[2]};
  int64_t count = 1;
  for (const HostValue& extent : list) {
    std::optional<int64_t> size = index_value(extent);
    if (!size || *size < 0 || __builtin_mul_overflow(count, *size, &count) || count > INT32_MAX)
      return std::nullopt;
    field.shape.push_back(*size);
  }
  return field;
}

}  // namespace

std::optional<HostValue> dtype_constant(const std::vector<HostValue>& arguments) {
  if (arguments.empty() || arguments.size() > 2) return std::nullopt;
  std::optional<bool> aligned = arguments.size() == 2 ? truth(arguments[1]) : false;
  auto* fields = std::get_if<HostValue::Tuple>(&arguments[0].value);
  if (!fields) {
    std::optional<ElementType> type = element_of(arguments[0]);
    return type ? std::optional(HostValue{HostValue::DType{*type, false}}) : std::nullopt;
  }
  RecordType record;
  for (const HostValue& item : fields->items) {
    std::optional<RecordField> field = field_of(item);
    if (!field || record.find(field->name)) return std::nullopt;
    record.fields.push_back(*std::move(field));
  }
  if (!aligned || !arrange(record, *aligned)) return std::nullopt;
  return HostValue{HostValue::DType{ElementType::of(intern(std::move(record))), false}};
}

std::optional<HostValue> time_constant(const std::vector<HostValue>& arguments, bool is_date) {
  if (arguments.empty() || arguments.size() > 2) return std::nullopt;
  TimeType type{.is_date = is_date};
  if (arguments.size() == 2) {
    auto* unit = std::get_if<std::string>(&arguments[1].value);
    std::optional<TimeType> given = unit ? parse_time_unit(*unit, is_date) : std::nullopt;
    if (!given) return std::nullopt;
    type = *given;
  }
  auto* text = std::get_if<std::string>(&arguments[0].value);
  if (text && (*text == "NaT" || *text == "nat")) return HostValue{HostValue::Time{type, kNotATime}};
  if (text && is_date) {
    std::optional<int64_t> ticks = parse_date(*text, type);
    return ticks ? std::optional(HostValue{HostValue::Time{type, *ticks}}) : std::nullopt;
  }
  std::optional<int64_t> count = index_value(arguments[0]);
  return count ? std::optional(HostValue{HostValue::Time{type, *count}}) : std::nullopt;
}

}  // namespace lanewise::frontend
