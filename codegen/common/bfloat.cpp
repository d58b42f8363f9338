// Bfloat16 by integer operations: conversions, signs, fused multiply-add. In and out: i16 values. What they
// mean is ir/scalar_ops.cpp.
#include "codegen/common/scalar.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;

Value* bfloat_to_float(llvm::IRBuilder<>& b, Value* value) {
  Value* bits = b.CreateShl(b.CreateZExt(value, shaped(b.getInt32Ty(), value)), 16);
  return b.CreateBitCast(bits, shaped(b.getFloatTy(), value));
}

namespace {

// A double to a float rounded to odd, as its bits: the last bit says whether anything was lost.
Value* odd_float_bits(llvm::IRBuilder<>& b, Value* value) {
  Value* near = b.CreateFPTrunc(value, shaped(b.getFloatTy(), value));
  Value* back = b.CreateFPExt(near, value->getType());
  Value* beyond = b.CreateFCmpOGT(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                                  b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
  Value* lost = b.CreateFCmpUNE(back, value);
  llvm::Type* i32 = shaped(b.getInt32Ty(), value);
  Value* bits = b.CreateSub(b.CreateBitCast(near, i32), b.CreateZExt(beyond, i32));
  return b.CreateOr(bits, b.CreateZExt(lost, i32));
}

}  // namespace

Value* float_to_bfloat(llvm::IRBuilder<>& b, Value* value) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  Value* bits = value->getType()->getScalarType()->isDoubleTy()
                    ? odd_float_bits(b, value)
                    : b.CreateBitCast(value, shaped(b.getInt32Ty(), value));
  auto constant = [&](uint64_t v) { return shaped_int(32, v, value); };
  Value* even = b.CreateAnd(b.CreateLShr(bits, 16), constant(1));
  Value* rounded = b.CreateLShr(b.CreateAdd(b.CreateAdd(bits, constant(0x7FFF)), even), 16);
  Value* is_nan = b.CreateICmpUGT(b.CreateAnd(bits, constant(0x7FFFFFFF)), constant(0x7F800000));
  Value* nan = b.CreateOr(b.CreateLShr(bits, 16), constant(0x40));
  return b.CreateTrunc(b.CreateSelect(is_nan, nan, rounded), shaped(b.getInt16Ty(), value));
}

Value* as_double(llvm::IRBuilder<>& b, Value* value, ir::Type type) {
  if (type == ir::kBF16) value = bfloat_to_float(b, value);
  return b.CreateFPExt(value, shaped(b.getDoubleTy(), value));
}

Value* ScalarEmitter::widened(Value* value, ir::Type from, ir::Type to) {
  if (from == ir::kBF16) value = bfloat_to_float(b_, value);
  return b_.CreateFPExt(value, shaped(scalar_type(b_.getContext(), to), value));
}

Value* ScalarEmitter::narrowed(Value* value, ir::Type to) {
  return to == ir::kBF16 ? float_to_bfloat(b_, value)
                         : b_.CreateFPTrunc(value, shaped(b_.getHalfTy(), value));
}

Value* ScalarEmitter::bfloat_sign(OpKind kind, Values v) {
  llvm::Constant *sign = shaped_int(16, 0x8000, v[0]), *rest = shaped_int(16, 0x7FFF, v[0]);
  switch (kind) {
    case OpKind::Neg: return b_.CreateXor(v[0], sign);
    case OpKind::Abs: return b_.CreateAnd(v[0], rest);
    case OpKind::CopySign: return b_.CreateOr(b_.CreateAnd(v[0], rest), b_.CreateAnd(v[1], sign));
    default: return b_.CreateICmpSLT(v[0], shaped_int(16, 0, v[0]));
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
  llvm::Constant* zero = llvm::ConstantFP::get(x->getType(), 0.0);
  llvm::Constant *none = shaped_int(64, 0, x), *one = shaped_int(64, 1, x);
  Value* bits = b_.CreateBitCast(sum, one->getType());
  Value* even = b_.CreateICmpEQ(b_.CreateAnd(bits, one), none);
  Value* moves = b_.CreateAnd(even, b_.CreateFCmpONE(rest, zero));  // a NaN for an infinite sum
  Value* away = b_.CreateICmpEQ(b_.CreateFCmpOGT(rest, zero), b_.CreateFCmpOGT(sum, zero));
  Value* moved = b_.CreateSelect(away, b_.CreateAdd(bits, one), b_.CreateSub(bits, one));
  Value* odd = b_.CreateSelect(moves, moved, bits);
  return float_to_bfloat(b_, b_.CreateBitCast(odd, x->getType()));
}

// Rounded once: exactly to a float or double, for which integers of 64 bits first lose bits that decide
// nothing but whether there are any.
Value* ScalarEmitter::int_to_bfloat(Value* value, ir::Type from) {
  bool is_signed = from.is_signed();
  if (from.bits == 64) {
    auto constant = [&](uint64_t v) { return shaped_int(64, v, value); };
    llvm::Constant *low = constant(0xFFF), *zero = constant(0);
    Value* any = b_.CreateICmpNE(b_.CreateAnd(value, low), zero);
    Value* sticky = b_.CreateSelect(any, constant(0x800), zero);
    Value* shorter = b_.CreateOr(b_.CreateAnd(value, constant(~uint64_t{0xFFF})), sticky);
    uint64_t exact = uint64_t{1} << 53;
    Value* large = is_signed ? b_.CreateICmpUGT(b_.CreateAdd(value, constant(exact)), constant(2 * exact))
                             : b_.CreateICmpUGT(value, constant(exact));
    value = b_.CreateSelect(large, shorter, value);
  }
  llvm::Type* exactly = shaped(from.bits <= 16 ? b_.getFloatTy() : b_.getDoubleTy(), value);
  return float_to_bfloat(b_, is_signed ? b_.CreateSIToFP(value, exactly) : b_.CreateUIToFP(value, exactly));
}

}  // namespace lanewise::codegen
