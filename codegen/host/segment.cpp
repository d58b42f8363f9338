// Segments: a loop nest over the block's threads, x innermost, with the items as scalar code inside.
#include "codegen/host/kernel_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

void KernelEmitter::emit_segment(const Segment& segment) {
  clip_ = find_clip(segment);
  Value* ends[3] = {extent_[0], extent_[1], extent_[2]};
  for (const Bound& bound : clip_.bounds) {
    Value*& end = ends[static_cast<size_t>(bound.axis)];
    end = clipped_end(bound, end);
  }
  BasicBlock* after = new_block("threads.end");
  for (size_t i = 0; i < 3; ++i) {
    if (ends[i] == extent_[i]) continue;
    BasicBlock* some = new_block("threads");
    b_.CreateCondBr(b_.CreateICmpSGT(ends[i], b_.getInt64(0)), some, after);
    b_.SetInsertPoint(some);
  }

  BasicBlock* heads[3] = {new_block("x"), new_block("y"), new_block("z")};
  BasicBlock* latches[3] = {new_block("x.next"), new_block("y.next"), new_block("z.next")};
  llvm::PHINode* index[3];
  for (size_t i = 3; i-- > 0;) {
    BasicBlock* before = b_.GetInsertBlock();
    b_.CreateBr(heads[i]);
    b_.SetInsertPoint(heads[i]);
    index[i] = b_.CreatePHI(b_.getInt64Ty(), 2);
    index[i]->addIncoming(b_.getInt64(0), before);
  }
  Value* row = b_.CreateAdd(b_.CreateMul(index[2], extent_[1], "", true, true), index[1], "", true, true);
  thread_.emplace();
  thread_->linear = b_.CreateAdd(b_.CreateMul(row, extent_[0], "", true, true), index[0], "", true, true);
  for (size_t i = 0; i < 3; ++i)
    thread_->index[i] = b_.CreateTrunc(index[i], b_.getInt32Ty(), "", true, true);
  thread_->end = latches[0];

  std::vector<ValueId> defined;
  journal_ = &defined;
  if (segment.check) {
    llvm::LoadInst* limit =
        b_.CreateLoad(b_.getInt8Ty(), b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, thread_->linear));
    scopes_.mark_limit(limit);
    BasicBlock* active = new_block("active");
    b_.CreateCondBr(b_.CreateICmpUGT(limit, b_.getInt8(static_cast<uint8_t>(segment.level))), active,
                    thread_->end);
    b_.SetInsertPoint(active);
  }
  thread_->prologue = b_.GetInsertBlock();
  BasicBlock* work = new_block("work");
  b_.SetInsertPoint(work);
  for (const Item& item : segment.items) emit_item(item);
  if (!is_terminated()) b_.CreateBr(thread_->end);
  b_.SetInsertPoint(thread_->prologue);
  b_.CreateBr(work);

  for (size_t i = 0; i < 3; ++i) {
    b_.SetInsertPoint(latches[i]);
    Value* next = b_.CreateAdd(index[i], b_.getInt64(1), "", true, true);
    index[i]->addIncoming(next, latches[i]);
    b_.CreateCondBr(b_.CreateICmpSLT(next, ends[i]), heads[i], i < 2 ? latches[i + 1] : after);
  }
  b_.SetInsertPoint(after);
  journal_ = nullptr;
  for (ValueId v : defined) values_[v.index] = nullptr;
  thread_.reset();
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
  for (const Copy& c : copies) {
    bool kept = placement_.places[c.to.index].kind == Place::Kind::Slot;
    values.push_back(kept ? value(c.from) : nullptr);
  }
  for (size_t i = 0; i < copies.size(); ++i)
    if (values[i]) store_slot(placement_.places[copies[i].to.index].slot, values[i]);
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
