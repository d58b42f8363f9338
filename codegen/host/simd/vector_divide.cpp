// Python's // and % of integer vectors. Machines have no such instruction, and LLVM divides one lane after
// the other; here it is done in double, which holds 32 bits with room to spare:
//   floor(a / b) = floor((a + 1/2) / b) for b > 0,
// where the right side is at least 1/(2b) away from the next integer, much more than it is rounded by: of 32
// bits a reciprocal of 40 bits will do, which some CPUs compute sooner than they divide.
#include <llvm/IR/PatternMatch.h>

#include "codegen/host/module.h"

namespace lanewise::codegen::host {

using llvm::Value;

// Both are 0 by zero; MIN // -1 wraps. |a| and |b| below 2**50 unless the type has 32 bits or fewer.
Value* HostScalar::divide_in_double(bool want_quotient, ir::Type type, Value* a, Value* b) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  bool is_signed = type.is_signed();
  llvm::Type* doubles = shaped(b_.getDoubleTy(), a);
  auto number = [&](double v) { return llvm::ConstantFP::get(doubles, v); };
  auto integer = [&](uint64_t v) { return shaped_int(type.bits, v, a); };
  auto to_double = [&](Value* v) {
    return is_signed ? b_.CreateSIToFP(v, doubles) : b_.CreateUIToFP(v, doubles);
  };
  Value* by_zero = b_.CreateICmpEQ(b, integer(0));
  Value* by_minus_one =
      is_signed ? b_.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(b->getType())) : nullptr;
  Value* special = by_minus_one ? b_.CreateOr(by_zero, by_minus_one) : by_zero;
  Value* divisor = b_.CreateSelect(special, integer(1), b);
  Value *numerator = to_double(a), *denominator = to_double(divisor);
  if (is_signed) {  // the divisor's sign goes to the numerator
    Value* negative = b_.CreateICmpSLT(divisor, integer(0));
    numerator = b_.CreateSelect(negative, b_.CreateFNeg(numerator), numerator);
    denominator = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, denominator);
  }
  Value* half_more = b_.CreateFAdd(numerator, number(0.5));
  const llvm::APInt* constant = nullptr;
  bool known = llvm::PatternMatch::match(b, llvm::PatternMatch::m_APInt(constant));
  bool estimated = !known && type.bits == 32 && divider_.integers_by_estimate;
  Value* ratio = known       ? b_.CreateFMul(half_more, b_.CreateFDiv(number(1), denominator))
                 : estimated ? b_.CreateFMul(half_more, rough_reciprocal_in_parts(denominator))
                             : b_.CreateFDiv(half_more, denominator);
  Value* down = b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, ratio);
  Value* quotient = is_signed ? b_.CreateFPToSI(down, a->getType()) : b_.CreateFPToUI(down, a->getType());
  if (by_minus_one) quotient = b_.CreateSelect(by_minus_one, b_.CreateNeg(a), quotient);
  quotient = b_.CreateSelect(by_zero, integer(0), quotient);
  if (want_quotient) return quotient;
  return b_.CreateSelect(by_zero, integer(0), b_.CreateSub(a, b_.CreateMul(quotient, b)));
}

Value* HostScalar::floor_div_mod(bool want_quotient, ir::Type type, Value* a, Value* b) {
  const llvm::APInt* constant = nullptr;
  bool power = llvm::PatternMatch::match(b, llvm::PatternMatch::m_APInt(constant)) &&
               constant->isPowerOf2() && (!type.is_signed() || constant->isStrictlyPositive());
  if (!a->getType()->isVectorTy() || type.bits == 64 || power)
    return ScalarEmitter::floor_div_mod(want_quotient, type, a, b);
  if (type.bits == 32) return divide_in_double(want_quotient, type, a, b);
  // 8 and 16 bits: as 32, which LLVM converts best.
  llvm::Type* wide = shaped(b_.getInt32Ty(), a);
  ir::Type wide_type = type.is_signed() ? ir::kI32 : ir::kU32;
  auto widen = [&](Value* v) { return type.is_signed() ? b_.CreateSExt(v, wide) : b_.CreateZExt(v, wide); };
  return b_.CreateTrunc(divide_in_double(want_quotient, wide_type, widen(a), widen(b)), a->getType());
}

}  // namespace lanewise::codegen::host
