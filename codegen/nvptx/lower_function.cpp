// Structured regions to basic blocks. Every region ends in a jump to an Exit: the block that follows with a
// phi for each value handed over, so SSA values need no further work.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/common/loop_exit_loads.h"
#include "codegen/nvptx/line_info.h"
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

using ir::OpKind;
using ir::RegionId;
using ir::ValueId;
using llvm::BasicBlock;
using llvm::Value;

FunctionLowering::FunctionLowering(ModuleLowering& lowering, const ir::Function& function,
                                   llvm::Function* llvm_function)
    : m_(lowering),
      f_(function),
      fn_(llvm_function),
      b_(lowering.context),
      scalars_(b_, lowering),
      values_(function.values.size()),
      exit_loads_(loop_exit_loads(function)) {}

void FunctionLowering::run() {
  b_.SetInsertPoint(BasicBlock::Create(m_.context, "entry", fn_));
  if (m_.lines) m_.lines->start_function(f_, fn_);
  const std::vector<ValueId>& params = f_.params();
  for (size_t i = 0; i < params.size(); ++i) {
    Value* argument = fn_->getArg(static_cast<unsigned>(i));
    // A kernel's bool parameter is a byte; any value but 0 is true.
    if (f_.is_kernel && f_.type(params[i]).is_bool()) argument = b_.CreateIsNotNull(argument);
    set_value(params[i], argument);
  }
  lower_region(f_.body, {});
}

BasicBlock* FunctionLowering::new_block(const char* name) {
  return BasicBlock::Create(m_.context, name, fn_);
}

FunctionLowering::Exit FunctionLowering::new_exit(const char* name, const std::vector<ValueId>& values) {
  Exit exit{new_block(name), {}};
  for (ValueId id : values)
    exit.phis.push_back(llvm::PHINode::Create(m_.type(f_.type(id)), 2, "", exit.block));
  return exit;
}

// Goes on in the exit's block with its phis as the values. A block that nothing jumps to must have no phis.
void FunctionLowering::start(const Exit& exit, const std::vector<ValueId>& values) {
  bool reached = !llvm::pred_empty(exit.block);
  for (size_t i = 0; i < values.size(); ++i) {
    llvm::PHINode* phi = exit.phis[i];
    set_value(values[i], phi);
    if (reached) continue;
    set_value(values[i], llvm::PoisonValue::get(phi->getType()));
    phi->replaceAllUsesWith(values_[values[i].index]);
    phi->eraseFromParent();
  }
  b_.SetInsertPoint(exit.block);
}

void FunctionLowering::jump_values(const Exit& exit, llvm::ArrayRef<Value*> values) {
  LANEWISE_CHECK(exit.block && values.size() == exit.phis.size(),
                 "a region ends with the wrong number of values");
  for (size_t i = 0; i < values.size(); ++i) exit.phis[i]->addIncoming(values[i], b_.GetInsertBlock());
  b_.CreateBr(exit.block);
}

void FunctionLowering::jump(const Exit& exit, const std::vector<ValueId>& values) {
  llvm::SmallVector<Value*, 8> handed;
  for (ValueId id : values) handed.push_back(value(id));
  jump_values(exit, handed);
}

void FunctionLowering::lower_region(RegionId region, const Exit& yield) {
  for (ir::OpId id : f_.regions[region].ops) lower_op(id, yield);
}

void FunctionLowering::lower_op(ir::OpId id, const Exit& yield) {
  const ir::Op& op = f_.ops[id];
  if (m_.lines) m_.lines->set(b_, f_, op);
  if (lower_terminator(op, yield)) return;
  switch (op.kind) {
    case OpKind::If: return lower_if(op);
    case OpKind::For: return lower_for(op);
    case OpKind::While: return lower_while(op);
    case OpKind::Scope: return lower_scope(op);
    case OpKind::Call: return lower_call(op);
    case OpKind::Print: return lower_print(op);
    case OpKind::Report: return;  // the thread ends, and nobody is told
    default: break;
  }
  Value* result = nullptr;
  if (ir::info(op.kind).effect == ir::Effect::None)
    result = lower_pure(op);
  else if (ir::meets_others(op.kind) || ir::is_fence(op.kind) || op.kind == OpKind::Nanosleep)
    result = lower_threads(op);
  else
    result = exit_loads_[id.index] ? lower_exit_load(op) : lower_memory(op);
  if (!op.results.empty()) set_value(op.results[0], result);
}

bool FunctionLowering::lower_terminator(const ir::Op& op, const Exit& yield) {
  switch (op.kind) {
    case OpKind::Yield: jump(yield, op.operands); return true;
    case OpKind::Continue: jump(loops_.back().next, op.operands); return true;
    case OpKind::Break: jump(loops_.back().end, op.operands); return true;
    case OpKind::Leave: {
      auto out = static_cast<size_t>(std::get<int64_t>(op.immediate));
      LANEWISE_CHECK(out < scopes_.size(), "leave of a scope that is not there");
      jump(scopes_[scopes_.size() - 1 - out], op.operands);
      return true;
    }
    case OpKind::Return: lower_return(op); return true;
    case OpKind::Exit:  // of a device function that is compiled on its own
      b_.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, llvm::ArrayRef<llvm::Type*>(), {});
      b_.CreateUnreachable();
      return true;
    case OpKind::Unreachable: b_.CreateUnreachable(); return true;
    default: return false;
  }
}

void FunctionLowering::lower_return(const ir::Op& op) {
  if (op.operands.empty()) {
    b_.CreateRetVoid();
  } else if (op.operands.size() == 1) {
    b_.CreateRet(value(op.operands[0]));
  } else {
    llvm::SmallVector<Value*, 8> values;
    for (ValueId id : op.operands) values.push_back(value(id));
    b_.CreateAggregateRet(values.data(), static_cast<unsigned>(values.size()));
  }
}

void FunctionLowering::lower_call(const ir::Op& op) {
  llvm::SmallVector<Value*, 8> arguments;
  for (ValueId id : op.operands) arguments.push_back(value(id));
  Value* result = b_.CreateCall(m_.functions[op.callee.index], arguments);
  if (op.results.size() == 1) set_value(op.results[0], result);
  for (unsigned i = 0; op.results.size() > 1 && i < op.results.size(); ++i)
    set_value(op.results[i], b_.CreateExtractValue(result, i));
}

void FunctionLowering::lower_if(const ir::Op& op) {
  BasicBlock* then_block = new_block("then");
  BasicBlock* else_block = new_block("else");
  Exit end = new_exit("endif", op.results);
  b_.CreateCondBr(value(op.operands[0]), then_block, else_block);
  b_.SetInsertPoint(then_block);
  lower_region(op.regions[0], end);
  b_.SetInsertPoint(else_block);
  lower_region(op.regions[1], end);
  start(end, op.results);
}

void FunctionLowering::lower_scope(const ir::Op& op) {
  Exit end = new_exit("scope_end", op.results);
  scopes_.push_back(end);
  lower_region(op.regions[0], end);  // not scopes_.back(): scopes inside may move the list
  scopes_.pop_back();
  start(end, op.results);
}

// The trip count is fixed on entry and the counter must not wrap, so besides the counter a loop carries what
// is left:
//   a step of 1        nothing: below hi, counter + 1 cannot wrap
//   a constant step    the number of turns, which LLVM understands
//   any other step     the distance to hi as unsigned (exact where a turn is made at all): a further turn
//                      follows iff distance > |step|, and then distance -= |step|
FunctionLowering::ForLoop FunctionLowering::plan_for(const ir::Op& op) {
  ForLoop loop;
  bool is_signed = f_.type(op.operands[0]).is_signed();
  loop.lo = value(op.operands[0]), loop.hi = value(op.operands[1]), loop.step = value(op.operands[2]);
  loop.is_signed = is_signed;
  Value *zero = llvm::ConstantInt::get(loop.lo->getType(), 0),
        *one = llvm::ConstantInt::get(loop.lo->getType(), 1);
  Value* up = is_signed ? b_.CreateICmpSGT(loop.step, zero) : b_.CreateIsNotNull(loop.step);
  Value* down = is_signed ? b_.CreateICmpSLT(loop.step, zero) : b_.getFalse();
  auto predicate = is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT;
  loop.enters = b_.CreateOr(b_.CreateAnd(up, b_.CreateICmp(predicate, loop.lo, loop.hi)),
                            b_.CreateAnd(down, b_.CreateICmp(predicate, loop.hi, loop.lo)));
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(loop.step);
  if (constant && constant->isOne()) {
    loop.by = ForLoop::Counter;
    return loop;
  }
  loop.magnitude = b_.CreateSelect(up, loop.step, b_.CreateNeg(loop.step));
  Value* distance = b_.CreateSelect(up, b_.CreateSub(loop.hi, loop.lo), b_.CreateSub(loop.lo, loop.hi));
  loop.by = constant && !constant->isZero() ? ForLoop::Turns : ForLoop::Distance;
  loop.first_left = distance;
  if (loop.by == ForLoop::Turns)
    loop.first_left = b_.CreateAdd(b_.CreateUDiv(b_.CreateSub(distance, one), loop.magnitude), one);
  return loop;
}

void FunctionLowering::lower_for(const ir::Op& op) {
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  std::vector<ValueId> carried_params(params.begin() + 1, params.end());
  ForLoop turns = plan_for(op);
  Loop loop{new_exit("for_next", carried_params), new_exit("for_end", op.results)};
  Exit body = new_exit("for_body", params);
  if (turns.first_left) turns.left = llvm::PHINode::Create(turns.lo->getType(), 2, "left", body.block);
  llvm::SmallVector<Value*, 8> first;
  for (size_t i = 3; i < op.operands.size(); ++i) first.push_back(value(op.operands[i]));
  enter_turn(turns, body, loop.end, turns.lo, turns.first_left, first, turns.enters);
  start(body, params);
  loops_.push_back(loop);
  lower_region(op.regions[0], loop.next);
  loops_.pop_back();

  bool repeats = !llvm::pred_empty(loop.next.block);
  start(loop.next, carried_params);
  if (!repeats) {
    b_.CreateUnreachable();
    return start(loop.end, op.results);
  }
  llvm::SmallVector<Value*, 8> carried;
  for (ValueId id : carried_params) carried.push_back(value(id));
  Value* one = llvm::ConstantInt::get(turns.lo->getType(), 1);
  Value* counter = body.phis[0];
  if (turns.by == ForLoop::Counter) {
    Value* next = b_.CreateAdd(counter, one, "", !turns.is_signed, turns.is_signed);
    auto predicate = turns.is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT;
    enter_turn(turns, body, loop.end, next, nullptr, carried, b_.CreateICmp(predicate, next, turns.hi));
  } else {
    Value* less = turns.by == ForLoop::Turns ? one : turns.magnitude;
    Value* further = b_.CreateICmpUGT(turns.left, less);
    enter_turn(turns, body, loop.end, b_.CreateAdd(counter, turns.step), b_.CreateSub(turns.left, less),
               carried, further);
  }
  start(loop.end, op.results);
}

// Goes into a turn if there is one, else to the loop's end; the carried values go both ways.
void FunctionLowering::enter_turn(const ForLoop& turns, const Exit& body, const Exit& end, Value* counter,
                                  Value* left, llvm::ArrayRef<Value*> carried, Value* condition) {
  BasicBlock* from = b_.GetInsertBlock();
  body.phis[0]->addIncoming(counter, from);
  if (turns.left) turns.left->addIncoming(left, from);
  for (size_t i = 0; i < carried.size(); ++i) {
    body.phis[i + 1]->addIncoming(carried[i], from);
    end.phis[i]->addIncoming(carried[i], from);
  }
  b_.CreateCondBr(condition, body.block, end.block);
}

void FunctionLowering::lower_while(const ir::Op& op) {
  const std::vector<ValueId>& cond_params = f_.regions[op.regions[0]].params;
  const std::vector<ValueId>& do_params = f_.regions[op.regions[1]].params;
  Loop loop{new_exit("while", cond_params), new_exit("while_end", op.results)};
  jump(loop.next, op.operands);
  start(loop.next, cond_params);
  // `cond` yields a bool and the values that either go into `do` or are the results.
  Exit decide{new_block("while_test"), {}};
  decide.phis.push_back(llvm::PHINode::Create(b_.getInt1Ty(), 1, "", decide.block));
  for (ValueId id : do_params)
    decide.phis.push_back(llvm::PHINode::Create(m_.type(f_.type(id)), 1, "", decide.block));
  loops_.push_back(loop);
  lower_region(op.regions[0], decide);
  b_.SetInsertPoint(decide.block);
  if (llvm::pred_empty(decide.block)) {
    for (llvm::PHINode* phi : decide.phis) {
      phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
      phi->eraseFromParent();
    }
    b_.CreateUnreachable();
    loops_.pop_back();
    start(loop.end, op.results);
    return;
  }
  BasicBlock* do_block = new_block("while_do");
  for (size_t i = 0; i < do_params.size(); ++i) {
    set_value(do_params[i], decide.phis[i + 1]);
    loop.end.phis[i]->addIncoming(decide.phis[i + 1], decide.block);
  }
  b_.CreateCondBr(decide.phis[0], do_block, loop.end.block);
  b_.SetInsertPoint(do_block);
  lower_region(op.regions[1], loop.next);
  loops_.pop_back();
  start(loop.end, op.results);
}

}  // namespace lanewise::codegen
