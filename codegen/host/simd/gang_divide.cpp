// Python's // and % of 64-bit integers that differ between lanes: in double where all lanes' numbers are
// small enough, which is asked once; else lane by lane.
#include <llvm/IR/PatternMatch.h>

#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::Value;

bool GangEmitter::is_long_division(const ir::Op& op) {
  if ((op.kind != OpKind::FloorDiv && op.kind != OpKind::FloorMod) || m_.vector_bits < 512) return false;
  ir::Type type = f_.type(op.operands[0]);
  Lanes a = lanes(op.operands[0]), b = lanes(op.operands[1]);
  if (!type.is_int() || type.bits != 64 || (a.uniform() && b.uniform())) return false;
  auto* constant = b.uniform() ? llvm::dyn_cast<llvm::ConstantInt>(b.base) : nullptr;
  return !constant || !(constant->isZero() || constant->getValue().isPowerOf2());
}

void GangEmitter::emit_long_division(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  ir::Type type = f_.type(op.operands[0]);
  bool quotient = op.kind == OpKind::FloorDiv;
  Value *a = vector(op.operands[0]), *b = vector(op.operands[1]);
  if (is_in_int32(op.operands[0]) && is_in_int32(op.operands[1])) {
    llvm::Type* narrow = vector_type(ir::kI32);
    Value* result =
        scalar_.emit(op.kind, ir::kI32, ir::kI32, {b_.CreateTrunc(a, narrow), b_.CreateTrunc(b, narrow)});
    return define(op.results[0], Lanes::of_vector(b_.CreateSExt(result, a->getType())));
  }
  constexpr uint64_t kLimit = uint64_t{1} << 50;
  auto is_small = [&](Value* v) -> Value* {
    const llvm::APInt* constant = nullptr;
    if (llvm::PatternMatch::match(v, llvm::PatternMatch::m_APInt(constant)))
      return (type.is_signed() ? constant->abs() : *constant).ult(kLimit) ? all_lanes() : no_lanes();
    Value* shifted = type.is_signed() ? b_.CreateAdd(v, shaped_int(64, kLimit, v)) : v;
    return b_.CreateICmpULT(shifted, shaped_int(64, type.is_signed() ? 2 * kLimit : kLimit, v));
  };
  Value* large = without(exec_, both(is_small(a), is_small(b)));
  Join end = new_join("divided", op.results);
  llvm::BasicBlock *quick = new_block("quick"), *slow = new_block("slow");
  b_.CreateCondBr(any(large), slow, quick);
  b_.SetInsertPoint(slow);
  emit_per_lane({id});
  go_to(end, Values{lanes(op.results[0])});
  b_.SetInsertPoint(quick);
  go_to(end, Values{Lanes::of_vector(scalar_.divide_in_double(quotient, type, a, b))});
  Values results = start(end);
  define(op.results[0], results[0]);
}

}  // namespace lanewise::codegen::host
