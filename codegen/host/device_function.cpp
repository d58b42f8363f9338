// A device function that was not inlined: the IR's parameters, then the thread's indices and the address of
// the block's environment. It holds no barrier and no shared array; those are always inlined.
#include "codegen/host/function_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

using llvm::Value;

class DeviceFunctionEmitter : public FunctionEmitter {
 public:
  DeviceFunctionEmitter(HostModule& module, const ir::Function& function, llvm::Function* llvm_function)
      : FunctionEmitter(module, function), scopes_(module.context, 0) {
    fn_ = llvm_function;
  }

  void run() {
    entry_ = new_block("entry");
    b_.SetInsertPoint(entry_);
    unsigned count = 0;
    for (ir::ValueId param : f_.params()) set(param, fn_->getArg(count++));
    for (Value*& index : index_) index = fn_->getArg(count++);
    environment_ = fn_->getArg(count);
    unsigned field = 0;
    auto next = [&](llvm::Type* type) {
      return b_.CreateLoad(type, b_.CreateStructGEP(m_.environment, environment_, field++));
    };
    for (auto* part : {&block_.block_id, &block_.block_dim, &block_.grid_dim})
      for (Value*& v : *part) v = next(b_.getInt32Ty());
    block_.dynamic_shared = next(b_.getPtrTy());
    block_.dynamic_shared_bytes = next(b_.getInt64Ty());
    check_stack();
    emit_region(f_.body, nullptr);
  }

 private:
  // Returns zeros if the stack is used up, or was: recursion without an end unwinds, and the kernel sees why.
  void check_stack() {
    llvm::Type* i64 = b_.getInt64Ty();
    Value* limit =
        b_.CreateLoad(i64, b_.CreateStructGEP(m_.environment, environment_, HostModule::kStackLimit));
    Value* exhausted = b_.CreateStructGEP(m_.environment, environment_, HostModule::kStackExhausted);
    Value* frame = b_.CreateIntrinsic(llvm::Intrinsic::frameaddress, {b_.getPtrTy()}, {b_.getInt32(0)});
    Value* over = b_.CreateOr(b_.CreateICmpULT(b_.CreatePtrToInt(frame, i64), limit),
                              b_.CreateICmpNE(b_.CreateLoad(i64, exhausted), b_.getInt64(0)));
    llvm::BasicBlock *give_up = new_block("give.up"), *body = new_block("body");
    b_.CreateCondBr(over, give_up, body);
    b_.SetInsertPoint(give_up);
    b_.CreateStore(b_.getInt64(1), exhausted);
    llvm::Type* result = fn_->getReturnType();
    if (result->isVoidTy())
      b_.CreateRetVoid();
    else
      b_.CreateRet(llvm::Constant::getNullValue(result));
    b_.SetInsertPoint(body);
  }

  Value* resolve(ir::ValueId) override { throw ir::InternalError("a value is used before it is defined"); }
  void leave(ir::OpId terminator) override {
    const ir::Op& op = f_.ops[terminator];
    LANEWISE_CHECK(op.kind == ir::OpKind::Return, "a device function is left otherwise than by a return");
    if (op.operands.empty()) {
      b_.CreateRetVoid();
    } else if (op.operands.size() == 1) {
      b_.CreateRet(value(op.operands[0]));
    } else {
      llvm::SmallVector<Value*, 8> values;
      for (ir::ValueId id : op.operands) values.push_back(value(id));
      b_.CreateAggregateRet(values.data(), static_cast<unsigned>(values.size()));
    }
  }
  Value* thread_id(Axis axis) override { return index_[static_cast<size_t>(axis)]; }
  Value* linear_id() {  // i32: a block has no more threads
    Value* rows = b_.CreateAdd(b_.CreateMul(index_[2], block_.block_dim[1]), index_[1]);
    return b_.CreateAdd(b_.CreateMul(rows, block_.block_dim[0]), index_[0]);
  }
  Value* lane_id() override { return b_.CreateAnd(linear_id(), 31); }
  Value* linear_thread() override { return b_.CreateZExt(linear_id(), b_.getInt64Ty()); }
  Value* launch() override {
    Value* field = b_.CreateStructGEP(m_.environment, environment_, HostModule::kLaunch);
    return b_.CreateLoad(b_.getPtrTy(), field);
  }
  Value* wide_thread_id(Axis axis) override { return b_.CreateZExt(thread_id(axis), b_.getInt64Ty()); }
  const BlockEnvironment& block() override { return block_; }
  Value* environment() override { return environment_; }
  const AliasScopes& scopes() override { return scopes_; }
  Value* shared_array(ir::OpId) override {
    throw ir::InternalError("a shared array in a function that was not inlined");
  }
  Value* local_array(ir::OpId id) override {
    auto count = static_cast<uint64_t>(std::get<int64_t>(f_.ops[id].immediate));
    llvm::IRBuilder<> entry(entry_, entry_->getFirstInsertionPt());
    llvm::AllocaInst* made = entry.CreateAlloca(
        llvm::ArrayType::get(element_type(m_.context, f_.type(f_.ops[id].results[0])), count));
    made->setAlignment(llvm::Align(16));
    return made;
  }

  AliasScopes scopes_;
  llvm::BasicBlock* entry_ = nullptr;
  Value* index_[3] = {};
  Value* environment_ = nullptr;
  BlockEnvironment block_;
};

}  // namespace

void emit_device_function(HostModule& module, const ir::Function& function, llvm::Function* llvm_function) {
  DeviceFunctionEmitter(module, function, llvm_function).run();
}

}  // namespace lanewise::codegen::host
