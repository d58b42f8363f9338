// Bfloat16 by integer operations: conversions, signs, fused multiply-add. In and out: i16 values. What they
// mean is ir/scalar_ops.cpp.
#include "codegen/common/scalar.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;

Value* bfloat_to_float(llvm::IRBuilder<>& b, Value* value) {
  Value* bits = b.CreateShl(b.CreateZExt(value, b.getInt32Ty()), 16);
  return b.CreateBitCast(bits, b.getFloatTy());
}

namespace {

// A double to a float rounded to odd, as its bits: the last bit says whether anything was lost.
Value* odd_float_bits(llvm::IRBuilder<>& b, Value* value) {
  Value* near = b.CreateFPTrunc(value, b.getFloatTy());
  Value* back = b.CreateFPExt(near, b.getDoubleTy());
  Value* beyond = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                  b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
  Value* lost = b.CreateFCmpUNE(back, value);
  llvm::Type* i32 = b.getInt32Ty();
  Value* bits = b.CreateSub(b.CreateBitCast(near, i32), b.CreateZExt(beyond, i32));
  return b.CreateOr(bits, b.CreateZExt(lost, i32));
}

}  // namespace

Value* float_to_bfloat(llvm::IRBuilder<>& b, Value* value) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  Value* bits =
      value->getType()->isDoubleTy() ? odd_float_bits(b, value) : b.CreateBitCast(value, b.getInt32Ty());
  Value* even = b.CreateAnd(b.CreateLShr(bits, 16), b.getInt32(1));
  Value* rounded = b.CreateLShr(b.CreateAdd(b.CreateAdd(bits, b.getInt32(0x7FFF)), even), 16);
  Value* is_nan = b.CreateICmpUGT(b.CreateAnd(bits, b.getInt32(0x7FFFFFFF)), b.getInt32(0x7F800000));
  Value* nan = b.CreateOr(b.CreateLShr(bits, 16), b.getInt32(0x40));
  return b.CreateTrunc(b.CreateSelect(is_nan, nan, rounded), b.getInt16Ty());
}

Value* as_double(llvm::IRBuilder<>& b, Value* value, ir::Type type) {
  if (type == ir::kBF16) value = bfloat_to_float(b, value);
  return b.CreateFPExt(value, b.getDoubleTy());
}

Value* ScalarEmitter::widened(Value* value, ir::Type from, ir::Type to) {
  if (from == ir::kBF16) value = bfloat_to_float(b_, value);
  return b_.CreateFPExt(value, scalar_type(b_.getContext(), to));
}

Value* ScalarEmitter::narrowed(Value* value, ir::Type to) {
  return to == ir::kBF16 ? float_to_bfloat(b_, value) : b_.CreateFPTrunc(value, b_.getHalfTy());
}

Value* ScalarEmitter::bfloat_sign(OpKind kind, Values v) {
  llvm::ConstantInt *sign = b_.getInt16(0x8000), *rest = b_.getInt16(0x7FFF);
  switch (kind) {
    case OpKind::Neg: return b_.CreateXor(v[0], sign);
    case OpKind::Abs: return b_.CreateAnd(v[0], rest);
    case OpKind::CopySign: return b_.CreateOr(b_.CreateAnd(v[0], rest), b_.CreateAnd(v[1], sign));
    default: return b_.CreateICmpSLT(v[0], b_.getInt16(0));
  }
}

// In double, rounded to odd; as ir/scalar_ops.cpp's fma_to_odd.
Value* ScalarEmitter::bfloat_fma(Values v) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  Value* x = as_double(b_, v[0], ir::kBF16);
  Value* y = as_double(b_, v[1], ir::kBF16);
  Value* z = as_double(b_, v[2], ir::kBF16);
  Value* product = b_.CreateFMul(x, y);
  Value* sum = b_.CreateFAdd(product, z);
  Value* part = b_.CreateFSub(sum, product);
  Value* rest = b_.CreateFAdd(b_.CreateFSub(product, b_.CreateFSub(sum, part)), b_.CreateFSub(z, part));
  llvm::Constant* zero = llvm::ConstantFP::get(b_.getDoubleTy(), 0.0);
  Value* bits = b_.CreateBitCast(sum, b_.getInt64Ty());
  Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, b_.getInt64(1)), b_.getInt64(0));
  Value* moves = b_.CreateAnd(even, b_.CreateFCmpONE(rest, zero));  // a NaN for an infinite sum
  Value* away = b_.CreateICmpEQ(b_.CreateFCmpOGT(rest, zero), b_.CreateFCmpOGT(sum, zero));
  Value* moved =
      b_.CreateSelect(away, b_.CreateAdd(bits, b_.getInt64(1)), b_.CreateSub(bits, b_.getInt64(1)));
  Value* odd = b_.CreateSelect(moves, moved, bits);
  return float_to_bfloat(b_, b_.CreateBitCast(odd, b_.getDoubleTy()));
}

// Rounded once: exactly to a float or double, for which integers of 64 bits first lose bits that decide
// nothing but whether there are any.
Value* ScalarEmitter::int_to_bfloat(Value* value, ir::Type from) {
  bool is_signed = from.is_signed();
  if (from.bits == 64) {
    llvm::ConstantInt *low = b_.getInt64(0xFFF), *zero = b_.getInt64(0);
    Value* any = b_.CreateICmpNE(b_.CreateAnd(value, low), zero);
    Value* sticky = b_.CreateSelect(any, b_.getInt64(0x800), zero);
    Value* shorter = b_.CreateOr(b_.CreateAnd(value, b_.getInt64(~uint64_t{0xFFF})), sticky);
    uint64_t exact = uint64_t{1} << 53;
    Value* large = is_signed
                       ? b_.CreateICmpUGT(b_.CreateAdd(value, b_.getInt64(exact)), b_.getInt64(2 * exact))
                       : b_.CreateICmpUGT(value, b_.getInt64(exact));
    value = b_.CreateSelect(large, shorter, value);
  }
  llvm::Type* exactly = from.bits <= 16 ? b_.getFloatTy() : b_.getDoubleTy();
  return float_to_bfloat(b_, is_signed ? b_.CreateSIToFP(value, exactly) : b_.CreateUIToFP(value, exactly));
}

}  // namespace lanewise::codegen
