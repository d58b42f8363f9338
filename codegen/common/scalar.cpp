// Dispatch of the scalar ops by type, arithmetic and comparison.
#include "codegen/common/scalar.h"

#include <llvm/IR/Module.h>

#include "ir/error.h"
#include "ir/scalar_ops.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;

llvm::Type* scalar_type(llvm::LLVMContext& context, ir::Type type) {
  if (type.kind == ir::Type::Kind::Bool) return llvm::Type::getInt1Ty(context);
  if (type.kind != ir::Type::Kind::Float) return llvm::Type::getIntNTy(context, type.bits);  // and bfloat16
  if (type.bits == 16) return llvm::Type::getHalfTy(context);
  return type.bits == 32 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
}

llvm::Type* element_type(llvm::LLVMContext& context, ir::Type type) {
  if (type.kind == ir::Type::Kind::Bool) return llvm::Type::getInt8Ty(context);
  return scalar_type(context, type.element());
}

llvm::Type* shaped(llvm::Type* scalar, const Value* like) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(like->getType());
  return vector ? llvm::VectorType::get(scalar, vector->getElementCount()) : scalar;
}

llvm::Constant* shaped_int(unsigned bits, uint64_t value, const Value* like) {
  return llvm::ConstantInt::get(shaped(llvm::Type::getIntNTy(like->getContext(), bits), like), value, false,
                                true);
}

llvm::Constant* scalar_constant(llvm::LLVMContext& context, const ir::Immediate& value, ir::Type type) {
  llvm::Type* llvm_type = scalar_type(context, type);
  if (const auto* integer = std::get_if<int64_t>(&value); integer && !type.is_float())
    return llvm::ConstantInt::get(llvm_type, static_cast<uint64_t>(*integer), type.is_signed(), true);
  const auto* real = std::get_if<double>(&value);
  LANEWISE_CHECK(real && type.is_float(), "a constant's literal must be of its type's kind");
  if (type == ir::kBF16) return llvm::ConstantInt::get(llvm_type, ir::bits_of(value, type));
  llvm::APFloat number(*real);
  bool inexact = false;
  number.convert(llvm_type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return llvm::ConstantFP::get(llvm_type, number);
}

void ScalarEmitter::set_mode(ir::FloatMode mode) {
  mode_ = mode;
  arithmetic_flags_ = {};
  if (mode.fast_math) arithmetic_flags_.setFast();
  if (mode.contract) arithmetic_flags_.setAllowContract();
}

bool ScalarEmitter::knows(OpKind kind) {
  return ir::info(kind).effect == ir::Effect::None && kind >= OpKind::Add && kind <= OpKind::SignBit &&
         kind != OpKind::SpaceCast;
}

Value* ScalarEmitter::emit(OpKind kind, ir::Type operand, ir::Type result, Values v) {
  switch (kind) {
    case OpKind::Select: return b_.CreateSelect(v[0], v[1], v[2]);
    case OpKind::Cast: return cast(v[0], operand, result);
    case OpKind::Bitcast: return b_.CreateBitCast(v[0], shaped(scalar_type(b_.getContext(), result), v[0]));
    default: break;
  }
  if (!operand.is_float()) return emit_int(kind, operand, v);
  return operand.bits == 16 ? emit_narrow(kind, operand, result, v) : emit_float(kind, operand, v);
}

Value* ScalarEmitter::emit_int(OpKind kind, ir::Type type, Values v) {
  bool is_signed = type.is_signed();
  auto compare = [&](llvm::CmpInst::Predicate with_sign, llvm::CmpInst::Predicate without) {
    return b_.CreateICmp(is_signed ? with_sign : without, v[0], v[1]);
  };
  using llvm::CmpInst;
  namespace Intrinsic = llvm::Intrinsic;
  switch (kind) {
    case OpKind::Add: return b_.CreateAdd(v[0], v[1]);
    case OpKind::Sub: return b_.CreateSub(v[0], v[1]);
    case OpKind::Mul: return b_.CreateMul(v[0], v[1]);
    case OpKind::FloorDiv: return floor_div_mod(true, type, v[0], v[1]);
    case OpKind::FloorMod: return floor_div_mod(false, type, v[0], v[1]);
    case OpKind::Neg: return b_.CreateNeg(v[0]);
    case OpKind::Abs: return is_signed ? b_.CreateBinaryIntrinsic(Intrinsic::abs, v[0], b_.getFalse()) : v[0];
    case OpKind::Min:
      return b_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, v[0], v[1]);
    case OpKind::Max:
      return b_.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, v[0], v[1]);
    case OpKind::IntPow: return int_pow(type, v[0], v[1]);
    case OpKind::And: return b_.CreateAnd(v[0], v[1]);
    case OpKind::Or: return b_.CreateOr(v[0], v[1]);
    case OpKind::Xor: return b_.CreateXor(v[0], v[1]);
    case OpKind::Not: return b_.CreateNot(v[0]);
    case OpKind::Shl:
    case OpKind::Shr: return shift(kind, type, v[0], v[1]);
    case OpKind::Popc:
    case OpKind::Clz:
    case OpKind::Ffs: return bit_count(kind, v[0]);
    case OpKind::Brev: return b_.CreateUnaryIntrinsic(Intrinsic::bitreverse, v[0]);
    case OpKind::Eq: return b_.CreateICmpEQ(v[0], v[1]);
    case OpKind::Ne: return b_.CreateICmpNE(v[0], v[1]);
    case OpKind::Lt: return compare(CmpInst::ICMP_SLT, CmpInst::ICMP_ULT);
    case OpKind::Le: return compare(CmpInst::ICMP_SLE, CmpInst::ICMP_ULE);
    case OpKind::Gt: return compare(CmpInst::ICMP_SGT, CmpInst::ICMP_UGT);
    case OpKind::Ge: return compare(CmpInst::ICMP_SGE, CmpInst::ICMP_UGE);
    default: break;
  }
  throw ir::InternalError("no integer form of `" + std::string(ir::info(kind).text) + "`");
}

Value* ScalarEmitter::bit_count(OpKind kind, Value* x) {
  namespace Intrinsic = llvm::Intrinsic;
  Value* count = nullptr;
  if (kind == OpKind::Popc) {
    count = b_.CreateUnaryIntrinsic(Intrinsic::ctpop, x);
  } else if (kind == OpKind::Clz) {
    count = b_.CreateBinaryIntrinsic(Intrinsic::ctlz, x, b_.getFalse());
  } else {
    auto* one = llvm::ConstantInt::get(x->getType(), 1);
    Value* place = b_.CreateAdd(b_.CreateBinaryIntrinsic(Intrinsic::cttz, x, b_.getFalse()), one);
    count = b_.CreateSelect(b_.CreateIsNull(x), llvm::Constant::getNullValue(x->getType()), place);
  }
  return b_.CreateZExtOrTrunc(count, shaped(b_.getInt32Ty(), x));
}

// A product that is added is rounded first, as where an instruction does the addition.
Value* ScalarEmitter::emit_atomic(OpKind kind, ir::Type type, Value* old, Value* operand) {
  ir::FloatMode outer = mode_;
  set_mode({.contract = false});
  Value* left = atomic_result(kind, type, old, operand);
  set_mode(outer);
  return left;
}

Value* ScalarEmitter::atomic_result(OpKind kind, ir::Type type, Value* old, Value* operand) {
  auto of = [&](OpKind scalar) { return emit(scalar, type, type, {old, operand}); };
  switch (kind) {
    case OpKind::AtomicAdd: return of(OpKind::Add);
    case OpKind::AtomicSub: return of(OpKind::Sub);
    case OpKind::AtomicAnd: return of(OpKind::And);
    case OpKind::AtomicOr: return of(OpKind::Or);
    case OpKind::AtomicXor: return of(OpKind::Xor);
    case OpKind::AtomicExch: return operand;
    case OpKind::AtomicNanMin: return of(OpKind::Min);
    case OpKind::AtomicNanMax: return of(OpKind::Max);
    case OpKind::AtomicMin:
    case OpKind::AtomicMax: {
      Value* chosen = of(kind == OpKind::AtomicMin ? OpKind::Min : OpKind::Max);
      // min and max drop a NaN; one in memory stays.
      if (!type.is_float()) return chosen;
      return b_.CreateSelect(emit(OpKind::IsNan, type, ir::kBool, {old}), old, chosen);
    }
    case OpKind::AtomicInc: {
      auto* one = llvm::ConstantInt::get(old->getType(), 1);
      return b_.CreateSelect(b_.CreateICmpUGE(old, operand), llvm::Constant::getNullValue(old->getType()),
                             b_.CreateAdd(old, one));
    }
    case OpKind::AtomicDec: {
      auto* one = llvm::ConstantInt::get(old->getType(), 1);
      Value* wraps = b_.CreateOr(b_.CreateIsNull(old), b_.CreateICmpUGT(old, operand));
      return b_.CreateSelect(wraps, operand, b_.CreateSub(old, one));
    }
    default: throw ir::InternalError("`" + std::string(ir::info(kind).text) + "` does not combine");
  }
}

Value* ScalarEmitter::emit_float(OpKind kind, ir::Type type, Values v) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.setFastMathFlags(arithmetic_flags_);
  switch (kind) {
    case OpKind::Add: return b_.CreateFAdd(v[0], v[1]);
    case OpKind::Sub: return b_.CreateFSub(v[0], v[1]);
    case OpKind::Mul: return b_.CreateFMul(v[0], v[1]);
    case OpKind::Div: return divide(v[0], v[1]);
    case OpKind::FloorDiv: return float_floor_div_mod(true, type, v[0], v[1]);
    case OpKind::FloorMod: return float_floor_div_mod(false, type, v[0], v[1]);
    case OpKind::Min: return float_min_max(true, v[0], v[1]);
    case OpKind::Max: return float_min_max(false, v[0], v[1]);
    case OpKind::Eq: return b_.CreateFCmpOEQ(v[0], v[1]);
    case OpKind::Ne: return b_.CreateFCmpUNE(v[0], v[1]);
    case OpKind::Lt: return b_.CreateFCmpOLT(v[0], v[1]);
    case OpKind::Le: return b_.CreateFCmpOLE(v[0], v[1]);
    case OpKind::Gt: return b_.CreateFCmpOGT(v[0], v[1]);
    case OpKind::Ge: return b_.CreateFCmpOGE(v[0], v[1]);
    case OpKind::Neg: return b_.CreateFNeg(v[0]);
    case OpKind::Abs: return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v[0]);
    case OpKind::FrexpFraction:
    case OpKind::FrexpExponent: return frexp(kind, v[0]);
    case OpKind::IsNan:
    case OpKind::IsInf:
    case OpKind::IsFinite:
    case OpKind::SignBit: return float_class(kind, v[0]);
    default: return math(kind, type, v);
  }
}

// Float16 and bfloat16 are computed in float32 and rounded once, which is exact for + - * / sqrt because a
// float32 has more than twice the precision plus two bits. fma would be rounded twice; in float64 every sum
// near a float16's midpoint is exact.
Value* ScalarEmitter::emit_narrow(OpKind kind, ir::Type type, ir::Type result, Values v) {
  bool brain = type == ir::kBF16;
  switch (kind) {
    case OpKind::Neg:
    case OpKind::Abs:
    case OpKind::SignBit: return brain ? bfloat_sign(kind, v) : emit_float(kind, type, v);
    case OpKind::CopySign:
      return brain ? bfloat_sign(kind, v) : b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, v[0], v[1]);
    case OpKind::NextAfter: return next_narrow(type, v[0], v[1]);
    case OpKind::Fma:
      if (brain) return bfloat_fma(v);
      break;
    default: break;
  }
  ir::Type wide = kind == OpKind::Fma ? ir::kF64 : ir::kF32;
  llvm::Type* narrow = scalar_type(b_.getContext(), type);
  llvm::SmallVector<Value*, 3> operands;
  for (Value* value : v)
    operands.push_back(value->getType()->getScalarType() == narrow ? widened(value, type, wide) : value);
  Value* value = emit_float(kind, wide, operands);
  return result.is_float() ? narrowed(value, type) : value;
}

Value* ScalarEmitter::cast(Value* value, ir::Type from, ir::Type to) {
  if (from == to) return value;
  llvm::Type* target = shaped(scalar_type(b_.getContext(), to), value);
  llvm::Type* single = shaped(b_.getFloatTy(), value);
  if (from == ir::kBF16) return cast(bfloat_to_float(b_, value), ir::kF32, to);
  if (to.is_bool()) {
    llvm::Constant* zero = llvm::Constant::getNullValue(value->getType());
    return from.is_float() ? b_.CreateFCmpUNE(value, zero) : b_.CreateICmpNE(value, zero);
  }
  if (to == ir::kBF16)
    return !from.is_float() ? int_to_bfloat(value, from)
                            : float_to_bfloat(b_, from == ir::kF16 ? widened(value, from, ir::kF32) : value);
  if (from.is_float() && to.is_float())
    return from.bits < to.bits ? b_.CreateFPExt(value, target) : b_.CreateFPTrunc(value, target);
  if (from.is_float()) {
    if (from.bits == 16) value = b_.CreateFPExt(value, single);
    return float_to_int(value, from.bits == 16 ? ir::kF32 : from, to);
  }
  if (!to.is_float()) return b_.CreateIntCast(value, target, from.is_signed());
  // An integer that a float32 does not hold exactly is beyond float16's range.
  llvm::Type* through = to.bits == 16 ? single : target;
  Value* wide = from.is_signed() ? b_.CreateSIToFP(value, through) : b_.CreateUIToFP(value, through);
  return to.bits == 16 ? b_.CreateFPTrunc(wide, target) : wide;
}

Value* ScalarEmitter::float_to_int(Value* value, ir::Type, ir::Type to) {
  auto id = to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b_.CreateIntrinsic(id, {shaped(scalar_type(b_.getContext(), to), value), value->getType()}, {value});
}

// LLVM 22 gets minimumnum wrong for AVX-512 where it knows of one operand that it is no NaN (a converted
// integer) and not of the other: the NaN comes out. A constant operand it gets right.
Value* ScalarEmitter::float_min_max(bool is_min, Value* a, Value* b) {
  bool x86 = b_.GetInsertBlock()->getModule()->getTargetTriple().isX86();
  if (!x86 || mode_.fast_math || llvm::isa<llvm::Constant>(a) || llvm::isa<llvm::Constant>(b)) {
    auto id = is_min ? llvm::Intrinsic::minimumnum : llvm::Intrinsic::maximumnum;
    return b_.CreateBinaryIntrinsic(id, a, b);
  }
  auto id = is_min ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum;  // of a NaN a NaN
  Value* least = b_.CreateBinaryIntrinsic(id, a, b);
  least = b_.CreateSelect(b_.CreateFCmpUNO(b, b), a, least);
  return b_.CreateSelect(b_.CreateFCmpUNO(a, a), b, least);
}

Value* ScalarEmitter::float_class(OpKind kind, Value* x) {
  if (kind == OpKind::SignBit) {
    unsigned bits = x->getType()->getScalarSizeInBits();
    return b_.CreateICmpSLT(b_.CreateBitCast(x, shaped(b_.getIntNTy(bits), x)), shaped_int(bits, 0, x));
  }
  if (kind == OpKind::IsNan) return b_.CreateFCmpUNO(x, x);
  Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Constant* infinity = llvm::ConstantFP::getInfinity(x->getType());
  return kind == OpKind::IsInf ? b_.CreateFCmpOEQ(magnitude, infinity)
                               : b_.CreateFCmpOLT(magnitude, infinity);
}

}  // namespace lanewise::codegen
