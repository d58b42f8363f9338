// What all functions of one LLVM module for the CPU share. The kernel becomes a HostKernelFunction; device
// functions that were not inlined become internal functions with four further parameters: the thread's
// indices and the block's environment.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <vector>

#include "codegen/codegen.h"
#include "codegen/common/line_info.h"
#include "codegen/common/scalar.h"
#include "codegen/host/simd/divider_costs.h"

namespace lanewise::codegen::host {

// Scalar ops as the CPU has them: libm for the elementary functions.
class HostScalar : public ScalarEmitter {
 public:
  HostScalar(llvm::IRBuilder<>& builder, unsigned vector_bits, const DividerCosts& divider)
      : ScalarEmitter(builder), vector_bits_(vector_bits), divider_(divider) {}
  // Python's // or %, of vectors, in double: |a| and |b| below 2**50 unless of 32 bits.
  llvm::Value* divide_in_double(bool want_quotient, ir::Type type, llvm::Value* a, llvm::Value* b);
  // Whether emit() takes vectors for this op.
  bool has_vectors(ir::OpKind kind, ir::Type operand) const;

 protected:
  llvm::Value* math(ir::OpKind kind, ir::Type type, Values operands) override;
  llvm::Value* float_to_int(llvm::Value* value, ir::Type from, ir::Type to) override;
  llvm::Value* divide(llvm::Value* a, llvm::Value* b) override;
  llvm::Value* floor_div_mod(bool want_quotient, ir::Type type, llvm::Value* a, llvm::Value* b) override;

 private:
  llvm::Value* vector_math(const char* stem, ir::Type type, Values operands);
  // --- simd/vector_roots.cpp
  bool has_fast_form(DividerOp op, llvm::Value* v) const;
  template <class Function, class... Vectors>
  llvm::Value* in_parts(Function function, llvm::Value* first, Vectors... more);
  llvm::Value* root_in_parts(llvm::Value* x);
  llvm::Value* reciprocal_root_in_parts(llvm::Value* x);
  llvm::Value* rough_reciprocal_in_parts(llvm::Value* d);

  llvm::DenseMap<llvm::Value*, llvm::Value*> roots_;  // fast ones: what they are roots of
  unsigned vector_bits_;
  const DividerCosts& divider_;
};

// Vectors of one length, a power of two of them, as one.
llvm::Value* joined(llvm::IRBuilderBase& b, llvm::SmallVector<llvm::Value*, 8> parts);

// Memory that cannot overlap, told to LLVM as alias scopes: the user's arrays, shared arrays, local arrays
// and each context array are apart. A generic pointer may be any of these but the last.
class AliasScopes {
 public:
  AliasScopes(llvm::LLVMContext& context, size_t slots);
  void mark(llvm::Instruction* access, ir::Space space) const;
  void mark_slot(llvm::Instruction* access, size_t slot) const;
  void mark_limit(llvm::Instruction* access) const;

 private:
  enum Class : uint8_t { User, Shared, Local, Limit, FirstSlot };
  static constexpr size_t kMaxSlots = 24;  // further ones share a scope: the lists grow with the square
  void mark_class(llvm::Instruction* access, size_t index) const;

  std::vector<llvm::MDNode*> scope_, apart_;
  llvm::MDNode* apart_from_context_ = nullptr;
};

// The environment of a block, for device functions: indices and extents, dynamic shared memory.
struct BlockEnvironment {
  llvm::Value *block_id[3] = {}, *block_dim[3] = {}, *grid_dim[3] = {};  // i32
  llvm::Value *dynamic_shared = nullptr, *dynamic_shared_bytes = nullptr;
};

// The kernel's symbol while it is made and in the JIT: a kernel may be called `exp` or `memset`, and must not
// take the place of the function that its own code calls.
inline constexpr const char* kEntryName = "lanewise.entry";

// What code is made for.
struct HostCode {
  std::optional<BlockShape> block;  // blocks of this shape only
  unsigned vector_bits = 128;       // the widest vectors of the machine
  const DividerCosts& divider;      // of the machine
  bool gathers = false;             // whether it has a quick instruction that does
  bool exchanges_128 = false;       // whether it compares and exchanges 16 bytes at once
  const ir::SourceMap* lines = nullptr;
  bool is_object = false;  // a file, whose output sites are 0 where threads print and 1 where they raise
  ir::LaunchFacts facts;
};

struct HostModule {
  HostModule(const ir::Module& ir_module, llvm::Module& llvm_module, const HostCode& code);

  const ir::Module& ir;
  llvm::Module& module;
  std::optional<BlockShape> block;
  unsigned vector_bits;
  const DividerCosts& divider;
  bool gathers;
  bool exchanges_128;
  bool is_object;
  ir::LaunchFacts facts;
  llvm::LLVMContext& context;
  // BlockEnvironment in memory, in its order, and after it the address below which the stack may not grow and
  // whether it tried to: calls then return at once, and the launch ends when the block does. Last the
  // HostLaunch.
  llvm::StructType* environment;
  static constexpr unsigned kStackLimit = 11, kStackExhausted = 12, kLaunch = 13;
  std::vector<llvm::Function*> functions;  // by FunctionId; the entry's is the kernel
  std::vector<llvm::GlobalVariable*> data;
  std::vector<ir::OutputSite> outputs;  // of the functions emitted so far
  std::vector<HostNote> notes;
  std::optional<LineInfo> lines;

  llvm::Type* type(ir::Type type);  // of a value
  llvm::Constant* data_address(size_t index);
};

// Emits the whole module; returns what the runtime must know of the kernel.
struct EmittedKernel {
  HostLayout layout;
  std::optional<BlockShape> block;  // none: any
  ir::LaunchFacts facts;            // see HostKernel
  std::vector<ir::OutputSite> outputs;
  std::vector<ir::RunError> errors;
  std::vector<HostNote> notes;
  bool scalar_loops = true;  // beside vector code, or all there is
};
EmittedKernel emit_module(const ir::Module& ir_module, llvm::Module& llvm_module, const HostCode& code);

// What a kernel may end with early.
inline constexpr const char* kDivergentBarrier =
    "divergent barrier: threads of a block wait at different places";
inline constexpr const char* kStackExhausted =
    "call depth limit reached: the calls of device functions from here take more than 1 MiB of stack";
inline constexpr uint64_t kCallStack = 1 << 20;  // bytes for calls, of the thread that runs the kernel

}  // namespace lanewise::codegen::host
