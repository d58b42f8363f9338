// numpy.iinfo and numpy.finfo of a type.
#pragma once
#include <optional>
#include <string>

#include "frontend/host_value.h"

namespace lanewise::frontend {

// `name` is "numpy.iinfo" or "numpy.finfo"; nullopt if the type is not of that kind. A Namespace: its
// attributes are the limits.
std::optional<HostValue> type_limits(const std::string& name, ir::Type type);

}  // namespace lanewise::frontend
