#include "codegen/nvptx/pin_counters.h"

#include <llvm/ADT/SmallPtrSet.h>
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

// The arrays that are indexed by the counter, through arithmetic.
void collect_bases(llvm::Value* index, int depth, llvm::SmallPtrSetImpl<llvm::Value*>& bases) {
  for (llvm::User* user : index->users()) {
    if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      if (address->getPointerOperand() != index) bases.insert(address->getPointerOperand());
    } else if (depth > 0 && (llvm::isa<llvm::CastInst>(user) || llvm::isa<llvm::BinaryOperator>(user))) {
      collect_bases(user, depth - 1, bases);
    }
  }
}

// With many arrays moving one offset for all of them is better.
constexpr size_t kManyArrays = 3;

void pin(llvm::PHINode& phi) {
  llvm::SmallPtrSet<llvm::Value*, 8> bases;
  collect_bases(&phi, 3, bases);
  if (bases.size() >= kManyArrays) return;

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
