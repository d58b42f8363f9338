#include "codegen/host/simd/shapes.h"

#include <bit>
#include <functional>

#include "codegen/common/loop_exit_loads.h"
#include "codegen/host/simd/lanes.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

ThreadLayout layout_of(const BlockShape& block) {
  auto [x, y, z] = block;
  constexpr int64_t kWidth = kGang;
  if (x % kWidth == 0 || (y == 1 && z == 1)) return ThreadLayout::PartOfRow;
  return kWidth % x == 0 && (y % (kWidth / x) == 0 || z == 1) ? ThreadLayout::Rows : ThreadLayout::Table;
}

namespace {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

// Everything starts as alike for all lanes, and the walk is repeated until nothing changes.
class ShapeFinder {
 public:
  ShapeFinder(const ir::Function& kernel, const Plan& plan, const Placement& placement, const Tree& tree,
              const BlockShape& block)
      : f_(kernel), plan_(plan), placement_(placement), tree_(tree) {
    x_is_number_ = block[0] % kGang == 0 || (block[1] == 1 && block[2] == 1);
    row_is_uniform_ = layout_of(block) == ThreadLayout::PartOfRow || block[1] == 1;
    plane_is_uniform_ = layout_of(block) != ThreadLayout::Table || block[2] == 1;
    shapes_.varying = plan.varying;
    shapes_.ends_apart.resize(kernel.ops.size());
    shapes_.turns_apart.resize(kernel.ops.size());
    shapes_.loses_lanes.resize(kernel.ops.size());
    start(plan.nodes);
  }

  Shapes run() {
    do {
      changed_ = false;
      visit_nodes(plan_.nodes);
    } while (changed_);
    for (uint32_t i = 0; i < f_.values.size(); ++i) {
      shapes_.numbers.push_back(is_number({i}));
      shapes_.lines.push_back(is_line({i}));
    }
    return std::move(shapes_);
  }

 private:
  // --- values that segments define are alike until the opposite is found; those in slots are vectors
  void start(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      for (const Item& item : node.segment.items) {
        if (item.kind == Item::Kind::Op) start_op(item.op);
        if (item.kind == Item::Kind::Split && item.arm >= 0) start_region(arm(item));
      }
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) start(*inner);
    }
  }
  void start_op(OpId id) {
    for (ValueId v : f_.ops[id].results) start_value(v);
    for (RegionId region : f_.ops[id].regions) start_region(region);
  }
  void start_region(RegionId region) {
    for (ValueId v : f_.regions[region].params) start_value(v);
    for (OpId op : f_.regions[region].ops) start_op(op);
  }
  void start_value(ValueId v) {
    if (placement_.places[v.index].kind != Place::Kind::Slot) shapes_.varying[v.index] = false;
  }

  // --- what the lane's number is in
  const ir::Op* definition(ValueId v) const {
    OpId id = tree_.definition(v);
    return id.valid() ? &f_.ops[id] : nullptr;
  }
  std::optional<int64_t> constant(ValueId v) const {
    const ir::Op* op = definition(plan_.resolve(v));
    if (!op || op->kind != OpKind::Const || !f_.type(v).is_int()) return std::nullopt;
    return std::get<int64_t>(op->immediate);
  }
  // At most that many ops are looked through: code is a graph, and numbers are near their threads.
  static constexpr int kMostOps = 24;

  // Low bits that are 0 in a value that is the same for all lanes.
  int zero_bits(ValueId v, int ops = kMostOps) const {
    v = plan_.resolve(v);
    const ir::Op* op = definition(v);
    if (!op || ops == 0 || !f_.type(v).is_int()) return 0;
    switch (op->kind) {
      case OpKind::Const: {
        auto bits = static_cast<uint64_t>(std::get<int64_t>(op->immediate));
        return bits == 0 ? 64 : std::countr_zero(bits);
      }
      case OpKind::Mul:
        return std::min(64, zero_bits(op->operands[0], ops / 2) + zero_bits(op->operands[1], ops / 2));
      case OpKind::Add:
      case OpKind::Sub:
        return std::min(zero_bits(op->operands[0], ops / 2), zero_bits(op->operands[1], ops / 2));
      case OpKind::Cast: return zero_bits(op->operands[0], ops - 1);
      default: return 0;
    }
  }
  bool is_multiple(ValueId v) const { return !varies(v) && zero_bits(v) >= 5; }
  bool is_int_cast(const ir::Op& op) const {
    return f_.type(op.operands[0]).is_int() && f_.type(op.results[0]).is_int();
  }

  bool is_number(ValueId v, int ops = kMostOps) const {
    v = plan_.resolve(v);
    const ir::Op* op = definition(v);
    // What is kept in memory is not there of threads that did not get to it.
    if (!op || ops == 0 || placement_.places[v.index].kind == Place::Kind::Slot) return false;
    if (op->results.size() != 1 || !f_.type(v).is_int() || f_.type(v).bits < 8) return false;
    auto number = [&](size_t operand) { return is_number(op->operands[operand], ops - 1); };
    switch (op->kind) {
      case OpKind::ThreadIdX: return x_is_number_;
      case OpKind::LaneId: return true;
      case OpKind::Cast: return is_int_cast(*op) && number(0);
      case OpKind::Add:
        return (is_multiple(op->operands[1]) && number(0)) || (is_multiple(op->operands[0]) && number(1));
      case OpKind::Sub: return is_multiple(op->operands[1]) && number(0);
      case OpKind::And:
      case OpKind::FloorMod: return is_whole_gangs(*op) && number(0);
      default: return false;
    }
  }
  bool is_whole_gangs(const ir::Op& op) const {
    std::optional<int64_t> number = constant(op.operands[1]);
    return number && whole_gangs(op.kind, f_.type(op.operands[0]), *number);
  }
  // `i // 32`: the same for all lanes.
  bool is_gang(const ir::Op& op) const {
    return (op.kind == OpKind::FloorDiv || op.kind == OpKind::Shr) && is_whole_gangs(op) &&
           is_number(op.operands[0]);
  }

  bool is_line(ValueId v, int ops = kMostOps) const {
    v = plan_.resolve(v);
    if (is_number(v)) return true;
    const ir::Op* op = definition(v);
    if (ops == 0 || !f_.type(v).is_int()) return false;
    if (!op) return is_counter_of_line(v, ops);
    auto line = [&](size_t operand) { return is_line(op->operands[operand], ops / 2); };
    switch (op->kind) {
      case OpKind::Cast: return is_int_cast(*op) && line(0);
      case OpKind::Add: return (!varies(op->operands[1]) && line(0)) || (!varies(op->operands[0]) && line(1));
      case OpKind::Sub: return !varies(op->operands[1]) && line(0);
      case OpKind::Select: return line(1) && line(2);  // an index that counts from the end
      default: return false;
    }
  }
  bool is_counter_of_line(ValueId v, int ops) const {
    for (const ir::Op& loop : f_.ops)
      if (loop.kind == OpKind::For && f_.regions[loop.regions[0]].params[0] == v)
        return !varies(loop.operands[2]) && is_line(loop.operands[0], ops / 2);
    return false;
  }

  bool varies(ValueId v) const { return shapes_.varying[plan_.resolve(v).index]; }
  void set_varying(ValueId v) {
    if (!shapes_.varying[v.index]) shapes_.varying[v.index] = changed_ = true;
  }
  void note(std::vector<bool>& flags, OpId op) {
    if (!flags[op.index]) flags[op.index] = changed_ = true;
  }

  // --- the walk
  struct Frame {
    OpId op;
    bool parts = false;  // an `if` whose condition varies
  };
  RegionId arm(const Item& item) const { return f_.ops[item.op].regions[static_cast<size_t>(item.arm)]; }

  void visit_nodes(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      for (const Item& item : node.segment.items) {
        if (item.kind == Item::Kind::Op) visit(item.op);
        if (item.kind == Item::Kind::Split && item.arm >= 0) visit_region(arm(item), {item.op, true});
      }
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) visit_nodes(*inner);
    }
  }
  void visit_region(RegionId region, Frame frame) {
    frames_.push_back(frame);
    for (OpId op : f_.regions[region].ops) visit(op);
    frames_.pop_back();
  }

  void visit(OpId id) {
    const ir::Op& op = f_.ops[id];
    if (ir::is_terminator(op.kind)) return visit_terminator(id);
    switch (op.kind) {
      case OpKind::If: {
        bool parts = varies(op.operands[0]);
        for (RegionId region : op.regions) visit_region(region, {id, parts});
        if (parts)
          for (ValueId v : op.results) set_varying(v);
        return;
      }
      case OpKind::Scope: return visit_region(op.regions[0], {id, false});
      case OpKind::For: {
        const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
        if (varies(op.operands[0]) || varies(op.operands[2])) set_varying(params[0]);
        if (varies(op.operands[0]) || varies(op.operands[1]) || varies(op.operands[2])) ends_apart(id);
        hand_over({params.begin() + 1, params.end()}, op.operands.data() + 3);
        visit_region(op.regions[0], {id, false});
        return hand_over(op.results, params.data() + 1, shapes_.ends_apart[id.index]);
      }
      case OpKind::While:
        hand_over(f_.regions[op.regions[0]].params, op.operands.data());
        visit_region(op.regions[0], {id, false});
        return visit_region(op.regions[1], {id, false});
      default: break;
    }
    bool varying = false;
    switch (op.kind) {
      case OpKind::ThreadIdX:
      case OpKind::LaneId:
      case OpKind::LocalArray: varying = true; break;
      case OpKind::ThreadIdY: varying = !row_is_uniform_; break;
      case OpKind::ThreadIdZ: varying = !plane_is_uniform_; break;
      default: {
        ir::Effect effect = ir::info(op.kind).effect;
        varying = effect != ir::Effect::None && effect != ir::Effect::Read;
        for (ValueId v : op.operands) varying = varying || varies(v);
        if (varying && is_gang(op)) varying = false;
      }
    }
    if (varying)
      for (ValueId v : op.results) set_varying(v);
  }

  void hand_over(const std::vector<ValueId>& to, const ValueId* from, bool apart = false) {
    for (size_t i = 0; i < to.size(); ++i)
      if (apart || varies(from[i])) set_varying(to[i]);
  }
  void ends_apart(OpId op) {
    note(shapes_.ends_apart, op);
    note(shapes_.loses_lanes, op);
  }
  bool is_loop(OpId op) const { return f_.ops[op].kind == OpKind::For || f_.ops[op].kind == OpKind::While; }

  void visit_terminator(OpId id) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::Unreachable) return;
    OpId owner = frames_.empty() ? OpId{} : frames_.back().op;
    if (op.kind == OpKind::Yield && !plan_.exits.count(id)) return visit_yield(id, owner);
    // The constructs on the way out, up to the one that is left.
    bool leaves_segment = plan_.exits.count(id) != 0;
    OpId target = leaves_segment ? OpId{} : tree_.target(id);
    size_t at = 0;
    bool parts = leaves_segment;
    if (!leaves_segment) {
      for (at = frames_.size(); at-- > 0 && frames_[at].op != target;)
        parts = parts || frames_[at].parts || ends_apart_at(frames_[at].op);
      LANEWISE_CHECK(at != SIZE_MAX, "a lane leaves to nowhere");
      bool next_turn = op.kind == OpKind::Continue;
      // Where others wait at the target, all do.
      parts = parts || shapes_.turns_apart[target.index] || (!next_turn && shapes_.ends_apart[target.index]);
      if (parts) next_turn ? note(shapes_.turns_apart, target) : ends_apart_if_target(target);
      hand_over_exit(op, target, next_turn);
      ++at;
    }
    if (!parts) return;
    for (; at < frames_.size(); ++at)
      if (is_loop(frames_[at].op)) note(shapes_.loses_lanes, frames_[at].op);
  }
  bool ends_apart_at(OpId op) const { return shapes_.ends_apart[op.index] || shapes_.turns_apart[op.index]; }
  void ends_apart_if_target(OpId target) {
    note(shapes_.ends_apart, target);
    if (is_loop(target)) note(shapes_.loses_lanes, target);
  }
  void hand_over_exit(const ir::Op& op, OpId target, bool next_turn) {
    if (next_turn) return hand_to_next_turn(op.operands, target);
    hand_over(f_.ops[target].results, op.operands.data(), shapes_.ends_apart[target.index]);
  }
  void hand_to_next_turn(const std::vector<ValueId>& values, OpId loop) {
    const ir::Op& op = f_.ops[loop];
    const std::vector<ValueId>& params = f_.regions[op.regions[0]].params;
    size_t skip = op.kind == OpKind::For ? 1 : 0;
    for (size_t i = 0; i + skip < params.size(); ++i)
      if (varies(values[i]) || shapes_.turns_apart[loop.index]) set_varying(params[i + skip]);
  }
  void visit_yield(OpId id, OpId owner) {
    const ir::Op& op = f_.ops[id];
    LANEWISE_CHECK(owner.valid(), "a yield without an owner");
    const ir::Op& construct = f_.ops[owner];
    bool in_condition = construct.kind == OpKind::While && f_.regions[construct.regions[0]].ops.back() == id;
    if (in_condition) {
      if (varies(op.operands[0])) ends_apart(owner);
      hand_over(f_.regions[construct.regions[1]].params, op.operands.data() + 1);
      return hand_over(construct.results, op.operands.data() + 1, shapes_.ends_apart[owner.index]);
    }
    if (is_loop(owner)) return hand_to_next_turn(op.operands, owner);
    hand_over(construct.results, op.operands.data(), shapes_.ends_apart[owner.index]);
  }

  const ir::Function& f_;
  const Plan& plan_;
  const Placement& placement_;
  const Tree& tree_;
  bool x_is_number_ = false, row_is_uniform_ = false, plane_is_uniform_ = false, changed_ = false;
  Shapes shapes_;
  std::vector<Frame> frames_;
};

}  // namespace

std::optional<unsigned> whole_gangs(ir::OpKind kind, ir::Type type, int64_t constant) {
  constexpr int64_t kGangBits = 5, kMostBits = 30;
  static_assert(kGang == 1 << kGangBits);
  int64_t bits = -1;
  if (kind == OpKind::Shr)
    bits = constant;
  else if (constant > 0 && constant < int64_t{1} << kMostBits) {
    auto n = static_cast<uint64_t>(constant) + (kind == OpKind::And ? 1 : 0);
    if (std::has_single_bit(n)) bits = std::countr_zero(n);
  }
  return bits >= kGangBits && bits <= kMostBits && bits < type.bits
             ? std::optional(static_cast<unsigned>(bits))
             : std::nullopt;
}

Shapes find_shapes(const ir::Function& kernel, const Plan& plan, const Placement& placement, const Tree& tree,
                   const BlockShape& block) {
  return ShapeFinder(kernel, plan, placement, tree, block).run();
}

namespace {

// Lanes in step deadlock where one waits for another: what a loop waits for must not be another thread's
// doing.
bool may_wait(const ir::Function& kernel) {
  for (bool waits : loop_exit_loads(kernel))
    if (waits) return true;
  std::vector<bool> used(kernel.values.size());
  for (const ir::Op& op : kernel.ops)
    for (ValueId v : op.operands) used[v.index] = true;
  std::function<bool(ir::RegionId, bool)> waits_in = [&](ir::RegionId region, bool in_loop) {
    for (ir::OpId id : kernel.regions[region].ops) {
      const ir::Op& op = kernel.ops[id];
      if (in_loop && ir::is_atomic(op.kind) && used[op.results[0].index]) return true;
      bool loop = op.kind == OpKind::For || op.kind == OpKind::While;
      for (ir::RegionId inner : op.regions)
        if (waits_in(inner, in_loop || loop)) return true;
    }
    return false;
  };
  return waits_in(kernel.body, false);
}

}  // namespace

std::string refuses_gangs(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == OpKind::Print) return "what they print is in the order of threads";
  return may_wait(module.entry()) ? "a loop waits for what other threads do" : "";
}

}  // namespace lanewise::codegen::host
