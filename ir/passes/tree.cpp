// One walk over the regions. Nesting is bounded by the verifier, so the walk may recurse.
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

class Walk {
 public:
  Walk(const Function& function, Tree& tree) : function_(function), tree_(tree) {}

  void region(RegionId id, OpId owner) {
    tree_.owner[id.index] = owner;
    for (OpId op : function_.regions[id].ops) one(op, owner);
  }

 private:
  void one(OpId id, OpId owner) {
    const Op& op = function_.ops[id];
    tree_.parent[id.index] = owner;
    tree_.depth[id.index] = depth_;
    tree_.order.push_back(id);
    for (ValueId result : op.results) tree_.definition[result.index] = id;
    switch (op.kind) {
      case OpKind::Yield: tree_.target[id.index] = owner; return;
      case OpKind::Continue:
      case OpKind::Break: tree_.target[id.index] = loops_.back(); return;
      case OpKind::Leave: {
        auto skip = static_cast<size_t>(std::get<int64_t>(op.immediate));
        tree_.target[id.index] = scopes_[scopes_.size() - 1 - skip];
        return;
      }
      default: break;
    }
    if (!has_regions(op.kind)) return;
    std::vector<OpId>* stack = is_loop(op.kind) ? &loops_ : op.kind == OpKind::Scope ? &scopes_ : nullptr;
    if (stack) stack->push_back(id);
    ++depth_;
    for (RegionId nested : op.regions) region(nested, id);
    --depth_;
    if (stack) stack->pop_back();
  }

  const Function& function_;
  Tree& tree_;
  std::vector<OpId> loops_, scopes_;
  uint32_t depth_ = 0;
};

}  // namespace

Tree::Tree(const Function& function)
    : owner(function.regions.size()),
      parent(function.ops.size()),
      target(function.ops.size()),
      definition(function.values.size()),
      depth(function.ops.size(), kDetached) {
  Walk(function, *this).region(function.body, OpId{});
}

}  // namespace lanewise::ir
