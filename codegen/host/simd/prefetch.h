// Memory that the next blocks and turns read and write, fetched ahead of them.
//
// Strided loops (Node::stride) read a row in each turn, far from that of the turn before: see
// GangEmitter::bytes_to_coming_turn. Blocks whose rows along x are short (32x4, 8x8x4) go through memory in
// many short pieces far apart, and the next block goes on where each of them ends. The processor finds no
// such streams by itself. Accesses are marked while they are emitted; the fetches are put in after LLVM's
// passes, so that those see no calls between accesses and what they merged is fetched once.
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

namespace lanewise::codegen::host {

// Marks a load or store of a vector: what lies `bytes` after its elements is wanted soon.
void mark_wanted_ahead(llvm::Instruction& access, int64_t bytes);

void insert_prefetches(llvm::Function& function);

}  // namespace lanewise::codegen::host
