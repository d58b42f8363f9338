// 64-bit integers whose ranges fit 32 bits are computed, compared and carried in 32 bits; so are indices of a
// small launch, modulo 2**32.
//
//   %i = cast %thread : i64                      %i.1 = cast %i : i32        (gone: %thread itself)
//   %inside = lt %i, %x.shape0 : bool            %n = cast %x.shape0 : i32
//   if %inside then {                    ->      %inside = lt %thread, %n : bool
//     %next = add %i, %one : i64                 if %inside then {
//     %v = load %x, %next : f32                    %one = const 1 : i32
//                                                  %next = add %thread, %one : i32
//                                                  %wide = cast %next : i64
//                                                  %v = load %x, %wide : f32
//
// An index modulo 2**32 is written as a sum in one order, whatever the text's: what was known first comes
// first, then what is subtracted, a constant last. So `a[y, x]` and `a[y - 1, x]` share `y * w + x`.
//
// Values keep their ids: one that became narrow is defined by a cast of its narrow form, which fold_constants
// and remove_dead_ops take away where nothing needs the 64 bits.
#include <algorithm>
#include <map>

#include "ir/ir.h"
#include "ir/passes/found_ranges.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir {
namespace {

constexpr int kIndexDepth = 16;   // ops that an index is made of, one above the other
constexpr size_t kMaxTerms = 16;  // of an index as a sum

bool is_wide(Type type) { return type.is_int() && type.bits == 64; }
Type narrow_type(Type type) { return {type.kind, 32}; }

// The low bits of the result depend on the low bits of the operands alone.
bool is_modular(OpKind kind) {
  switch (kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Neg:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Not:
    case OpKind::Select: return true;
    default: return false;
  }
}

// The same on the narrow type if the operands fit it.
bool is_exact(OpKind kind) {
  switch (kind) {
    case OpKind::FloorDiv:
    case OpKind::FloorMod:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::Abs:
    case OpKind::Shl:
    case OpKind::Shr: return true;
    default: return false;
  }
}

bool is_compare(OpKind kind) { return kind >= OpKind::Eq && kind <= OpKind::Ge; }
bool has_index(OpKind kind) {
  return is_load(kind) || is_store(kind) || is_atomic(kind) || kind == OpKind::Offset;
}

class Narrower {
 public:
  Narrower(Function& function, const LaunchFacts& facts, std::vector<Range> ranges,
           const std::vector<bool>& leave)
      : function_(function),
        tree_(function),
        ranges_(std::move(ranges)),
        leave_(leave),
        small_(facts.small),
        needed_wide_(function.values.size()),
        slots_(function.ops.size()),
        retyped_(function.regions.size()) {}

  bool run() {
    find_needs();
    region(function_.body);
    return changed_;
  }

 private:
  // Which values of a control op become narrow: carried from turn to turn, and its results.
  struct Slots {
    std::vector<bool> next, result;
    OpId decision;  // of a `while`: what ends its `cond`
  };

  Type type(ValueId v) const { return function_.type(v); }
  const Op* definition(ValueId v) const { return definition_of(function_, tree_.definition, v); }
  bool is_constant(ValueId v) const {
    const Op* op = definition(v);
    return op && op->kind == OpKind::Const;
  }

  // Whether every value that `v` has is one of its narrow type.
  bool fits(ValueId v) const {
    if (v.index >= ranges_.size() || !is_wide(type(v))) return false;
    const Range& range = ranges_[v.index];
    return !range.empty() && range.within(full_range(narrow_type(type(v))));
  }
  bool all_fit(const std::vector<ValueId>& values) const {
    return std::all_of(values.begin(), values.end(), [&](ValueId v) { return fits(v); });
  }

  bool stays(ValueId v) const { return v.index < leave_.size() && leave_[v.index]; }
  bool all_stay(const std::vector<ValueId>& values) const {
    return std::all_of(values.begin(), values.end(), [&](ValueId v) { return stays(v); });
  }

  bool becomes_narrow(const Op& op) const {
    if (op.results.size() != 1 || !fits(op.results[0]) || stays(op.results[0])) return false;
    if (is_modular(op.kind)) return true;
    if (op.kind != OpKind::Shl && op.kind != OpKind::Shr) return is_exact(op.kind) && all_fit(op.operands);
    // a count is within the width or not
    return fits(op.operands[0]) && is_constant(op.operands[1]) &&
           static_cast<uint64_t>(std::get<int64_t>(definition(op.operands[1])->immediate)) < 32;
  }

  // Which values that do not fit are needed as 64 bits, and not only as a part of an index.
  void find_needs() {
    for (size_t i = tree_.order.size(); i-- > 0;) {
      const Op& op = function_.ops[tree_.order[i]];
      bool of_index = op.results.size() == 1 && is_modular(op.kind) && is_wide(type(op.results[0])) &&
                      !stays(op.results[0]) && (fits(op.results[0]) || !needed_wide_[op.results[0].index]);
      for (size_t k = 0; k < op.operands.size(); ++k)
        if (!of_index && !(small_ && k == 1 && has_index(op.kind))) needed_wide_[op.operands[k].index] = true;
    }
  }

  // --- the walk
  void region(RegionId id) {
    std::vector<OpId> ops = std::move(function_.regions[id].ops), kept;
    std::vector<OpId>* outer = into_;
    into_ = &kept;
    for (ValueId param : retyped_[id.index]) widen(param);
    for (OpId op : ops) one(op);
    into_ = outer;
    function_.regions[id].ops = std::move(kept);
  }

  void one(OpId id) {
    Op& op = function_.ops[id];
    like_ = &op;
    replaced_.resolve(op.operands);
    if (has_regions(op.kind)) return control(id, op);
    if (OpId target = tree_.target[id.index]; target.valid()) {
      end_of(id, op, target);
    } else if (becomes_narrow(op)) {
      narrow_op(op);
    } else if (is_compare(op.kind) && all_fit(op.operands) && !all_stay(op.operands)) {
      for (ValueId& operand : op.operands) operand = narrowed(operand);
      changed_ = true;
    } else if (op.kind == OpKind::Cast && fits(op.operands[0]) &&
               !(stays(op.operands[0]) && type(op.results[0]).is_int())) {
      op.operands[0] = narrowed(op.operands[0]);
      changed_ = true;
    } else if (has_index(op.kind)) {
      narrow_index(op);
    }
    into_->push_back(id);
  }

  // %v = op %a, %b : i64  ->  %n = op %a32, %b32 : i32; %v = cast %n : i64
  void narrow_op(Op& op) {
    if (auto offset = offset_of(op); offset.first.valid()) {
      offsets_.resize(function_.values.size());
      offsets_[op.results[0].index] = offset;
    }
    Op narrow = op;
    for (ValueId& operand : narrow.operands)
      if (is_wide(type(operand))) operand = narrowed(operand);
    Value& wide = function_.values[op.results[0]];
    ValueId result = function_.values.add({std::move(wide.name), narrow_type(wide.type)});
    wide.name.clear();
    narrow.results = {result};
    into_->push_back(function_.ops.add(std::move(narrow)));
    op.kind = OpKind::Cast;
    op.operands = {result};
    op.immediate = {};
    set_narrow(op.results[0], result);
    changed_ = true;
  }

  void narrow_index(Op& op) {
    ValueId index = op.operands[1];
    if (is_constant(index) || is_widened(index) || stays(index)) return;
    if (!fits(index) && (!small_ || !is_part(index))) return;
    op.operands[1] = emit(OpKind::Cast, {fits(index) ? narrowed(index) : as_sum(index)}, type(index));
    changed_ = true;
  }
  bool is_widened(ValueId v) const {
    const Op* op = definition(v);
    return op && op->kind == OpKind::Cast && type(op->operands[0]).is_int() &&
           !is_wide(type(op->operands[0]));
  }
  // Of an index alone.
  bool is_part(ValueId v) const {
    const Op* op = definition(v);
    return op && is_modular(op->kind) && !needed_wide_[v.index] && !stays(v);
  }

  // The low 32 bits.
  ValueId narrowed(ValueId v, int depth = 0) {
    if (v.index < narrow_of_.size() && narrow_of_[v.index].valid()) return narrow_of_[v.index];
    Type to = narrow_type(type(v));
    const Op* op = definition(v);
    if (auto number = constant_part(v)) return constant_of(*number, to);
    if (op && op->kind == OpKind::Cast && type(op->operands[0]) == to) return op->operands[0];
    if (fits(v) || !is_part(v) || depth == kIndexDepth) return emit(OpKind::Cast, {v}, to);
    std::vector<ValueId> operands = op->operands;
    for (ValueId& operand : operands)
      if (is_wide(type(operand))) operand = narrowed(operand, depth + 1);
    return emit(op->kind, std::move(operands), to);
  }

  // --- an index as a sum of products, modulo 2**32
  struct Sum {
    // Factors (the second invalid if there is only one) and how often.
    std::map<std::pair<ValueId, ValueId>, uint32_t> terms;
    uint32_t constant = 0;
  };

  ValueId as_sum(ValueId index) {
    Sum sum;
    add_to(sum, index, 1, 0);
    Type to = narrow_type(type(index));
    if (sum.terms.empty() || sum.terms.size() > kMaxTerms) return narrowed(index);
    // Those with a large coefficient are subtracted. Ids grow with the text: loops' counters come late.
    std::vector<std::pair<std::pair<ValueId, ValueId>, uint32_t>> order(sum.terms.begin(), sum.terms.end());
    auto place = [](const auto& term) {
      uint32_t last = term.first.second.valid() ? std::max(term.first.first.index, term.first.second.index)
                                                : term.first.first.index;
      return std::pair(static_cast<int32_t>(term.second) < 0, last);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    ValueId total;
    for (const auto& [factors, count] : order) {
      if (count == 0) continue;
      ValueId term = narrowed(factors.first);
      if (factors.second.valid()) term = emit(OpKind::Mul, {term, narrowed(factors.second)}, to);
      bool subtract = static_cast<int32_t>(count) < 0;
      uint32_t times = subtract ? 0 - count : count;
      if (times != 1) term = emit(OpKind::Mul, {term, constant_of(times, to)}, to);
      if (!total.valid())
        total = subtract ? emit(OpKind::Neg, {term}, to) : term;
      else
        total = emit(subtract ? OpKind::Sub : OpKind::Add, {total, term}, to);
    }
    if (!total.valid()) return constant_of(sum.constant, to);
    return sum.constant == 0 ? total : emit(OpKind::Add, {total, constant_of(sum.constant, to)}, to);
  }

  void add_to(Sum& sum, ValueId v, uint32_t times, int depth) {
    const Op* op = definition(v);
    if (auto number = constant_part(v)) {
      sum.constant += times * *number;
      return;
    }
    if (auto [rest, number] = without_constant(v); rest.valid() && !stays(v)) {
      sum.constant += times * number;
      return add_to(sum, rest, times, depth + 1);
    }
    bool opens = op && depth < kIndexDepth && !fits(v) && is_part(v);
    OpKind kind = opens ? op->kind : OpKind::Const;
    if (kind == OpKind::Add || kind == OpKind::Sub) {
      add_to(sum, op->operands[0], times, depth + 1);
      add_to(sum, op->operands[1], kind == OpKind::Add ? times : 0 - times, depth + 1);
    } else if (kind == OpKind::Neg) {
      add_to(sum, op->operands[0], 0 - times, depth + 1);
    } else if (kind == OpKind::Mul) {
      add_product(sum, op->operands[0], op->operands[1], times, depth + 1);
    } else {
      sum.terms[{v, ValueId{}}] += times;
    }
  }

  // (u + 1) * v is u * v + v.
  void add_product(Sum& sum, ValueId a, ValueId b, uint32_t times, int depth) {
    for (int turn = 0; turn < 2; ++turn, std::swap(a, b)) {
      if (auto number = constant_part(b)) return add_to(sum, a, times * *number, depth);
      auto [rest, number] = without_constant(a);
      if (!rest.valid() || depth >= kIndexDepth) continue;
      add_to(sum, b, times * number, depth + 1);
      return add_product(sum, rest, b, times, depth + 1);
    }
    sum.terms[a < b ? std::pair(a, b) : std::pair(b, a)] += times;
  }

  std::optional<uint32_t> constant_part(ValueId v) const {
    const Op* op = definition(v);
    if (!op || op->kind != OpKind::Const) return std::nullopt;
    return static_cast<uint32_t>(bits_of(op->immediate, type(v)));
  }

  // u and c of u + c, also of one that became narrow; invalid if it is none.
  std::pair<ValueId, uint32_t> without_constant(ValueId v) const {
    auto known = v.index < offsets_.size() ? offsets_[v.index] : std::pair<ValueId, uint32_t>{};
    if (known.first.valid()) return known;
    const Op* op = definition(v);
    return op ? offset_of(*op) : known;
  }
  std::pair<ValueId, uint32_t> offset_of(const Op& op) const {
    if (op.kind != OpKind::Add && op.kind != OpKind::Sub) return {};
    auto second = constant_part(op.operands[1]);
    if (op.kind == OpKind::Sub)
      return second ? std::pair(op.operands[0], 0 - *second) : std::pair<ValueId, uint32_t>{};
    if (second) return {op.operands[0], *second};
    auto first = constant_part(op.operands[0]);
    return first ? std::pair(op.operands[1], *first) : std::pair<ValueId, uint32_t>{};
  }

  ValueId constant_of(uint32_t number, Type to) {
    ValueId constant = emit(OpKind::Const, {}, to);
    function_.ops[into_->back()].immediate = immediate_of(canonical_bits(to, number), to);
    return constant;
  }

  ValueId emit(OpKind kind, std::vector<ValueId> operands, Type result) {
    Op op;
    op.kind = kind;
    op.range = like_->range;
    op.call_site = like_->call_site;
    op.operands = std::move(operands);
    op.results = {function_.values.add({"", result})};
    ValueId made = op.results[0];
    into_->push_back(function_.ops.add(std::move(op)));
    return made;
  }

  // --- control ops
  void control(OpId id, Op& op) {
    Slots& slots = slots_[id.index];
    for (ValueId result : op.results) slots.result.push_back(fits(result));
    if (op.kind == OpKind::For) carried_by_for(op, slots);
    if (op.kind == OpKind::While) carried_by_while(op, slots);
    for (size_t i = 0; i < op.results.size(); ++i)
      if (slots.result[i]) retype(op.results[i]);
    for (RegionId nested : op.regions) {
      like_ = &op;
      region(nested);
    }
    into_->push_back(id);
    like_ = &op;
    for (size_t i = 0; i < op.results.size(); ++i)
      if (slots.result[i]) widen(op.results[i]);
  }

  // A value that a `for` carries is its result too.
  void carried_by_for(Op& op, Slots& slots) {
    RegionId body = op.regions[0];
    const std::vector<ValueId>& params = function_.regions[body].params;
    for (size_t i = 0; i < slots.result.size(); ++i)
      slots.result[i] = slots.result[i] && fits(params[i + 1]) && fits(op.operands[i + 3]);
    slots.next = slots.result;
    std::vector<ValueId> bounds(op.operands.begin(), op.operands.begin() + 3);
    bool counter = fits(params[0]) && !stays(params[0]) && all_fit(bounds);
    for (size_t i = 0; i < op.operands.size(); ++i)
      if (i < 3 ? counter : slots.next[i - 3]) op.operands[i] = narrowed(op.operands[i]);
    if (counter) retype_param(body, params[0]);
    for (size_t i = 0; i < slots.next.size(); ++i)
      if (slots.next[i]) retype_param(body, params[i + 1]);
  }

  // What `cond` takes and what it hands on need not be the same values.
  void carried_by_while(Op& op, Slots& slots) {
    const std::vector<ValueId>& params = function_.regions[op.regions[0]].params;
    const std::vector<ValueId>& outcomes = function_.regions[op.regions[1]].params;
    slots.decision = function_.regions[op.regions[0]].ops.back();
    for (size_t i = 0; i < params.size(); ++i) {
      slots.next.push_back(fits(params[i]) && fits(op.operands[i]));
      if (!slots.next[i]) continue;
      op.operands[i] = narrowed(op.operands[i]);
      retype_param(op.regions[0], params[i]);
    }
    for (size_t i = 0; i < outcomes.size(); ++i) {
      slots.result[i] = slots.result[i] && fits(outcomes[i]);
      if (slots.result[i]) retype_param(op.regions[1], outcomes[i]);
    }
  }

  // A terminator hands over what the op that it ends has become.
  void end_of(OpId id, Op& op, OpId target) {
    const Slots& slots = slots_[target.index];
    bool decides = id == slots.decision && op.kind == OpKind::Yield;
    bool next = is_loop(function_.ops[target].kind) && op.kind != OpKind::Break && !decides;
    const std::vector<bool>& which = next ? slots.next : slots.result;
    for (size_t i = 0; i < which.size(); ++i)
      if (which[i]) op.operands[i + decides] = narrowed(op.operands[i + decides]);
  }

  void retype(ValueId v) {
    function_.values[v].type = narrow_type(type(v));
    changed_ = true;
  }
  void retype_param(RegionId region, ValueId param) {
    retype(param);
    retyped_[region.index].push_back(param);
  }

  // From here on, the value's uses get a wide form of it.
  void widen(ValueId narrow) {
    ValueId wide = emit(OpKind::Cast, {narrow}, {type(narrow).kind, 64});
    ranges_.resize(function_.values.size());
    ranges_[wide.index] = ranges_[narrow.index];
    replaced_.add(narrow, wide);
    set_narrow(wide, narrow);
  }
  void set_narrow(ValueId wide, ValueId narrow) {
    narrow_of_.resize(function_.values.size());
    narrow_of_[wide.index] = narrow;
  }

  Function& function_;
  Tree tree_;
  std::vector<Range> ranges_;  // by value: where it is defined
  const std::vector<bool>& leave_;
  const bool small_;
  std::vector<bool> needed_wide_;                      // by value
  std::vector<Slots> slots_;                           // by op
  std::vector<std::vector<ValueId>> retyped_;          // by region: its params that became narrow
  std::vector<ValueId> narrow_of_;                     // by value
  std::vector<std::pair<ValueId, uint32_t>> offsets_;  // by value that became narrow: see without_constant
  Replacements replaced_;
  std::vector<OpId>* into_ = nullptr;
  const Op* like_ = nullptr;  // new ops come from where this one does
  bool changed_ = false;
};

}  // namespace

bool narrow_integers(Function& function, const LaunchFacts& facts, const std::vector<bool>& leave) {
  FoundRanges found;
  bool changed = fold_ranges(function, facts, &found);
  return Narrower(function, facts, std::move(found.defined), leave).run() || changed;
}

void specialize(Module& module, const LaunchFacts& facts) {
  for (Function& function : module.functions) {
    if (facts.small) {
      fold_ranges(function, facts);
      fold_constants(function);
    }
    if (narrow_integers(function, facts)) {
      fold_constants(function);
      eliminate_common_ops(function);
      remove_dead_ops(function);
    }
    compact(function);
  }
}

}  // namespace lanewise::ir
