// The estimates have 14 bits. Each Newton step doubles them; the last correction is by a residual that an FMA
// computes exactly, from which the nearest number follows. One thing is not as in the textbooks: the last
// step of a reciprocal that is about to be rounded adds e + e*e, rounded up, so that the tie of a divisor
// whose mantissa is all ones (1/d = 1/2 + half a unit) goes the right way. Leaving out any op gives wrong
// bits somewhere, seldom where random tests look: tests/unit/codegen/divider_test.cpp has the hard cases.
#include "codegen/host/simd/vector_roots.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "codegen/host/module.h"

namespace lanewise::codegen::host {

using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

bool is_single(const Value* v) { return v->getType()->getScalarType()->isFloatTy(); }
int steps(const Value* v) { return is_single(v) ? 1 : 2; }  // from 14 bits to nearly all

Value* estimate(llvm::IRBuilderBase& b, ID of_float32, ID of_float64, Value* x) {
  bool single = is_single(x);
  return b.CreateIntrinsic(single ? of_float32 : of_float64, {},
                           {x, llvm::Constant::getNullValue(x->getType()),
                            single ? static_cast<Value*>(b.getInt16(0xffff)) : b.getInt8(0xff)});
}
Value* reciprocal_estimate(llvm::IRBuilderBase& b, Value* x) {
  return estimate(b, llvm::Intrinsic::x86_avx512_rcp14_ps_512, llvm::Intrinsic::x86_avx512_rcp14_pd_512, x);
}
Value* root_estimate(llvm::IRBuilderBase& b, Value* x) {
  return estimate(b, llvm::Intrinsic::x86_avx512_rsqrt14_ps_512, llvm::Intrinsic::x86_avx512_rsqrt14_pd_512,
                  x);
}
// x * y + z, rounded once.
Value* fma(llvm::IRBuilderBase& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}
// z - x * y
Value* fma_minus(llvm::IRBuilderBase& b, Value* x, Value* y, Value* z) {
  return fma(b, b.CreateFNeg(x), y, z);
}
Value* fma_up(llvm::IRBuilderBase& b, Value* x, Value* y, Value* z) {
  constexpr uint32_t kUp = 2, kNoExceptions = 8;
  ID id =
      is_single(x) ? llvm::Intrinsic::x86_avx512_vfmadd_ps_512 : llvm::Intrinsic::x86_avx512_vfmadd_pd_512;
  return b.CreateIntrinsic(id, {}, {x, y, z, b.getInt32(kUp | kNoExceptions)});
}
Value* number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }
Value* is_nan(llvm::IRBuilderBase& b, Value* x) { return b.CreateFCmpUNO(x, x); }

// Towards 1 / d, twice as many bits.
Value* newton(llvm::IRBuilderBase& b, Value* y, Value* d) {
  return fma(b, y, fma_minus(b, d, y, number(y, 1)), y);
}
Value* last_step(llvm::IRBuilderBase& b, Value* y, Value* d) {
  Value* e = fma_minus(b, d, y, number(y, 1));
  return fma(b, y, fma_up(b, e, e, e), y);
}

// sqrt(x) and 1 / (2 sqrt(x)), nearly.
struct Halves {
  Value *g, *h;
};
Halves root_halves(llvm::IRBuilderBase& b, Value* x, int steps) {
  Value* y = root_estimate(b, x);
  Halves v{b.CreateFMul(x, y), b.CreateFMul(y, number(x, 0.5))};
  for (int i = 0; i < steps; ++i) {
    Value* r = fma_minus(b, v.g, v.h, number(x, 0.5));
    v = {fma(b, v.g, r, v.g), fma(b, v.h, r, v.h)};
  }
  return v;
}
Value* corrected_root(llvm::IRBuilderBase& b, Value* x, const Halves& v) {
  return fma(b, fma_minus(b, v.g, v.g, x), v.h, v.g);
}

// A number's bits, compared as integers.
struct Bits {
  llvm::IRBuilderBase& b;
  Value* v;
  unsigned width;

  Bits(llvm::IRBuilderBase& builder, Value* number)
      : b(builder), v(nullptr), width(is_single(number) ? 32 : 64) {
    v = b.CreateBitCast(number, shaped(b.getIntNTy(width), number));
  }
  // The constant's highest bits are given.
  Value* high(uint32_t bits) const {
    return shaped_int(width, static_cast<uint64_t>(bits) << (width - 32), v);
  }
  Value* is_clear(uint32_t minus, uint32_t mask) const {
    return b.CreateIsNull(b.CreateAnd(b.CreateSub(v, high(minus)), high(mask)));
  }
};

}  // namespace

Value* in_range(llvm::IRBuilderBase& b, DividerOp op, Value* a, Value* d, Divisor divisor) {
  if (op == DividerOp::Root || op == DividerOp::ReciprocalRoot) {  // 2**-100 or 2**-960 up to infinity
    Bits bits(b, d);
    return bits.width == 32
               ? b.CreateICmpULT(b.CreateSub(bits.v, bits.high(0x0D800000)), bits.high(0x72000000))
               : b.CreateICmpULT(b.CreateSub(bits.v, bits.high(0x03F00000)), bits.high(0x7C000000));
  }
  if (op == DividerOp::Reciprocal) {  // neither it nor its reciprocal is subnormal or infinite
    Bits bits(b, d);
    Value* magnitude = b.CreateShl(bits.v, 1);
    return bits.width == 32
               ? b.CreateICmpULT(b.CreateSub(magnitude, bits.high(0x01000000)), bits.high(0xFC000000))
               : b.CreateICmpULT(b.CreateSub(magnitude, bits.high(0x00200000)), bits.high(0xFF800000));
  }
  // Quotient and residual are far from both ends. Of float64 the same bits, which stand for more.
  Value* zero = b.CreateFCmpOEQ(a, number(a, 0));
  Bits numerator(b, a);
  if (divisor == Divisor::Uniform)
    return b.CreateOr(zero, numerator.is_clear(0x20000000, 0x40000000));         // 2**-63 .. 2**65
  Value* inside = b.CreateOr(zero, numerator.is_clear(0x30000000, 0x60000000));  // 2**-31 .. 2**33
  if (divisor == Divisor::Root) return inside;                                   // 2**-50 or 2**-480 and more
  return b.CreateAnd(inside, Bits(b, d).is_clear(0x20000000, 0x40000000));
}

Value* divisor_in_range(llvm::IRBuilderBase& b, Value* d) {
  Value* magnitude = llvm::isa<llvm::Constant>(d) ? b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, d) : d;
  double limit = is_single(d) ? 0x1p60 : 0x1p500;
  return b.CreateAnd(b.CreateFCmpOGE(magnitude, number(d, 1 / limit)),
                     b.CreateFCmpOLE(magnitude, number(d, limit)));
}

Value* exact_reciprocal(llvm::IRBuilderBase& b, Value* d) {
  Value* y = reciprocal_estimate(b, d);
  for (int i = 0; i < steps(d); ++i) y = newton(b, y, d);
  return last_step(b, y, d);
}

// The residual's sign is such that a zero keeps its own.
Value* exact_quotient(llvm::IRBuilderBase& b, Value* a, Value* d, Value* reciprocal, DivisorSign sign) {
  Value* q = b.CreateFMul(a, reciprocal);
  if (sign == DivisorSign::Positive) {
    Value* r = fma(b, d, q, b.CreateFNeg(a));
    return fma_minus(b, r, reciprocal, q);
  }
  Value* corrected = fma(b, fma_minus(b, d, q, a), reciprocal, q);
  if (sign == DivisorSign::Negative) return corrected;
  return b.CreateSelect(b.CreateFCmpUNE(a, number(a, 0)), corrected, q);
}

Value* exact_root(llvm::IRBuilderBase& b, Value* x) {
  return corrected_root(b, x, root_halves(b, x, steps(x)));
}

RootAndReciprocal exact_reciprocal_root(llvm::IRBuilderBase& b, Value* x) {
  Halves halves = root_halves(b, x, steps(x));
  Value *s = corrected_root(b, x, halves), *y = b.CreateFAdd(halves.h, halves.h);
  for (int i = 1; i < steps(x); ++i) y = newton(b, y, s);
  return {s, last_step(b, y, s)};
}

Value* fast_quotient(llvm::IRBuilderBase& b, Value* a, Value* d) {
  Value *rough = reciprocal_estimate(b, d), *y = newton(b, rough, d);
  Value* q = b.CreateFMul(a, y);
  q = fma(b, fma_minus(b, d, q, a), y, q);
  return b.CreateSelect(is_nan(b, q), b.CreateFMul(a, rough), q);
}

Value* fast_root(llvm::IRBuilderBase& b, Value* x) {
  Value* s = corrected_root(b, x, root_halves(b, x, 1));
  Value* end = b.CreateAnd(is_nan(b, s), b.CreateFCmpOGE(x, number(x, 0)));  // 0 or infinity
  return b.CreateSelect(end, x, s);
}

Value* fast_reciprocal_root(llvm::IRBuilderBase& b, Value* x) {
  Value *rough = root_estimate(b, x), *y = rough;
  for (int i = 0; i < 2; ++i) {
    Value* r = fma_minus(b, b.CreateFMul(x, y), b.CreateFMul(y, number(x, 0.5)), number(x, 0.5));
    y = fma(b, y, r, y);
  }
  return b.CreateSelect(is_nan(b, y), rough, y);
}

Value* rough_reciprocal(llvm::IRBuilderBase& b, Value* d) {
  Value* y = reciprocal_estimate(b, d);
  Value* e = fma_minus(b, d, y, number(y, 1));
  return fma(b, y, fma(b, e, e, e), y);
}

Value* part_of(llvm::IRBuilderBase& b, Value* v, unsigned first, unsigned lanes) {
  if (llvm::cast<llvm::FixedVectorType>(v->getType())->getNumElements() == lanes) return v;
  llvm::SmallVector<int, 32> order;
  for (unsigned i = 0; i < lanes; ++i) order.push_back(static_cast<int>(first + i));
  return b.CreateShuffleVector(v, order);
}

// --- fast math
// LLVM has short forms of its own of float32, for reciprocals that are shared and products with roots too.
bool HostScalar::has_fast_form(DividerOp op, Value* v) const {
  if (!mode_.fast_math || vector_bits_ != 512 || !v->getType()->isVectorTy() ||
      !v->getType()->getScalarType()->isDoubleTy())
    return false;
  const DividerCost& cost = divider_.of(op, 64);
  return cost.fast < cost.instruction;
}

// A function of parts of 512 bits.
template <class Function, class... Vectors>
Value* HostScalar::in_parts(Function function, Value* first, Vectors... more) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(first->getType())->getNumElements();
  unsigned width = 512 / first->getType()->getScalarSizeInBits();
  llvm::SmallVector<Value*, 8> parts;
  for (unsigned at = 0; at < lanes; at += width)
    parts.push_back(function(b_, part_of(b_, first, at, width), part_of(b_, more, at, width)...));
  return joined(b_, std::move(parts));
}

Value* HostScalar::root_in_parts(Value* x) {
  Value* result = in_parts(fast_root, x);
  roots_[result] = x;
  return result;
}

Value* HostScalar::reciprocal_root_in_parts(Value* x) { return in_parts(fast_reciprocal_root, x); }

Value* HostScalar::rough_reciprocal_in_parts(Value* d) { return in_parts(rough_reciprocal, d); }

Value* HostScalar::divide(Value* a, Value* b) {
  // LLVM divides by what is the same in all lanes once.
  if (!has_fast_form(DividerOp::Quotient, b) || llvm::getSplatValue(b)) return ScalarEmitter::divide(a, b);
  if (auto found = roots_.find(b); found != roots_.end() && has_fast_form(DividerOp::ReciprocalRoot, b))
    return b_.CreateFMul(a, reciprocal_root_in_parts(found->second));
  return in_parts(fast_quotient, a, b);
}

}  // namespace lanewise::codegen::host
