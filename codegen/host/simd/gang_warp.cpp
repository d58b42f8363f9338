// Warp ops: a gang is a warp, so they are shuffles and sums of vectors. The rare ones go through memory, as
// where threads run one by one (../warp.cpp).
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"
#include "ir/warp_ops.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::Value;

void GangEmitter::emit_warp_op(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  if (op.kind == OpKind::SyncWarp) return;
  if (std::optional<Lanes> result = warp_in_registers(op)) return define(op.results[0], *result);
  give(id);
  emit_warp(op, first_, bits(exec_));
  ir::Type type = f_.type(op.results[0]);
  Value* loaded = KernelEmitter::load_lanes(LaneArray::Result, bits_type(type), first_,
                                            static_cast<unsigned>(type.element_size()));
  define(op.results[0], Lanes::of_vector(type.is_bool() ? b_.CreateTrunc(loaded, mask_type_)
                                                        : b_.CreateBitCast(loaded, vector_type(type))));
}

std::optional<Lanes> GangEmitter::warp_in_registers(const ir::Op& op) {
  if (op.kind == OpKind::ActiveMask) return Lanes::of_uniform(bits(exec_));
  Lanes named = lanes(op.operands[0]);
  if (!named.uniform()) return std::nullopt;
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(named.base);
  bool everyone = constant && constant->isMinusOne();
  Value* members = everyone ? exec_ : both(exec_, as_lanes(named.base));
  ir::Type type = f_.type(op.operands[1]);
  switch (op.kind) {
    case OpKind::VoteAll:
    case OpKind::VoteAny:
    case OpKind::VoteEq:
    case OpKind::Ballot: {
      Value* here = bits(members);
      Value* yes = bits(both(members, vector(op.operands[1])));
      if (op.kind == OpKind::Ballot) return Lanes::of_uniform(yes);
      Value* all = b_.CreateICmpEQ(yes, here);
      Value* none = b_.CreateICmpEQ(yes, b_.getInt32(0));
      if (op.kind == OpKind::VoteAll) return Lanes::of_uniform(all);
      return Lanes::of_uniform(op.kind == OpKind::VoteAny ? b_.CreateNot(none) : b_.CreateOr(all, none));
    }
    case OpKind::ReduceAdd:
    case OpKind::ReduceMin:
    case OpKind::ReduceMax:
    case OpKind::ReduceAnd:
    case OpKind::ReduceOr:
    case OpKind::ReduceXor: {
      llvm::APInt start(type.bits, static_cast<uint64_t>(ir::reduction_of(op.kind, type).start), false, true);
      Value* rest = b_.CreateVectorSplat(kGang, b_.getInt(start));
      Value* own = vector(op.operands[1]);
      if (!is_all(members)) own = b_.CreateSelect(members, own, rest);
      return Lanes::of_uniform(b_.CreateUnaryIntrinsic(reduction(op.kind, type), own));
    }
    case OpKind::ShflIdx:
    case OpKind::ShflUp:
    case OpKind::ShflDown:
    case OpKind::ShflXor: {
      Lanes lane = lanes(op.operands[2]);
      if (!lane.uniform()) return std::nullopt;
      Value* own = vector(op.operands[1]);
      if (type.is_bool()) own = b_.CreateZExt(own, llvm::FixedVectorType::get(b_.getInt8Ty(), kGang));
      Value* result = nullptr;
      if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(lane.base)) {
        result = shuffle_by_constant(op, own, members, static_cast<unsigned>(known->getZExtValue() % kGang));
      } else if (op.kind == OpKind::ShflIdx) {
        Value* from = b_.CreateAnd(lane.base, kGang - 1);
        Value* there = b_.CreateVectorSplat(kGang, b_.CreateExtractElement(own, from));
        Value* is_member = b_.CreateTrunc(b_.CreateLShr(bits(members), from), b_.getInt1Ty());
        result = b_.CreateSelect(is_member, there, own);
      } else {
        return std::nullopt;
      }
      return Lanes::of_vector(type.is_bool() ? b_.CreateTrunc(result, mask_type_) : result);
    }
    default: return std::nullopt;
  }
}

// Lanes that do not exist or are no members: the own value.
Value* GangEmitter::shuffle_by_constant(const ir::Op& op, Value* own, Value* members, unsigned by) {
  llvm::SmallVector<int, kGang> order;
  llvm::SmallVector<llvm::Constant*, kGang> inside;
  for (unsigned lane = 0; lane < kGang; ++lane) {
    unsigned from = by;
    if (op.kind == OpKind::ShflUp) from = lane - by;
    if (op.kind == OpKind::ShflDown) from = lane + by;
    if (op.kind == OpKind::ShflXor) from = lane ^ by;
    bool exists = from < kGang;
    order.push_back(static_cast<int>(exists ? from : lane));
    inside.push_back(b_.getInt1(exists));
  }
  Value* shuffled = b_.CreateShuffleVector(own, order);
  if (is_all(members)) return shuffled;
  Value* there = b_.CreateAnd(b_.CreateShuffleVector(members, order), llvm::ConstantVector::get(inside));
  return b_.CreateSelect(there, shuffled, own);
}

}  // namespace lanewise::codegen::host
