// The types of the language as inference sees them: numbers in two kinds (Python numbers and typed numbers),
// vectors, arrays, tuples. Plain values, compared with ==.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/element_type.h"
#include "ir/type.h"

namespace lanewise::frontend {

// Dimensions that an array may have.
constexpr unsigned kMaxDimensions = 8;

// Strided: strides count elements. Bytes: they count bytes, which records, fields of records and misaligned
// arrays need.
enum class Layout : uint8_t { C, F, Strided, Bytes };

// The name of a named tuple's class and of its fields; none for a plain tuple.
class TupleNames {
 public:
  TupleNames() = default;
  TupleNames(std::string name, std::vector<std::string> fields)
      : names_(std::make_shared<const Names>(std::move(name), std::move(fields))) {}

  explicit operator bool() const { return names_ != nullptr; }
  const std::string& name() const { return names_->name; }
  const std::vector<std::string>& fields() const { return names_->fields; }
  std::optional<size_t> index_of(std::string_view field) const;
  bool operator==(const TupleNames& other) const {
    return names_ == other.names_ || (names_ && other.names_ && *names_ == *other.names_);
  }

 private:
  struct Names {
    std::string name;
    std::vector<std::string> fields;
    bool operator==(const Names&) const = default;
    Names(std::string n, std::vector<std::string> f) : name(std::move(n)), fields(std::move(f)) {}
  };
  std::shared_ptr<const Names> names_;
};

struct ValueType {
  enum class Kind : uint8_t {
    Error,    // already reported: everything done with it is silently Error
    None,     // no value: a call of a function that returns nothing
    Scalar,   // scalar, python
    Complex,  // scalar: of each part, python
    Vector,   // scalar: of each component, lanes
    Time,     // scalar: int64, time
    Array,    // element, ndim, layout, space, writable, unaligned. With no dimensions: one place in memory
    Tuple,    // items
  };
  Kind kind = Kind::Error;

  // Scalar: how it is held, and whether it is a Python number (then bool, i64, u64 or f64) or a typed one.
  ir::Type scalar;
  bool python = false;
  uint8_t lanes = 1;  // of a Complex 2
  TimeType time;

  ElementType element;
  uint8_t ndim = 0;
  Layout layout = Layout::C;
  ir::Space space = ir::Space::Global;
  bool writable = true;
  bool unaligned = false;  // the addresses of elements may be any

  std::vector<ValueType> items;
  TupleNames names;  // of a named tuple

  bool operator==(const ValueType&) const = default;

  static ValueType error() { return {}; }
  static ValueType none() { return {.kind = Kind::None}; }
  static ValueType typed(const ElementType& type);
  static ValueType python_number(ir::Type t) { return {.kind = Kind::Scalar, .scalar = t, .python = true}; }
  static ValueType python_complex(ir::Type part) {
    return {.kind = Kind::Complex, .scalar = part, .python = true, .lanes = 2};
  }
  static ValueType array(const ElementType& element, unsigned ndim, Layout layout,
                         ir::Space space = ir::Space::Global, bool writable = true) {
    return {.kind = Kind::Array,
            .element = element,
            .ndim = static_cast<uint8_t>(ndim),
            .layout = layout,
            .space = space,
            .writable = writable};
  }
  static ValueType tuple(std::vector<ValueType> items, TupleNames names = {}) {
    return {.kind = Kind::Tuple, .items = std::move(items), .names = std::move(names)};
  }

  bool is_error() const { return kind == Kind::Error; }
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_complex() const { return kind == Kind::Complex; }
  bool is_vector() const { return kind == Kind::Vector; }
  bool is_number() const { return is_scalar() || is_complex(); }
  bool is_time() const { return kind == Kind::Time; }
  bool is_array() const { return kind == Kind::Array; }
  bool is_tuple() const { return kind == Kind::Tuple; }

  // An array whose pointer is one to bytes and whose strides count bytes.
  bool in_bytes() const { return is_array() && (element.is_place() || layout == Layout::Bytes); }
  // Strides are among its leaves, not computed from the shape.
  bool has_strides() const { return layout == Layout::Strided || layout == Layout::Bytes; }
  // One record or text of an array: a reference to where it stands.
  bool is_place() const { return is_array() && ndim == 0 && element.is_place(); }
  // The layout that any array of these elements has.
  Layout general_layout() const {
    return element.is_place() || layout == Layout::Bytes || unaligned ? Layout::Bytes : Layout::Strided;
  }

  // What a dtype says of a value that can be an array's element: Scalar, Complex, Vector, Time.
  ElementType element_type() const;

  // A value of several values one after another: a tuple's items, a complex number's parts, a vector's
  // components. Nodes Tuple and TupleItem make and take apart all of these.
  bool has_items() const { return item_count() > 0 || is_tuple(); }
  size_t item_count() const;
  ValueType item(size_t index) const;
};

// As users write them: "float32", "int" (a Python int), "float32[:, ::1]", "(int, float32)".
// Read-only arrays and shared ones say so: "read-only float32[:]", "shared float32[:, ::1]".
std::string to_string(const ValueType& type);

// The scalars an array or tuple is made of, in the order of the flattened ABI (docs/language.md, "Kernel
// files"):
//   scalar: itself (bool stays bool); array: pointer, shape (i64 each), then strides (i64 each) only if the
//   layout is Strided (in elements) or Bytes; the pointer is one to bytes if in_bytes(); tuple, complex
//   number, vector: its items in order; None: nothing.
std::vector<ir::Type> flatten(const ValueType& type);

}  // namespace lanewise::frontend
