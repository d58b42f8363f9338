// The LLVM module as a whole: alias scopes, constant arrays, one function after the other.
#include "codegen/host/module.h"

#include <llvm/IR/MDBuilder.h>

#include "codegen/host/function_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

// --- AliasScopes
AliasScopes::AliasScopes(llvm::LLVMContext& context, size_t slots) {
  llvm::MDBuilder builder(context);
  llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain("lanewise");
  size_t classes = FirstSlot + std::min(slots, kMaxSlots);
  std::vector<llvm::Metadata*> all;
  for (size_t i = 0; i < classes; ++i) all.push_back(builder.createAnonymousAliasScope(domain));
  for (size_t i = 0; i < classes; ++i) {
    scope_.push_back(llvm::MDNode::get(context, {all[i]}));
    std::vector<llvm::Metadata*> others = all;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    apart_.push_back(llvm::MDNode::get(context, others));
  }
  std::vector<llvm::Metadata*> contexts(all.begin() + Limit, all.end());
  apart_from_context_ = llvm::MDNode::get(context, contexts);
}

void AliasScopes::mark_class(llvm::Instruction* access, size_t index) const {
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, scope_[index]);
  access->setMetadata(llvm::LLVMContext::MD_noalias, apart_[index]);
}

void AliasScopes::mark(llvm::Instruction* access, ir::Space space) const {
  switch (space) {
    case ir::Space::Global:
    case ir::Space::Constant: return mark_class(access, User);
    case ir::Space::Shared: return mark_class(access, Shared);
    case ir::Space::Local: return mark_class(access, Local);
    case ir::Space::Generic:
    case ir::Space::None: access->setMetadata(llvm::LLVMContext::MD_noalias, apart_from_context_); return;
  }
}

void AliasScopes::mark_slot(llvm::Instruction* access, size_t slot) const {
  mark_class(access, FirstSlot + std::min(slot, kMaxSlots - 1));
}

void AliasScopes::mark_limit(llvm::Instruction* access) const { mark_class(access, Limit); }

// --- HostModule
HostModule::HostModule(const ir::Module& ir_module, llvm::Module& llvm_module, const HostCode& code)
    : ir(ir_module),
      module(llvm_module),
      block(code.block),
      vector_bits(code.vector_bits),
      divider(code.divider),
      gathers(code.gathers),
      exchanges_128(code.exchanges_128),
      is_object(code.is_object),
      facts(code.facts),
      context(llvm_module.getContext()),
      data(ir_module.data.size()) {
  if (code.lines && code.lines->size() > 0) lines.emplace(module, *code.lines, LineInfo::Kind::Tables);
  llvm::Type *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  environment = llvm::StructType::get(
      context, {i32, i32, i32, i32, i32, i32, i32, i32, i32, pointer, i64, i64, i64, pointer});
}

llvm::Type* HostModule::type(ir::Type type) {
  return type.is_pointer() ? llvm::PointerType::get(context, 0) : scalar_type(context, type);
}

llvm::Constant* HostModule::data_address(size_t index) {
  llvm::GlobalVariable*& global = data[index];
  if (!global) {
    const ir::DataArray& array = ir.data[index];
    auto* bytes =
        llvm::ConstantDataArray::getRaw(array.bytes, array.bytes.size(), llvm::Type::getInt8Ty(context));
    global = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                      bytes, "data." + std::to_string(index));
    global->setAlignment(llvm::Align(64));
  }
  return global;
}

namespace {

llvm::Function* declare(HostModule& m, const ir::Function& function, size_t index) {
  llvm::Type* pointer = llvm::PointerType::get(m.context, 0);
  llvm::Type *i32 = llvm::Type::getInt32Ty(m.context), *i64 = llvm::Type::getInt64Ty(m.context);
  if (function.is_kernel) {
    auto* signature = llvm::FunctionType::get(i64, {pointer, pointer, i64, i64}, false);
    auto* kernel =
        llvm::Function::Create(signature, llvm::GlobalValue::ExternalLinkage, kEntryName, m.module);
    kernel->setDoesNotThrow();
    // launch and arena: nothing else in reach of the kernel is the launch's description.
    kernel->addParamAttr(0, llvm::Attribute::ReadOnly);
    kernel->addParamAttr(0, llvm::Attribute::NoAlias);
    kernel->addParamAttr(1, llvm::Attribute::NonNull);
    kernel->addParamAttr(1, llvm::Attribute::getWithAlignment(m.context, llvm::Align(64)));
    return kernel;
  }
  std::vector<llvm::Type*> params, results;
  for (ir::ValueId id : function.params()) params.push_back(m.type(function.type(id)));
  params.insert(params.end(), {i32, i32, i32, pointer});
  for (ir::Type type : function.results) results.push_back(m.type(type));
  llvm::Type* result = results.empty()       ? llvm::Type::getVoidTy(m.context)
                       : results.size() == 1 ? results[0]
                                             : llvm::StructType::get(m.context, results);
  auto* device = llvm::Function::Create(llvm::FunctionType::get(result, params, false),
                                        llvm::GlobalValue::InternalLinkage,
                                        "lanewise." + std::to_string(index) + "." + function.name, m.module);
  device->setDoesNotThrow();
  return device;
}

}  // namespace

EmittedKernel emit_module(const ir::Module& ir_module, llvm::Module& llvm_module, const HostCode& code) {
  LANEWISE_CHECK(!ir_module.functions.empty() && ir_module.entry().is_kernel, "the module has no kernel");
  HostModule m(ir_module, llvm_module, code);
  for (size_t i = 0; i < ir_module.functions.size(); ++i)
    m.functions.push_back(declare(m, ir_module.functions[i], i));
  auto start_lines = [&](size_t i) {
    if (m.lines) m.lines->start_function(ir_module.functions[i], m.functions[i]);
  };
  start_lines(0);
  EmittedKernel result = emit_kernel(m, ir_module.entry(), m.functions[0]);
  for (size_t i = 1; i < ir_module.functions.size(); ++i) {
    start_lines(i);
    emit_device_function(m, ir_module.functions[i], m.functions[i]);
  }
  if (m.lines) m.lines->finish();
  result.scalar_loops = result.scalar_loops || ir_module.functions.size() > 1;
  result.outputs = std::move(m.outputs);
  result.notes = std::move(m.notes);
  return result;
}

}  // namespace lanewise::codegen::host
