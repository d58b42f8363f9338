// Assignments whose target is among what they read, such as `t[1:] = t[:-1]`: NumPy reads everything first.
// Here elements are read and written one after the other, so the loops must run in a direction in which
// nothing is read after it was written. In: the views as they were written. Out: directions, what is left for
// run time to order, or a diagnostic.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

using Kind = TSubscript::Kind;

// How the leaf may be read in loops that go in the given directions (0 where it does not matter yet). Of one
// that is `Unknown`, run time knows; what it needs in vain is a `Conflict`.
TreeFacts::LeafOrder TreeFacts::plan_leaf(const ViewPath& target, TExprId target_node,
                                          const ArrayExpression::Leaf& leaf, std::vector<int>& directions,
                                          const LoopPlan& plan) const {
  if (leaf.aligned && leaf.fixed && through_temporaries(leaf.node) == through_temporaries(target_node))
    return LeafOrder::Fits;
  ViewPath path = path_of(leaf.node);
  if (!path.known || !target.known) return LeafOrder::Conflict;
  if (path.apart(target)) return LeafOrder::Fits;
  if (!path.same_elements(target)) return LeafOrder::Conflict;
  bool whole =
      std::ranges::all_of(path.subscripts, [](const TSubscript& s) { return s.kind == Kind::Whole; });
  if (!leaf.fixed && !(whole && bound_once(locals_[path.base.index].name)))
    return leaf.aligned ? LeafOrder::Unknown : LeafOrder::Conflict;
  std::vector<DimensionRelation> relations;
  bool good = leaf.aligned, known = true;
  for (size_t d = 0; d < target.subscripts.size(); ++d) {
    const TSubscript &there = target.subscripts[d], &here = path.subscripts[d];
    DimensionRelation one = relate(there, here);
    if (one.kind == DimensionRelation::Kind::Disjoint) return LeafOrder::Fits;
    bool is_index = there.kind == Kind::Index;
    if (!is_index) relations.push_back(one);
    if (one.kind == DimensionRelation::Kind::Unknown) {
      known = false;
      good &= is_index == (here.kind == Kind::Index) && same_value(there.step, here.step);
    }
  }
  if (!good || relations.size() != plan.order.size()) return LeafOrder::Conflict;
  if (!known) return LeafOrder::Unknown;
  for (unsigned d : plan.order) {
    if (relations[d].shift == 0) continue;
    int direction = relations[d].shift > 0 ? 1 : -1;
    if (directions[d] == -direction) return LeafOrder::Conflict;
    directions[d] = direction;
    break;  // all that is in the loops inside lies in another turn of this one
  }
  return LeafOrder::Fits;
}

// Whether a turn of the loops along the leaf's `turns` reads nothing that another turn of them writes: where
// it is read before the loops inside of these, all is read before it is written.
bool TreeFacts::reads_own_turns(const ViewPath& target, const ArrayExpression::Leaf& leaf) const {
  ViewPath path = path_of(leaf.node);
  if (!leaf.turns || !path.known || !target.known || !path.same_elements(target)) return false;
  bool whole =
      std::ranges::all_of(path.subscripts, [](const TSubscript& s) { return s.kind == Kind::Whole; });
  if (!leaf.fixed && !(whole && bound_once(locals_[path.base.index].name))) return false;
  // By dimension of the view: of the array.
  auto dimensions = [](const ViewPath& view) {
    std::vector<size_t> of;
    for (size_t d = 0; d < view.subscripts.size(); ++d)
      if (view.subscripts[d].kind != Kind::Index) of.push_back(d);
    return of;
  };
  std::vector<size_t> there = dimensions(target), here = dimensions(path);
  if (there.size() != leaf.turns->size() || here.size() != leaf.axes.size()) return false;
  for (size_t d = 0; d < there.size(); ++d) {
    if (!(*leaf.turns)[d]) continue;
    auto axis = std::ranges::find(leaf.axes, static_cast<int>(d));
    if (axis == leaf.axes.end() || here[static_cast<size_t>(axis - leaf.axes.begin())] != there[d])
      return false;
    DimensionRelation one = relate(target.subscripts[there[d]], path.subscripts[there[d]]);
    if (one.kind == DimensionRelation::Kind::Unknown || one.shift != 0) return false;
  }
  return true;
}

// Names for memory that are not the same are taken to be different memory.
bool TreeFacts::may_share_memory(const Value& a, const Value& b) const {
  ir::Space x = a.type.space, y = b.type.space;
  bool apart = x != y && x != ir::Space::Generic && y != ir::Space::Generic;
  if (apart || x == ir::Space::Constant || y == ir::Space::Constant) return false;
  return a.known.memory == 0 || b.known.memory == 0 || a.known.memory == b.known.memory;
}

bool FunctionInference::plan_overlap(const Value& target, TExprId target_node, const ArrayExpression& source,
                                     LoopPlan& plan, std::vector<ArrayExpression::Leaf>& unordered,
                                     SourceRange range) {
  ViewPath path = path_of(target_node);
  std::vector<int> directions(plan.order.size(), 0);
  // What can only be read in a turn before all that the turn writes decides about the order of the loops.
  const std::vector<bool>* turns = nullptr;
  auto is_ahead = [&](const ArrayExpression::Leaf& leaf) {
    return turns && leaf.turns == *turns && reads_own_turns(path, leaf);
  };
  for (const ArrayExpression::Leaf& leaf : source.leaves) {
    if (!path.base.valid() || path_of(leaf.node).base != path.base || turns) continue;
    std::vector<int> tried = directions;
    if (plan_leaf(path, target_node, leaf, tried, plan) == LeafOrder::Conflict && leaf.turns &&
        reads_own_turns(path, leaf))
      turns = &*leaf.turns;
  }
  if (turns) {
    plan.ahead = true;
    std::ranges::stable_partition(plan.order, [&](unsigned d) { return (*turns)[d]; });
  }
  std::vector<ArrayExpression::Leaf> directed;
  for (const ArrayExpression::Leaf& leaf : source.leaves) {
    LocalId base = path_of(leaf.node).base;
    bool same_base = path.base.valid() && base == path.base;
    if (!same_base && !may_share_memory(target, leaf.array)) continue;
    std::vector<int> tried = directions;
    LeafOrder order =
        base == path.base ? plan_leaf(path, target_node, leaf, tried, plan) : LeafOrder::Unknown;
    if (same_base && order == LeafOrder::Conflict && is_ahead(leaf)) continue;
    if (order == LeafOrder::Fits) {
      if (std::ranges::any_of(tried, [](int direction) { return direction != 0; })) directed.push_back(leaf);
      directions = std::move(tried);
      continue;
    }
    if (!plan.ahead && (order == LeafOrder::Unknown || !same_base)) {
      unordered.push_back(leaf);
      continue;
    }
    std::string name = text(leaf.array.range);
    report(DiagnosticId::NeedsTemporary, range, {name})
        .label(leaf.array.range, "this is read after some of it was written")
        .with_hint(
            "write into another array, or copy what is read first: `t = gpu.local.array(n, dtype)`, "
            "`t[:] = " +
            name + "`");
    return false;
  }
  // One that has an order of its own must agree with what run time finds of the others.
  if (!unordered.empty()) unordered.insert(unordered.end(), directed.begin(), directed.end());
  for (size_t d = 0; d < directions.size(); ++d) plan.backwards[d] = directions[d] < 0;
  return true;
}

}  // namespace lanewise::frontend::inference
