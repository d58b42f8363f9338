// What an array element is, or a value on its own: one scalar, a complex number, a short vector, a time, a
// record, a text of fixed length. Arrays hold one, casts and dtypes name one, ValueType::typed() makes the
// type of its values.
//
// In memory and in the IR an element is its components one after another: a complex64 array is a ptr<f32>
// whose indices are twice those of the elements. Records and texts are bytes, a ptr<u8>.
#pragma once
#include <string>

#include "frontend/time_type.h"
#include "ir/type.h"

namespace lanewise::frontend {

struct RecordType;  // record_type.h

struct ElementType {
  enum class Kind : uint8_t {
    Scalar,
    Complex,  // two floats: real, imag
    Vector,   // `lanes` numbers: x, y, z, w
    Time,     // an int64 with a unit
    Record,   // fields at their offsets
    Text,     // `characters` of `scalar`, uint8 (NumPy's S) or uint32 (U), padded with zeros
  };
  Kind kind = Kind::Scalar;
  uint8_t lanes = 1;  // how many components there are
  ir::Type scalar;    // what each of them is
  TimeType time;
  uint32_t characters = 0;
  const RecordType* record = nullptr;  // equal records are one

  ElementType() = default;
  ElementType(ir::Type type) : scalar(type) {}  // implicit on purpose: most elements are scalars
  static ElementType complex(ir::Type component) { return {Kind::Complex, component, 2}; }
  static ElementType vector(ir::Type component, unsigned lanes) { return {Kind::Vector, component, lanes}; }
  static ElementType of(TimeType time) {
    ElementType type(Kind::Time, ir::kI64, 1);
    type.time = time;
    return type;
  }
  static ElementType of(const RecordType* record) {
    ElementType type(Kind::Record, ir::kU8, 1);
    type.record = record;
    return type;
  }
  static ElementType text(ir::Type character, uint32_t count) {
    ElementType type(Kind::Text, character, 1);
    type.characters = count;
    return type;
  }

  bool operator==(const ElementType&) const = default;

  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_complex() const { return kind == Kind::Complex; }
  bool is_vector() const { return kind == Kind::Vector; }
  bool is_time() const { return kind == Kind::Time; }
  bool is_record() const { return kind == Kind::Record; }
  bool is_text() const { return kind == Kind::Text; }
  // Whether a value of it is where it stands in memory: `r = p[i]; r.x = 1` changes the array.
  bool is_place() const { return is_record() || is_text(); }
  // Bytes in memory, and what the address of an element must be a multiple of.
  unsigned size() const;
  unsigned alignment() const;

 private:
  ElementType(Kind k, ir::Type component, unsigned count)
      : kind(k), lanes(static_cast<uint8_t>(count)), scalar(component) {}
};

// "float32", "complex64", "int16x4", "datetime64[s]", "record(x: float32, y: float32)", "S5".
std::string to_string(const ElementType& type);

}  // namespace lanewise::frontend
