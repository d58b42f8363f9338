// What an object file has besides the kernel's code: one entry for all block shapes, and the sizes a caller
// must know (runtime/include/lanewise/object_file.h describes both).
#pragma once
#include <string>
#include <vector>

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/Module.h>

#include "codegen/codegen.h"

namespace lanewise::codegen::host {

// A kernel's code for a block shape, on its way into the module that has the code for all others.
struct ShapeCode {
  BlockShape shape;
  HostLayout layout;
  llvm::SmallString<0> bitcode;
};
llvm::SmallString<0> bitcode(const llvm::Module& module);
void link_shape(llvm::Module& module, const ShapeCode& code);
// Makes kEntryName the C function `name`, which runs the code for the launch's shape.
void add_entry(llvm::Module& module, const std::string& name, const std::vector<ShapeCode>& shapes);
void add_layout(llvm::Module& module, const std::string& name, const HostLayout& layout);

}  // namespace lanewise::codegen::host
