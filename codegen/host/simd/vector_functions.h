// The C library's elementary functions of vectors (libmvec), where this process has it.
#pragma once
#include <string>

namespace lanewise::codegen::host {

struct VectorFunction {
  std::string name;         // "_ZGVeN16v_sinf"
  void* address = nullptr;  // null: there is none
};
// `stem`: the double's name. `bits`: of an element, 32 or 64. `vector_bits`: of a whole vector.
VectorFunction vector_function(const std::string& stem, unsigned bits, unsigned vector_bits);
// The address of a name as above; null if it is none.
void* vector_function_address(const char* name);

}  // namespace lanewise::codegen::host
