// Emits a kernel by its plan: a loop over blocks, the block-level code, and for each segment a loop nest over
// the block's threads. See plan.h, placement.h and host_abi.h.
//   kernel_emitter.cpp  the function, the block loop, values and memory
//   block_level.cpp     nodes
//   segment.cpp         thread loops and items
//   clip.cpp            thread loops cut short instead of a guard tested by each thread
//   limits.cpp          loops over the threads' limits
//   warp.cpp            where threads meet: warp ops, barriers that reduce
#pragma once
#include "codegen/host/function_emitter.h"
#include "codegen/host/index_math.h"
#include "codegen/host/placement.h"

namespace lanewise::codegen::host {

class KernelEmitter : public FunctionEmitter {
 public:
  KernelEmitter(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function,
                const PlanOptions& options = {});
  EmittedKernel run();

 protected:
  // --- FunctionEmitter
  llvm::Value* resolve(ir::ValueId value) override;
  void leave(ir::OpId terminator) override;
  llvm::Value* thread_id(Axis axis) override;
  llvm::Value* wide_thread_id(Axis axis) override;
  llvm::Value* lane_id() override;
  llvm::Value* linear_thread() override { return thread_->linear; }
  llvm::Value* launch() override { return launch_; }
  const BlockEnvironment& block() override { return block_; }
  llvm::Value* environment() override;
  void check_stack();
  llvm::Value* shared_array(ir::OpId op) override;
  llvm::Value* local_array(ir::OpId op) override;
  const AliasScopes& scopes() override { return scopes_; }

  // --- kernel_emitter.cpp
  void emit_entry();
  void emit_block_loop();
  llvm::Value* launch_field(llvm::Type* type, int64_t offset, int64_t least, int64_t most);
  llvm::Value* slot_address(uint32_t slot);
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
  void emit_strided(const Node& node);
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
  // The thread loop along one axis.
  struct Extent {
    llvm::Value *begin = nullptr, *end = nullptr;
    bool may_be_empty = false;
  };
  struct ThreadLoops {
    size_t depth = 3;
    Extent extents[3];
    llvm::PHINode* index[3] = {};
    llvm::BasicBlock *heads[3] = {}, *latches[3] = {}, *after = nullptr;
  };
  ThreadLoops begin_threads(const Segment& segment);
  void end_threads(const ThreadLoops& loops);
  virtual void emit_segment(const Segment& segment);
  void emit_item(const Item& item);
  uint32_t unroll_times(llvm::BasicBlock* head);
  bool has_one_short_segment(const Node& loop) const;
  void mark_loop(llvm::BranchInst* back_edge, uint32_t times);
  void emit_split(const Item& item);
  void emit_for_init(const Item& item);
  void emit_for_turn(const Item& item);
  void copy(const std::vector<Copy>& copies);
  bool is_needed(const Copy& copy) const;
  bool does_something(const Segment& segment) const;
  void exit_thread(const Exit& exit);
  void keep(ir::ValueId v);
  bool is_terminated() { return b_.GetInsertBlock()->getTerminator() != nullptr; }

  // --- clip.cpp
  // A bound on a thread index: the threads of a segment beyond it have nothing to do.
  struct Bound {
    enum class Kind : uint8_t { Below, AtMost, Above, AtLeast, Equal };
    ThreadIndex index;
    Kind kind = Kind::Below;
    ir::ValueId limit;  // uniform, signed
  };
  struct Clip {
    std::vector<Bound> bounds;
    ir::OpId guard;        // the `if` that they decide
    bool returns = false;  // it ends the threads beyond; else only those within do something
    std::vector<std::pair<ir::ValueId, bool>> rest;  // conditions of it that remain, and whether negated
  };
  Clip find_clip(const Segment& segment);
  void split_condition(ir::ValueId condition, bool negated, Clip& clip);
  std::optional<Bound> bound_of(const ir::Op& op, bool negated) const;
  llvm::Value* bounded(llvm::Intrinsic::ID kind, llvm::Value* a, llvm::Value* b);
  llvm::Value* own_limit(const ThreadIndex& index, llvm::Value* limit);
  void narrow(Extent& extent, const Bound& bound);
  void emit_guarded(const Clip& clip);

  // --- warp.cpp
  enum class LaneArray : uint8_t { Value, Mask, Lane, Result };  // as Placement::lane_offsets
  // Whether a value is the same for all threads that run together.
  virtual bool is_alike(ir::ValueId v) const { return is_uniform(plan_.resolve(v)); }
  virtual void give(ir::OpId op);
  void take(ir::OpId op);
  void emit_meeting(const Node& node);
  void emit_barrier_reduction(const Node& node);
  void emit_warp(const ir::Op& op, llvm::Value* first, llvm::Value* here);
  template <class Body>
  void for_warps(const Node& node, Body body);
  template <class Body>
  void for_lanes(Body body);
  llvm::Value* lanes_here(const Node& node, llvm::Value* first);
  llvm::Value* predicates(llvm::Value* first);
  llvm::Value* combined(const ir::Op& op, llvm::Value* first, llvm::Value* members, llvm::Value* thread);
  bool shuffle_all(const ir::Op& op, llvm::Value* first, llvm::Value* members, llvm::Value* lane);
  llvm::Value* shuffle_one(const ir::Op& op, llvm::Value* first, llvm::Value* at, llvm::Value* members,
                           llvm::Value* lane);
  void store_all(const ir::Op& op, llvm::Value* result, llvm::Value* first);
  void store_lanes(llvm::Value* all, llvm::Type* element, llvm::Value* first);
  llvm::Value* as_lanes(llvm::Value* bits);
  llvm::Type* bits_type(ir::Type type);
  static llvm::Intrinsic::ID reduction(ir::OpKind kind, ir::Type type);
  llvm::Value* lane_address(LaneArray array, llvm::Type* element, llvm::Value* thread);
  llvm::Value* load_lanes(LaneArray array, llvm::Type* element, llvm::Value* first, unsigned align);
  llvm::Value* load_lane(LaneArray array, llvm::Type* element, llvm::Value* thread);
  void store_lane(LaneArray array, llvm::Value* v, llvm::Value* thread);

  // --- limits.cpp: all threads at once, sixteen limits at a time
  void branch_if_active(int level, llvm::BasicBlock* yes, llvm::BasicBlock* no);
  void check_barrier(const Node& node);
  void emit_grid_barrier(const Node& node);
  void check_left_behind(const Node& node);
  void mark_left_behind(const Node& node, size_t error);
  llvm::Value* behind_of(llvm::Value* limits_address);
  void reset_limits(int from, int to);
  void init_limits();

  PlanOptions options_;
  Plan plan_;
  Placement placement_;
  bool uses_rows_only_ = true;  // of the threads' y and z: no index along them is used by itself
  IndexMath index_math_;
  AliasScopes scopes_;

  // set by emit_entry()
  llvm::Value *launch_ = nullptr, *arena_ = nullptr, *context_base_ = nullptr;
  llvm::Value* extent_[3] = {};  // threads of a block along each axis, i64
  llvm::Value *threads_ = nullptr, *threads_rounded_ = nullptr;
  llvm::Value* limits_ = nullptr;
  llvm::Value* lane_arrays_[4] = {};  // by LaneArray
  // Where a barrier may not be reached by all: marks of the threads left behind, and a variable that is 0 or
  // 1
  // + the index of the error at which the first were.
  llvm::Value *behind_ = nullptr, *left_behind_ = nullptr;
  llvm::AllocaInst* environment_ = nullptr;  // made if there are calls
  std::map<ir::OpId, llvm::AllocaInst*> stack_arrays_;
  BlockEnvironment block_;
  llvm::Value* block_number_ = nullptr;  // in linear order, i64
  llvm::BasicBlock *block_end_ = nullptr, *entry_ = nullptr;

  // in a segment
  struct ThreadState {
    llvm::Value* index[3] = {};            // i32
    llvm::Value* wide_index[3] = {};       // i64
    llvm::Value* linear = nullptr;         // i64
    llvm::Value* record = nullptr;         // address of its slots
    llvm::BasicBlock* prologue = nullptr;  // open block before the items: values from elsewhere are got there
    llvm::BasicBlock* end = nullptr;       // where a thread's part ends
    bool environment_stored = false;
  };
  std::optional<ThreadState> thread_;
  Clip clip_;
  uint32_t last_unroll_ = 0;  // of the segment emitted last
  llvm::BranchInst* last_thread_loop_ = nullptr;

  std::vector<Frame*> frames_;
  // The strided loops around: in this turn only the threads below `end` along the axis take part, and their
  // counters are their index plus `base`.
  struct Stride {
    ir::OpId op;
    Axis axis = Axis::X;
    llvm::Value *end = nullptr, *base = nullptr;
  };
  std::vector<Stride> strides_;
  std::vector<ir::RunError> errors_;
};

}  // namespace lanewise::codegen::host
