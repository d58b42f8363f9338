// Structured IR without barriers as LLVM code of one thread: ops, memory, control flow. The base of a device
// function's emitter and of a kernel's, which uses it for its segments.
#pragma once
#include <functional>

#include "codegen/host/module.h"
#include "codegen/host/plan.h"

namespace lanewise::codegen::host {

class FunctionEmitter {
 public:
  FunctionEmitter(HostModule& module, const ir::Function& function);
  virtual ~FunctionEmitter() = default;

 protected:
  // Where a region ends: the block after it, with a phi for each value handed over.
  struct End {
    llvm::BasicBlock* block = nullptr;
    std::vector<llvm::PHINode*> phis;
  };

  // --- what the two kinds of function do differently
  virtual llvm::Value* resolve(ir::ValueId value) = 0;  // of a value that no code has defined
  virtual void leave(ir::OpId terminator) = 0;          // ends more than what is being emitted here
  virtual llvm::Value* thread_id(Axis axis) = 0;        // i32
  virtual llvm::Value* wide_thread_id(Axis axis) = 0;   // i64
  virtual llvm::Value* lane_id() = 0;                   // i32
  virtual llvm::Value* linear_thread() = 0;             // i64, in the block
  virtual llvm::Value* launch() = 0;                    // address of the HostLaunch
  virtual const BlockEnvironment& block() = 0;
  virtual llvm::Value* environment() = 0;  // its address, for calls
  virtual llvm::Value* shared_array(ir::OpId op) = 0;
  virtual llvm::Value* local_array(ir::OpId op) = 0;
  virtual const AliasScopes& scopes() = 0;

  // --- values
  llvm::Value* value(ir::ValueId id) {
    llvm::Value*& known = values_[id.index];
    return known ? known : resolve(id);
  }
  void set(ir::ValueId id, llvm::Value* v) {
    values_[id.index] = v;
    if (journal_) journal_->push_back(id);
  }
  llvm::Type* type(ir::ValueId id) { return m_.type(f_.type(id)); }
  llvm::BasicBlock* new_block(const char* name) { return llvm::BasicBlock::Create(m_.context, name, fn_); }

  // --- function_emitter.cpp
  void emit_region(ir::RegionId region, const End* yield);
  void emit_op(ir::OpId id, const End* yield = nullptr);
  // What is built next comes from `op`.
  void mark_line(const ir::Op& op) {
    if (m_.lines) m_.lines->set(b_, op);
  }
  llvm::Value* emit_pure(ir::OpId id);
  End new_end(const char* name, const std::vector<ir::ValueId>& values);
  void start(const End& end, const std::vector<ir::ValueId>& values);

  // --- memory.cpp
  llvm::Value* emit_memory(ir::OpId id);
  llvm::Value* exchange_loop(const ir::Op& op, llvm::Value* address, llvm::Type* type,
                             const std::function<llvm::Value*(llvm::Value*)>& update);
  llvm::Value* load(ir::Type element, llvm::Value* address, ir::Space space,
                    llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic);
  void store(ir::Type element, llvm::Value* v, llvm::Value* address, ir::Space space,
             llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic);

  HostModule& m_;
  const ir::Function& f_;
  Tree tree_;
  llvm::Function* fn_ = nullptr;
  llvm::IRBuilder<> b_;
  HostScalar scalar_;
  std::vector<llvm::Value*> values_;
  std::vector<bool> exit_loads_;                 // by op; see loop_exit_loads.h
  std::vector<ir::ValueId>* journal_ = nullptr;  // if set: which values were defined

 private:
  void jump(const End& end, const std::vector<ir::ValueId>& values);
  void emit_terminator(ir::OpId id, const End* yield);
  void emit_if(const ir::Op& op);
  void emit_for(const ir::Op& op);
  void emit_while(const ir::Op& op);
  void emit_scope(const ir::Op& op);
  void emit_call(const ir::Op& op);

  llvm::Value* emit_fence(const ir::Op& op);
  llvm::Value* machine_op(ir::OpKind kind);
  void emit_output(const ir::Op& op);  // output.cpp
  llvm::Value* atomic(const ir::Op& op);
  llvm::Value* atomic_by_exchange(const ir::Op& op, ir::Type type, llvm::Value* address);
  llvm::Value* exchange(const ir::Op& op, llvm::Value* address, llvm::Value* expected, llvm::Value* wanted);

  struct Loop {
    End next, end;
  };
  std::vector<Loop> loops_;
  std::vector<End> scope_ends_;
};

// A device function that was not inlined.
void emit_device_function(HostModule& module, const ir::Function& function, llvm::Function* llvm_function);
// A kernel; see plan.h.
EmittedKernel emit_kernel(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function);

}  // namespace lanewise::codegen::host
