// lanewise._core.Dispatcher and ConfiguredKernel.
#include "dispatcher_object.h"

#include "cuda_functions.h"

#include <pybind11/stl.h>
#include <structmember.h>

#include "device_objects.h"
#include "gil.h"

namespace lanewise::python {
namespace {

struct DispatcherObject {
  PyObject_HEAD Dispatcher* dispatcher;
};
struct ConfiguredObject {
  PyObject_HEAD DispatcherObject* owner;
  runtime::LaunchConfig config;
  PyObject* stream;  // what `config` has the handle of, kept alive; null: the default one
  vectorcallfunc vectorcall;
};

PyTypeObject* dispatcher_type = nullptr;
PyTypeObject* configured_type = nullptr;

Dispatcher& checked(DispatcherObject* object) {
  if (!object || !object->dispatcher) throw LaunchTypeError("a kernel that was not initialised");
  return *object->dispatcher;
}

// --- launch configurations

// An int or a tuple of up to three, into `sizes` (1 where left out).
void read_sizes(const std::string& kernel, const char* what, PyObject* object,
                std::array<int64_t, 3>& sizes) {
  auto fail = [&](const std::string& problem) -> std::string {
    return "kernel `" + kernel + "`: the " + what + " " + problem;
  };
  PyObject* single[] = {object};
  PyObject** items = single;
  Py_ssize_t count = 1;
  if (PyTuple_Check(object)) {
    items = &PyTuple_GET_ITEM(object, 0);
    count = PyTuple_GET_SIZE(object);
    if (count < 1 || count > 3)
      throw runtime::LaunchError(fail("has " + std::to_string(count) + " dimensions, not 1 to 3"));
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = items[i];
    if (!PyIndex_Check(item))
      throw LaunchTypeError(fail("must be an int or a tuple of up to three ints, not " +
                                 std::string(py::repr(item)) + " (" + type_name(item) + ")"));
    Py_ssize_t size = PyNumber_AsSsize_t(item, PyExc_OverflowError);
    if (size == -1 && PyErr_Occurred()) {
      if (!PyErr_ExceptionMatches(PyExc_OverflowError)) throw py::error_already_set();
      PyErr_Clear();
      throw runtime::LaunchError(fail("is " + std::string(py::repr(item)) + ": too large"));
    }
    if (size < 0) throw runtime::LaunchError(fail("is negative: " + std::to_string(size)));
    sizes[static_cast<size_t>(i)] = size;
  }
}

void read_config(Dispatcher& dispatcher, PyObject* item, runtime::LaunchConfig& config) {
  const std::string& kernel = dispatcher.name();
  Py_ssize_t count = PyTuple_Check(item) ? PyTuple_GET_SIZE(item) : 1;
  if (!PyTuple_Check(item) || count < 2 || count > 5)
    throw LaunchTypeError("kernel `" + kernel + "`: a launch is written " + kernel +
                          "[grid, block](...) or " + kernel +
                          "[grid, block, stream, dynamic_shared_bytes, cluster](...)");
  read_sizes(kernel, "grid", PyTuple_GET_ITEM(item, 0), config.grid);
  read_sizes(kernel, "block", PyTuple_GET_ITEM(item, 1), config.block);
  if (count > 2 && !is_default_stream(PyTuple_GET_ITEM(item, 2)))
    config.stream = read_stream("kernel `" + kernel + "`", PyTuple_GET_ITEM(item, 2), dispatcher.target());
  if (count > 3) {
    std::array<int64_t, 3> bytes{};
    PyObject* size = PyTuple_GET_ITEM(item, 3);
    if (PyTuple_Check(size))
      throw LaunchTypeError("kernel `" + kernel + "`: dynamic_shared_bytes must be an int");
    read_sizes(kernel, "number of dynamic shared bytes", size, bytes);
    config.dynamic_shared_bytes = bytes[0];
  }
  if (count > 4 && PyTuple_GET_ITEM(item, 4) != Py_None) {
    config.attributes.cluster = {1, 1, 1};
    read_sizes(kernel, "cluster", PyTuple_GET_ITEM(item, 4), config.attributes.cluster);
  }
}

// --- ConfiguredKernel

PyObject* configured_call(PyObject* self, PyObject* const* args, size_t flags, PyObject* keywords) {
  try {
    auto* object = reinterpret_cast<ConfiguredObject*>(self);
    if (keywords && PyTuple_GET_SIZE(keywords) == 0) keywords = nullptr;
    checked(object->owner)
        .launch(object->config, args, static_cast<size_t>(PyVectorcall_NARGS(flags)), keywords);
    Py_RETURN_NONE;
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

// It may be kept where its kernel's function finds it: a cycle through the kernel.
int configured_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<ConfiguredObject*>(self)->owner);
  Py_VISIT(reinterpret_cast<ConfiguredObject*>(self)->stream);
  return 0;
}

int configured_clear(PyObject* self) {
  Py_CLEAR(reinterpret_cast<ConfiguredObject*>(self)->owner);
  Py_CLEAR(reinterpret_cast<ConfiguredObject*>(self)->stream);
  return 0;
}

void configured_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  configured_clear(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* configured_repr(PyObject* self) {
  auto* object = reinterpret_cast<ConfiguredObject*>(self);
  if (!object->owner) return PyUnicode_FromString("<kernel that was not initialised>");
  const runtime::LaunchConfig& c = object->config;
  if (c.tasks >= 0)
    return PyUnicode_FromFormat("<kernel `%s` for %lld threads>", object->owner->dispatcher->name().c_str(),
                                static_cast<long long>(c.tasks));
  return PyUnicode_FromFormat("<kernel `%s` at grid (%lld, %lld, %lld), block (%lld, %lld, %lld)>",
                              object->owner->dispatcher->name().c_str(), c.grid[0], c.grid[1], c.grid[2],
                              c.block[0], c.block[1], c.block[2]);
}

// --- Dispatcher

// `item`: (grid, block, stream, dynamic_shared_bytes, cluster) or the first ones of these.
PyObject* configure(PyObject* self, PyObject* item, runtime::LaunchConfig config = {}) {
  Dispatcher& dispatcher = checked(reinterpret_cast<DispatcherObject*>(self));
  if (dispatcher.options().device)
    throw LaunchTypeError("`" + dispatcher.name() +
                          "` is a device function: kernels call it, it cannot be launched");
  read_config(dispatcher, item, config);
  auto* configured = PyObject_GC_New(ConfiguredObject, configured_type);
  if (!configured) throw py::error_already_set();
  Py_INCREF(self);
  configured->owner = reinterpret_cast<DispatcherObject*>(self);
  configured->stream = config.stream ? PyTuple_GET_ITEM(item, 2) : nullptr;
  Py_XINCREF(configured->stream);
  new (&configured->config) runtime::LaunchConfig(config);
  configured->vectorcall = configured_call;
  PyObject_GC_Track(configured);
  return reinterpret_cast<PyObject*>(configured);
}

PyObject* dispatcher_subscript(PyObject* self, PyObject* item) {
  try {
    return configure(self, item);
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

PyObject* dispatcher_call(PyObject* self, PyObject*, PyObject*) {
  try {
    Dispatcher& dispatcher = checked(reinterpret_cast<DispatcherObject*>(self));
    const std::string& name = dispatcher.name();
    if (dispatcher.options().device)
      throw LaunchTypeError("`" + name + "` is a device function: call it in a kernel, or " + name +
                            ".py_func(...) to run its Python text");
    throw runtime::LaunchError("kernel `" + name + "` was called without a launch configuration: write " +
                               name + "[grid, block](...) or " + name + ".forall(n)(...)");
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

std::optional<bool> optional_bool(const py::dict& options, const char* name) {
  py::object value = options[name];
  return value.is_none() ? std::nullopt : std::optional(value.cast<bool>());
}

// __init__(function, options, signatures); lanewise/gpu/_jit.py has checked what the user said.
int dispatcher_init(PyObject* self, PyObject* args, PyObject*) {
  try {
    PyObject *function, *options_dict, *signatures;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyFunction_Type, &function, &PyDict_Type, &options_dict,
                          &PyList_Type, &signatures))
      return -1;
    auto given = py::reinterpret_borrow<py::dict>(options_dict);
    JitOptions options;
    options.device = given["device"].cast<bool>();
    options.fast_math = optional_bool(given, "fastmath");
    options.contract = optional_bool(given, "fma");
    options.python_float32 = given["python_float32"].cast<bool>();
    options.performance_notes = given["performance_notes"].cast<bool>();
    options.debug = given["debug"].cast<bool>();
    options.cuda.line_info = given["lineinfo"].cast<bool>();
    options.cuda.ftz = given["ftz"].cast<bool>();
    options.cuda.max_threads = given["max_threads"].cast<int>();
    options.cuda.min_blocks = given["min_blocks"].cast<int>();
    options.cuda.max_registers = given["max_registers"].cast<int>();
    options.cuda.max_cluster_blocks = given["max_cluster_blocks"].cast<int>();
    options.cuda.cluster = given["cluster"].cast<std::array<int, 3>>();
    if (given["checked_launch"].cast<bool>())
      options.cuda.facts = {.small = true, .distinct = true, .aligned = true};
    options.link = read_links(given["link"]);
    options.source = given["source"];
    options.code = py::handle(function).attr("__code__");
    if (py::object target = given["target"]; !target.is_none()) {
      options.target = runtime::parse_target(target.cast<std::string>());
      if (!options.target)
        throw runtime::LaunchError("there is no target \"" + target.cast<std::string>() +
                                   "\": use \"cpu\", \"cuda\" or \"interpreter\"");
    }
    auto* object = reinterpret_cast<DispatcherObject*>(self);
    if (object->dispatcher) throw LaunchTypeError("a kernel is initialised once");
    object->dispatcher = new Dispatcher(py::reinterpret_borrow<py::object>(function), std::move(options),
                                        py::cast<std::vector<std::string>>(py::handle(signatures)));
    return 0;
  } catch (...) {
    set_python_error();
    return -1;
  }
}

int dispatcher_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Dispatcher* dispatcher = reinterpret_cast<DispatcherObject*>(self)->dispatcher;
  return dispatcher ? dispatcher->traverse(visit, arg) : 0;
}

int dispatcher_clear(PyObject* self) {
  if (Dispatcher* dispatcher = reinterpret_cast<DispatcherObject*>(self)->dispatcher) dispatcher->clear();
  return 0;
}

void dispatcher_dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  delete reinterpret_cast<DispatcherObject*>(self)->dispatcher;
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* make_type(PyType_Spec spec) {
  PyObject* type = PyType_FromSpec(&spec);
  if (!type) throw py::error_already_set();
  return reinterpret_cast<PyTypeObject*>(type);
}

PyTypeObject* make_dispatcher_type() {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(dispatcher_dealloc)},
                                {Py_tp_init, reinterpret_cast<void*>(dispatcher_init)},
                                {Py_tp_new, reinterpret_cast<void*>(PyType_GenericNew)},
                                {Py_tp_call, reinterpret_cast<void*>(dispatcher_call)},
                                {Py_tp_traverse, reinterpret_cast<void*>(dispatcher_traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(dispatcher_clear)},
                                {Py_mp_subscript, reinterpret_cast<void*>(dispatcher_subscript)},
                                {0, nullptr}};
  return make_type({"lanewise._core.Dispatcher", sizeof(DispatcherObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots});
}

PyTypeObject* make_configured_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(ConfiguredObject, vectorcall), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(configured_dealloc)},
                                {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                {Py_tp_repr, reinterpret_cast<void*>(configured_repr)},
                                {Py_tp_traverse, reinterpret_cast<void*>(configured_traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(configured_clear)},
                                {Py_tp_members, members},
                                {0, nullptr}};
  unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC;
#if PY_VERSION_HEX >= 0x030A0000
  flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
#endif
  PyTypeObject* type =
      make_type({"lanewise._core.ConfiguredKernel", sizeof(ConfiguredObject), 0, flags, slots});
#if PY_VERSION_HEX < 0x030A0000
  type->tp_new = nullptr;
#endif
  return type;
}

// --- what is not hot, as functions of a dispatcher

Dispatcher& dispatcher_of(const py::object& object) {
  Dispatcher* dispatcher = find_dispatcher(object.ptr());
  if (!dispatcher) throw LaunchTypeError("not a jitted function: " + std::string(py::repr(object)));
  return *dispatcher;
}

std::string signature_text(const Specialization& code) {
  std::string text;
  for (const auto& type : code.kernel->argument_types)
    text += (text.empty() ? "" : ", ") + frontend::to_string(type);
  return "(" + text + ")";
}

std::string stage_text(const Specialization& code, const std::string& stage) {
  runtime::CompiledKernel& kernel = *code.kernel;
  GilRelease release;
  if (stage == "ir") return kernel.ir_text();
  if (stage == "report") return kernel.report();
  if (stage == "sass") return kernel.sass_text();
  if (stage == "llvm") return kernel.llvm_text();
  if (stage == "asm" && kernel.options.target != runtime::Target::Cuda) return kernel.assembly_text();
  if (stage == "cuda") return kernel.cuda_text();
  return kernel.ptx_text();
}

// [(signature, text)] of all specialisations, or of the one that `signature` names.
py::list texts(const py::object& object, const std::string& stage,
               const std::optional<std::string>& signature) {
  Dispatcher& dispatcher = dispatcher_of(object);
  auto codes = signature ? std::vector{dispatcher.specialization(*signature)} : dispatcher.specializations();
  py::list result;
  for (const auto& code : codes)
    result.append(py::make_tuple(signature_text(*code), stage_text(*code, stage)));
  return result;
}

// [(signature, number)] of all specialisations, or of the one that `signature` names.
template <class Ask>
py::list numbers(const py::object& object, const std::optional<std::string>& signature, Ask ask) {
  Dispatcher& dispatcher = dispatcher_of(object);
  auto codes = signature ? std::vector{dispatcher.specialization(*signature)} : dispatcher.specializations();
  py::list result;
  for (const auto& code : codes) {
    int64_t number = 0;
    {
      GilRelease release;
      number = ask(*code->kernel);
    }
    result.append(py::make_tuple(signature_text(*code), number));
  }
  return result;
}

// [(signature, {name: number})]: what the driver says of the code on the current device.
py::list resources(const py::object& object, const std::optional<std::string>& signature) {
  Dispatcher& dispatcher = dispatcher_of(object);
  auto codes = signature ? std::vector{dispatcher.specialization(*signature)} : dispatcher.specializations();
  py::list result;
  for (const auto& code : codes) {
    runtime::CompiledKernel::Resources all;
    {
      GilRelease release;
      all = code->kernel->resources();
    }
    py::dict numbers;
    numbers["max_threads"] = all.max_threads;
    numbers["registers"] = all.registers;
    numbers["ptx_version"] = all.ptx_version;
    numbers["binary_version"] = all.binary_version;
    numbers["shared_bytes"] = all.shared_bytes;
    numbers["constant_bytes"] = all.constant_bytes;
    numbers["local_bytes"] = all.local_bytes;
    result.append(py::make_tuple(signature_text(*code), numbers));
  }
  return result;
}

}  // namespace

Dispatcher* find_dispatcher(PyObject* object) {
  if (!PyObject_TypeCheck(object, dispatcher_type)) return nullptr;
  return reinterpret_cast<DispatcherObject*>(object)->dispatcher;
}

void register_dispatcher(py::module_& module) {
  dispatcher_type = make_dispatcher_type();
  configured_type = make_configured_type();
  module.attr("Dispatcher") =
      py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(dispatcher_type));
  module.attr("ConfiguredKernel") =
      py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(configured_type));
  module.def("compile_signatures",
             [](const py::object& object) { dispatcher_of(object).compile_signatures(); });
  module.def("texts", &texts, py::arg("dispatcher"), py::arg("stage"), py::arg("signature"));
  module.def("resources", &resources, py::arg("dispatcher"), py::arg("signature"));
  // The signature that a launch with these arguments has.
  module.def("signature_of", [](const py::object& object, const py::tuple& arguments) {
    std::string text;
    for (const auto& type :
         dispatcher_of(object).types_of(&PyTuple_GET_ITEM(arguments.ptr(), 0), arguments.size()))
      text += (text.empty() ? "" : ", ") + frontend::to_string(type);
    return "(" + text + ")";
  });
  // A launch with what brackets cannot say; `tasks` not None: that many threads, in blocks that suit.
  module.def("configure",
             [](const py::object& object, const py::tuple& item, const std::optional<int>& priority,
                bool overlaps_previous, const std::optional<int64_t>& tasks) {
               dispatcher_of(object);
               runtime::LaunchConfig config;
               config.attributes.priority = priority;
               config.attributes.overlaps_previous = overlaps_previous;
               config.tasks = tasks.value_or(-1);
               return py::reinterpret_steal<py::object>(configure(object.ptr(), item.ptr(), config));
             });
  // [(signature, number)] of what is compiled.
  module.def("max_cooperative_blocks",
             [](const py::object& object, const std::optional<std::string>& signature,
                const std::array<int64_t, 3>& block, int64_t shared) {
               return numbers(object, signature,
                              [&](auto& kernel) { return kernel.max_cooperative_blocks(block, shared); });
             });
  module.def("max_active_blocks", [](const py::object& object, const std::optional<std::string>& signature,
                                     const std::array<int64_t, 3>& block, int64_t shared) {
    return numbers(object, signature, [&](auto& kernel) { return kernel.max_active_blocks(block, shared); });
  });
  module.def("suggested_block", [](const py::object& object, const std::optional<std::string>& signature,
                                   int64_t shared) {
    return numbers(object, signature, [&](auto& kernel) { return kernel.suggested_block(shared); });
  });
  module.def("max_active_clusters", [](const py::object& object, const std::optional<std::string>& signature,
                                       const std::array<int64_t, 3>& block, int64_t shared,
                                       const std::array<int64_t, 3>& cluster) {
    runtime::LaunchConfig config{.grid = cluster, .block = block, .dynamic_shared_bytes = shared};
    config.attributes.cluster = cluster;
    return numbers(object, signature, [&](auto& kernel) { return kernel.max_active_clusters(config); });
  });
  module.def("signatures", [](const py::object& object) {
    py::list result;
    for (const auto& code : dispatcher_of(object).specializations()) result.append(signature_text(*code));
    return result;
  });
  module.def("compile_ptx",
             [](const py::object& object, const std::string& signature, int sm, const std::string& name) {
               Dispatcher& dispatcher = dispatcher_of(object);
               return compile_ptx(dispatcher.function(), dispatcher.options(), signature, sm, name);
             });
}

}  // namespace lanewise::python
