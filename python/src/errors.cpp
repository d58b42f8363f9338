// C++ exceptions to Python's: classes live in lanewise/errors.py, so that they have documentation and can be
// subclassed there. Also turns compile-time warnings into Python warnings.
#include "core.h"
#include "ir/diagnostic_object.h"
#include "ir/ir.h"

namespace lanewise::python {

py::object error_class(const char* name) { return py::module_::import("lanewise.errors").attr(name); }

std::string type_name(py::handle object) {
  py::handle type = py::type::handle_of(object);
  auto text = [&](const char* attribute, const char* otherwise) -> std::string {
    py::object value = optional_attribute(type, attribute);
    return value && PyUnicode_Check(value.ptr()) ? std::string(py::str(value)) : otherwise;
  };
  std::string module = text("__module__", ""), name = text("__qualname__", "?");
  return module.empty() || module == "builtins" ? name : module + "." + name;
}

py::object optional_attribute(py::handle object, const char* name) {
  auto value = py::reinterpret_steal<py::object>(PyObject_GetAttrString(object.ptr(), name));
  if (!value) forget_exception();
  return value;
}

void forget_exception() {
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw py::error_already_set();
  PyErr_Clear();
}

std::string exception_text(const py::error_already_set& error) {
  std::string text = type_name(error.value());
  auto words = py::reinterpret_steal<py::object>(PyObject_Str(error.value().ptr()));
  const char* message = words ? PyUnicode_AsUTF8(words.ptr()) : nullptr;
  if (!message) forget_exception();
  return message && *message ? text + ": " + message : text;
}

namespace {

void raise(const char* class_name, const char* message) {
  py::object type = error_class(class_name);
  PyErr_SetString(type.ptr(), message);
}

// Sets the error of `exception`, rethrown and caught by class. May throw if Python fails meanwhile.
void translate(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const runtime::Interrupted& error) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
  } catch (const runtime::CompileError& error) {
    throw_compile_error(error);
  } catch (const LaunchTypeError& error) {
    raise("LaunchTypeError", error.what());
  } catch (const runtime::LaunchError& error) {
    raise("LaunchValueError", error.what());
  } catch (const runtime::RaisedError& error) {
    // Of a launch that is over: `owner` knows the function.
    auto* function = static_cast<py::weakref*>(error.place.owner.get());
    py::object alive = function ? (*function)() : py::none();
    try {
      throw_raised(error, alive);
    } catch (py::error_already_set& raised) {
      raised.restore();
    }
  } catch (const runtime::KernelError& error) {
    raise("KernelError", error.what());
  } catch (const runtime::CudaError& error) {
    py::object instance = error_class("CudaError")(error.what());
    instance.attr("code") = error.code;
    PyErr_SetObject(error_class("CudaError").ptr(), instance.ptr());
  } catch (const runtime::TargetError& error) {
    raise("TargetError", error.what());
  } catch (const ir::InternalError& error) {
    raise("InternalError", error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    raise("InternalError", error.what());
  } catch (...) {
    raise("InternalError", "an exception of unknown type");
  }
}

}  // namespace

void set_python_error() noexcept {
  try {
    translate(std::current_exception());
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "lanewise: an error could not be reported");
  }
}

void register_error_translator() {
  py::register_local_exception_translator([](std::exception_ptr exception) {
    // pybind11's own exceptions are its own affair.
    try {
      std::rethrow_exception(exception);
    } catch (const py::builtin_exception&) {
      throw;
    } catch (const py::error_already_set&) {
      throw;
    } catch (...) {
      translate(exception);
    }
  });
}

void throw_compile_error(const runtime::CompileError& error) {
  const ir::SourceMap& sources = error.sources;
  py::list diagnostics;
  auto list_of = [](const std::vector<py::dict>& all) {
    py::list list;
    for (const py::dict& one : all) list.append(one);
    return list;
  };
  for (const ir::Diagnostic& diagnostic : error.diagnostics.all())
    diagnostics.append(ir::as_object<py::dict>(diagnostic, sources, list_of));
  py::object instance =
      error_class("CompileError")(error.what(), diagnostics, ir::render(error.diagnostics, sources, true));
  PyErr_SetObject(error_class("CompileError").ptr(), instance.ptr());
  throw py::error_already_set();
}

namespace {

// A name as the function sees it: its closure, its globals, Python's own.
py::object lookup(py::handle function, const std::string& name) {
  if (function.is_none()) return py::module_::import("builtins").attr(name.c_str());
  py::object found = py::module_::import("inspect").attr("getclosurevars")(function);
  for (const char* kind : {"nonlocals", "globals", "builtins"}) {
    py::dict names = found.attr(kind);
    if (names.contains(name)) return names[py::str(name)];
  }
  py::dict globals = function.attr("__globals__");
  if (globals.contains(name)) return globals[py::str(name)];
  return py::module_::import("builtins").attr(name.c_str());
}

// The class that a dotted name means; None if it is no exception's.
py::object exception_class(py::handle function, const std::string& dotted) {
  try {
    size_t dot = dotted.find('.');
    py::object found = lookup(function, dotted.substr(0, dot));
    while (dot != dotted.npos) {
      size_t next = dotted.find('.', dot + 1);
      found = found.attr(dotted.substr(dot + 1, next - dot - 1).c_str());
      dot = next;
    }
    if (PyExceptionClass_Check(found.ptr())) return found;
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
  }
  return py::none();
}

}  // namespace

void throw_raised(const runtime::RaisedError& error, py::handle function) {
  const runtime::RaisedError::Place& place = error.place;
  py::object type = exception_class(function, place.exception), instance;
  try {
    if (!type.is_none()) instance = type(error.report);
  } catch (py::error_already_set& refused) {  // it wants other arguments
    if (!refused.matches(PyExc_Exception)) throw;
  }
  if (!instance || !PyExceptionInstance_Check(instance.ptr()))
    instance = error_class("KernelError")(error.what());
  auto set = [&](const char* name, const py::object& value) {
    if (PyObject_SetAttrString(instance.ptr(), name, value.ptr()) != 0) forget_exception();
  };
  auto triple = [](const std::array<int64_t, 3>& v) -> py::object {
    return py::make_tuple(v[0], v[1], v[2]);
  };
  set("kernel", py::str(place.kernel));
  set("block", triple(place.block));
  set("thread", triple(place.thread));
  set("file", py::str(place.file));
  set("line", py::int_(place.line));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(instance.ptr())), instance.ptr());
  throw py::error_already_set();
}

void issue_warnings(const ir::Diagnostics& warnings, const ir::SourceMap& sources) {
  for (const ir::Diagnostic& warning : warnings.all()) {
    bool is_note = ir::info(warning.id).severity == ir::Severity::Performance;
    std::string text = ir::render(warning, sources);
    while (text.ends_with('\n')) text.pop_back();
    bool known = warning.range.file < sources.size();
    std::string file = known ? sources.file(warning.range.file).name : "<kernel>";
    int line = known ? static_cast<int>(sources.position(warning.range).line) : 1;
    py::object category = error_class(is_note ? "PerformanceWarning" : "CompileWarning");
    // What Python keeps to say a thing once, for another specialisation of the kernel too.
    py::object registry = py::module_::import("lanewise.errors").attr("_issued_warnings");
    py::module_::import("warnings")
        .attr("warn_explicit")(text, category, file, line, py::arg("registry") = registry);
  }
}

}  // namespace lanewise::python
