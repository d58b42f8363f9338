// TypeKey <-> ValueType.
#include "type_key.h"

namespace lanewise::python {

using frontend::ValueType;

namespace {

ValueType decode(const std::vector<uint16_t>& words, size_t& at) {
  unsigned word = words[at++];
  unsigned rest = word >> 3;
  frontend::ElementType element = element_type(static_cast<ElementCode>(rest & 63));
  switch (static_cast<KeyKind>(word & 7)) {
    case KeyKind::Python: return ValueType::python_number(element.scalar);
    case KeyKind::Typed: return ValueType::typed(element);
    case KeyKind::Array:
      return ValueType::array(element, rest >> 6 & 15, static_cast<frontend::Layout>(rest >> 10 & 3));
    case KeyKind::Tuple: {
      std::vector<ValueType> items;
      for (unsigned i = 0; i < rest; ++i) items.push_back(decode(words, at));
      return ValueType::tuple(std::move(items));
    }
  }
  throw ir::InternalError("bad word in a type key");
}

}  // namespace

std::vector<ValueType> TypeKey::types() const {
  std::vector<ValueType> types;
  for (size_t at = 0; at < words_.size();) types.push_back(decode(words_, at));
  return types;
}

TypeKey TypeKey::of(const std::vector<ValueType>& types) {
  TypeKey key;
  for (const ValueType& type : types) key.add(type);
  return key;
}

void TypeKey::add(const ValueType& type) {
  switch (type.kind) {
    case ValueType::Kind::Scalar:
    case ValueType::Kind::Complex:
    case ValueType::Kind::Vector:
      add(type.python ? KeyKind::Python : KeyKind::Typed, element_code(type.element_type()));
      return;
    case ValueType::Kind::Array: add_array(element_code(type.element), type.ndim, type.layout); return;
    case ValueType::Kind::Tuple:
      add_tuple(type.items.size());
      for (const ValueType& item : type.items) add(item);
      return;
    case ValueType::Kind::Error:
    case ValueType::Kind::None: break;
  }
  throw ir::InternalError("a type that no argument can have");
}

}  // namespace lanewise::python
