// Which pointers are written through, so that the others can be `const`.
#pragma once
#include <vector>

#include "ir/function.h"

namespace lanewise::codegen::cuda_cpp {

// By function and value. A pointer that another one is made of is written if that one is.
std::vector<std::vector<bool>> written_pointers(const ir::Module& module);

}  // namespace lanewise::codegen::cuda_cpp
