// Comparing captures: a pointer comparison each, save where an attribute makes a new object each time.
#include "capture.h"

#include <bit>

namespace lanewise::python {
namespace {

// Equal for the compiler: numbers and strings of one exact type with one value. 0.0 is not -0.0.
bool same_value(PyObject* a, PyObject* b) {
  PyTypeObject* type = Py_TYPE(a);
  if (type != Py_TYPE(b)) return false;
  if (type == &PyFloat_Type)
    return std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(a)) == std::bit_cast<uint64_t>(PyFloat_AS_DOUBLE(b));
  if (type != &PyLong_Type && type != &PyUnicode_Type) return false;
  int equal = PyObject_RichCompareBool(a, b, Py_EQ);
  if (equal < 0) PyErr_Clear();
  return equal == 1;
}

}  // namespace

bool Capture::unchanged() const {
  PyObject* now = nullptr;  // borrowed
  py::object owned;
  switch (place_) {
    case Place::Dict:
      now = PyDict_GetItemWithError(container_.ptr(), key_.ptr());
      if (!now && PyErr_Occurred()) throw py::error_already_set();
      break;
    case Place::Cell: now = PyCell_GET(container_.ptr()); break;
    case Place::Attribute:
      owned = py::reinterpret_steal<py::object>(PyObject_GetAttr(container_.ptr(), key_.ptr()));
      if (!owned) forget_exception();
      now = owned.ptr();
      break;
    case Place::Argument: return true;
    case Place::Code: return PyFunction_GET_CODE(container_.ptr()) == value_.ptr();
    case Place::Defaults: return PyFunction_GET_DEFAULTS(container_.ptr()) == value_.ptr();
    case Place::KeywordDefaults: return PyFunction_GET_KW_DEFAULTS(container_.ptr()) == value_.ptr();
  }
  PyObject* then = value_.ptr();
  return now == then || (now && then && same_value(now, then));
}

int Capture::traverse(visitproc visit, void* arg) const {
  Py_VISIT(container_.ptr());
  Py_VISIT(value_.ptr());
  return 0;
}

}  // namespace lanewise::python
