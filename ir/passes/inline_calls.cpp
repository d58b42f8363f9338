// Replaces calls by the callee's body: a scope that every return leaves. Then drops functions that nothing
// calls.
//
//   function @clamp(%x: f32) -> f32 {            kernel @k(%a: f32, ...) {
//     ...                                          %r = scope : f32 body {
//     if %c then { return %one } else { yield }      ...
//     return %x                             ->       if %c then { leave 0 %one } else { yield }
//   }                                                yield %a
//   kernel @k(%a: f32, ...) {                      }
//     %r = call @clamp %a : f32
//
// Always where the callee holds a barrier, a warp op or shared memory, else if it is small or called once and
// the caller gets neither too large nor too deep. Recursion stays a call. Callees are done before their
// callers. Must come after promote_variables: a variable is zero at the start of its function, and a body
// that moves into a loop starts more than once.
#include <algorithm>

#include "ir/error.h"
#include "ir/ir.h"
#include "ir/passes/clone.h"
#include "ir/too_large.h"

namespace lanewise::ir {
namespace {

constexpr size_t kSmall = 300;         // ops
constexpr size_t kMaxOps = 2'000'000;  // of a function, where helpers multiply
constexpr size_t kMaxDepth = 500;      // of regions in regions; half of what the text form allows

struct Node {
  std::vector<uint32_t> callees;  // once per call
  size_t ops = 0;
  size_t depth = 0;  // of its deepest region
  size_t callers = 0;
  bool recursive = false;  // may be running when it is called
  bool must = false;       // holds a barrier, a warp op or shared memory
};

size_t depth_of(const Function& function, RegionId region) {
  size_t depth = 0;
  for (OpId id : function.regions[region].ops)
    for (RegionId nested : function.ops[id].regions) depth = std::max(depth, 1 + depth_of(function, nested));
  return depth;
}

template <class Each>
void for_each_op(const Function& function, RegionId region, Each each) {
  for (OpId id : function.regions[region].ops) {
    each(id);
    for (RegionId nested : function.ops[id].regions) for_each_op(function, nested, each);
  }
}

// Strongly connected components of the call graph, by Tarjan's algorithm without recursion.
class CallGraph {
 public:
  explicit CallGraph(const Module& module) : nodes(module.functions.size()) {
    for (uint32_t f = 0; f < nodes.size(); ++f) {
      const Function& function = module.functions[f];
      for_each_op(function, function.body, [&](OpId id) { count(nodes[f], function.ops[id]); });
      nodes[f].depth = depth_of(function, function.body);
    }
    index_.resize(nodes.size());
    low_.resize(nodes.size());
    on_stack_.resize(nodes.size());
    visit(0);
  }

  std::vector<Node> nodes;
  std::vector<uint32_t> order;  // of those that the entry reaches, callees first

 private:
  void count(Node& node, const Op& op) {
    ++node.ops;
    if (op.kind == OpKind::Call) {
      node.callees.push_back(op.callee.index);
      ++nodes[op.callee.index].callers;
    }
    node.must |= meets_others(op.kind) || op.kind == OpKind::SharedArray || op.kind == OpKind::DynamicShared;
  }

  void enter(uint32_t f) {
    index_[f] = low_[f] = ++next_index_;
    stack_.push_back(f);
    on_stack_[f] = true;
    path_.push_back({f, 0});
  }

  void visit(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      auto [f, next] = path_.back();
      if (next < nodes[f].callees.size()) {
        ++path_.back().next;
        uint32_t callee = nodes[f].callees[next];
        if (index_[callee] == 0)
          enter(callee);
        else if (on_stack_[callee])
          low_[f] = std::min(low_[f], index_[callee]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().function] = std::min(low_[path_.back().function], low_[f]);
      if (low_[f] == index_[f]) close_component(f);
    }
  }

  void close_component(uint32_t root) {
    bool alone = stack_.back() == root;
    for (uint32_t f = UINT32_MAX; f != root;) {
      f = stack_.back();
      stack_.pop_back();
      on_stack_[f] = false;
      Node& node = nodes[f];
      node.recursive = !alone || std::find(node.callees.begin(), node.callees.end(), f) != node.callees.end();
      order.push_back(f);
    }
  }

  struct Step {
    uint32_t function;
    size_t next;
  };
  std::vector<uint32_t> index_, low_, stack_;
  std::vector<bool> on_stack_;
  std::vector<Step> path_;
  uint32_t next_index_ = 0;
};

class Inliner {
 public:
  explicit Inliner(Module& module) : module_(module), graph_(module) {}

  bool run() {
    bool changed = false;
    for (uint32_t f : graph_.order) changed |= function(f);
    return changed;
  }

 private:
  bool function(uint32_t f) {
    Function& caller = module_.functions[f];
    std::vector<OpId> calls;
    for_each_op(caller, caller.body, [&](OpId id) {
      if (caller.ops[id].kind == OpKind::Call) calls.push_back(id);
    });
    bool changed = false;
    Node& node = graph_.nodes[f];
    const size_t own_depth = node.depth;
    for (OpId call : calls) {
      const Node& callee = graph_.nodes[caller.ops[call].callee.index];
      size_t ops = node.ops + callee.ops, depth = own_depth + 1 + callee.depth;
      if (!wanted(caller.ops[call], ops <= kMaxOps && depth <= kMaxDepth)) continue;
      node.must |= callee.must;
      node.ops = ops;
      node.depth = std::max(node.depth, depth);
      if (ops > kMaxOps) throw ProgramTooLarge(caller.name, caller.ops[call].range);
      replace(caller, call);
      changed = true;
    }
    return changed;
  }

  bool wanted(const Op& call, bool fits) const {
    const Node& callee = graph_.nodes[call.callee.index];
    if (callee.recursive) return false;
    if (callee.must) return true;
    if (!fits) return false;
    return callee.ops <= kSmall || callee.callers == 1;
  }

  void replace(Function& caller, OpId id) {
    Op& op = caller.ops[id];
    const Function& callee = module_[op.callee];
    auto site = static_cast<uint32_t>(caller.call_sites.size());
    caller.call_sites.push_back({op.range, callee.name, op.call_site, callee.float_mode});
    Cloner cloner(callee, caller);
    cloner.called_at(site);
    cloner.return_to_scope();
    for (size_t i = 0; i < op.operands.size(); ++i) cloner.map(callee.params()[i], op.operands[i]);
    op.regions = {cloner.region(callee.body, /*params=*/false)};
    op.kind = OpKind::Scope;
    op.operands.clear();
    op.callee = {};
  }

  Module& module_;
  CallGraph graph_;
};

}  // namespace

bool inline_calls(Module& module) {
  bool changed = Inliner(module).run();
  return remove_dead_functions(module) || changed;
}

bool remove_dead_functions(Module& module) {
  std::vector<FunctionId> moved(module.functions.size());
  std::vector<uint32_t> found{0};
  std::vector<bool> reached(module.functions.size());
  reached[0] = true;
  for (size_t i = 0; i < found.size(); ++i) {
    const Function& function = module.functions[found[i]];
    for_each_op(function, function.body, [&](OpId id) {
      uint32_t callee = function.ops[id].callee.index;
      if (function.ops[id].kind != OpKind::Call || reached[callee]) return;
      reached[callee] = true;
      found.push_back(callee);
    });
  }
  if (found.size() == module.functions.size()) return false;
  std::vector<Function> kept;
  for (uint32_t f = 0; f < module.functions.size(); ++f) {
    if (!reached[f]) continue;
    moved[f] = {static_cast<uint32_t>(kept.size())};
    kept.push_back(std::move(module.functions[f]));
  }
  module.functions = std::move(kept);
  for (Function& function : module.functions)
    for (Op& op : function.ops)
      if (op.kind == OpKind::Call) op.callee = moved[op.callee.index];
  return true;
}

}  // namespace lanewise::ir
