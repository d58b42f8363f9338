// Where paths meet: what each name is after them (rule 4.6), and the conversions at the ends of the paths.
#include <algorithm>
#include <set>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

namespace {

// Constants of another type than the joined one are not constants any more: typing would see another number.
void forget_constants(Known& known) {
  known.constant.reset();
  for (Known& item : known.items) forget_constants(item);
}

}  // namespace

Known common(const Known& a, const Known& b) {
  Known known;
  if (same_constant(a.constant, b.constant)) known.constant = a.constant;
  known.non_negative = a.non_negative && b.non_negative;
  known.at_most_one = a.at_most_one && b.at_most_one;
  if (a.memory == b.memory) known.memory = a.memory;
  for (size_t i = 0; i < std::min(a.items.size(), b.items.size()); ++i)
    known.items.push_back(common(a.items[i], b.items[i]));
  return known;
}

BoundName FunctionInference::join_bindings(const std::string& name, std::span<const Edge> edges,
                                           bool& everywhere) const {
  BoundName joined;
  bool first = true;
  everywhere = true;
  for (const Edge& edge : edges) {
    if (!edge.state.reachable) continue;
    const BoundName* found = edge.state.names.find(name);
    if (!found) {
      everywhere = false;
      continue;
    }
    const BoundName& other = *found;
    if (first) {
      joined = other;
      first = false;
      continue;
    }
    joined.maybe_unbound |= other.maybe_unbound;
    if (joined.type.is_error() || other.type.is_error()) {
      // A conflict stays; what is merely unknown, by a mistake or a call of itself, takes the other's type.
      bool unbound = joined.maybe_unbound;
      if (!joined.conflict && (joined.type.is_error() || other.conflict)) joined = other;
      joined.maybe_unbound |= unbound;
      continue;
    }
    std::optional<ValueType> type = join_types(joined.type, joined.known, other.type, other.known);
    if (!type) {
      joined.conflict = true;
      auto words = [](const BoundName& binding) {
        bool object = binding.type.kind == ValueType::Kind::None;
        return object && binding.known.constant ? describe_object(*binding.known.constant)
                                                : to_string(binding.type);
      };
      joined.one = words(joined);
      joined.other = words(other);
      joined.objects = joined.type.kind == ValueType::Kind::None && other.type.kind == ValueType::Kind::None;
      joined.other_where = other.where;
      joined.type = ValueType::error();
      joined.known = {};
      continue;
    }
    if (*type != joined.type) joined.parameter = false, joined.where = other.where;
    joined.known = common(joined.known, other.known);
    if (*type != joined.type || *type != other.type) forget_constants(joined.known);
    joined.type = *type;
    if (other.where != joined.where)
      joined.parameter = false, joined.where = std::max(joined.where, other.where);
  }
  if (!everywhere) joined.maybe_unbound = true;
  return joined;
}

// What all edges have in common stays as it is: a binding joins with itself to itself.
State FunctionInference::join_states(std::span<const Edge> edges) const {
  State joined;
  joined.reachable = false;
  std::set<std::string> names;
  for (const Edge& edge : edges) {
    if (!edge.state.reachable) continue;
    if (!joined.reachable) {
      joined = edge.state;
      continue;
    }
    names.merge(joined.names.differing(edge.state.names));
    // Numbers only grow: if any edge has written, this is none of those before.
    joined.memory = std::max(joined.memory, edge.state.memory);
  }
  for (const std::string& name : names) {
    bool everywhere = false;
    joined.names.set(name, join_bindings(name, edges, everywhere));
  }
  return joined;
}

void FunctionInference::put(Edge& edge, TStmtId statement) {
  if (edge.list)
    edge.list->push_back(statement);
  else
    insertions_[edge.before.index].push_back(statement);
}

// Sets the target's locals from the edge's own where they differ.
void FunctionInference::convert_edge(Edge& edge, const State& target) {
  if (!edge.state.reachable) return;
  for (const std::string& name : edge.state.names.differing(target.names)) {
    const BoundName *from = edge.state.names.find(name), *found = target.names.find(name);
    if (!from || !found || found->type.is_error() || !from->local.valid()) continue;
    const BoundName& binding = *from;
    const ValueType& type = found->type;
    if (binding.type == type || type.kind == ValueType::Kind::None) continue;
    Value value;
    value.type = binding.type;
    value.range = binding.where;
    bool known = binding.known.constant && is_number(*binding.known.constant) && !binding.maybe_unbound;
    value.expr = known ? number(*binding.known.constant, binding.where).expr
                       : local_expr(binding.local, binding.where);
    put(edge, make_set(local(name, type), convert(value, type), binding.where));
  }
}

// The binding, held in the local of its name and type.
BoundName FunctionInference::with_local(const std::string& name, BoundName binding) {
  if (!binding.type.is_error() && binding.type.kind != ValueType::Kind::None)
    binding.local = local(name, binding.type);
  return binding;
}

State FunctionInference::merge(std::span<Edge> edges) {
  State joined = join_states(edges);
  std::set<std::string> names;
  for (const Edge& edge : edges)
    if (edge.state.reachable) names.merge(joined.names.differing(edge.state.names));
  for (const std::string& name : names) joined.names.set(name, with_local(name, *joined.names.find(name)));
  for (Edge& edge : edges) convert_edge(edge, joined);
  return joined;
}

}  // namespace lanewise::frontend::inference
