// From a module of structured IR to an LLVM module for NVPTX, before any LLVM pass. Private to
// codegen/nvptx/.
//   lower_module.cpp    functions, parameters, shared and constant arrays
//   lower_function.cpp  regions to basic blocks: if, while, scope and the ops that end a region
//   lower_for.cpp       for: how it counts, what is unrolled
//   lower_memory.cpp    loads, stores, pointers, atomics
//   describe_arrays.cpp what is known of array parameters
//   lower_threads.cpp   barriers, fences, warp ops, cache hints
//   lower_order.cpp     atomics, loads, stores and fences with an order and a scope
//   lower_grid_barrier.cpp  grid barriers, inline PTX
//   lower_output.cpp    print
//   lower_report.cpp    what a thread fails with
//   lower_math.cpp      libdevice and special registers
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codegen/codegen.h"
#include "codegen/common/print_format.h"
#include "codegen/common/scalar.h"
#include "ir/ir.h"
#include "ir/memory_order.h"

namespace lanewise::codegen {

class LineInfo;

// What all functions of a module share while they are lowered.
struct ModuleLowering {
  ModuleLowering(const ir::Module& ir_module, const PtxTarget& ptx_target, llvm::Module& llvm_module,
                 PtxHidden* hidden_parameters);

  const ir::Module& ir;
  const PtxTarget& target;
  llvm::Module& module;
  llvm::LLVMContext& context;
  std::vector<llvm::Function*> functions;          // by FunctionId
  std::vector<llvm::GlobalVariable*> data;         // by index into ir.data, made when first used
  unsigned constant_space = 4;                     // address space of ir::Space::Constant in this module
  llvm::GlobalVariable* dynamic_shared = nullptr;  // made when first used
  std::map<std::string, llvm::Constant*> texts;    // by what text_address() was asked for
  int64_t shared_bytes = 0, local_bytes = 0;       // of the arrays of fixed size
  bool uses_libdevice = false;
  int needed_ptx_version = 0;
  void require_ptx(int version) { needed_ptx_version = std::max(needed_ptx_version, version); }
  LineInfo* lines = nullptr;
  // Of all functions, after their own; null: there are none.
  PtxHidden* hidden = nullptr;
  const ir::SourceMap* sources = nullptr;  // for comments
  std::string place_comment(const ir::Op& op) const;
  bool grid_barrier = false;  // the last hidden parameter, in code that stands alone too, is its counter
  std::vector<llvm::Type*> hidden_types() const;
  size_t hidden_count() const { return hidden_types().size(); }

  llvm::Type* type(ir::Type type) const;  // of any value; a bool is i1
  unsigned address_space(ir::Space space) const;
  llvm::Constant* data_address(size_t index);
  llvm::Constant* dynamic_shared_address();
  llvm::Constant* text_address(const std::string& text);  // generic; ends with a NUL
  llvm::Constant* new_shared_array(ir::Type element, int64_t count);
  // Throws TargetError if the arrays are more than an architecture has.
  void check_memory() const;
};

// The scalar ops, elementary functions through libdevice.
class NvptxScalars final : public ScalarEmitter {
 public:
  NvptxScalars(llvm::IRBuilder<>& builder, ModuleLowering& lowering) : ScalarEmitter(builder), m_(lowering) {}

 private:
  llvm::Value* math(ir::OpKind kind, ir::Type type, Values operands) override;
  llvm::Value* float_to_int(llvm::Value* value, ir::Type from, ir::Type to) override;

  ModuleLowering& m_;
};

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& lowering, const ir::Function& function, llvm::Function* llvm_function);
  void run();

 private:
  // Where a region ends: the block after it, with a phi for each value it hands over.
  struct Exit {
    llvm::BasicBlock* block = nullptr;
    std::vector<llvm::PHINode*> phis;
  };
  struct Loop {
    Exit next, end;
  };
  // How a `for` counts; see plan_for.
  struct ForLoop {
    enum By { Counter, Step, Turns, Distance } by = Distance;
    bool is_signed = false;
    llvm::CmpInst::Predicate before{};  // Counter, Step: of a counter that a turn follows with
    llvm::Value *lo = nullptr, *hi = nullptr, *step = nullptr, *magnitude = nullptr;
    llvm::Value *enters = nullptr, *first_left = nullptr;
    llvm::PHINode* left = nullptr;
  };

  // --- lower_function.cpp, lower_for.cpp
  void lower_region(ir::RegionId region, const Exit& yield);
  void lower_op(ir::OpId id, const Exit& yield);
  bool lower_terminator(const ir::Op& op, const Exit& yield);
  void lower_if(const ir::Op& op);
  void lower_for(const ir::Op& op, int counts);
  void lower_while(const ir::Op& op);
  void lower_scope(const ir::Op& op);
  void lower_return(const ir::Op& op);
  void lower_call(const ir::Op& op);
  llvm::Value* hidden_argument(size_t index) const;
  void lower_call_external(const ir::Op& op);
  ForLoop plan_for(const ir::Op& op, int counts);
  bool worth_unrolling(const ir::Op& loop) const;
  void unroll_all(llvm::Instruction* back_edge);
  void enter_turn(const ForLoop& turns, const Exit& body, const Exit& end, llvm::Value* counter,
                  llvm::Value* left, llvm::ArrayRef<llvm::Value*> carried, llvm::Value* condition);
  Exit new_exit(const char* name, const std::vector<ir::ValueId>& values);
  void start(const Exit& exit, const std::vector<ir::ValueId>& values);
  void jump(const Exit& exit, const std::vector<ir::ValueId>& values);
  void jump_values(const Exit& exit, llvm::ArrayRef<llvm::Value*> values);
  llvm::BasicBlock* new_block(const char* name);

  // --- lower_memory.cpp
  llvm::Value* lower_memory(const ir::Op& op);  // the result, null if the op has none
  llvm::Value* lower_exit_load(const ir::Op& op);
  llvm::Value* lower_atomic(const ir::Op& op);
  llvm::Value* atomic_by_exchange(ir::OpKind kind, llvm::Value* address, llvm::Value* operand, ir::Type type,
                                  ir::MemoryScope scope);
  llvm::Value* local_atomic(const ir::Op& op, llvm::Value* address);
  llvm::Value* element_address(const ir::Op& op);
  std::pair<llvm::Value*, llvm::Value*> constant_offset(llvm::Value* index);
  llvm::Value* local_array(const ir::Op& op);
  llvm::Value* data_address(size_t index);

  // --- lower_threads.cpp
  llvm::Value* lower_threads(const ir::Op& op);
  llvm::Value* lower_warp_op(const ir::Op& op);
  llvm::Value* to_bits(llvm::Value* v);
  llvm::Value* shuffle(ir::OpKind kind, llvm::Value* mask, llvm::Value* bits, llvm::Value* lane);
  template <class Combine>
  llvm::Value* for_members(llvm::Value* mask, llvm::Value* start, Combine combine);
  llvm::Value* match(const ir::Op& op, llvm::Value* mask);
  llvm::Value* reduce(const ir::Op& op, llvm::Value* mask);
  llvm::Value* lower_hinted(const ir::Op& op);

  // --- lower_order.cpp
  llvm::SyncScope::ID sync_scope(ir::MemoryScope scope);
  void fence(ir::MemoryScope scope, bool total);
  llvm::Value* lower_ordered_access(const ir::Op& op);
  llvm::Value* lower_ordered_atomic(const ir::Op& op, llvm::Value* address);
  llvm::Value* ptx_atomic(const ir::Op& op, std::string text, llvm::Value* address);

  // --- lower_grid_barrier.cpp
  llvm::Value* is_first_thread();
  void lower_grid_barrier();
  void lower_inline_ptx(const ir::Op& op);

  // --- lower_output.cpp
  struct PrintParts;
  void lower_print(const ir::Op& op);
  void print_int(PrintParts& parts, llvm::Value* v, ir::Type type, const PrintField& field);
  void print_float(PrintParts& parts, llvm::Value* v, ir::Type type, const PrintField& field);
  void print_call(const std::string& format, llvm::ArrayRef<llvm::Value*> values);

  // --- lower_report.cpp
  void lower_report(const ir::Op& op);

  // --- lower_math.cpp
  llvm::Value* lower_pure(const ir::Op& op);
  llvm::Value* special_register(const ir::Op& op);
  ir::Type operand_type(const ir::Op& op) const;

  llvm::Value* value(ir::ValueId id) const { return values_[id.index]; }
  void set_value(ir::ValueId id, llvm::Value* v) { values_[id.index] = v; }

  ModuleLowering& m_;
  const ir::Function& f_;
  llvm::Function* fn_;
  llvm::IRBuilder<> b_;
  NvptxScalars scalars_;
  std::vector<llvm::Value*> values_;
  std::vector<const ir::Op*> definition_;  // by ValueId; null of parameters
  std::vector<bool> exit_loads_;           // by OpId
  std::vector<int8_t> counts_;             // by OpId: ir::steady_counters()
  std::vector<Loop> loops_;
  std::vector<Exit> scopes_;
};

// What the facts of a launch and the code itself say of a kernel's array parameters, as attributes: memory
// that nothing else points to, memory that is only read.
void describe_arrays(ModuleLowering& lowering);

// Makes all functions of the module. The entry is named as in the IR, everything else is internal.
void lower_module(ModuleLowering& lowering);

}  // namespace lanewise::codegen
