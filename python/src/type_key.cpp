// TypeKey <-> ValueType.
#include "type_key.h"

#include <algorithm>

namespace lanewise::python {

using frontend::ValueType;

namespace {

std::vector<frontend::TupleNames>& all_names() {
  static std::vector<frontend::TupleNames> names;
  return names;
}

ValueType decode(const std::vector<uint16_t>& words, size_t& at) {
  unsigned word = words[at++];
  unsigned rest = word >> 3;
  frontend::ElementType element = element_type(static_cast<ElementCode>(rest & 63));
  switch (static_cast<KeyKind>(word & 7)) {
    case KeyKind::Python:
      return element.is_complex() ? ValueType::python_complex(element.scalar)
                                  : ValueType::python_number(element.scalar);
    case KeyKind::Typed: return ValueType::typed(element);
    case KeyKind::Array:
      return ValueType::array(element, rest >> 6 & 15, static_cast<frontend::Layout>(rest >> 10 & 3));
    case KeyKind::None: return ValueType::none();
    case KeyKind::Object: at += 4; return ValueType::none();
    case KeyKind::Tuple:
    case KeyKind::NamedTuple: {
      frontend::TupleNames names;
      if (static_cast<KeyKind>(word & 7) == KeyKind::NamedTuple) {
        names = all_names()[words[at] | static_cast<uint32_t>(words[at + 1]) << 16];
        at += 2;
      }
      std::vector<ValueType> items;
      for (unsigned i = 0; i < rest; ++i) items.push_back(decode(words, at));
      return ValueType::tuple(std::move(items), std::move(names));
    }
  }
  throw ir::InternalError("bad word in a type key");
}

}  // namespace

uint32_t names_number(const frontend::TupleNames& names) {
  std::vector<frontend::TupleNames>& all = all_names();
  auto found = std::find(all.begin(), all.end(), names);
  if (found == all.end()) found = all.insert(all.end(), names);
  return static_cast<uint32_t>(found - all.begin());
}

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
      if (type.names)
        add_named_tuple(type.items.size(), names_number(type.names));
      else
        add_tuple(type.items.size());
      for (const ValueType& item : type.items) add(item);
      return;
    case ValueType::Kind::None: add_none(); return;
    case ValueType::Kind::Error: break;
  }
  throw ir::InternalError("a type that no argument can have");
}

}  // namespace lanewise::python
