// What LLVM says of itself and of this machine.
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/TargetParser/Host.h>

#include "codegen/codegen.h"

namespace lanewise::codegen {

std::string llvm_version() { return LLVM_VERSION_STRING; }

std::string host_cpu_name() { return llvm::sys::getHostCPUName().str(); }

std::string host_cpu_features() {
  std::string features;
  for (const auto& [name, on] : llvm::sys::getHostCPUFeatures()) {
    if (!features.empty()) features += ",";
    features += (on ? "+" : "-") + name.str();
  }
  return features;
}

}  // namespace lanewise::codegen
