// Python objects as the front end's HostValues, and the Environments that names of Python functions are
// looked up in. Environments take the GIL themselves: inference runs without it.
#pragma once
#include <memory>

#include "compile.h"
#include "element_types.h"
#include "frontend/host_value.h"

namespace lanewise::python {

// GIL held.
frontend::HostValue to_host_value(py::handle object, CompileContext& context);
// The names of a class that collections.namedtuple or typing.NamedTuple made; none of another.
frontend::TupleNames names_of_class(PyTypeObject* type);
// A NumPy or Python type, or a function of a module that the language knows by name.
bool is_type_or_builtin(PyObject* object);
// Closure cells, then globals, of a Python function. Valid while `context` is.
std::shared_ptr<frontend::Environment> function_environment(py::handle function, CompileContext& context);

}  // namespace lanewise::python
