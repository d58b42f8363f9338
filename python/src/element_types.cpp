// The table behind element_types.h. NumPy's layouts used here (array, dtype and scalar objects) are part of
// its stable C ABI; its own headers would tie a build to one NumPy.
#include "element_types.h"

#include <pybind11/numpy.h>

#include <array>
#include <cstring>
#include <string_view>

namespace lanewise::python {
namespace {

using frontend::ElementType;

struct Row {
  ElementType type;
  const char* name;
};
// In a function: other files' constants are codes, too.
const std::array<Row, kElementCount>& rows() {
  static const std::array<Row, kElementCount> all{{{ir::kBool, "bool"},
                                                   {ir::kI8, "int8"},
                                                   {ir::kI16, "int16"},
                                                   {ir::kI32, "int32"},
                                                   {ir::kI64, "int64"},
                                                   {ir::kU8, "uint8"},
                                                   {ir::kU16, "uint16"},
                                                   {ir::kU32, "uint32"},
                                                   {ir::kU64, "uint64"},
                                                   {ir::kF16, "float16"},
                                                   {ir::kF32, "float32"},
                                                   {ir::kF64, "float64"},
                                                   {ElementType::complex(ir::kF32), "complex64"},
                                                   {ElementType::complex(ir::kF64), "complex128"},
                                                   {ir::kBF16, "bfloat16"}}};
  return all;
}
constexpr ElementCode kBoolCode = 0, kI8Code = 1, kI16Code = 2, kI32Code = 3, kI64Code = 4, kU8Code = 5,
                      kU16Code = 6, kU32Code = 7, kU64Code = 8, kF16Code = 9, kF32Code = 10, kF64Code = 11,
                      kC64Code = 12, kC128Code = 13, kBF16Code = 14;

static_assert(sizeof(NumpyArray) == sizeof(py::detail::PyArray_Proxy));

// By NumPy's type number: bool, byte, ubyte, short, ushort, int, uint, long, ulong, longlong, ulonglong,
// float, double, long double, cfloat, cdouble; 23 is half. `long` has 64 bits on every platform we build for.
constexpr ElementCode kByTypeNumber[] = {kBoolCode, kI8Code,    kU8Code,  kI16Code, kU16Code, kI32Code,
                                         kU32Code,  kI64Code,   kU64Code, kI64Code, kU64Code, kF32Code,
                                         kF64Code,  kNoElement, kC64Code, kC128Code};
static_assert(sizeof(long) == 8);
constexpr int kHalfTypeNumber = 23, kFirstUserTypeNumber = 256;

// The class that a library (ml_dtypes) adds to NumPy; known by its name, the library need not be loaded.
bool is_bfloat16(PyTypeObject* type) {
  static PyTypeObject* known = nullptr;
  if (type == known) return true;
  std::string_view name = type->tp_name;
  bool named = name == "bfloat16" || name.ends_with(".bfloat16");
  if (!named || !PyType_IsSubtype(type, numpy_types().generic)) return false;
  Py_INCREF(type);  // for good: the address stays its
  known = type;
  return true;
}

NumpyTypes load_numpy_types() {
  NumpyTypes types;
  py::module_ numpy = py::module_::import("numpy");
  // The types live as long as the process; the references are kept on purpose.
  auto get = [&](const char* name) {
    return reinterpret_cast<PyTypeObject*>(py::object(numpy.attr(name)).release().ptr());
  };
  types.array = get("ndarray");
  types.dtype = get("dtype");
  types.generic = get("generic");
  types.record = get("void");
  types.date = get("datetime64");
  types.duration = get("timedelta64");
  types.scalars[kBoolCode] = get("bool_");
  for (ElementCode code = 1; code < kBF16Code; ++code) types.scalars[code] = get(rows()[code].name);
  types.long_long = get("longlong");
  types.unsigned_long_long = get("ulonglong");
  return types;
}

}  // namespace

ElementCode element_code(const ElementType& type) {
  for (ElementCode code = 0; code < kElementCount; ++code)
    if (rows()[code].type == type) return code;
  return kNoElement;
}

ElementType element_type(ElementCode code) {
  return code < kElementCount ? rows()[code].type : ElementType();
}

const char* numpy_name(ElementCode code) { return code < kElementCount ? rows()[code].name : "?"; }

const NumpyTypes& numpy_types() {
  static const NumpyTypes types = load_numpy_types();
  return types;
}

ElementCode dtype_code(PyObject* dtype) {
  auto* descriptor = reinterpret_cast<py::detail::PyArrayDescr_Proxy*>(dtype);
  if (descriptor->byteorder == '>') return kNoElement;
  auto number = static_cast<unsigned>(descriptor->type_num);
  if (number < std::size(kByTypeNumber)) return kByTypeNumber[number];
  if (number >= kFirstUserTypeNumber && is_bfloat16(reinterpret_cast<PyTypeObject*>(descriptor->typeobj)))
    return kBF16Code;
  return number == kHalfTypeNumber ? kF16Code : kNoElement;
}

ElementCode numpy_scalar_code(PyTypeObject* type) {
  const NumpyTypes& types = numpy_types();
  for (ElementCode code = 0; code < kElementCount; ++code)
    if (types.scalars[code] == type) return code;
  if (type == types.long_long) return kI64Code;
  if (type == types.unsigned_long_long) return kU64Code;
  return is_bfloat16(type) ? kBF16Code : kNoElement;
}

uint64_t numpy_scalar_bits(PyObject* scalar, ElementCode code, unsigned part) {
  // A scalar object is the object head and then the value; float64's is laid out as Python's float, the same.
  uint64_t bits = 0;
  unsigned size = element_type(code).scalar.element_size();
  std::memcpy(&bits, reinterpret_cast<const char*>(scalar) + sizeof(PyObject) + part * size, size);
  return bits;
}

}  // namespace lanewise::python
