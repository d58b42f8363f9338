// Splits loops over ranges whose start may be negative at zero, so that fold_ranges can drop the wraps of
// negative indices from the part that runs (rows of sparse matrices: `for j in range(start[i], start[i +
// 1])`).
//
//   %r = for %lo, %hi, %one, %a do(%j, ...) {      %hi.1 = min %hi, %zero : i64
//     %negative = lt %j, %zero : bool              %lo.1 = max %lo, %zero : i64
//     ...                                     ->   %r.1 = for %lo, %hi.1, %one, %a do(%j, ...) { ... }
//   }                                              %r = for %lo.1, %hi, %one, %r.1 do(%j, ...) { ... }
//
// Only small innermost loops with step 1 that nothing leaves early: the copy must be cheap, and the second
// loop may not follow a first one that was left. Runs after fold_ranges: what it could decide needs no split.
#include <algorithm>

#include "ir/ir.h"
#include "ir/passes/clone.h"
#include "ir/passes/simplify.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

constexpr size_t kMaxOps = 64;  // of a body that is copied

class LoopSplitter {
 public:
  explicit LoopSplitter(Function& function) : function_(function), tree_(function) {}

  bool run() {
    for (OpId id : tree_.order)
      if (function_.ops[id].kind == OpKind::For && worth_splitting(function_.ops[id])) split(id);
    return changed_;
  }

 private:
  bool is_constant(ValueId v, uint64_t bits) const {
    return constant_bits(function_, tree_.definition, v) == bits;
  }

  // Whether the value is the bound that a split gave a loop: `kind` of something and zero.
  bool made_by(ValueId v, OpKind kind) const {
    const Op* op = definition_of(function_, tree_.definition, v);
    return op && op->kind == kind && is_constant(op->operands[1], 0);
  }

  bool worth_splitting(const Op& loop) const {
    if (!function_.type(loop.operands[0]).is_signed() || !is_constant(loop.operands[2], 1)) return false;
    if (made_by(loop.operands[0], OpKind::Max) || made_by(loop.operands[1], OpKind::Min))
      return false;  // split
    size_t ops = 0;
    bool wraps = false;
    ValueId counter = function_.regions[loop.regions[0]].params[0];
    return may_copy(loop.regions[0], counter, ops, wraps) && wraps;
  }

  // Counts the ops, and notes whether one asks if the counter is negative.
  bool may_copy(RegionId region, ValueId counter, size_t& ops, bool& wraps) const {
    for (OpId id : function_.regions[region].ops) {
      const Op& op = function_.ops[id];
      if (++ops > kMaxOps || is_loop(op.kind)) return false;
      if (meets_others(op.kind)) return false;
      switch (op.kind) {
        case OpKind::Break:
        case OpKind::Leave:
        case OpKind::Return:
        case OpKind::Exit:
        case OpKind::SharedArray:  // two ops would be two arrays
        case OpKind::LocalArray: return false;
        default: break;
      }
      if (op.kind == OpKind::Lt && op.operands[0] == counter && is_constant(op.operands[1], 0)) wraps = true;
      for (RegionId inner : op.regions)
        if (!may_copy(inner, counter, ops, wraps)) return false;
    }
    return true;
  }

  ValueId emit(std::vector<OpId>& into, const Op& like, OpKind kind, std::vector<ValueId> operands) {
    Op op;
    op.kind = kind;
    op.range = like.range;
    op.call_site = like.call_site;
    op.operands = std::move(operands);
    ValueId result = function_.values.add({"", function_.type(like.operands[0])});
    op.results = {result};
    if (kind == OpKind::Const) op.immediate = int64_t{0};
    into.push_back(function_.ops.add(std::move(op)));
    return result;
  }

  void split(OpId id) {
    std::vector<OpId> before;
    Op& loop = function_.ops[id];  // stays valid: tables keep their references
    ValueId zero = emit(before, loop, OpKind::Const, {});
    ValueId end_of_negative = emit(before, loop, OpKind::Min, {loop.operands[1], zero});
    ValueId start_of_rest = emit(before, loop, OpKind::Max, {loop.operands[0], zero});

    Cloner cloner(function_, function_);
    for (uint32_t v = 0; v < function_.values.size(); ++v) cloner.map(ValueId{v}, ValueId{v});
    Op negative = loop;
    negative.regions = {cloner.region(loop.regions[0])};
    negative.operands[1] = end_of_negative;
    for (ValueId& result : negative.results)
      result = function_.values.add({function_.values[result].name, function_.type(result)});
    loop.operands[0] = start_of_rest;
    std::copy(negative.results.begin(), negative.results.end(), loop.operands.begin() + 3);
    before.push_back(function_.ops.add(std::move(negative)));

    std::vector<OpId>& ops = function_.regions[region_of(id)].ops;
    ops.insert(std::find(ops.begin(), ops.end(), id), before.begin(), before.end());
    changed_ = true;
  }

  // The region whose list holds the op.
  RegionId region_of(OpId id) const {
    OpId parent = tree_.parent[id.index];
    if (!parent.valid()) return function_.body;
    for (RegionId region : function_.ops[parent].regions)
      for (OpId op : function_.regions[region].ops)
        if (op == id) return region;
    return function_.body;
  }

  Function& function_;
  Tree tree_;
  bool changed_ = false;
};

}  // namespace

bool split_loops(Function& function) { return LoopSplitter(function).run(); }

}  // namespace lanewise::ir
