// Barriers, fences, warp ops, and accesses with cache hints. Warp ops are the `.sync` instructions on every
// architecture; what a machine has not (match below sm_70, redux below sm_80, and both of 64 bits) is made of
// shuffles, member by member.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/nvptx/lower.h"
#include "ir/warp_ops.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

constexpr int kSyncVersion = 60;  // PTX of the instructions with a mask

ID shuffle_intrinsic(OpKind kind) {
  switch (kind) {
    case OpKind::ShflIdx: return llvm::Intrinsic::nvvm_shfl_sync_idx_i32;
    case OpKind::ShflUp: return llvm::Intrinsic::nvvm_shfl_sync_up_i32;
    case OpKind::ShflDown: return llvm::Intrinsic::nvvm_shfl_sync_down_i32;
    default: return llvm::Intrinsic::nvvm_shfl_sync_bfly_i32;
  }
}

ID redux_intrinsic(OpKind kind, bool is_signed) {
  switch (kind) {
    case OpKind::ReduceAdd: return llvm::Intrinsic::nvvm_redux_sync_add;
    case OpKind::ReduceMin:
      return is_signed ? llvm::Intrinsic::nvvm_redux_sync_min : llvm::Intrinsic::nvvm_redux_sync_umin;
    case OpKind::ReduceMax:
      return is_signed ? llvm::Intrinsic::nvvm_redux_sync_max : llvm::Intrinsic::nvvm_redux_sync_umax;
    case OpKind::ReduceAnd: return llvm::Intrinsic::nvvm_redux_sync_and;
    case OpKind::ReduceOr: return llvm::Intrinsic::nvvm_redux_sync_or;
    default: return llvm::Intrinsic::nvvm_redux_sync_xor;
  }
}

}  // namespace

Value* FunctionLowering::lower_threads(const ir::Op& op) {
  auto call = [&](ID id, llvm::ArrayRef<Value*> operands) { return b_.CreateIntrinsic(id, {}, operands); };
  switch (op.kind) {
    case OpKind::Barrier:
      call(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {b_.getInt32(0)});
      return nullptr;
    case OpKind::BarrierCount:
      return call(llvm::Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
                  {b_.getInt32(0), value(op.operands[0])});
    case OpKind::BarrierAnd:
      return call(llvm::Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
                  {b_.getInt32(0), value(op.operands[0])});
    case OpKind::BarrierOr:
      return call(llvm::Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                  {b_.getInt32(0), value(op.operands[0])});
    case OpKind::FenceBlock: call(llvm::Intrinsic::nvvm_membar_cta, {}); return nullptr;
    case OpKind::FenceDevice: call(llvm::Intrinsic::nvvm_membar_gl, {}); return nullptr;
    case OpKind::FenceSystem: call(llvm::Intrinsic::nvvm_membar_sys, {}); return nullptr;
    case OpKind::Fence: {
      ir::Ordering ordering = ir::ordering_of(op);
      fence(ordering.scope, ordering.is_total());
      return nullptr;
    }
    case OpKind::GridBarrier: lower_grid_barrier(); return nullptr;
    case OpKind::Clock:
    case OpKind::Clock64:
    case OpKind::GlobalTimer:
    case OpKind::SmId:
    case OpKind::SmCount:
    case OpKind::WarpId: return special_register(op);
    case OpKind::Breakpoint: call(llvm::Intrinsic::debugtrap, {}); return nullptr;
    case OpKind::Nanosleep:
      if (m_.target.sm < 70) return nullptr;  // a hint that these machines cannot be given
      m_.require_ptx(63);
      call(llvm::Intrinsic::nvvm_nanosleep, {value(op.operands[0])});
      return nullptr;
    default: return lower_warp_op(op);
  }
}

Value* FunctionLowering::lower_warp_op(const ir::Op& op) {
  auto call = [&](ID id, llvm::ArrayRef<Value*> operands) { return b_.CreateIntrinsic(id, {}, operands); };
  if (op.kind == OpKind::ActiveMask) {
    m_.require_ptx(62);
    return call(llvm::Intrinsic::nvvm_activemask, {});
  }
  m_.require_ptx(kSyncVersion);
  Value* mask = value(op.operands[0]);
  switch (op.kind) {
    case OpKind::SyncWarp: call(llvm::Intrinsic::nvvm_bar_warp_sync, {mask}); return nullptr;
    case OpKind::VoteAll: return call(llvm::Intrinsic::nvvm_vote_all_sync, {mask, value(op.operands[1])});
    case OpKind::VoteAny: return call(llvm::Intrinsic::nvvm_vote_any_sync, {mask, value(op.operands[1])});
    case OpKind::VoteEq: return call(llvm::Intrinsic::nvvm_vote_uni_sync, {mask, value(op.operands[1])});
    case OpKind::Ballot: return call(llvm::Intrinsic::nvvm_vote_ballot_sync, {mask, value(op.operands[1])});
    case OpKind::MatchAny:
    case OpKind::MatchAll: return match(op, mask);
    case OpKind::ShflIdx:
    case OpKind::ShflUp:
    case OpKind::ShflDown:
    case OpKind::ShflXor: {
      ir::Type type = f_.type(op.results[0]);
      Value* bits = shuffle(op.kind, mask, to_bits(value(op.operands[1])), value(op.operands[2]));
      if (type.is_bool()) return b_.CreateTrunc(bits, b_.getInt1Ty());
      return b_.CreateBitCast(b_.CreateTrunc(bits, b_.getIntNTy(type.bits)), m_.type(type));
    }
    default: return reduce(op, mask);
  }
}

// As an integer of 32 or 64 bits.
Value* FunctionLowering::to_bits(Value* v) {
  unsigned width = v->getType()->getScalarSizeInBits();
  return b_.CreateZExt(b_.CreateBitCast(v, b_.getIntNTy(width)), b_.getIntNTy(width > 32 ? 64 : 32));
}

Value* FunctionLowering::shuffle(OpKind kind, Value* mask, Value* bits, Value* lane) {
  // The last operand holds the bounds of the lanes that may be read.
  Value* bound = b_.getInt32(kind == OpKind::ShflUp ? 0 : 31);
  auto half = [&](Value* part) {
    return b_.CreateIntrinsic(shuffle_intrinsic(kind), {}, {mask, part, lane, bound});
  };
  if (bits->getType()->isIntegerTy(32)) return half(bits);
  Value* low = half(b_.CreateTrunc(bits, b_.getInt32Ty()));
  Value* high = half(b_.CreateTrunc(b_.CreateLShr(bits, 32), b_.getInt32Ty()));
  return b_.CreateOr(b_.CreateZExt(low, b_.getInt64Ty()),
                     b_.CreateShl(b_.CreateZExt(high, b_.getInt64Ty()), 32));
}

// Goes over the lanes that are here and named: combine(lane, what is known so far) -> what is known now.
template <class Combine>
Value* FunctionLowering::for_members(Value* mask, Value* start, Combine combine) {
  Value* members = b_.CreateIntrinsic(llvm::Intrinsic::nvvm_vote_ballot_sync, {}, {mask, b_.getTrue()});
  llvm::BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("member"),
                   *end = new_block("members_end");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode *rest = b_.CreatePHI(b_.getInt32Ty(), 2), *known = b_.CreatePHI(start->getType(), 2);
  rest->addIncoming(members, before);
  known->addIncoming(start, before);
  Value* lane = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b_.getTrue());
  Value* now = combine(lane, known);
  Value* left = b_.CreateAnd(rest, b_.CreateSub(rest, b_.getInt32(1)));
  rest->addIncoming(left, b_.GetInsertBlock());
  known->addIncoming(now, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpNE(left, b_.getInt32(0)), loop, end);
  b_.SetInsertPoint(end);
  return now;
}

Value* FunctionLowering::match(const ir::Op& op, Value* mask) {
  Value* bits = to_bits(value(op.operands[1]));
  bool wide = bits->getType()->isIntegerTy(64), any = op.kind == OpKind::MatchAny;
  if (m_.target.sm >= 70 && any)
    return b_.CreateIntrinsic(
        wide ? llvm::Intrinsic::nvvm_match_any_sync_i64 : llvm::Intrinsic::nvvm_match_any_sync_i32, {},
        {mask, bits});
  if (m_.target.sm >= 70)
    return b_.CreateExtractValue(b_.CreateIntrinsic(wide ? llvm::Intrinsic::nvvm_match_all_sync_i64p
                                                         : llvm::Intrinsic::nvvm_match_all_sync_i32p,
                                                    {}, {mask, bits}),
                                 0);
  Value* equal = for_members(mask, b_.getInt32(0), [&](Value* lane, Value* known) {
    Value* same = b_.CreateICmpEQ(shuffle(OpKind::ShflIdx, mask, bits, lane), bits);
    return b_.CreateOr(known, b_.CreateSelect(same, b_.CreateShl(b_.getInt32(1), lane), b_.getInt32(0)));
  });
  if (any) return equal;
  Value* members = b_.CreateIntrinsic(llvm::Intrinsic::nvvm_vote_ballot_sync, {}, {mask, b_.getTrue()});
  return b_.CreateSelect(b_.CreateICmpEQ(equal, members), members, b_.getInt32(0));
}

Value* FunctionLowering::reduce(const ir::Op& op, Value* mask) {
  ir::Type type = f_.type(op.results[0]);
  Value* own = value(op.operands[1]);
  if (m_.target.sm >= 80 && type.bits <= 32) {
    m_.require_ptx(70);
    Value* bits =
        type.is_signed() ? b_.CreateSExt(own, b_.getInt32Ty()) : b_.CreateZExt(own, b_.getInt32Ty());
    Value* result = b_.CreateIntrinsic(redux_intrinsic(op.kind, type.is_signed()), {}, {bits, mask});
    return b_.CreateTrunc(result, own->getType());
  }
  auto [combine, bits_of_none] = ir::reduction_of(op.kind, type);
  OpKind combination = combine;
  llvm::APInt start(type.bits, bits_of_none, false, true);
  Value* bits = to_bits(own);
  return for_members(mask, b_.getInt(start), [&](Value* lane, Value* known) {
    Value* other = b_.CreateTrunc(shuffle(OpKind::ShflIdx, mask, bits, lane), own->getType());
    return scalars_.emit(combination, type, type, {known, other});
  });
}

// A load or store whose row of ops.def is called after its cache operator. The hints are for global memory.
Value* FunctionLowering::lower_hinted(const ir::Op& op) {
  ir::Type pointer = f_.type(op.operands[0]), element = pointer.element();
  bool loads = ir::is_load(op.kind);
  std::string_view name = ir::info(op.kind).text;
  unsigned width = 8 * element.element_size();
  llvm::Type *bits = b_.getIntNTy(width), *held = b_.getIntNTy(std::max(width, 16u)), *i64 = b_.getInt64Ty();
  std::string text = loads ? "ld" : "st";
  if (pointer.space == ir::Space::Global) text += ".global";
  text += "." + std::string(name.substr(name.size() - 2)) + ".b" + std::to_string(width);
  std::string letter = width == 64 ? "l" : width == 32 ? "r" : "h";
  Value* address = b_.CreatePtrToInt(element_address(op), i64);
  if (loads) {
    bool fresh = op.kind == OpKind::LoadCv;  // every time anew
    auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(held, {i64}, false), text + " $0, [$1];",
                                      "=" + letter + ",l" + (fresh ? ",~{memory}" : ""), fresh);
    llvm::CallInst* loaded = b_.CreateCall(code, {address});
    if (!fresh) loaded->setOnlyReadsMemory();
    loaded->setDoesNotThrow();
    Value* result = b_.CreateTrunc(loaded, bits);
    return element.is_bool() ? b_.CreateIsNotNull(result)
                             : b_.CreateBitCast(result, scalar_type(m_.context, element));
  }
  Value* stored = value(op.operands[2]);
  stored =
      element.is_bool() ? b_.CreateZExt(stored, held) : b_.CreateZExt(b_.CreateBitCast(stored, bits), held);
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(b_.getVoidTy(), {i64, held}, false),
                                    text + " [$0], $1;", "l," + letter + ",~{memory}", true);
  b_.CreateCall(code, {address, stored})->setDoesNotThrow();
  return nullptr;
}

}  // namespace lanewise::codegen
