// Arrays, lists and classes are constants of kernels only as long as host code leaves them as they are. Names
// that share one, and what was computed of it, go with it.
#include <algorithm>
#include <set>

#include "frontend/host_uses.h"
#include "frontend/infer/constants.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

using Kind = HostUse::Kind;
using Step = HostUse::Step;
using Path = std::vector<HostUse::Part>;
using Node = std::pair<ModuleIndex, std::string>;

// An operator's result: a list's holds the same items, an array's is new.
constexpr size_t kOperand = SIZE_MAX;

// Whether there is something to change where the path leads from a value that is or holds such. Lists and
// tuples look the same here.
bool leads_to_changeable(const HostValue& value, const Path& path, size_t at) {
  if (auto* array = std::get_if<HostValue::Array>(&value.value)) {
    bool element = at < path.size() && path[at].step == Step::Index && path[at].indices != 0 &&
                   (path[at].indices == (*array)->shape.size() || path[at].indices == kOperand);
    return !element;
  }
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value)) {
    if (at == path.size()) return true;
    if (path[at].step == Step::Attribute) {
      std::optional<size_t> index = tuple->names.index_of(path[at].attribute);
      return !index || leads_to_changeable(tuple->items[*index], path, at + 1);
    }
    // A list's slice holds the same items.
    bool slice = path[at].indices == 0;
    return std::ranges::any_of(
               tuple->items,
               [&](const HostValue& item) { return leads_to_changeable(item, path, at + 1); }) ||
           (slice && at + 1 == path.size() && std::ranges::any_of(tuple->items, [&](const HostValue& item) {
              return leads_to_changeable(item, path, path.size());
            }));
  }
  if (auto* names = std::get_if<HostValue::Namespace>(&value.value)) {
    bool made = at < path.size() && path[at].step == Step::Call;
    // An instance shares what its class holds, and has its own attributes.
    if (made && names->environment)
      return std::ranges::any_of(names->environment->names(), [&](const std::string& name) {
        HostValue member = *names->environment->lookup(name);
        return !as_unsupported(member) && leads_to_changeable(member, {}, 0);
      });
    if (at == path.size() || path[at].step != Step::Attribute || !names->environment) return true;
    std::optional<HostValue> member = names->environment->lookup(path[at].attribute);
    return !member || leads_to_changeable(*member, path, at + 1);
  }
  return std::holds_alternative<HostValue::Unsupported>(value.value) ||
         std::holds_alternative<HostValue::Partial>(value.value);
}

class Changes {
 public:
  explicit Changes(ModuleSet& set) : set_(set) {}

  void add(ModuleIndex module, const HostUse& use) {
    Path path = use.path;
    Node node = resolve({module, use.name}, path);
    const Binding* binding = find(node);
    if (binding && binding->module) return;
    bool known = false;
    for (const std::string& target : use.targets) {
      const Binding* made = find({module, target});
      known = made && !made->module && !made->conflict && !as_unsupported(made->value);
      if (!known) break;
    }
    bool array = binding && path.empty() && std::holds_alternative<HostValue::Array>(binding->value.value);
    Node shape{node.first, node.second + "@shape"};
    if (known && !(use.kind == Kind::Shape && array))
      for (const std::string& target : use.targets) connect(node, {module, target}, false);
    if (known && use.kind == Kind::Shape)
      for (const std::string& target : use.targets) connect(shape, {module, target}, false);
    if (use.kind == Kind::Rebound) {
      if (path.empty()) change(node, use.range, true);
      return;
    }
    if (use.kind == Kind::Shape || use.kind == Kind::Read) return;
    if (use.kind == Kind::Operand) path.push_back({Step::Index, {}, kOperand});
    if (binding && !as_unsupported(binding->value) &&
        !(binding->changeable && leads_to_changeable(binding->value, path, 0)))
      return;
    bool unknown = !binding || as_unsupported(binding->value);
    if (unknown && use.kind == Kind::Operand && use.targets.empty()) {
      operands_.emplace_back(node, use.range);
      return;
    }
    if (use.kind == Kind::Bound && use.path.empty())
      for (const std::string& target : use.targets) whole_.insert({module, target});
    if (use.kind == Kind::Changed || use.kind == Kind::Reshaped) {
      if (use.kind == Kind::Reshaped) change(shape, use.range, false);
      return change(node, use.range, false);
    }
    if (known || (use.kind != Kind::Passed && !use.targets.empty())) {
      for (const std::string& target : use.targets) connect(node, {module, target}, true);
    } else if (use.kind != Kind::Bound) {
      change(node, use.range, false);
    }
  }

  // A name that a module has from another is the same thing.
  void add_imports() {
    for (ModuleIndex index = 0; index < set_.modules.size(); ++index)
      for (const auto& [name, binding] : set_.modules[index].bindings)
        if (binding.imported) connect(*binding.imported, {index, name}, true);
  }

  void mark() {
    for (const auto& [node, range] : operands_)
      if (shares_inner_items(node)) reach(node, {node, range});
    while (!work_.empty()) {
      Node node = work_.back();
      work_.pop_back();
      for (const Node& next : edges_[node]) reach(next, reached_.at(node));
    }
    for (const auto& [node, reason] : reached_) {
      auto found = set_.modules[node.first].bindings.find(node.second);
      if (found == set_.modules[node.first].bindings.end()) continue;
      Binding& binding = found->second;
      bool constant = !binding.module && !as_unsupported(binding.value) && !binding.conflict &&
                      binding.origin != Binding::Origin::Fixed &&
                      !std::holds_alternative<HostValue::Function>(binding.value.value) &&
                      !std::holds_alternative<HostValue::Builtin>(binding.value.value);
      if (!constant) continue;
      bool itself = reason.first == node;
      std::string what =
          itself ? kHostChange
                 : "made of or shared with `" + name_of(reason.first) + "`, which is " + kHostChange;
      binding.conflict = HostValue::Unsupported{std::move(what), reason.second};
    }
  }

 private:
  using Reason = std::pair<Node, SourceRange>;

  static std::string name_of(const Node& node) { return node.second.substr(0, node.second.find('@')); }

  const Binding* find(const Node& node) const { return FileEnvironment::find(set_, node.first, node.second); }

  // The module's own binding that the name means; the path's attributes of modules lead there.
  Node resolve(Node node, Path& path) const {
    for (;;) {
      const Binding* binding = find(node);
      if (!binding) return node;
      if (!set_.modules[node.first].bindings.contains(node.second))
        for (ModuleIndex star : set_.modules[node.first].star_modules)
          if (FileEnvironment::find(set_, star, node.second) == binding)
            return resolve({star, node.second}, path);
      if (!binding->module || path.empty() || path[0].step != Step::Attribute) return node;
      node = {*binding->module, path[0].attribute};
      path.erase(path.begin());
    }
  }

  // Whether what an operator makes of the name may hold lists that a constant holds: such is the case of
  // lists in lists, or, if the name stands for items of a list, of one level more.
  bool shares_inner_items(const Node& from) {
    size_t levels = whole_.contains(from) ? 2 : 3;
    std::set<Node>& flat = flat_[levels];
    if (flat.contains(from)) return false;
    std::set<Node> seen = {from};
    std::vector<Node> work = {from};
    while (!work.empty()) {
      Node node = work.back();
      work.pop_back();
      const Binding* binding = find(node);
      if (binding && binding->changeable && levels_of(binding->value) >= levels) return true;
      for (const Node& next : edges_[node])
        if (!flat.contains(next) && seen.insert(next).second) work.push_back(next);
    }
    flat.merge(seen);
    return false;
  }

  static size_t levels_of(const HostValue& value) {
    if (std::holds_alternative<HostValue::Array>(value.value)) return 1;
    if (std::holds_alternative<HostValue::Namespace>(value.value)) return SIZE_MAX;
    auto* tuple = std::get_if<HostValue::Tuple>(&value.value);
    if (!tuple) return 0;
    size_t most = 0;
    for (const HostValue& item : tuple->items) most = std::max(most, levels_of(item));
    return most == SIZE_MAX ? most : most + 1;
  }

  void connect(const Node& from, const Node& to, bool both) {
    edges_[from].push_back(to);
    if (both) edges_[to].push_back(from);
  }

  void change(const Node& node, SourceRange range, bool rebound) {
    const Binding* binding = find(node);
    if (binding && !rebound && !as_unsupported(binding->value) && !binding->changeable) return;
    reach(node, {node, range});
  }

  void reach(const Node& node, const Reason& reason) {
    if (reached_.try_emplace(node, reason).second) work_.push_back(node);
  }

  ModuleSet& set_;
  std::map<Node, std::vector<Node>> edges_;
  std::map<Node, Reason> reached_;
  std::vector<Node> work_;
  std::vector<std::pair<Node, SourceRange>> operands_;  // of what is known only by the names it shares
  std::map<size_t, std::set<Node>> flat_;               // share no lists of so many levels
  std::set<Node> whole_;                                // names for all of another
};

}  // namespace

void mark_host_changes(const ir::SourceMap& sources, ModuleSet& set) {
  Changes changes(set);
  changes.add_imports();
  IsKernel is_kernel = [&](const Stmt& stmt) { return set.function_modules.contains(&stmt); };
  for (ModuleIndex index = 0; index < set.modules.size(); ++index)
    for (const HostUse& use : find_host_uses(sources, *set.modules[index].ast, is_kernel))
      changes.add(index, use);
  changes.mark();
}

}  // namespace lanewise::frontend
