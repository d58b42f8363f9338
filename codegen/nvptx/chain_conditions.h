// The form of conditions that ptxas makes the fewest instructions of.
#pragma once
#include <llvm/IR/Module.h>

namespace lanewise::codegen {

// (a and b) and (c and d) becomes ((a and b) and c) and d, and so for `or`: a comparison can take in one
// condition, two halves need an instruction of their own to meet. Run after all optimisation.
void chain_conditions(llvm::Module& module);

}  // namespace lanewise::codegen
