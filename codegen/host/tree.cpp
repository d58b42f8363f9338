// Tree: what the planner asks of the structured ops, gathered in one walk.
#include "codegen/host/plan.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;

namespace {

bool depends_on_thread(OpKind kind) {
  switch (kind) {
    case OpKind::ThreadIdX:
    case OpKind::ThreadIdY:
    case OpKind::ThreadIdZ:
    case OpKind::LaneId:
    case OpKind::LocalArray: return true;
    default: return false;
  }
}

}  // namespace

Tree::Tree(const ir::Function& function, bool warps_meet)
    : f_(function),
      warps_meet_(warps_meet),
      has_barrier_(function.ops.size()),
      pure_(function.ops.size()),
      has_loop_(function.ops.size()),
      exits_(function.ops.size()),
      definition_(function.values.size()),
      parent_(function.ops.size()) {
  visit_region(function.body, {});
}

bool Tree::has_barrier(ir::RegionId region) const {
  for (ir::OpId op : f_.regions[region].ops)
    if (has_barrier(op)) return true;
  return false;
}

void Tree::visit_region(ir::RegionId region, ir::OpId owner) {
  for (ir::OpId op : f_.regions[region].ops) {
    parent_[op.index] = owner;
    visit(op);
  }
}

void Tree::visit(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  for (ir::ValueId result : op.results) definition_[result.index] = id;
  ir::Effect effect = ir::info(op.kind).effect;
  bool pure = (effect == ir::Effect::None && !depends_on_thread(op.kind)) ||
              (effect == ir::Effect::Control && op.kind != OpKind::Return && op.kind != OpKind::Unreachable);
  has_barrier_[id.index] = warps_meet_ ? ir::meets_others(op.kind) : ir::is_barrier(op.kind);
  has_loop_[id.index] = op.kind == OpKind::For || op.kind == OpKind::While;
  for (ir::RegionId region : op.regions) {
    visit_region(region, id);
    for (ir::OpId inner : f_.regions[region].ops) {
      if (has_barrier_[inner.index]) has_barrier_[id.index] = true;
      if (has_loop_[inner.index]) has_loop_[id.index] = true;
      pure = pure && pure_[inner.index];
      for (ir::OpId exit : exits_[inner.index])
        if (target(exit) != id) exits_[id.index].push_back(exit);
    }
  }
  if (ir::is_terminator(op.kind) && op.kind != OpKind::Unreachable) exits_[id.index].push_back(id);
  if (!ir::is_terminator(op.kind)) pure = pure && exits_[id.index].empty();
  pure_[id.index] = pure;
}

bool Tree::is_inside(ir::OpId op, ir::OpId outer) const {
  while (op.valid() && op != outer) op = parent(op);
  return op.valid();
}

ir::OpId Tree::target(ir::OpId id) const {
  const ir::Op& op = f_.ops[id];
  ir::OpId at = parent(id);
  switch (op.kind) {
    case OpKind::Yield: return at;
    case OpKind::Return: return {};
    case OpKind::Break:
    case OpKind::Continue:
      while (at.valid() && f_.ops[at].kind != OpKind::For && f_.ops[at].kind != OpKind::While)
        at = parent(at);
      break;
    case OpKind::Leave: {
      int64_t skip = std::get<int64_t>(op.immediate);
      while (at.valid() && (f_.ops[at].kind != OpKind::Scope || skip-- > 0)) at = parent(at);
      break;
    }
    default: throw ir::InternalError("a terminator was expected");
  }
  LANEWISE_CHECK(at.valid(), "a terminator has nothing to end");
  return at;
}

}  // namespace lanewise::codegen::host
