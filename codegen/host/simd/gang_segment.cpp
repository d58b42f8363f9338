// Segments as loops over the gangs of a block, and what a gang does in them.
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

GangEmitter::GangEmitter(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function,
                         const BlockShape& block)
    : KernelEmitter(module, kernel, llvm_function, {.gangs = true, .block = block}),
      block_shape_(block),
      shapes_(find_shapes(kernel, plan_, placement_, tree_, block)),
      used_(kernel.values.size()),
      mask_type_(llvm::FixedVectorType::get(b_.getInt1Ty(), kGang)),
      divider_(plan_divider(kernel, plan_, tree_, shapes_, module.divider)),
      lanes_(kernel.values.size()),
      index_forms_(kernel.values.size()) {
  for (const ir::Op& op : kernel.ops)
    for (ValueId v : op.operands) used_[v.index] = used_[plan_.resolve(v).index] = true;
}

// --- the loops
// A loop over an extent, or nothing if that is a single turn.
Value* GangEmitter::begin_loop(const Extent& extent, const char* name) {
  auto *begin = llvm::dyn_cast<llvm::ConstantInt>(extent.begin),
       *end = llvm::dyn_cast<llvm::ConstantInt>(extent.end);
  if (begin && end && end->getSExtValue() - begin->getSExtValue() == 1) return begin;
  OpenLoop loop{nullptr, new_block(name), new_block("next"), extent.end};
  BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(loop.head);
  b_.SetInsertPoint(loop.head);
  loop.index = b_.CreatePHI(b_.getInt64Ty(), 2);
  loop.index->addIncoming(extent.begin, before);
  gang_loops_.push_back(loop);
  return loop.index;
}

// Where gangs are parts of rows: only those that the segment's guard and the strided loops around let
// through.
std::array<KernelEmitter::Extent, 3> GangEmitter::extents(const Segment& segment) {
  std::array<Extent, 3> extents;
  for (size_t i = 0; i < 3; ++i) extents[i] = {b_.getInt64(0), extent_[i], false};
  for (const Stride& stride : strides_) {
    Extent& extent = extents[static_cast<size_t>(stride.axis)];
    extent.end = bounded(llvm::Intrinsic::smin, extent.end, stride.end);
    extent.may_be_empty = true;
  }
  for (const Bound& bound : find_clip(segment).bounds)
    narrow(extents[static_cast<size_t>(bound.index.axis)], bound);
  for (const Extent& extent : extents) {
    if (!extent.may_be_empty) continue;
    BasicBlock* some = new_block("gangs");
    b_.CreateCondBr(b_.CreateICmpSLT(extent.begin, extent.end), some, gangs_after_);
    b_.SetInsertPoint(some);
  }
  constexpr uint64_t kShift = 5;
  static_assert(kGang == 1u << kShift);
  extents[0].begin = b_.CreateAShr(extents[0].begin, kShift);
  extents[0].end =
      b_.CreateAShr(b_.CreateAdd(extents[0].end, b_.getInt64(kGang - 1), "", true, true), kShift);
  return extents;
}

void GangEmitter::set_thread_index(Axis axis, Value* base, const Pattern& pattern, int64_t align) {
  Lanes& index = thread_index_[static_cast<size_t>(axis)];
  index = Lanes::of_uniform(b_.CreateTrunc(base, b_.getInt32Ty(), "", true, true));
  if (pattern != Pattern{}) index.terms.push_back({nullptr, pattern});
  index.align = align;
}

void GangEmitter::begin_gangs(const Segment& segment) {
  auto [bx, by, bz] = block_shape_;
  constexpr int64_t kWidth = kGang;
  int64_t threads = bx * by * bz, rows = kWidth / bx;  // rows of x in a gang
  auto times = [&](Value* v, int64_t factor) {
    return b_.CreateMul(v, b_.getInt64(static_cast<uint64_t>(factor)), "", true, true);
  };
  auto plus = [&](Value* a, Value* b) { return b_.CreateAdd(a, b, "", true, true); };
  auto up_to = [&](int64_t count) {
    return Extent{b_.getInt64(0), b_.getInt64(static_cast<uint64_t>(count)), false};
  };
  gangs_after_ = new_block("gangs.end");
  Pattern column{}, row{};
  for (int64_t i = 0; i < kWidth; ++i) {
    column[static_cast<size_t>(i)] = i % bx;
    row[static_cast<size_t>(i)] = i / bx;
  }
  ThreadLayout layout = layout_of(block_shape_);
  if (layout == ThreadLayout::PartOfRow) {
    std::array<Extent, 3> wanted = extents(segment);
    Value* z = begin_loop(wanted[2], "z");
    Value* y = begin_loop(wanted[1], "y");
    Value* x = times(begin_loop(wanted[0], "x"), kWidth);
    first_ = plus(times(plus(times(z, by), y), bx), x);
    set_thread_index(Axis::X, x, iota(), kWidth);
    if (auto* end = llvm::dyn_cast<llvm::ConstantInt>(wanted[0].end)) {
      thread_index_[0].least = 0;
      thread_index_[0].most = (end->getSExtValue() - 1) * kWidth;
    }
    set_thread_index(Axis::Y, y, {});
    set_thread_index(Axis::Z, z, {});
  } else if (layout == ThreadLayout::Rows) {
    Value* z = begin_loop(up_to(bz), "z");
    Value* y = times(begin_loop(up_to((by + rows - 1) / rows), "y"), rows);
    first_ = plus(times(z, by * bx), times(y, bx));
    set_thread_index(Axis::X, b_.getInt64(0), column, kWidth);
    set_thread_index(Axis::Y, y, row);
    set_thread_index(Axis::Z, z, {});
  } else {
    Value* gang = begin_loop(up_to((threads + kWidth - 1) / kWidth), "gang");
    first_ = times(gang, kWidth);
    tabulate_threads(gang);
  }
  gang_end_ = gang_loops_.empty() ? gangs_after_ : gang_loops_.back().latch;

  exec_ = all_lanes();
  if (threads % kWidth != 0) {
    Value* left = b_.CreateTrunc(b_.CreateSub(threads_, first_), b_.getInt32Ty());
    exec_ = compare_pattern(OpKind::Lt, iota(), left);
  }
  for (const Stride& stride : strides_) {
    Value* end = b_.CreateTrunc(
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, stride.end, b_.getInt64(1024)), b_.getInt32Ty());
    const Lanes& index = thread_index_[static_cast<size_t>(stride.axis)];
    exec_ =
        both(exec_, index.is_line()
                        ? compare_pattern(OpKind::Lt, index.terms[0].pattern, b_.CreateSub(end, index.base))
                        : b_.CreateICmpSLT(vector(index, ir::kI32), b_.CreateVectorSplat(kGang, end)));
  }
  if (segment.check) {
    llvm::Type* bytes = llvm::FixedVectorType::get(b_.getInt8Ty(), kGang);
    auto* limits = b_.CreateAlignedLoad(bytes, b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, first_),
                                        llvm::Align(kGang));
    scopes_.mark_limit(limits);
    Value* level = b_.CreateVectorSplat(kGang, b_.getInt8(static_cast<uint8_t>(segment.level)));
    exec_ = both(exec_, b_.CreateICmpUGT(limits, level));
  }
  if (segment.check || !strides_.empty()) {
    BasicBlock* some = new_block("active");
    b_.CreateCondBr(any(exec_), some, gang_end_);
    b_.SetInsertPoint(some);
  }
}

// Indices of blocks whose rows do not fit gangs: constants for a single gang, else from a table.
void GangEmitter::tabulate_threads(Value* gang) {
  auto [bx, by, bz] = block_shape_;
  int64_t threads = bx * by * bz;
  bool single = llvm::isa<llvm::ConstantInt>(gang);
  size_t count = static_cast<size_t>((threads + kGang - 1) / kGang * kGang);
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<uint32_t> table(count);
    for (int64_t t = 0; t < threads; ++t) {
      int64_t index[] = {t % bx, t / bx % by, t / bx / by};
      table[static_cast<size_t>(t)] = static_cast<uint32_t>(index[axis]);
    }
    if (single) {
      Pattern pattern{};
      for (size_t i = 0; i < kGang; ++i) pattern[i] = table[i];
      set_thread_index(static_cast<Axis>(axis), b_.getInt64(0), pattern, 1024);
      continue;
    }
    std::string name = std::string("threads.") + "xyz"[axis];
    llvm::GlobalVariable* global = m_.module.getGlobalVariable(name, true);
    if (!global) {
      auto* data = llvm::ConstantDataArray::get(m_.context, table);
      global = new llvm::GlobalVariable(m_.module, data->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                        data, name);
      global->setAlignment(llvm::Align(64));
    }
    Value* address = b_.CreateInBoundsGEP(b_.getInt32Ty(), global, first_);
    thread_index_[axis] =
        Lanes::of_vector(b_.CreateAlignedLoad(vector_type(ir::kI32), address, llvm::Align(64)));
  }
}

void GangEmitter::end_gangs() {
  while (!gang_loops_.empty()) {
    OpenLoop loop = gang_loops_.back();
    gang_loops_.pop_back();
    b_.SetInsertPoint(loop.latch);
    Value* next = b_.CreateAdd(loop.index, b_.getInt64(1), "", true, true);
    loop.index->addIncoming(next, loop.latch);
    BasicBlock* outer = gang_loops_.empty() ? gangs_after_ : gang_loops_.back().latch;
    llvm::BranchInst* branch = b_.CreateCondBr(b_.CreateICmpSLT(next, loop.end), loop.head, outer);
    auto* turns = llvm::dyn_cast<llvm::ConstantInt>(loop.end);  // that many at most
    // Instructions of all turns: most go where the turn's number decides what its lanes do.
    constexpr size_t kMaxUnrolled = 400;
    bool is_short = turns && turns->getSExtValue() <= 8 &&
                    instructions_from(loop.head) * static_cast<size_t>(turns->getSExtValue()) <= kMaxUnrolled;
    mark_loop(branch, is_short ? static_cast<uint32_t>(turns->getZExtValue()) : 0);
  }
  b_.SetInsertPoint(gangs_after_);
}

// How long the code is that begins at a block.
size_t GangEmitter::instructions_from(BasicBlock* head) const {
  size_t count = 0;
  for (auto block = head->getIterator(); block != fn_->end(); ++block) count += block->size();
  return count;
}

void GangEmitter::emit_segment(const Segment& segment) {
  if (!does_something(segment)) return;
  std::vector<ValueId> defined;
  journal_ = &defined;
  begin_gangs(segment);
  thread_.emplace();
  thread_->prologue = b_.GetInsertBlock();
  BasicBlock* work = new_block("work");
  b_.SetInsertPoint(work);
  if (!llvm::isa<llvm::Constant>(exec_) && may_split(segment.items)) {
    // Nearly all gangs of a strided loop are full: their memory is read and written without masks.
    BasicBlock *full = new_block("full"), *some = new_block("some");
    b_.CreateCondBr(all(exec_), full, some);
    b_.SetInsertPoint(full);
    Value* mask = std::exchange(exec_, all_lanes());
    emit_gang_items(segment.items);
    if (!is_terminated()) b_.CreateBr(gang_end_);
    b_.SetInsertPoint(some);
    exec_ = mask;
    split_full_ = false;
  }
  emit_gang_items(segment.items);
  split_full_ = true;
  if (!is_terminated()) b_.CreateBr(gang_end_);
  b_.SetInsertPoint(thread_->prologue);
  b_.CreateBr(work);
  end_gangs();
  thread_.reset();
  journal_ = nullptr;
  for (ValueId v : defined) values_[v.index] = nullptr;
  for (ValueId v : lanes_defined_) {
    lanes_[v.index] = {};
    index_forms_[v.index].reset();
  }
  lanes_defined_.clear();
  last_thread_loop_ = nullptr;
}

bool GangEmitter::may_split(const std::vector<Item>& items) {
  bool memory = false;
  int budget = kShortOps;
  for (const Item& item : items)
    if (item.kind == Item::Kind::Op && !is_short(item.op, memory, budget)) return false;
  return memory && may_be_twice(kShortOps - budget);
}

// --- items
void GangEmitter::emit_gang_items(const std::vector<Item>& items) {
  for (const Item& item : items) {
    bool may_be_over = emit_gang_item(item);
    if (is_terminated()) return;
    if (!may_be_over || &item == &items.back()) continue;
    BasicBlock* rest = new_block("rest");
    b_.CreateCondBr(any(exec_), rest, gang_end_);
    b_.SetInsertPoint(rest);
  }
}

bool GangEmitter::emit_gang_item(const Item& item) {
  switch (item.kind) {
    case Item::Kind::Op:
      emit_lane_op(item.op);
      if (!is_terminated())
        for (ValueId v : f_.ops[item.op].results) keep_lanes(v);
      return may_lose_lanes(item.op);
    case Item::Kind::Copies: copy_lanes(item.exit.copies); return false;
    case Item::Kind::Split: emit_gang_split(item); return true;
    case Item::Kind::Resplit: {
      Value* taken = vector(f_.ops[item.op].operands[0]);
      auto splat = [&](int level) {
        return b_.CreateVectorSplat(kGang, b_.getInt8(static_cast<uint8_t>(level)));
      };
      store_limits(b_.CreateSelect(taken, splat(item.exit.level), splat(kActive)));
      return false;
    }
    case Item::Kind::ForInit: emit_gang_for_init(item); return false;
    case Item::Kind::ForTurn: emit_gang_for_turn(item); return true;
    case Item::Kind::StrideTurn: {
      const Stride& stride = strides_.back();
      Lanes counter = thread_index_[static_cast<size_t>(stride.axis)];
      if (counter.linear()) {
        counter.base =
            b_.CreateAdd(b_.CreateSExt(counter.base, b_.getInt64Ty()), stride.base, "", false, true);
        counter.forget();
      } else {
        Value* wide = b_.CreateSExt(counter.vector, vector_type(ir::kI64));
        counter = Lanes::of_vector(b_.CreateAdd(wide, b_.CreateVectorSplat(kGang, stride.base)));
      }
      ValueId v = f_.regions[f_.ops[item.op].regions[0]].params[0];
      define(v, counter);
      keep_lanes(v);
      return false;
    }
    case Item::Kind::WhileTest: {
      const ir::Op& op = f_.ops[item.op];
      const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
      Value* goes_on = vector(test.operands[0]);
      Value* stays = both(exec_, goes_on);
      exec_ = without(exec_, goes_on);
      leave_segment(item.exit);
      exec_ = stays;
      return true;
    }
    case Item::Kind::Exit: leave_segment(item.exit); return true;
    case Item::Kind::Give: give(item.op); return false;
    case Item::Kind::Take: break;
  }
  throw ir::InternalError("an item that gangs do not have");
}

void GangEmitter::emit_gang_split(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  bool then_first = item.arm != 0;
  Value* condition = vector(op.operands[0]);
  Value* outer = exec_;
  Value* takes = then_first ? both(outer, condition) : without(outer, condition);
  Value* others = then_first ? without(outer, condition) : both(outer, condition);
  if (item.arm >= 0) {
    exec_ = outer;
    emit_arm(op.regions[static_cast<size_t>(item.arm)], others, {});  // its yield is an exit
  } else {
    exec_ = others;
    leave_segment({item.exit.level, {}});
  }
  exec_ = takes;
}

// As KernelEmitter's of one thread.
void GangEmitter::emit_gang_for_init(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  bool is_signed = f_.type(op.operands[0]).is_signed();
  Value *lo = vector(op.operands[0]), *hi = vector(op.operands[1]), *step = vector(op.operands[2]);
  Value* zero = llvm::Constant::getNullValue(lo->getType());
  auto less = [&](Value* a, Value* b) { return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b); };
  Value* up = is_signed ? b_.CreateICmpSGT(step, zero) : b_.CreateICmpNE(step, zero);
  Value* down = is_signed ? b_.CreateICmpSLT(step, zero) : static_cast<Value*>(no_lanes());
  Value* enters = b_.CreateOr(b_.CreateAnd(up, less(lo, hi)), b_.CreateAnd(down, less(hi, lo)));
  Value* distance = b_.CreateSelect(up, b_.CreateSub(hi, lo), b_.CreateSub(lo, hi));
  auto [distance_slot, counter_slot] = placement_.loop_slots.at(item.op);
  store_gang_slot(distance_slot, Lanes::of_vector(b_.CreateSelect(enters, distance, zero)));
  store_gang_slot(counter_slot, Lanes::of_vector(lo));
}

void GangEmitter::emit_gang_for_turn(const Item& item) {
  const ir::Op& op = f_.ops[item.op];
  ValueId counter = f_.regions[op.regions[0]].params[0];
  auto [distance_slot, counter_slot] = placement_.loop_slots.at(item.op);
  Value* distance = load_gang_slot(distance_slot).vector;
  Value* zero = llvm::Constant::getNullValue(distance->getType());
  Value* turn = b_.CreateICmpNE(distance, zero);
  Value* stays = both(exec_, turn);
  exec_ = without(exec_, turn);
  leave_segment(item.exit);
  exec_ = stays;
  Value* step = vector(op.operands[2]);
  bool is_signed = f_.type(op.operands[0]).is_signed();
  Value* stride = is_signed ? b_.CreateSelect(b_.CreateICmpSGT(step, zero), step, b_.CreateNeg(step)) : step;
  store_gang_slot(distance_slot,
                  Lanes::of_vector(b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, distance, stride)));
  if (!plan_.varying[counter.index]) return;
  Value* now = load_gang_slot(counter_slot).vector;
  store_gang_slot(counter_slot, Lanes::of_vector(b_.CreateAdd(now, step)));
  define(counter, Lanes::of_vector(now));
  keep_lanes(counter);
}

void GangEmitter::keep_lanes(ValueId v) {
  const Place& place = placement_.places[v.index];
  if (place.kind == Place::Kind::Slot) store_gang_slot(place.slot, lanes(v));
}

// All values are read before the first is written: a loop's turn may swap them.
void GangEmitter::copy_lanes(const std::vector<Copy>& copies) {
  Values values;
  for (const Copy& c : copies) values.push_back(is_needed(c) ? Lanes::of_vector(vector(c.from)) : Lanes{});
  for (size_t i = 0; i < copies.size(); ++i)
    if (values[i].known()) store_gang_slot(placement_.places[copies[i].to.index].slot, values[i]);
}

// The lanes of exec_ are done with this segment.
void GangEmitter::leave_segment(const Exit& exit) {
  copy_lanes(exit.copies);
  if (plan_.uses_limits)
    store_limits(b_.CreateVectorSplat(kGang, b_.getInt8(static_cast<uint8_t>(exit.level))));
  exec_ = no_lanes();
}

void GangEmitter::store_limits(Value* limits) {
  Value* address = b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, first_);
  store_masked(limits, address, [&](llvm::Instruction* access) { scopes_.mark_limit(access); });
}

// --- slots: for each an array by thread
Value* GangEmitter::gang_slot(uint32_t slot) {
  const Slot& place = placement_.slots[slot];
  Value* base = b_.CreateInBoundsGEP(
      b_.getInt8Ty(), context_base_,
      b_.CreateMul(threads_rounded_, b_.getInt64(static_cast<uint64_t>(place.offset)), "", true, true));
  return b_.CreateInBoundsGEP(element_type(m_.context, place.type.is_pointer() ? ir::kI64 : place.type), base,
                              first_);
}

Lanes GangEmitter::load_gang_slot(uint32_t slot) {
  ir::Type type = placement_.slots[slot].type;
  llvm::Type* stored = type.is_bool() ? b_.getInt8Ty() : m_.type(type);
  auto* loaded = b_.CreateAlignedLoad(llvm::FixedVectorType::get(stored, kGang), gang_slot(slot),
                                      llvm::Align(std::min<uint64_t>(kGang * type.size(), 64)));
  scopes_.mark_slot(loaded, slot);
  return Lanes::of_vector(type.is_bool() ? b_.CreateTrunc(loaded, mask_type_) : static_cast<Value*>(loaded));
}

void GangEmitter::store_gang_slot(uint32_t slot, const Lanes& value) {
  ir::Type type = placement_.slots[slot].type;
  Value* v = vector(value, type);
  if (type.is_bool()) v = b_.CreateZExt(v, llvm::FixedVectorType::get(b_.getInt8Ty(), kGang));
  store_masked(v, gang_slot(slot), [&](llvm::Instruction* access) { scopes_.mark_slot(access, slot); });
}

void GangEmitter::store_masked(Value* vector, Value* address,
                               const std::function<void(llvm::Instruction*)>& mark) {
  if (is_none(exec_)) return;
  llvm::Align align(std::min<uint64_t>(m_.module.getDataLayout().getTypeStoreSize(vector->getType()), 64));
  mark(is_all(exec_) ? static_cast<llvm::Instruction*>(b_.CreateAlignedStore(vector, address, align))
                     : b_.CreateMaskedStore(vector, address, align, exec_));
}

// What the lanes bring to a barrier that combines it; see warp.cpp.
void GangEmitter::give(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  auto bring = [&](LaneArray array, ValueId v) {
    ir::Type type = f_.type(v);
    Value* own = vector(v);
    llvm::Type* bits = llvm::FixedVectorType::get(bits_type(type), kGang);
    own = type.is_bool() ? b_.CreateZExt(own, bits) : b_.CreateBitCast(own, bits);
    Value* address = lane_address(array, bits_type(type), first_);
    scopes_.mark_limit(b_.CreateAlignedStore(own, address, llvm::Align(type.element_size())));
  };
  size_t value_at = ir::is_barrier(op.kind) ? 0 : 1;
  if (value_at == 1 && !is_alike(op.operands[0])) bring(LaneArray::Mask, op.operands[0]);
  if (op.operands.size() > value_at) bring(LaneArray::Value, op.operands[value_at]);
  if (op.operands.size() > 2 && !is_alike(op.operands[2])) bring(LaneArray::Lane, op.operands[2]);
}

}  // namespace lanewise::codegen::host
