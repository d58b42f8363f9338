// The scalar ops that take more than an instruction: Python's // and %, shifts by any count, integer power,
// frexp, the next float of 16 bits. Straight-line code throughout: selects instead of branches, safe
// divisors.
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "codegen/common/scalar.h"
#include "ir/error.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::APInt;
using llvm::ConstantInt;
using llvm::Value;

// By zero both are 0; MIN // -1 is MIN, and its remainder 0. Dividing by 1 in place of those keeps the
// machine's instruction from trapping.
Value* ScalarEmitter::floor_div_mod(bool want_quotient, ir::Type type, Value* a, Value* b) {
  const APInt* divisor_value = nullptr;
  if (match(b, llvm::PatternMatch::m_APInt(divisor_value)))
    if (type.is_signed() || divisor_value->isZero())
      return floor_div_mod_by(want_quotient, a, *divisor_value);
  llvm::Type* llvm_type = a->getType();
  Value *zero = ConstantInt::get(llvm_type, 0), *one = ConstantInt::get(llvm_type, 1);
  Value* by_zero = b_.CreateICmpEQ(b, zero);
  if (!type.is_signed()) {
    Value* divisor = b_.CreateSelect(by_zero, one, b);
    if (want_quotient) return b_.CreateSelect(by_zero, zero, b_.CreateUDiv(a, divisor));
    return b_.CreateURem(a, divisor);  // x % 1 is 0
  }
  Value* by_minus_one = b_.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(llvm_type));
  Value* divisor = b_.CreateSelect(b_.CreateOr(by_zero, by_minus_one), one, b);
  Value* rest = b_.CreateSRem(a, divisor);
  Value* signs_differ = b_.CreateICmpSLT(b_.CreateXor(rest, divisor), zero);
  Value* adjust = b_.CreateAnd(signs_differ, b_.CreateICmpNE(rest, zero));
  if (!want_quotient) return b_.CreateSelect(adjust, b_.CreateAdd(rest, divisor), rest);
  Value* quotient = b_.CreateSub(b_.CreateSDiv(a, divisor), b_.CreateZExt(adjust, llvm_type));
  quotient = b_.CreateSelect(by_minus_one, b_.CreateNeg(a), quotient);
  return b_.CreateSelect(by_zero, zero, quotient);
}

// By a constant; signed, or zero.
Value* ScalarEmitter::floor_div_mod_by(bool want_quotient, Value* a, const APInt& divisor) {
  llvm::Type* type = a->getType();
  Value *zero = ConstantInt::get(type, 0), *constant = ConstantInt::get(type, divisor);
  if (divisor.isZero()) return zero;
  if (divisor.isAllOnes()) return want_quotient ? b_.CreateNeg(a) : zero;
  if (divisor.isStrictlyPositive() && divisor.isPowerOf2()) {
    if (!want_quotient) return b_.CreateAnd(a, ConstantInt::get(type, divisor - 1));
    return b_.CreateAShr(a, ConstantInt::get(type, divisor.logBase2()));
  }
  Value* rest = b_.CreateSRem(a, constant);
  Value* other_sign = divisor.isNegative() ? b_.CreateICmpSGT(rest, zero) : b_.CreateICmpSLT(rest, zero);
  if (!want_quotient) return b_.CreateSelect(other_sign, b_.CreateAdd(rest, constant), rest);
  return b_.CreateSub(b_.CreateSDiv(a, constant), b_.CreateZExt(other_sign, type));
}

// As ir/scalar_math.h's floor_div_mod, with selects for its branches.
Value* ScalarEmitter::float_floor_div_mod(bool want_quotient, ir::Type type, Value* a, Value* b) {
  llvm::Constant* zero = llvm::ConstantFP::get(a->getType(), 0.0);
  Value* rest = math(OpKind::Fmod, type, {a, b});
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  llvm::FastMathFlags flags = arithmetic_flags_;
  flags.setAllowContract(false);  // the steps below are exact as they stand
  b_.setFastMathFlags(flags);
  Value* by_zero = b_.CreateFCmpOEQ(b, zero);
  Value* exact = b_.CreateFCmpOEQ(rest, zero);
  Value* signs_differ = b_.CreateXor(b_.CreateFCmpOLT(b, zero), b_.CreateFCmpOLT(rest, zero));
  Value* adjust = b_.CreateAnd(signs_differ, b_.CreateNot(exact));
  if (!want_quotient) {
    Value* signed_zero = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, b);
    Value* moved = b_.CreateSelect(adjust, b_.CreateFAdd(rest, b), rest);
    return b_.CreateSelect(by_zero, rest, b_.CreateSelect(exact, signed_zero, moved));
  }
  Value* ratio = b_.CreateFDiv(a, b);
  Value* quotient = b_.CreateFDiv(b_.CreateFSub(a, rest), b);
  llvm::Constant* one = llvm::ConstantFP::get(a->getType(), 1.0);
  quotient = b_.CreateSelect(adjust, b_.CreateFSub(quotient, one), quotient);
  Value* down = b_.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient);
  llvm::Constant* half = llvm::ConstantFP::get(a->getType(), 0.5);
  Value* too_low = b_.CreateFCmpOGT(b_.CreateFSub(quotient, down), half);
  down = b_.CreateSelect(too_low, b_.CreateFAdd(down, one), down);
  Value* signed_zero = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, zero, ratio);
  down = b_.CreateSelect(b_.CreateFCmpOEQ(quotient, zero), signed_zero, down);
  return b_.CreateSelect(by_zero, ratio, down);
}

// The count is an integer of any type of its own; as unsigned, a negative one is out of range too.
Value* ScalarEmitter::shift(OpKind kind, ir::Type type, Value* a, Value* count) {
  llvm::Type* llvm_type = a->getType();
  unsigned width = type.bits, count_width = count->getType()->getScalarSizeInBits();
  Value* in_range = b_.CreateICmpULT(count, ConstantInt::get(count->getType(), width));
  Value* last = ConstantInt::get(count->getType(), width - 1);
  Value* safe = b_.CreateSelect(in_range, count, last);
  safe = count_width < width ? b_.CreateZExt(safe, llvm_type) : b_.CreateTrunc(safe, llvm_type);
  if (kind == OpKind::Shr && type.is_signed()) return b_.CreateAShr(a, safe);
  Value* shifted = kind == OpKind::Shl ? b_.CreateShl(a, safe) : b_.CreateLShr(a, safe);
  return b_.CreateSelect(in_range, shifted, ConstantInt::get(llvm_type, 0));
}

// A loop, so a function of its own, one for each type:
//   result = 1; for (; e; e >>= 1, b *= b) if (e & 1) result *= b;
// with e = 0 for a negative exponent, whose result is 0, or the base for bases 1 and -1 (1 if it is even).
Value* ScalarEmitter::int_pow(ir::Type type, Value* base, Value* exponent) {
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::LLVMContext& context = b_.getContext();
  llvm::Type* llvm_type = base->getType();
  std::string name = "lanewise.pow." + ir::to_string(type);
  llvm::Function* power = module->getFunction(name);
  if (!power) {
    auto* signature = llvm::FunctionType::get(llvm_type, {llvm_type, llvm_type}, false);
    power = llvm::Function::Create(signature, llvm::GlobalValue::InternalLinkage, name, module);
    power->setDoesNotAccessMemory();
    power->setDoesNotThrow();
    power->setWillReturn();
    auto* entry = llvm::BasicBlock::Create(context, "entry", power);
    auto* loop = llvm::BasicBlock::Create(context, "loop", power);
    auto* end = llvm::BasicBlock::Create(context, "end", power);
    llvm::IRBuilder<> b(entry);
    Value *zero = ConstantInt::get(llvm_type, 0), *one = ConstantInt::get(llvm_type, 1);
    Value* all_ones = llvm::Constant::getAllOnesValue(llvm_type);
    Value *x = power->getArg(0), *n = power->getArg(1);
    Value* negative = type.is_signed() ? b.CreateICmpSLT(n, zero) : b.getFalse();
    Value* odd = b.CreateTrunc(n, b.getInt1Ty());
    Value* of_minus_one = b.CreateSelect(odd, all_ones, one);
    Value* inverse = b.CreateSelect(b.CreateICmpEQ(x, all_ones), of_minus_one,
                                    b.CreateZExt(b.CreateICmpEQ(x, one), llvm_type));
    b.CreateCondBr(b.CreateOr(negative, b.CreateICmpEQ(n, zero)), end, loop);
    b.SetInsertPoint(loop);
    auto *rest = b.CreatePHI(llvm_type, 2), *square = b.CreatePHI(llvm_type, 2),
         *result = b.CreatePHI(llvm_type, 2);
    Value* times = b.CreateSelect(b.CreateTrunc(rest, b.getInt1Ty()), square, one);
    Value* product = b.CreateMul(result, times);
    Value* left = b.CreateLShr(rest, one);
    rest->addIncoming(n, entry), rest->addIncoming(left, loop);
    square->addIncoming(x, entry), square->addIncoming(b.CreateMul(square, square), loop);
    result->addIncoming(one, entry), result->addIncoming(product, loop);
    b.CreateCondBr(b.CreateICmpEQ(left, zero), end, loop);
    b.SetInsertPoint(end);
    auto* value = b.CreatePHI(llvm_type, 2);
    value->addIncoming(b_.getIntN(type.bits, 1), entry), value->addIncoming(product, loop);
    b.CreateRet(b.CreateSelect(negative, inverse, value));
  }
  return b_.CreateCall(power, {base, exponent});
}

// By the bits, for float32 and float64. A denormal is first multiplied by 2**64, which is exact.
Value* ScalarEmitter::frexp(OpKind kind, Value* x) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  bool is_double = x->getType()->getScalarType()->isDoubleTy();
  unsigned bits = is_double ? 64 : 32, mantissa = is_double ? 52 : 23, bias = is_double ? 1022 : 126;
  llvm::Type* int_type = shaped(b_.getIntNTy(bits), x);
  llvm::Constant* zero = llvm::ConstantFP::get(x->getType(), 0.0);
  Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Value* finite = b_.CreateFCmpOLT(magnitude, llvm::ConstantFP::getInfinity(x->getType()));
  Value* ordinary = b_.CreateAnd(finite, b_.CreateFCmpUNE(x, zero));
  const llvm::fltSemantics& semantics = x->getType()->getScalarType()->getFltSemantics();
  llvm::Constant* least =
      llvm::ConstantFP::get(x->getType(), llvm::APFloat::getSmallestNormalized(semantics));
  Value* denormal = b_.CreateFCmpOLT(magnitude, least);
  Value* scaled = b_.CreateSelect(denormal, b_.CreateFMul(x, llvm::ConstantFP::get(x->getType(), 0x1p64)), x);
  Value* raw = b_.CreateBitCast(scaled, int_type);
  APInt field = APInt::getBitsSet(bits, mantissa, bits - 1);
  if (kind == OpKind::FrexpFraction) {
    Value* fraction = b_.CreateAnd(raw, ConstantInt::get(int_type, ~field));
    fraction = b_.CreateOr(fraction, ConstantInt::get(int_type, APInt(bits, bias) << mantissa));
    return b_.CreateSelect(ordinary, b_.CreateBitCast(fraction, x->getType()), x);
  }
  Value* exponent = b_.CreateLShr(b_.CreateAnd(raw, ConstantInt::get(int_type, field)), mantissa);
  exponent = b_.CreateIntCast(exponent, shaped(b_.getInt32Ty(), x), false);
  exponent = b_.CreateSub(exponent,
                          b_.CreateSelect(denormal, shaped_int(32, bias + 64, x), shaped_int(32, bias, x)));
  return b_.CreateSelect(ordinary, exponent, shaped_int(32, 0, x));
}

// Neighbours are neighbouring bit patterns on each side of zero.
Value* ScalarEmitter::next_narrow(ir::Type type, Value* x, Value* y) {
  llvm::Type* i16 = shaped(b_.getInt16Ty(), x);
  auto constant = [&](uint64_t bits) { return shaped_int(16, bits, x); };
  Value* from = widened(x, type, ir::kF32);
  Value* to = widened(y, type, ir::kF32);
  llvm::Constant* zero = llvm::ConstantFP::get(from->getType(), 0.0);
  Value* bits = b_.CreateBitCast(x, i16);
  Value* away = b_.CreateICmpEQ(b_.CreateFCmpOLT(from, to), b_.CreateFCmpOGT(from, zero));
  Value* next = b_.CreateSelect(away, b_.CreateAdd(bits, constant(1)), b_.CreateSub(bits, constant(1)));
  Value* least = b_.CreateSelect(b_.CreateFCmpOGT(to, zero), constant(1), constant(0x8001));
  next = b_.CreateSelect(b_.CreateFCmpOEQ(from, zero), least, next);
  next = b_.CreateSelect(b_.CreateFCmpOEQ(from, to), b_.CreateBitCast(y, i16), next);
  next = b_.CreateSelect(b_.CreateFCmpUNO(from, to), constant(type == ir::kBF16 ? 0x7FC0 : 0x7E00), next);
  return b_.CreateBitCast(next, x->getType());
}

}  // namespace lanewise::codegen
