// Structured regions to basic blocks. Every region ends in a jump to an End: the block that follows with a
// phi for each value handed over, so SSA values need no further work.
#include "codegen/host/function_emitter.h"

#include "codegen/common/loop_exit_loads.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

FunctionEmitter::FunctionEmitter(HostModule& module, const ir::Function& function)
    : m_(module),
      f_(function),
      tree_(function),
      b_(module.context),
      scalar_(b_, module.vector_bits, module.divider),
      values_(function.values.size()),
      exit_loads_(loop_exit_loads(function)) {}

FunctionEmitter::End FunctionEmitter::new_end(const char* name, const std::vector<ValueId>& values) {
  End end{new_block(name), {}};
  for (ValueId id : values) end.phis.push_back(llvm::PHINode::Create(type(id), 2, "", end.block));
  return end;
}

// Goes on in the end's block. A block that nothing jumps to must have no phis.
void FunctionEmitter::start(const End& end, const std::vector<ValueId>& values) {
  bool reached = !llvm::pred_empty(end.block);
  for (size_t i = 0; i < values.size(); ++i) {
    set(values[i], end.phis[i]);
    if (reached) continue;
    set(values[i], llvm::PoisonValue::get(end.phis[i]->getType()));
    end.phis[i]->replaceAllUsesWith(values_[values[i].index]);
    end.phis[i]->eraseFromParent();
  }
  b_.SetInsertPoint(end.block);
}

void FunctionEmitter::jump(const End& end, const std::vector<ValueId>& values) {
  LANEWISE_CHECK(values.size() == end.phis.size(), "a region ends with the wrong number of values");
  llvm::SmallVector<Value*, 8> handed;  // first: resolving a value may make code
  for (ValueId id : values) handed.push_back(value(id));
  for (size_t i = 0; i < handed.size(); ++i) end.phis[i]->addIncoming(handed[i], b_.GetInsertBlock());
  b_.CreateBr(end.block);
}

void FunctionEmitter::emit_region(ir::RegionId region, const End* yield) {
  for (ir::OpId id : f_.regions[region].ops) emit_op(id, yield);
}

void FunctionEmitter::emit_op(ir::OpId id, const End* yield) {
  const ir::Op& op = f_.ops[id];
  mark_line(op);
  if (ir::is_terminator(op.kind)) return emit_terminator(id, yield);
  switch (op.kind) {
    case OpKind::If: return emit_if(op);
    case OpKind::For: return emit_for(op);
    case OpKind::While: return emit_while(op);
    case OpKind::Scope: return emit_scope(op);
    case OpKind::Call: return emit_call(op);
    case OpKind::Print:
    case OpKind::Report: return emit_output(op);
    default: break;
  }
  Value* result = ir::info(op.kind).effect == ir::Effect::None ? emit_pure(id) : emit_memory(id);
  if (!op.results.empty()) set(op.results[0], result);
}

void FunctionEmitter::emit_terminator(ir::OpId id, const End* yield) {
  const ir::Op& op = f_.ops[id];
  switch (op.kind) {
    case OpKind::Yield: return yield ? jump(*yield, op.operands) : leave(id);
    case OpKind::Continue: return loops_.empty() ? leave(id) : jump(loops_.back().next, op.operands);
    case OpKind::Break: return loops_.empty() ? leave(id) : jump(loops_.back().end, op.operands);
    case OpKind::Leave: {
      auto out = static_cast<size_t>(std::get<int64_t>(op.immediate));
      return out < scope_ends_.size() ? jump(scope_ends_[scope_ends_.size() - 1 - out], op.operands)
                                      : leave(id);
    }
    case OpKind::Unreachable: b_.CreateUnreachable(); return;
    default: return leave(id);
  }
}

void FunctionEmitter::emit_if(const ir::Op& op) {
  Value* condition = value(op.operands[0]);
  BasicBlock *then_block = new_block("then"), *else_block = new_block("else");
  End end = new_end("endif", op.results);
  b_.CreateCondBr(condition, then_block, else_block);
  b_.SetInsertPoint(then_block);
  emit_region(op.regions[0], &end);
  b_.SetInsertPoint(else_block);
  emit_region(op.regions[1], &end);
  start(end, op.results);
}

void FunctionEmitter::emit_scope(const ir::Op& op) {
  End end = new_end("scope.end", op.results);
  scope_ends_.push_back(end);
  emit_region(op.regions[0], &end);
  scope_ends_.pop_back();
  start(end, op.results);
}

// The number of turns is fixed on entry and the counter must not wrap, so the loop counts the distance to
// `hi`:
//   distance = step > 0 ? hi - lo : lo - hi, unsigned, exact where a turn is made at all;
//   a further turn follows iff distance > |step|; then distance -= |step|, counter += step.
// With step 1 the counter alone will do: below hi it cannot wrap.
void FunctionEmitter::emit_for(const ir::Op& op) {
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  std::vector<ValueId> carried(op.operands.begin() + 3, op.operands.end());
  std::vector<ValueId> carried_params(params.begin() + 1, params.end());
  bool is_signed = f_.type(op.operands[0]).is_signed();
  Value *lo = value(op.operands[0]), *hi = value(op.operands[1]), *step = value(op.operands[2]);
  llvm::SmallVector<Value*, 8> first;
  for (ValueId id : carried) first.push_back(value(id));
  Value *zero = llvm::ConstantInt::get(lo->getType(), 0), *one = llvm::ConstantInt::get(lo->getType(), 1);
  auto less = [&](Value* a, Value* b) { return is_signed ? b_.CreateICmpSLT(a, b) : b_.CreateICmpULT(a, b); };
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(step);
  bool by_one = constant && constant->isOne();

  Value* up = is_signed ? b_.CreateICmpSGT(step, zero) : b_.CreateICmpNE(step, zero);
  Value* down = is_signed ? b_.CreateICmpSLT(step, zero) : b_.getFalse();
  Value* enters = b_.CreateOr(b_.CreateAnd(up, less(lo, hi)), b_.CreateAnd(down, less(hi, lo)));
  Value* stride = b_.CreateSelect(up, step, b_.CreateNeg(step));
  Value* distance = b_.CreateSelect(up, b_.CreateSub(hi, lo), b_.CreateSub(lo, hi));

  Loop loop{new_end("for.next", carried_params), new_end("for.end", op.results)};
  End body = new_end("for.body", params);
  auto* left = by_one ? nullptr : llvm::PHINode::Create(lo->getType(), 2, "left", body.block);
  BasicBlock* before = b_.GetInsertBlock();
  body.phis[0]->addIncoming(lo, before);
  if (left) left->addIncoming(distance, before);
  for (size_t i = 0; i < first.size(); ++i) {
    body.phis[i + 1]->addIncoming(first[i], before);
    loop.end.phis[i]->addIncoming(first[i], before);
  }
  b_.CreateCondBr(enters, body.block, loop.end.block);
  start(body, params);
  loops_.push_back(loop);
  emit_region(op.regions[0], &loop.next);
  loops_.pop_back();

  start(loop.next, carried_params);
  if (llvm::pred_empty(loop.next.block)) {
    b_.CreateUnreachable();
    return start(loop.end, op.results);
  }
  Value* counter = body.phis[0];
  Value* next = by_one ? b_.CreateAdd(counter, one, "", !is_signed, is_signed) : b_.CreateAdd(counter, step);
  Value* further = by_one ? less(next, hi) : b_.CreateICmpUGT(left, stride);
  BasicBlock* latch = b_.GetInsertBlock();
  body.phis[0]->addIncoming(next, latch);
  if (left) left->addIncoming(b_.CreateSub(left, stride), latch);
  for (size_t i = 0; i < carried_params.size(); ++i) {
    body.phis[i + 1]->addIncoming(loop.next.phis[i], latch);
    loop.end.phis[i]->addIncoming(loop.next.phis[i], latch);
  }
  b_.CreateCondBr(further, body.block, loop.end.block);
  start(loop.end, op.results);
}

void FunctionEmitter::emit_while(const ir::Op& op) {
  const std::vector<ValueId>& condition_params = f_.regions[op.regions[0]].params;
  const std::vector<ValueId>& do_params = f_.regions[op.regions[1]].params;
  Loop loop{new_end("while", condition_params), new_end("while.end", op.results)};
  jump(loop.next, op.operands);
  start(loop.next, condition_params);
  // `cond` yields a bool and the values that either go into `do` or are the results.
  End decide{new_block("while.test"), {llvm::PHINode::Create(b_.getInt1Ty(), 1)}};
  decide.phis[0]->insertInto(decide.block, decide.block->end());
  for (ValueId id : do_params) decide.phis.push_back(llvm::PHINode::Create(type(id), 1, "", decide.block));
  loops_.push_back(loop);
  emit_region(op.regions[0], &decide);
  b_.SetInsertPoint(decide.block);
  if (llvm::pred_empty(decide.block)) {
    for (llvm::PHINode* phi : decide.phis) phi->eraseFromParent();
    b_.CreateUnreachable();
  } else {
    BasicBlock* do_block = new_block("while.do");
    for (size_t i = 0; i < do_params.size(); ++i) {
      set(do_params[i], decide.phis[i + 1]);
      loop.end.phis[i]->addIncoming(decide.phis[i + 1], decide.block);
    }
    b_.CreateCondBr(decide.phis[0], do_block, loop.end.block);
    b_.SetInsertPoint(do_block);
    emit_region(op.regions[1], &loop.next);
  }
  loops_.pop_back();
  start(loop.end, op.results);
}

void FunctionEmitter::emit_call(const ir::Op& op) {
  llvm::SmallVector<Value*, 8> arguments;
  for (ValueId id : op.operands) arguments.push_back(value(id));
  for (Axis axis : {Axis::X, Axis::Y, Axis::Z}) arguments.push_back(thread_id(axis));
  arguments.push_back(environment());
  Value* result = b_.CreateCall(m_.functions[op.callee.index], arguments);
  if (op.results.size() == 1) set(op.results[0], result);
  for (unsigned i = 0; op.results.size() > 1 && i < op.results.size(); ++i)
    set(op.results[i], b_.CreateExtractValue(result, i));
}

Value* FunctionEmitter::emit_pure(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  const BlockEnvironment& env = block();
  switch (op.kind) {
    case OpKind::Const: return scalar_constant(m_.context, op.immediate, f_.type(op.results[0]));
    case OpKind::Data: return m_.data_address(static_cast<size_t>(std::get<int64_t>(op.immediate)));
    case OpKind::Offset:
      return b_.CreateGEP(element_type(m_.context, f_.type(op.operands[0])), value(op.operands[0]),
                          value(op.operands[1]));
    case OpKind::SpaceCast:
    case OpKind::PtrCast: return value(op.operands[0]);
    case OpKind::Address: return b_.CreatePtrToInt(value(op.operands[0]), b_.getInt64Ty());
    case OpKind::SharedArray: return shared_array(id);
    case OpKind::LocalArray: return local_array(id);
    case OpKind::DynamicShared: return env.dynamic_shared;
    case OpKind::DynamicSharedBytes: return env.dynamic_shared_bytes;
    case OpKind::ThreadIdX: return thread_id(Axis::X);
    case OpKind::ThreadIdY: return thread_id(Axis::Y);
    case OpKind::ThreadIdZ: return thread_id(Axis::Z);
    case OpKind::BlockIdX: return env.block_id[0];
    case OpKind::BlockIdY: return env.block_id[1];
    case OpKind::BlockIdZ: return env.block_id[2];
    case OpKind::BlockDimX: return env.block_dim[0];
    case OpKind::BlockDimY: return env.block_dim[1];
    case OpKind::BlockDimZ: return env.block_dim[2];
    case OpKind::GridDimX: return env.grid_dim[0];
    case OpKind::GridDimY: return env.grid_dim[1];
    case OpKind::GridDimZ: return env.grid_dim[2];
    case OpKind::LaneId: return lane_id();
    default: break;
  }
  LANEWISE_CHECK(ScalarEmitter::knows(op.kind),
                 "no lowering for `" + std::string(ir::info(op.kind).text) + "`");
  llvm::SmallVector<Value*, 4> operands;
  for (ValueId v : op.operands) operands.push_back(value(v));
  ir::Type operand = f_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]);
  scalar_.set_mode(f_.float_mode_of(op));
  return scalar_.emit(op.kind, operand, f_.type(op.results[0]), operands);
}

}  // namespace lanewise::codegen::host
