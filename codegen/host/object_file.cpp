#include "codegen/host/object_file.h"

#include <cstddef>

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>

#include "codegen/host/module.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

std::string name_for(const BlockShape& shape) {
  return "lanewise.block." + std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + "x" +
         std::to_string(shape[2]);
}

}  // namespace

llvm::SmallString<0> bitcode(const llvm::Module& module) {
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  return bytes;
}

void link_shape(llvm::Module& module, const ShapeCode& code) {
  auto copy =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(code.bitcode, module.getName()), module.getContext());
  if (!copy) throw ir::InternalError("LLVM does not read its bitcode: " + llvm::toString(copy.takeError()));
  std::string name = name_for(code.shape);
  (*copy)->getFunction(kEntryName)->setName(name);
  bool failed = llvm::Linker::linkModules(module, std::move(*copy));
  LANEWISE_CHECK(!failed, "LLVM does not link a kernel's shapes");
  module.getFunction(name)->setLinkage(llvm::GlobalValue::InternalLinkage);
}

void add_entry(llvm::Module& module, const std::string& name, const std::vector<ShapeCode>& shapes) {
  llvm::Function* any = module.getFunction(kEntryName);
  if (shapes.empty()) {
    any->setName(name);
    return;
  }
  llvm::Function* entry =
      llvm::Function::Create(any->getFunctionType(), llvm::GlobalValue::ExternalLinkage, name, module);
  for (const char* attribute : {"target-cpu", "target-features"})
    if (any->hasFnAttribute(attribute)) entry->addFnAttr(any->getFnAttribute(attribute));
  any->setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(module.getContext(), "entry", entry));
  auto run = [&](llvm::Function* function) {
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (llvm::Argument& argument : entry->args()) arguments.push_back(&argument);
    llvm::CallInst* call = b.CreateCall(function, arguments);
    call->setTailCallKind(llvm::CallInst::TCK_Tail);
    b.CreateRet(call);
  };
  std::array<llvm::Value*, 3> extents;
  for (size_t axis = 0; axis < 3; ++axis) {
    llvm::Value* place =
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), entry->getArg(0), offsetof(HostLaunch, block) + 4 * axis);
    extents[axis] = b.CreateLoad(b.getInt32Ty(), place);
  }
  for (const ShapeCode& code : shapes) {
    llvm::Value* same = b.getTrue();
    for (size_t axis = 0; axis < 3; ++axis)
      same = b.CreateAnd(same,
                         b.CreateICmpEQ(extents[axis], b.getInt32(static_cast<uint32_t>(code.shape[axis]))));
    auto* matches = llvm::BasicBlock::Create(module.getContext(), "matches", entry);
    auto* next = llvm::BasicBlock::Create(module.getContext(), "next", entry);
    b.CreateCondBr(same, matches, next);
    b.SetInsertPoint(matches);
    run(module.getFunction(name_for(code.shape)));
    b.SetInsertPoint(next);
  }
  run(any);
}

void add_layout(llvm::Module& module, const std::string& name, const HostLayout& layout) {
  llvm::Type* word = llvm::Type::getInt64Ty(module.getContext());
  auto number = [&](int64_t value) { return llvm::ConstantInt::get(word, static_cast<uint64_t>(value)); };
  auto* type = llvm::ArrayType::get(word, 2);
  auto* sizes =
      llvm::ConstantArray::get(type, {number(layout.shared_bytes), number(layout.context_bytes_per_thread)});
  new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage, sizes, name + "_layout");
}

}  // namespace lanewise::codegen::host
