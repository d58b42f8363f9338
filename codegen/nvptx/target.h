// Architectures and the PTX versions they need, and one LLVM TargetMachine per thread and target.
#pragma once
#include <llvm/Target/TargetMachine.h>

#include "codegen/codegen.h"

namespace lanewise::codegen {

// The lowest PTX version (10 * major + minor) that LLVM and the architecture allow; TargetError if `sm` is
// not one of ptx_architectures().
int minimum_ptx_version(int sm);
// The version to write for a target whose code needs at least `needed`; TargetError if the target asks for an
// older one, or for one that does not exist.
int choose_ptx_version(const PtxTarget& target, int needed);

// This thread's machine for the target. Belongs to the thread; keep no reference across compiles.
llvm::TargetMachine& ptx_target_machine(int sm, int ptx_version);
// Throws this thread's machines away: after an error thrown through LLVM they are in an unknown state.
void drop_ptx_target_machines();

}  // namespace lanewise::codegen
