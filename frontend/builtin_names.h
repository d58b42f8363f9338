// What the attributes of the modules that the language knows mean: one answer for kernel files, Python's
// captures and inference.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/host_value.h"

namespace lanewise::frontend {

// The attribute `name` of the builtin whose canonical name is `module`: ("numpy", "float32") is a DType,
// ("math", "pi") a float, ("gpu", "shared") and ("gpu.shared", "array") are Builtins. nullopt if the language
// has none. Besides the canonical prefixes, "lanewise", "numba" and their submodules lead to "gpu".
std::optional<HostValue> builtin_module_attribute(const std::string& module, const std::string& name);
// The names for which the above answers, for "did you mean".
std::vector<std::string> builtin_module_names(const std::string& module);
// The module an import statement names: "numpy", "lanewise.gpu"; nullopt if it is not one of the language's.
std::optional<HostValue> builtin_module(const std::string& dotted_name);

// "float32", "f4", "uint8", "intp", "boolean", "complex64": the types' names in Numba and NumPy alike.
std::optional<ElementType> type_of_name(std::string_view name);
// "float32x4", and CUDA's "float4": of Numba's vocabulary only.
std::optional<ElementType> vector_type_of_name(std::string_view name);
std::vector<std::string> type_names();

}  // namespace lanewise::frontend
