// The CPython types around Dispatcher: lanewise._core.Dispatcher and ConfiguredKernel (`kernel[grid,
// block]`). Plain types with vectorcall rather than pybind11 classes: a launch passes through both.
#pragma once
#include "core.h"
#include "dispatcher.h"

namespace lanewise::python {

// The Dispatcher inside a jitted function, nullptr if the object is none.
Dispatcher* find_dispatcher(PyObject* object);
void register_dispatcher(py::module_& module);

}  // namespace lanewise::python
