// Reads launch arguments. The order of tests is the order of how often things are passed; none of the usual
// ones takes a Python call.
#include "argument_reader.h"

#include <cstring>

#include "device_array.h"

namespace lanewise::python {

using frontend::Layout;
using runtime::Argument;
using runtime::Target;

namespace {

constexpr int kMaxTupleDepth = 32;

const ScalarCode kBool = scalar_code(ir::kBool), kInt = scalar_code(ir::kI64),
                 kUnsigned = scalar_code(ir::kU64), kFloat = scalar_code(ir::kF64);

std::string dtype_problem(PyObject* dtype, const char* things) {
  std::string name = py::str(dtype);
  auto order = py::getattr(dtype, "byteorder", py::str("="));
  if (py::cast<std::string>(order) == ">" && py::cast<int>(py::getattr(dtype, "num")) < 24)
    return "byte-swapped arrays (dtype " + name +
           ") are not supported: convert with a.astype(a.dtype.newbyteorder())";
  return std::string(things) + " of dtype " + name + " are not supported";
}

// The shape and strides of a NumPy array in elements. Throws BadArgument.
void copy_shape(const NumpyArray& array, ScalarCode scalar, Argument& leaf) {
  auto item = static_cast<int64_t>(scalar_type(scalar).element_size());
  for (int i = 0; i < array.ndim; ++i) {
    int64_t stride = array.strides[i];
    leaf.shape[static_cast<size_t>(i)] = array.shape[i];
    if (array.shape[i] <= 1) continue;  // its stride is never used, and may be anything
    // Item sizes are powers of two.
    if ((stride & (item - 1)) != 0)
      throw BadArgument{"the stride of dimension " + std::to_string(i) + " is " + std::to_string(stride) +
                            " bytes, not a multiple of the item size " + std::to_string(item) +
                            ": pass np.ascontiguousarray(a)",
                        true};
    leaf.strides[static_cast<size_t>(i)] = stride / item;
  }
}

const char* target_name(Target target) {
  switch (target) {
    case Target::Cpu: return "cpu";
    case Target::Cuda: return "cuda";
    case Target::Interpreter: return "interpreter";
  }
  return "";
}

// Int of an object's __cuda_array_interface__ or the like; the attribute, or null without an error set.
py::object attribute(PyObject* object, const char* name) { return py::getattr(object, name, py::none()); }

}  // namespace

void ArgumentReader::add_scalar(uint64_t bits) { leaves.emplace_back().bits = bits; }

void ArgumentReader::read(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  if (type == numpy_types().array) return read_array(object);
  if (type == &PyLong_Type) return read_int(object);
  if (type == &PyFloat_Type) return read_float(PyFloat_AS_DOUBLE(object));
  if (device_view(object)) return read_device_array(object);
  if (type == &PyBool_Type) {
    key.add_python(kBool);
    return add_scalar(object == Py_True);
  }
  ScalarCode code = numpy_scalar_code(type);
  if (code != kNoScalar) {
    key.add_typed(code);
    return add_scalar(numpy_scalar_bits(object, code));
  }
  if (PyTuple_Check(object)) return read_tuple(object);
  read_other(object);
}

void ArgumentReader::read_array(PyObject* object) {
  const auto& array = *reinterpret_cast<NumpyArray*>(object);
  ScalarCode scalar = dtype_code(array.dtype);
  if (scalar == kNoScalar) throw BadArgument{dtype_problem(array.dtype, "arrays")};
  if (array.ndim > Argument::kMaxDims)
    throw BadArgument{"arrays of " + std::to_string(array.ndim) + " dimensions are not supported (at most " +
                      std::to_string(Argument::kMaxDims) + ")"};
  if (!(array.flags & NumpyArray::kAligned))
    throw BadArgument{"the array is not aligned to its item size: pass a.copy()", true};
  Layout layout = array.flags & NumpyArray::kCContiguous   ? Layout::C
                  : array.flags & NumpyArray::kFContiguous ? Layout::F
                                                           : Layout::Strided;
  Argument& leaf = leaves.emplace_back();
  leaf.ndim = array.ndim;
  leaf.writable = array.flags & NumpyArray::kWriteable;
  leaf.data = array.data;
  copy_shape(array, scalar, leaf);
  key.add_array(scalar, array.ndim, layout);
}

void ArgumentReader::read_device_array(PyObject* object) {
  const DeviceView& view = *device_view(object);
  Target home = view.buffer->target;
  if ((home == Target::Cuda) != (target_ == Target::Cuda))
    throw BadArgument{std::string("the device array lives on target ") + target_name(home) +
                          ", but the kernel runs on " + target_name(target_) +
                          ": make it with gpu.to_device(a, target=\"" + target_name(target_) + "\")",
                      true};
  Argument& leaf = leaves.emplace_back();
  leaf.ndim = view.ndim;
  leaf.device = true;
  leaf.data = view.data();
  leaf.shape = view.shape;
  leaf.strides = view.strides;
  key.add_array(view.scalar, view.ndim, view.layout);
}

void ArgumentReader::read_int(PyObject* object) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (overflow == 0) {
    key.add_python(kInt);
    return add_scalar(static_cast<uint64_t>(value));
  }
  unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  if (overflow < 0 || PyErr_Occurred()) {
    PyErr_Clear();
    auto bits = py::cast<long>(py::handle(object).attr("bit_length")());
    throw BadArgument{"an int of " + std::to_string(bits) + " bits does not fit int64 or uint64", true};
  }
  key.add_python(kUnsigned);
  add_scalar(large);
}

void ArgumentReader::read_float(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  key.add_python(kFloat);
  add_scalar(bits);
}

void ArgumentReader::read_tuple(PyObject* object) {
  if (++depth_ > kMaxTupleDepth) throw BadArgument{"the tuple is nested too deeply", true};
  Py_ssize_t length = PyTuple_GET_SIZE(object);
  if (length > 1000)
    throw BadArgument{"a tuple of " + std::to_string(length) + " items: pass an array", true};
  key.add_tuple(static_cast<size_t>(length));
  for (Py_ssize_t i = 0; i < length; ++i) {
    try {
      read(PyTuple_GET_ITEM(object, i));
    } catch (BadArgument& problem) {
      problem.what = "item " + std::to_string(i) + ": " + problem.what;
      throw;
    }
  }
  --depth_;
}

// Everything that is rare: subclasses, enums, foreign arrays; and the words for what cannot be passed.
void ArgumentReader::read_other(PyObject* object) {
  if (PyObject_TypeCheck(object, numpy_types().array)) {
    if (py::hasattr(object, "mask"))
      throw BadArgument{"masked arrays are not supported: pass a.filled(value), or a.data and a.mask"};
    return read_array(object);
  }
  // Enum members count as their values; an IntEnum is an int anyway.
  py::object value =
      py::hasattr(py::type::handle_of(object), "__members__") ? attribute(object, "_value_") : py::none();
  if (value && !value.is_none() && !PyLong_Check(object)) {
    kept_.push_back(value);
    return read(value.ptr());
  }
  if (PyLong_Check(object)) return read_int(object);
  if (PyFloat_Check(object)) return read_float(PyFloat_AsDouble(object));

  if (target_ == Target::Cuda) {
    py::object interface = attribute(object, "__cuda_array_interface__");
    if (!interface.is_none()) return read_interface(interface.ptr());
  }
  bool is_generic = PyObject_TypeCheck(object, numpy_types().generic);
  const char* converter = is_generic                                   ? nullptr
                          : py::hasattr(object, "__array_interface__") ? "asarray"
                          : py::hasattr(object, "__array_struct__")    ? "asarray"
                          : py::hasattr(object, "__dlpack__")          ? "from_dlpack"
                                                                       : nullptr;
  if (converter) {
    py::object array = py::module_::import("numpy").attr(converter)(py::handle(object));
    kept_.push_back(array);
    return read_array(array.ptr());
  }
  if (is_generic) throw BadArgument{dtype_problem(attribute(object, "dtype").ptr(), "scalars")};
  if (object == Py_None) throw BadArgument{"None is not supported as an argument"};
  if (PyList_Check(object))
    throw BadArgument{"a list cannot be passed: make it an array (np.array(...)) or a tuple"};
  throw BadArgument{"an object of type " + type_name(object) + " cannot be passed"};
}

// The CUDA Array Interface, version 3, without its stream.
void ArgumentReader::read_interface(PyObject* interface) {
  auto dict = py::reinterpret_borrow<py::dict>(interface);
  py::object dtype = py::module_::import("numpy").attr("dtype")(dict["typestr"]);
  ScalarCode scalar = dtype_code(dtype.ptr());
  if (scalar == kNoScalar) throw BadArgument{dtype_problem(dtype.ptr(), "arrays")};
  auto shape = py::cast<py::tuple>(dict["shape"]);
  if (shape.size() > static_cast<size_t>(Argument::kMaxDims))
    throw BadArgument{"an array of too many dimensions"};
  auto data = py::cast<py::tuple>(dict["data"]);
  Argument leaf;
  leaf.ndim = static_cast<int>(shape.size());
  leaf.device = true;
  leaf.data = reinterpret_cast<void*>(py::cast<uintptr_t>(data[0]));
  leaf.writable = !py::cast<bool>(data[1]);
  auto item = static_cast<int64_t>(scalar_type(scalar).element_size());
  bool has_strides = dict.contains("strides") && !dict["strides"].is_none();
  int64_t running = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    leaf.shape[i] = py::cast<int64_t>(shape[i]);
    int64_t stride =
        has_strides ? py::cast<int64_t>(py::cast<py::tuple>(dict["strides"])[i]) : running * item;
    if (leaf.shape[i] > 1 && stride % item != 0)
      throw BadArgument{"a stride is not a multiple of the item size", true};
    leaf.strides[i] = stride / item;
    running *= leaf.shape[i];
  }
  key.add_array(scalar, leaf.ndim, layout_of(leaf.ndim, leaf.shape.data(), leaf.strides.data()));
  leaves.push_back(leaf);
}

}  // namespace lanewise::python
