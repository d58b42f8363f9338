// Scalar types as NumPy knows them: type numbers, scalar classes, dtype names <-> ir::Type.
#pragma once
#include <cstdint>

#include "core.h"
#include "ir/type.h"

namespace lanewise::python {

// A scalar type in four bits; the index into all tables here. kNoScalar: not a type of the language.
using ScalarCode = uint8_t;
inline constexpr ScalarCode kNoScalar = 15;
inline constexpr ScalarCode kScalarCount = 12;

ScalarCode scalar_code(ir::Type type);
ir::Type scalar_type(ScalarCode code);
const char* numpy_name(ScalarCode code);  // "bool", "int8", ..., "float64"
inline const char* numpy_name(ir::Type type) { return numpy_name(scalar_code(type)); }

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
  PyTypeObject* scalars[kScalarCount] = {};  // numpy.bool_, numpy.int8, ...
  PyTypeObject* long_long = nullptr;         // numpy.longlong where it is a class of its own
  PyTypeObject* unsigned_long_long = nullptr;
  PyTypeObject* generic = nullptr;  // base of all NumPy scalars
};
const NumpyTypes& numpy_types();

// The code of an instance's dtype; kNoScalar if byte-swapped or of a kind the language lacks.
ScalarCode dtype_code(PyObject* dtype);
// The code of a NumPy scalar by its class.
ScalarCode numpy_scalar_code(PyTypeObject* type);
// The value of a NumPy scalar, its bytes in the low end.
uint64_t numpy_scalar_bits(PyObject* scalar, ScalarCode code);

}  // namespace lanewise::python
