#include "codegen/nvptx/chain_conditions.h"

#include <llvm/IR/IRBuilder.h>

namespace lanewise::codegen {
namespace {

using llvm::BinaryOperator;

BinaryOperator* same_kind(const BinaryOperator& whole, llvm::Value* part) {
  auto* op = llvm::dyn_cast<BinaryOperator>(part);
  bool same =
      op && op->getOpcode() == whole.getOpcode() && op->hasOneUse() && op->getParent() == whole.getParent();
  return same ? op : nullptr;
}

bool is_condition(const BinaryOperator& op) {
  return op.getType()->isIntegerTy(1) &&
         (op.getOpcode() == llvm::Instruction::And || op.getOpcode() == llvm::Instruction::Or);
}

// Both halves are pairs: the right one is taken apart. Returns whether it was.
bool chain(BinaryOperator& whole) {
  BinaryOperator *left = same_kind(whole, whole.getOperand(0)),
                 *right = same_kind(whole, whole.getOperand(1));
  if (right && !left) {
    whole.swapOperands();
    return false;
  }
  if (!right) return false;
  llvm::IRBuilder<> b(&whole);
  llvm::Value* joined = b.CreateBinOp(whole.getOpcode(), left, right->getOperand(0));
  whole.setOperand(0, joined);
  whole.setOperand(1, right->getOperand(1));
  right->eraseFromParent();
  return true;
}

}  // namespace

void chain_conditions(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* op = llvm::dyn_cast<BinaryOperator>(&instruction); op && is_condition(*op))
          while (chain(*op)) {
          }
}

}  // namespace lanewise::codegen
