// Elementary functions on the CPU: the HOST column of ops.def, read here only.
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "codegen/host/module.h"
#include "codegen/host/simd/vector_functions.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

struct Lowering {
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::not_intrinsic;
  const char* libm = nullptr;  // the double's function; the float's has an f behind it
};

#define CUSTOM \
  {}
#define INTRINSIC(name) \
  { llvm::Intrinsic::name, nullptr }
#define LIBM(stem) \
  { llvm::Intrinsic::not_intrinsic, stem }
constexpr Lowering kHost[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) HOST,
#include "ir/ops.def"
};
#undef CUSTOM
#undef INTRINSIC
#undef LIBM

llvm::FunctionCallee libm_function(llvm::Module& module, const std::string& name, llvm::Type* result,
                                   llvm::ArrayRef<llvm::Value*> operands) {
  llvm::SmallVector<llvm::Type*, 3> types;
  for (llvm::Value* operand : operands) types.push_back(operand->getType());
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  if (auto* function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setDoesNotAccessMemory();  // nobody looks at errno
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return callee;
}

}  // namespace

bool HostScalar::has_vectors(ir::OpKind kind, ir::Type operand) const {
  using ir::OpKind;
  if (kind == OpKind::IntPow) return false;
  if (kind == OpKind::FloorDiv || kind == OpKind::FloorMod) return !operand.is_float();
  const char* libm = kHost[static_cast<size_t>(kind)].libm;
  if (!libm || (kind == OpKind::NextAfter && operand.bits == 16)) return true;
  return vector_function(libm, operand.bits == 64 ? 64 : 32, vector_bits_).address;
}

llvm::Value* HostScalar::vector_math(const char* stem, ir::Type type, Values operands) {
  VectorFunction function = vector_function(stem, type.bits, vector_bits_);
  LANEWISE_CHECK(function.address, "no elementary function of vectors: " + std::string(stem));
  unsigned lanes = llvm::cast<llvm::FixedVectorType>(operands[0]->getType())->getNumElements();
  unsigned width = vector_bits_ / type.bits;
  llvm::Type* part_type = llvm::FixedVectorType::get(scalar_type(b_.getContext(), type), width);
  llvm::SmallVector<llvm::Value*, 8> results;
  for (unsigned first = 0; first < lanes; first += width) {
    llvm::SmallVector<int, 16> order;
    for (unsigned i = 0; i < width; ++i) order.push_back(static_cast<int>(first + i));
    llvm::SmallVector<llvm::Value*, 2> parts;
    for (llvm::Value* operand : operands) parts.push_back(b_.CreateShuffleVector(operand, order));
    results.push_back(b_.CreateCall(
        libm_function(*b_.GetInsertBlock()->getModule(), function.name, part_type, parts), parts));
  }
  return joined(b_, std::move(results));
}

llvm::Value* joined(llvm::IRBuilderBase& b, llvm::SmallVector<llvm::Value*, 8> parts) {
  while (parts.size() > 1) {
    unsigned count = llvm::cast<llvm::FixedVectorType>(parts[0]->getType())->getNumElements();
    llvm::SmallVector<int, 32> order;
    for (unsigned i = 0; i < 2 * count; ++i) order.push_back(static_cast<int>(i));
    for (size_t i = 0; 2 * i < parts.size(); ++i)
      parts[i] = b.CreateShuffleVector(parts[2 * i], parts[2 * i + 1], order);
    parts.resize(parts.size() / 2);
  }
  return parts[0];
}

llvm::Value* HostScalar::math(ir::OpKind kind, ir::Type type, Values operands) {
  if (kind == ir::OpKind::Sqrt && has_fast_form(DividerOp::Root, operands[0]))
    return root_in_parts(operands[0]);
  if (kind == ir::OpKind::Rsqrt && has_fast_form(DividerOp::ReciprocalRoot, operands[0]))
    return reciprocal_root_in_parts(operands[0]);
  if (kind == ir::OpKind::Rsqrt) {
    llvm::Value* root = b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operands[0]);
    return b_.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  }
  const Lowering& lowering = kHost[static_cast<size_t>(kind)];
  llvm::Type* result = shaped(scalar_type(b_.getContext(), type), operands[0]);
  if (lowering.intrinsic != llvm::Intrinsic::not_intrinsic)
    return b_.CreateIntrinsic(lowering.intrinsic, {result}, operands);
  LANEWISE_CHECK(lowering.libm, "no elementary function for `" + std::string(ir::info(kind).text) + "`");
  if (result->isVectorTy()) return vector_math(lowering.libm, type, operands);
  std::string name = lowering.libm;
  if (type.bits == 32) name += "f";
  if (kind == ir::OpKind::BesselJn || kind == ir::OpKind::BesselYn) {
    llvm::Value *order = operands[1], *x = operands[0];
    llvm::Value* value =
        b_.CreateCall(libm_function(*b_.GetInsertBlock()->getModule(), name, result, {order, x}), {order, x});
    llvm::Value* negative = b_.CreateICmpSLT(order, llvm::ConstantInt::get(order->getType(), 0));
    return b_.CreateSelect(negative, llvm::ConstantFP::getNaN(result), value);
  }
  return b_.CreateCall(libm_function(*b_.GetInsertBlock()->getModule(), name, result, operands), operands);
}

}  // namespace lanewise::codegen::host
