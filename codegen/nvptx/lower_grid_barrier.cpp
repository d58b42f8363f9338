// Grid barriers and inline PTX.
//
// A block comes to the barrier with its threads together; one of them adds to a counter in global memory, a
// hidden last parameter of the kernel, and waits until its top bit has turned: block 0 adds what is missing
// to the top bit after all others have added 1. So the counter needs no reset, and serves one launch after
// the other.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/common/target_limits.h"
#include "codegen/nvptx/lower.h"
#include "ir/inline_ptx.h"

namespace lanewise::codegen {

using llvm::BasicBlock;
using llvm::Value;

// Which thread speaks for the block, and a barrier: the first one that has not returned.
Value* FunctionLowering::is_first_thread() {
  auto reads = [&](llvm::Intrinsic::ID id) { return b_.CreateIntrinsic(id, llvm::ArrayRef<Value*>()); };
  Value* x = reads(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x);
  Value* y = reads(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y);
  Value* z = reads(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z);
  Value* width = reads(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x);
  Value* height = reads(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y);
  Value* thread = b_.CreateAdd(x, b_.CreateMul(width, b_.CreateAdd(y, b_.CreateMul(height, z))));
  auto any = [&](Value* condition) {
    return b_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_red_or_aligned_all, {},
                              {b_.getInt32(0), condition});
  };
  // Thread 0, nearly always. Else its number is found bit by bit, from the top.
  Value* is_zero = b_.CreateICmpEQ(thread, b_.getInt32(0));
  Value* has_zero = any(is_zero);
  BasicBlock *before = b_.GetInsertBlock(), *look = new_block("first"), *known = new_block("first_known");
  b_.CreateCondBr(has_zero, known, look);
  b_.SetInsertPoint(look);
  llvm::PHINode *bit = b_.CreatePHI(b_.getInt32Ty(), 2), *candidate = b_.CreatePHI(b_.getInt1Ty(), 2);
  bit->addIncoming(b_.getInt32(512), before);
  candidate->addIncoming(b_.getTrue(), before);
  Value* clear = b_.CreateICmpEQ(b_.CreateAnd(thread, bit), b_.getInt32(0));
  Value* some_clear = any(b_.CreateAnd(candidate, clear));
  Value* left = b_.CreateAnd(candidate, b_.CreateOr(clear, b_.CreateNot(some_clear)));
  Value* next = b_.CreateLShr(bit, 1);
  bit->addIncoming(next, look);
  candidate->addIncoming(left, look);
  llvm::BranchInst* back = b_.CreateCondBr(b_.CreateICmpEQ(next, b_.getInt32(0)), known, look);
  auto* rolled = llvm::MDNode::get(m_.context, llvm::MDString::get(m_.context, "llvm.loop.unroll.disable"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(m_.context, {nullptr, rolled});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
  b_.SetInsertPoint(known);
  llvm::PHINode* first = b_.CreatePHI(b_.getInt1Ty(), 2);
  first->addIncoming(is_zero, before);
  first->addIncoming(left, look);
  return first;
}

void FunctionLowering::lower_grid_barrier() {
  check_grid_barrier(f_, m_.target);
  Value* counter = hidden_argument(m_.hidden_count() - 1);
  auto reads = [&](llvm::Intrinsic::ID id) { return b_.CreateIntrinsic(id, llvm::ArrayRef<Value*>()); };
  BasicBlock *arrive = new_block("arrive"), *wait = new_block("wait"), *passed = new_block("passed"),
             *end = new_block("grid_barrier_end");
  b_.CreateCondBr(is_first_thread(), arrive, end);
  b_.SetInsertPoint(arrive);
  Value* blocks = b_.CreateMul(reads(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
                               b_.CreateMul(reads(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y),
                                            reads(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z)));
  Value* block = b_.CreateOr(reads(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
                             b_.CreateOr(reads(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y),
                                         reads(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z)));
  constexpr uint32_t kTop = 0x80000000u;
  Value* rest = b_.CreateSub(b_.getInt32(kTop + 1), blocks);
  Value* part = b_.CreateSelect(b_.CreateICmpEQ(block, b_.getInt32(0)), rest, b_.getInt32(1));
  auto device = sync_scope(ir::MemoryScope::Device);
  fence(ir::MemoryScope::Device, true);
  Value* old = b_.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, part, llvm::Align(4),
                                  llvm::AtomicOrdering::Monotonic, device);
  b_.CreateBr(wait);
  b_.SetInsertPoint(wait);
  llvm::LoadInst* now = b_.CreateAlignedLoad(b_.getInt32Ty(), counter, llvm::Align(4));
  now->setAtomic(llvm::AtomicOrdering::Monotonic, device);
  Value* turned = b_.CreateICmpSLT(b_.CreateXor(old, now), b_.getInt32(0));
  b_.CreateCondBr(turned, passed, wait);
  b_.SetInsertPoint(passed);
  fence(ir::MemoryScope::Device, true);
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
  b_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {b_.getInt32(0)});
}

// The user's text with LLVM's names for operands; values in registers of their width, arrays as 64-bit
// addresses in their own space.
void FunctionLowering::lower_inline_ptx(const ir::Op& op) {
  const ir::PtxText& ptx = m_.ir.ptx[static_cast<size_t>(std::get<int64_t>(op.immediate))];
  auto pieces = ir::split_ptx(ptx.text, op.results.size() + op.operands.size());
  check_inline_ptx(f_, ptx, m_.target);
  // Equal pure ones are merged, wherever they stand.
  std::string text = ptx.pure ? "" : m_.place_comment(op), constraints;
  for (const ir::PtxPiece& piece : std::get<std::vector<ir::PtxPiece>>(pieces)) {
    if (piece.value >= 0) text += "$" + std::to_string(piece.value);
    for (char c : piece.text) text += c == '$' ? "$$" : std::string(1, c);
  }
  auto letter = [&](ir::Type type) {
    if (type.is_float() && type.bits >= 32) return type.bits == 64 ? "d" : "f";
    return type.bits == 64 ? "l" : type.bits == 32 ? "r" : "h";
  };
  auto held = [&](ir::Type type) {
    return type.is_float() && type.bits >= 32 ? scalar_type(m_.context, type) : b_.getIntNTy(type.bits);
  };
  auto constrain = [&](const std::string& one) { constraints += (constraints.empty() ? "" : ",") + one; };
  llvm::SmallVector<llvm::Type*, 4> results, types;
  llvm::SmallVector<Value*, 8> operands;
  for (ir::ValueId v : op.results) {
    constrain("=" + std::string(letter(f_.type(v))));
    results.push_back(held(f_.type(v)));
  }
  for (ir::ValueId v : op.operands) {
    ir::Type type = f_.type(v);
    bool address = type.is_pointer();
    constrain(address ? "l" : letter(type));
    operands.push_back(address ? b_.CreatePtrToInt(value(v), b_.getInt64Ty())
                               : b_.CreateBitCast(value(v), held(type)));
    types.push_back(operands.back()->getType());
  }
  if (!ptx.pure) constrain("~{memory}");
  m_.require_ptx(ptx.version);
  llvm::Type* result = results.empty()       ? b_.getVoidTy()
                       : results.size() == 1 ? results[0]
                                             : llvm::StructType::get(m_.context, results);
  auto* code =
      llvm::InlineAsm::get(llvm::FunctionType::get(result, types, false), text, constraints, !ptx.pure);
  llvm::CallInst* call = b_.CreateCall(code, operands);
  call->setDoesNotThrow();
  if (!ptx.pure) call->setConvergent();  // it may be a barrier
  if (ptx.pure) call->setDoesNotAccessMemory();
  for (unsigned i = 0; i < op.results.size(); ++i) {
    Value* one = op.results.size() == 1 ? call : b_.CreateExtractValue(call, i);
    set_value(op.results[i], b_.CreateBitCast(one, m_.type(f_.type(op.results[i]))));
  }
}

}  // namespace lanewise::codegen
