// NVIDIA's library of device math functions, as LLVM bitcode: where it is and how it gets into a module.
#pragma once
#include <llvm/IR/Module.h>

#include <string>

namespace lanewise::codegen {

// Links what `module` calls of it, as internal functions. `path` as in PtxTarget::libdevice.
// TargetError naming the wheel to install if there is none.
void link_libdevice(llvm::Module& module, const std::string& path);

}  // namespace lanewise::codegen
