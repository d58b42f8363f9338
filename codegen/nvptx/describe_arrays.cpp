// noalias and readonly for array parameters, from which LLVM makes ld.global.nc and moves loads past stores.
//
// Wrong ones are dangerous: LLVM then takes it for granted that no other thread writes what this one reads,
// across barriers too. So an array that is written gets none in a kernel whose threads meet, none is given
// in a kernel that orders memory or waits for it, and atomics count as writes.
#include "codegen/common/loop_exit_loads.h"
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

using ir::OpKind;

namespace {

struct Uses {
  bool order = false;  // fences, loads that are waited for
  bool meet = false;   // barriers, warp ops, atomics
};

Uses find_uses(const ir::Module& module) {
  Uses uses;
  for (const ir::Function& function : module.functions) {
    std::vector<bool> exits = loop_exit_loads(function);
    for (size_t i = 0; i < function.ops.size(); ++i) {
      OpKind kind = function.ops[ir::OpId{static_cast<uint32_t>(i)}].kind;
      uses.order |= exits[i] || ir::is_fence(kind) || kind == OpKind::LoadCv;
      uses.meet |= ir::meets_others(kind) || ir::is_atomic(kind);
    }
  }
  return uses;
}

}  // namespace

void describe_arrays(ModuleLowering& m) {
  const ir::Function& entry = m.ir.entry();
  if (!entry.is_kernel) return;
  std::vector<ir::Access> access = ir::parameter_access(m.ir);
  Uses uses = find_uses(m.ir);
  for (size_t i = 0; i < access.size(); ++i) {
    ir::Type type = entry.type(entry.params()[i]);
    if (!type.is_pointer()) continue;
    auto index = static_cast<unsigned>(i);
    llvm::Function* kernel = m.functions.front();
    kernel->addParamAttr(
        index, llvm::Attribute::getWithAlignment(m.context, llvm::Align(std::max(type.element_size(), 1u))));
    if (!m.target.facts.distinct || uses.order || (access[i].write && uses.meet)) continue;
    kernel->addParamAttr(index, llvm::Attribute::NoAlias);
    if (!access[i].write) kernel->addParamAttr(index, llvm::Attribute::ReadOnly);
  }
}

}  // namespace lanewise::codegen
