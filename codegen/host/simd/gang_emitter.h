// Emits a kernel for blocks of one shape, 32 threads (a gang) at a time: each segment is a loop over gangs,
// and its ops work on vectors of 32 lanes, of which a mask says who takes part. What is the same for all
// lanes stays scalar; indices stay "scalar + constant per lane" as long as they can, so that memory is read
// in rows.
//   gang_segment.cpp  the loops over gangs, items
//   gang_values.cpp   values in their three forms, ops without effect
//   gang_masks.cpp    who takes part, comparisons with a bound
//   gang_joins.cpp    where ways meet: masks and values
//   gang_control.cpp  if and scope, loops in gang_loops.cpp
//   gang_memory.cpp   loads and stores; gang_index.cpp indices that are more than their vectors
//   gang_atomics.cpp  atomics on one address or side by side, done together
//   gang_warp.cpp     warp ops in registers
//   gang_divide.cpp   // and % of 64-bit integers; gang_divider.cpp / and roots by estimates
//   per_lane.cpp      what has no vector form: a loop over the lanes
#pragma once
#include <functional>

#include "codegen/host/kernel_emitter.h"
#include "codegen/host/simd/divider_plan.h"
#include "codegen/host/simd/lanes.h"
#include "codegen/host/simd/shapes.h"
#include "codegen/host/simd/vector_roots.h"

namespace lanewise::codegen::host {

class GangEmitter : public KernelEmitter {
 public:
  GangEmitter(HostModule& module, const ir::Function& kernel, llvm::Function* llvm_function,
              const BlockShape& block);
  // Whether vectors would serve too little of the kernel; to be asked before it is emitted.
  bool is_better_one_by_one() const;
  EmittedKernel run_noted();  // run(), with notes for report()

 private:
  using Values = std::vector<Lanes>;

  // --- gang_segment.cpp
  void emit_segment(const Segment& segment) override;
  void begin_gangs(const Segment& segment);
  void end_gangs();
  size_t instructions_from(llvm::BasicBlock* head) const;
  std::array<Extent, 3> extents(const Segment& segment);
  llvm::Value* begin_loop(const Extent& extent, const char* name);
  void set_thread_index(Axis axis, llvm::Value* base, const Pattern& pattern, int64_t align = 1);
  void tabulate_threads(llvm::Value* gang);
  void emit_gang_items(const std::vector<Item>& items);
  bool emit_gang_item(const Item& item);  // whether no lane may be left
  void emit_gang_split(const Item& item);
  void emit_gang_for_init(const Item& item);
  void emit_gang_for_turn(const Item& item);
  void keep_lanes(ir::ValueId v);
  void copy_lanes(const std::vector<Copy>& copies);
  void leave_segment(const Exit& exit);
  llvm::Value* gang_slot(uint32_t slot);
  Lanes load_gang_slot(uint32_t slot);
  void store_gang_slot(uint32_t slot, const Lanes& value);
  void store_masked(llvm::Value* vector, llvm::Value* address,
                    const std::function<void(llvm::Instruction*)>& mark);
  void store_limits(llvm::Value* limits);
  void give(ir::OpId op) override;
  bool is_alike(ir::ValueId v) const override { return !varies(v); }

  // --- gang_values.cpp
  Lanes lanes(ir::ValueId v);
  llvm::Value* vector(const Lanes& lanes, ir::Type type);
  llvm::Value* vector(ir::ValueId v) { return vector(lanes(v), f_.type(v)); }
  llvm::Type* vector_type(ir::Type type) { return llvm::FixedVectorType::get(m_.type(type), kGang); }
  llvm::Constant* pattern_vector(llvm::Type* scalar, const Pattern& pattern);
  void define(ir::ValueId v, Lanes lanes);
  bool varies(ir::ValueId v) const { return shapes_.varying[plan_.resolve(v).index]; }
  Lanes pure(ir::OpId id);
  Lanes vector_op(const ir::Op& op, const Values& operands);
  std::optional<Lanes> linear_op(const ir::Op& op, const Values& operands);
  std::optional<Lanes> sum(const Lanes& a, const Lanes& b, bool subtract);
  std::optional<Lanes> product(const Lanes& a, llvm::Value* factor);
  std::optional<Lanes> split_at(const Lanes& value, unsigned bit, bool low);
  std::optional<Lanes> part_of_number(const ir::Op& op, const Values& operands);
  std::optional<Lanes> linear_cast(const ir::Op& op, const Lanes& value);
  std::optional<bool> compare_known(ir::OpKind kind, const Lanes& lanes, llvm::Value* scalar,
                                    bool left) const;
  bool is_in_int32(ir::ValueId v) const;

  // --- gang_masks.cpp
  llvm::Value* compare_with_uniform(const ir::Op& op, const Lanes& a, const Lanes& b);
  bool is_not_negative(ir::ValueId v);
  llvm::Value* compare_pattern(ir::OpKind kind, const Pattern& pattern, llvm::Value* scalar);
  llvm::Value* compare_line(ir::OpKind kind, const Lanes& line, llvm::Value* scalar, llvm::Value* distance,
                            bool line_is_left);
  void note_tests_of_both(llvm::Value* mask, const Lanes& a, const Lanes& b);
  llvm::Constant* no_lanes() { return llvm::Constant::getNullValue(mask_type_); }
  llvm::Constant* all_lanes() { return llvm::Constant::getAllOnesValue(mask_type_); }
  static bool is_all(llvm::Value* mask);
  static bool is_none(llvm::Value* mask);
  llvm::Value* both(llvm::Value* a, llvm::Value* b);     // a and b
  llvm::Value* without(llvm::Value* a, llvm::Value* b);  // a and not b
  llvm::Value* either(llvm::Value* a, llvm::Value* b);
  llvm::Value* bits(llvm::Value* mask) { return b_.CreateBitCast(mask, b_.getInt32Ty()); }
  llvm::Value* all(llvm::Value* mask);
  llvm::Value* any(llvm::Value* mask);

  // --- gang_joins.cpp
  // Where a construct is left to: by jumps of all lanes together, or by lanes that wait in a mask.
  struct Join;
  struct Target {
    ir::OpId op;
    bool next_turn = false;
    Join* join = nullptr;              // of jumps; null: lanes wait
    std::vector<ir::ValueId> to;       // what the values become
    llvm::Value* mask = nullptr;       // who waits
    std::vector<llvm::Value*> values;  // vectors; null where nobody wants the value
  };
  struct Join {
    llvm::BasicBlock* block = nullptr;
    std::vector<ir::ValueId> to;
    size_t targets = 0;  // how many of targets_ there are
    struct Edge {
      llvm::BasicBlock* from;
      std::vector<llvm::Value*> state, values;
    };
    std::vector<Edge> edges;
  };
  Join new_join(const char* name, std::vector<ir::ValueId> to);
  std::vector<llvm::Value*> state(size_t targets) const;
  void restore(const std::vector<llvm::Value*>& state);
  llvm::Value* in_form(ir::ValueId to, const Lanes& value);
  Lanes from_form(ir::ValueId to, llvm::Value* value);
  Lanes nothing(ir::ValueId to);
  void go_to(Join& join, const std::optional<Values>& values);
  void branch_past(Join& join, llvm::Value* condition, llvm::BasicBlock* otherwise);
  Values start(Join& join);
  void wait_at(Target& target, const Values& values, llvm::Value* who);
  std::vector<llvm::PHINode*> begin_state(ir::OpId loop, size_t own);
  bool leaves_to(ir::OpId op, const Target& target) const;
  bool leaves_to(ir::RegionId region, const Target& target) const;

  // --- gang_control.cpp
  void emit_lane_op(ir::OpId id);
  void emit_alone(const std::vector<ir::OpId>& loops);
  std::optional<Values> emit_lane_ops(const std::vector<ir::OpId>& ops, size_t from = 0);
  std::optional<Values> emit_lane_region(ir::RegionId region) {
    return emit_lane_ops(f_.regions[region].ops);
  }
  bool may_lose_lanes(ir::OpId id) const;
  bool needs_lanes(const std::vector<ir::OpId>& ops, size_t from) const;
  std::vector<ir::ValueId> yielded(const std::vector<ir::OpId>& ops) const;
  void emit_lane_if(ir::OpId id);
  bool is_cheap(ir::RegionId region, int& budget) const;
  static constexpr int kShortOps = 160;  // code that is worth making twice, for all lanes and for some
  bool is_short(ir::OpId id, bool& memory, int& budget) const;
  bool may_split(ir::RegionId region);
  bool may_split(const std::vector<Item>& items);
  static constexpr int kMostTwice = 320;  // ops of a kernel
  bool may_be_twice(int ops);
  Values emit_arm(ir::RegionId region, llvm::Value* mask, const std::vector<ir::ValueId>& to);
  void emit_lane_scope(ir::OpId id);
  void emit_lane_exit(ir::OpId id);
  Values operands(const ir::Op& op);
  void define_results(const ir::Op& op, const Values& values);

  // --- gang_loops.cpp
  struct Loop;
  void emit_lane_for(ir::OpId id);
  void emit_lane_while(ir::OpId id);
  void begin_loop(Loop& loop, const ir::ValueId* initial);
  void end_of_lanes(Loop& loop, llvm::Value* leaving, const Values& values);
  void emit_body(Loop& loop, ir::RegionId region, const std::function<void()>& step);
  void end_if_nobody_is_left(Loop& loop);
  void end_loop(Loop& loop, const Values& values);
  std::vector<ir::ValueId> names_of(ir::OpId loop, size_t carried) const;
  bool keeps_pattern(const Loop& loop, size_t carried) const;

  // --- gang_memory.cpp
  // Addresses of a linear access: groups of `length` lanes whose elements lie side by side (step 1),
  // backwards (-1), or are one (0).
  struct Rows {
    unsigned length = kGang;
    int step = 1;
  };
  void emit_lane_memory(ir::OpId id);
  // Pointers, and where that is not null, a linear index of 32 bits on top that is widened row by row.
  struct Address {
    Lanes pointer, small;
    int64_t unit = 1;  // bytes that the index counts
    bool uniform() const { return pointer.uniform() && !small.known(); }
  };
  Address address(const ir::Op& op);
  Address address(const ir::Op& op, Lanes index);
  Lanes pointers(const ir::Op& op, Lanes index);
  llvm::Value* vector(const Address& address, ir::Type type);
  std::optional<Rows> rows(const Address& address, int64_t element) const;
  llvm::Value* row_address(const Address& address, const Rows& rows, unsigned row);
  llvm::Value* lanes_of_row(llvm::Value* vector, const Rows& rows, unsigned row);
  Lanes load_lanes_at(const ir::Op& op, const Address& address);
  void store_lanes_at(const ir::Op& op, const Address& address);
  bool is_too_branchy();
  llvm::Value* pointers_of_all(llvm::Value* pointers);
  void scatter_by_scalars(llvm::Value* own, llvm::Value* pointers, llvm::Align align, ir::Space space);
  llvm::Value* gather_by_scalars(llvm::Type* element, llvm::Value* pointers, llvm::Align align,
                                 ir::Space space);
  llvm::Value* from_memory(ir::Type element, llvm::Value* v);
  llvm::Value* to_memory(ir::Type element, llvm::Value* v);
  Lanes gang_local_array(ir::OpId id);
  bool is_ours(ir::Space space, const Rows& rows) const;
  bool is_interleaved(ir::OpId local_array) const;
  bool is_interleaved_address(ir::ValueId pointer) const;

  // --- prefetch.cpp
  int64_t bytes_ahead(ir::OpId id) const;
  llvm::Value* bytes_to_coming_turn(ir::OpId id);
  void fetch_row(llvm::Value* row, int64_t bytes);

  // --- gang_atomics.cpp
  bool emit_atomics_together(ir::OpId id);
  void emit_atomics_in_own_row(ir::OpId id, llvm::Value* row);
  void emit_atomics_in_row(ir::OpId id, llvm::Value* row);
  bool emit_atomics_as_one(ir::OpId id, llvm::Value* address);
  void emit_atomics_in_turn(ir::OpId id, llvm::Value* address);
  void emit_if_all(ir::OpId id, llvm::Value* condition, const std::function<llvm::Value*()>& together);

  // --- gang_index.cpp
  // What an index is for a gang, unless its lanes lie on both sides of an array's start.
  struct IndexForm {
    Lanes line;                    // of 32 bits: in a small launch
    llvm::Value* mixed = nullptr;  // whether they do; null: never
  };
  std::optional<IndexForm> wrapped_select(const ir::Op& op);
  std::optional<IndexForm> index_form(const ir::Op& op);
  std::optional<Lanes> widened(const Lanes& index);
  bool is_small_index(ir::Type narrow, ir::Type wide) const;
  bool emit_wrapped_memory(ir::OpId id);

  // --- gang_warp.cpp
  void emit_warp_op(ir::OpId id);
  std::optional<Lanes> warp_in_registers(const ir::Op& op);
  llvm::Value* shuffle_by_constant(const ir::Op& op, llvm::Value* own, llvm::Value* members, unsigned lane);

  // --- gang_divide.cpp
  bool is_long_division(const ir::Op& op);
  void emit_long_division(ir::OpId id);

  // --- gang_divider.cpp
  struct Division;
  bool emit_by_estimates(ir::OpId id);
  llvm::Value* outside(const Division& division);
  RootAndReciprocal by_instruction(const Division& division, llvm::Value* a, llvm::Value* d);
  RootAndReciprocal by_estimates(const Division& division, llvm::Value* a, llvm::Value* d,
                                 llvm::Value* known);
  RootAndReciprocal divide_in_parts(const Division& division);
  void note_division(const ir::Op& op, const Division& division);

  // --- notes.cpp
  void note(const ir::Op& op, std::string text);
  void note_summary();

  // --- per_lane.cpp
  bool has_vector_form(const ir::Op& op) const;
  bool is_in_gamma(const ir::Op& op) const;
  void emit_per_lane(const std::vector<ir::OpId>& ops);
  bool is_better_alone(ir::OpId id) const;
  void for_each_lane(const std::function<void(llvm::Value*)>& body, llvm::BasicBlock* end);
  void gather_definitions(ir::OpId id, std::vector<ir::ValueId>& values) const;
  void gather_uses(ir::OpId id, std::vector<ir::ValueId>& uses) const;
  bool emit_own_atomics(ir::OpId id);
  llvm::Value* row_in_memory(ir::ValueId v, ir::OpId user);
  Lanes lane_after_lane(const ir::Op& op, const Values& values);
  llvm::Value* spill(llvm::Value* vector, ir::Type type);

  // --- KernelEmitter, while one lane runs
  llvm::Value* thread_id(Axis axis) override;
  llvm::Value* wide_thread_id(Axis axis) override;
  llvm::Value* lane_id() override;
  llvm::Value* linear_thread() override;
  llvm::Value* resolve(ir::ValueId value) override;

  BlockShape block_shape_;
  Shapes shapes_;
  std::vector<bool> used_;  // by value
  llvm::Type* mask_type_ = nullptr;
  std::vector<DividerForm> divider_;  // by op
  struct RootInRange {
    llvm::Value *reciprocal, *by_estimates;  // whether its operand was in range,
    unsigned unchecked;                      // but for the first parts
  };
  llvm::DenseMap<llvm::Value*, RootInRange> roots_;

  std::vector<Lanes> lanes_;                           // by value, in a segment
  std::vector<ir::ValueId> lanes_defined_;             // of them
  std::vector<std::optional<IndexForm>> index_forms_;  // by value, beside lanes_
  int64_t ahead_ = 0;                   // of the load or store that is emitted: see bytes_ahead()
  llvm::Value* coming_turn_ = nullptr;  // likewise: see bytes_to_coming_turn()
  bool is_rare_ = false;                // what is made now seldom runs: no notes about it
  std::map<ir::OpId, llvm::AllocaInst*> gang_arrays_;
  llvm::AllocaInst* harmless_ = nullptr;  // eight bytes that anyone may read

  // in a segment
  struct OpenLoop {
    llvm::PHINode* index = nullptr;
    llvm::BasicBlock *head = nullptr, *latch = nullptr;
    llvm::Value* end = nullptr;
  };
  std::vector<OpenLoop> gang_loops_;
  llvm::BasicBlock *gang_end_ = nullptr, *gangs_after_ = nullptr;
  Lanes thread_index_[3];         // i32
  llvm::Value* first_ = nullptr;  // the gang's first thread in the block, i64
  llvm::Value* exec_ = nullptr;   // who takes part
  struct MaskTests {
    llvm::Value *all, *any;  // null: by the mask's own bits
  };
  llvm::DenseMap<llvm::Value*, MaskTests> mask_tests_;
  std::vector<Target> targets_;
  llvm::Value* single_lane_ = nullptr;  // i64: the lane that runs alone
  bool has_scalar_loops_ = false;
  bool split_full_ = true;  // code for all lanes beside that for some
  int twice_ = 0;           // ops that have both
  int branching_ = 0;       // masked accesses to elements apart
};

}  // namespace lanewise::codegen::host
