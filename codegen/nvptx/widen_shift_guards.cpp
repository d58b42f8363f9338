#include "codegen/nvptx/widen_shift_guards.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

namespace lanewise::codegen {
namespace {

using llvm::Value;

// The count before it was cut to 32 bits, if bits may be lost on the way; else null.
Value* wide_count(Value* count) {
  if (auto* cut = llvm::dyn_cast<llvm::TruncInst>(count)) {
    if (cut->hasNoUnsignedWrap()) return nullptr;
    count = cut->getOperand(0);
  }
  if (count->getType()->getIntegerBitWidth() <= 32 || llvm::isa<llvm::Constant>(count)) return nullptr;
  if (auto* extended = llvm::dyn_cast<llvm::ZExtInst>(count);
      extended && extended->getSrcTy()->getIntegerBitWidth() <= 32)
    return nullptr;
  return count;
}

bool guards(const llvm::SelectInst& select, const llvm::Instruction* shift) {
  using llvm::PatternMatch::m_Zero;
  return (select.getTrueValue() == shift && match(select.getFalseValue(), m_Zero())) ||
         (select.getFalseValue() == shift && match(select.getTrueValue(), m_Zero()));
}

void repair(llvm::Instruction* shift, llvm::SelectInst* select) {
  Value* wide = wide_count(shift->getOperand(1));
  if (!wide) return;
  llvm::Type* type = shift->getType();
  unsigned width = type->getIntegerBitWidth();
  llvm::IRBuilder<> b(shift);
  Value* limit = llvm::ConstantInt::get(wide->getType(), width);
  Value* clamped = b.CreateTrunc(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, wide, limit), b.getInt32Ty());
  shift->setOperand(1, b.CreateZExtOrTrunc(clamped, type));
  // The same test on the clamped count is what the instruction does by itself.
  using namespace llvm::PatternMatch;
  if (match(select->getCondition(),
            m_SpecificICmp(llvm::CmpInst::ICMP_ULT, m_Specific(wide), m_SpecificInt(width)))) {
    b.SetInsertPoint(select);
    select->setCondition(b.CreateICmpULT(clamped, b.getInt32(width)));
  }
}

}  // namespace

void widen_shift_guards(llvm::Module& module) {
  std::vector<std::pair<llvm::Instruction*, llvm::SelectInst*>> found;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& shift : block) {
        if (shift.getOpcode() != llvm::Instruction::Shl && shift.getOpcode() != llvm::Instruction::LShr)
          continue;
        if (!shift.getType()->isIntegerTy()) continue;
        for (llvm::User* user : shift.users())
          if (auto* select = llvm::dyn_cast<llvm::SelectInst>(user); select && guards(*select, &shift))
            found.emplace_back(&shift, select);
      }
  for (auto [shift, select] : found) repair(shift, select);
}

}  // namespace lanewise::codegen
