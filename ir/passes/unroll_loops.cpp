// Unrolls loops with a small known number of turns, innermost first: what a turn computes from its number is
// then a constant, and barriers in them are met in a straight line.
//
//   %r = for %0, %2, %1, %a do(%k, %s) {      %s.1 = add %a, %0
//     %s.1 = add %s, %k                   ->  %s.2 = add %s.1, %1
//     yield %s.1                              (%r is %s.2)
//   }
//
// A while is unrolled where its condition can be computed beforehand: `k = 128; while k > 0: ...; k //= 2`.
// Loops that are left by break or continue stay.
#include <algorithm>
#include <map>

#include "ir/ir.h"
#include "ir/passes/clone.h"
#include "ir/passes/simplify.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

constexpr uint64_t kMaxTurns = 16;
constexpr size_t kMaxOps = 200;  // of all turns together
constexpr int kMaxDepth = 12;    // of what decides a while

class Unroller {
 public:
  explicit Unroller(Function& function) : f_(function), tree_(function) {}

  bool run() {
    visit(f_.body);
    return changed_;
  }

 private:
  void visit(RegionId region) {
    std::vector<OpId> ops = f_.regions[region].ops, result;
    for (OpId id : ops) {
      for (RegionId inner : std::vector<RegionId>(f_.ops[id].regions)) visit(inner);
      replacements_.resolve(f_.ops[id].operands);
      if (is_loop(f_.ops[id].kind) && unroll(id, result)) {
        changed_ = true;
        continue;
      }
      result.push_back(id);
    }
    f_.regions[region].ops = std::move(result);
  }

  // Whether a turn may be copied, and how many ops it has.
  bool may_copy(RegionId region, bool in_loop, size_t& ops) const {
    for (OpId id : f_.regions[region].ops) {
      const Op& op = f_.ops[id];
      ++ops;
      switch (op.kind) {
        case OpKind::Break:
        case OpKind::Continue:
          if (!in_loop) return false;
          break;
        case OpKind::SharedArray:  // two ops would be two arrays
        case OpKind::LocalArray: return false;
        default: break;
      }
      for (RegionId inner : op.regions)
        if (!may_copy(inner, in_loop || is_loop(op.kind), ops)) return false;
    }
    return true;
  }
  bool ends_in_yield(RegionId region) const {
    return f_.ops[f_.regions[region].ops.back()].kind == OpKind::Yield;
  }

  bool unroll(OpId id, std::vector<OpId>& into) {
    const Op& loop = f_.ops[id];
    size_t ops = 0;
    for (RegionId region : loop.regions)
      if (!ends_in_yield(region) || !may_copy(region, false, ops)) return false;
    std::optional<uint64_t> turns = loop.kind == OpKind::For ? turns_of_for(loop) : turns_of_while(loop);
    if (!turns || *turns > kMaxTurns || ops * *turns > kMaxOps) return false;
    loop.kind == OpKind::For ? unroll_for(id, *turns, into) : unroll_while(id, *turns, into);
    return true;
  }

  std::optional<uint64_t> turns_of_for(const Op& loop) const {
    Bits bounds[3];
    for (size_t i = 0; i < 3; ++i) {
      std::optional<Bits> known = constant_bits(f_, tree_.definition, loop.operands[i]);
      if (!known) return std::nullopt;
      bounds[i] = *known;
    }
    return trip_count(f_.type(loop.operands[0]), bounds[0], bounds[1], bounds[2]);
  }

  // --- while: its condition, turn by turn
  using Known = std::map<ValueId, std::optional<Bits>>;
  std::optional<Bits> evaluate(ValueId v, Known& known, int depth = 0) const {
    if (auto found = known.find(v); found != known.end()) return found->second;
    if (std::optional<Bits> constant = constant_bits(f_, tree_.definition, v)) return constant;
    const Op* op = definition_of(f_, tree_.definition, v);
    std::optional<Bits> result;
    if (op && is_scalar_op(op->kind) && depth < kMaxDepth) {
      Bits operands[4];
      size_t count = 0;
      for (ValueId operand : op->operands) {
        std::optional<Bits> bits = evaluate(operand, known, depth + 1);
        if (!bits) return known[v] = std::nullopt;
        operands[count++] = *bits;
      }
      Type type = f_.type(op->operands[op->kind == OpKind::Select ? 1 : 0]);
      result = evaluate_scalar(op->kind, type, f_.type(v), operands);
    }
    return known[v] = result;
  }

  std::optional<uint64_t> turns_of_while(const Op& loop) const {
    const std::vector<ValueId>&carried = f_.regions[loop.regions[0]].params,
          &inner = f_.regions[loop.regions[1]].params;
    const Op &test = f_.ops[f_.regions[loop.regions[0]].ops.back()],
             &last = f_.ops[f_.regions[loop.regions[1]].ops.back()];
    Known none;
    std::vector<std::optional<Bits>> values;
    for (ValueId v : loop.operands) values.push_back(evaluate(v, none));
    for (uint64_t turn = 0; turn <= kMaxTurns; ++turn) {
      Known known;
      for (size_t i = 0; i < carried.size(); ++i) known[carried[i]] = values[i];
      std::optional<Bits> goes_on = evaluate(test.operands[0], known);
      if (!goes_on) return std::nullopt;
      if (*goes_on == 0) return turn;
      for (size_t i = 0; i < inner.size(); ++i) known[inner[i]] = evaluate(test.operands[i + 1], known);
      for (size_t i = 0; i < values.size(); ++i) values[i] = evaluate(last.operands[i], known);
    }
    return std::nullopt;
  }

  // --- copies
  // A copy of a region behind `into`, with its params as given. Returns what it yields.
  std::vector<ValueId> copy(RegionId region, const std::vector<ValueId>& params, std::vector<OpId>& into) {
    Cloner cloner(f_, f_);
    for (uint32_t v = 0; v < f_.values.size(); ++v) cloner.map(ValueId{v}, ValueId{v});
    for (size_t i = 0; i < params.size(); ++i) cloner.map(f_.regions[region].params[i], params[i]);
    std::vector<OpId>& ops = f_.regions[cloner.region(region, false)].ops;
    OpId last = ops.back();
    into.insert(into.end(), ops.begin(), ops.end() - 1);
    ops.clear();
    return f_.ops[last].operands;
  }

  void unroll_for(OpId id, uint64_t turns, std::vector<OpId>& into) {
    const Op& loop = f_.ops[id];
    Type type = f_.type(loop.operands[0]);
    Bits counter = *constant_bits(f_, tree_.definition, loop.operands[0]);
    Bits step = *constant_bits(f_, tree_.definition, loop.operands[2]);
    std::vector<ValueId> carried(loop.operands.begin() + 3, loop.operands.end());
    for (uint64_t turn = 0; turn < turns; ++turn) {
      Op constant;
      constant.kind = OpKind::Const;
      constant.range = loop.range;
      constant.call_site = loop.call_site;
      constant.immediate = immediate_of(canonical_bits(type, counter), type);
      ValueId value = f_.values.add({"", type});
      constant.results = {value};
      into.push_back(f_.ops.add(std::move(constant)));
      std::vector<ValueId> params{value};
      params.insert(params.end(), carried.begin(), carried.end());
      carried = copy(loop.regions[0], params, into);
      counter += step;
    }
    finish(loop, carried);
  }

  void unroll_while(OpId id, uint64_t turns, std::vector<OpId>& into) {
    const Op& loop = f_.ops[id];
    std::vector<ValueId> carried = loop.operands;
    for (uint64_t turn = 0;; ++turn) {
      std::vector<ValueId> tested = copy(loop.regions[0], carried, into);
      tested.erase(tested.begin());
      if (turn == turns) return finish(loop, tested);
      carried = copy(loop.regions[1], tested, into);
    }
  }

  void finish(const Op& loop, const std::vector<ValueId>& results) {
    for (size_t i = 0; i < results.size(); ++i)
      replacements_.add(loop.results[i], replacements_.resolve(results[i]));
  }

  Function& f_;
  Tree tree_;
  Replacements replacements_;
  bool changed_ = false;
};

}  // namespace

bool unroll_loops(Function& function) { return Unroller(function).run(); }

}  // namespace lanewise::ir
