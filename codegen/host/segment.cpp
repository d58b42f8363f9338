// Segments: a loop nest over the block's threads, x innermost, with the items as scalar code inside.
#include <llvm/IR/IntrinsicInst.h>

#include "codegen/host/kernel_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

// The loops over a segment's threads, without what they do; the builder is left in the innermost.
KernelEmitter::ThreadLoops KernelEmitter::begin_threads(const Segment& segment) {
  clip_ = find_clip(segment);
  ThreadLoops loops;
  for (size_t i = 0; i < 3; ++i) loops.extents[i] = {b_.getInt64(0), extent_[i], false};
  for (const Stride& stride : strides_) {
    Extent& extent = loops.extents[static_cast<size_t>(stride.axis)];
    extent.end = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, extent.end, stride.end);
    extent.may_be_empty = true;
  }
  for (const Bound& bound : clip_.bounds) narrow(loops.extents[static_cast<size_t>(bound.index.axis)], bound);
  loops.after = new_block("threads.end");
  for (const Extent& extent : loops.extents) {
    if (!extent.may_be_empty) continue;
    BasicBlock* some = new_block("threads");
    b_.CreateCondBr(b_.CreateICmpSLT(extent.begin, extent.end), some, loops.after);
    b_.SetInsertPoint(some);
  }
  if (uses_rows_only_) {  // y and z are one loop over the block's rows
    loops.depth = 2;
    loops.extents[1].end = b_.CreateMul(extent_[1], extent_[2], "", true, true);
  }
  constexpr const char* kNames[] = {"x", "y", "z"};
  Value* row = nullptr;
  thread_.emplace();
  for (size_t i = loops.depth; i-- > 0;) {
    BasicBlock* before = b_.GetInsertBlock();
    loops.heads[i] = new_block(kNames[i]), loops.latches[i] = new_block("next");
    b_.CreateBr(loops.heads[i]);
    b_.SetInsertPoint(loops.heads[i]);
    llvm::PHINode* index = loops.index[i] = b_.CreatePHI(b_.getInt64Ty(), 2);
    index->addIncoming(loops.extents[i].begin, before);
    row = row ? b_.CreateAdd(b_.CreateMul(row, extent_[i], "", true, true), index, "", true, true) : index;
    thread_->wide_index[i] = index;
    if (!uses_rows_only_ || i == 0)
      thread_->index[i] = b_.CreateTrunc(index, b_.getInt32Ty(), "", true, true);
  }
  thread_->linear = row;
  Value* record =
      b_.CreateMul(row, b_.getInt64(static_cast<uint64_t>(placement_.record_bytes)), "", true, true);
  thread_->record = b_.CreateInBoundsGEP(b_.getInt8Ty(), context_base_, record);
  thread_->end = loops.latches[0];
  return loops;
}

void KernelEmitter::end_threads(const ThreadLoops& loops) {
  uint32_t times = last_unroll_ = unroll_times(loops.heads[0]);
  for (size_t i = 0; i < loops.depth; ++i) {
    b_.SetInsertPoint(loops.latches[i]);
    Value* next = b_.CreateAdd(loops.index[i], b_.getInt64(1), "", true, true);
    loops.index[i]->addIncoming(next, loops.latches[i]);
    llvm::BranchInst* branch = b_.CreateCondBr(b_.CreateICmpSLT(next, loops.extents[i].end), loops.heads[i],
                                               i + 1 < loops.depth ? loops.latches[i + 1] : loops.after);
    mark_loop(branch, i == 0 ? times : 0);
    if (i == 0) last_thread_loop_ = branch;
  }
  b_.SetInsertPoint(loops.after);
  thread_.reset();
}

void KernelEmitter::emit_segment(const Segment& segment) {
  if (!does_something(segment)) return;
  ThreadLoops loops = begin_threads(segment);
  std::vector<ValueId> defined;
  journal_ = &defined;
  if (segment.check) {
    Value* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, thread_->linear);
    llvm::LoadInst* limit = b_.CreateLoad(b_.getInt8Ty(), address);
    scopes_.mark_limit(limit);
    BasicBlock* active = new_block("active");
    Value* is_active = b_.CreateICmpUGT(limit, b_.getInt8(static_cast<uint8_t>(segment.level)));
    b_.CreateCondBr(is_active, active, thread_->end);
    b_.SetInsertPoint(active);
  }
  thread_->prologue = b_.GetInsertBlock();
  BasicBlock* work = new_block("work");
  b_.SetInsertPoint(work);
  for (const Item& item : segment.items) emit_item(item);
  if (!is_terminated()) b_.CreateBr(thread_->end);
  b_.SetInsertPoint(thread_->prologue);
  b_.CreateBr(work);
  end_threads(loops);
  journal_ = nullptr;
  for (ValueId v : defined) values_[v.index] = nullptr;
}

// How often to unroll the loop around a segment's code, which begins at `head` and has just been made. Where
// that is a few instructions in a row, the loop costs as much as they do; else 0.
uint32_t KernelEmitter::unroll_times(BasicBlock* head) {
  constexpr size_t kTiny = 16, kShort = 24;  // before LLVM's passes, which leave about half
  size_t count = 0;
  for (auto block = head->getIterator(); block != fn_->end(); ++block) {
    for (const llvm::Instruction& instruction : *block) {
      if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return 0;
      const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      if (branch && branch->isConditional() && !llvm::isa<llvm::Constant>(branch->getCondition())) return 0;
      if (++count > kShort) return 0;
    }
  }
  return count <= kTiny ? 8 : 4;
}

// Loop metadata: unroll `times`, or never (loops around thread loops: code would only be repeated).
void KernelEmitter::mark_loop(llvm::BranchInst* back_edge, uint32_t times) {
  llvm::LLVMContext& c = m_.context;
  llvm::MDNode* wish = llvm::MDNode::get(c, {llvm::MDString::get(c, "llvm.loop.unroll.disable")});
  if (times > 0) {
    auto* count = llvm::ConstantAsMetadata::get(b_.getInt32(times));
    wish = llvm::MDNode::get(c, {llvm::MDString::get(c, "llvm.loop.unroll.count"), count});
  }
  llvm::MDNode* loop = llvm::MDNode::getDistinct(c, {nullptr, wish});
  loop->replaceOperandWith(0, loop);
  back_edge->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void KernelEmitter::emit_item(const Item& item) {
  switch (item.kind) {
    case Item::Kind::Op:
      if (clip_.guard.valid() && item.op == clip_.guard)
        emit_guarded(clip_);
      else
        emit_op(item.op);
      for (ValueId v : f_.ops[item.op].results) keep(v);
      return;
    case Item::Kind::Copies: return copy(item.exit.copies);
    case Item::Kind::Split: return emit_split(item);
    case Item::Kind::Resplit: {
      Value* taken = value(f_.ops[item.op].operands[0]);
      Value* limit =
          b_.CreateSelect(taken, b_.getInt8(static_cast<uint8_t>(item.exit.level)), b_.getInt8(kActive));
      scopes_.mark_limit(
          b_.CreateStore(limit, b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, thread_->linear)));
      return;
    }
    case Item::Kind::ForInit: return emit_for_init(item);
    case Item::Kind::ForTurn: return emit_for_turn(item);
    case Item::Kind::StrideTurn: {
      const Stride& stride = strides_.back();
      Value* index = thread_->wide_index[static_cast<size_t>(stride.axis)];
      ValueId counter = f_.regions[f_.ops[item.op].regions[0]].params[0];
      set(counter, b_.CreateAdd(index, stride.base, "", false, true));
      keep(counter);
      return;
    }
    case Item::Kind::WhileTest: {
      const ir::Op& op = f_.ops[item.op];
      const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
      BasicBlock *goes_on = new_block("goes.on"), *ends = new_block("ends");
      b_.CreateCondBr(value(test.operands[0]), goes_on, ends);
      b_.SetInsertPoint(ends);
      exit_thread(item.exit);
      b_.SetInsertPoint(goes_on);
      return;
    }
    case Item::Kind::Exit: return exit_thread(item.exit);
    case Item::Kind::Give: return give(item.op);
    case Item::Kind::Take: return take(item.op);
  }
}

// A value that another segment uses.
void KernelEmitter::keep(ValueId v) {
  const Place& place = placement_.places[v.index];
  if (place.kind == Place::Kind::Slot) store_slot(place.slot, value(v));
}

// All values are read before the first is written: a loop's turn may swap them.
void KernelEmitter::copy(const std::vector<Copy>& copies) {
  llvm::SmallVector<Value*, 8> values;
  for (const Copy& c : copies) values.push_back(is_needed(c) ? value(c.from) : nullptr);
  for (size_t i = 0; i < copies.size(); ++i)
    if (values[i]) store_slot(placement_.places[copies[i].to.index].slot, values[i]);
}

// Not if nobody reads the copy, or if both have the same slot.
bool KernelEmitter::is_needed(const Copy& copy) const {
  const Place &to = placement_.places[copy.to.index],
              &from = placement_.places[plan_.resolve(copy.from).index];
  return to.kind == Place::Kind::Slot && (from.kind != Place::Kind::Slot || from.slot != to.slot);
}

bool KernelEmitter::does_something(const Segment& segment) const {
  for (const Item& item : segment.items) {
    if (item.kind != Item::Kind::Copies) return true;
    for (const Copy& c : item.exit.copies)
      if (is_needed(c)) return true;
  }
  return false;
}

void KernelEmitter::exit_thread(const Exit& exit) {
  copy(exit.copies);
  set_limit(exit.level);
  b_.CreateBr(thread_->end);
}

void KernelEmitter::leave(ir::OpId terminator) { exit_thread(plan_.exits.at(terminator)); }

void KernelEmitter::emit_split(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  Value* condition = value(op.operands[0]);
  BasicBlock *takes = new_block("takes.arm"), *other = new_block("takes.other");
  // Into the arm that is run first at block level: `then`, unless that is the one without a barrier.
  bool then_first = item.arm != 0;
  b_.CreateCondBr(condition, then_first ? takes : other, then_first ? other : takes);
  b_.SetInsertPoint(other);
  if (item.arm >= 0)
    emit_region(op.regions[static_cast<size_t>(item.arm)], nullptr);  // its yield is an exit
  else
    exit_thread({item.exit.level, {}});
  b_.SetInsertPoint(takes);
}

// The thread's own distance to the end of a range (0: no turn) and its counter; see
// FunctionEmitter::emit_for.
void KernelEmitter::emit_for_init(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  bool is_signed = f_.type(op.operands[0]).is_signed();
  Value *lo = value(op.operands[0]), *hi = value(op.operands[1]), *step = value(op.operands[2]);
  Value* zero = llvm::ConstantInt::get(lo->getType(), 0);
  auto less = [&](Value* a, Value* b) { return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b); };
  Value* up = is_signed ? b_.CreateICmpSGT(step, zero) : b_.CreateICmpNE(step, zero);
  Value* down = is_signed ? b_.CreateICmpSLT(step, zero) : b_.getFalse();
  Value* enters = b_.CreateOr(b_.CreateAnd(up, less(lo, hi)), b_.CreateAnd(down, less(hi, lo)));
  Value* distance = b_.CreateSelect(up, b_.CreateSub(hi, lo), b_.CreateSub(lo, hi));
  auto [distance_slot, counter_slot] = placement_.loop_slots.at(item.op);
  store_slot(distance_slot, b_.CreateSelect(enters, distance, zero));
  store_slot(counter_slot, lo);
}

void KernelEmitter::emit_for_turn(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  ValueId counter = f_.regions[op.regions[0]].params[0];
  auto [distance_slot, counter_slot] = placement_.loop_slots.at(item.op);
  Value* distance = load_slot(distance_slot);
  Value* zero = llvm::ConstantInt::get(distance->getType(), 0);
  BasicBlock *turn = new_block("turn"), *ends = new_block("ends");
  b_.CreateCondBr(b_.CreateICmpNE(distance, zero), turn, ends);
  b_.SetInsertPoint(ends);
  exit_thread(item.exit);
  b_.SetInsertPoint(turn);
  Value* step = value(op.operands[2]);
  bool is_signed = f_.type(op.operands[0]).is_signed();
  Value* up = is_signed ? b_.CreateICmpSGT(step, zero) : b_.getTrue();
  Value* stride = b_.CreateSelect(up, step, b_.CreateNeg(step));
  Value* further = b_.CreateICmpUGT(distance, stride);
  store_slot(distance_slot, b_.CreateSelect(further, b_.CreateSub(distance, stride), zero));
  if (is_uniform(counter)) return;
  Value* now = load_slot(counter_slot);
  store_slot(counter_slot, b_.CreateAdd(now, step));
  set(counter, now);
  keep(counter);
}

}  // namespace lanewise::codegen::host
