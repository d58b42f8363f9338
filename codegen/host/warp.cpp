// Places where threads meet: warp ops, and barriers that combine what the threads bring. The segment before
// gives each thread's operands to arrays in the context, by thread; here they are combined, warp after warp,
// 32 elements at a time; the segment after takes the results. Which lanes are here follows from the limits.
#include "codegen/host/kernel_emitter.h"
#include "ir/error.h"
#include "ir/warp_ops.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr unsigned kLanes = static_cast<unsigned>(ir::kWarpSize);

bool is_shuffle(OpKind kind) { return kind >= OpKind::ShflIdx && kind <= OpKind::ShflXor; }
bool is_vote(OpKind kind) { return kind >= OpKind::VoteAll && kind <= OpKind::Ballot; }

}  // namespace

llvm::Intrinsic::ID KernelEmitter::reduction(OpKind kind, ir::Type type) {
  switch (kind) {
    case OpKind::ReduceAdd: return llvm::Intrinsic::vector_reduce_add;
    case OpKind::ReduceMin:
      return type.is_signed() ? llvm::Intrinsic::vector_reduce_smin : llvm::Intrinsic::vector_reduce_umin;
    case OpKind::ReduceMax:
      return type.is_signed() ? llvm::Intrinsic::vector_reduce_smax : llvm::Intrinsic::vector_reduce_umax;
    case OpKind::ReduceAnd: return llvm::Intrinsic::vector_reduce_and;
    case OpKind::ReduceOr: return llvm::Intrinsic::vector_reduce_or;
    default: return llvm::Intrinsic::vector_reduce_xor;
  }
}

// --- the arrays
Value* KernelEmitter::lane_address(LaneArray array, llvm::Type* element, Value* thread) {
  return b_.CreateInBoundsGEP(element, lane_arrays_[static_cast<size_t>(array)], thread);
}

llvm::Type* KernelEmitter::bits_type(ir::Type type) { return b_.getIntNTy(8 * type.element_size()); }

Value* KernelEmitter::load_lanes(LaneArray array, llvm::Type* element, Value* first, unsigned align) {
  llvm::Type* vector = llvm::FixedVectorType::get(element, kLanes);
  auto* loaded = b_.CreateAlignedLoad(vector, lane_address(array, element, first), llvm::Align(align));
  scopes_.mark_limit(loaded);
  return loaded;
}

Value* KernelEmitter::load_lane(LaneArray array, llvm::Type* element, Value* thread) {
  auto* loaded = b_.CreateLoad(element, lane_address(array, element, thread));
  scopes_.mark_limit(loaded);
  return loaded;
}

void KernelEmitter::store_lane(LaneArray array, Value* v, Value* thread) {
  scopes_.mark_limit(b_.CreateStore(v, lane_address(array, v->getType(), thread)));
}

// What a thread brings, as bits; a mask or lane that is the same for all is not kept.
void KernelEmitter::give(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  auto bits = [&](ir::ValueId v) {
    ir::Type type = f_.type(v);
    return type.is_bool() ? b_.CreateZExt(value(v), b_.getInt8Ty())
                          : b_.CreateBitCast(value(v), bits_type(type));
  };
  size_t value_at = ir::is_barrier(op.kind) ? 0 : 1;
  if (value_at == 1 && !is_alike(op.operands[0]))
    store_lane(LaneArray::Mask, value(op.operands[0]), thread_->linear);
  if (op.operands.size() > value_at)
    store_lane(LaneArray::Value, bits(op.operands[value_at]), thread_->linear);
  if (op.operands.size() > 2 && !is_alike(op.operands[2]))
    store_lane(LaneArray::Lane, value(op.operands[2]), thread_->linear);
}

void KernelEmitter::take(ir::OpId id) {
  ir::ValueId result = f_.ops[id].results[0];
  ir::Type type = f_.type(result);
  Value* bits = load_lane(LaneArray::Result, bits_type(type), thread_->linear);
  set(result, type.is_bool() ? b_.CreateTrunc(bits, b_.getInt1Ty()) : b_.CreateBitCast(bits, m_.type(type)));
  keep(result);
}

// --- loops
// Calls body(first thread, lanes that are here) for each warp of the block; the builder goes on after the
// loop.
template <class Body>
void KernelEmitter::for_warps(const Node& node, Body body) {
  BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("warp"), *end = new_block("warps.end");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* first = b_.CreatePHI(b_.getInt64Ty(), 2);
  first->addIncoming(b_.getInt64(0), before);
  body(first, lanes_here(node, first), before, loop);
  Value* next = b_.CreateAdd(first, b_.getInt64(kLanes), "", true, true);
  first->addIncoming(next, b_.GetInsertBlock());
  mark_loop(b_.CreateCondBr(b_.CreateICmpSLT(next, threads_), loop, end), 0);
  b_.SetInsertPoint(end);
}

Value* KernelEmitter::lanes_here(const Node& node, Value* first) {
  if (node.check) {
    llvm::Type* vector = llvm::FixedVectorType::get(b_.getInt8Ty(), kLanes);
    auto* limits = b_.CreateAlignedLoad(vector, b_.CreateInBoundsGEP(b_.getInt8Ty(), limits_, first),
                                        llvm::Align(kLanes));
    scopes_.mark_limit(limits);
    Value* level = b_.CreateVectorSplat(kLanes, b_.getInt8(static_cast<uint8_t>(node.level)));
    return b_.CreateBitCast(b_.CreateICmpUGT(limits, level), b_.getInt32Ty());
  }
  Value* left =
      b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b_.CreateSub(threads_, first), b_.getInt64(kLanes));
  Value* absent = b_.CreateTrunc(b_.CreateSub(b_.getInt64(kLanes), left), b_.getInt32Ty());
  return b_.CreateLShr(b_.getInt32(UINT32_MAX), absent);
}

Value* KernelEmitter::as_lanes(Value* bits) {
  return b_.CreateBitCast(bits, llvm::FixedVectorType::get(b_.getInt1Ty(), kLanes));
}

void KernelEmitter::emit_meeting(const Node& node) {
  if (ir::is_barrier(f_.ops[node.op].kind)) return emit_barrier_reduction(node);
  for_warps(node, [&](Value* first, Value* here, BasicBlock*, BasicBlock*) {
    BasicBlock *some = new_block("lanes"), *next = new_block("warp.next");
    b_.CreateCondBr(b_.CreateICmpNE(here, b_.getInt32(0)), some, next);
    b_.SetInsertPoint(some);
    emit_warp(f_.ops[node.op], first, here);
    b_.CreateBr(next);
    b_.SetInsertPoint(next);
  });
}

void KernelEmitter::emit_barrier_reduction(const Node& node) {
  const ir::Op& op = f_.ops[node.op];
  bool counts = op.kind == OpKind::BarrierCount, all = op.kind == OpKind::BarrierAnd;
  llvm::Type* type = b_.getInt32Ty();
  Value* total = nullptr;
  for_warps(node, [&](Value* first, Value* here, BasicBlock* before, BasicBlock* loop) {
    llvm::IRBuilder<> head(loop, loop->begin());
    llvm::PHINode* so_far = head.CreatePHI(type, 2);
    so_far->addIncoming(b_.getInt32(all ? 1 : 0), before);
    Value* yes = b_.CreateAnd(predicates(first), here);
    if (counts)
      total = b_.CreateAdd(so_far, b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, yes));
    else if (all)
      total = b_.CreateAnd(so_far, b_.CreateZExt(b_.CreateICmpEQ(yes, here), type));
    else
      total = b_.CreateOr(so_far, yes);
    so_far->addIncoming(total, b_.GetInsertBlock());
  });
  set(op.results[0], counts ? total : b_.CreateICmpNE(total, b_.getInt32(0)));
}

Value* KernelEmitter::predicates(Value* first) {
  Value* bytes = load_lanes(LaneArray::Value, b_.getInt8Ty(), first, kLanes);
  Value* set_ones = b_.CreateICmpNE(bytes, llvm::Constant::getNullValue(bytes->getType()));
  return b_.CreateBitCast(set_ones, b_.getInt32Ty());
}

// --- one warp
// The op for the lanes that are here, from first on. What all lanes get alike is computed once.
void KernelEmitter::emit_warp(const ir::Op& op, Value* first, Value* here) {
  auto uniform = [&](size_t i) -> Value* {
    return i < op.operands.size() && is_alike(op.operands[i]) ? value(op.operands[i]) : nullptr;
  };
  if (op.kind == OpKind::ActiveMask) return store_all(op, here, first);
  Value *mask = uniform(0), *lane = is_shuffle(op.kind) ? uniform(2) : nullptr;
  Value* members = mask ? b_.CreateAnd(here, mask) : nullptr;
  if (is_shuffle(op.kind) && members && lane && shuffle_all(op, first, members, lane)) return;
  bool one_for_all = !is_shuffle(op.kind) && op.kind != OpKind::MatchAny;
  if (one_for_all && members) return store_all(op, combined(op, first, members, nullptr), first);
  for_lanes([&](Value* at) {
    Value* thread = b_.CreateAdd(first, at, "", true, true);
    Value* own_members =
        members ? members : b_.CreateAnd(here, load_lane(LaneArray::Mask, b_.getInt32Ty(), thread));
    Value* result = nullptr;
    if (is_shuffle(op.kind)) {
      Value* by = lane ? lane : load_lane(LaneArray::Lane, b_.getInt32Ty(), thread);
      result = shuffle_one(op, first, b_.CreateTrunc(at, b_.getInt32Ty()), own_members, by);
    } else {
      result = combined(op, first, own_members, thread);
    }
    if (result->getType()->isIntegerTy(1)) result = b_.CreateZExt(result, b_.getInt8Ty());
    store_lane(LaneArray::Result, result, thread);
  });
}

template <class Body>
void KernelEmitter::for_lanes(Body body) {
  BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("lane"), *end = new_block("lanes.end");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* at = b_.CreatePHI(b_.getInt64Ty(), 2);
  at->addIncoming(b_.getInt64(0), before);
  body(at);
  Value* next = b_.CreateAdd(at, b_.getInt64(1), "", true, true);
  at->addIncoming(next, b_.GetInsertBlock());
  mark_loop(b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(kLanes)), loop, end), 0);
  b_.SetInsertPoint(end);
}

// The same result for every lane.
void KernelEmitter::store_all(const ir::Op& op, Value* result, Value* first) {
  llvm::Type* element = bits_type(f_.type(op.results[0]));
  Value* all = b_.CreateVectorSplat(kLanes, b_.CreateZExtOrTrunc(result, element));
  store_lanes(all, element, first);
}

void KernelEmitter::store_lanes(Value* all, llvm::Type* element, Value* first) {
  scopes_.mark_limit(
      b_.CreateAlignedStore(all, lane_address(LaneArray::Result, element, first), llvm::Align(kLanes)));
}

// A shuffle where all lanes give the same mask and lane: whole vectors. False if there is no good way.
bool KernelEmitter::shuffle_all(const ir::Op& op, Value* first, Value* members, Value* lane) {
  llvm::Type* element = bits_type(f_.type(op.results[0]));
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(lane);
  if (op.kind == OpKind::ShflXor && !constant) return false;
  unsigned size = element->getIntegerBitWidth() / 8;
  Value* by = b_.CreateAnd(lane, kLanes - 1);
  Value* own = load_lanes(LaneArray::Value, element, first, kLanes);
  Value *other = nullptr, *there = nullptr;
  auto from = [&](Value* thread) { return load_lanes(LaneArray::Value, element, thread, size); };
  Value* distance = b_.CreateZExt(by, b_.getInt64Ty());
  switch (op.kind) {
    case OpKind::ShflUp:  // before the first and after the last lane there is memory to read, see Placement
      other = from(b_.CreateSub(first, distance));
      there = b_.CreateShl(members, by);
      break;
    case OpKind::ShflDown:
      other = from(b_.CreateAdd(first, distance));
      there = b_.CreateLShr(members, by);
      break;
    case OpKind::ShflXor: {
      llvm::SmallVector<int, kLanes> order;
      for (unsigned i = 0; i < kLanes; ++i)
        order.push_back(static_cast<int>(i ^ (constant->getZExtValue() % kLanes)));
      other = b_.CreateShuffleVector(own, order);
      there = b_.CreateBitCast(b_.CreateShuffleVector(as_lanes(members), order), b_.getInt32Ty());
      break;
    }
    default: {
      other =
          b_.CreateVectorSplat(kLanes, load_lane(LaneArray::Value, element, b_.CreateAdd(first, distance)));
      there = b_.CreateSelect(b_.CreateTrunc(b_.CreateLShr(members, by), b_.getInt1Ty()),
                              b_.getInt32(UINT32_MAX), b_.getInt32(0));
    }
  }
  store_lanes(b_.CreateSelect(as_lanes(there), other, own), element, first);
  return true;
}

// What lane `at` gets: lane 64 - 1 and the like are no members.
Value* KernelEmitter::shuffle_one(const ir::Op& op, Value* first, Value* at, Value* members, Value* lane) {
  Value* by = b_.CreateAnd(lane, kLanes - 1);
  Value* from = by;
  if (op.kind == OpKind::ShflUp) from = b_.CreateSub(at, by);
  if (op.kind == OpKind::ShflDown) from = b_.CreateAdd(at, by);
  if (op.kind == OpKind::ShflXor) from = b_.CreateXor(at, by);
  Value* inside = b_.CreateICmpULT(from, b_.getInt32(kLanes));
  Value* bit = b_.CreateTrunc(b_.CreateLShr(members, b_.CreateAnd(from, kLanes - 1)), b_.getInt1Ty());
  Value* source = b_.CreateSelect(b_.CreateAnd(inside, bit), from, at);
  Value* thread = b_.CreateAdd(first, b_.CreateZExt(source, b_.getInt64Ty()));
  return load_lane(LaneArray::Value, bits_type(f_.type(op.results[0])), thread);
}

// What the members make together; `thread`: whose own value is compared, for MatchAny.
Value* KernelEmitter::combined(const ir::Op& op, Value* first, Value* members, Value* thread) {
  if (is_vote(op.kind)) {
    Value* yes = b_.CreateAnd(predicates(first), members);
    Value* all = b_.CreateICmpEQ(yes, members);
    Value* none = b_.CreateICmpEQ(yes, b_.getInt32(0));
    if (op.kind == OpKind::Ballot) return yes;
    if (op.kind == OpKind::VoteAll) return all;
    return op.kind == OpKind::VoteAny ? b_.CreateNot(none) : b_.CreateOr(all, none);
  }
  ir::Type type = f_.type(op.operands[1]);
  llvm::Type* element = bits_type(type);
  Value* own = load_lanes(LaneArray::Value, element, first, kLanes);
  if (op.kind == OpKind::MatchAny || op.kind == OpKind::MatchAll) {
    if (op.kind == OpKind::MatchAll) {
      Value* lowest = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, members, b_.getFalse());
      lowest = b_.CreateAnd(lowest, kLanes - 1);  // of no members: any
      thread = b_.CreateAdd(first, b_.CreateZExt(lowest, b_.getInt64Ty()));
    }
    Value* wanted = b_.CreateVectorSplat(kLanes, load_lane(LaneArray::Value, element, thread));
    Value* equal = b_.CreateAnd(b_.CreateBitCast(b_.CreateICmpEQ(own, wanted), b_.getInt32Ty()), members);
    if (op.kind == OpKind::MatchAny) return equal;
    return b_.CreateSelect(b_.CreateICmpEQ(equal, members), members, b_.getInt32(0));
  }
  LANEWISE_CHECK(op.kind >= OpKind::ReduceAdd && op.kind <= OpKind::ReduceXor, "a warp op was expected");
  // What lanes that take no part bring changes nothing.
  llvm::APInt start(element->getIntegerBitWidth(), ir::reduction_of(op.kind, type).start, false, true);
  Value* rest = b_.CreateVectorSplat(kLanes, b_.getInt(start));
  return b_.CreateUnaryIntrinsic(reduction(op.kind, type), b_.CreateSelect(as_lanes(members), own, rest));
}

}  // namespace lanewise::codegen::host
