// What an array element is, or a value on its own: one scalar, a complex number or a short vector. Arrays
// hold one, casts and dtypes name one, ValueType::typed() makes the type of its values.
//
// In memory and in the IR an element is its components one after another: a complex64 array is a ptr<f32>
// whose indices are twice those of the elements.
#pragma once
#include <string>

#include "ir/type.h"

namespace lanewise::frontend {

struct ElementType {
  enum class Kind : uint8_t {
    Scalar,
    Complex,  // two floats: real, imag
    Vector,   // `lanes` numbers: x, y, z, w
  };
  Kind kind = Kind::Scalar;
  uint8_t lanes = 1;  // how many components there are
  ir::Type scalar;    // what each of them is

  ElementType() = default;
  ElementType(ir::Type type) : scalar(type) {}  // implicit on purpose: most elements are scalars
  static ElementType complex(ir::Type component) { return {Kind::Complex, component, 2}; }
  static ElementType vector(ir::Type component, unsigned lanes) { return {Kind::Vector, component, lanes}; }

  bool operator==(const ElementType&) const = default;

  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_complex() const { return kind == Kind::Complex; }
  bool is_vector() const { return kind == Kind::Vector; }
  // Bytes in memory.
  unsigned size() const { return lanes * scalar.element_size(); }

 private:
  ElementType(Kind k, ir::Type component, unsigned count)
      : kind(k), lanes(static_cast<uint8_t>(count)), scalar(component) {}
};

// "float32", "complex64", "int16x4".
std::string to_string(const ElementType& type);

}  // namespace lanewise::frontend
