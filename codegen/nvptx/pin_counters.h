// Keeps LLVM from turning array indices into pointers of their own.
#pragma once
#include <llvm/IR/Module.h>

namespace lanewise::codegen {

// Loop strength reduction gives each array of a loop a pointer that it moves every turn: two registers and a
// 64-bit addition, where a GPU computes the address from base and counter in one instruction. What hides a
// counter from it is an `expect`, which is no instruction at all. Run after all optimisation.
// Measured at sm_80: a histogram's loop 12 -> 10 registers, a sparse product 186 -> 157 instructions.
void pin_counters(llvm::Module& module);

}  // namespace lanewise::codegen
