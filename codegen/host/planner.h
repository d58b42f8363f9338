// The planner: what make_plan() in planner.cpp works with; its loops are in planner_loops.cpp. Private to
// these two files.
#pragma once
#include <algorithm>
#include <bitset>
#include <utility>

#include "codegen/host/index_math.h"
#include "codegen/host/plan.h"
#include "ir/error.h"
#include "ir/too_large.h"

namespace lanewise::codegen::host {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

// At which levels threads may be inactive at a place of the block-level code.
struct State {
  std::bitset<kMaxLevel + 2> inactive;
  bool reached = true;

  bool any(int from, int to) const {  // inclusive
    for (int level = from; level <= to; ++level)
      if (inactive[static_cast<size_t>(level)]) return true;
    return false;
  }
  void set(int level) { inactive.set(static_cast<size_t>(level)); }
  void clear(int level) { inactive.reset(static_cast<size_t>(level)); }
  void join(const State& other) {
    if (!other.reached) return;
    if (!reached) inactive.reset();
    inactive |= other.inactive;
    reached = true;
  }
};

// A block-level construct that the walk is in.
struct Frame {
  OpId op;
  int level = 0;  // of threads that left it; for a loop, those that continued have level + 1
  State ends;     // joined over the jumps to its end
  State turns;    // loops: joined over the jumps to the next turn
  Frame() { ends.reached = turns.reached = false; }
};

// What is remembered of a construct from walk to walk.
struct Memory {
  bool varying_exit = false;  // some thread leaves on its own: the results vary
  bool varying_continue = false;
  bool jumps_to_end = false;    // besides its own end
  State back;                   // loops: state at the end of a turn
  std::vector<ValueId> handed;  // loops: the values of the first edge to the next turn
  std::vector<bool> mixed;      // whether another edge has another value
  Memory() { back.reached = false; }
};

class Planner {
 public:
  Planner(const ir::Function& kernel, const PlanOptions& options)
      : f_(kernel),
        options_(options),
        tree_(kernel, !options.gangs),
        index_math_(
            f_, tree_, [this](ValueId v) { return plan_.resolve(v); },
            [this](ValueId v) { return !varies(v); }),
        memory_(kernel.ops.size()) {
    varying_.resize(kernel.values.size());
  }

  Plan run() {
    do {
      changed_ = false;
      plan_ = {};
      plan_.alias.resize(f_.values.size());
      state_ = {};
      walk_body(f_.body, plan_.nodes, 0, 0, true);
    } while (changed_);
    plan_.varying = varying_;
    for (uint32_t i = 0; i < memory_.size(); ++i)
      if (memory_[i].varying_continue) plan_.turn_values[OpId{i}] = memory_[i].handed;
    return std::move(plan_);
  }

 private:
  // --- values
  bool varies(ValueId v) const { return varying_[plan_.resolve(v).index]; }
  void set_varying(ValueId v) {
    if (!varying_[v.index]) varying_[v.index] = changed_ = true;
  }
  void set_varying(const std::vector<ValueId>& values) {
    for (ValueId v : values) set_varying(v);
  }
  void note(bool& flag) {
    if (!flag) flag = changed_ = true;
  }

  // --- segments
  Item& add(Item::Kind kind, OpId op = {}) {
    if (pending_.items.empty()) {
      pending_.level = level_;
      pending_.check = state_.any(0, level_);
      pending_writes_ = false;
    }
    pending_.items.push_back({kind, op, -1, {}});
    return pending_.items.back();
  }
  void flush() {
    if (pending_.items.empty()) return;
    pending_.id = plan_.segments++;
    if (pending_.check) plan_.uses_limits = true;
    Node node;
    node.segment = std::move(pending_);
    nodes_->push_back(std::move(node));
    pending_ = {};
    pending_writes_ = false;
  }
  Node make_node(Node::Kind kind, OpId op) {
    Node node;
    node.kind = kind;
    node.op = op;
    return node;
  }
  // The copies that bring `from` into the varying ones of `to`; the uniform ones get a phi.
  std::vector<Copy> copies(const std::vector<ValueId>& to, const ValueId* from) {
    std::vector<Copy> result;
    for (size_t i = 0; i < to.size(); ++i) {
      if (varies(from[i])) set_varying(to[i]);
      if (varies(to[i])) result.push_back({to[i], from[i]});
    }
    return result;
  }
  void add_copies(const std::vector<ValueId>& to, const ValueId* from) {
    std::vector<Copy> all = copies(to, from);
    if (!all.empty()) add(Item::Kind::Copies).exit.copies = std::move(all);
  }

  // --- the walk
  void walk_body(RegionId region, std::vector<Node>& nodes, int level, int free_level, bool tail_free);
  void walk_op(OpId id, bool after_free);
  void walk_scalar(OpId id);
  void walk_if(OpId id, bool after_free);
  void walk_arms(OpId id, bool after_free);
  void walk_scope(OpId id, bool after_free);
  void walk_for(OpId id, bool after_free);
  void walk_while(OpId id, bool after_free);
  std::optional<ThreadIndex> find_stride(OpId id);
  bool uses_local_memory(RegionId region) const;
  void walk_strided(OpId id, ThreadIndex stride);
  void walk_barrier(OpId id);
  void walk_warp_op(OpId id);
  void meet(OpId id);
  void walk_terminator(OpId id);
  void end_condition(OpId id, Frame& loop);
  // The block-level code goes on at the end of the region that `owner` owns, with no active thread from here.
  void join_at_end(OpId owner) {
    if (!owner.valid()) return;
    Frame* frame = frame_of(owner);
    OpKind kind = f_.ops[owner].kind;
    (kind == OpKind::For || kind == OpKind::While ? frame->turns : frame->ends).join(state_);
  }
  void item_exits(const std::vector<OpId>& exits);
  void begin_loop(Node& node, Frame& frame);
  void end_loop(Node& node, const Frame& frame, const State& at_head, const State& at_condition);
  bool is_uniform(OpId id) const;
  bool operands_uniform(OpId id) const;
  Exit exit_of(OpId id, const Frame* frame);
  Frame* frame_of(OpId op) {
    for (size_t i = frames_.size(); i-- > 0;)
      if (frames_[i]->op == op) return frames_[i];
    return nullptr;
  }
  std::vector<ValueId> next_params(OpId loop) const;
  int new_level(int by) const {
    if (level_ + by > kMaxLevel) throw ir::ProgramTooLarge(f_.name, {});
    return level_ + by;
  }

  const ir::Function& f_;
  PlanOptions options_;
  Tree tree_;
  IndexMath index_math_;
  std::vector<Memory> memory_;
  std::vector<bool> varying_;
  bool changed_ = false;

  Plan plan_;
  State state_;
  std::vector<Node>* nodes_ = nullptr;
  Segment pending_;
  bool pending_writes_ = false;
  int level_ = 0;       // of the region that is being walked
  int free_level_ = 0;  // threads that left for this level or a lower one meet no further barrier
  std::vector<Frame*> frames_;
};

}  // namespace lanewise::codegen::host
