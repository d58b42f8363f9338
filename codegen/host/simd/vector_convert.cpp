// Conversions of vectors for which LLVM makes one lane after the other.
#include "codegen/host/module.h"

namespace lanewise::codegen::host {

using llvm::Value;

// Truncates, saturates, NaN gives 0: values are brought into the range of the instruction first.
Value* HostScalar::float_to_int(Value* value, ir::Type from, ir::Type to) {
  llvm::Type* type = value->getType();
  if (!type->isVectorTy()) return ScalarEmitter::float_to_int(value, from, to);
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  b_.clearFastMathFlags();
  llvm::Type* target = shaped(scalar_type(b_.getContext(), to), value);
  bool is_signed = to.is_signed();
  llvm::APInt least = is_signed ? llvm::APInt::getSignedMinValue(to.bits) : llvm::APInt::getMinValue(to.bits);
  llvm::APInt most = is_signed ? llvm::APInt::getSignedMaxValue(to.bits) : llvm::APInt::getMaxValue(to.bits);
  const llvm::fltSemantics& semantics = type->getScalarType()->getFltSemantics();
  llvm::APFloat low(semantics), high(semantics);
  low.convertFromAPInt(least, is_signed, llvm::APFloat::rmTowardZero);
  bool exact = high.convertFromAPInt(most, is_signed, llvm::APFloat::rmTowardZero) == llvm::APFloat::opOK;
  auto constant = [&](const llvm::APFloat& number) { return llvm::ConstantFP::get(type, number); };
  Value* number =
      b_.CreateSelect(b_.CreateFCmpUNO(value, value), constant(llvm::APFloat::getZero(semantics)), value);
  Value* above_low = b_.CreateSelect(b_.CreateFCmpOLT(number, constant(low)), constant(low), number);
  Value* within = b_.CreateSelect(b_.CreateFCmpOGT(above_low, constant(high)), constant(high), above_low);
  Value* converted = nullptr;
  if (to.bits < 32) {
    converted = b_.CreateTrunc(b_.CreateFPToSI(within, shaped(b_.getInt32Ty(), value)), target);
  } else {
    converted = is_signed ? b_.CreateFPToSI(within, target) : b_.CreateFPToUI(within, target);
  }
  if (exact) return converted;
  // The highest float is below the highest integer.
  return b_.CreateSelect(b_.CreateFCmpOGT(number, constant(high)), llvm::ConstantInt::get(target, most),
                         converted);
}

}  // namespace lanewise::codegen::host
