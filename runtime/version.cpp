#include "runtime/runtime.h"

namespace lanewise::runtime {

std::string version() { return LANEWISE_VERSION; }

}  // namespace lanewise::runtime
