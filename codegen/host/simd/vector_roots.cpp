// Division and roots of float64 vectors under fast math: the machine's estimates (2**-14) with Newton's
// steps, in vectors of 512 bits. LLVM has such forms for float32 alone. The last step corrects by a residual,
// so that errors stay below 0.6 (quotient), 0.8 (root) and 1.3 (1 / root) units in the last place; 0 and
// infinity come out as they should.
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "codegen/host/module.h"

namespace lanewise::codegen::host {

using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

constexpr unsigned kWidth = 8;  // float64 of 512 bits

Value* estimate(llvm::IRBuilderBase& b, ID intrinsic, Value* x) {
  return b.CreateIntrinsic(intrinsic, {}, {x, llvm::Constant::getNullValue(x->getType()), b.getInt8(0xff)});
}
// a * b + c, rounded once.
Value* fma(llvm::IRBuilderBase& b, Value* x, Value* y, Value* z) {
  return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}
Value* number(Value* like, double value) { return llvm::ConstantFP::get(like->getType(), value); }
Value* is_nan(llvm::IRBuilderBase& b, Value* x) { return b.CreateFCmpUNO(x, x); }

Value* quotient(llvm::IRBuilderBase& b, Value* a, Value* d) {
  Value* rough = estimate(b, llvm::Intrinsic::x86_avx512_rcp14_pd_512, d);
  Value* minus = b.CreateFNeg(d);
  Value* y = fma(b, rough, fma(b, minus, rough, number(d, 1)), rough);
  Value* q = b.CreateFMul(a, y);
  q = fma(b, fma(b, minus, q, a), y, q);
  return b.CreateSelect(is_nan(b, q), b.CreateFMul(a, rough), q);
}

Value* root(llvm::IRBuilderBase& b, Value* x) {
  Value* y = estimate(b, llvm::Intrinsic::x86_avx512_rsqrt14_pd_512, x);
  Value *g = b.CreateFMul(x, y), *h = b.CreateFMul(y, number(x, 0.5));
  Value* r = fma(b, b.CreateFNeg(g), h, number(x, 0.5));
  g = fma(b, g, r, g);
  h = fma(b, h, r, h);
  Value* s = fma(b, fma(b, b.CreateFNeg(g), g, x), h, g);
  Value* end = b.CreateAnd(is_nan(b, s), b.CreateFCmpOGE(x, number(x, 0)));  // 0 or infinity
  return b.CreateSelect(end, x, s);
}

Value* reciprocal_root(llvm::IRBuilderBase& b, Value* x) {
  Value *rough = estimate(b, llvm::Intrinsic::x86_avx512_rsqrt14_pd_512, x), *y = rough;
  for (int step = 0; step < 2; ++step) {
    Value* r = fma(b, b.CreateFNeg(b.CreateFMul(x, y)), b.CreateFMul(y, number(x, 0.5)), number(x, 0.5));
    y = fma(b, y, r, y);
  }
  return b.CreateSelect(is_nan(b, y), rough, y);
}

}  // namespace

bool HostScalar::has_estimates(Value* v) const {
  return mode_.fast_math && vector_bits_ == 512 && v->getType()->isVectorTy() &&
         v->getType()->getScalarType()->isDoubleTy();
}

// A function of parts of 512 bits.
template <class Function, class... Vectors>
Value* HostScalar::in_parts(Function function, Value* first, Vectors... more) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(first->getType())->getNumElements();
  llvm::SmallVector<Value*, 8> parts;
  for (unsigned at = 0; at < lanes; at += kWidth) {
    llvm::SmallVector<int, kWidth> order;
    for (unsigned i = 0; i < kWidth; ++i) order.push_back(static_cast<int>(at + i));
    parts.push_back(
        function(b_, b_.CreateShuffleVector(first, order), b_.CreateShuffleVector(more, order)...));
  }
  return joined(b_, std::move(parts));
}

Value* HostScalar::fast_root(Value* x) {
  Value* result = in_parts(root, x);
  roots_[result] = x;
  return result;
}

Value* HostScalar::fast_reciprocal_root(Value* x) { return in_parts(reciprocal_root, x); }

Value* HostScalar::divide(Value* a, Value* b) {
  // LLVM divides by what is the same in all lanes once.
  if (!has_estimates(b) || llvm::getSplatValue(b)) return ScalarEmitter::divide(a, b);
  if (auto found = roots_.find(b); found != roots_.end())
    return b_.CreateFMul(a, fast_reciprocal_root(found->second));
  return in_parts(quotient, a, b);
}

}  // namespace lanewise::codegen::host
