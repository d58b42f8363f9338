// Loops over the limits of all threads of the block, sixteen at a time. The array is rounded up to 64
// threads; the limits of threads that do not exist are 0, as if they had returned.
#include "codegen/host/kernel_emitter.h"
#include "ir/ir.h"

namespace lanewise::codegen::host {

using llvm::BasicBlock;
using llvm::Value;

namespace {
constexpr unsigned kLimits = 16;
}

// for (at = 0; at < rounded; at += 16) body(vector, address), with the builder in the block after it at the
// end.
template <class Body>
static void for_limits(llvm::IRBuilder<>& b, llvm::Function* fn, Value* limits, Value* rounded, Body body) {
  llvm::Type* vector = llvm::FixedVectorType::get(b.getInt8Ty(), kLimits);
  BasicBlock* before = b.GetInsertBlock();
  BasicBlock* loop = BasicBlock::Create(b.getContext(), "limits", fn);
  BasicBlock* end = BasicBlock::Create(b.getContext(), "limits.end", fn);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* at = b.CreatePHI(b.getInt64Ty(), 2);
  at->addIncoming(b.getInt64(0), before);
  Value* address = b.CreateInBoundsGEP(b.getInt8Ty(), limits, at);
  llvm::LoadInst* loaded = b.CreateAlignedLoad(vector, address, llvm::Align(kLimits));
  body(loaded, address, before, loop);
  Value* next = b.CreateAdd(at, b.getInt64(kLimits), "", true, true);
  at->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, rounded), loop, end);
  b.SetInsertPoint(end);
}

static Value* any(llvm::IRBuilder<>& b, Value* mask) {
  return b.CreateICmpNE(b.CreateBitCast(mask, b.getIntNTy(kLimits)), b.getIntN(kLimits, 0));
}

static Value* splat(llvm::IRBuilder<>& b, int level) {
  return b.CreateVectorSplat(kLimits, b.getInt8(static_cast<uint8_t>(level)));
}

// from <= limit <= to
static Value* between(llvm::IRBuilder<>& b, Value* limits, int from, int to) {
  return b.CreateICmpULE(b.CreateSub(limits, splat(b, from)), splat(b, to - from));
}

void KernelEmitter::init_limits() {
  b_.CreateMemSet(limits_, b_.getInt8(kActive), threads_, llvm::Align(64));
  Value* rest = b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, threads_);
  b_.CreateMemSet(rest, b_.getInt8(0), b_.CreateSub(threads_rounded_, threads_), llvm::Align(1));
  if (left_behind_) b_.CreateStore(b_.getInt64(0), left_behind_);
}

void KernelEmitter::branch_if_active(int level, BasicBlock* yes, BasicBlock* no) {
  for_limits(b_, fn_, limits_, threads_rounded_,
             [&](llvm::LoadInst* limits, Value*, BasicBlock*, BasicBlock*) {
               scopes_.mark_limit(limits);
               BasicBlock* none = new_block("none");
               b_.CreateCondBr(any(b_, b_.CreateICmpUGT(limits, splat(b_, level))), yes, none);
               b_.SetInsertPoint(none);
             });
  b_.CreateBr(no);
}

// If no thread is active here, the block goes on at the end of the region. Otherwise those that are missing
// are marked as left behind; nobody who was may be here.
void KernelEmitter::check_barrier(const Node& node) {
  if (plan_.barriers.empty()) return;
  check_left_behind(node);
  if (!node.check) return;
  errors_.push_back({kDivergentBarrier, f_.ops[node.op].range});
  llvm::Type* mask = llvm::FixedVectorType::get(b_.getInt1Ty(), kLimits);
  llvm::PHINode *active = nullptr, *missing = nullptr;
  Value *all_active = nullptr, *all_missing = nullptr;
  auto look = [&](llvm::LoadInst* limits, Value*, BasicBlock* before, BasicBlock* loop) {
    scopes_.mark_limit(limits);
    llvm::IRBuilder<> head(loop, loop->begin());
    active = head.CreatePHI(mask, 2), missing = head.CreatePHI(mask, 2);
    active->addIncoming(llvm::Constant::getNullValue(mask), before);
    missing->addIncoming(llvm::Constant::getNullValue(mask), before);
    all_active = b_.CreateOr(active, b_.CreateICmpUGT(limits, splat(b_, node.level)));
    all_missing = b_.CreateOr(missing, between(b_, limits, node.free_level + 1, node.level));
    active->addIncoming(all_active, loop);
    missing->addIncoming(all_missing, loop);
  };
  for_limits(b_, fn_, limits_, threads_rounded_, look);
  BasicBlock *some = new_block("arrived"), *nobody = new_block("nobody"), *behind = new_block("left.behind");
  BasicBlock* after = new_block("barrier.end");
  b_.CreateCondBr(any(b_, all_active), some, nobody);
  b_.SetInsertPoint(some);
  b_.CreateCondBr(any(b_, all_missing), behind, after);
  b_.SetInsertPoint(behind);
  mark_left_behind(node, errors_.size());
  b_.CreateBr(after);
  b_.SetInsertPoint(nobody);
  emit_fall(tree_.parent(node.op));
  b_.SetInsertPoint(after);
}

// The runtime puts the block aside until all others are here.
void KernelEmitter::emit_grid_barrier(const Node& node) {
  static_assert(offsetof(HostLaunch, grid_barrier) == 56 && offsetof(HostLaunch, grid_context) == 64);
  errors_.push_back({std::string(ir::kDivergentGridBarrier), f_.ops[node.op].range});
  llvm::Type *pointer = b_.getPtrTy(), *i64 = b_.getInt64Ty();
  Value *function = launch_field(pointer, 56, 0, 0), *context = launch_field(pointer, 64, 0, 0);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, i64, i64}, false);
  b_.CreateCall(type, function, {context, block_number_, b_.getInt64(errors_.size())});
}

// One variable says whether any thread of the block was left behind, and at which barrier first.
void KernelEmitter::mark_left_behind(const Node& node, size_t error) {
  BasicBlock *first = new_block("first"), *mark = new_block("mark");
  llvm::Type* i64 = b_.getInt64Ty();
  b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateLoad(i64, left_behind_), b_.getInt64(0)), first, mark);
  b_.SetInsertPoint(first);
  b_.CreateMemSet(behind_, b_.getInt8(0), threads_rounded_, llvm::Align(64));
  b_.CreateStore(b_.getInt64(error), left_behind_);
  b_.CreateBr(mark);
  b_.SetInsertPoint(mark);
  llvm::Type* vector = llvm::FixedVectorType::get(b_.getInt8Ty(), kLimits);
  for_limits(b_, fn_, limits_, threads_rounded_,
             [&](llvm::LoadInst* limits, Value* at, BasicBlock*, BasicBlock*) {
               scopes_.mark_limit(limits);
               Value* address = behind_of(at);
               Value* known = b_.CreateAlignedLoad(vector, address, llvm::Align(kLimits));
               Value* missing = b_.CreateSExt(between(b_, limits, node.free_level + 1, node.level), vector);
               b_.CreateAlignedStore(b_.CreateOr(known, missing), address, llvm::Align(kLimits));
             });
}

void KernelEmitter::check_left_behind(const Node& node) {
  BasicBlock *look = new_block("look"), *diverged = new_block("diverged"), *after = new_block("together");
  Value* error = b_.CreateLoad(b_.getInt64Ty(), left_behind_);
  b_.CreateCondBr(b_.CreateICmpNE(error, b_.getInt64(0)), look, after);
  b_.SetInsertPoint(look);
  llvm::Type* vector = llvm::FixedVectorType::get(b_.getInt8Ty(), kLimits);
  for_limits(
      b_, fn_, limits_, threads_rounded_, [&](llvm::LoadInst* limits, Value* at, BasicBlock*, BasicBlock*) {
        scopes_.mark_limit(limits);
        Value* behind = b_.CreateAlignedLoad(vector, behind_of(at), llvm::Align(kLimits));
        Value* active = b_.CreateICmpUGT(limits, splat(b_, node.level));
        BasicBlock* none = new_block("none");
        b_.CreateCondBr(any(b_, b_.CreateAnd(active, b_.CreateICmpNE(behind, splat(b_, 0)))), diverged, none);
        b_.SetInsertPoint(none);
      });
  b_.CreateBr(after);
  b_.SetInsertPoint(diverged);
  b_.CreateRet(error);
  b_.SetInsertPoint(after);
}

// The marks of the threads whose limits are at an address.
Value* KernelEmitter::behind_of(Value* limits_address) {
  Value* offset = b_.CreatePtrDiff(b_.getInt8Ty(), limits_address, limits_);
  return b_.CreateInBoundsGEP(b_.getInt8Ty(), behind_, offset);
}

// Threads with a limit in the range are active again.
void KernelEmitter::reset_limits(int from, int to) {
  if (!plan_.uses_limits) return;  // nobody has looked at one
  for_limits(b_, fn_, limits_, threads_rounded_,
             [&](llvm::LoadInst* limits, Value* address, BasicBlock*, BasicBlock*) {
               scopes_.mark_limit(limits);
               Value* reset = b_.CreateSelect(between(b_, limits, from, to), splat(b_, kActive), limits);
               scopes_.mark_limit(b_.CreateAlignedStore(reset, address, llvm::Align(kLimits)));
             });
}

}  // namespace lanewise::codegen::host
