// What to write instead of what Python or NumPy has and kernels have not.
#pragma once
#include <string>

namespace lanewise::frontend::inference {

// For a function under its full name, "numpy.sort"; empty where there is nothing to say.
std::string hint_instead_of(const std::string& function);
// How to import what an undefined name usually means, "np"; empty for other names.
std::string hint_to_import(const std::string& name);

}  // namespace lanewise::frontend::inference
