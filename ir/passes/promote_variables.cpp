// Turns var/get/set into SSA values: control ops hand over the variables that are changed inside and read
// later.
//
//   %x = var : var<i32>                      %zero = const 0 : i32
//   set %x, %a                               %x = if %c : i32 then {
//   if %c then {                               %d = add %a, %a : i32
//     %old = get %x : i32                      yield %d
//     %d = add %old, %old : i32       ->     } else {
//     set %x, %d                               yield %a
//     yield                                  }
//   } else { yield }                         return %x
//   %r = get %x : i32
//   return %r
//
// A variable is one slot of the function wherever its `var` stands, zero at the start of the function.
#include <bit>

#include "ir/error.h"
#include "ir/ir.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

constexpr uint32_t kNoVar = UINT32_MAX;

// A set of variables.
class VarSet {
 public:
  VarSet() = default;
  explicit VarSet(size_t count) : words_((count + 63) / 64) {}
  void insert(uint32_t v) { words_[v / 64] |= uint64_t{1} << v % 64; }
  void erase(uint32_t v) { words_[v / 64] &= ~(uint64_t{1} << v % 64); }
  VarSet& operator|=(const VarSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }
  bool contains(const VarSet& other) const {
    for (size_t i = 0; i < words_.size(); ++i)
      if (other.words_[i] & ~words_[i]) return false;
    return true;
  }
  // The members of both, ascending.
  std::vector<uint32_t> common(const VarSet& other) const {
    std::vector<uint32_t> out;
    for (size_t i = 0; i < words_.size(); ++i)
      for (uint64_t word = words_[i] & other.words_[i]; word != 0; word &= word - 1)
        out.push_back(static_cast<uint32_t>(i * 64) + static_cast<uint32_t>(std::countr_zero(word)));
    return out;
  }

 private:
  std::vector<uint64_t> words_;
};

struct Variable {
  ValueId slot;
  Type type;
};

// What is known of a control op.
struct Control {
  VarSet modified;    // set somewhere inside
  VarSet live_after;  // read on some path from its end
  VarSet head;        // loops: read on some path from the start of a turn, or after the loop
  VarSet decided;     // While: read on some path from the end of `cond`
  // What it hands over: into a loop's turn, and out (a While out of `cond`, too).
  std::vector<uint32_t> carried, results;
};

// Which variables every control op must hand over. Walks backward until the heads of the loops stay as they
// are: twice as a rule, once more for each loop that a way from one back edge to the next leaves.
class Liveness {
 public:
  Liveness(const Function& function, const Tree& tree, const std::vector<uint32_t>& var_of, size_t count)
      : function_(function), tree_(tree), var_of_(var_of), count_(count), controls_(function.ops.size()) {}

  std::vector<Control> run() {
    for (OpId id : tree_.order)
      if (has_regions(function_.ops[id].kind)) prepare(id);
    // inner before outer, so that what is modified inside is complete
    for (size_t i = tree_.order.size(); i-- > 0;) collect(tree_.order[i]);
    do {
      grown_ = false;
      region(function_.body);
    } while (grown_);
    for (OpId id : tree_.order) choose(id);
    return std::move(controls_);
  }

 private:
  void prepare(OpId id) {
    Control& control = controls_[id.index];
    control.modified = control.live_after = control.head = control.decided = VarSet(count_);
  }

  void collect(OpId id) {
    const Op& op = function_.ops[id];
    OpId parent = tree_.parent[id.index];
    if (op.kind == OpKind::Set && parent.valid())
      controls_[parent.index].modified.insert(var_of_[op.operands[0].index]);
    if (has_regions(op.kind) && parent.valid())
      controls_[parent.index].modified |= controls_[id.index].modified;
  }

  VarSet region(RegionId id) {
    const std::vector<OpId>& ops = function_.regions[id].ops;
    VarSet live = after_terminator(ops.back(), id);
    for (size_t i = ops.size() - 1; i-- > 0;) before(ops[i], live);
    return live;
  }

  VarSet after_terminator(OpId id, RegionId region) {
    OpId target = tree_.target[id.index];
    if (!target.valid()) return VarSet(count_);  // return, unreachable
    Control& control = controls_[target.index];
    OpKind kind = function_.ops[id].kind;
    bool turn_ends = kind == OpKind::Continue || kind == OpKind::Yield;
    if (!is_loop(function_.ops[target].kind) || !turn_ends) return control.live_after;
    if (function_.ops[target].regions[0] == region && function_.ops[target].kind == OpKind::While)
      return control.decided;
    return control.head;
  }

  void before(OpId id, VarSet& live) {
    const Op& op = function_.ops[id];
    if (op.kind == OpKind::Set) live.erase(var_of_[op.operands[0].index]);
    if (op.kind == OpKind::Get) live.insert(var_of_[op.operands[0].index]);
    if (!has_regions(op.kind)) return;
    Control& control = controls_[id.index];
    control.live_after = live;
    if (op.kind == OpKind::Scope) {
      live = region(op.regions[0]);
    } else if (op.kind == OpKind::If) {
      live = region(op.regions[0]);
      live |= region(op.regions[1]);
    } else {
      loop(op, control);
      live = control.head;
    }
  }

  void loop(const Op& op, Control& control) {
    VarSet start;
    if (op.kind == OpKind::For) {
      start = region(op.regions[0]);
      start |= control.live_after;  // after the last turn
    } else {
      control.decided = region(op.regions[1]);
      control.decided |= control.live_after;
      start = region(op.regions[0]);
    }
    if (control.head.contains(start)) return;
    control.head |= start;
    grown_ = true;
  }

  void choose(OpId id) {
    const Op& op = function_.ops[id];
    if (!has_regions(op.kind)) return;
    Control& control = controls_[id.index];
    if (is_loop(op.kind)) control.carried = control.modified.common(control.head);
    if (op.kind == OpKind::For)
      control.results = control.carried;
    else
      control.results =
          control.modified.common(op.kind == OpKind::While ? control.decided : control.live_after);
  }

  const Function& function_;
  const Tree& tree_;
  const std::vector<uint32_t>& var_of_;
  size_t count_;
  std::vector<Control> controls_;
  bool grown_ = false;
};

// Walks forward with the current value of every variable and rewrites.
class Promoter {
 public:
  Promoter(Function& function, const Tree& tree, std::vector<Variable> variables,
           const std::vector<uint32_t>& var_of, const std::vector<Control>& controls)
      : function_(function),
        tree_(tree),
        variables_(std::move(variables)),
        var_of_(var_of),
        controls_(controls),
        current_(variables_.size()),
        zeros_(variables_.size()),
        fallbacks_(function.ops.size()),
        reached_(function.ops.size()) {}

  void run() {
    region(function_.body);
    auto& ops = function_.regions[function_.body].ops;
    ops.insert(ops.begin(), zero_ops_.begin(), zero_ops_.end());
  }

 private:
  void assign(uint32_t var, ValueId value) {
    undo_.emplace_back(var, current_[var]);
    current_[var] = value;
  }
  void undo_to(size_t mark) {
    for (; undo_.size() > mark; undo_.pop_back()) current_[undo_.back().first] = undo_.back().second;
  }

  // The variable's value here. Where nothing reads it any more, `fallback` will do.
  ValueId value(uint32_t var, ValueId fallback = {}) {
    if (current_[var].valid() && current_[var] != kDropped) return current_[var];
    if (fallback.valid()) return fallback;
    LANEWISE_CHECK(current_[var] != kDropped, "a variable that is read must have been handed over");
    return zero(var);
  }

  // The value before the first set. A pointer has none: the front end makes sure that no path reads it, so
  // any of its type will do.
  ValueId zero(uint32_t var) {
    if (zeros_[var].valid()) return zeros_[var];
    Type type = variables_[var].type;
    if (type.is_scalar()) return zeros_[var] = new_zero(type);
    for (ValueId param : function_.params())
      if (function_.type(param) == type) return zeros_[var] = param;
    throw InternalError("pointer variable `" + function_.values[variables_[var].slot].name +
                        "` is read before it is set");
  }
  ValueId new_zero(Type type) {
    ValueId result = function_.values.add({"", type});
    Op op;
    op.kind = OpKind::Const;
    op.immediate = type.is_float() ? Immediate(0.0) : Immediate(int64_t{0});
    op.results = {result};
    zero_ops_.push_back(function_.ops.add(std::move(op)));
    return result;
  }
  ValueId new_value(uint32_t var) {
    const std::string& name = function_.values[variables_[var].slot].name;
    return function_.values.add({name, variables_[var].type});
  }
  void append(std::vector<ValueId>& to, const std::vector<uint32_t>& vars,
              const std::vector<ValueId>* fallback = nullptr) {
    for (size_t i = 0; i < vars.size(); ++i)
      to.push_back(value(vars[i], fallback ? (*fallback)[i] : ValueId{}));
  }

  void region(RegionId id) {
    std::vector<OpId> ops = std::move(function_.regions[id].ops);
    std::vector<OpId> kept;
    for (OpId op : ops) {
      if (!one(op, id)) continue;
      kept.push_back(op);
      if (!has_regions(function_.ops[op].kind) || reached_[op.index]) continue;
      kept.push_back(new_unreachable(function_.ops[op].range));  // no thread comes to the rest
      break;
    }
    function_.regions[id].ops = std::move(kept);
  }

  OpId new_unreachable(SourceRange range) {
    Op op;
    op.kind = OpKind::Unreachable;
    op.range = range;
    return function_.ops.add(std::move(op));
  }

  // Whether the op stays.
  bool one(OpId id, RegionId region) {
    Op& op = function_.ops[id];
    if (op.kind == OpKind::Var) return false;
    if (op.kind == OpKind::Set) {
      ValueId to = replaced_.resolve(op.operands[1]);
      uint32_t var = var_of_[op.operands[0].index];
      Value& named = function_.values[to];
      if (named.name.empty()) named.name = function_.values[variables_[var].slot].name;
      assign(var, to);
      return false;
    }
    if (op.kind == OpKind::Get) {
      replaced_.add(op.results[0], value(var_of_[op.operands[0].index]));
      return false;
    }
    replaced_.resolve(op.operands);
    if (is_terminator(op.kind))
      terminator(id, op, region);
    else if (has_regions(op.kind))
      control(id, op);
    return true;
  }

  void terminator(OpId id, Op& op, RegionId region) {
    OpId target = tree_.target[id.index];
    if (!target.valid()) return;
    const Control& control = controls_[target.index];
    const Op& ends = function_.ops[target];
    bool is_cond = ends.kind == OpKind::While && ends.regions[0] == region;
    bool next_turn =
        is_loop(ends.kind) && !is_cond && (op.kind == OpKind::Yield || op.kind == OpKind::Continue);
    if (next_turn)
      append(op.operands, control.carried);
    else
      reached_[target.index] = true;
    // a loop's results may include what only its next turn reads
    if (!next_turn)
      append(op.operands, control.results, op.kind == OpKind::Break ? &fallbacks_[target.index] : nullptr);
  }

  // Makes region params for the variables and makes them current.
  std::vector<ValueId> bind(RegionId region, const std::vector<uint32_t>& vars) {
    std::vector<ValueId> params;
    for (uint32_t var : vars) {
      params.push_back(new_value(var));
      assign(var, params.back());
    }
    auto& all = function_.regions[region].params;
    all.insert(all.end(), params.begin(), params.end());
    return params;
  }

  void control(OpId id, Op& op) {
    const Control& control = controls_[id.index];
    size_t mark = undo_.size();
    reached_[id.index] = op.kind == OpKind::For;
    if (is_loop(op.kind)) append(op.operands, control.carried);
    if (op.kind == OpKind::While) {
      bind(op.regions[0], control.carried);
      region(op.regions[0]);
      undo_to(mark);
      fallbacks_[id.index] = bind(op.regions[1], control.results);
      std::vector<OpId>& body = function_.regions[op.regions[1]].ops;
      if (reached_[id.index])
        region(op.regions[1]);
      else
        body = {new_unreachable(op.range)};  // `cond` never comes to its yield
    } else {
      if (op.kind == OpKind::For) fallbacks_[id.index] = bind(op.regions[0], control.carried);
      for (RegionId nested : op.regions) {
        size_t arm = undo_.size();
        region(nested);
        undo_to(arm);
      }
    }
    undo_to(mark);
    for (uint32_t var : control.modified.common(control.modified)) assign(var, kDropped);
    for (uint32_t var : control.results) {
      ValueId result = new_value(var);
      function_.ops[id].results.push_back(result);
      assign(var, result);
    }
  }

  // In place of a value that nothing reads.
  static constexpr ValueId kDropped{UINT32_MAX - 1};

  Function& function_;
  const Tree& tree_;
  std::vector<Variable> variables_;
  const std::vector<uint32_t>& var_of_;
  const std::vector<Control>& controls_;
  std::vector<ValueId> current_, zeros_;
  std::vector<std::pair<uint32_t, ValueId>> undo_;
  std::vector<OpId> zero_ops_;
  std::vector<std::vector<ValueId>> fallbacks_;  // by loop: the params that hold its results' variables
  std::vector<bool> reached_;                    // by control op: a thread may come to its end
  Replacements replaced_;
};

}  // namespace

bool promote_variables(Function& function) {
  Tree tree(function);
  std::vector<Variable> variables;
  std::vector<uint32_t> var_of(function.values.size(), kNoVar);
  for (OpId id : tree.order) {
    const Op& op = function.ops[id];
    if (op.kind != OpKind::Var) continue;
    ValueId slot = op.results[0];
    var_of[slot.index] = static_cast<uint32_t>(variables.size());
    variables.push_back({slot, function.type(slot).value()});
  }
  if (variables.empty()) return false;
  std::vector<Control> controls = Liveness(function, tree, var_of, variables.size()).run();
  Promoter(function, tree, std::move(variables), var_of, controls).run();
  return true;
}

}  // namespace lanewise::ir
