// make_plan(): one walk over the block-level regions decides what is uniform, cuts segments, and follows
// which levels may hold inactive threads. Both facts depend on each other (a varying condition lets threads
// part, and what threads compute apart varies), so the walk is repeated until nothing changes; values start
// as uniform and constructs as left by all threads alike, and only ever lose that.
#include <algorithm>
#include <bitset>
#include <utility>

#include "codegen/host/index_math.h"
#include "codegen/host/plan.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

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
  explicit Planner(const ir::Function& kernel)
      : f_(kernel),
        tree_(kernel),
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
    LANEWISE_CHECK(level_ + by <= kMaxLevel, "barriers are nested too deeply");
    return level_ + by;
  }

  const ir::Function& f_;
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

void Planner::walk_body(RegionId region, std::vector<Node>& nodes, int level, int free_level,
                        bool tail_free) {
  std::vector<Node>* outer_nodes = std::exchange(nodes_, &nodes);
  int outer_level = std::exchange(level_, level), outer_free = std::exchange(free_level_, free_level);
  const std::vector<OpId>& ops = f_.regions[region].ops;
  size_t last_barrier = 0;  // one more than its index
  for (size_t i = 0; i < ops.size(); ++i)
    if (tree_.has_barrier(ops[i])) last_barrier = i + 1;
  for (size_t i = 0; i < ops.size(); ++i) walk_op(ops[i], tail_free && i + 1 >= last_barrier);
  nodes_ = outer_nodes, level_ = outer_level, free_level_ = outer_free;
}

void Planner::walk_op(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  if (ir::is_terminator(op.kind)) return walk_terminator(id);
  if (op.kind == OpKind::Barrier) return walk_barrier(id);
  bool barrier = tree_.has_barrier(id);
  // Without a barrier, an `if` with exits that all threads take together is better at block level: otherwise
  // each thread's limit would be set and looked at by what follows up to the last barrier.
  bool lift = !barrier && !after_free && op.kind == OpKind::If && !tree_.exits(id).empty() &&
              !varies(op.operands[0]) && !state_.any(0, level_);
  if (!barrier && op.kind == OpKind::For && !is_uniform(id))
    if (std::optional<ThreadIndex> stride = find_stride(id)) return walk_strided(id, std::move(*stride));
  if (!barrier && !lift) return walk_scalar(id);
  switch (op.kind) {
    case OpKind::If: return varies(op.operands[0]) ? walk_arms(id, after_free) : walk_if(id, after_free);
    case OpKind::Scope: return walk_scope(id, after_free);
    case OpKind::For: return walk_for(id, after_free);
    case OpKind::While: return walk_while(id, after_free);
    default: throw ir::InternalError("a barrier inside `" + std::string(ir::info(op.kind).text) + "`");
  }
}

bool Planner::operands_uniform(OpId id) const {
  const ir::Op& op = f_.ops[id];
  for (ValueId v : op.operands)
    if (varies(v)) return false;
  for (RegionId region : op.regions)
    for (OpId inner : f_.regions[region].ops)
      if (!operands_uniform(inner)) return false;
  return true;
}

// Whether the op may be evaluated once for all threads, here and before what is pending.
bool Planner::is_uniform(OpId id) const {
  const ir::Op& op = f_.ops[id];
  bool all_active = !state_.any(0, level_);
  if (op.kind == OpKind::Load) {
    // Every thread would read it now, and none of them has written since the last segment.
    return all_active && !pending_writes_ && operands_uniform(id);
  }
  if (!tree_.is_pure(id)) return false;
  // Where no thread is active, values mean nothing, and a loop might not end.
  if (tree_.has_loop(id) && !all_active) return false;
  return operands_uniform(id);
}

void Planner::walk_scalar(OpId id) {
  const ir::Op& op = f_.ops[id];
  if (is_uniform(id)) {
    bool was_varying =
        std::any_of(op.results.begin(), op.results.end(), [&](ValueId v) { return varies(v); });
    if (!was_varying) {
      nodes_->push_back(make_node(Node::Kind::Uniform, id));
      return;
    }
  }
  add(Item::Kind::Op, id);
  ir::Effect effect = ir::info(op.kind).effect;
  if (effect == ir::Effect::Write || !op.regions.empty()) pending_writes_ = true;
  set_varying(op.results);
  item_exits(tree_.exits(id));
}

// The ways out of a segment from inside an item.
void Planner::item_exits(const std::vector<OpId>& exits) {
  for (OpId exit : exits) {
    OpId target = tree_.target(exit);
    Frame* frame = target.valid() ? frame_of(target) : nullptr;
    LANEWISE_CHECK(frame || !target.valid(), "an exit from a segment to nowhere");
    plan_.exits[exit] = exit_of(exit, frame);
  }
}

// A thread leaves on its own. Without a frame: it returns.
Exit Planner::exit_of(OpId id, const Frame* frame) {
  const ir::Op& op = f_.ops[id];
  Exit exit;
  if (frame) {
    Memory& memory = memory_[frame->op.index];
    bool next_turn = op.kind == OpKind::Continue;
    note(next_turn ? memory.varying_continue : memory.varying_exit);
    exit.level = frame->level + (next_turn ? 1 : 0);
    if (next_turn) {
      std::vector<ValueId> params = next_params(frame->op);
      for (size_t i = 0; i < params.size(); ++i) {
        if (memory.handed.empty()) memory.handed = op.operands, memory.mixed.resize(params.size());
        if (memory.handed[i] != op.operands[i]) memory.mixed[i] = true;
        if (memory.mixed[i]) set_varying(params[i]);
      }
      exit.copies = copies(params, op.operands.data());
    } else {
      set_varying(f_.ops[frame->op].results);
      exit.copies = copies(f_.ops[frame->op].results, op.operands.data());
    }
  }
  state_.set(exit.level);
  return exit;
}

void Planner::walk_barrier(OpId id) {
  flush();
  Node node = make_node(Node::Kind::Barrier, id);
  node.level = level_, node.free_level = free_level_;
  node.check = state_.any(free_level_ + 1, level_);
  if (node.check) {
    plan_.barriers.push_back(id);
    plan_.uses_limits = true;
    join_at_end(tree_.parent(id));  // where the block goes on if no thread is active here
  }
  nodes_->push_back(std::move(node));
}

void Planner::walk_if(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  flush();
  Node node = make_node(Node::Kind::If, id);
  Frame frame;
  frame.op = id;
  frame.level = level_;  // no level of its own: only its yields lead to its end
  frames_.push_back(&frame);
  State before = state_;
  walk_body(op.regions[0], node.first, level_, free_level_, after_free);
  state_ = before;
  walk_body(op.regions[1], node.second, level_, free_level_, after_free);
  frames_.pop_back();
  state_ = frame.ends;
  nodes_->push_back(std::move(node));
}

// The arm without a barrier, if there is one, is run as a part of the segment before, so that threads that
// return in it count as arrived at the barriers of the other.
void Planner::walk_arms(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  int inside = new_level(1), free_inside = after_free ? inside : free_level_;
  bool both = tree_.has_barrier(op.regions[0]) && tree_.has_barrier(op.regions[1]);
  int free_arm = both ? -1 : tree_.has_barrier(op.regions[0]) ? 1 : 0;
  set_varying(op.results);
  Frame frame;
  frame.op = id;
  frame.level = inside;
  frames_.push_back(&frame);

  Item& split = add(Item::Kind::Split, id);
  split.arm = free_arm;
  split.exit.level = inside;
  if (free_arm >= 0) {
    pending_writes_ = true;
    std::vector<OpId> exits;
    for (OpId inner : f_.regions[op.regions[static_cast<size_t>(free_arm)]].ops)
      for (OpId exit : tree_.exits(inner)) exits.push_back(exit);
    item_exits(exits);  // its own yield among them: an exit to `inside`
  }
  flush();
  state_.set(inside);
  plan_.uses_limits = true;

  Node node = make_node(Node::Kind::Arms, id);
  node.level = inside;
  node.reset = true;
  // While the first arm runs, those that wait for the second have its barriers before them.
  if (free_arm != 0) {
    int free_first = both ? free_level_ : free_inside;
    walk_body(op.regions[0], node.first, inside, free_first, after_free);
  }
  if (both) {
    state_.join(frame.ends);
    State at_arm = state_;
    std::vector<Node>* outer = std::exchange(nodes_, &node.at_end);
    state_.clear(inside);
    add(Item::Kind::Resplit, id).exit.level = inside;
    flush();
    nodes_ = outer;
    state_ = at_arm;
    state_.set(inside);
  }
  if (free_arm != 1) walk_body(op.regions[1], node.second, inside, free_inside, after_free);
  frames_.pop_back();
  state_.join(frame.ends);
  state_.reached = true;
  state_.clear(inside);
  nodes_->push_back(std::move(node));
}

void Planner::walk_scope(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  flush();
  Node node = make_node(Node::Kind::Scope, id);
  Frame frame;
  frame.op = id;
  frame.level = node.level = new_level(1);
  frames_.push_back(&frame);
  if (memory_[id.index].varying_exit) set_varying(op.results);
  walk_body(op.regions[0], node.first, frame.level, after_free ? frame.level : free_level_, after_free);
  frames_.pop_back();
  state_ = frame.ends;
  node.reset = state_.any(frame.level, frame.level);
  state_.clear(frame.level);
  nodes_->push_back(std::move(node));
}

std::vector<ValueId> Planner::next_params(OpId loop) const {
  const ir::Op& op = f_.ops[loop];
  const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
  return {params.begin() + (op.kind == OpKind::For ? 1 : 0), params.end()};
}

void Planner::begin_loop(Node& node, Frame& frame) {
  flush();
  frame.op = node.op;
  frame.level = node.level = new_level(2) - 1;
  frames_.push_back(&frame);
  state_.join(memory_[node.op.index].back);
  node.scan = state_.any(0, frame.level);
  if (node.scan) plan_.uses_limits = true;
}

// `at_condition`: the state where the loop's own condition ends it for all threads.
void Planner::end_loop(Node& node, const Frame& frame, const State& at_head, const State& at_condition) {
  frames_.pop_back();
  Memory& memory = memory_[node.op.index];
  State turn = frame.turns;
  node.reset_turn = turn.any(frame.level + 1, frame.level + 1);
  turn.clear(frame.level + 1);
  if (turn.reached && (!memory.back.reached || (turn.inactive & ~memory.back.inactive).any())) {
    memory.back.join(turn);
    changed_ = true;
  }
  if (memory.varying_exit) set_varying(f_.ops[node.op].results);
  if (node.varying_bounds) node.scan = plan_.uses_limits = true;
  state_ = frame.ends;
  if (node.scan) state_.join(at_head);
  if (!node.varying_bounds) state_.join(at_condition);
  node.reset = state_.any(frame.level, frame.level + 1);
  state_.clear(frame.level);
  state_.clear(frame.level + 1);
}

void Planner::walk_for(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  Memory& memory = memory_[id.index];
  Node node = make_node(Node::Kind::For, id);
  const std::vector<ValueId>& all_params = f_.regions[op.regions[0]].params;
  std::vector<ValueId> params = next_params(id);
  if (varies(op.operands[0]) || varies(op.operands[2])) set_varying(all_params[0]);
  node.varying_bounds = varies(op.operands[0]) || varies(op.operands[1]) || varies(op.operands[2]);
  if (node.varying_bounds) note(memory.varying_exit);
  add_copies(params, op.operands.data() + 3);
  if (node.varying_bounds) add(Item::Kind::ForInit, id);

  Frame frame;
  begin_loop(node, frame);
  State at_head = state_;
  if (node.varying_bounds) {
    int outer = std::exchange(level_, frame.level + 1);
    std::vector<Node>* outer_nodes = std::exchange(nodes_, &node.first);
    set_varying(op.results);
    std::vector<Copy> results = copies(op.results, params.data());
    Item& turn = add(Item::Kind::ForTurn, id);
    turn.exit = {frame.level, std::move(results)};
    state_.set(frame.level);
    plan_.uses_limits = true;
    nodes_ = outer_nodes, level_ = outer;
    // Between here and the body nothing is flushed: ForTurn is the first item of its first segment.
  }
  walk_body(op.regions[0], node.first, frame.level + 1, after_free ? frame.level : free_level_, false);
  if (!node.varying_bounds) {
    bool alone = !memory.jumps_to_end && !memory.varying_exit;
    for (size_t i = 0; i < op.results.size() && alone; ++i) plan_.alias[op.results[i].index] = params[i];
    State after_body = std::exchange(state_, at_head);
    if (!alone) {
      std::vector<Node>* outer_nodes = std::exchange(nodes_, &node.at_end);
      int outer = std::exchange(level_, frame.level);
      add_copies(op.results, params.data());
      flush();
      nodes_ = outer_nodes, level_ = outer;
    }
    state_ = after_body;
  }
  end_loop(node, frame, at_head, at_head);
  nodes_->push_back(std::move(node));
}

// A loop over a range that starts at a thread index, with a uniform end and a positive uniform step, that
// nothing leaves early; not if threads may be inactive.
std::optional<ThreadIndex> Planner::find_stride(OpId id) {
  const ir::Op& op = f_.ops[id];
  if (f_.type(op.operands[0]) != ir::kI64 || state_.any(0, level_)) return std::nullopt;
  if (varies(op.operands[1]) || varies(op.operands[2])) return std::nullopt;
  auto step = index_math_.range(op.operands[2]);
  if (!step || step->first < 2) {
    // With step 1 each thread has a stretch of its own; as good as any order.
    ir::OpId made_by = tree_.definition(plan_.resolve(op.operands[2]));
    if (!step || step->first < 1 || (made_by.valid() && f_.ops[made_by].kind == OpKind::Const))
      return std::nullopt;
  }
  for (OpId inner : f_.regions[op.regions[0]].ops)
    for (OpId exit : tree_.exits(inner))
      if (f_.ops[exit].kind != OpKind::Yield) return std::nullopt;
  if (uses_local_memory(op.regions[0])) return std::nullopt;
  return index_math_.thread_index(op.operands[0]);
}

// Each thread would need its own array then, where one could serve them in turn.
bool Planner::uses_local_memory(RegionId region) const {
  for (OpId id : f_.regions[region].ops) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::LocalArray) return true;
    for (ValueId v : op.operands) {
      ir::Space space = f_.type(v).space;
      if (space == ir::Space::Local || space == ir::Space::Generic) return true;
    }
    for (RegionId inner : op.regions)
      if (uses_local_memory(inner)) return true;
  }
  return false;
}

// At block level, each turn for the threads that make it. Their numbers of turns differ, so nothing carried
// is uniform, and the others' values stay as they are.
void Planner::walk_strided(OpId id, ThreadIndex stride) {
  const ir::Op& op = f_.ops[id];
  Node node = make_node(Node::Kind::For, id);
  node.stride = std::move(stride);
  std::vector<ValueId> params = next_params(id);
  set_varying(f_.regions[op.regions[0]].params);
  add_copies(params, op.operands.data() + 3);
  flush();
  Frame frame;
  frame.op = id;
  frame.level = level_;
  frames_.push_back(&frame);
  std::vector<Node>* outer_nodes = std::exchange(nodes_, &node.first);
  add(Item::Kind::StrideTurn, id);
  nodes_ = outer_nodes;
  walk_body(op.regions[0], node.first, level_, free_level_, true);
  frames_.pop_back();
  for (size_t i = 0; i < op.results.size(); ++i) plan_.alias[op.results[i].index] = params[i];
  nodes_->push_back(std::move(node));
  state_.reached = true;
}

void Planner::walk_while(OpId id, bool after_free) {
  const ir::Op& op = f_.ops[id];
  Memory& memory = memory_[id.index];
  Node node = make_node(Node::Kind::While, id);
  std::vector<ValueId> params = next_params(id);
  add_copies(params, op.operands.data());
  Frame frame;
  begin_loop(node, frame);
  State at_head = state_;
  int free_inside = after_free ? frame.level : free_level_;
  walk_body(op.regions[0], node.first, frame.level + 1, free_inside, false);
  State at_condition = state_;  // as end_condition left it
  const ir::Op& test = f_.ops[f_.regions[op.regions[0]].ops.back()];
  node.varying_bounds = test.kind == OpKind::Yield && varies(test.operands[0]);
  walk_body(op.regions[1], node.second, frame.level + 1, free_inside, false);
  if (!node.varying_bounds && test.kind == OpKind::Yield) {
    bool alone = !memory.jumps_to_end && !memory.varying_exit;
    for (size_t i = 0; i < op.results.size() && alone; ++i)
      plan_.alias[op.results[i].index] = plan_.resolve(test.operands[i + 1]);
    State after_body = std::exchange(state_, at_condition);
    if (!alone) {
      std::vector<Node>* outer_nodes = std::exchange(nodes_, &node.at_end);
      int outer = std::exchange(level_, frame.level + 1);
      add_copies(op.results, test.operands.data() + 1);
      flush();
      nodes_ = outer_nodes, level_ = outer;
    }
    state_ = after_body;
  }
  end_loop(node, frame, at_head, at_condition);
  nodes_->push_back(std::move(node));
}

// The yield of a while's condition: true goes on into `do`, whose parameters are the values under other
// names.
void Planner::end_condition(OpId id, Frame& loop) {
  const ir::Op& test = f_.ops[id];
  const ir::Op& op = f_.ops[loop.op];
  const std::vector<ValueId>& do_params = f_.regions[op.regions[1]].params;
  for (size_t i = 0; i < do_params.size(); ++i)
    plan_.alias[do_params[i].index] = plan_.resolve(test.operands[i + 1]);
  if (!varies(test.operands[0])) {
    flush();  // what the condition does happens before the branch on it
    return;
  }
  note(memory_[loop.op.index].varying_exit);
  set_varying(op.results);
  std::vector<Copy> results = copies(op.results, test.operands.data() + 1);
  Item& item = add(Item::Kind::WhileTest, loop.op);
  item.exit = {loop.level, std::move(results)};
  state_.set(loop.level);
  plan_.uses_limits = true;
}

void Planner::walk_terminator(OpId id) {
  const ir::Op& op = f_.ops[id];
  auto fall = [&] {
    flush();
    nodes_->push_back(make_node(Node::Kind::Fall, id));
  };
  OpId owner = tree_.parent(id);
  if (op.kind == OpKind::Unreachable) {
    fall();
    return join_at_end(owner);
  }
  OpId target = tree_.target(id);
  Frame* frame = target.valid() ? frame_of(target) : nullptr;
  bool is_loop = frame && (f_.ops[target].kind == OpKind::For || f_.ops[target].kind == OpKind::While);
  if (op.kind == OpKind::Yield && is_loop && f_.ops[target].kind == OpKind::While &&
      f_.regions[f_.ops[target].regions[0]].ops.back() == id)
    return end_condition(id, *frame);
  bool next_turn = op.kind == OpKind::Continue || (op.kind == OpKind::Yield && is_loop);

  // All threads together, unless some of those that are still under way are inactive here.
  int stays = !frame ? 0 : frame->level + (next_turn ? 1 : 0);
  bool together = op.kind == OpKind::Yield || !state_.any(stays + 1, level_);
  if (!together) {
    Exit exit = exit_of(id, frame);
    add(Item::Kind::Exit, id).exit = std::move(exit);
    fall();
    return join_at_end(owner);
  }
  if (next_turn) {
    Memory& memory = memory_[target.index];
    std::vector<ValueId> params = next_params(target);
    for (size_t i = 0; i < params.size(); ++i) {
      if (memory.handed.empty()) memory.handed = op.operands, memory.mixed.resize(params.size());
      if (memory.handed[i] != op.operands[i]) memory.mixed[i] = true;
      if (memory.mixed[i] && memory.varying_continue) set_varying(params[i]);
    }
    add_copies(params, op.operands.data());
  } else if (frame) {
    add_copies(f_.ops[target].results, op.operands.data());
    if (is_loop) note(memory_[target.index].jumps_to_end);
  }
  flush();
  nodes_->push_back(make_node(Node::Kind::Jump, id));
  if (frame) (next_turn ? frame->turns : frame->ends).join(state_);
  state_.reached = false;
}

}  // namespace

Plan make_plan(const ir::Function& kernel) { return Planner(kernel).run(); }

}  // namespace lanewise::codegen::host
