// The text of value types, for diagnostics, signatures and the printed typed tree, and their flattening
// into the scalars and pointers of the ABI.
#include "frontend/value_type.h"

#include <algorithm>

#include "frontend/record_type.h"

namespace lanewise::frontend {
namespace {

std::string scalar_name(ir::Type type) {
  switch (type.kind) {
    case ir::Type::Kind::Void: return "void";
    case ir::Type::Kind::Bool: return "bool";
    case ir::Type::Kind::Int: return "int" + std::to_string(type.bits);
    case ir::Type::Kind::UInt: return "uint" + std::to_string(type.bits);
    case ir::Type::Kind::BFloat: return "bfloat" + std::to_string(type.bits);
    case ir::Type::Kind::Float: return "float" + std::to_string(type.bits);
  }
  return "?";
}

// Python numbers are what Python calls them, but an int of more than 63 bits and a float held in 32 say so.
std::string python_name(ir::Type type) {
  if (type == ir::kI64) return "int";
  if (type == ir::kU64) return "unsigned int";
  if (type == ir::kF64) return "float";
  if (type == ir::kF32) return "short float";
  return scalar_name(type);
}

// "record(x: float32, m: int8[2, 3])"; "packed record(...)" without gaps; other layouts say offsets and size.
std::string record_name(const RecordType& record) {
  RecordType packed = record, aligned = record;
  bool is_packed = arrange(packed, false) && packed == record,
       is_aligned = arrange(aligned, true) && aligned == record;
  std::string out = is_packed && !is_aligned ? "packed record(" : "record(";
  for (const RecordField& field : record.fields) {
    if (out.back() != '(') out += ", ";
    out += field.name + ": " + to_string(field.type);
    for (size_t d = 0; d < field.shape.size(); ++d) out += (d ? ", " : "[") + std::to_string(field.shape[d]);
    if (!field.shape.empty()) out += "]";
    if (!is_packed && !is_aligned) out += " @" + std::to_string(field.offset);
  }
  return out + (is_packed || is_aligned ? ")" : "; " + std::to_string(record.size) + ")");
}

std::string array_name(const ValueType& type) {
  std::string out;
  switch (type.space) {
    case ir::Space::None:
    case ir::Space::Global: break;
    case ir::Space::Generic: out = "generic "; break;
    case ir::Space::Shared: out = "shared "; break;
    case ir::Space::Local: out = "local "; break;
    case ir::Space::Constant: out = "constant "; break;
  }
  if (!type.writable && type.space != ir::Space::Constant) out = "read-only " + out;
  if (type.unaligned) out += "unaligned ";
  out += to_string(type.element);
  if (type.is_place()) return out;
  out += "[";
  if (type.ndim == 0) out += "()";
  for (unsigned d = 0; d < type.ndim; ++d) {
    bool unit = (type.layout == Layout::C && d + 1u == type.ndim) || (type.layout == Layout::F && d == 0);
    out += std::string(d ? ", " : "") + (unit ? "::1" : ":");
  }
  return out + "]";
}

void flatten_into(const ValueType& type, std::vector<ir::Type>& out) {
  switch (type.kind) {
    case ValueType::Kind::Error:
    case ValueType::Kind::None: return;
    case ValueType::Kind::Scalar:
    case ValueType::Kind::Time: out.push_back(type.scalar); return;
    case ValueType::Kind::Complex:
    case ValueType::Kind::Vector: out.insert(out.end(), type.lanes, type.scalar); return;
    case ValueType::Kind::Array:
      out.push_back((type.in_bytes() ? ir::kU8 : type.element.scalar).pointer(type.space));
      out.insert(out.end(), type.has_strides() ? 2u * type.ndim : type.ndim, ir::kI64);
      return;
    case ValueType::Kind::Tuple:
      for (const ValueType& item : type.items) flatten_into(item, out);
      return;
  }
}

}  // namespace

std::string to_string(const ElementType& type) {
  switch (type.kind) {
    case ElementType::Kind::Scalar: return scalar_name(type.scalar);
    case ElementType::Kind::Complex: return "complex" + std::to_string(2 * type.scalar.bits);
    case ElementType::Kind::Vector: return scalar_name(type.scalar) + "x" + std::to_string(type.lanes);
    case ElementType::Kind::Time: return to_string(type.time);
    case ElementType::Kind::Record: return record_name(*type.record);
    case ElementType::Kind::Text:
      return (type.scalar == ir::kU8 ? "S" : "U") + std::to_string(type.characters);
  }
  return "?";
}

ValueType ValueType::typed(const ElementType& type) {
  switch (type.kind) {
    case ElementType::Kind::Scalar: break;
    case ElementType::Kind::Complex: return {.kind = Kind::Complex, .scalar = type.scalar, .lanes = 2};
    case ElementType::Kind::Vector: return {.kind = Kind::Vector, .scalar = type.scalar, .lanes = type.lanes};
    case ElementType::Kind::Time: return {.kind = Kind::Time, .scalar = type.scalar, .time = type.time};
    case ElementType::Kind::Record:
    case ElementType::Kind::Text: return array(type, 0, Layout::C);
  }
  return {.kind = Kind::Scalar, .scalar = type.scalar};
}

ElementType ValueType::element_type() const {
  if (kind == Kind::Complex) return ElementType::complex(scalar);
  if (kind == Kind::Vector) return ElementType::vector(scalar, lanes);
  if (kind == Kind::Time) return ElementType::of(time);
  if (is_place()) return element;
  return scalar;
}

size_t ValueType::item_count() const {
  if (kind == Kind::Tuple) return items.size();
  return kind == Kind::Complex || kind == Kind::Vector ? lanes : 0;
}

ValueType ValueType::item(size_t index) const {
  if (kind == Kind::Tuple) return items[index];
  return python ? python_number(scalar) : typed(scalar);
}

std::optional<size_t> TupleNames::index_of(std::string_view field) const {
  if (!names_) return std::nullopt;
  auto found = std::ranges::find(names_->fields, field);
  if (found == names_->fields.end()) return std::nullopt;
  return static_cast<size_t>(found - names_->fields.begin());
}

std::string to_string(const ValueType& type) {
  switch (type.kind) {
    case ValueType::Kind::Error: return "error";
    case ValueType::Kind::None: return "None";
    case ValueType::Kind::Scalar: return type.python ? python_name(type.scalar) : scalar_name(type.scalar);
    case ValueType::Kind::Complex:
      if (type.python) return type.scalar == ir::kF64 ? "complex" : "short complex";
      return to_string(type.element_type());
    case ValueType::Kind::Vector:
    case ValueType::Kind::Time: return to_string(type.element_type());
    case ValueType::Kind::Array: return array_name(type);
    case ValueType::Kind::Tuple: break;
  }
  std::string out = type.names ? type.names.name() + "(" : "(";
  for (size_t i = 0; i < type.items.size(); ++i)
    out += (i ? ", " : "") + (type.names ? type.names.fields()[i] + ": " : "") + to_string(type.items[i]);
  return out + (type.items.size() == 1 && !type.names ? ",)" : ")");
}

std::vector<ir::Type> flatten(const ValueType& type) {
  std::vector<ir::Type> out;
  flatten_into(type, out);
  return out;
}

}  // namespace lanewise::frontend
