// Wrong promises are dangerous: the compiler then takes it for granted that no other thread writes what this
// one reads, across barriers too. So an array that is written gets none in a kernel whose threads meet, none
// is given in a kernel that orders memory or waits for it, and atomics count as writes.
#include "codegen/common/array_promises.h"

#include "codegen/common/loop_exit_loads.h"
#include "ir/memory_order.h"

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
      const ir::Op& op = function.ops[ir::OpId{static_cast<uint32_t>(i)}];
      OpKind kind = op.kind;
      uses.order |= exits[i] || ir::is_fence(kind) || kind == OpKind::LoadCv || kind == OpKind::AtomicLoad ||
                    kind == OpKind::AtomicStore || kind == OpKind::InlinePtx || kind == OpKind::GridBarrier ||
                    kind == OpKind::CallExternal;  // which may hold a fence
      uses.order |= ir::is_atomic(kind) && ir::ordering_of(op).order != ir::MemoryOrder::Relaxed;
      uses.meet |= ir::meets_others(kind) || ir::is_atomic(kind);
    }
  }
  return uses;
}

}  // namespace

std::vector<ArrayPromise> array_promises(const ir::Module& module, const ir::LaunchFacts& facts) {
  std::vector<ir::Access> access = ir::parameter_access(module);
  std::vector<ArrayPromise> promises(access.size());
  Uses uses = find_uses(module);
  if (!module.entry().is_kernel || !facts.distinct || uses.order) return promises;
  for (size_t i = 0; i < access.size(); ++i) {
    if (!module.entry().type(module.entry().params()[i]).is_pointer()) continue;
    promises[i].no_alias = !(access[i].write && uses.meet);
    promises[i].readonly = promises[i].no_alias && !access[i].write;
  }
  return promises;
}

}  // namespace lanewise::codegen
