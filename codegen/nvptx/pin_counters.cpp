#include "codegen/nvptx/pin_counters.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <vector>

namespace lanewise::codegen {
namespace {

// Whether the phi is that of a loop: one of its values is computed after it.
bool is_carried(const llvm::PHINode& phi, const llvm::DominatorTree& tree) {
  for (const llvm::BasicBlock* from : phi.blocks())
    if (tree.dominates(phi.getParent(), from)) return true;
  return false;
}

// The next turn's counter and what is asked of it stay visible.
bool keeps_count(const llvm::User* user, const llvm::PHINode& phi) {
  if (llvm::isa<llvm::ICmpInst>(user) || llvm::isa<llvm::PHINode>(user)) return true;
  for (const llvm::Value* next : phi.incoming_values())
    if (next == user) return true;
  return false;
}

void pin(llvm::PHINode& phi) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : phi.uses())
    if (!keeps_count(use.getUser(), phi)) uses.push_back(&use);
  if (uses.empty()) return;
  llvm::IRBuilder<> b(phi.getParent(), phi.getParent()->getFirstInsertionPt());
  llvm::Value* pinned =
      b.CreateBinaryIntrinsic(llvm::Intrinsic::expect, &phi, llvm::Constant::getNullValue(phi.getType()));
  for (llvm::Use* use : uses) use->set(pinned);
}

}  // namespace

void pin_counters(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DominatorTree tree(function);
    std::vector<llvm::PHINode*> phis;
    for (llvm::BasicBlock& block : function)
      for (llvm::PHINode& phi : block.phis())
        if ((phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64)) && is_carried(phi, tree))
          phis.push_back(&phi);
    for (llvm::PHINode* phi : phis) pin(*phi);
  }
}

}  // namespace lanewise::codegen
