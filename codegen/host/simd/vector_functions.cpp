// libmvec is loaded when first asked for: glibc's for x86-64 since 2.22, most functions since 2.35. Its
// errors are below 4 units in the last place.
#include "codegen/host/simd/vector_functions.h"

#include <dlfcn.h>

#include <string_view>

namespace lanewise::codegen::host {
namespace {

void* library() {
#if defined(__x86_64__) && defined(__linux__)
  static void* const loaded = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  return loaded;
#else
  return nullptr;
#endif
}

}  // namespace

void* vector_function_address(const char* name) {
  return std::string_view(name).starts_with("_ZGV") && library() ? dlsym(library(), name) : nullptr;
}

VectorFunction vector_function(const std::string& stem, unsigned bits, unsigned vector_bits) {
  char machine = vector_bits == 512 ? 'e' : vector_bits == 256 ? 'd' : 'b';
  bool two = stem == "pow" || stem == "atan2" || stem == "hypot";
  VectorFunction function;
  function.name = std::string("_ZGV") + machine + "N" + std::to_string(vector_bits / bits) +
                  (two ? "vv_" : "v_") + stem + (bits == 32 ? "f" : "");
  bool too_far = stem == "erf" && bits == 32;  // errors of 4 units and more
  function.address = too_far ? nullptr : vector_function_address(function.name.c_str());
  return function;
}

}  // namespace lanewise::codegen::host
