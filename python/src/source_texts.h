// The texts of code made by exec and the like, which Python itself forgets: an audit hook on "compile" keeps
// the last ones whose file name is in angle brackets.
#pragma once
#include "core.h"

namespace lanewise::python {

void register_source_texts(py::module_& module);

}  // namespace lanewise::python
