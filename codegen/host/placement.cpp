// Which values cross from segment to segment, and where each is kept; the layout of the arena.
#include "codegen/host/placement.h"

#include <algorithm>
#include <set>

#include "codegen/common/scalar.h"
#include "codegen/host_abi.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

using ir::OpId;
using ir::OpKind;
using ir::ValueId;

constexpr int kMaxRecompute = 6;  // ops that are worth computing again instead of a store and loads
constexpr int kTooDear = 1000;
constexpr int64_t kMaxStackArray = 4096, kMaxStack = 16384;

class Placer {
 public:
  Placer(const ir::Function& kernel, const Plan& plan, int64_t threads)
      : f_(kernel), plan_(plan), threads_(threads), tree_(kernel) {
    result_.places.resize(kernel.values.size());
    segment_.resize(kernel.values.size(), UINT32_MAX);
  }

  Placement run() {
    for (size_t v = 0; v < f_.values.size(); ++v)
      if (!plan_.varying[v]) result_.places[v].kind = Place::Kind::Uniform;
    if (threads_ > 1) result_.shared_bytes = HostLayout::kMargin;
    visit_nodes(plan_.nodes, &Placer::define);
    visit_nodes(plan_.nodes, &Placer::use);
    choose();
    result_.record_bytes = result_.context_bytes = (result_.record_bytes + 7) / 8 * 8;
    arrays();
    if (plan_.uses_limits) result_.limit_offset = take(1);
    if (!plan_.barriers.empty()) result_.behind_offset = take(1);
    if (has_meeting(plan_.nodes) || has_warp_op()) lane_arrays();
    return std::move(result_);
  }

 private:
  using Visit = void (Placer::*)(const Segment&, const Item&);
  void visit_nodes(const std::vector<Node>& nodes, Visit visit) {
    for (const Node& node : nodes) {
      for (const Item& item : node.segment.items) (this->*visit)(node.segment, item);
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) visit_nodes(*inner, visit);
    }
  }

  void define(const Segment& segment, const Item& item) {
    if (item.kind == Item::Kind::Op) define_op(item.op, segment.id);
    if (item.kind == Item::Kind::Take) segment_[f_.ops[item.op].results[0].index] = segment.id;
    if (item.kind == Item::Kind::Split && item.arm >= 0) define_region(arm(item), segment.id);
    if (item.kind != Item::Kind::ForTurn && item.kind != Item::Kind::StrideTurn) return;
    ValueId counter = f_.regions[f_.ops[item.op].regions[0]].params[0];
    if (plan_.varying[counter.index]) segment_[counter.index] = segment.id;
  }
  void define_op(OpId id, uint32_t segment) {
    const ir::Op& op = f_.ops[id];
    for (ValueId v : op.results) segment_[v.index] = segment;
    for (ir::RegionId region : op.regions) define_region(region, segment);
  }
  void define_region(ir::RegionId region, uint32_t segment) {
    for (ValueId v : f_.regions[region].params) segment_[v.index] = segment;
    for (OpId op : f_.regions[region].ops) define_op(op, segment);
  }
  ir::RegionId arm(const Item& item) const { return f_.ops[item.op].regions[static_cast<size_t>(item.arm)]; }

  void use(const Segment& segment, const Item& item) {
    const ir::Op* op = item.op.valid() ? &f_.ops[item.op] : nullptr;
    switch (item.kind) {
      case Item::Kind::Op: use_op(item.op, segment.id); break;
      case Item::Kind::Split:
        use_value(op->operands[0], segment.id);
        if (item.arm >= 0)
          for (OpId inner : f_.regions[arm(item)].ops) use_op(inner, segment.id);
        break;
      case Item::Kind::Resplit: use_value(op->operands[0], segment.id); break;
      case Item::Kind::ForInit:
        for (size_t i = 0; i < 3; ++i) use_value(op->operands[i], segment.id);
        break;
      case Item::Kind::ForTurn: use_value(op->operands[2], segment.id); break;
      case Item::Kind::Give:
        for (ValueId v : op->operands) use_value(v, segment.id);
        break;
      case Item::Kind::WhileTest: {
        const ir::Op& test = f_.ops[f_.regions[op->regions[0]].ops.back()];
        use_value(test.operands[0], segment.id);
        break;
      }
      case Item::Kind::Copies:
      case Item::Kind::StrideTurn:
      case Item::Kind::Take:
      case Item::Kind::Exit: break;
    }
    for (const Copy& copy : item.exit.copies) use_value(copy.from, segment.id);
  }
  void use_op(OpId id, uint32_t segment) {
    const ir::Op& op = f_.ops[id];
    for (ValueId v : op.operands) use_value(v, segment);
    for (ir::RegionId region : op.regions)
      for (OpId inner : f_.regions[region].ops) use_op(inner, segment);
  }
  void use_value(ValueId v, uint32_t segment) {
    v = plan_.resolve(v);
    if (plan_.varying[v.index] && segment_[v.index] != segment) {
      crossing_.insert(v);
      uses_.push_back({v, segment});
    }
    if (OpId made_by = tree_.definition(v); made_by.valid() && f_.ops[made_by].kind == OpKind::LocalArray)
      uses_of_array_[made_by].insert(segment);
  }

  bool has_meeting(const std::vector<Node>& nodes) const {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::Meeting) return true;
      for (const auto* inner : {&node.first, &node.at_end, &node.second})
        if (has_meeting(*inner)) return true;
    }
    return false;
  }
  bool has_warp_op() const {
    return std::any_of(f_.ops.begin(), f_.ops.end(),
                       [](const ir::Op& op) { return ir::is_warp_op(op.kind); });
  }
  void lane_arrays() {
    constexpr int64_t kWidest = 8, kMask = 4;
    result_.has_meetings = true;
    result_.lane_offsets[0] = take(3 * kWidest) + kWidest;
    result_.lane_offsets[1] = take(kMask);
    result_.lane_offsets[2] = take(kMask);
    result_.lane_offsets[3] = take(kWidest);
  }

  // --- slots
  int64_t take(int64_t bytes) { return std::exchange(result_.context_bytes, result_.context_bytes + bytes); }
  uint32_t new_slot(ir::Type type) {
    int64_t size = type.size();
    result_.record_bytes = (result_.record_bytes + size - 1) / size * size;
    result_.slots.push_back({result_.record_bytes, type});
    result_.record_bytes += size;
    return static_cast<uint32_t>(result_.slots.size() - 1);
  }

  void choose() {
    // Values that only a slot can hold come first: the others may then be computed from them.
    for (ValueId v : crossing_)
      if (!is_computed(v)) result_.places[v.index].kind = Place::Kind::Slot;
    for (ValueId v : crossing_) {  // in the order of definition: an operand's choice is known
      if (!is_computed(v)) continue;
      result_.places[v.index].kind = cost(v, 0) <= kMaxRecompute ? Place::Kind::Recompute : Place::Kind::Slot;
    }
    merge(plan_.nodes);
    for (ValueId v : crossing_)
      if (is_slot(v) && !merged_.count(v)) result_.places[v.index].slot = new_slot(f_.type(v));
    for (auto [v, param] : merged_) result_.places[v.index].slot = result_.places[param.index].slot;
    for_slots(plan_.nodes);
  }
  bool is_slot(ValueId v) const { return result_.places[v.index].kind == Place::Kind::Slot; }

  // --- merging: the next value of a carried variable takes the variable's own slot where the old value is
  // not wanted any more, so that the end of the turn has nothing to copy.
  struct Range {
    uint32_t first = UINT32_MAX, last = 0;
  };
  void merge(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::For || node.kind == Node::Kind::While) merge_loop(node);
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) merge(*inner);
    }
  }
  void merge_loop(const Node& loop) {
    Range body;
    std::vector<Copy> copies;
    for (const auto* nodes : {&loop.first, &loop.second}) gather(*nodes, body, copies);
    const std::vector<ValueId>& params = f_.regions[f_.ops[loop.op].regions[0]].params;
    for (Copy copy : copies) {
      ValueId v = plan_.resolve(copy.from);
      bool of_this_loop = std::find(params.begin(), params.end(), copy.to) != params.end();
      if (!of_this_loop || !is_slot(copy.to) || !is_slot(v) || merged_.count(v) || into_.count(copy.to))
        continue;
      uint32_t made = segment_[v.index];
      if (made < body.first || made > body.last || is_read(copy.to, made + 1, body.last)) continue;
      merged_[v] = copy.to;
      into_.insert(copy.to);
    }
  }
  // The segments of a loop's body and what they copy.
  void gather(const std::vector<Node>& nodes, Range& range, std::vector<Copy>& copies) const {
    for (const Node& node : nodes) {
      if (!node.segment.items.empty()) {
        range.first = std::min(range.first, node.segment.id);
        range.last = std::max(range.last, node.segment.id);
      }
      for (const Item& item : node.segment.items)
        if (item.kind == Item::Kind::Copies)
          copies.insert(copies.end(), item.exit.copies.begin(), item.exit.copies.end());
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) gather(*inner, range, copies);
    }
  }
  // Whether some segment from first to last loads the variable's slot, for itself or to compute from it.
  bool is_read(ValueId param, uint32_t first, uint32_t last) const {
    for (auto [v, segment] : uses_)
      if (segment >= first && segment <= last && depends_on(v, param, 0)) return true;
    return false;
  }
  bool depends_on(ValueId v, ValueId param, int depth) const {
    v = plan_.resolve(v);
    if (v == param) return true;
    if (is_slot(v) || result_.places[v.index].kind == Place::Kind::Uniform || !is_computed(v)) return false;
    if (depth > kMaxRecompute) return true;
    for (ValueId operand : f_.ops[tree_.definition(v)].operands)
      if (depends_on(operand, param, depth + 1)) return true;
    return false;
  }

  void for_slots(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::For && node.varying_bounds) {
        ir::Type type = f_.type(f_.ops[node.op].operands[0]);
        uint32_t distance = new_slot(type), counter = new_slot(type);
        result_.loop_slots[node.op] = {distance, counter};
      }
      for (const auto* inner : {&node.first, &node.at_end, &node.second}) for_slots(*inner);
    }
  }

  bool is_computed(ValueId v) const {
    OpId id = tree_.definition(v);
    return id.valid() && f_.ops[id].regions.empty() && ir::info(f_.ops[id].kind).effect == ir::Effect::None;
  }
  // Ops to compute a value again; kTooDear if that needs a value that is not kept.
  int cost(ValueId v, int depth) const {
    v = plan_.resolve(v);
    const Place& place = result_.places[v.index];
    if (place.kind == Place::Kind::Uniform || place.kind == Place::Kind::Slot) return 0;
    if (!is_computed(v) || depth > kMaxRecompute) return kTooDear;
    const ir::Op& op = f_.ops[tree_.definition(v)];
    int total = cost_of(op);
    for (ValueId operand : op.operands) total = std::min(total + cost(operand, depth + 1), kTooDear);
    return total;
  }
  int cost_of(const ir::Op& op) const {
    switch (op.kind) {
      case OpKind::ThreadIdX:
      case OpKind::ThreadIdY:
      case OpKind::ThreadIdZ:
      case OpKind::LocalArray: return 0;
      case OpKind::FloorDiv:
      case OpKind::FloorMod: {
        OpId divisor = tree_.definition(op.operands[1]);
        bool constant = divisor.valid() && f_.ops[divisor].kind == OpKind::Const;
        return constant && f_.type(op.operands[0]).is_int() ? 3 : kTooDear;
      }
      case OpKind::Div: return kTooDear;
      default: break;
    }
    // Elementary functions are calls.
    return op.kind >= OpKind::Sqrt && op.kind <= OpKind::FrexpExponent ? kTooDear : 1;
  }

  // --- arrays
  void arrays() {
    int64_t stack = 0;
    for (uint32_t i = 0; i < f_.ops.size(); ++i) {
      OpId id{i};
      const ir::Op& op = f_.ops[id];
      if (op.kind != OpKind::SharedArray && op.kind != OpKind::LocalArray) continue;
      if (!is_reachable(id)) continue;
      int64_t count = std::get<int64_t>(op.immediate), bytes = 0;
      int64_t element = f_.type(op.results[0]).element_size();
      LANEWISE_CHECK(
          count >= 0 && !__builtin_mul_overflow(count, element, &bytes) && bytes < int64_t{1} << 40,
          "an array is too big");
      if (op.kind == OpKind::SharedArray) {
        result_.shared_arrays[id] = take_shared(bytes);
        continue;
      }
      LocalArray& array = result_.local_arrays[id];
      array.bytes = bytes;
      if (crosses(id)) {
        array.kind = LocalArray::Kind::Slot;
        array.offset = take((bytes + 7) / 8 * 8);
      } else if (int64_t all = (bytes + 7) / 8 * 8 * threads_;
                 all > kMaxStackArray || stack + all > kMaxStack) {
        array.kind = LocalArray::Kind::Scratch;
        take_shared(HostLayout::kMargin);  // rows of shared memory may reach beyond it, not into this
        array.offset = take_shared(all);
        take_shared(HostLayout::kMargin);
      } else {
        stack += all;
      }
    }
  }
  int64_t take_shared(int64_t bytes) {
    return std::exchange(result_.shared_bytes, result_.shared_bytes + HostLayout::round_up(bytes));
  }
  // Ops that passes have cut out of the tree are still in the table.
  bool is_reachable(OpId id) {
    if (reachable_.empty()) {
      reachable_.resize(f_.ops.size());
      mark(f_.body);
    }
    return reachable_[id.index];
  }
  void mark(ir::RegionId region) {
    for (OpId id : f_.regions[region].ops) {
      reachable_[id.index] = true;
      for (ir::RegionId inner : f_.ops[id].regions) mark(inner);
    }
  }
  // Whether what a thread wrote into the array may be read in another segment. Not if all is one segment, or
  // if the address is used in one only, and there only to load and store.
  bool crosses(OpId id) {
    if (plan_.segments <= 1) return false;
    if (uses_of_array_[id].size() > 1) return true;
    ValueId address = f_.ops[id].results[0];
    for (uint32_t i = 0; i < f_.ops.size(); ++i) {
      const ir::Op& op = f_.ops[OpId{i}];
      for (size_t k = 0; k < op.operands.size(); ++k)
        if (op.operands[k] == address && (k != 0 || (op.kind != OpKind::Load && op.kind != OpKind::Store)))
          return true;
    }
    // In a loop at block level, what one turn wrote may be read in the next: the op gives the same array
    // again.
    return segment_is_in_loop(plan_.nodes, segment_[address.index], false);
  }
  bool segment_is_in_loop(const std::vector<Node>& nodes, uint32_t segment, bool in_loop) const {
    for (const Node& node : nodes) {
      if (node.kind == Node::Kind::Segment && !node.segment.items.empty() && node.segment.id == segment)
        return in_loop;
      bool loop = in_loop || node.kind == Node::Kind::For || node.kind == Node::Kind::While;
      for (const auto* inner : {&node.first, &node.at_end, &node.second})
        if (segment_is_in_loop(*inner, segment, loop)) return true;
    }
    return false;
  }

  const ir::Function& f_;
  const Plan& plan_;
  int64_t threads_;
  Tree tree_;
  Placement result_;
  std::vector<uint32_t> segment_;  // by value: the segment that defines it
  std::set<ValueId> crossing_;
  std::vector<std::pair<ValueId, uint32_t>> uses_;  // of crossing values, by segment
  std::map<ValueId, ValueId> merged_;               // value -> variable
  std::set<ValueId> into_;                          // variables that have one
  std::map<OpId, std::set<uint32_t>> uses_of_array_;
  std::vector<bool> reachable_;
};

}  // namespace

Placement place_values(const ir::Function& kernel, const Plan& plan, int64_t threads) {
  return Placer(kernel, plan, threads).run();
}

}  // namespace lanewise::codegen::host
