// Builtins written in the kernel language itself: the device functions of library/*.py, whose text is part of
// the binary. A library file is called after the module whose functions it has ("cmath.py" has cmath.sqrt);
// it is parsed when the first of them is used, once in a process.
#pragma once
#include <string_view>

#include "frontend/host_value.h"

namespace lanewise::frontend {

// The function of a canonical name such as "cmath.sqrt"; nullptr if no library has it. Names that begin with
// an underscore are the library's own helpers: found here, but not by kernels. The function's syntax tree has
// no ranges: there is no text that a user could be shown.
HostValue::Function library_function(std::string_view name);

// "cmath.sqrt", ... of all libraries, without those that begin with an underscore; and whether a name is one.
std::vector<std::string> library_names();
bool is_library_name(std::string_view name);

// Whether the function is one of these.
bool is_library_function(const FunctionRef& function);

}  // namespace lanewise::frontend
