#include "device_objects.h"

#include "gil.h"

#include <pybind11/stl.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "runtime/device.h"

namespace lanewise::python {

using runtime::DeviceBuffer;
using runtime::Event;
using runtime::Graph;
using runtime::HostMemory;
using runtime::HostMemoryKind;
using runtime::HostMemoryOptions;
using runtime::Stream;
using runtime::Target;

namespace {

using Release = py::call_guard<GilRelease>;
using TargetName = std::optional<std::string>;

// Callbacks of streams that are due. The driver's thread only says which; a thread of Python's asks and calls
// them, so that no thread of the driver's ever waits for the interpreter.
class DueCallbacks {
 public:
  void post(int64_t number) {
    {
      std::scoped_lock lock(mutex_);
      numbers_.push_back(number);
    }
    changed_.notify_one();
  }
  int64_t next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !numbers_.empty(); });
    int64_t number = numbers_.front();
    numbers_.pop_front();
    return number;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int64_t> numbers_;
};
DueCallbacks& due_callbacks() {
  static auto* the_callbacks = new DueCallbacks;  // threads wait in it until the process ends
  return *the_callbacks;
}

void* as_handle(uintptr_t number) { return reinterpret_cast<void*>(number); }
uintptr_t as_number(const void* handle) { return reinterpret_cast<uintptr_t>(handle); }

void register_streams(py::module_& module) {
  py::class_<Graph, std::shared_ptr<Graph>>(module, "Graph")
      .def(
          "launch", [](Graph& graph, uintptr_t stream) { graph.launch(as_handle(stream)); }, Release());
  py::class_<Event, std::shared_ptr<Event>>(module, "Event")
      .def_property_readonly("handle", [](const Event& event) { return as_number(event.handle); })
      .def_property_readonly("target", [](const Event& event) { return target_name(event.target); })
      .def(
          "record", [](Event& event, uintptr_t stream) { event.record(as_handle(stream)); }, Release())
      .def("is_done", &Event::is_done, Release())
      .def("synchronize", &Event::synchronize, Release())
      .def("milliseconds_since", &Event::milliseconds_since, Release());
  py::class_<Stream, std::shared_ptr<Stream>>(module, "Stream")
      .def_property_readonly("handle", [](const Stream& stream) { return as_number(stream.handle); })
      .def_property_readonly("target", [](const Stream& stream) { return target_name(stream.target); })
      .def("synchronize", &Stream::synchronize, Release())
      .def("is_done", &Stream::is_done, Release())
      .def("wait", &Stream::wait, Release())
      .def(
          "post_callback",
          [](Stream& stream, int64_t number) { stream.call([number] { due_callbacks().post(number); }); },
          Release())
      .def("begin_capture", &Stream::begin_capture, Release())
      .def("end_capture", &Stream::end_capture, Release());
  module.def(
      "next_callback", [] { return due_callbacks().next(); }, Release());
  module.def(
      "make_event",
      [](const TargetName& target, bool timing) { return runtime::make_event(target_of(target), timing); },
      Release());
  module.def(
      "make_stream",
      [](const TargetName& target, bool non_blocking, int priority) {
        return runtime::make_stream(target_of(target), {non_blocking, priority});
      },
      Release());
  module.def(
      "existing_stream",
      [](const TargetName& target, uintptr_t handle) {
        return runtime::existing_stream(target_of(target), as_handle(handle));
      },
      Release());
  module.def(
      "priority_range",
      [](const TargetName& target) {
        runtime::PriorityRange range = runtime::priority_range(target_of(target));
        return std::pair(range.least, range.greatest);
      },
      Release());
  module.def(
      "start_profiler", [](const TargetName& target) { runtime::start_profiler(target_of(target)); },
      Release());
  module.def(
      "stop_profiler", [](const TargetName& target) { runtime::stop_profiler(target_of(target)); },
      Release());
}

void register_devices(py::module_& module) {
  using runtime::DeviceInfo;
  py::class_<DeviceInfo>(module, "DeviceInfo")
      .def_readonly("ordinal", &DeviceInfo::ordinal)
      .def_readonly("name", &DeviceInfo::name)
      .def_readonly("sm", &DeviceInfo::sm)
      .def_readonly("memory_bytes", &DeviceInfo::memory_bytes)
      .def_readonly("pci_bus_id", &DeviceInfo::pci_bus_id)
      .def_property_readonly(
          "uuid", [](const DeviceInfo& info) { return py::bytes(info.uuid.data(), info.uuid.size()); });
  module.def(
      "device_count", [](const TargetName& target) { return runtime::device_count(target_of(target)); },
      Release());
  module.def(
      "device_info",
      [](const TargetName& target, int ordinal) { return runtime::device_info(target_of(target), ordinal); },
      Release());
  module.def(
      "device_attribute",
      [](const TargetName& target, int ordinal, int attribute) {
        return runtime::device_attribute(target_of(target), ordinal, attribute);
      },
      Release());
  module.def(
      "current_device", [](const TargetName& target) { return runtime::current_device(target_of(target)); },
      Release());
  module.def(
      "select_device",
      [](const TargetName& target, int ordinal) { runtime::select_device(target_of(target), ordinal); },
      Release());
  module.def("selected_device",
             [](const TargetName& target) { return runtime::selected_device(target_of(target)); });
  module.def(
      "can_access_peer",
      [](const TargetName& target, int ordinal, int peer) {
        return runtime::can_access_peer(target_of(target), ordinal, peer);
      },
      Release());
  module.def(
      "enable_peer_access",
      [](const TargetName& target, int peer) { runtime::enable_peer_access(target_of(target), peer); },
      Release());
  module.def(
      "memory_info",
      [](const TargetName& target) {
        runtime::MemoryInfo info = runtime::memory_info(target_of(target));
        return std::pair(info.free, info.total);
      },
      Release());
  module.def(
      "release_memory", [](const TargetName& target) { runtime::release_memory(target_of(target)); },
      Release());
}

HostMemoryOptions options_of(const std::string& kind, bool portable, bool write_combined,
                             bool attach_global) {
  return {kind == "managed"  ? HostMemoryKind::Managed
          : kind == "mapped" ? HostMemoryKind::Mapped
                             : HostMemoryKind::Pinned,
          portable, write_combined, attach_global};
}

void register_memory(py::module_& module) {
  py::class_<HostMemory, std::shared_ptr<HostMemory>>(module, "HostMemory")
      .def_property_readonly("pointer", [](const HostMemory& memory) { return as_number(memory.data); })
      .def_readonly("bytes", &HostMemory::bytes);
  module.def(
      "allocate_host_memory",
      [](const TargetName& target, int64_t bytes, const std::string& kind, bool portable, bool write_combined,
         bool attach_global) {
        return runtime::allocate_host_memory(target_of(target), bytes,
                                             options_of(kind, portable, write_combined, attach_global));
      },
      Release());
  module.def(
      "register_host_memory",
      [](const TargetName& target, uintptr_t pointer, int64_t bytes, const std::string& kind, bool portable) {
        return runtime::register_host_memory(target_of(target), as_handle(pointer), bytes,
                                             options_of(kind, portable, false, true));
      },
      Release());
  // `owner` lives as long as the buffer.
  module.def("wrap_memory",
             [](const TargetName& target, uintptr_t pointer, int64_t bytes, const py::object& owner) {
               auto kept = std::make_unique<py::object>(owner);
               auto release = [owned = kept.get()] {
                 if (!Py_IsInitialized()) return;
                 GilAcquire acquire;
                 delete owned;
               };
               auto buffer = runtime::wrap_memory(target_of(target), as_handle(pointer), bytes, release);
               kept.release();  // the buffer's
               return buffer;
             });
  module.def("ipc_handle", [](const DeviceBuffer& buffer) {
    int64_t offset = 0;
    runtime::IpcHandle handle = runtime::ipc_handle(buffer, &offset);
    return std::pair(py::bytes(handle.data(), handle.size()), offset);
  });
  module.def("open_ipc_handle", [](const std::string& bytes, int64_t count) {
    runtime::IpcHandle handle{};
    if (bytes.size() != handle.size())
      throw runtime::LaunchError("an IPC handle has " + std::to_string(handle.size()) + " bytes, not " +
                                 std::to_string(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), handle.begin());
    return runtime::open_ipc_handle(handle, count);
  });
}

}  // namespace

const char* target_name(Target target) {
  switch (target) {
    case Target::Cpu: return "cpu";
    case Target::Cuda: return "cuda";
    case Target::Interpreter: return "interpreter";
  }
  return "";
}

Target target_of(const TargetName& name) {
  if (!name) return runtime::default_target();
  std::optional<Target> target = runtime::parse_target(*name);
  if (!target)
    throw runtime::LaunchError("there is no target \"" + *name +
                               "\": use \"cpu\", \"cuda\" or \"interpreter\"");
  return *target;
}

bool is_default_stream(PyObject* object) {
  return object == Py_None || (PyLong_CheckExact(object) && PyObject_Not(object) == 1);
}

void* read_stream(const std::string& who, PyObject* object, Target target) {
  if (is_default_stream(object)) return nullptr;
  py::object handle = optional_attribute(object, "handle");
  if (py::object core = handle ? optional_attribute(object, "_core") : py::object();
      core && py::isinstance<Stream>(core)) {
    Target of = core.cast<const Stream&>().target;
    if ((of == Target::Cuda) != (target == Target::Cuda))
      throw runtime::LaunchError(who + ": the stream is of the target \"" + std::string(target_name(of)) +
                                 "\", but the work is for \"" + target_name(target) + "\"");
  }
  if (!handle) handle = py::reinterpret_borrow<py::object>(object);
  if (!PyIndex_Check(handle.ptr()))
    throw LaunchTypeError(who + ": the stream must be 0, None or a stream, not " +
                          std::string(py::repr(object)));
  auto index = py::reinterpret_steal<py::object>(PyNumber_Index(handle.ptr()));
  if (!index) throw py::error_already_set();
  unsigned long long value = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();  // an OverflowError: below 0 or too large
    throw runtime::LaunchError(who + ": the stream " + std::string(py::str(index)) +
                               " is no handle: handles are 0 to 2**64 - 1");
  }
  return as_handle(value);
}

void register_device_objects(py::module_& module) {
  register_streams(module);
  register_devices(module);
  register_memory(module);
  module.def("stream_handle", [](const std::string& who, py::handle stream, const TargetName& target) {
    return as_number(read_stream(who, stream.ptr(), target_of(target)));
  });
}

}  // namespace lanewise::python
