// The function around the segments: launch and parameters, the loop over blocks, values and memory of a
// thread.
#include "codegen/host/kernel_emitter.h"

#include <llvm/IR/MDBuilder.h>

#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"
#include "ir/launch_limits.h"
#include "ir/warp_ops.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::Value;

KernelEmitter::KernelEmitter(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function,
                             const PlanOptions& options)
    : FunctionEmitter(module, kernel),
      options_(options),
      plan_(make_plan(kernel, options)),
      placement_(place_values(kernel, plan_, options.gangs ? ir::kWarpSize : 1)),
      index_math_(
          f_, tree_, [this](ir::ValueId v) { return plan_.resolve(v); },
          [this](ir::ValueId v) { return is_uniform(v); }),
      scopes_(module.context, placement_.slots.size()) {
  fn_ = llvm_function;
  for (const ir::Op& op : kernel.ops)
    if (op.kind == OpKind::ThreadIdY || op.kind == OpKind::ThreadIdZ || op.kind == OpKind::Call)
      uses_rows_only_ = false;
}

EmittedKernel KernelEmitter::run() {
  emit_entry();
  emit_block_loop();
  EmittedKernel result;
  result.layout.shared_bytes = placement_.shared_bytes;
  result.layout.context_bytes_per_thread = placement_.context_bytes;
  result.errors = std::move(errors_);
  return result;
}

// A field of HostLaunch, between two bounds.
Value* KernelEmitter::launch_field(llvm::Type* type, int64_t offset, int64_t least, int64_t most) {
  Value* address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), launch_, static_cast<uint64_t>(offset));
  llvm::LoadInst* field = b_.CreateLoad(type, address);
  field->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(m_.context, {}));
  if (type->isIntegerTy()) {
    unsigned bits = type->getIntegerBitWidth();
    llvm::APInt low(bits, static_cast<uint64_t>(least)), high(bits, static_cast<uint64_t>(most) + 1);
    field->setMetadata(llvm::LLVMContext::MD_range, llvm::MDBuilder(m_.context).createRange(low, high));
  }
  return field;
}

void KernelEmitter::emit_entry() {
  static_assert(offsetof(HostLaunch, grid) == 8 && offsetof(HostLaunch, block) == 20 &&
                offsetof(HostLaunch, dynamic_shared_bytes) == 32);
  entry_ = new_block("entry");
  b_.SetInsertPoint(entry_);
  launch_ = fn_->getArg(0), arena_ = fn_->getArg(1);
  llvm::Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
  for (int i = 0; i < 3; ++i) {
    block_.grid_dim[i] = launch_field(i32, 8 + 4 * i, 1, ir::kMaxGridDim[static_cast<size_t>(i)]);
    block_.block_dim[i] = options_.gangs
                              ? b_.getInt32(static_cast<uint32_t>(options_.block[static_cast<size_t>(i)]))
                              : launch_field(i32, 20 + 4 * i, 1, ir::kMaxBlockDim[static_cast<size_t>(i)]);
    extent_[i] = b_.CreateZExt(block_.block_dim[i], i64);
  }
  block_.dynamic_shared_bytes = launch_field(i64, 32, 0, INT64_MAX - 64);

  Value* slots = launch_field(b_.getPtrTy(), 0, 0, 0);
  for (size_t i = 0; i < f_.params().size(); ++i) {
    ir::Type type = f_.type(f_.params()[i]);
    Value* address = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), slots, 8 * i);
    llvm::LoadInst* loaded = b_.CreateLoad(type.is_bool() ? b_.getInt8Ty() : m_.type(type), address);
    loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(m_.context, {}));
    set(f_.params()[i], type.is_bool() ? b_.CreateICmpNE(loaded, b_.getInt8(0)) : loaded);
  }

  auto round_up = [&](Value* v) {
    return b_.CreateAnd(b_.CreateAdd(v, b_.getInt64(63), "", true, true), ~uint64_t{63});
  };
  auto after = [&](Value* base, Value* bytes) { return b_.CreateInBoundsGEP(b_.getInt8Ty(), base, bytes); };
  threads_ = b_.CreateMul(b_.CreateMul(extent_[0], extent_[1], "", true, true), extent_[2], "", true, true);
  threads_rounded_ = round_up(threads_);
  block_.dynamic_shared =
      after(arena_, b_.getInt64(static_cast<uint64_t>(HostLayout::round_up(placement_.shared_bytes))));
  context_base_ = after(
      block_.dynamic_shared,
      b_.CreateAdd(round_up(block_.dynamic_shared_bytes), b_.getInt64(HostLayout::kMargin), "", true, true));
  auto context_array = [&](int64_t offset) {
    return after(context_base_,
                 b_.CreateMul(threads_rounded_, b_.getInt64(static_cast<uint64_t>(offset)), "", true, true));
  };
  if (plan_.uses_limits) limits_ = context_array(placement_.limit_offset);
  for (size_t i = 0; placement_.has_meetings && i < 4; ++i)
    lane_arrays_[i] = context_array(placement_.lane_offsets[i]);
  if (plan_.barriers.empty()) return;
  behind_ = context_array(placement_.behind_offset);
  left_behind_ = llvm::IRBuilder<>(entry_, entry_->getFirstInsertionPt()).CreateAlloca(i64);
}

// Blocks first .. first + count - 1; their indices count up with carry.
void KernelEmitter::emit_block_loop() {
  llvm::Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
  Value *first = fn_->getArg(2), *last = b_.CreateAdd(first, fn_->getArg(3), "", true, true);
  Value* wide[2] = {b_.CreateZExt(block_.grid_dim[0], i64), b_.CreateZExt(block_.grid_dim[1], i64)};
  Value* rest = b_.CreateUDiv(first, wide[0]);
  Value* initial[3] = {b_.CreateTrunc(b_.CreateURem(first, wide[0]), i32),
                       b_.CreateTrunc(b_.CreateURem(rest, wide[1]), i32),
                       b_.CreateTrunc(b_.CreateUDiv(rest, wide[1]), i32)};
  llvm::BasicBlock *loop = new_block("block"), *done = new_block("done"), *before = b_.GetInsertBlock();
  block_end_ = new_block("block.end");
  b_.CreateCondBr(b_.CreateICmpSLT(first, last), loop, done);

  b_.SetInsertPoint(loop);
  llvm::PHINode *number = b_.CreatePHI(i64, 2), *index[3];
  number->addIncoming(first, before);
  block_number_ = number;
  for (int i = 0; i < 3; ++i) {
    index[i] = b_.CreatePHI(i32, 2);
    index[i]->addIncoming(initial[i], before);
  }
  // The masks tell LLVM the ranges.
  for (int i = 0; i < 3; ++i) block_.block_id[i] = b_.CreateAnd(index[i], i == 0 ? INT32_MAX : 0xFFFF);
  if (plan_.uses_limits) init_limits();
  emit_nodes(plan_.nodes);
  if (!is_terminated()) b_.CreateBr(block_end_);

  b_.SetInsertPoint(block_end_);
  if (environment_) check_stack();
  Value* carry = b_.getTrue();
  for (int i = 0; i < 3; ++i) {
    Value* next = b_.CreateSelect(carry, b_.CreateAdd(index[i], b_.getInt32(1)), index[i]);
    Value* wraps = b_.CreateICmpEQ(next, block_.grid_dim[i]);
    index[i]->addIncoming(b_.CreateSelect(wraps, b_.getInt32(0), next), b_.GetInsertBlock());
    carry = b_.CreateAnd(carry, wraps);
  }
  Value* next = b_.CreateAdd(number, b_.getInt64(1), "", true, true);
  number->addIncoming(next, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpSLT(next, last), loop, done);
  b_.SetInsertPoint(done);
  b_.CreateRet(b_.getInt64(0));
}

// --- values
// A value from outside the segment is got once for each thread, before the segment's items.
Value* KernelEmitter::resolve(ir::ValueId v) {
  ir::ValueId original = plan_.resolve(v);
  if (Value* known = values_[original.index]) return known;
  LANEWISE_CHECK(thread_, "a value of a thread is wanted where none runs");
  llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(thread_->prologue);
  const Place& place = placement_.places[original.index];
  Value* result = nullptr;
  if (place.kind == Place::Kind::Slot) {
    result = load_slot(place.slot);
  } else {
    ir::OpId definition = tree_.definition(original);
    LANEWISE_CHECK(definition.valid() && ir::info(f_.ops[definition].kind).effect == ir::Effect::None,
                   "a value is used where it is not kept");
    result = emit_pure(definition);
  }
  thread_->prologue = b_.GetInsertBlock();
  set(original, result);
  return result;
}

// The slot in the record of the thread.
Value* KernelEmitter::slot_address(uint32_t slot) {
  auto offset = static_cast<uint64_t>(placement_.slots[slot].offset);
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), thread_->record, offset);
}

Value* KernelEmitter::load_slot(uint32_t slot) {
  ir::Type type = placement_.slots[slot].type;
  llvm::Type* stored = type.is_bool() ? b_.getInt8Ty() : m_.type(type);
  llvm::LoadInst* loaded = b_.CreateAlignedLoad(stored, slot_address(slot), llvm::Align(type.size()));
  scopes_.mark_slot(loaded, slot);
  return type.is_bool() ? b_.CreateTrunc(loaded, b_.getInt1Ty()) : static_cast<Value*>(loaded);
}

void KernelEmitter::store_slot(uint32_t slot, Value* v) {
  ir::Type type = placement_.slots[slot].type;
  if (type.is_bool()) v = b_.CreateZExt(v, b_.getInt8Ty());
  scopes_.mark_slot(b_.CreateAlignedStore(v, slot_address(slot), llvm::Align(type.size())), slot);
}

void KernelEmitter::set_limit(int level) {
  if (!plan_.uses_limits) return;
  Value* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, thread_->linear);
  scopes_.mark_limit(b_.CreateStore(b_.getInt8(static_cast<uint8_t>(level)), address));
}

Value* KernelEmitter::thread_id(Axis axis) {
  LANEWISE_CHECK(thread_, "a thread index is wanted where no thread runs");
  return thread_->index[static_cast<size_t>(axis)];
}

Value* KernelEmitter::wide_thread_id(Axis axis) {
  LANEWISE_CHECK(thread_, "a thread index is wanted where no thread runs");
  return thread_->wide_index[static_cast<size_t>(axis)];
}

Value* KernelEmitter::lane_id() {
  LANEWISE_CHECK(thread_, "a thread index is wanted where no thread runs");
  return b_.CreateTrunc(b_.CreateAnd(thread_->linear, 31), b_.getInt32Ty());
}

Value* KernelEmitter::shared_array(ir::OpId op) {
  return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), arena_,
                                       static_cast<uint64_t>(placement_.shared_arrays.at(op)));
}

Value* KernelEmitter::local_array(ir::OpId op) {
  const LocalArray& array = placement_.local_arrays.at(op);
  switch (array.kind) {
    case LocalArray::Kind::Stack: {
      llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
      llvm::Type* bytes = llvm::ArrayType::get(b_.getInt8Ty(), static_cast<uint64_t>(array.bytes));
      auto [known, is_new] = stack_arrays_.try_emplace(op, nullptr);
      if (is_new) {
        llvm::AllocaInst* made = entry.CreateAlloca(bytes);
        made->setAlignment(llvm::Align(16));
        known->second = made;
      }
      if (thread_) {  // each thread starts with nothing in it
        llvm::IRBuilderBase::InsertPointGuard guard(b_);
        b_.SetInsertPoint(thread_->prologue);
        b_.CreateLifetimeStart(known->second);
      }
      return known->second;
    }
    case LocalArray::Kind::Scratch:
      return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), arena_, static_cast<uint64_t>(array.offset));
    case LocalArray::Kind::Slot: break;
  }
  LANEWISE_CHECK(thread_, "a local array is wanted where no thread runs");
  Value* base =
      b_.CreateMul(threads_rounded_, b_.getInt64(static_cast<uint64_t>(array.offset)), "", true, true);
  Value* own = b_.CreateMul(thread_->linear, b_.getInt64(static_cast<uint64_t>((array.bytes + 7) / 8 * 8)),
                            "", true, true);
  return b_.CreateInBoundsGEP(b_.getInt8Ty(), context_base_, b_.CreateAdd(base, own, "", true, true));
}

// In memory, for device functions; filled for each thread of a segment with calls.
Value* KernelEmitter::environment() {
  if (!environment_) {
    llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
    environment_ = entry.CreateAlloca(m_.environment);
    Value* frame =
        entry.CreateIntrinsic(llvm::Intrinsic::frameaddress, {entry.getPtrTy()}, {entry.getInt32(0)});
    Value* limit =
        entry.CreateSub(entry.CreatePtrToInt(frame, entry.getInt64Ty()), entry.getInt64(kCallStack));
    entry.CreateStore(limit, entry.CreateStructGEP(m_.environment, environment_, HostModule::kStackLimit));
    entry.CreateStore(entry.getInt64(0),
                      entry.CreateStructGEP(m_.environment, environment_, HostModule::kStackExhausted));
    entry.CreateStore(launch_, entry.CreateStructGEP(m_.environment, environment_, HostModule::kLaunch));
  }
  if (std::exchange(thread_->environment_stored, true)) return environment_;
  const BlockEnvironment& e = block_;
  Value* fields[] = {e.block_id[0],  e.block_id[1],    e.block_id[2],         e.block_dim[0],
                     e.block_dim[1], e.block_dim[2],   e.grid_dim[0],         e.grid_dim[1],
                     e.grid_dim[2],  e.dynamic_shared, e.dynamic_shared_bytes};
  llvm::IRBuilderBase::InsertPointGuard guard(b_);
  b_.SetInsertPoint(thread_->prologue);
  for (unsigned i = 0; i < std::size(fields); ++i)
    b_.CreateStore(fields[i], b_.CreateStructGEP(m_.environment, environment_, i));
  return environment_;
}

// Ends the launch if a device function of this block found the stack used up.
void KernelEmitter::check_stack() {
  ir::SourceRange call;
  for (const ir::Op& op : f_.ops)
    if (op.kind == OpKind::Call) call = op.range;
  errors_.push_back({kStackExhausted, call});
  Value* exhausted = b_.CreateLoad(
      b_.getInt64Ty(), b_.CreateStructGEP(m_.environment, environment_, HostModule::kStackExhausted));
  llvm::BasicBlock *ended = new_block("exhausted"), *go_on = new_block("block.next");
  b_.CreateCondBr(b_.CreateICmpNE(exhausted, b_.getInt64(0)), ended, go_on);
  b_.SetInsertPoint(ended);
  b_.CreateRet(b_.getInt64(errors_.size()));
  b_.SetInsertPoint(go_on);
}

EmittedKernel emit_kernel(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function) {
  if (module.block) {
    GangEmitter emitter(module, kernel, llvm_function, *module.block);
    if (!emitter.is_better_one_by_one()) return emitter.run_noted();
    module.notes.push_back(
        {{}, "threads run one after the other: nearly all is in loops whose trip counts differ"});
  }
  return KernelEmitter(module, kernel, llvm_function).run();
}

}  // namespace lanewise::codegen::host
