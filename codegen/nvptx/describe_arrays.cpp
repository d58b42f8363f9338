// noalias and readonly for array parameters, from which LLVM makes ld.global.nc and moves loads past stores.
#include "codegen/common/array_promises.h"
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

void describe_arrays(ModuleLowering& m) {
  const ir::Function& entry = m.ir.entry();
  if (!entry.is_kernel) return;
  std::vector<ArrayPromise> promises = array_promises(m.ir, m.target.facts);
  for (size_t i = 0; i < promises.size(); ++i) {
    ir::Type type = entry.type(entry.params()[i]);
    if (!type.is_pointer()) continue;
    auto index = static_cast<unsigned>(i);
    llvm::Function* kernel = m.functions.front();
    unsigned align = m.target.facts.aligned ? ir::kVectorBytes : std::max(type.element_size(), 1u);
    kernel->addParamAttr(index, llvm::Attribute::getWithAlignment(m.context, llvm::Align(align)));
    if (promises[i].no_alias) kernel->addParamAttr(index, llvm::Attribute::NoAlias);
    if (promises[i].readonly) kernel->addParamAttr(index, llvm::Attribute::ReadOnly);
  }
}

}  // namespace lanewise::codegen
