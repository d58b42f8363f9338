// What all files of the extension share: pybind11, the exceptions they throw, and how those become Python's.
#pragma once
#include <pybind11/pybind11.h>

#include <string>

#include "runtime/runtime.h"

namespace lanewise::python {

namespace py = pybind11;

// An argument or a configuration of the wrong type; what() names kernel and parameter. Python sees
// lanewise.LaunchTypeError, while runtime::LaunchError arrives as lanewise.LaunchValueError.
class LaunchTypeError : public runtime::LaunchError {
  using runtime::LaunchError::LaunchError;
};

// Sets Python's error from the C++ exception being handled. For functions that CPython calls directly.
void set_python_error() noexcept;
// The same for functions bound through pybind11.
void register_error_translator();

// "lanewise.errors.LaunchError" and so on.
py::object error_class(const char* name);
// lanewise.CompileError of an exception: its text, and its diagnostics as dicts.
[[noreturn]] void throw_compile_error(const runtime::CompileError& error);
// The exception that a kernel raised: the class that its name means to the kernel's function, else
// lanewise.KernelError; with attributes kernel, block, thread, file, line.
[[noreturn]] void throw_raised(const runtime::RaisedError& error, py::handle function);
// Python warnings of category lanewise.CompileWarning, at the places they name.
void issue_warnings(const ir::Diagnostics& warnings, const ir::SourceMap& sources);

// object.name, or null: there is none, or its getter raised an ordinary Exception. What is not one (a
// KeyboardInterrupt, say) is thrown.
py::object optional_attribute(py::handle object, const char* name);
// Forgets the Python error that is set if it is an ordinary Exception, throws it if not.
void forget_exception();
// "ValueError: no such width"
std::string exception_text(const py::error_already_set& error);

// str(type(object)) as users write it: "list", "numpy.ndarray", "my.Thing".
std::string type_name(py::handle object);

}  // namespace lanewise::python
