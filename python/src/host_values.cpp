// What a captured Python object means to the compiler. One function per family of objects, tried in order.
#include "host_values.h"

#include <cstring>

#include "cuda_functions.h"
#include "device_array.h"
#include "dispatcher_object.h"
#include "dtypes.h"
#include "frontend/builtin_names.h"
#include "gil.h"

namespace lanewise::python {

using frontend::Environment;
using frontend::HostValue;

namespace {

constexpr int kMaxTupleDepth = 32;

// Environments hold Python objects but die wherever inference drops them, with or without the GIL.
struct GilDeleter {
  void operator()(Environment* environment) const {
    if (!Py_IsInitialized()) return;
    GilAcquire gil;
    delete environment;
  }
};

HostValue unsupported(std::string what) { return {HostValue::Unsupported{std::move(what), {}}}; }

class FunctionEnvironment : public Environment {
 public:
  FunctionEnvironment(py::handle function, CompileContext& context)
      : context_(context), globals_(function.attr("__globals__")) {
    py::object closure = function.attr("__closure__");
    if (closure.is_none()) return;
    free_names_ = py::cast<py::tuple>(function.attr("__code__").attr("co_freevars"));
    cells_ = py::cast<py::tuple>(closure);
  }

  std::optional<HostValue> lookup(const std::string& name) override {
    GilAcquire gil;
    py::str key(name);
    for (size_t i = 0; i < free_names_.size(); ++i) {
      if (!py::object(free_names_[i]).equal(key)) continue;
      py::object cell = cells_[i];
      if (auto* known = context_.known(cell.ptr(), name)) return *known;
      auto value = py::reinterpret_borrow<py::object>(PyCell_GET(cell.ptr()));
      return context_.remember(Capture::Place::Cell, cell, name, value);
    }
    if (auto* known = context_.known(globals_.ptr(), name)) return *known;
    auto value = py::reinterpret_borrow<py::object>(PyDict_GetItemWithError(globals_.ptr(), key.ptr()));
    if (!value && PyErr_Occurred()) throw py::error_already_set();
    return context_.remember(Capture::Place::Dict, globals_, name, value);
  }

  std::vector<std::string> names() const override {
    GilAcquire gil;
    std::vector<std::string> names;
    for (py::handle name : free_names_) names.push_back(py::cast<std::string>(name));
    for (auto [name, value] : globals_)
      if (PyUnicode_Check(name.ptr())) names.push_back(py::cast<std::string>(name));
    return names;
  }

 private:
  CompileContext& context_;
  py::dict globals_;
  py::tuple free_names_, cells_;
};

std::string text_attribute(py::handle object, const char* name) {
  py::object value = optional_attribute(object, name);
  return value && PyUnicode_Check(value.ptr()) ? py::cast<std::string>(value) : std::string();
}

// The attributes of a module, a class or an object.
class ObjectEnvironment : public Environment {
 public:
  ObjectEnvironment(py::handle object, CompileContext& context)
      : context_(context), object_(py::reinterpret_borrow<py::object>(object)) {}

  std::optional<HostValue> lookup(const std::string& name) override {
    GilAcquire gil;
    if (name == "_member_map_") return members();
    // A module's attribute is an entry of its dict, which is quicker to look at and runs no code.
    py::object dict;
    if (PyModule_Check(object_.ptr()))
      dict = py::reinterpret_borrow<py::object>(PyModule_GetDict(object_.ptr()));
    for (const py::object& container : {object_, dict})
      if (auto* known = context_.known(container.ptr(), name)) return *known;
    py::str key(name);
    auto value = py::reinterpret_steal<py::object>(PyObject_GetAttr(object_.ptr(), key.ptr()));
    if (!value) {
      bool absent = PyErr_ExceptionMatches(PyExc_AttributeError);
      py::error_already_set error;                       // takes the error
      if (!error.matches(PyExc_Exception)) throw error;  // a KeyboardInterrupt is no fault of the program's
      if (!absent) return unsupported("an attribute whose getter failed (" + exception_text(error) + ")");
    }
    if (dict) {
      PyObject* entry = PyDict_GetItemWithError(dict.ptr(), key.ptr());
      if (!entry && PyErr_Occurred()) throw py::error_already_set();
      if (!value || entry == value.ptr()) return context_.remember(Capture::Place::Dict, dict, name, value);
    }
    return context_.remember(Capture::Place::Attribute, object_, name, value);
  }

  std::vector<std::string> names() const override {
    GilAcquire gil;
    std::vector<std::string> names;
    auto list = py::reinterpret_steal<py::list>(PyObject_Dir(object_.ptr()));
    if (!list)
      forget_exception();
    else
      for (py::handle name : list)
        if (PyUnicode_Check(name.ptr())) names.push_back(py::str(name));
    return names;
  }

 private:
  // The members of an Enum class, whose dict of them never changes.
  std::optional<HostValue> members() {
    py::object map = optional_attribute(object_, "_member_map_");
    if (!map || !PyDict_Check(map.ptr()) || !PyType_Check(object_.ptr())) return std::nullopt;
    context_.remember(Capture::Place::Attribute, object_, "_member_map_", map);
    HostValue::Tuple tuple;
    std::vector<std::string> names;
    for (auto [name, member] : py::reinterpret_borrow<py::dict>(map)) {
      if (!PyUnicode_Check(name.ptr())) return std::nullopt;
      names.push_back(py::cast<std::string>(name));
      tuple.items.push_back(to_host_value(member, context_));
    }
    tuple.names = {text_attribute(object_, "__name__"), std::move(names)};
    return HostValue{std::move(tuple)};
  }

  CompileContext& context_;
  py::object object_;
};

HostValue namespace_of(py::handle object, CompileContext& context) {
  std::shared_ptr<Environment> environment(new ObjectEnvironment(object, context), GilDeleter{});
  return {HostValue::Namespace{std::move(environment)}};
}

HostValue int_value(py::handle object) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) return {HostValue::Int{value, false}};
  unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(object.ptr()) : 0;
  if (overflow > 0 && !PyErr_Occurred()) return {HostValue::Int{static_cast<int64_t>(large), true}};
  PyErr_Clear();
  if (overflow < 0) return unsupported("an int below int64's range");
  return unsupported("an int of " + std::string(py::str(object.attr("bit_length")())) + " bits");
}

HostValue typed_value(py::handle object, ElementCode code) {
  ir::Type type = element_type(code).scalar;
  if (element_type(code).is_complex()) {
    Py_complex value = PyComplex_AsCComplex(object.ptr());
    return {HostValue::Complex{value.real, value.imag, type}};
  }
  if (type.is_float()) return {HostValue::Typed{type, PyFloat_AsDouble(object.ptr())}};
  uint64_t bits = numpy_scalar_bits(object.ptr(), code);
  unsigned unused = type.is_signed() ? 64u - type.bits : 0u;  // sign-extend
  return {HostValue::Typed{type, static_cast<int64_t>(bits << unused) >> unused}};
}

HostValue array_value(py::handle object) {
  auto& source = *reinterpret_cast<NumpyArray*>(object.ptr());
  std::optional<frontend::ElementType> element = dtype_element(source.dtype);
  if (!element) return unsupported("an array of dtype " + std::string(py::str(py::handle(source.dtype))));
  auto array = std::make_shared<frontend::HostArray>();
  array->element = *element;
  for (int i = 0; i < source.ndim; ++i) array->shape.push_back(source.shape[i]);
  py::bytes bytes = object.attr("tobytes")();
  array->bytes = std::string(bytes);
  return {HostValue::Array(std::move(array))};
}

// A record is an array of one without dimensions.
HostValue record_value(py::handle object) {
  std::optional<frontend::ElementType> element =
      dtype_element(reinterpret_cast<NumpyVoid*>(object.ptr())->dtype);
  if (!element || !element->is_record()) return unsupported("a NumPy void that is no record kernels can use");
  auto array = std::make_shared<frontend::HostArray>();
  array->element = *element;
  py::bytes bytes = object.attr("tobytes")();
  array->bytes = std::string(bytes);
  return {HostValue::Array(std::move(array))};
}

// Numbers, strings, tuples, arrays.
std::optional<HostValue> data_value(py::handle object, CompileContext& context) {
  PyObject* o = object.ptr();
  if (o == Py_None) return HostValue{HostValue::None{}};
  if (PyBool_Check(o)) return HostValue{o == Py_True};
  ElementCode code = numpy_scalar_code(Py_TYPE(o));
  if (code != kNoElement) return typed_value(object, code);
  if (PyObject_TypeCheck(o, numpy_types().record)) return record_value(object);
  for (bool is_date : {true, false})
    if (PyObject_TypeCheck(o, is_date ? numpy_types().date : numpy_types().duration)) {
      const auto& scalar = *reinterpret_cast<NumpyTime*>(o);
      return HostValue{HostValue::Time{time_type(scalar, is_date), scalar.value}};
    }
  if (PyLong_Check(o)) return int_value(object);
  if (PyFloat_Check(o)) return HostValue{PyFloat_AS_DOUBLE(o)};
  if (PyComplex_Check(o)) {
    Py_complex value = PyComplex_AsCComplex(o);
    return HostValue{HostValue::Complex{value.real, value.imag, ir::kVoid}};
  }
  if (PyUnicode_Check(o)) return HostValue{py::cast<std::string>(object)};
  if (PyTuple_Check(o)) {
    if (context.tuple_depth == kMaxTupleDepth) return unsupported("a tuple nested too deeply");
    HostValue::Tuple tuple;
    ++context.tuple_depth;
    for (py::handle item : py::reinterpret_borrow<py::tuple>(object))
      tuple.items.push_back(to_host_value(item, context));
    --context.tuple_depth;
    if (Py_TYPE(o) != &PyTuple_Type) tuple.names = names_of_class(Py_TYPE(o));
    return HostValue{std::move(tuple)};
  }
  if (PySlice_Check(o)) {
    HostValue::Slice slice;
    for (const char* bound : {"start", "stop", "step"}) {
      py::object number = object.attr(bound);
      if (number.is_none() || !PyIndex_Check(number.ptr())) {
        if (!number.is_none()) return unsupported("a slice whose bounds are not integers");
        slice.bounds.push_back({HostValue::None{}});
        continue;
      }
      slice.bounds.push_back(int_value(py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()))));
    }
    return HostValue{std::move(slice)};
  }
  if (PyObject_TypeCheck(o, numpy_types().array)) {
    if (optional_attribute(object, "mask")) return unsupported("a masked array");
    return array_value(object);
  }
  if (device_view(o)) return unsupported("a device array (pass it as an argument)");
  // A member of an Enum counts as its value.
  if (optional_attribute(py::type::handle_of(object), "__members__") && optional_attribute(object, "_value_"))
    return to_host_value(object.attr("_value_"), context);
  return std::nullopt;
}

HostValue tuple_class(py::handle object, frontend::TupleNames names, CompileContext& context) {
  HostValue::TupleClass result{std::move(names), {}};
  py::object defaults = optional_attribute(object, "_field_defaults");
  if (!defaults || !PyDict_Check(defaults.ptr())) return {std::move(result)};
  for (const std::string& field : result.names.fields()) {
    PyObject* value = PyDict_GetItemString(defaults.ptr(), field.c_str());
    if (value) result.defaults.push_back(to_host_value(value, context));
  }
  return {std::move(result)};
}

// functools.partial
std::optional<HostValue> partial_value(py::handle object, CompileContext& context) {
  if (type_name(object) != "functools.partial" &&
      text_attribute(py::type::handle_of(object), "__module__") != "functools")
    return std::nullopt;
  if (text_attribute(py::type::handle_of(object), "__name__") != "partial") return std::nullopt;
  HostValue::Partial partial;
  partial.callee = std::make_shared<HostValue>(to_host_value(object.attr("func"), context));
  for (py::handle argument : py::cast<py::tuple>(object.attr("args")))
    partial.arguments.push_back(to_host_value(argument, context));
  for (auto [name, value] : py::cast<py::dict>(object.attr("keywords")))
    partial.keywords.emplace_back(py::cast<std::string>(name), to_host_value(value, context));
  return HostValue{std::move(partial)};
}

// Whether the module `builtins` has it under this name. What `exec` defines in a bare dict only says that it
// does.
bool is_python_builtin(py::handle object, const std::string& name) {
  if (text_attribute(object, "__module__") != "builtins") return false;
  py::object found = optional_attribute(py::module_::import("builtins"), name.c_str());
  return found && found.is(object);
}

// Types and dtypes: NumPy's, Python's, ours, Numba's.
std::optional<HostValue> type_value(py::handle object, CompileContext& context) {
  PyObject* o = object.ptr();
  const NumpyTypes& numpy = numpy_types();
  if (PyObject_TypeCheck(o, numpy.dtype)) {
    std::optional<frontend::ElementType> element = dtype_element(o);
    if (!element) return unsupported("the dtype " + std::string(py::str(object)));
    return HostValue{HostValue::DType{*element, false}};
  }
  if (PyType_Check(o)) {
    if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return HostValue{HostValue::DType{ir::kI64, true}};
    if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return HostValue{HostValue::DType{ir::kF64, true}};
    if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return HostValue{HostValue::DType{ir::kBool, true}};
    if (o == reinterpret_cast<PyObject*>(&PyComplex_Type))
      return HostValue{HostValue::DType{frontend::ElementType::complex(ir::kF64), true}};
    ElementCode code = numpy_scalar_code(reinterpret_cast<PyTypeObject*>(o));
    if (code != kNoElement) return HostValue{HostValue::DType{element_type(code), false}};
    std::string name = text_attribute(object, "__name__");
    if (is_python_builtin(object, name)) return HostValue{HostValue::Builtin{name}};
    if (frontend::TupleNames names = names_of_class(reinterpret_cast<PyTypeObject*>(o)))
      return tuple_class(object, std::move(names), context);
    bool is_numpy = text_attribute(object, "__module__") == "numpy";
    if (auto known = is_numpy ? frontend::builtin_module_attribute("numpy", name) : std::nullopt)
      return known;
    if (name == "datetime64" || name == "timedelta64") return HostValue{HostValue::Builtin{"numpy." + name}};
    if (PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(o), numpy.generic))
      return unsupported("the type numpy." + name);
    return namespace_of(object, context);
  }
  std::string text;
  if (optional_attribute(py::type::handle_of(object), "_lanewise_type"))
    text = py::str(object);
  else if (text_attribute(py::type::handle_of(object), "__module__").starts_with("numba.core.types"))
    text = text_attribute(object, "name");
  if (text.empty()) return std::nullopt;
  auto type = frontend::parse_type_text(text);
  if (type && !type->is_array() && !type->is_tuple())
    return HostValue{HostValue::DType{type->element_type(), false}};
  return unsupported("the type " + text);
}

// "math", "numpy", "gpu": the canonical name of a module the language knows, "" of any other.
std::string known_module(const std::string& name) {
  auto found = frontend::builtin_module(name == "_operator" ? "operator" : name);
  auto* module = found ? std::get_if<HostValue::Builtin>(&found->value) : nullptr;
  return module ? module->name : "";
}

// Functions and modules the language knows by name.
std::optional<HostValue> builtin_value(py::handle object) {
  PyObject* o = object.ptr();
  if (optional_attribute(py::type::handle_of(object), "_lanewise_builtin")) {
    std::string name = text_attribute(object, "_lanewise_builtin");
    size_t dot = name.rfind('.');
    if (dot != name.npos)
      if (auto known = frontend::builtin_module_attribute(name.substr(0, dot), name.substr(dot + 1)))
        return known;
    return HostValue{HostValue::Builtin{name}};
  }
  if (PyModule_Check(o)) {
    std::string name = known_module(text_attribute(object, "__name__"));
    return name.empty() ? std::nullopt : std::optional(HostValue{HostValue::Builtin{name}});
  }
  std::string type = text_attribute(py::type::handle_of(object), "__name__");
  if (!PyCFunction_Check(o) && type != "ufunc" && type != "_ArrayFunctionDispatcher") return std::nullopt;
  std::string name = text_attribute(object, "__name__");
  std::string module = type == "ufunc" ? "numpy" : text_attribute(object, "__module__");
  if (module == "builtins") return HostValue{HostValue::Builtin{name}};
  if (auto known = frontend::builtin_module_attribute(known_module(module), name)) return known;
  return unsupported("the function " + module + "." + name);
}

// Functions of users: ours, plain ones, Numba's.
std::optional<HostValue> function_value(py::handle object, CompileContext& context) {
  if (Dispatcher* dispatcher = find_dispatcher(object.ptr()))
    return HostValue{context.function(dispatcher->function(), dispatcher->options())};
  if (PyFunction_Check(object.ptr())) {
    // What a decorator above ours made of it, for the host: kernels call the function itself.
    if (py::object inner = optional_attribute(object, "__wrapped__"))
      if (Dispatcher* dispatcher = find_dispatcher(inner.ptr()))
        return HostValue{context.function(dispatcher->function(), dispatcher->options())};
    return unsupported("a plain Python function: decorate it with @gpu.jit(device=True)");
  }
  if (PyMethod_Check(object.ptr())) return unsupported("a bound method");
  if (!text_attribute(py::type::handle_of(object), "__module__").starts_with("numba.")) return std::nullopt;
  py::object function = optional_attribute(object, "py_func");
  if (!function || !PyFunction_Check(function.ptr())) return std::nullopt;
  JitOptions options;
  options.device = true;
  options.source = py::none();
  return HostValue{context.function(function, options)};
}

std::string article(const std::string& noun) {
  return (std::string_view("aeiouAEIOU").find(noun[0]) != std::string_view::npos ? "an " : "a ") + noun;
}

}  // namespace

frontend::TupleNames names_of_class(PyTypeObject* type) {
  if (!PyType_IsSubtype(type, &PyTuple_Type)) return {};
  py::object fields = optional_attribute(reinterpret_cast<PyObject*>(type), "_fields");
  if (!fields || !PyTuple_Check(fields.ptr())) return {};
  std::vector<std::string> names;
  for (py::handle field : py::reinterpret_borrow<py::tuple>(fields)) {
    if (!PyUnicode_Check(field.ptr())) return {};
    names.push_back(py::cast<std::string>(field));
  }
  return {text_attribute(reinterpret_cast<PyObject*>(type), "__name__"), std::move(names)};
}

bool is_type_or_builtin(PyObject* object) {
  if (PyObject_TypeCheck(object, numpy_types().dtype)) return dtype_code(object) != kNoElement;
  if (PyType_Check(object)) {
    auto* type = reinterpret_cast<PyTypeObject*>(object);
    bool python = type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type;
    return python || numpy_scalar_code(type) != kNoElement || names_of_class(type);
  }
  std::optional<HostValue> known = builtin_value(object);
  return known && std::holds_alternative<HostValue::Builtin>(known->value);
}

HostValue to_host_value(py::handle object, CompileContext& context) {
  if (auto value = data_value(object, context)) return *std::move(value);
  if (auto value = type_value(object, context)) return *std::move(value);
  if (auto value = builtin_value(object)) return *std::move(value);
  if (auto value = function_value(object, context)) return *std::move(value);
  if (auto value = partial_value(object, context)) return *std::move(value);
  if (auto value = cuda_function_value(object, context)) return *std::move(value);
  PyObject* o = object.ptr();
  if (PyDict_Check(o) || PyList_Check(o) || PyAnySet_Check(o) || PyBytes_Check(o) || PyByteArray_Check(o) ||
      PySlice_Check(o))
    return unsupported(article(type_name(object)));
  return namespace_of(object, context);
}

std::shared_ptr<Environment> function_environment(py::handle function, CompileContext& context) {
  return {new FunctionEnvironment(function, context), GilDeleter{}};
}

}  // namespace lanewise::python
