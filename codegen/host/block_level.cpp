// Nodes: the block-level code, run once for the block. Uniform values are SSA values with phis where control
// merges; what varies has been brought to slots by the segments.
#include "codegen/host/kernel_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

void KernelEmitter::emit_nodes(const std::vector<Node>& nodes) {
  for (const Node& node : nodes) emit_node(node);
}

void KernelEmitter::emit_node(const Node& node) {
  switch (node.kind) {
    case Node::Kind::Segment: return emit_segment(node.segment);
    case Node::Kind::Uniform: return emit_op(node.op);
    case Node::Kind::Barrier:
      check_barrier(node);
      if (f_.ops[node.op].kind == OpKind::GridBarrier) emit_grid_barrier(node);
      return;
    case Node::Kind::If: return emit_if_node(node);
    case Node::Kind::Arms: return emit_arms(node);
    case Node::Kind::For: return emit_for_node(node);
    case Node::Kind::While: return emit_while_node(node);
    case Node::Kind::Scope: return emit_scope_node(node);
    case Node::Kind::Jump: return emit_jump(node.op);
    case Node::Kind::Meeting: return emit_meeting(node);
    case Node::Kind::Fall: return emit_fall(tree_.parent(node.op));
  }
}

bool KernelEmitter::is_loop(ir::OpId op) const {
  return f_.ops[op].kind == OpKind::For || f_.ops[op].kind == OpKind::While;
}

// --- ends
KernelEmitter::UniformEnd KernelEmitter::uniform_end(const char* name, std::vector<ValueId> to) {
  UniformEnd end{new_block(name), std::move(to), {}};
  for (ValueId v : end.to)
    end.phis.push_back(is_uniform(v) && !plan_.alias[v.index].valid()
                           ? llvm::PHINode::Create(type(v), 2, "", end.block)
                           : nullptr);
  return end;
}

std::vector<Value*> KernelEmitter::uniform_values(const UniformEnd& end, const ValueId* from) {
  std::vector<Value*> values(end.to.size());
  for (size_t i = 0; i < end.to.size(); ++i)
    if (end.phis[i]) values[i] = value(from[i]);
  return values;
}

// Where no thread is active, any values will do; zeros are at least the same everywhere.
std::vector<Value*> KernelEmitter::no_values(const UniformEnd& end) {
  std::vector<Value*> values(end.to.size());
  for (size_t i = 0; i < end.to.size(); ++i)
    if (end.phis[i]) values[i] = llvm::Constant::getNullValue(end.phis[i]->getType());
  return values;
}

// The edge from the current block, whose branch the caller makes.
static void add_incoming(const std::vector<llvm::PHINode*>& phis, const std::vector<Value*>& values,
                         BasicBlock* from) {
  for (size_t i = 0; i < phis.size(); ++i)
    if (phis[i]) phis[i]->addIncoming(values[i], from);
}

void KernelEmitter::go_to(const UniformEnd& end, const std::vector<Value*>& values) {
  add_incoming(end.phis, values, b_.GetInsertBlock());
  b_.CreateBr(end.block);
}

void KernelEmitter::start_uniform(const UniformEnd& end) {
  bool reached = !llvm::pred_empty(end.block);
  for (size_t i = 0; i < end.to.size(); ++i) {
    llvm::PHINode* phi = end.phis[i];
    if (!phi) continue;
    set(end.to[i], phi);
    if (reached) continue;
    set(end.to[i], llvm::Constant::getNullValue(phi->getType()));
    phi->replaceAllUsesWith(values_[end.to[i].index]);
    phi->eraseFromParent();
  }
  b_.SetInsertPoint(end.block);
}

std::vector<ValueId> KernelEmitter::results(ir::OpId op) const { return f_.ops[op].results; }

// Where the code goes on after the region that `owner` owns; null for the kernel's body.
const KernelEmitter::UniformEnd* KernelEmitter::region_end(ir::OpId owner) const {
  for (size_t i = frames_.size(); i-- > 0;)
    if (frames_[i]->op == owner) return is_loop(owner) ? &frames_[i]->next : &frames_[i]->end;
  LANEWISE_CHECK(!owner.valid(), "a region's owner is not at block level");
  return nullptr;
}

void KernelEmitter::emit_jump(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  ir::OpId target = tree_.target(id);
  if (!target.valid()) {
    b_.CreateBr(block_end_);
    return;
  }
  const UniformEnd* end = region_end(target);
  if (op.kind != OpKind::Yield && op.kind != OpKind::Continue && is_loop(target))
    for (const Frame* frame : frames_)
      if (frame->op == target) end = &frame->end;
  go_to(*end, uniform_values(*end, op.operands.data()));
}

void KernelEmitter::emit_fall(ir::OpId owner) {
  const UniformEnd* end = region_end(owner);
  if (!end) {
    b_.CreateBr(block_end_);
    return;
  }
  std::vector<Value*> values = no_values(*end);
  // Threads that ended their turn before go on with the next: with the value that all ways hand on. Where it
  // is not defined yet, no thread has.
  if (auto handed = plan_.turn_values.find(owner); handed != plan_.turn_values.end())
    for (size_t i = 0; i < values.size(); ++i)
      if (ValueId v = plan_.resolve(handed->second[i]); values[i] && values_[v.index] && is_visible(v, owner))
        values[i] = values_[v.index];
  go_to(*end, values);
}

// Whether the value can be used at the end of the body of a loop: defined in the body itself or around it.
bool KernelEmitter::is_visible(ValueId v, ir::OpId loop) const {
  ir::OpId definition = tree_.definition(v);
  if (definition.valid()) {
    ir::OpId region = tree_.parent(definition);
    for (ir::OpId at = loop; at.valid(); at = tree_.parent(at))
      if (at == region) return true;
    return !region.valid();
  }
  for (ir::OpId at = loop; at.valid(); at = tree_.parent(at))
    for (ir::RegionId region : f_.ops[at].regions)
      for (ValueId param : f_.regions[region].params)
        if (param == v) return true;
  for (ValueId param : f_.params())
    if (param == v) return true;
  return false;
}

// --- if and scope
void KernelEmitter::emit_if_node(const Node& node) {
  Frame frame{node.op, uniform_end("endif", results(node.op)), {}};
  frames_.push_back(&frame);
  BasicBlock *then_block = new_block("then"), *else_block = new_block("else");
  b_.CreateCondBr(value(f_.ops[node.op].operands[0]), then_block, else_block);
  b_.SetInsertPoint(then_block);
  emit_nodes(node.first);
  b_.SetInsertPoint(else_block);
  emit_nodes(node.second);
  frames_.pop_back();
  start_uniform(frame.end);
}

void KernelEmitter::emit_scope_node(const Node& node) {
  Frame frame{node.op, uniform_end("scope.end", results(node.op)), {}};
  frames_.push_back(&frame);
  emit_nodes(node.first);
  frames_.pop_back();
  start_uniform(frame.end);
  if (node.reset) reset_limits(node.level, node.level);
}

// Each arm is skipped if no thread takes it.
void KernelEmitter::emit_arms(const Node& node) {
  auto arm = [&](const std::vector<Node>& nodes) {
    if (nodes.empty()) return;
    Frame frame{node.op, uniform_end("arm.end", results(node.op)), {}};
    frames_.push_back(&frame);
    BasicBlock* taken = new_block("arm");
    branch_if_active(node.level, taken, frame.end.block);
    b_.SetInsertPoint(taken);
    emit_nodes(nodes);
    frames_.pop_back();
    start_uniform(frame.end);
  };
  arm(node.first);
  emit_nodes(node.at_end);
  arm(node.second);
  reset_limits(node.level, node.level);
}

// --- loops
// The head of a loop with phis for the uniform carried values; the edge from the current block is made. Ends
// in the code after the scan.
KernelEmitter::LoopHead KernelEmitter::begin_loop(Frame& frame, const ValueId* initial) {
  frames_.push_back(&frame);
  LoopHead head{new_block("loop"), {}};
  std::vector<Value*> values = uniform_values(frame.next, initial);
  BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(head.block);
  b_.SetInsertPoint(head.block);
  for (size_t i = 0; i < frame.next.to.size(); ++i) {
    llvm::PHINode* phi = frame.next.phis[i] ? b_.CreatePHI(frame.next.phis[i]->getType(), 2) : nullptr;
    if (phi) phi->addIncoming(values[i], before);
    head.phis.push_back(phi);
  }
  for (size_t i = 0; i < frame.next.to.size(); ++i)
    if (head.phis[i]) set(frame.next.to[i], head.phis[i]);
  return head;
}

// In the block `next`: threads that continued are active again, the carried values go to the head.
void KernelEmitter::end_turn(const Node& node, const Frame& frame, const LoopHead& head) {
  if (node.reset_turn) reset_limits(node.level + 1, node.level + 1);
  for (size_t i = 0; i < head.phis.size(); ++i)
    if (head.phis[i]) head.phis[i]->addIncoming(frame.next.phis[i], b_.GetInsertBlock());
  // A tree reduction's few turns may be unrolled; anything bigger would only be repeated.
  llvm::BranchInst* back_edge = b_.CreateBr(head.block);
  if (has_one_short_segment(node))
    mark_loop(last_thread_loop_, 0);  // each turn has its own copy
  else
    mark_loop(back_edge, 0);
}

bool KernelEmitter::has_one_short_segment(const Node& loop) const {
  size_t segments = 0;
  for (const auto* nodes : {&loop.first, &loop.second})
    for (const Node& node : *nodes) {
      if (node.kind == Node::Kind::Segment) segments += 1;
      bool plain = node.kind == Node::Kind::Segment || node.kind == Node::Kind::Uniform ||
                   node.kind == Node::Kind::Jump;
      if (!plain && (node.kind != Node::Kind::Barrier || !plan_.barriers.empty())) return false;
    }
  return segments == 1 && last_unroll_ > 0;
}

void KernelEmitter::end_loop(const Node& node, const Frame& frame) {
  frames_.pop_back();
  start_uniform(frame.end);
  if (node.reset) reset_limits(node.level, node.level + 1);
}

// The threads' ranges start at index + base, base the sum of the offsets, and have the same end and step:
//   left = hi > base ? hi - base : 0, unsigned; a thread is in the turn iff index < left
//   a further turn follows iff left > step; then left -= step, base += step
void KernelEmitter::emit_strided(const Node& node) {
  const ir::Op& op = f_.ops[node.op];
  Value *hi = value(op.operands[1]), *step = value(op.operands[2]), *zero = b_.getInt64(0), *base = zero;
  for (ValueId offset : node.stride->offsets) base = b_.CreateAdd(base, value(offset), "", true, true);
  Value* first_left = b_.CreateSelect(b_.CreateICmpSGT(hi, base), b_.CreateSub(hi, base), zero);
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  Frame frame{node.op, uniform_end("stride.end", op.results),
              uniform_end("stride.next", {params.begin() + 1, params.end()})};
  frames_.push_back(&frame);
  BasicBlock *before = b_.GetInsertBlock(), *head = new_block("stride"), *body = new_block("stride.body");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode *left = b_.CreatePHI(b_.getInt64Ty(), 2), *at = b_.CreatePHI(b_.getInt64Ty(), 2);
  left->addIncoming(first_left, before);
  at->addIncoming(base, before);
  b_.CreateCondBr(b_.CreateICmpNE(left, zero), body, frame.end.block);
  b_.SetInsertPoint(body);
  strides_.push_back({node.op, node.stride->axis, left, at});
  emit_nodes(node.first);
  strides_.pop_back();
  start_uniform(frame.next);
  Value* further = b_.CreateICmpUGT(left, step);
  left->addIncoming(b_.CreateSelect(further, b_.CreateSub(left, step), zero), b_.GetInsertBlock());
  at->addIncoming(b_.CreateAdd(at, step), b_.GetInsertBlock());
  mark_loop(b_.CreateBr(head), 0);
  frames_.pop_back();
  start_uniform(frame.end);
}

void KernelEmitter::emit_for_node(const Node& node) {
  if (node.stride) return emit_strided(node);
  const ir::Op& op = f_.ops[node.op];
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  std::vector<ValueId> carried(params.begin() + 1, params.end());
  bool is_signed = f_.type(op.operands[0]).is_signed(), uniform_counter = is_uniform(params[0]);
  bool counted = !node.varying_bounds;
  Value* lo = uniform_counter ? value(op.operands[0]) : nullptr;
  Value* step = uniform_counter ? value(op.operands[2]) : nullptr;
  llvm::Type* type = m_.type(f_.type(op.operands[0]));
  Value *zero = llvm::ConstantInt::get(type, 0), *hi = nullptr, *distance = nullptr, *stride = nullptr;
  auto less = [&](Value* a, Value* b) { return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b); };
  auto* constant = step ? llvm::dyn_cast<llvm::ConstantInt>(step) : nullptr;
  bool by_one = constant && constant->isOne();
  if (counted) {  // see FunctionEmitter::emit_for
    hi = value(op.operands[1]);
    Value* up = is_signed ? b_.CreateICmpSGT(step, zero) : b_.CreateICmpNE(step, zero);
    Value* down = is_signed ? b_.CreateICmpSLT(step, zero) : b_.getFalse();
    Value* enters = b_.CreateOr(b_.CreateAnd(up, less(lo, hi)), b_.CreateAnd(down, less(hi, lo)));
    stride = b_.CreateSelect(up, step, b_.CreateNeg(step));
    distance = b_.CreateSelect(enters, b_.CreateSelect(up, b_.CreateSub(hi, lo), b_.CreateSub(lo, hi)), zero);
  }
  BasicBlock* before = b_.GetInsertBlock();
  Frame frame{node.op, uniform_end("for.end", op.results), uniform_end("for.next", carried)};
  LoopHead head = begin_loop(frame, op.operands.data() + 3);
  llvm::PHINode* counter = uniform_counter ? b_.CreatePHI(type, 2, "counter") : nullptr;
  llvm::PHINode* left = counted && !by_one ? b_.CreatePHI(type, 2, "left") : nullptr;
  if (counter) counter->addIncoming(lo, before), set(params[0], counter);
  if (left) left->addIncoming(distance, before);

  BasicBlock *body = new_block("for.body"), *out = counted ? new_block("for.out") : nullptr;
  if (node.scan) {
    BasicBlock *some = new_block("for.some"), *none = new_block("for.none");
    branch_if_active(node.level, some, none);
    b_.SetInsertPoint(none);
    go_to(frame.end, no_values(frame.end));
    b_.SetInsertPoint(some);
  }
  if (counted)
    b_.CreateCondBr(by_one ? less(counter, hi) : b_.CreateICmpNE(left, zero), body, out);
  else
    b_.CreateBr(body);
  b_.SetInsertPoint(body);
  emit_nodes(node.first);

  start_uniform(frame.next);
  for (size_t i = 0; i < carried.size(); ++i)  // the head's again: at_end and the results mean those
    if (head.phis[i]) set(carried[i], head.phis[i]);
  if (llvm::pred_empty(frame.next.block)) {
    b_.CreateUnreachable();
  } else {
    Value* next = counter ? by_one && counted ? b_.CreateAdd(counter, step, "", !is_signed, is_signed)
                                              : b_.CreateAdd(counter, step)
                          : nullptr;
    Value* rest =
        left ? b_.CreateSelect(b_.CreateICmpUGT(left, stride), b_.CreateSub(left, stride), zero) : nullptr;
    end_turn(node, frame, head);
    BasicBlock* latch = b_.GetInsertBlock();
    if (counter) counter->addIncoming(next, latch);
    if (left) left->addIncoming(rest, latch);
  }
  if (out) {
    b_.SetInsertPoint(out);
    emit_nodes(node.at_end);
    go_to(frame.end, uniform_values(frame.end, carried.data()));
  }
  end_loop(node, frame);
}

void KernelEmitter::emit_while_node(const Node& node) {
  const ir::Op& op = f_.ops[node.op];
  const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
  Frame frame{node.op, uniform_end("while.end", op.results),
              uniform_end("while.next", f_.regions[op.regions[0]].params)};
  LoopHead head = begin_loop(frame, op.operands.data());
  if (node.scan) {
    BasicBlock *some = new_block("while.some"), *none = new_block("while.none");
    branch_if_active(node.level, some, none);
    b_.SetInsertPoint(none);
    go_to(frame.end, no_values(frame.end));
    b_.SetInsertPoint(some);
  }
  emit_nodes(node.first);
  BasicBlock* body = new_block("while.do");
  if (is_terminated()) {
    b_.SetInsertPoint(body);  // the condition never gets to its end
  } else if (node.varying_bounds) {
    b_.CreateBr(body);
    b_.SetInsertPoint(body);
  } else {
    BasicBlock* out = new_block("while.out");
    b_.CreateCondBr(value(test.operands[0]), body, out);
    b_.SetInsertPoint(out);
    emit_nodes(node.at_end);
    go_to(frame.end, uniform_values(frame.end, test.operands.data() + 1));
    b_.SetInsertPoint(body);
  }
  emit_nodes(node.second);
  start_uniform(frame.next);
  for (size_t i = 0; i < frame.next.to.size(); ++i)
    if (head.phis[i]) set(frame.next.to[i], head.phis[i]);
  if (llvm::pred_empty(frame.next.block))
    b_.CreateUnreachable();
  else
    end_turn(node, frame, head);
  end_loop(node, frame);
}

}  // namespace lanewise::codegen::host
