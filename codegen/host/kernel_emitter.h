// Emits a kernel by its plan: a loop over blocks, the block-level code, and for each segment a loop nest over
// the block's threads. See plan.h, placement.h and host_abi.h.
//   kernel_emitter.cpp  the function, the block loop, values and memory
//   block_level.cpp     nodes
//   segment.cpp         thread loops and items
//   clip.cpp            thread loops cut short instead of a guard tested by each thread
//   limits.cpp          loops over the threads' limits
#pragma once
#include "codegen/host/function_emitter.h"
#include "codegen/host/placement.h"

namespace lanewise::codegen::host {

class KernelEmitter : public FunctionEmitter {
 public:
  KernelEmitter(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function);
  EmittedKernel run();

 private:
  // --- FunctionEmitter
  llvm::Value* resolve(ir::ValueId value) override;
  void leave(ir::OpId terminator) override;
  llvm::Value* thread_id(Axis axis) override;
  const BlockEnvironment& block() override { return block_; }
  llvm::Value* environment() override;
  llvm::Value* shared_array(ir::OpId op) override;
  llvm::Value* local_array(ir::OpId op) override;
  const AliasScopes& scopes() override { return scopes_; }

  // --- kernel_emitter.cpp
  void emit_entry();
  void emit_block_loop();
  llvm::Value* launch_field(llvm::Type* type, int64_t offset, int64_t least, int64_t most);
  llvm::Value* load_slot(uint32_t slot);
  void store_slot(uint32_t slot, llvm::Value* v);
  void set_limit(int level);

  // --- block_level.cpp
  // The end of a region at block level: phis for the uniform ones of `to`, the others are in slots.
  struct UniformEnd {
    llvm::BasicBlock* block = nullptr;
    std::vector<ir::ValueId> to;
    std::vector<llvm::PHINode*> phis;  // null where `to` is not uniform
  };
  struct Frame {
    ir::OpId op;
    UniformEnd end, next;
  };
  void emit_nodes(const std::vector<Node>& nodes);
  void emit_node(const Node& node);
  void emit_if_node(const Node& node);
  void emit_arms(const Node& node);
  void emit_scope_node(const Node& node);
  void emit_for_node(const Node& node);
  void emit_while_node(const Node& node);
  void emit_jump(ir::OpId terminator);
  void emit_fall(ir::OpId owner);
  bool is_visible(ir::ValueId v, ir::OpId loop) const;
  bool is_loop(ir::OpId op) const;
  const UniformEnd* region_end(ir::OpId owner) const;
  UniformEnd uniform_end(const char* name, std::vector<ir::ValueId> to);
  void go_to(const UniformEnd& end, const std::vector<llvm::Value*>& values);
  std::vector<llvm::Value*> uniform_values(const UniformEnd& end, const ir::ValueId* from);
  std::vector<llvm::Value*> no_values(const UniformEnd& end);
  void start_uniform(const UniformEnd& end);
  std::vector<ir::ValueId> results(ir::OpId op) const;
  bool is_uniform(ir::ValueId v) const { return !plan_.varying[v.index]; }
  struct LoopHead {
    llvm::BasicBlock* block;
    std::vector<llvm::PHINode*> phis;  // of the uniform carried values, as in frame.next
  };
  LoopHead begin_loop(Frame& frame, const ir::ValueId* initial);
  void end_turn(const Node& node, const Frame& frame, const LoopHead& head);
  void end_loop(const Node& node, const Frame& frame);

  // --- segment.cpp
  void emit_segment(const Segment& segment);
  void emit_item(const Item& item);
  void emit_split(const Item& item);
  void emit_for_init(const Item& item);
  void emit_for_turn(const Item& item);
  void copy(const std::vector<Copy>& copies);
  void exit_thread(const Exit& exit);
  void keep(ir::ValueId v);
  bool is_terminated() { return b_.GetInsertBlock()->getTerminator() != nullptr; }

  // --- clip.cpp
  // A bound on a thread index: the threads of a segment beyond it have nothing to do.
  struct Bound {
    Axis axis = Axis::X;
    ir::ValueId limit;                 // uniform, signed
    bool inclusive = false;            // index + offsets <= limit instead of <
    std::vector<ir::ValueId> offsets;  // uniform, not negative
  };
  struct Clip {
    std::vector<Bound> bounds;
    ir::OpId guard;        // the `if` that they decide
    bool returns = false;  // it ends the threads beyond; else only those within do something
    std::vector<std::pair<ir::ValueId, bool>> rest;  // conditions of it that remain, and whether negated
  };
  Clip find_clip(const Segment& segment);
  bool conjunction(ir::ValueId condition, bool negated, Clip& clip);
  bool comparison(const ir::Op& op, bool negated, Bound& bound);
  bool index_plus_offsets(ir::ValueId v, Bound& bound);
  std::optional<std::pair<int64_t, int64_t>> range(ir::ValueId v, int depth = 0);
  llvm::Value* clipped_end(const Bound& bound, llvm::Value* extent);
  void emit_guarded(const Clip& clip);

  // --- limits.cpp: all threads at once, sixteen limits at a time
  void branch_if_active(int level, llvm::BasicBlock* yes, llvm::BasicBlock* no);
  void check_barrier(const Node& node);
  void reset_limits(int from, int to);
  void init_limits();

  Plan plan_;
  Placement placement_;
  AliasScopes scopes_;

  // set by emit_entry()
  llvm::Value *launch_ = nullptr, *arena_ = nullptr, *context_base_ = nullptr;
  llvm::Value* extent_[3] = {};  // threads of a block along each axis, i64
  llvm::Value *threads_ = nullptr, *threads_rounded_ = nullptr;
  llvm::Value* limits_ = nullptr;
  llvm::AllocaInst* environment_ = nullptr;  // made if there are calls
  std::vector<llvm::Value*> slot_bases_;
  std::map<ir::OpId, llvm::AllocaInst*> stack_arrays_;
  BlockEnvironment block_;
  llvm::BasicBlock *block_end_ = nullptr, *entry_ = nullptr;

  // in a segment
  struct ThreadState {
    llvm::Value* index[3] = {};            // i32
    llvm::Value* linear = nullptr;         // i64
    llvm::BasicBlock* prologue = nullptr;  // open block before the items: values from elsewhere are got there
    llvm::BasicBlock* end = nullptr;       // where a thread's part ends
    bool environment_stored = false;
  };
  std::optional<ThreadState> thread_;
  Clip clip_;

  std::vector<Frame*> frames_;
  std::vector<ir::RunError> errors_;
};

}  // namespace lanewise::codegen::host
