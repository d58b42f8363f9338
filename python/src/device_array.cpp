// The C++ half of gpu.DeviceArray: a plain CPython type that holds a DeviceView, so that a launch reads it
// without a call; and DeviceBuffer, the memory itself.
#include "device_array.h"

#include "device_objects.h"
#include "dtypes.h"
#include "gil.h"

#include <pybind11/stl.h>

namespace lanewise::python {

using frontend::Layout;
using runtime::DeviceBuffer;
using runtime::Target;

namespace {

struct DeviceArrayObject {
  PyObject_HEAD DeviceView* view;
};

PyTypeObject* device_array_type = nullptr;

void dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<DeviceArrayObject*>(self)->view;
  type->tp_free(self);
  Py_DECREF(type);
}

// __init__(buffer, offset, dtype, shape, strides): offset in bytes, strides in elements. The Python
// class checks what users pass; here only what would break memory safety is.
int init(PyObject* self, PyObject* args, PyObject*) {
  try {
    PyObject *buffer, *dtype, *shape, *strides;
    long long offset;
    if (!PyArg_ParseTuple(args, "OLOO!O!", &buffer, &offset, &dtype, &PyTuple_Type, &shape, &PyTuple_Type,
                          &strides))
      return -1;
    auto view = std::make_unique<DeviceView>();
    view->buffer = py::cast<std::shared_ptr<DeviceBuffer>>(py::handle(buffer));
    view->offset = offset;
    view->ndim = static_cast<int>(PyTuple_GET_SIZE(shape));
    view->scalar = dtype_code(dtype);
    if (view->scalar == kNoElement) {
      std::string problem;
      std::optional<uint16_t> wide = wide_dtype_code(dtype, &problem);
      if (!wide)
        throw LaunchTypeError("device arrays of dtype " + std::string(py::str(dtype)) + " are not supported");
      view->scalar = kWideElement;
      view->wide = *wide;
    }
    constexpr int kMost = runtime::Argument::kMaxDims;
    if (view->ndim > kMost)
      throw runtime::LaunchError("device arrays have " + std::to_string(kMost) + " dimensions at most, not " +
                                 std::to_string(view->ndim));
    if (PyTuple_GET_SIZE(strides) != view->ndim)
      throw runtime::LaunchError("a device array of " + std::to_string(view->ndim) + " dimensions with " +
                                 std::to_string(PyTuple_GET_SIZE(strides)) + " strides");
    for (int i = 0; i < view->ndim; ++i) {
      view->shape[static_cast<size_t>(i)] = py::cast<int64_t>(py::handle(PyTuple_GET_ITEM(shape, i)));
      view->strides[static_cast<size_t>(i)] = py::cast<int64_t>(py::handle(PyTuple_GET_ITEM(strides, i)));
    }
    view->layout = layout_of(view->ndim, view->shape.data(), view->strides.data());
    auto* object = reinterpret_cast<DeviceArrayObject*>(self);
    delete object->view;
    object->view = view.release();
    return 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

PyTypeObject* make_type() {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                         {Py_tp_init, reinterpret_cast<void*>(init)},
                         {Py_tp_new, reinterpret_cast<void*>(PyType_GenericNew)},
                         {0, nullptr}};
  PyType_Spec spec{"lanewise._core.DeviceArrayBase", sizeof(DeviceArrayObject), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (!type) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(type);
}

void check_range(const DeviceBuffer& buffer, int64_t bytes, int64_t offset) {
  if (!buffer.contains(offset, bytes)) throw runtime::LaunchError("a copy beyond a device buffer");
}

void* as_stream(uintptr_t handle) { return reinterpret_cast<void*>(handle); }

void copy_from_host(DeviceBuffer& buffer, const py::buffer& source, int64_t offset, uintptr_t stream) {
  py::buffer_info info = source.request();
  check_range(buffer, info.size * info.itemsize, offset);
  GilRelease release;
  buffer.copy_from_host(info.ptr, info.size * info.itemsize, offset, as_stream(stream));
}

void copy_to_host(const DeviceBuffer& buffer, const py::buffer& destination, int64_t offset,
                  uintptr_t stream) {
  py::buffer_info info = destination.request(/*writable=*/true);
  check_range(buffer, info.size * info.itemsize, offset);
  GilRelease release;
  buffer.copy_to_host(info.ptr, info.size * info.itemsize, offset, as_stream(stream));
}

void copy_from_device(DeviceBuffer& buffer, const DeviceBuffer& source, int64_t bytes, int64_t source_offset,
                      int64_t offset, uintptr_t stream) {
  if (source.target != buffer.target) throw runtime::LaunchError("the arrays are on different targets");
  check_range(source, bytes, source_offset);
  check_range(buffer, bytes, offset);
  GilRelease release;
  buffer.copy_from_device(source, bytes, source_offset, offset, as_stream(stream));
}

}  // namespace

Layout layout_of(int ndim, const int64_t* shape, const int64_t* strides) {
  for (int i = 0; i < ndim; ++i)
    if (shape[i] == 0) return Layout::C;
  auto contiguous = [&](int first, int step) {
    int64_t expected = 1;
    for (int n = 0, i = first; n < ndim; ++n, i += step) {
      if (shape[i] != 1 && strides[i] != expected) return false;
      expected *= shape[i];
    }
    return true;
  };
  if (contiguous(ndim - 1, -1)) return Layout::C;
  return contiguous(0, 1) ? Layout::F : Layout::Strided;
}

const DeviceView* device_view(PyObject* object) {
  if (!PyObject_TypeCheck(object, device_array_type)) return nullptr;
  const DeviceView* view = reinterpret_cast<DeviceArrayObject*>(object)->view;
  if (!view) throw LaunchTypeError("a device array that was not initialised");
  return view;
}

void register_device_array(py::module_& module) {
  device_array_type = make_type();
  module.attr("DeviceArrayBase") =
      py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(device_array_type));
  py::class_<DeviceBuffer, std::shared_ptr<DeviceBuffer>>(module, "DeviceBuffer")
      .def_readonly("bytes", &DeviceBuffer::bytes)
      .def_readonly("device", &DeviceBuffer::device)
      .def_property_readonly("pointer",
                             [](const DeviceBuffer& b) { return reinterpret_cast<uintptr_t>(b.data); })
      .def_property_readonly("is_cuda", [](const DeviceBuffer& b) { return b.target == Target::Cuda; })
      .def_property_readonly("target", [](const DeviceBuffer& b) { return target_name(b.target); })
      .def("copy_from_host", &copy_from_host)
      .def("copy_to_host", &copy_to_host)
      .def("copy_from_device", &copy_from_device);
  module.def(
      "allocate",
      [](const std::optional<std::string>& target, int64_t bytes, uintptr_t stream) {
        return runtime::allocate(target_of(target), bytes, as_stream(stream));
      },
      py::arg("target"), py::arg("bytes"), py::arg("stream"), py::call_guard<GilRelease>());
  module.def(
      "synchronize",
      [](const std::optional<std::string>& target) { runtime::synchronize(target_of(target)); },
      py::arg("target"), py::call_guard<GilRelease>());
}

}  // namespace lanewise::python
