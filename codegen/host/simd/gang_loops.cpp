// Loops whose lanes may end at different turns. A turn is made for the lanes of exec_; the loop ends when
// none is left. What a lane hands on when it ends waits at the loop's target; or, where lanes only end by the
// loop's own condition, its carried values are changed no more (the loop is *frozen* for it).
#include "codegen/host/simd/gang_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

struct GangEmitter::Loop {
  ir::OpId id;
  std::vector<ValueId> params;  // carried
  Join exit;
  std::vector<bool> kept;  // by carried variable: whether a result is its last value
  bool apart = false, loses = false, frozen = false;
  size_t own = 0;  // its end among targets_
  BasicBlock* head = nullptr;
  std::vector<llvm::PHINode*> state, carried;
  Values current;  // at the head
  Value* entry = nullptr;
};

void GangEmitter::begin_loop(Loop& loop, const ValueId* initial) {
  const ir::Op& op = f_.ops[loop.id];
  loop.apart = shapes_.ends_apart[loop.id.index];
  loop.loses = shapes_.loses_lanes[loop.id.index];
  loop.entry = exec_;
  loop.exit = new_join("loop.end", op.results);
  Target end{loop.id, false, loop.apart ? nullptr : &loop.exit, op.results, no_lanes(), {}};
  loop.frozen = loop.frozen && loop.apart;
  for (size_t i = 0; i < loop.params.size(); ++i)
    loop.frozen = loop.frozen && (!loop.kept[i] || varies(loop.params[i]));
  for (ir::RegionId region : op.regions) loop.frozen = loop.frozen && !leaves_to(region, end);
  for (ValueId v : op.results) {
    bool waits = loop.apart && !loop.frozen && used_[v.index];
    end.values.push_back(waits ? llvm::PoisonValue::get(vector_type(f_.type(v))) : nullptr);
  }
  std::vector<Value*> first;
  std::vector<bool> linear(loop.params.size());
  for (size_t i = 0; i < loop.params.size(); ++i) {
    Lanes value = lanes(initial[i]);
    linear[i] = value.is_line() && keeps_pattern(loop, i);
    first.push_back(linear[i] ? value.base : in_form(loop.params[i], value));
    loop.current.push_back(value);
  }
  targets_.push_back(std::move(end));
  loop.own = targets_.size() - 1;
  loop.head = new_block("loop");
  BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(loop.head);
  b_.SetInsertPoint(loop.head);
  for (size_t i = 0; i < first.size(); ++i) {
    llvm::PHINode* phi = b_.CreatePHI(first[i]->getType(), 2);
    phi->addIncoming(first[i], before);
    loop.carried.push_back(phi);
    if (linear[i]) {
      loop.current[i].base = phi;
      loop.current[i].forget();
      loop.current[i].exact = false;
    } else {
      loop.current[i] = from_form(loop.params[i], phi);
    }
  }
  loop.state = begin_state(loop.id, loop.own);
}

// The values that are a carried variable as a turn begins: of a while, also what its condition hands on of
// it.
std::vector<ValueId> GangEmitter::names_of(ir::OpId loop, size_t carried) const {
  const ir::Op& op = f_.ops[loop];
  size_t skip = op.kind == OpKind::For ? 1 : 0;
  std::vector<ValueId> names{f_.regions[op.regions[0]].params[carried + skip]};
  if (op.kind == OpKind::For) return names;
  const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
  const std::vector<ValueId>& inner = f_.regions[op.regions[1]].params;
  for (size_t i = 0; test.kind == OpKind::Yield && i < inner.size(); ++i)
    if (plan_.resolve(test.operands[i + 1]) == names[0]) names.push_back(inner[i]);
  return names;
}

// Whether a carried variable that starts linear stays so: every turn adds something uniform.
bool GangEmitter::keeps_pattern(const Loop& loop, size_t carried) const {
  const ir::Op& op = f_.ops[loop.id];
  if (!f_.type(loop.params[carried]).is_int() || (loop.apart && loop.kept[carried])) return false;
  ir::RegionId body = op.regions.back();
  Target next{loop.id, true, nullptr, {}, nullptr, {}};
  ir::OpId end = f_.regions[body].ops.back();
  if (leaves_to(body, next) || f_.ops[end].kind != OpKind::Yield || plan_.exits.count(end)) return false;
  std::vector<ValueId> names = names_of(loop.id, carried);
  ValueId value = plan_.resolve(f_.ops[end].operands[carried]);
  for (int depth = 0; depth < 4; ++depth) {
    if (std::find(names.begin(), names.end(), value) != names.end()) return true;
    ir::OpId definition = tree_.definition(value);
    if (!definition.valid() || f_.ops[definition].kind != OpKind::Add) return false;
    const std::vector<ValueId>& terms = f_.ops[definition].operands;
    if (varies(terms[0]) == varies(terms[1])) return false;
    value = plan_.resolve(terms[varies(terms[0]) ? 0 : 1]);
  }
  return false;
}

// Lanes that make no further turn.
void GangEmitter::end_of_lanes(Loop& loop, Value* leaving, const Values& values) {
  Target& end = targets_[loop.own];
  if (loop.frozen)
    end.mask = either(end.mask, leaving);
  else
    wait_at(end, values, leaving);
}

// A turn; `loop.current` is what it began with, exec_ who makes it.
void GangEmitter::emit_body(Loop& loop, ir::RegionId region, const std::function<void()>& step) {
  Value* live = exec_;
  bool apart = shapes_.turns_apart[loop.id.index];
  Join next = new_join("next", loop.params);
  Target turn{loop.id, true, apart ? nullptr : &next, loop.params, no_lanes(), {}};
  for (ValueId v : loop.params)
    turn.values.push_back(apart ? llvm::PoisonValue::get(vector_type(f_.type(v))) : nullptr);
  targets_.push_back(std::move(turn));
  std::optional<Values> values = emit_lane_region(region);
  Target waiting = std::move(targets_.back());
  targets_.pop_back();
  if (apart && !is_terminated()) {
    if (values) wait_at(waiting, *values, exec_);
    exec_ = waiting.mask;
    values.emplace();
    for (Value* v : waiting.values) values->push_back(Lanes::of_vector(v));
  } else if (!next.edges.empty()) {
    if (!is_terminated()) go_to(next, values);
    values = start(next);
  }
  if (next.edges.empty()) next.block->eraseFromParent();
  if (is_terminated()) return;
  BasicBlock* from = nullptr;
  std::vector<Value*> handed;
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    ValueId param = loop.params[i];
    Lanes value = values ? (*values)[i] : nothing(param);
    const Lanes& before = loop.current[i];
    if (before.linear() && !before.uniform()) {  // see keeps_pattern()
      LANEWISE_CHECK(!values || (value.linear() && value.terms.size() == 1 &&
                                 value.terms[0].pattern == before.terms[0].pattern),
                     "a carried value did not stay linear");
      handed.push_back(values ? value.base : llvm::PoisonValue::get(before.base->getType()));
      continue;
    }
    Value* formed = in_form(param, value);
    if (loop.frozen && loop.kept[i] && formed != before.vector)
      formed = b_.CreateSelect(live, formed, in_form(param, before));
    handed.push_back(formed);
  }
  step();
  from = b_.GetInsertBlock();
  for (size_t i = 0; i < handed.size(); ++i) loop.carried[i]->addIncoming(handed[i], from);
  std::vector<Value*> now = state(targets_.size());
  for (size_t i = 0; i < now.size(); ++i)
    if (loop.state[i]) loop.state[i]->addIncoming(now[i], from);
  b_.CreateBr(loop.head);
}

// At the loop's own end, reached from its head: `values` are the results of the lanes that are still in it.
void GangEmitter::end_loop(Loop& loop, const Values& values) {
  const ir::Op& op = f_.ops[loop.id];
  Target& end = targets_[loop.own];
  Values results = values;
  if (loop.apart && !loop.frozen) {
    wait_at(end, values, exec_);
    for (size_t i = 0; i < results.size(); ++i)
      results[i] = end.values[i] ? Lanes::of_vector(end.values[i]) : nothing(op.results[i]);
  } else if (loop.apart) {
    end.mask = either(end.mask, exec_);
  }
  for (size_t i = 0; i < results.size(); ++i)
    if (!used_[op.results[i].index]) results[i] = nothing(op.results[i]);
  // Without other ways out, all lanes come out that went in.
  if (tree_.exits(loop.id).empty())
    exec_ = loop.entry;
  else if (loop.apart)
    exec_ = end.mask;
  go_to(loop.exit, results);
}

void GangEmitter::emit_lane_for(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  ValueId counter = params[0];
  Lanes lo = lanes(op.operands[0]), hi = lanes(op.operands[1]), step = lanes(op.operands[2]);
  ir::Type type = f_.type(counter);
  bool is_signed = type.is_signed(), alike = lo.uniform() && hi.uniform() && step.uniform();
  auto* constant = step.uniform() ? llvm::dyn_cast<llvm::ConstantInt>(step.base) : nullptr;
  bool by_one = constant && constant->isOne();
  auto less = [&](Value* a, Value* b) { return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b); };
  auto form = [&](const Lanes& v) { return alike ? v.base : vector(v, type); };

  // As FunctionEmitter::emit_for counts: the distance that is left, 0 if there is no turn.
  Value *left = nullptr, *stride = nullptr;
  if (!by_one) {
    Value *from = form(lo), *to = form(hi), *by = form(step);
    Value* zero = llvm::Constant::getNullValue(from->getType());
    Value* up = is_signed ? b_.CreateICmpSGT(by, zero) : b_.CreateICmpNE(by, zero);
    Value* down = is_signed ? b_.CreateICmpSLT(by, zero) : llvm::Constant::getNullValue(up->getType());
    Value* enters = b_.CreateOr(b_.CreateAnd(up, less(from, to)), b_.CreateAnd(down, less(to, from)));
    stride = b_.CreateSelect(up, by, b_.CreateNeg(by));
    Value* distance = b_.CreateSelect(up, b_.CreateSub(to, from), b_.CreateSub(from, to));
    left = b_.CreateSelect(enters, distance, zero);
  }
  bool scalar_counter = lo.linear() && lo.constant_pattern() && step.uniform();
  Value* first = scalar_counter ? lo.base : vector(lo, type);

  Loop loop{id, {params.begin() + 1, params.end()}};
  loop.frozen = true;
  for (ValueId v : op.results) loop.kept.push_back(used_[v.index]);
  BasicBlock* before = b_.GetInsertBlock();
  begin_loop(loop, op.operands.data() + 3);
  before = loop.head->getSinglePredecessor();
  llvm::PHINode* index = b_.CreatePHI(first->getType(), 2);
  index->addIncoming(first, before);
  llvm::PHINode* rest = left ? b_.CreatePHI(left->getType(), 2) : nullptr;
  if (rest) rest->addIncoming(left, before);
  Lanes count = scalar_counter ? lo : Lanes::of_vector(index);
  if (scalar_counter) {
    count.base = index;
    count.exact = count.uniform();
    count.forget();
  }

  Value* goes_on = nullptr;
  if (alike) {
    goes_on = by_one ? less(index, hi.base) : b_.CreateIsNotNull(rest);
    if (loop.loses) goes_on = b_.CreateAnd(goes_on, any(exec_));
  } else {
    Value* turn = by_one ? less(vector(count, type), vector(hi, type)) : b_.CreateIsNotNull(rest);
    end_of_lanes(loop, without(exec_, turn), loop.current);
    exec_ = both(exec_, turn);
    goes_on = any(exec_);
  }
  BasicBlock *body = new_block("do"), *out = new_block("loop.out");
  b_.CreateCondBr(goes_on, body, out);
  std::vector<Value*> at_head = state(targets_.size());
  b_.SetInsertPoint(body);
  define(counter, count);
  for (size_t i = 0; i < loop.params.size(); ++i) define(loop.params[i], loop.current[i]);
  emit_body(loop, op.regions[0], [&] {
    Value* by = scalar_counter ? step.base : vector(step, type);
    Value* next = b_.CreateAdd(index, by, "", by_one && alike && !is_signed, by_one && alike && is_signed);
    index->addIncoming(next, b_.GetInsertBlock());
    if (rest)
      rest->addIncoming(b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, rest, stride),
                        b_.GetInsertBlock());
  });
  b_.SetInsertPoint(out);
  restore(at_head);
  end_loop(loop, loop.current);
  targets_.pop_back();
  Values results = start(loop.exit);
  define_results(op, results);
}

// At the head of a while: without lanes its condition must not be computed, it may read memory.
void GangEmitter::end_if_nobody_is_left(Loop& loop) {
  const ir::Op& op = f_.ops[loop.id];
  const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
  BasicBlock *some = new_block("turn"), *nobody = new_block("loop.left");
  b_.CreateCondBr(any(exec_), some, nobody);
  std::vector<Value*> before = state(targets_.size());
  b_.SetInsertPoint(nobody);
  exec_ = no_lanes();
  Values values;
  for (size_t i = 0; i < op.results.size(); ++i) {
    auto same = loop.frozen
                    ? std::find(loop.params.begin(), loop.params.end(), plan_.resolve(test.operands[i + 1]))
                    : loop.params.end();
    bool kept = same != loop.params.end() && loop.kept[static_cast<size_t>(same - loop.params.begin())];
    values.push_back(kept ? loop.current[static_cast<size_t>(same - loop.params.begin())]
                          : nothing(op.results[i]));
  }
  end_loop(loop, values);
  restore(before);
  b_.SetInsertPoint(some);
}

void GangEmitter::emit_lane_while(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  Loop loop{id, f_.regions[op.regions[0]].params};
  // Frozen values are the results only if the condition hands them on as they are.
  const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
  loop.frozen = test.kind == OpKind::Yield;
  loop.kept.resize(loop.params.size());
  for (size_t i = 0; loop.frozen && i < op.results.size(); ++i) {
    if (!used_[op.results[i].index]) continue;
    auto same = std::find(loop.params.begin(), loop.params.end(), plan_.resolve(test.operands[i + 1]));
    loop.frozen = same != loop.params.end();
    if (loop.frozen) loop.kept[static_cast<size_t>(same - loop.params.begin())] = true;
  }
  if (!loop.frozen) loop.kept.assign(loop.params.size(), true);
  begin_loop(loop, op.operands.data());
  if (loop.loses) end_if_nobody_is_left(loop);
  for (size_t i = 0; i < loop.params.size(); ++i) define(loop.params[i], loop.current[i]);
  std::optional<Values> tested = emit_lane_region(op.regions[0]);
  if (!is_terminated()) {
    const std::vector<ValueId>& inner = f_.regions[op.regions[1]].params;
    Lanes condition = tested ? (*tested)[0] : Lanes::of_uniform(b_.getFalse());
    Values values;
    for (size_t i = 0; i < inner.size(); ++i) values.push_back(tested ? (*tested)[i + 1] : nothing(inner[i]));
    Value* goes_on = nullptr;
    if (condition.uniform()) {
      goes_on = loop.loses ? b_.CreateLogicalAnd(any(exec_), condition.base) : condition.base;
    } else {
      end_of_lanes(loop, without(exec_, condition.vector), values);
      exec_ = both(exec_, condition.vector);
      goes_on = any(exec_);
    }
    BasicBlock *body = new_block("do"), *out = new_block("loop.out");
    b_.CreateCondBr(goes_on, body, out);
    std::vector<Value*> at_head = state(targets_.size());
    b_.SetInsertPoint(body);
    for (size_t i = 0; i < inner.size(); ++i) define(inner[i], values[i]);
    emit_body(loop, op.regions[1], [] {});
    b_.SetInsertPoint(out);
    restore(at_head);
    end_loop(loop, values);
  }
  targets_.pop_back();
  Values results = start(loop.exit);
  define_results(op, results);
}

}  // namespace lanewise::codegen::host
