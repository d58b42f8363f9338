// Elementary functions on the CPU: the HOST column of ops.def, read here only.
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include "codegen/host/module.h"
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

llvm::Value* HostScalar::math(ir::OpKind kind, ir::Type type, Values operands) {
  if (kind == ir::OpKind::Rsqrt) {
    llvm::Value* root = b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, operands[0]);
    return b_.CreateFDiv(llvm::ConstantFP::get(root->getType(), 1.0), root);
  }
  const Lowering& lowering = kHost[static_cast<size_t>(kind)];
  llvm::Type* result = scalar_type(b_.getContext(), type);
  if (lowering.intrinsic != llvm::Intrinsic::not_intrinsic)
    return b_.CreateIntrinsic(lowering.intrinsic, {result}, operands);
  LANEWISE_CHECK(lowering.libm, "no elementary function for `" + std::string(ir::info(kind).text) + "`");
  std::string name = lowering.libm;
  if (type.bits == 32) name += "f";
  return b_.CreateCall(libm_function(*b_.GetInsertBlock()->getModule(), name, result, operands), operands);
}

}  // namespace lanewise::codegen::host
