// Decides comparisons, and what hangs on them, by the ranges of integers: thread and block indices, shapes,
// loop counters, and what enclosing and earlier conditions say.
//
//   %i = cast %thread : i64                         ...
//   %inside = lt %i, %x.shape0 : bool               if %inside then {
//   if %inside then {                                 %negative = const false : bool
//     %negative = lt %i, %zero : bool        ->       %wrapped = add %i, %x.shape0 : i64
//     %wrapped = add %i, %x.shape0 : i64              %at = select %negative, %wrapped, %i : i64
//     %at = select %negative, %wrapped, %i : i64      ...
//
// fold_constants then removes the select. The analysis is ir/ranges.h; this is the walk that feeds it. A
// loop's carried value keeps a bound if every turn provably does; nothing is walked twice.
#include <algorithm>

#include "ir/ir.h"
#include "ir/passes/found_ranges.h"
#include "ir/passes/simplify.h"

namespace lanewise::ir {
namespace {

constexpr int kLoopDepth = 8;  // ops between a loop's param and its next value

class RangeFolder {
 public:
  RangeFolder(Function& function, const LaunchFacts& facts, FoundRanges* found)
      : function_(function),
        tree_(function),
        ranges_(function, tree_, facts),
        found_(found),
        ends_(function.ops.size()),
        joined_(function.ops.size()) {
    if (found) found->counts.resize(function.ops.size());
    if (found) found->plain.resize(function.ops.size());
    for (OpId id : tree_.order)
      if (tree_.target[id.index].valid()) ends_[tree_.target[id.index].index].push_back(id);
  }

  bool run() {
    region(function_.body);
    return changed_;
  }

 private:
  Type type(ValueId v) const { return function_.type(v); }
  const Op& last(RegionId region) const { return function_.ops[function_.regions[region].ops.back()]; }

  // Facts of the region stay until the caller undoes them.
  void region(RegionId id) {
    std::vector<OpId> ops = std::move(function_.regions[id].ops), kept;
    note(function_.regions[id].params);
    for (OpId op : ops) one(op, kept);
    function_.regions[id].ops = std::move(kept);
  }

  // These are defined here.
  void note(const std::vector<ValueId>& values) {
    if (!found_) return;
    for (ValueId v : values) {
      if (!Ranges::tracks(type(v))) continue;
      if (v.index >= found_->defined.size()) found_->defined.resize(function_.values.size());
      found_->defined[v.index] = ranges_.of(v, 2);
    }
  }

  void one(OpId id, std::vector<OpId>& into) {
    Op& op = function_.ops[id];
    replaced_.resolve(op.operands);
    switch (op.kind) {
      case OpKind::If: if_op(op, decide_condition(op, into)); break;
      case OpKind::For: for_op(id, op); break;
      case OpKind::While: while_op(id, op); break;
      case OpKind::Scope: {
        size_t mark = ranges_.mark();
        region(op.regions[0]);
        ranges_.undo_to(mark);
        state_results(id, op);
        break;
      }
      case OpKind::Yield:
      case OpKind::Break:
      case OpKind::Leave: join_results(id, op); break;
      default:
        if (found_ && id.index < found_->plain.size()) found_->plain[id.index] = is_plain(op);
        if (plain(op)) return;
    }
    note(op.results);
    into.push_back(id);
  }

  // See plain_integer_ops.
  bool is_plain(const Op& op) const {
    if (op.results.size() != 1 || op.operands.empty() || !type(op.results[0]).is_int()) return false;
    Range full = full_range(type(op.results[0]));
    Range a = ranges_.of(op.operands[0], 2), b = op.operands.size() > 1 ? ranges_.of(op.operands[1], 2) : a;
    Wide bits = type(op.results[0]).bits;
    bool small_count = b.lo >= 0 && b.hi < bits;
    bool sum = op.kind == OpKind::Add || op.kind == OpKind::Sub || op.kind == OpKind::Mul;
    if (sum && ranges_.of(op.results[0], 2) != full) return true;  // what may wrap has the full range
    switch (op.kind) {
      case OpKind::Add: return Range{a.lo + b.lo, a.hi + b.hi}.within(full);
      case OpKind::Sub: return Range{a.lo - b.hi, a.hi - b.lo}.within(full);
      case OpKind::Neg: return Range{-a.hi, -a.lo}.within(full);
      case OpKind::Abs: return a.lo > full.lo || full.lo == 0;
      case OpKind::Mul: {
        Wide corners[4];
        if (__builtin_mul_overflow(a.lo, b.lo, &corners[0]) ||
            __builtin_mul_overflow(a.lo, b.hi, &corners[1]) ||
            __builtin_mul_overflow(a.hi, b.lo, &corners[2]) ||
            __builtin_mul_overflow(a.hi, b.hi, &corners[3]))
          return false;
        return std::all_of(corners, corners + 4, [&](Wide c) { return c >= full.lo && c <= full.hi; });
      }
      case OpKind::FloorDiv:
      case OpKind::FloorMod: return a.lo >= 0 && b.lo > 0;
      case OpKind::Shr: return small_count;
      case OpKind::Shl:
        return small_count && (full.lo == 0 || (a.lo >= 0 && a.hi <= full.hi >> static_cast<int>(b.hi)));
      default: return false;
    }
  }

  // A condition that was decided further out, where its op may not become a constant. Returns whether it is
  // known.
  [[gnu::noinline]] bool decide_condition(Op& op, std::vector<OpId>& into) {
    ValueId condition = op.operands[0];
    Range range = ranges_.of(condition);
    if (!range.single()) return false;
    if (constant_bits(function_, tree_.definition, condition)) return true;
    Op constant;
    constant.kind = OpKind::Const;
    constant.range = op.range;
    constant.call_site = op.call_site;
    constant.immediate = static_cast<int64_t>(range.lo);
    constant.results = {function_.values.add({"", kBool})};
    op.operands[0] = constant.results[0];
    ranges_.define(op.operands[0], range);
    into.push_back(function_.ops.add(std::move(constant)));
    return changed_ = true;
  }

  // An op without regions. Returns whether its result is another value and it may go.
  [[gnu::noinline]] bool plain(Op& op) {
    if (op.results.size() != 1) return false;
    ValueId result = op.results[0];
    if (!Ranges::tracks(type(result))) return op.kind == OpKind::Select && replace(op);
    if (op.kind == OpKind::Const) {
      ranges_.narrow(result, ranges_.of(result, 1));
      return false;
    }
    if (auto special = special_range(op.kind)) ranges_.narrow(result, *special);
    if (!is_scalar_op(op.kind)) return false;
    bool compares = op.kind >= OpKind::Eq && op.kind <= OpKind::Ge;
    Range range = op.kind == OpKind::Select ? selected(op) : ranges_.of(result, compares ? 4 : 2);
    ranges_.narrow(result, range);
    if (range.single()) {
      Wide value = range.lo;
      become_constant(function_, op, static_cast<Bits>(value));
      changed_ = true;
      return false;
    }
    return replace(op);
  }

  bool replace(const Op& op) {
    ValueId same = same_as(op);
    if (!same.valid()) return false;
    replaced_.add(op.results[0], same);
    changed_ = true;
    return true;
  }

  // Each arm under what its choice says.
  Range selected(const Op& op) {
    Range joined;
    for (size_t arm : {size_t{1}, size_t{2}}) {
      size_t mark = ranges_.mark();
      ranges_.assume(op.operands[0], arm == 1);
      joined = hull(joined, ranges_.of(op.operands[arm], 2));
      ranges_.undo_to(mark);
    }
    return joined;
  }

  // The operand that the result always equals.
  ValueId same_as(const Op& op) const {
    if (op.kind == OpKind::Select) {
      Range condition = ranges_.of(op.operands[0]);
      return condition.single() ? op.operands[condition.lo ? 1 : 2] : ValueId{};
    }
    if (!Ranges::tracks(type(op.operands[0]))) return {};
    Range a = ranges_.of(op.operands[0], 2);
    Range b = op.operands.size() > 1 ? ranges_.of(op.operands[1], 2) : Range{};
    switch (op.kind) {
      case OpKind::Abs: return a.lo >= 0 ? op.operands[0] : ValueId{};
      case OpKind::FloorMod: return a.lo >= 0 && a.hi < b.lo ? op.operands[0] : ValueId{};
      case OpKind::Min: return a.hi <= b.lo ? op.operands[0] : b.hi <= a.lo ? op.operands[1] : ValueId{};
      case OpKind::Max: return a.lo >= b.hi ? op.operands[0] : b.lo >= a.hi ? op.operands[1] : ValueId{};
      default: return {};
    }
  }

  // --- control
  // If only one arm comes to its end, what it learned holds after the `if`.
  void if_op(Op& op, bool known) {
    bool ends[2] = {last(op.regions[0]).kind == OpKind::Yield, last(op.regions[1]).kind == OpKind::Yield};
    size_t surviving = ends[0] == ends[1] ? 2 : ends[0] ? 0 : 1;
    std::vector<Range> results(op.results.size());
    size_t first = surviving == 0 ? 1 : 0;
    for (size_t arm : {first, 1 - first}) {
      size_t mark = ranges_.mark();
      if (!known) ranges_.assume(op.operands[0], arm == 0);
      region(op.regions[arm]);
      if (ends[arm])
        for (size_t i = 0; i < results.size(); ++i)
          results[i] = hull(results[i], ranges_.of(last(op.regions[arm]).operands[i], 2));
      if (arm != surviving) ranges_.undo_to(mark);
    }
    for (size_t i = 0; i < results.size(); ++i)
      if (!results[i].empty()) ranges_.narrow(op.results[i], results[i]);
  }

  void join_results(OpId id, const Op& op) {
    OpId target = tree_.target[id.index];
    if (!target.valid()) return;
    OpKind ends = function_.ops[target].kind;
    if (op.kind == OpKind::Yield && ends != OpKind::Scope) return;
    join(target, op.operands, 0);
  }
  void join(OpId target, const std::vector<ValueId>& values, size_t skip) {
    std::vector<Range>& joined = joined_[target.index];
    joined.resize(values.size() - skip);
    for (size_t i = skip; i < values.size(); ++i)
      joined[i - skip] = hull(joined[i - skip], ranges_.of(values[i], 2));
  }
  void state_results(OpId id, const Op& op) {
    const std::vector<Range>& joined = joined_[id.index];
    for (size_t i = 0; i < joined.size(); ++i)
      if (!joined[i].empty()) ranges_.narrow(op.results[i], joined[i]);
  }

  void for_op(OpId id, Op& op) {
    size_t mark = start_for(id, op);
    region(op.regions[0]);
    ranges_.undo_to(mark);
    state_results(id, op);
  }

  // What holds in every turn; returns the mark to undo to. (Not inlined: regions nest deep, and walking them
  // shall not take the stack that this needs.)
  [[gnu::noinline]] size_t start_for(OpId id, const Op& op) {
    const std::vector<ValueId>& params = function_.regions[op.regions[0]].params;
    if (params.size() > 1) join(id, op.operands, 3);  // the results if there is no turn
    size_t mark = ranges_.mark();
    Range lo = ranges_.of(op.operands[0], 2), hi = ranges_.of(op.operands[1], 2),
          step = ranges_.of(op.operands[2], 2);
    state_counter(params[0], lo, hi, step);
    Range full = full_range(type(params[0]));
    if (found_ && step.lo > 0 && hi.hi - 1 + step.hi <= full.hi) found_->counts[id.index] = 1;
    if (found_ && step.hi < 0 && hi.lo + 1 + step.lo >= full.lo) found_->counts[id.index] = -1;
    if (step.lo > 0) state_bounds(params[0], op, OpKind::Lt, OpKind::Ge);
    if (step.hi < 0) state_bounds(params[0], op, OpKind::Gt, OpKind::Le);
    for (size_t i = 1; i < params.size(); ++i) {
      ValueId init = op.operands[i + 2];
      std::vector<ValueId> nexts;
      for (OpId end : ends_[id.index])
        if (function_.ops[end].kind != OpKind::Break) nexts.push_back(function_.ops[end].operands[i - 1]);
      state_counted(params[i], init, nexts, max_trips(lo, hi, step));
      state_carried(params[i], init, nexts);
    }
    if (params.size() > 1) join(id, params, 1);
    return mark;
  }

  void state_counter(ValueId counter, const Range& lo, const Range& hi, const Range& step) {
    Range up{lo.lo, hi.hi - 1}, down{hi.lo + 1, lo.hi};
    Range both = step.lo >= 0   ? up
                 : step.hi <= 0 ? down
                                : Range{std::min(up.lo, down.lo), std::max(up.hi, down.hi)};
    if (!both.empty()) ranges_.narrow(counter, both);
  }

  // A turn is only taken if lo is before hi, and the counter is between them.
  void state_bounds(ValueId counter, const Op& op, OpKind before, OpKind not_before) {
    ranges_.assume_compare(before, op.operands[0], op.operands[1]);
    ranges_.assume_compare(before, counter, op.operands[1]);
    ranges_.assume_compare(not_before, counter, op.operands[0]);
  }

  static Wide max_trips(const Range& lo, const Range& hi, const Range& step) {
    Wide up = step.hi > 0 ? hi.hi - lo.lo : 0, down = step.lo < 0 ? lo.hi - hi.lo : 0;
    Wide least = step.lo > 0 ? step.lo : step.hi < 0 ? -step.hi : 1;
    return std::max<Wide>(0, (std::max(up, down) + least - 1) / least);
  }

  // A value that each turn adds something bounded to, in a loop with a bounded number of turns.
  void state_counted(ValueId param, ValueId init, const std::vector<ValueId>& nexts, Wide trips) {
    if (!Ranges::tracks(type(param))) return;
    Range added;
    for (ValueId next : nexts) {
      auto one_turn = increment(next, param, kLoopDepth);
      if (!one_turn) return;
      added = hull(added, *one_turn);
    }
    if (added.empty()) added = {0, 0};
    Range total{};
    if (__builtin_mul_overflow(trips, std::min<Wide>(added.lo, 0), &total.lo) ||
        __builtin_mul_overflow(trips, std::max<Wide>(added.hi, 0), &total.hi))
      return;
    Range from = ranges_.of(init, 2), full = full_range(type(param));
    constexpr Wide kHuge = Wide{1} << 100;  // keeps the sums below in 128 bits
    if (total.lo < -kHuge || total.hi > kHuge) return;
    Range all{from.lo + total.lo, from.hi + total.hi};
    if (all.within(full)) ranges_.narrow(param, all);  // so no turn wrapped
  }

  // What `next` adds to `param`, if it is made from it by additions alone, on any path.
  std::optional<Range> increment(ValueId next, ValueId param, int depth) const {
    if (next == param) return Range{0, 0};
    const Op* op = definition_of(function_, tree_.definition, next);
    if (!op || depth == 0) return std::nullopt;
    if (op->kind == OpKind::Add || op->kind == OpKind::Sub) {
      if (auto before = increment(op->operands[0], param, depth - 1)) {
        Range by = ranges_.of(op->operands[1], 2);
        if (op->kind == OpKind::Sub) by = {-by.hi, -by.lo};
        return Range{before->lo + by.lo, before->hi + by.hi};
      }
      if (op->kind == OpKind::Sub) return std::nullopt;
      auto before = increment(op->operands[1], param, depth - 1);
      if (!before) return std::nullopt;
      Range by = ranges_.of(op->operands[0], 2);
      return Range{before->lo + by.lo, before->hi + by.hi};
    }
    if (op->kind != OpKind::If) return std::nullopt;
    auto slot =
        static_cast<size_t>(std::find(op->results.begin(), op->results.end(), next) - op->results.begin());
    Range joined;
    for (RegionId arm : op->regions) {
      const Op& end = last(arm);
      if (end.kind != OpKind::Yield) continue;
      auto added = increment(end.operands[slot], param, depth - 1);
      if (!added) return std::nullopt;
      joined = hull(joined, *added);
    }
    if (joined.empty()) return std::nullopt;
    return joined;
  }

  // Bounds of the first value that every turn keeps. A turn is followed from the param to its next values
  // only, under `assume_turn`, not through the conditions of its body.
  template <class AssumeTurn>
  void state_carried(ValueId param, ValueId init, const std::vector<ValueId>& nexts, AssumeTurn assume_turn) {
    if (!Ranges::tracks(type(param))) return;
    Range first = ranges_.of(init, 2), known = ranges_.of(param);
    Range to_zero{std::min<Wide>(first.lo, 0), first.hi}, int32 = full_range(kI32);
    for (const Range& guess :
         {first, to_zero, Range{first.lo, int32.hi}, Range{to_zero.lo, int32.hi}, Range{int32.lo, first.hi},
          int32, Range{first.lo, known.hi}, Range{known.lo, first.hi}}) {
      if (!first.within(guess) || !guess.within(known)) continue;
      size_t mark = ranges_.mark();
      ranges_.narrow(param, guess);
      assume_turn();
      bool holds = true;
      for (ValueId next : nexts) holds = holds && ranges_.of(next, kLoopDepth).within(guess);
      ranges_.undo_to(mark);
      if (!holds) continue;
      ranges_.narrow(param, guess);
      return;
    }
  }
  void state_carried(ValueId param, ValueId init, const std::vector<ValueId>& nexts) {
    state_carried(param, init, nexts, [] {});
  }

  void while_op(OpId id, Op& op) {
    size_t mark = start_while(id, op);
    region(op.regions[0]);
    decide_while(id, op);
    region(op.regions[1]);
    ranges_.undo_to(mark);
    state_results(id, op);
  }

  [[gnu::noinline]] size_t start_while(OpId id, const Op& op) {
    const std::vector<ValueId>& params = function_.regions[op.regions[0]].params;
    const std::vector<ValueId>& outcomes = function_.regions[op.regions[1]].params;
    OpId decision = function_.regions[op.regions[0]].ops.back();
    size_t mark = ranges_.mark();
    for (size_t i = 0; i < params.size(); ++i) {
      std::vector<ValueId> nexts;
      for (OpId end : ends_[id.index])
        if (end != decision && function_.ops[end].kind != OpKind::Break)
          nexts.push_back(function_.ops[end].operands[i]);
      state_carried(params[i], op.operands[i], nexts,
                    [&] { assume_decision(function_.ops[decision], outcomes, true); });
    }
    return mark;
  }

  // After `cond`: its false outcome are the results, its true one goes on.
  [[gnu::noinline]] void decide_while(OpId id, const Op& op) {
    const Op& end = last(op.regions[0]);
    if (end.kind != OpKind::Yield) return;
    size_t mark = ranges_.mark();
    assume_decision(end, {}, false);
    join(id, end.operands, 1);
    ranges_.undo_to(mark);
    assume_decision(end, function_.regions[op.regions[1]].params, true);
  }

  // `cond` has yielded; `outcomes` are the params of `do`.
  void assume_decision(const Op& end, const std::vector<ValueId>& outcomes, bool truth) {
    if (end.kind != OpKind::Yield) return;
    ranges_.assume(end.operands[0], truth);
    if (truth)
      for (size_t i = 0; i < outcomes.size(); ++i) ranges_.alias(outcomes[i], end.operands[i + 1]);
    for (size_t i = 0; i < outcomes.size(); ++i)
      ranges_.narrow(outcomes[i], ranges_.of(end.operands[i + 1], 2));
  }

  Function& function_;
  Tree tree_;
  Ranges ranges_;
  FoundRanges* found_;
  std::vector<std::vector<OpId>> ends_;     // by op: the terminators that end it or a turn of it
  std::vector<std::vector<Range>> joined_;  // by op: ranges of its results so far
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

bool fold_ranges(Function& function, const LaunchFacts& facts, FoundRanges* found) {
  return RangeFolder(function, facts, found).run();
}
bool fold_ranges(Function& function, const LaunchFacts& facts) {
  return fold_ranges(function, facts, nullptr);
}
bool fold_ranges(Function& function) { return fold_ranges(function, {}, nullptr); }

std::vector<int8_t> steady_counters(const Function& function, const LaunchFacts& facts) {
  Function copy = function;
  FoundRanges found;
  fold_ranges(copy, facts, &found);
  return found.counts;
}

std::vector<bool> plain_integer_ops(const Function& function, const LaunchFacts& facts) {
  Function copy = function;
  FoundRanges found;
  fold_ranges(copy, facts, &found);
  return found.plain;
}

}  // namespace lanewise::ir
