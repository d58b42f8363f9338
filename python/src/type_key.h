// The types of a launch's arguments in a few 16-bit words: what specialisations are found by, made without
// touching a Python object more than needed.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "element_types.h"
#include "frontend/value_type.h"

namespace lanewise::python {

// One word: bits 0-2 the kind, 3-8 the element code, 9-12 the rank (array) or nothing, 13-14 the layout,
// 15 whether it is unaligned. The code kWideElement is followed by a word with the code of dtypes.h.
// A tuple is a word with its length (bits 3-15), then its items; a named one has the number of its names (two
// words) before these. Of a thing of compile time the four words after the first are which one it is.
enum class KeyKind : uint16_t { Python, Typed, Array, Tuple, NamedTuple, None, Object };

// A number for the class and field names of a named tuple, the same for the same names. GIL held.
uint32_t names_number(const frontend::TupleNames& names);

class TypeKey {
 public:
  void reserve(size_t words) { words_.reserve(words); }
  void add_python(ElementCode code) { add(KeyKind::Python, code); }
  void add_typed(ElementCode code) { add(KeyKind::Typed, code); }
  void add_array(ElementCode code, int ndim, frontend::Layout layout, bool unaligned = false) {
    add(KeyKind::Array, code | ndim << 6 | static_cast<int>(layout) << 10 | int{unaligned} << 12);
  }
  // After the word of an element with the code kWideElement.
  void add_wide(uint16_t code) { words_.push_back(code); }
  void add_tuple(size_t length) { add(KeyKind::Tuple, static_cast<int>(length)); }
  void add_named_tuple(size_t length, uint32_t names) {
    add(KeyKind::NamedTuple, static_cast<int>(length));
    add_words(names, 2);
  }
  void add_none() { add(KeyKind::None, 0); }
  void add_object(const void* identity) {
    add(KeyKind::Object, 0);
    add_words(reinterpret_cast<uintptr_t>(identity), 4);
  }

  bool operator==(const TypeKey&) const = default;
  size_t hash() const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(words_.data()), words_.size() * 2});
  }
  // The types that the words say, in order.
  std::vector<frontend::ValueType> types() const;
  // The key of types, as arguments of exactly these would give it.
  static TypeKey of(const std::vector<frontend::ValueType>& types);

 private:
  void add(KeyKind kind, int rest) {
    words_.push_back(static_cast<uint16_t>(static_cast<int>(kind) | rest << 3));
  }
  void add_words(uint64_t bits, int count) {
    for (int i = 0; i < count; ++i) words_.push_back(static_cast<uint16_t>(bits >> (16 * i)));
  }
  void add(const frontend::ValueType& type);

  std::vector<uint16_t> words_;
};

struct TypeKeyHash {
  size_t operator()(const TypeKey& key) const { return key.hash(); }
};

}  // namespace lanewise::python
