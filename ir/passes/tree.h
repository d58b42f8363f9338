// Where everything of a function stands: what owns a region, what a terminator ends, what defines a value.
// A plain value computed once per pass; it does not follow changes. Private to ir/.
#pragma once
#include <vector>

#include "ir/function.h"

namespace lanewise::ir {

struct Tree {
  explicit Tree(const Function& function);

  std::vector<OpId> owner;       // by region: the op that owns it; invalid for the body
  std::vector<OpId> parent;      // by op: the op whose region holds it; invalid in the body
  std::vector<OpId> target;      // by op: what a Yield, Continue, Break or Leave ends (a turn of)
  std::vector<OpId> definition;  // by value: the op it is a result of; invalid for params
  std::vector<uint32_t> depth;   // by op: how many ops it is nested in; kDetached if it is nowhere
  std::vector<OpId> order;       // all ops, outer before inner, in program order

  static constexpr uint32_t kDetached = UINT32_MAX;
};

// The op that defines a value if it is of this kind, else null.
inline const Op* definition_of(const Function& function, const std::vector<OpId>& definition, ValueId v) {
  if (v.index >= definition.size() || !definition[v.index].valid()) return nullptr;
  return &function.ops[definition[v.index]];
}

inline bool is_loop(OpKind kind) { return kind == OpKind::For || kind == OpKind::While; }
inline bool has_regions(OpKind kind) { return is_loop(kind) || kind == OpKind::If || kind == OpKind::Scope; }

// Follows chains of "this value is now that one".
class Replacements {
 public:
  // `to` is resolved already.
  void add(ValueId from, ValueId to) {
    if (from.index >= to_.size()) to_.resize(from.index + 1);
    to_[from.index] = to;
  }
  ValueId resolve(ValueId v) const { return v.index < to_.size() && to_[v.index].valid() ? to_[v.index] : v; }
  void resolve(std::vector<ValueId>& values) const {
    for (ValueId& v : values) v = resolve(v);
  }

 private:
  std::vector<ValueId> to_;
};

}  // namespace lanewise::ir
