// Element types as NumPy knows them: type numbers, scalar classes, dtype names <-> ElementType.
#pragma once
#include <cstdint>

#include "core.h"
#include "frontend/frontend.h"

namespace lanewise::python {

// An element type in six bits; the index into all tables here. kNoElement: not a type of the language.
using ElementCode = uint8_t;
inline constexpr ElementCode kNoElement = 63;
// In a type key: the next word says which (dtypes.h).
inline constexpr ElementCode kWideElement = 62;
inline constexpr ElementCode kElementCount = 15;

ElementCode element_code(const frontend::ElementType& type);
frontend::ElementType element_type(ElementCode code);
const char* numpy_name(ElementCode code);  // "bool", "int8", ..., "bfloat16"; vectors as Lanewise calls them
inline const char* numpy_name(const frontend::ElementType& type) { return numpy_name(element_code(type)); }

// NumPy's C struct of an array: what is needed to read an array without its C headers.
struct NumpyArray {
  PyObject_HEAD char* data;
  int ndim;
  Py_ssize_t* shape;
  Py_ssize_t* strides;  // bytes
  PyObject* base;
  PyObject* dtype;
  int flags;

  static constexpr int kCContiguous = 0x1, kFContiguous = 0x2, kAligned = 0x100, kWriteable = 0x400;
};

// Filled once, at import.
struct NumpyTypes {
  PyTypeObject* array = nullptr;
  PyTypeObject* dtype = nullptr;
  PyTypeObject* long_long = nullptr;  // numpy.longlong where it is a class of its own
  PyTypeObject* unsigned_long_long = nullptr;
  PyTypeObject* scalars[kElementCount] = {};                             // numpy.bool_, numpy.int8, ...
  PyTypeObject* generic = nullptr;                                       // base of all NumPy scalars
  PyTypeObject *record = nullptr, *date = nullptr, *duration = nullptr;  // void, datetime64, timedelta64
};
const NumpyTypes& numpy_types();

// The code of an instance's dtype; kNoElement if byte-swapped or of a kind the language lacks.
ElementCode dtype_code(PyObject* dtype);
// The code of a NumPy scalar by its class.
ElementCode numpy_scalar_code(PyTypeObject* type);
// The value of a NumPy scalar, its bytes in the low end; of a complex one that of the part.
uint64_t numpy_scalar_bits(PyObject* scalar, ElementCode code, unsigned part = 0);

}  // namespace lanewise::python
