// Atomics as the machine has them.
#pragma once
#include <llvm/IR/Instructions.h>

#include <optional>

#include "ir/function.h"

namespace lanewise::codegen::host {

llvm::AtomicOrdering llvm_order(const ir::Op& op);
// None: the machine has no such instruction.
std::optional<llvm::AtomicRMWInst::BinOp> machine_atomic(ir::OpKind kind, ir::Type type);

}  // namespace lanewise::codegen::host
