// The types of the language as inference sees them: scalars in two kinds (Python numbers and typed
// numbers), arrays, tuples. Plain values, compared with ==.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "ir/type.h"

namespace lanewise::frontend {

enum class Layout : uint8_t { C, F, Strided };

struct ValueType {
  enum class Kind : uint8_t {
    Error,   // already reported: everything done with it is silently Error
    None,    // no value: a call of a function that returns nothing
    Scalar,  // scalar, python
    Array,   // element, ndim, layout, space, writable
    Tuple,   // items
  };
  Kind kind = Kind::Error;

  // Scalar: how it is held, and whether it is a Python number (then bool, i64, u64 or f64) or a typed one.
  ir::Type scalar;
  bool python = false;

  ir::Type element;
  uint8_t ndim = 0;
  Layout layout = Layout::C;
  ir::Space space = ir::Space::Global;
  bool writable = true;

  std::vector<ValueType> items;

  bool operator==(const ValueType&) const = default;

  static ValueType error() { return {}; }
  static ValueType none() { return {.kind = Kind::None}; }
  static ValueType typed(ir::Type t) { return {.kind = Kind::Scalar, .scalar = t}; }
  static ValueType python_number(ir::Type t) { return {.kind = Kind::Scalar, .scalar = t, .python = true}; }
  static ValueType array(ir::Type element, unsigned ndim, Layout layout, ir::Space space = ir::Space::Global,
                         bool writable = true) {
    return {.kind = Kind::Array,
            .element = element,
            .ndim = static_cast<uint8_t>(ndim),
            .layout = layout,
            .space = space,
            .writable = writable};
  }
  static ValueType tuple(std::vector<ValueType> items) {
    return {.kind = Kind::Tuple, .items = std::move(items)};
  }

  bool is_error() const { return kind == Kind::Error; }
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_array() const { return kind == Kind::Array; }
  bool is_tuple() const { return kind == Kind::Tuple; }
};

// As users write them: "float32", "int" (a Python int), "float32[:, ::1]", "(int, float32)".
// Read-only arrays and shared ones say so: "read-only float32[:]", "shared float32[:, ::1]".
std::string to_string(const ValueType& type);

// The scalars an array or tuple is made of, in the order of the flattened ABI (docs/language.md, "Kernel
// files"):
//   scalar: itself (bool stays bool); array: pointer, shape (i64 each), then strides in elements (i64 each)
//   only if the layout is Strided; tuple: its items in order; None: nothing.
std::vector<ir::Type> flatten(const ValueType& type);

}  // namespace lanewise::frontend
