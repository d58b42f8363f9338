// A repair of what LLVM's PTX selection gets wrong.
#pragma once
#include <llvm/IR/Module.h>

namespace lanewise::codegen {

// PTX's shl and shr take 32-bit counts and give 0 beyond the width, so LLVM 22 selects
//   select(count < width, x << count, 0)
// as the bare instruction, on the low half of a 64-bit count: x << 2**32 becomes x << 0. Run after all
// optimisation, this clamps such counts before they are cut: min(count, width), which keeps the instruction.
void widen_shift_guards(llvm::Module& module);

}  // namespace lanewise::codegen
