// Structured regions to basic blocks. Every region ends in a jump to an Exit: the block that follows with a
// phi for each value handed over, so SSA values need no further work.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/common/line_info.h"
#include "codegen/common/loop_exit_loads.h"
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
      definition_(function.values.size()),
      exit_loads_(loop_exit_loads(function)),
      counts_(ir::steady_counters(function, lowering.target.facts)) {
  for (const ir::Op& op : function.ops)
    for (ValueId result : op.results) definition_[result.index] = &op;
}

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
  if (m_.lines) m_.lines->set(b_, op);
  if (lower_terminator(op, yield)) return;
  switch (op.kind) {
    case OpKind::If: return lower_if(op);
    case OpKind::For: return lower_for(op, counts_[id.index]);
    case OpKind::While: return lower_while(op);
    case OpKind::Scope: return lower_scope(op);
    case OpKind::Call: return lower_call(op);
    case OpKind::CallExternal: return lower_call_external(op);
    case OpKind::Print: return lower_print(op);
    case OpKind::InlinePtx: return lower_inline_ptx(op);
    case OpKind::Report: return lower_report(op);
    default: break;
  }
  Value* result = nullptr;
  if (ir::info(op.kind).effect == ir::Effect::None)
    result = lower_pure(op);
  else if (ir::meets_others(op.kind) || ir::is_fence(op.kind) || ir::is_machine_op(op.kind))
    result = lower_threads(op);
  else
    result = exit_loads_[id.index] && op.kind != OpKind::AtomicLoad ? lower_exit_load(op) : lower_memory(op);
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
  for (size_t i = 0; i < m_.hidden_count(); ++i) arguments.push_back(hidden_argument(i));
  Value* result = b_.CreateCall(m_.functions[op.callee.index], arguments);
  if (op.results.size() == 1) set_value(op.results[0], result);
  for (unsigned i = 0; op.results.size() > 1 && i < op.results.size(); ++i)
    set_value(op.results[i], b_.CreateExtractValue(result, i));
}

Value* FunctionLowering::hidden_argument(size_t index) const {
  return fn_->getArg(static_cast<unsigned>(f_.params().size() + index));
}

// C's calling convention: small integers are handed over as what C promotes them to, a bool is a byte,
// float16 is its bits. Nothing is known of what the function does, so it may hold barriers.
void FunctionLowering::lower_call_external(const ir::Op& op) {
  const ir::ExternalFunction& external =
      m_.ir.externals[static_cast<size_t>(std::get<int64_t>(op.immediate))];
  auto abi_type = [&](ir::Type type) -> llvm::Type* {
    if (type.is_pointer()) return llvm::PointerType::get(m_.context, 0);
    if (type.is_bool()) return b_.getInt8Ty();
    if (type.is_float() && type.bits == 16) return b_.getInt16Ty();
    return m_.type(type);
  };
  llvm::SmallVector<Value*, 8> arguments;
  llvm::SmallVector<llvm::Type*, 8> params, results;
  for (ValueId id : op.operands) {
    ir::Type type = f_.type(id);
    llvm::Type* wanted = abi_type(type);
    Value* argument = value(id);
    if (type.is_pointer())
      argument = b_.CreateAddrSpaceCast(argument, wanted);
    else if (type.is_bool())
      argument = b_.CreateZExt(argument, wanted);
    else if (argument->getType() != wanted)
      argument = b_.CreateBitCast(argument, wanted);
    arguments.push_back(argument);
    params.push_back(wanted);
  }
  for (ValueId id : op.results) results.push_back(abi_type(f_.type(id)));
  llvm::Type* result_type = results.empty()       ? b_.getVoidTy()
                            : results.size() == 1 ? results[0]
                                                  : llvm::StructType::get(m_.context, results);
  auto* type = llvm::FunctionType::get(result_type, params, false);
  auto* function =
      llvm::dyn_cast<llvm::Function>(m_.module.getOrInsertFunction(external.symbol, type).getCallee());
  LANEWISE_CHECK(function && function->getFunctionType() == type,
                 "the external function `" + external.symbol + "` is called with other types before");
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  for (unsigned i = 0; i < op.operands.size(); ++i) {
    ir::Type operand = f_.type(op.operands[i]);
    if (!operand.is_pointer() && params[i]->isIntegerTy() && params[i]->getIntegerBitWidth() < 32)
      function->addParamAttr(i, operand.is_signed() ? llvm::Attribute::SExt : llvm::Attribute::ZExt);
  }
  llvm::CallInst* call = b_.CreateCall(function, arguments);
  call->setAttributes(function->getAttributes());
  for (unsigned i = 0; i < op.results.size(); ++i) {
    ir::Type wanted = f_.type(op.results[i]);
    Value* part = results.size() == 1 ? call : b_.CreateExtractValue(call, i);
    if (wanted.is_bool())
      part = b_.CreateICmpNE(part, b_.getInt8(0));
    else if (part->getType() != m_.type(wanted))
      part = b_.CreateBitCast(part, m_.type(wanted));
    set_value(op.results[i], part);
  }
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
