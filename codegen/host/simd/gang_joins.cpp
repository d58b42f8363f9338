// Where ways meet: phis for the mask of lanes, for those that wait at a target, and for values.
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::ValueId;
using llvm::Value;

GangEmitter::Join GangEmitter::new_join(const char* name, std::vector<ValueId> to) {
  return {new_block(name), std::move(to), targets_.size(), {}};
}

// The mask, and for each target who waits with what.
std::vector<Value*> GangEmitter::state(size_t targets) const {
  std::vector<Value*> result{exec_};
  for (size_t i = 0; i < targets; ++i) {
    result.push_back(targets_[i].mask);
    result.insert(result.end(), targets_[i].values.begin(), targets_[i].values.end());
  }
  return result;
}

void GangEmitter::restore(const std::vector<Value*>& state) {
  exec_ = state[0];
  size_t at = 1;
  for (Target& target : targets_) {
    if (at == state.size()) return;
    target.mask = state[at++];
    for (Value*& value : target.values) value = state[at++];
  }
}

// A value as the construct's result has it: scalar where that is the same for all lanes.
Value* GangEmitter::in_form(ValueId to, const Lanes& value) {
  if (varies(to)) return vector(value, f_.type(to));
  LANEWISE_CHECK(value.uniform(), "a result differs between lanes unexpectedly");
  return value.base;
}
Lanes GangEmitter::from_form(ValueId to, Value* value) {
  return varies(to) ? Lanes::of_vector(value) : Lanes::of_uniform(value);
}
Lanes GangEmitter::nothing(ValueId to) {
  llvm::Type* type = varies(to) ? vector_type(f_.type(to)) : m_.type(f_.type(to));
  return from_form(to, llvm::PoisonValue::get(type));
}

// Without values: from where no lane is.
void GangEmitter::go_to(Join& join, const std::optional<Values>& values) {
  Join::Edge edge;
  for (size_t i = 0; i < join.to.size(); ++i)
    edge.values.push_back(in_form(join.to[i], values ? (*values)[i] : nothing(join.to[i])));
  edge.from = b_.GetInsertBlock();
  edge.state = state(join.targets);
  b_.CreateBr(join.block);
  join.edges.push_back(std::move(edge));
}

// To the join, with no lane and no values, unless the condition is true.
void GangEmitter::branch_past(Join& join, Value* condition, llvm::BasicBlock* otherwise) {
  Join::Edge edge;
  for (ValueId to : join.to) edge.values.push_back(in_form(to, nothing(to)));
  edge.from = b_.GetInsertBlock();
  Value* mask = std::exchange(exec_, no_lanes());
  edge.state = state(join.targets);
  exec_ = mask;
  b_.CreateCondBr(condition, otherwise, join.block);
  join.edges.push_back(std::move(edge));
  b_.SetInsertPoint(otherwise);
}

GangEmitter::Values GangEmitter::start(Join& join) {
  b_.SetInsertPoint(join.block);
  Values results;
  if (join.edges.empty()) {
    exec_ = no_lanes();
    for (ValueId to : join.to) results.push_back(nothing(to));
    return results;
  }
  auto merged = [&](auto get) -> Value* {
    Value* first = get(join.edges[0]);
    bool same = true;
    for (const Join::Edge& edge : join.edges) same = same && get(edge) == first;
    if (same || !first) return first;
    llvm::PHINode* phi = b_.CreatePHI(first->getType(), static_cast<unsigned>(join.edges.size()));
    for (const Join::Edge& edge : join.edges) phi->addIncoming(get(edge), edge.from);
    return phi;
  };
  std::vector<Value*> state(join.edges[0].state.size());
  for (size_t i = 0; i < state.size(); ++i)
    state[i] = merged([i](const Join::Edge& edge) { return edge.state[i]; });
  for (size_t i = 0; i < join.to.size(); ++i)
    results.push_back(from_form(join.to[i], merged([i](const Join::Edge& edge) { return edge.values[i]; })));
  restore(state);
  return results;
}

void GangEmitter::wait_at(Target& target, const Values& values, Value* who) {
  if (is_none(who)) return;
  for (size_t i = 0; i < target.values.size(); ++i) {
    if (!target.values[i]) continue;
    Value* value = vector(values[i], f_.type(target.to[i]));
    bool first = llvm::isa<llvm::PoisonValue>(target.values[i]);
    target.values[i] = first ? value : b_.CreateSelect(who, value, target.values[i]);
  }
  target.mask = either(target.mask, who);
}

// At the head of a loop: phis of the mask and of the targets that lanes leave to from inside it. The caller
// adds what comes from the end of a turn, in the order of state(); `own`: the loop's target, or none.
std::vector<llvm::PHINode*> GangEmitter::begin_state(ir::OpId loop, size_t own) {
  std::vector<llvm::PHINode*> phis;
  llvm::BasicBlock* before = b_.GetInsertBlock()->getSinglePredecessor();
  auto phi = [&](Value*& value, bool changes) {
    if (!value || !changes) return phis.push_back(nullptr);
    llvm::PHINode* made = b_.CreatePHI(value->getType(), 2);
    made->addIncoming(value, before);
    value = made;
    phis.push_back(made);
  };
  phi(exec_, shapes_.loses_lanes[loop.index]);
  for (size_t i = 0; i < targets_.size(); ++i) {
    bool changes = !targets_[i].join && (i == own || leaves_to(loop, targets_[i]));
    phi(targets_[i].mask, changes);
    for (Value*& value : targets_[i].values) phi(value, changes);
  }
  return phis;
}

bool GangEmitter::leaves_to(ir::OpId id, const Target& target) const {
  const ir::Op& op = f_.ops[id];
  if (ir::is_terminator(op.kind))
    return op.kind != ir::OpKind::Unreachable && op.kind != ir::OpKind::Yield && !plan_.exits.count(id) &&
           tree_.target(id) == target.op && (op.kind == ir::OpKind::Continue) == target.next_turn;
  for (ir::RegionId region : op.regions)
    if (leaves_to(region, target)) return true;
  return false;
}

bool GangEmitter::leaves_to(ir::RegionId region, const Target& target) const {
  for (ir::OpId op : f_.regions[region].ops)
    if (leaves_to(op, target)) return true;
  return false;
}

}  // namespace lanewise::codegen::host
