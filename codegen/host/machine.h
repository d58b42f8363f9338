// LLVM's description of the CPU that code is made for, and what its passes and code generator do with a
// module.
#pragma once
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "codegen/codegen.h"
#include "codegen/host/simd/divider_costs.h"

namespace lanewise::codegen::host {

// The calling thread's TargetMachine for a target; made once, and again after forget_machines().
llvm::TargetMachine& machine_for(const HostTarget& target);
// After LLVM threw from inside: its machines may be in the middle of something.
void forget_machines();
// Which of the machine's instructions that code may be made of this process's CPU lacks: "avx512fp16, gfni".
std::string missing_instructions(const llvm::TargetMachine& machine);
// 512, 256 or 128: the widest vectors that the machine has instructions for.
unsigned vector_bits(const llvm::TargetMachine& machine);
// Whether it has an instruction that compares and exchanges 16 bytes.
bool exchanges_128(const llvm::TargetMachine& machine);
// Whether it reads elements that lie apart by a quick instruction.
bool has_gathers(const llvm::TargetMachine& machine);
// What the machine's divisions and roots cost.
const DividerCosts& divider_costs_of(const llvm::TargetMachine& machine);

// A short pipeline; no vectoriser, by design. `gangs`: for code that is vectors already, a still shorter one.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool gangs);
// Object code or assembly text.
llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                    llvm::CodeGenFileType type);

}  // namespace lanewise::codegen::host
