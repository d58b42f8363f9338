// Loops in which a thread waits for another thread of its block. Threads of a block need not run side by side
// (CUDA below sm_70, the CPU), so that such a loop may never end. Found are
//   - loops that nothing ends but a change of shared memory, which the loop itself does not make;
//   - locks that many threads of a block take one by one and still hold where they meet.
// Waiting for another block, a lock that one thread a block takes, and a lock given back at once are legal.
#include "ir/waiting_loops.h"

#include <algorithm>
#include <optional>

#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

class Waiting {
 public:
  Waiting(const Function& function, Diagnostics& diagnostics)
      : f_(function), diagnostics_(diagnostics), tree_(function), param_of_(function.values.size()) {
    for (OpId id : tree_.order)
      for (RegionId region : f_.ops[id].regions)
        for (ValueId param : f_.regions[region].params) param_of_[param.index] = region;
  }

  void run() {
    for (size_t i = 0; i < tree_.order.size(); ++i)
      if (f_.ops[tree_.order[i]].kind == OpKind::While) visit(i);
  }

 private:
  bool inside(OpId id, OpId loop) const {
    while (id.valid() && id != loop) id = tree_.parent[id.index];
    return id.valid();
  }
  bool is_inside(ValueId v) const {
    if (RegionId region = param_of_[v.index]; region.valid()) return inside(tree_.owner[region.index], loop_);
    OpId id = tree_.definition[v.index];
    return id.valid() && inside(id, loop_) && id != loop_;
  }

  void visit(size_t at) {
    loop_ = tree_.order[at];
    polls_.clear(), open_.clear();
    progress_ = false;
    size_t end = at + 1;
    std::vector<ValueId> conditions;
    for (; end < tree_.order.size() && inside(tree_.order[end], loop_); ++end) {
      const Op& op = f_.ops[tree_.order[end]];
      if (meets_others(op.kind) || op.kind == OpKind::Call || op.kind == OpKind::CallExternal) return;
      if (!deciders(tree_.order[end], conditions)) return;
    }
    const Op& test = f_.ops[f_.regions[f_.ops[loop_].regions[0]].ops.back()];
    if (test.kind == OpKind::Yield) conditions.push_back(test.operands[0]);
    for (ValueId v : conditions) trace(v, false);
    if (progress_ || polls_.empty()) return;
    for (size_t i = at + 1; i < end; ++i)
      if (may_end_it(tree_.order[i])) return;
    bool locks = std::ranges::all_of(polls_, [&](OpId id) { return takes(f_.ops[id]); });
    if (!locks)
      return report(polls_[0], "only another thread can change this",
                    "wait at a barrier instead: `gpu.syncthreads()`");
    if (one_thread(loop_)) return;
    OpId meeting = held_at(end, f_.ops[polls_[0]].operands[0]);
    if (meeting.valid())
      report(meeting, "threads that have the lock wait here for those that have not",
             "let one thread of the block take the lock, or give it back before");
  }

  // If the op leaves the loop: what decides that it is reached. False if that is not to be found out.
  bool deciders(OpId id, std::vector<ValueId>& conditions) const {
    const Op& op = f_.ops[id];
    OpId target = tree_.target[id.index];
    bool leaves = op.kind == OpKind::Return || op.kind == OpKind::Exit ||
                  (op.kind == OpKind::Break && target == loop_) ||
                  (op.kind == OpKind::Leave && !(inside(target, loop_) && target != loop_));
    if (!leaves) return true;
    for (OpId up = tree_.parent[id.index]; up != loop_; up = tree_.parent[up.index]) {
      if (is_loop(f_.ops[up].kind)) return false;
      if (f_.ops[up].kind == OpKind::If) conditions.push_back(f_.ops[up].operands[0]);
    }
    return true;
  }

  // Follows a value back through the loop, to what is polled or to what changes from turn to turn by itself.
  void trace(ValueId v, bool through_op) {
    if (progress_ || !is_inside(v)) return;
    if (param_of_[v.index].valid()) return trace_param(v, through_op);
    OpId id = tree_.definition[v.index];
    const Op& op = f_.ops[id];
    if (is_load(op.kind) || is_atomic(op.kind)) return poll(id);
    if (op.kind == OpKind::If) {
      trace(op.operands[0], true);
      size_t slot = static_cast<size_t>(std::ranges::find(op.results, v) - op.results.begin());
      for (RegionId region : op.regions) {
        const Op& end = f_.ops[f_.regions[region].ops.back()];
        if (end.kind == OpKind::Yield) trace(end.operands[slot], through_op);
      }
      return;
    }
    if (info(op.kind).effect != Effect::None) {
      progress_ = true;
      return;
    }
    for (ValueId operand : op.operands) trace(operand, true);
  }

  void trace_param(ValueId v, bool through_op) {
    RegionId region = param_of_[v.index];
    const Op& loop = f_.ops[loop_];
    if (tree_.owner[region.index] != loop_) {
      progress_ = true;
      return;
    }
    const std::vector<ValueId>& params = f_.regions[region].params;
    auto slot = static_cast<size_t>(std::ranges::find(params, v) - params.begin());
    if (region != loop.regions[0]) {
      const Op& test = f_.ops[f_.regions[loop.regions[0]].ops.back()];
      if (test.kind == OpKind::Yield) trace(test.operands[slot + 1], through_op);
      return;
    }
    if (std::ranges::find(open_, v) != open_.end()) {
      progress_ |= through_op;  // counted up, or the like
      return;
    }
    open_.push_back(v);
    for (OpId id : tree_.order) {
      bool next = tree_.target[id.index] == loop_ &&
                  (f_.ops[id].kind == OpKind::Continue ||
                   (f_.ops[id].kind == OpKind::Yield && id == f_.regions[loop.regions[1]].ops.back()));
      if (next) trace(f_.ops[id].operands[slot], false);
    }
    open_.pop_back();
  }

  bool is_fixed(ValueId v) const {
    if (!is_inside(v)) return true;
    OpId id = tree_.definition[v.index];
    if (!id.valid() || info(f_.ops[id].kind).effect != Effect::None) return false;
    return std::ranges::all_of(f_.ops[id].operands, [&](ValueId operand) { return is_fixed(operand); });
  }

  void poll(OpId id) {
    const Op& op = f_.ops[id];
    bool shared = f_.type(op.operands[0]).space == Space::Shared;
    bool only_looks = is_load(op.kind) || leaves_it(op);
    bool counts = takes(op) || (shared && only_looks);
    // A retry with what was just read succeeds when the thread runs alone.
    bool retries = op.kind == OpKind::AtomicCas && !is_fixed(op.operands[2]);
    if (!counts || retries || !is_fixed(op.operands[0]) || !is_fixed(op.operands[1]))
      progress_ = true;
    else
      polls_.push_back(id);
  }

  std::optional<int64_t> constant(ValueId v) const {
    const Op* op = definition_of(f_, tree_.definition, v);
    const auto* number = op && op->kind == OpKind::Const ? std::get_if<int64_t>(&op->immediate) : nullptr;
    return number ? std::optional(*number) : std::nullopt;
  }
  // An atomic that leaves memory as it is.
  bool leaves_it(const Op& op) const {
    if (op.kind == OpKind::AtomicCas) return op.operands[2] == op.operands[3];
    bool by_zero = op.kind == OpKind::AtomicAdd || op.kind == OpKind::AtomicSub ||
                   op.kind == OpKind::AtomicOr || op.kind == OpKind::AtomicXor;
    return by_zero && constant(op.operands[2]) == 0;
  }
  bool takes(const Op& op) const {
    if (op.kind == OpKind::AtomicExch) return constant(op.operands[2]).value_or(1) != 0;
    return op.kind == OpKind::AtomicCas && !leaves_it(op);
  }

  // The array that a pointer is in, as far as it is plain.
  ValueId root(ValueId pointer) const {
    while (const Op* op = definition_of(f_, tree_.definition, pointer)) {
      if (op->kind != OpKind::Offset && op->kind != OpKind::SpaceCast && op->kind != OpKind::PtrCast) break;
      pointer = op->operands[0];
    }
    return pointer;
  }
  bool writes(const Op& op) const { return is_store(op.kind) || (is_atomic(op.kind) && !leaves_it(op)); }

  bool may_end_it(OpId id) const {
    const Op& op = f_.ops[id];
    if (!writes(op) || std::ranges::find(polls_, id) != polls_.end()) return false;
    Space space = f_.type(op.operands[0]).space;
    return std::ranges::any_of(polls_, [&](OpId poll) {
      Space polled = f_.type(f_.ops[poll].operands[0]).space;
      return space == polled || space == Space::Generic;
    });
  }

  // Whether a condition around the op picks one thread, or few: one that compares a thread index for
  // equality.
  bool one_thread(OpId id) const {
    for (OpId up = tree_.parent[id.index]; up.valid(); up = tree_.parent[up.index])
      if (f_.ops[up].kind == OpKind::If && picks(f_.ops[up].operands[0], 0)) return true;
    return false;
  }
  bool picks(ValueId v, int depth) const {
    const Op* op = definition_of(f_, tree_.definition, v);
    if (!op || depth > 20) return false;
    if (op->kind == OpKind::Eq || op->kind == OpKind::Ne)
      return by_thread(op->operands[0], 0) || by_thread(op->operands[1], 0);
    return std::ranges::any_of(op->operands, [&](ValueId operand) { return picks(operand, depth + 1); });
  }
  bool by_thread(ValueId v, int depth) const {
    const Op* op = definition_of(f_, tree_.definition, v);
    if (!op || depth > 20) return false;
    bool index = op->kind >= OpKind::ThreadIdX && op->kind <= OpKind::ThreadIdZ;
    if (index || op->kind == OpKind::LaneId || is_atomic(op->kind)) return true;
    return std::ranges::any_of(op->operands, [&](ValueId operand) { return by_thread(operand, depth + 1); });
  }

  // The place behind the loop where threads meet before the lock is given back.
  OpId held_at(size_t from, ValueId lock) const {
    for (size_t i = from; i < tree_.order.size(); ++i) {
      const Op& op = f_.ops[tree_.order[i]];
      if (meets_others(op.kind)) return tree_.order[i];
      if (writes(op) && root(op.operands[0]) == root(lock)) return {};
    }
    return {};
  }

  void report(OpId place, const char* label, const char* hint) {
    SourceRange range = f_.ops[loop_].range;
    diagnostics_.report(DiagnosticId::WaitingLoop, range, {})
        .label(f_.ops[place].range, label)
        .with_hint(hint);
  }

  const Function& f_;
  Diagnostics& diagnostics_;
  Tree tree_;
  std::vector<RegionId> param_of_;
  OpId loop_;                  // that is looked at
  std::vector<OpId> polls_;    // its ways out depend on these
  std::vector<ValueId> open_;  // carried values whose next ones are being followed
  bool progress_ = false;      // something else may end it
};

}  // namespace

void find_waiting_loops(const Module& module, Diagnostics& diagnostics) {
  for (const Function& function : module.functions) Waiting(function, diagnostics).run();
}

}  // namespace lanewise::ir
