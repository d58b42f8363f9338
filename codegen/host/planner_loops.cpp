// Loops at block level: those with a barrier inside, and strided ones that are run turn by turn so that the
// threads of a block read memory side by side.
#include "codegen/host/planner.h"

namespace lanewise::codegen::host {

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
    // The scan leaves the loop before the condition has made its values.
    bool alone = !memory.jumps_to_end && !memory.varying_exit && !node.scan;
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

}  // namespace lanewise::codegen::host
