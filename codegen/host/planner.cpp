// make_plan(): one walk over the block-level regions decides what is uniform, cuts segments, and follows
// which levels may hold inactive threads. Both facts depend on each other (a varying condition lets threads
// part, and what threads compute apart varies), so the walk is repeated until nothing changes; values start
// as uniform and constructs as left by all threads alike, and only ever lose that.
#include "codegen/host/planner.h"

namespace lanewise::codegen::host {

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
  if (ir::is_barrier(op.kind)) return walk_barrier(id);
  if (ir::is_warp_op(op.kind) && !options_.gangs) return walk_warp_op(id);
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
  if (!f_.ops[id].operands.empty()) add(Item::Kind::Give, id);
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
  if (!f_.ops[id].operands.empty()) meet(id);
}

// Lanes that are elsewhere are no members; no further check.
void Planner::walk_warp_op(OpId id) {
  const ir::Op& op = f_.ops[id];
  if (op.operands.size() > 1) add(Item::Kind::Give, id);
  flush();
  if (op.results.empty()) return;
  meet(id);
  set_varying(op.results);
  add(Item::Kind::Take, id);
}

void Planner::meet(OpId id) {
  Node node = make_node(Node::Kind::Meeting, id);
  node.level = level_;
  node.check = state_.any(0, level_);
  if (node.check) plan_.uses_limits = true;
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
    walk_body(op.regions[0], node.first, inside, free_first, after_free && !both);
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

Plan make_plan(const ir::Function& kernel, const PlanOptions& options) {
  return Planner(kernel, options).run();
}

}  // namespace lanewise::codegen::host
