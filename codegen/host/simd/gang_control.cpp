// Structured ops whose lanes part: what a mask does where one thread would branch.
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

GangEmitter::Values GangEmitter::operands(const ir::Op& op) {
  Values values;
  for (ValueId v : op.operands) values.push_back(lanes(v));
  return values;
}

void GangEmitter::define_results(const ir::Op& op, const Values& values) {
  for (size_t i = 0; i < values.size(); ++i) define(op.results[i], values[i]);
}

void GangEmitter::emit_lane_op(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  mark_line(op);
  if (is_better_alone(id)) return emit_alone({id});
  switch (op.kind) {
    case OpKind::If: return emit_lane_if(id);
    case OpKind::Scope: return emit_lane_scope(id);
    case OpKind::For: return emit_lane_for(id);
    case OpKind::While: return emit_lane_while(id);
    default: break;
  }
  if (ir::is_warp_op(op.kind)) return emit_warp_op(id);
  bool differs = false;
  for (ValueId v : op.operands) differs = differs || !lanes(v).uniform();
  for (ValueId v : op.results) differs = differs || varies(v);
  if (is_long_division(op)) return emit_long_division(id);
  bool each = op.kind == OpKind::Call || op.kind == OpKind::Print || op.kind == OpKind::Report ||
              ir::is_atomic(op.kind);
  if (ir::is_atomic(op.kind) && (emit_atomics_together(id) || emit_own_atomics(id))) return;
  if (each || (differs && !has_vector_form(op))) {
    note(op, "`" + std::string(ir::info(op.kind).text) + "` runs for one thread after the other");
    return emit_per_lane({id});
  }
  if (ir::info(op.kind).effect != ir::Effect::None) return emit_lane_memory(id);
  if (emit_by_estimates(id)) return;
  define(op.results[0], pure(id));
  if (!lanes(op.results[0]).linear()) index_forms_[op.results[0].index] = index_form(op);
}

void GangEmitter::emit_alone(const std::vector<ir::OpId>& loops) {
  for (ir::OpId loop : loops)
    note(f_.ops[loop],
         "this loop runs for one thread after the other: trip counts differ, and what is read lies apart");
  has_scalar_loops_ = true;
  emit_per_lane(loops);
}

// The values that the region yields; none if no lane comes to its end, or none can: then the code may have
// ended in a jump.
std::optional<GangEmitter::Values> GangEmitter::emit_lane_ops(const std::vector<ir::OpId>& ops, size_t from) {
  for (size_t i = from; i < ops.size(); ++i) {
    const ir::Op& op = f_.ops[ops[i]];
    if (ir::is_terminator(op.kind)) {
      if (op.kind == OpKind::Yield && !plan_.exits.count(ops[i])) return operands(op);
      emit_lane_exit(ops[i]);
      return std::nullopt;
    }
    if (is_better_alone(ops[i])) {
      std::vector<ir::OpId> alone{ops[i]};
      while (is_better_alone(ops[i + 1])) alone.push_back(ops[++i]);
      emit_alone(alone);
      continue;
    }
    emit_lane_op(ops[i]);
    if (is_terminated()) return std::nullopt;
    if (!may_lose_lanes(ops[i])) continue;
    if (is_none(exec_)) return std::nullopt;
    if (!needs_lanes(ops, i + 1)) continue;
    // Who is left goes on, if anybody is.
    Join end = new_join("rest.end", yielded(ops));
    branch_past(end, any(exec_), new_block("rest"));
    std::optional<Values> rest = emit_lane_ops(ops, i + 1);
    bool reached = !is_terminated();
    if (reached) go_to(end, rest);
    bool linear = reached && rest;
    for (size_t k = 0; linear && k < end.to.size(); ++k) {
      // What is linear stays so: there is no lane on the other way.
      const Lanes& value = (*rest)[k];
      if (!value.is_line()) continue;
      end.edges.front().values[k] = llvm::PoisonValue::get(value.base->getType());
      end.edges.back().values[k] = value.base;
    }
    Values values = start(end);
    for (size_t k = 0; linear && k < end.to.size(); ++k) {
      Lanes value = (*rest)[k];
      if (!value.is_line()) continue;
      value.base = values[k].vector;
      values[k] = value;
    }
    if (f_.ops[ops.back()].kind != OpKind::Yield) return std::nullopt;
    return values;
  }
  throw ir::InternalError("a region without an end");
}

std::vector<ValueId> GangEmitter::yielded(const std::vector<ir::OpId>& ops) const {
  const ir::Op& last = f_.ops[ops.back()];
  std::vector<ValueId> values;
  if (last.kind == OpKind::Yield && !plan_.exits.count(ops.back()))
    for (ValueId v : last.operands) values.push_back(plan_.resolve(v));
  return values;
}

// Whether lanes that come to the op may be elsewhere after it.
bool GangEmitter::may_lose_lanes(ir::OpId id) const {
  for (ir::OpId exit : tree_.exits(id)) {
    if (plan_.exits.count(exit)) return true;
    ir::OpId op = tree_.target(exit);
    bool next_turn = f_.ops[exit].kind == OpKind::Continue;
    for (const Target& target : targets_)
      if (target.op == op && target.next_turn == next_turn && !target.join) return true;
  }
  return false;
}

// Whether the ops do more than compute: without a lane to do it for they must not be run.
bool GangEmitter::needs_lanes(const std::vector<ir::OpId>& ops, size_t from) const {
  for (size_t i = from; i < ops.size(); ++i) {
    const ir::Op& op = f_.ops[ops[i]];
    if (ir::is_terminator(op.kind)) continue;
    if (ir::info(op.kind).effect != ir::Effect::None || !op.regions.empty()) return true;
  }
  return false;
}

// --- if
// Cheaper to compute for all lanes than to ask whether any needs it.
bool GangEmitter::is_cheap(ir::RegionId region, int& budget) const {
  for (ir::OpId id : f_.regions[region].ops) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::Yield && !plan_.exits.count(id)) continue;
    if (ir::info(op.kind).effect != ir::Effect::None) {
      if (op.kind != OpKind::If || !is_cheap(op.regions[0], budget) || !is_cheap(op.regions[1], budget))
        return false;
      continue;
    }
    bool dear = (op.kind >= OpKind::Sqrt && op.kind <= OpKind::FrexpExponent) || op.kind == OpKind::Div ||
                op.kind == OpKind::FloorDiv || op.kind == OpKind::FloorMod || op.kind == OpKind::IntPow;
    if (dear || --budget < 0) return false;
  }
  return true;
}

void GangEmitter::emit_lane_if(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  Lanes condition = lanes(op.operands[0]);
  if (condition.uniform()) {
    Join end = new_join("endif", op.results);
    BasicBlock* blocks[] = {new_block("then"), new_block("else")};
    b_.CreateCondBr(condition.base, blocks[0], blocks[1]);
    std::vector<Value*> before = state(targets_.size());
    for (size_t i = 0; i < 2; ++i) {
      b_.SetInsertPoint(blocks[i]);
      restore(before);
      std::optional<Values> values = emit_lane_region(op.regions[i]);
      if (!is_terminated()) go_to(end, values);
    }
    Values results = start(end);
    define_results(op, results);
    return;
  }
  Value* taken = condition.vector;
  Value* outer = exec_;
  auto choose = [&](const Values& then_values, const Values& else_values) {
    for (size_t i = 0; i < op.results.size(); ++i) {
      if (!used_[op.results[i].index]) continue;
      ir::Type type = f_.type(op.results[i]);
      define(op.results[i], Lanes::of_vector(b_.CreateSelect(taken, vector(then_values[i], type),
                                                             vector(else_values[i], type))));
    }
  };
  int budget = 12;
  if (is_cheap(op.regions[0], budget) && is_cheap(op.regions[1], budget)) {
    Values then_values = *emit_lane_region(op.regions[0]);
    return choose(then_values, *emit_lane_region(op.regions[1]));
  }
  Value* else_mask = without(outer, taken);
  Values then_values = emit_arm(op.regions[0], both(outer, taken), op.results);
  Value* after_then = exec_;
  exec_ = outer;
  Values else_values = emit_arm(op.regions[1], else_mask, op.results);
  exec_ = may_lose_lanes(id) ? either(after_then, exec_) : outer;
  choose(then_values, else_values);
}

// The region for the lanes of the mask, which are some of exec_; after it exec_ is who comes to its end.
GangEmitter::Values GangEmitter::emit_arm(ir::RegionId region, Value* mask, const std::vector<ValueId>& to) {
  const std::vector<ir::OpId>& ops = f_.regions[region].ops;
  bool from_all = is_all(exec_);
  exec_ = mask;
  if (ops.size() == 1 && f_.ops[ops[0]].kind == OpKind::Yield && !plan_.exits.count(ops[0]))
    return operands(f_.ops[ops[0]]);
  Join end = new_join("arm.end", to);
  std::vector<Value*> before = state(targets_.size());
  bool loses = false;
  for (ir::OpId op : ops) loses = loses || may_lose_lanes(op);
  // Where all lanes are here, memory is read and written without masks.
  if (split_full_ && from_all && !llvm::isa<llvm::Constant>(mask) && !loses && may_split(region)) {
    BasicBlock *full = new_block("full"), *some = new_block("some");
    b_.CreateCondBr(all(mask), full, some);
    b_.SetInsertPoint(full);
    exec_ = all_lanes();
    split_full_ = false;
    std::optional<Values> values = emit_lane_region(region);
    split_full_ = true;
    if (!is_terminated()) go_to(end, values);
    b_.SetInsertPoint(some);
    restore(before);
  }
  branch_past(end, any(mask), new_block("arm"));
  bool outer_split = std::exchange(split_full_, false);
  std::optional<Values> values = emit_lane_region(region);
  split_full_ = outer_split;
  if (!is_terminated()) go_to(end, values);
  Values results = start(end);
  if (!loses) exec_ = mask;
  return results;
}

bool GangEmitter::may_split(ir::RegionId region) {
  bool memory = false;
  int budget = kShortOps;
  for (ir::OpId id : f_.regions[region].ops)
    if (!is_short(id, memory, budget)) return false;
  return memory && may_be_twice(kShortOps - budget);
}

// Long kernels have little of their code twice, as they take long to compile.
bool GangEmitter::may_be_twice(int ops) {
  if (twice_ + ops > kMostTwice) return false;
  twice_ += ops;
  return true;
}

// No loops or calls; takes the ops from the budget, and notes whether they read or write memory.
bool GangEmitter::is_short(ir::OpId id, bool& memory, int& budget) const {
  const ir::Op& op = f_.ops[id];
  if (op.kind == OpKind::For || op.kind == OpKind::While || op.kind == OpKind::Call || --budget < 0)
    return false;
  memory = memory || ir::is_load(op.kind) || ir::is_store(op.kind);
  for (ir::RegionId region : op.regions)
    for (ir::OpId inner : f_.regions[region].ops)
      if (!is_short(inner, memory, budget)) return false;
  return true;
}

// --- scope
void GangEmitter::emit_lane_scope(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  Join end = new_join("scope.end", op.results);
  Target target{id, false, shapes_.ends_apart[id.index] ? nullptr : &end, op.results, no_lanes(), {}};
  for (ValueId v : op.results)
    target.values.push_back(used_[v.index] && !target.join ? llvm::PoisonValue::get(vector_type(f_.type(v)))
                                                           : nullptr);
  targets_.push_back(std::move(target));
  std::optional<Values> values = emit_lane_region(op.regions[0]);
  Target left = std::move(targets_.back());
  Values results;
  if (left.join) {
    targets_.pop_back();
    if (!is_terminated()) go_to(end, values);
    results = start(end);
  } else {
    end.block->eraseFromParent();
    if (values) wait_at(left, *values, exec_);
    targets_.pop_back();
    exec_ = left.mask;
    for (size_t i = 0; i < op.results.size(); ++i)
      results.push_back(left.values[i] ? Lanes::of_vector(left.values[i]) : nothing(op.results[i]));
  }
  define_results(op, results);
}

// Return, break, continue, leave: lanes go elsewhere, all together or as a mask.
void GangEmitter::emit_lane_exit(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  if (auto exit = plan_.exits.find(id); exit != plan_.exits.end()) return leave_segment(exit->second);
  if (op.kind == OpKind::Unreachable) {
    exec_ = no_lanes();
    return;
  }
  ir::OpId to = tree_.target(id);
  bool next_turn = op.kind == OpKind::Continue;
  for (size_t i = targets_.size(); i-- > 0;) {
    if (targets_[i].op != to || targets_[i].next_turn != next_turn) continue;
    Values values = operands(op);
    if (targets_[i].join) return go_to(*targets_[i].join, values);
    wait_at(targets_[i], values, exec_);
    exec_ = no_lanes();
    return;
  }
  throw ir::InternalError("a lane leaves to nowhere");
}

}  // namespace lanewise::codegen::host
