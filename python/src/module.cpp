// The extension module lanewise._core.
#include <pybind11/stl.h>

#include "core.h"
#include "cuda_functions.h"
#include "device_array.h"
#include "device_objects.h"
#include "dispatcher_object.h"
#include "frontend/builtin_names.h"
#include "gil.h"
#include "source_texts.h"

namespace py = pybind11;
using namespace lanewise;

namespace {

// What the kernel language has under a dotted name: "" for nothing, "builtin" for "gpu.grid" or
// "gpu.shared.array", and the type's name for "gpu.float32", "gpu.f4" or "gpu.float4".
std::string builtin_kind(const std::string& name) {
  size_t dot = name.rfind('.');
  if (dot == name.npos) return "";
  auto value = frontend::builtin_module_attribute(name.substr(0, dot), name.substr(dot + 1));
  if (!value) return "";
  auto* dtype = std::get_if<frontend::HostValue::DType>(&value->value);
  if (!dtype) return "builtin";
  return dtype->type.is_vector() ? frontend::to_string(dtype->type) : python::numpy_name(dtype->type);
}

// What kernels print goes to sys.stdout, whatever that is now.
void print_to_python(std::string_view text) {
  if (!Py_IsInitialized()) return;
  python::GilAcquire acquire;
  PyObject* out = PySys_GetObject("stdout");  // borrowed
  if (!out) {
    PyErr_SetString(PyExc_RuntimeError, "lost sys.stdout");
    throw py::error_already_set();
  }
  if (out == Py_None) return;
  auto stream = py::reinterpret_borrow<py::object>(out);
  auto words = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
  if (!words) throw py::error_already_set();
  stream.attr("write")(words);
}

// Ctrl-C while a grid runs: runs Python's signal handlers. True if one raised; the error stays set.
bool is_interrupted() {
  if (!Py_IsInitialized()) return false;
  python::GilAcquire acquire;
  return PyErr_CheckSignals() != 0;
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  python::register_error_translator();
  python::numpy_types();
  python::register_device_array(module);
  python::register_device_objects(module);
  python::register_dispatcher(module);
  python::register_cuda_functions(module);
  python::register_source_texts(module);
  runtime::set_print_sink(print_to_python);
  runtime::set_interrupt_check(is_interrupted);

  module.def("builtin_kind", &builtin_kind);
  module.def("builtin_names", &frontend::builtin_module_names);
  module.def("version", &runtime::version);
  module.def("default_target", [] { return python::target_name(runtime::default_target()); });
  module.def("num_threads", &runtime::num_threads);
  module.def("set_num_threads", &runtime::set_num_threads, py::call_guard<python::GilRelease>());
  module.def("cuda_status", [] {
    const runtime::CudaStatus& status = runtime::cuda_status();
    return py::make_tuple(status.usable, status.report, status.sm, status.driver_version);
  });
}
