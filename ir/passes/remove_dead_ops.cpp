// Drops ops whose results nothing needs: also results of control ops and values that loops carry for nobody.
//
//   %s, %t = for %lo, %n, %one, %a, %b : f32, f32          %s = for %lo, %n, %one, %a : f32
//       do(%i: i64, %x: f32, %y: f32) {                        do(%i: i64, %x: f32) {
//     %p = mul %x, %x : f32                           ->     %p = mul %x, %x : f32
//     %q = add %y, %p : f32                                  yield %p
//     yield %p, %q                                         }
//   }                                                      return %s
//   return %s
//
// Starts from what has an effect or changes the way of a thread, and marks what that needs. A `while` stays:
// it may be waiting. A `for` always ends, so it goes if nothing in it has an effect.
#include <algorithm>

#include "ir/ir.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

class Remover {
 public:
  explicit Remover(Function& function)
      : function_(function),
        tree_(function),
        ends_(function.ops.size()),
        rooted_(function.ops.size()),
        live_ops_(function.ops.size()),
        live_values_(function.values.size()),
        param_of_(function.values.size()) {}

  bool run() {
    prepare();
    run_through(function_.body);
    while (!work_.empty()) {
      ValueId v = work_.back();
      work_.pop_back();
      need_source(v);
    }
    sweep(function_.body);
    return changed_;
  }

 private:
  static bool acts(OpKind kind) {
    Effect effect = info(kind).effect;
    return effect == Effect::Write || meets_others(kind) || kind == OpKind::While;
  }

  // Which ops matter wherever a thread comes to them, and what ends what.
  void prepare() {
    std::vector<uint32_t> reaches(function_.ops.size(),
                                  UINT32_MAX);  // 1 + the least depth that an exit inside goes to
    std::vector<bool> acts_inside(function_.ops.size());
    for (size_t i = tree_.order.size(); i-- > 0;) {  // inner before outer
      OpId id = tree_.order[i];
      const Op& op = function_.ops[id];
      OpId target = tree_.target[id.index];
      if (target.valid()) ends_[target.index].push_back(id);
      if (op.kind == OpKind::Return || op.kind == OpKind::Exit)
        reaches[id.index] = 0;
      else if (target.valid() && op.kind != OpKind::Yield)
        reaches[id.index] = tree_.depth[target.index] + 1;
      bool escapes = has_regions(op.kind) && reaches[id.index] <= tree_.depth[id.index];
      acts_inside[id.index] = acts_inside[id.index] || acts(op.kind);
      rooted_[id.index] = acts_inside[id.index] || escapes;
      for (RegionId region : op.regions)
        for (ValueId param : function_.regions[region].params) param_of_[param.index] = region;
      OpId parent = tree_.parent[id.index];
      if (!parent.valid()) continue;
      reaches[parent.index] = std::min(reaches[parent.index], reaches[id.index]);
      // unlike an exit, which matters only if what it ends does
      if (acts_inside[id.index]) acts_inside[parent.index] = true;
    }
  }

  // A thread runs the region: what acts there is live.
  void run_through(RegionId id) {
    for (OpId inner : function_.regions[id].ops) {
      const Op& op = function_.ops[inner];
      if (op.kind == OpKind::Return)
        need(op.operands);
      else if (rooted_[inner.index])
        keep(inner);
    }
  }

  void keep(OpId id) {
    if (live_ops_[id.index]) return;
    live_ops_[id.index] = true;
    const Op& op = function_.ops[id];
    if (op.kind == OpKind::For)
      need({op.operands.begin(), op.operands.begin() + 3});
    else if (op.kind == OpKind::While)
      need_decision(op, 0);
    else
      need(op.operands);
    for (RegionId region : op.regions) run_through(region);
  }

  void need(ValueId v) {
    if (live_values_[v.index]) return;
    live_values_[v.index] = true;
    work_.push_back(v);
  }
  void need(const std::vector<ValueId>& values) {
    for (ValueId v : values) need(v);
  }

  void need_source(ValueId v) {
    if (param_of_[v.index].valid()) {
      need_param(v, param_of_[v.index]);
    } else if (OpId id = tree_.definition[v.index]; id.valid()) {
      keep(id);
      const Op& op = function_.ops[id];
      if (!has_regions(op.kind)) return;
      auto slot =
          static_cast<size_t>(std::find(op.results.begin(), op.results.end(), v) - op.results.begin());
      if (op.kind == OpKind::For)
        need_carried(id, op, slot);
      else if (op.kind == OpKind::While)
        need_outcome(id, op, slot);
      else
        for (OpId end : ends_[id.index]) need(function_.ops[end].operands[slot]);
    }
  }

  void need_param(ValueId v, RegionId region) {
    OpId id = tree_.owner[region.index];
    const Op& op = function_.ops[id];
    const std::vector<ValueId>& params = function_.regions[region].params;
    auto slot = static_cast<size_t>(std::find(params.begin(), params.end(), v) - params.begin());
    if (op.kind == OpKind::For) {
      if (slot > 0) need_carried(id, op, slot - 1);
    } else if (region == op.regions[0]) {
      need(op.operands[slot]);
      for (OpId end : ends_[id.index])
        if (is_next_turn(op, end)) need(function_.ops[end].operands[slot]);
    } else {
      need_outcome(id, op, slot);
    }
  }

  // Of a `while`: its continues and the yield of `do`.
  bool is_next_turn(const Op& loop, OpId end) const {
    OpKind kind = function_.ops[end].kind;
    return kind == OpKind::Continue ||
           (kind == OpKind::Yield && end == function_.regions[loop.regions[1]].ops.back());
  }

  // Of a `for`: what it carries in this place and results in.
  void need_carried(OpId id, const Op& op, size_t slot) {
    need(op.results[slot]);
    need(function_.regions[op.regions[0]].params[slot + 1]);
    need(op.operands[slot + 3]);
    for (OpId end : ends_[id.index]) need(function_.ops[end].operands[slot]);
  }

  void need_decision(const Op& loop, size_t operand) {
    const Op& end = function_.ops[function_.regions[loop.regions[0]].ops.back()];
    if (end.kind == OpKind::Yield) need(end.operands[operand]);
  }

  // Of a `while`: what `cond` yields to `do` and as result.
  void need_outcome(OpId id, const Op& op, size_t slot) {
    need(op.results[slot]);
    need(function_.regions[op.regions[1]].params[slot]);
    need_decision(op, slot + 1);
    for (OpId end : ends_[id.index])
      if (function_.ops[end].kind == OpKind::Break) need(function_.ops[end].operands[slot]);
  }

  // --- removal. Results go after the regions, whose terminators look at them.
  void sweep(RegionId id) {
    std::vector<OpId>& ops = function_.regions[id].ops;
    size_t before = ops.size();
    std::erase_if(ops,
                  [&](OpId op) { return !is_terminator(function_.ops[op].kind) && !live_ops_[op.index]; });
    changed_ |= ops.size() != before;
    for (OpId inner : ops) {
      Op& op = function_.ops[inner];
      if (is_terminator(op.kind))
        sweep_terminator(inner, op);
      else if (has_regions(op.kind))
        sweep_control(op);
    }
  }

  void sweep_control(Op& op) {
    for (RegionId region : op.regions) sweep(region);
    if (op.kind == OpKind::For) {
      filter(op.operands, op.results, 3);
      filter(function_.regions[op.regions[0]].params, op.results, 1);
    } else if (op.kind == OpKind::While) {
      std::vector<ValueId>& params = function_.regions[op.regions[0]].params;
      filter(op.operands, params, 0);
      filter(params, std::vector<ValueId>(params), 0);
      filter(function_.regions[op.regions[1]].params, op.results, 0);
    }
    filter(op.results, std::vector<ValueId>(op.results), 0);
  }

  void sweep_terminator(OpId id, Op& op) {
    OpId target = tree_.target[id.index];
    if (!target.valid()) return;
    const Op& ends = function_.ops[target];
    if (ends.kind != OpKind::While || op.kind == OpKind::Break)
      filter(op.operands, ends.results, 0);
    else if (is_next_turn(ends, id))
      filter(op.operands, function_.regions[ends.regions[0]].params, 0);
    else
      filter(op.operands, ends.results, 1);
  }

  // Keeps those behind the first `skip` whose counterpart in `slots` is live.
  void filter(std::vector<ValueId>& values, const std::vector<ValueId>& slots, size_t skip) {
    size_t kept = skip;
    for (size_t i = skip; i < values.size(); ++i)
      if (live_values_[slots[i - skip].index]) values[kept++] = values[i];
    changed_ |= kept != values.size();
    values.resize(kept);
  }

  Function& function_;
  Tree tree_;
  std::vector<std::vector<OpId>> ends_;  // by op: the terminators that end it or a turn of it
  std::vector<bool> rooted_, live_ops_, live_values_;
  std::vector<RegionId> param_of_;  // by value: the region it is a param of
  std::vector<ValueId> work_;
  bool changed_ = false;
};

}  // namespace

bool remove_dead_ops(Function& function) { return Remover(function).run(); }

}  // namespace lanewise::ir
