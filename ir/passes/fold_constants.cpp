// Computes ops on constants, drops algebraic identities, and takes branches on constants.
//
//   %two = const 2 : i32                       %two = const 2 : i32
//   %four = mul %two, %two : i32               %four = const 4 : i32
//   %zero = const 0 : i32                      %zero = const 0 : i32
//   %y = add %x, %zero : i32            ->     return %x
//   %yes = lt %zero, %four : bool
//   if %yes then { return %y } else { yield }
//   return %zero
//
// Float results never change: x + 0.0 stays, since it is 0.0 for x = -0.0. Scopes that nothing leaves and
// loops without a turn go away. Uses scalar_ops, so folding and running are one definition.
#include "ir/ir.h"
#include "ir/passes/simplify.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

class Folder {
 public:
  explicit Folder(Function& function) : function_(function), tree_(function), leaves_(function.ops.size()) {
    for (OpId id : tree_.order)
      if (function.ops[id].kind == OpKind::Leave) ++leaves_[tree_.target[id.index].index];
  }

  bool run() {
    region(function_.body);
    return changed_;
  }

 private:
  using Ops = std::vector<OpId>;

  void region(RegionId id) {
    Ops ops = std::move(function_.regions[id].ops), kept;
    append(ops, kept);
    function_.regions[id].ops = std::move(kept);
  }

  // Whether the end of `ops` is reached, so that what follows them stays. `into` takes what is left of them;
  // a yield that ends spliced ops gives `results` their values.
  bool append(const Ops& ops, Ops& into, const std::vector<ValueId>* results = nullptr, OpId spliced = {}) {
    for (OpId id : ops) {
      Op& op = function_.ops[id];
      replaced_.resolve(op.operands);
      if (spliced.valid() && tree_.target[id.index] == spliced) {  // its yield, or a leave at its end
        for (size_t i = 0; i < results->size(); ++i) replaced_.add((*results)[i], op.operands[i]);
        return true;
      }
      if (!one(id, op, into)) return false;
    }
    return true;
  }

  bool one(OpId id, Op& op, Ops& into) {
    if (is_terminator(op.kind)) {
      if (op.kind == OpKind::Leave) leave(id, op);
      into.push_back(id);
      return false;
    }
    if (has_regions(op.kind)) return control(id, op, into);
    Simplified simplified = simplify(function_, tree_.definition, op);
    changed_ |= simplified.changed;
    if (simplified.before.valid()) into.push_back(simplified.before);
    if (simplified.same_as.valid())
      replaced_.add(op.results[0], simplified.same_as);
    else
      into.push_back(id);
    return true;
  }

  bool control(OpId id, Op& op, Ops& into) {
    if (op.kind == OpKind::If)
      if (auto condition = constant_bits(function_, tree_.definition, op.operands[0]))
        return splice(id, op, op.regions[*condition ? 0 : 1], into);
    if (op.kind == OpKind::Scope && leaves_[id.index] == (ends_in_leave(id, op) ? 1u : 0u))
      return splice(id, op, op.regions[0], into);
    if (op.kind == OpKind::For && never_turns(op)) {
      for (size_t i = 0; i < op.results.size(); ++i) replaced_.add(op.results[i], op.operands[i + 3]);
      changed_ = true;
      return true;
    }
    if (op.kind == OpKind::Scope) scopes_.push_back(id);
    for (RegionId nested : op.regions) region(nested);
    if (op.kind == OpKind::Scope) scopes_.pop_back();
    if (op.kind == OpKind::If) simplify_if(op);
    into.push_back(id);
    return true;
  }

  bool splice(OpId id, Op& op, RegionId chosen, Ops& into) {
    changed_ = true;
    Ops ops = std::move(function_.regions[chosen].ops);
    return append(ops, into, &op.results, id);
  }

  bool ends_in_leave(OpId id, const Op& scope) const {
    OpId last = function_.regions[scope.regions[0]].ops.back();
    return function_.ops[last].kind == OpKind::Leave && tree_.target[last.index] == id;
  }

  // Scopes may have gone between it and its target. At the end of its own scope it is a yield.
  void leave(OpId id, Op& op) {
    OpId target = tree_.target[id.index];
    int64_t skip = 0;
    while (scopes_[scopes_.size() - 1 - static_cast<size_t>(skip)] != target) ++skip;
    bool at_end = tree_.parent[id.index] == target;
    changed_ |= at_end || std::get<int64_t>(op.immediate) != skip;
    op.immediate = skip;
    if (!at_end) return;
    op.kind = OpKind::Yield;
    op.immediate = {};
  }

  bool never_turns(const Op& op) const {
    auto lo = constant_bits(function_, tree_.definition, op.operands[0]);
    auto hi = constant_bits(function_, tree_.definition, op.operands[1]);
    auto step = constant_bits(function_, tree_.definition, op.operands[2]);
    if (step && *step == 0) return true;
    return lo && hi && step && trip_count(function_.type(op.operands[0]), *lo, *hi, *step) == 0;
  }

  // Results that both arms yield alike, from outside or as the condition itself, need no `if`.
  void simplify_if(Op& op) {
    Op& yes = function_.ops[function_.regions[op.regions[0]].ops.back()];
    Op& no = function_.ops[function_.regions[op.regions[1]].ops.back()];
    if (yes.kind != OpKind::Yield || no.kind != OpKind::Yield) return;
    for (size_t i = op.results.size(); i-- > 0;) {
      ValueId a = yes.operands[i], b = no.operands[i];
      bool truth = function_.type(a) == kBool && constant_bits(function_, tree_.definition, a) == Bits{1} &&
                   constant_bits(function_, tree_.definition, b) == Bits{0};
      if (a != b && !truth) continue;
      replaced_.add(op.results[i], truth ? op.operands[0] : a);
      auto at = static_cast<std::ptrdiff_t>(i);
      op.results.erase(op.results.begin() + at);
      yes.operands.erase(yes.operands.begin() + at);
      no.operands.erase(no.operands.begin() + at);
      changed_ = true;
    }
  }

  Function& function_;
  Tree tree_;
  std::vector<uint32_t> leaves_;  // by op: leaves that end the scope
  std::vector<OpId> scopes_;      // that enclose the place and stay
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

bool fold_constants(Function& function) { return Folder(function).run(); }

}  // namespace lanewise::ir
