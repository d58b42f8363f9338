// Streams, events, graphs, devices and host memory as lanewise._core has them; the classes that users see are
// in lanewise/gpu/_streams.py, _devices.py and _host_memory.py.
#pragma once
#include <optional>
#include <string>

#include "core.h"

namespace lanewise::python {

// "cpu", "cuda", "interpreter".
const char* target_name(runtime::Target target);
// Throws LaunchError if there is no such target; the default one for nullopt.
runtime::Target target_of(const std::optional<std::string>& name);
// None or the int 0.
bool is_default_stream(PyObject* object);
// A stream's handle: of None, 0, an integer, or an object with a `handle`. Throws LaunchTypeError or
// LaunchError that starts with `who`, also for a Stream of another target than `target`.
void* read_stream(const std::string& who, PyObject* object, runtime::Target target);

void register_device_objects(py::module_& module);

}  // namespace lanewise::python
