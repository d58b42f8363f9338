// Reads launch arguments. The order of tests is the order of how often things are passed; none of the usual
// ones takes a Python call.
#include "argument_reader.h"

#include "device_objects.h"

#include "dispatcher_object.h"
#include "host_values.h"

#include <algorithm>
#include <cstring>

#include "device_array.h"
#include "dtypes.h"

namespace lanewise::python {

using frontend::Layout;
using runtime::Argument;
using runtime::Target;

namespace {

constexpr int kMaxTupleDepth = 32;

const ElementCode kBool = element_code(ir::kBool), kInt = element_code(ir::kI64),
                  kUnsigned = element_code(ir::kU64), kFloat = element_code(ir::kF64),
                  kComplex = element_code(frontend::ElementType::complex(ir::kF64));

std::string dtype_problem(PyObject* dtype, const char* things) {
  std::string name = py::str(dtype);
  auto order = py::getattr(dtype, "byteorder", py::str("="));
  if (py::cast<std::string>(order) == ">" && py::cast<int>(py::getattr(dtype, "num")) < 24)
    return "byte-swapped arrays (dtype " + name +
           ") are not supported: convert with a.astype(a.dtype.newbyteorder())";
  return std::string(things) + " of dtype " + name + " are not supported";
}

// The shape and strides of a NumPy array in elements; whether the strides are whole elements.
bool copy_shape(const NumpyArray& array, ElementCode scalar, Argument& leaf) {
  auto item = static_cast<int64_t>(element_type(scalar).size());
  for (int i = 0; i < array.ndim; ++i) {
    int64_t stride = array.strides[i];
    leaf.shape[static_cast<size_t>(i)] = array.shape[i];
    if (array.shape[i] <= 1) continue;  // its stride is never used, and may be anything
    // Item sizes are powers of two.
    if ((stride & (item - 1)) != 0) return false;
    leaf.strides[static_cast<size_t>(i)] = stride / item;
  }
  return true;
}

// The same in bytes; a number that divides the address of every element.
uint64_t copy_byte_shape(const NumpyArray& array, Argument& leaf) {
  auto divides = reinterpret_cast<uint64_t>(array.data);
  bool empty = false;
  for (int i = 0; i < array.ndim; ++i) {
    auto d = static_cast<size_t>(i);
    leaf.shape[d] = array.shape[i];
    leaf.strides[d] = array.strides[i];
    empty |= array.shape[i] == 0;
    if (array.shape[i] > 1) divides |= static_cast<uint64_t>(array.strides[i]);
  }
  return empty ? 0 : divides;
}

void check_rank(const NumpyArray& array) {
  if (array.ndim > Argument::kMaxDims)
    throw BadArgument{"arrays of " + std::to_string(array.ndim) + " dimensions are not supported (at most " +
                      std::to_string(Argument::kMaxDims) + ")"};
}

Layout layout_of(const NumpyArray& array) {
  return array.flags & NumpyArray::kCContiguous   ? Layout::C
         : array.flags & NumpyArray::kFContiguous ? Layout::F
                                                  : Layout::Strided;
}

// Reads the dict that a __cuda_array_interface__ is; users' own classes make these, so nothing of it is
// trusted.
class InterfaceFields {
 public:
  explicit InterfaceFields(PyObject* interface) {
    if (!PyDict_Check(interface)) throw bad("it is no dict but an object of type " + type_name(interface));
    dict_ = py::reinterpret_borrow<py::dict>(interface);
  }
  static BadArgument bad(const std::string& problem) {
    return BadArgument{"its __cuda_array_interface__ is wrong: " + problem};
  }
  // Null where it is left out or None.
  py::object optional(const char* key) const {
    auto value = py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(dict_.ptr(), py::str(key).ptr()));
    if (!value && PyErr_Occurred()) throw py::error_already_set();
    return value && value.is_none() ? py::object() : value;
  }
  py::object required(const char* key) const {
    py::object value = optional(key);
    if (!value) throw bad("it has no `" + std::string(key) + "`");
    return value;
  }
  py::tuple tuple(const char* key) const {
    py::object value = required(key);
    if (!PyTuple_Check(value.ptr()))
      throw bad("`" + std::string(key) + "` is no tuple but an object of type " + type_name(value));
    return value;
  }
  ElementCode scalar() const {
    py::object text = required("typestr"), dtype;
    if (!PyUnicode_Check(text.ptr()))
      throw bad("`typestr` is no str but an object of type " + type_name(text));
    try {
      dtype = py::module_::import("numpy").attr("dtype")(text);
    } catch (const py::error_already_set& error) {
      if (!error.matches(PyExc_Exception)) throw;
      throw bad("`typestr` is " + std::string(py::repr(text)));
    }
    ElementCode code = dtype_code(dtype.ptr());
    if (code == kNoElement) throw BadArgument{dtype_problem(dtype.ptr(), "arrays")};
    return code;
  }
  static int64_t integer(const py::object& value, const char* key) {
    py::object index = as_int(value);
    int overflow = 1;
    long long number = index ? PyLong_AsLongLongAndOverflow(index.ptr(), &overflow) : 0;
    if (overflow != 0)
      throw bad("`" + std::string(key) + "` holds " + std::string(py::repr(value)) +
                ", not an int of 64 bits");
    return number;
  }
  static void* pointer(const py::object& value) {
    py::object index = as_int(value);
    unsigned long long number = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
    if (!index || PyErr_Occurred()) {
      PyErr_Clear();
      throw bad("the pointer in `data` is " + std::string(py::repr(value)));
    }
    return reinterpret_cast<void*>(number);
  }
  static bool truth(const py::object& value) {
    int truth = PyObject_IsTrue(value.ptr());
    if (truth < 0) throw py::error_already_set();
    return truth == 1;
  }

 private:
  // The int that an int, or NumPy's integer, is; null of anything else.
  static py::object as_int(const py::object& value) {
    if (!PyIndex_Check(value.ptr())) return {};
    auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!index) forget_exception();
    return index;
  }

  py::dict dict_;
};

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
  ElementCode code = numpy_scalar_code(type);
  if (code != kNoElement) {
    key.add_typed(code);
    for (unsigned part = 0; part < element_type(code).lanes; ++part)
      add_scalar(numpy_scalar_bits(object, code, part));
    return;
  }
  if (PyTuple_Check(object)) return read_tuple(object);
  if (PyComplex_Check(object)) return read_complex(object);
  read_other(object);
}

void ArgumentReader::read_array(PyObject* object) {
  const auto& array = *reinterpret_cast<NumpyArray*>(object);
  ElementCode scalar = dtype_code(array.dtype);
  if (scalar == kNoElement || !(array.flags & NumpyArray::kAligned)) return read_wide_array(array);
  check_rank(array);
  Layout layout = layout_of(array);
  Argument& leaf = leaves.emplace_back();
  leaf.ndim = array.ndim;
  leaf.writable = array.flags & NumpyArray::kWriteable;
  leaf.data = array.data;
  if (!copy_shape(array, scalar, leaf)) {
    leaves.pop_back();
    return read_wide_array(array);
  }
  key.add_array(scalar, array.ndim, layout);
}

// Arrays of records, texts and times, misaligned ones, and those with strides that are not whole elements.
void ArgumentReader::read_wide_array(const NumpyArray& array) {
  ElementCode code = dtype_code(array.dtype);
  uint16_t wide = 0;
  frontend::ElementType element = code == kNoElement ? frontend::ElementType() : element_type(code);
  if (code == kNoElement) {
    std::string problem;
    std::optional<uint16_t> known = wide_dtype_code(array.dtype, &problem);
    if (!known && py::getattr(array.dtype, "names").is_none())
      throw BadArgument{dtype_problem(array.dtype, "arrays")};
    if (!known) throw BadArgument{"arrays of " + problem + " are not supported"};
    wide = *known;
    element = wide_element(wide);
    code = kWideElement;
  }
  check_rank(array);
  Argument& leaf = leaves.emplace_back();
  leaf.ndim = array.ndim;
  leaf.writable = array.flags & NumpyArray::kWriteable;
  leaf.data = array.data;
  uint64_t divides = copy_byte_shape(array, leaf);
  bool unaligned = (divides & (element.alignment() - 1)) != 0;
  Layout layout = layout_of(array);
  int64_t item = element.size();
  bool whole = !unaligned && !element.is_place();
  for (int i = 0; i < array.ndim; ++i) whole = whole && leaf.strides[static_cast<size_t>(i)] % item == 0;
  if (whole)
    for (int64_t& stride : leaf.strides) stride /= item;
  else if (layout == Layout::Strided || (unaligned && !element.is_place()))
    layout = Layout::Bytes;
  key.add_array(code, array.ndim, layout, unaligned);
  if (code == kWideElement) key.add_wide(wide);
}

// A numpy.void: a record by reference, as the 0-d array that it is a part of.
void ArgumentReader::read_record(PyObject* object) {
  const auto& record = *reinterpret_cast<NumpyVoid*>(object);
  std::string problem = "of dtype void";
  std::optional<uint16_t> wide = wide_dtype_code(record.dtype, &problem);
  if (!wide) throw BadArgument{"a record " + problem + " cannot be passed"};
  bool unaligned = (reinterpret_cast<uint64_t>(record.data) & (wide_element(*wide).alignment() - 1)) != 0;
  Argument& leaf = leaves.emplace_back();
  leaf.ndim = 0;
  leaf.writable = record.flags & NumpyArray::kWriteable;
  leaf.data = record.data;
  key.add_array(kWideElement, 0, Layout::C, unaligned);
  key.add_wide(*wide);
}

void ArgumentReader::read_time(PyObject* object, bool is_date) {
  const auto& scalar = *reinterpret_cast<NumpyTime*>(object);
  key.add_typed(kWideElement);
  key.add_wide(wide_code(frontend::ElementType::of(time_type(scalar, is_date))));
  add_scalar(static_cast<uint64_t>(scalar.value));
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
  leaf.ordinal = static_cast<int16_t>(view.buffer->device);
  leaf.data = view.data();
  leaf.shape = view.shape;
  leaf.strides = view.strides;
  if (view.scalar != kWideElement) return key.add_array(view.scalar, view.ndim, view.layout);
  const frontend::ElementType& element = wide_element(view.wide);
  Layout layout = view.layout;
  if (layout == Layout::Strided && element.is_place()) layout = Layout::Bytes;
  for (int64_t& stride : leaf.strides) stride *= element.is_place() ? element.size() : 1;
  bool unaligned = (reinterpret_cast<uint64_t>(leaf.data) & (element.alignment() - 1)) != 0;
  key.add_array(kWideElement, view.ndim, layout, unaligned);
  key.add_wide(view.wide);
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
  if (overflow < 0) throw BadArgument{"the int is below int64's range: less than -2**63", true};
  if (PyErr_Occurred()) {
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

void ArgumentReader::read_complex(PyObject* object) {
  Py_complex value = PyComplex_AsCComplex(object);
  key.add_python(kComplex);
  for (double part : {value.real, value.imag}) {
    uint64_t bits;
    std::memcpy(&bits, &part, sizeof bits);
    add_scalar(bits);
  }
}

// lanewise's own class of tuples, whose items are NumPy scalars.
bool ArgumentReader::read_vector(PyObject* object) {
  py::object name = optional_attribute(py::type::handle_of(object), "_lanewise_vector");
  if (!name || !PyUnicode_Check(name.ptr())) return false;
  auto type = frontend::parse_type_text(py::cast<std::string>(name));
  if (!type || !type->is_vector() || PyTuple_GET_SIZE(object) != type->lanes) return false;
  ElementCode component = element_code(type->scalar);
  for (Py_ssize_t i = 0; i < type->lanes; ++i)
    if (numpy_scalar_code(Py_TYPE(PyTuple_GET_ITEM(object, i))) != component) return false;
  key.add_typed(kWideElement);
  key.add_wide(wide_code(type->element_type()));
  for (Py_ssize_t i = 0; i < type->lanes; ++i)
    add_scalar(numpy_scalar_bits(PyTuple_GET_ITEM(object, i), component));
  return true;
}

void ArgumentReader::read_tuple(PyObject* object) {
  if (Py_TYPE(object) != &PyTuple_Type && read_vector(object)) return;
  if (++depth_ > kMaxTupleDepth) throw BadArgument{"the tuple is nested too deeply", true};
  Py_ssize_t length = PyTuple_GET_SIZE(object);
  if (length > 1000)
    throw BadArgument{"a tuple of " + std::to_string(length) + " items: pass an array", true};
  frontend::TupleNames names =
      Py_TYPE(object) == &PyTuple_Type ? frontend::TupleNames() : names_of_class(Py_TYPE(object));
  if (names)
    key.add_named_tuple(static_cast<size_t>(length), names_number(names));
  else
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
    if (optional_attribute(object, "mask"))
      throw BadArgument{"masked arrays are not supported: pass a.filled(value), or a.data and a.mask"};
    return read_array(object);
  }
  if (py::object direction = optional_attribute(object, "_lanewise_direction"))
    return read_hint(py::handle(object).attr("ary"),
                     static_cast<runtime::Direction>(py::cast<int>(direction)));
  // Enum members count as their values; an IntEnum is an int anyway.
  py::object value = optional_attribute(py::type::handle_of(object), "__members__")
                         ? optional_attribute(object, "_value_")
                         : py::object();
  if (value && !value.is_none() && !PyLong_Check(object)) {
    kept_.push_back(value);
    return read(value.ptr());
  }
  if (PyLong_Check(object)) return read_int(object);
  if (PyFloat_Check(object)) return read_float(PyFloat_AsDouble(object));
  if (read_object(object)) return;

  if (target_ == Target::Cuda) {
    py::object interface = optional_attribute(object, "__cuda_array_interface__");
    if (interface && !interface.is_none()) return read_interface(interface.ptr());
  }
  if (PyObject_TypeCheck(object, numpy_types().record)) return read_record(object);
  for (bool is_date : {true, false})
    if (PyObject_TypeCheck(object, is_date ? numpy_types().date : numpy_types().duration))
      return read_time(object, is_date);
  bool is_generic = PyObject_TypeCheck(object, numpy_types().generic);
  for (const char* protocol : {"__array_interface__", "__array_struct__", "__dlpack__"})
    if (!is_generic && optional_attribute(object, protocol)) return read_converted(object, protocol);
  if (is_generic)
    throw BadArgument{dtype_problem(py::handle(object).attr("dtype").cast<py::object>().ptr(), "scalars")};
  if (PyList_Check(object))
    throw BadArgument{"a list cannot be passed: make it an array (np.array(...)) or a tuple"};
  throw BadArgument{"an object of type " + type_name(object) + " cannot be passed"};
}

// What gpu.In, Out and InOut wrap.
void ArgumentReader::read_hint(const py::object& object, runtime::Direction direction) {
  kept_.push_back(object);
  size_t first = leaves.size();
  read(object.ptr());
  for (size_t i = first; i < leaves.size(); ++i) leaves[i].direction = direction;
}

// None, device functions and types; they have no leaves.
bool ArgumentReader::read_object(PyObject* object) {
  if (object == Py_None) {
    key.add_none();
    objects.push_back(py::none());
    return true;
  }
  if (Dispatcher* dispatcher = find_dispatcher(object)) {
    if (!dispatcher->options().device)
      throw BadArgument{"the kernel `" + dispatcher->name() +
                        "` cannot be passed: decorate it with @gpu.jit(device=True)"};
    key.add_object(dispatcher->function().ptr());
    objects.push_back(py::reinterpret_borrow<py::object>(object));
    return true;
  }
  if (is_type_or_builtin(object)) {
    key.add_object(object);
    objects.push_back(py::reinterpret_borrow<py::object>(object));
    return true;
  }
  if (PyFunction_Check(object))
    throw BadArgument{"a plain Python function cannot be passed: decorate it with @gpu.jit(device=True)"};
  return false;
}

// An array that NumPy makes of the object, by one of its protocols; the memory is the object's.
void ArgumentReader::read_converted(PyObject* object, const std::string& protocol) {
  const char* converter = protocol == "__dlpack__" ? "from_dlpack" : "asarray";
  try {
    kept_.push_back(py::module_::import("numpy").attr(converter)(py::handle(object)));
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    throw BadArgument{"its " + protocol + " is wrong: " + exception_text(error)};
  }
  read_array(kept_.back().ptr());
}

// The CUDA Array Interface, version 3, without its stream.
void ArgumentReader::read_interface(PyObject* interface) {
  InterfaceFields fields(interface);
  ElementCode scalar = fields.scalar();
  py::tuple shape = fields.tuple("shape");
  py::object steps = fields.optional("strides");
  py::tuple strides = steps ? fields.tuple("strides") : py::tuple();
  py::tuple data = fields.tuple("data");
  if (shape.size() > static_cast<size_t>(Argument::kMaxDims))
    throw BadArgument{"arrays of " + std::to_string(shape.size()) +
                      " dimensions are not supported (at most " + std::to_string(Argument::kMaxDims) + ")"};
  if (steps && strides.size() != shape.size()) throw fields.bad("`strides` and `shape` differ in length");
  if (data.size() != 2) throw fields.bad("`data` is not (pointer, read-only)");
  if (fields.optional("mask")) throw fields.bad("a `mask` is not supported");
  Argument leaf;
  leaf.ndim = static_cast<int>(shape.size());
  leaf.device = true;
  leaf.data = fields.pointer(data[0]);
  leaf.writable = !fields.truth(data[1]);
  auto item = static_cast<int64_t>(element_type(scalar).size());
  int64_t running = item;  // bytes
  for (size_t i = shape.size(); i-- > 0;) {
    int64_t extent = fields.integer(shape[i], "shape");
    if (extent < 0) throw fields.bad("`shape` has a negative extent: " + std::to_string(extent));
    int64_t stride = steps ? fields.integer(strides[i], "strides") : running;
    if (extent > 1 && stride % item != 0)
      throw BadArgument{"a stride is not a multiple of the item size", true};
    leaf.shape[i] = extent;
    leaf.strides[i] = stride / item;
    if (__builtin_mul_overflow(running, std::max<int64_t>(extent, 1), &running))
      throw fields.bad("the array is larger than memory can be");
  }
  key.add_array(scalar, leaf.ndim, layout_of(leaf.ndim, leaf.shape.data(), leaf.strides.data()));
  leaves.push_back(leaf);
}

}  // namespace lanewise::python
