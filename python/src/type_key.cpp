// TypeKey <-> ValueType.
#include "type_key.h"

#include <algorithm>
#include "dtypes.h"

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
  auto kind = static_cast<KeyKind>(word & 7);
  bool has_element = kind == KeyKind::Python || kind == KeyKind::Typed || kind == KeyKind::Array;
  bool wide = has_element && (rest & 63) == kWideElement;
  frontend::ElementType element;
  if (has_element)
    element = wide ? wide_element(words[at++]) : element_type(static_cast<ElementCode>(rest & 63));
  switch (kind) {
    case KeyKind::Python:
      return element.is_complex() ? ValueType::python_complex(element.scalar)
                                  : ValueType::python_number(element.scalar);
    case KeyKind::Typed: return ValueType::typed(element);
    case KeyKind::Array: {
      ValueType type =
          ValueType::array(element, rest >> 6 & 15, static_cast<frontend::Layout>(rest >> 10 & 3));
      type.unaligned = rest >> 12 & 1;
      return type;
    }
    case KeyKind::None: return ValueType::none();
    case KeyKind::Object: at += 4; return ValueType::none();
    case KeyKind::Tuple:
    case KeyKind::NamedTuple: {
      frontend::TupleNames names;
      if (kind == KeyKind::NamedTuple) {
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
  auto code_of = [](const frontend::ElementType& element) {
    ElementCode code = element_code(element);
    return code == kNoElement ? kWideElement : code;
  };
  auto add_wide_code = [this](const frontend::ElementType& element) {
    if (element_code(element) == kNoElement) add_wide(wide_code(element));
  };
  switch (type.kind) {
    case ValueType::Kind::Scalar:
    case ValueType::Kind::Complex:
    case ValueType::Kind::Vector:
    case ValueType::Kind::Time:
      add(type.python ? KeyKind::Python : KeyKind::Typed, code_of(type.element_type()));
      return add_wide_code(type.element_type());
    case ValueType::Kind::Array:
      add_array(code_of(type.element), type.ndim, type.layout, type.unaligned);
      return add_wide_code(type.element);
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
