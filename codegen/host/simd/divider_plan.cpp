// A loop's turn takes as long as the divider is busy or as the other vector ops take, whichever is longer:
// both are counted for the gang, and forms are changed one after the other for as long as that gets shorter.
#include "codegen/host/simd/divider_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "codegen/host/simd/lanes.h"

namespace lanewise::codegen::host {
namespace {

using ir::OpId;
using ir::OpKind;
using ir::ValueId;

constexpr double kLeastGain = 1.06;

struct Option {
  double divider = 0, others = 0;  // cycles for the gang
  bool mixed = false;
  std::vector<std::pair<OpId, DividerForm>> forms;
};
using Options = std::vector<Option>;  // the first: all by instruction
using Flow = std::multimap<ValueId, ValueId>;

struct Work {
  double divider = 0, others = 0;
  // How much of the shorter one is not hidden behind the longer.
  double time(double clash) const { return std::max(divider, others) + clash * std::min(divider, others); }
};

class DividerPlanner {
 public:
  DividerPlanner(const ir::Function& f, const Plan& plan, const Tree& tree, const Shapes& shapes,
                 const DividerCosts& costs)
      : f_(f),
        plan_(plan),
        tree_(tree),
        shapes_(shapes),
        costs_(costs),
        forms_(f.ops.size()),
        uses_(f.values.size()) {
    for (uint32_t i = 0; i < f.ops.size(); ++i)
      for (ValueId v : f.ops[OpId{i}].operands) uses_[plan.resolve(v).index].push_back(OpId{i});
  }

  std::vector<DividerForm> run() {
    visit_body({f_.body}, {});
    return std::move(forms_);
  }

 private:
  // --- counting
  bool varies(ValueId v) const { return shapes_.varying[plan_.resolve(v).index]; }
  bool is_line(ValueId v) const { return shapes_.lines[plan_.resolve(v).index]; }
  double vectors(ir::Type type) const {
    return std::max(1.0, static_cast<double>(kGang * type.bits) / costs_.vector_bits);
  }
  // Whether a sum is rounded together with a product.
  bool is_fused(const ir::Op& op) const {
    if ((op.kind != OpKind::Add && op.kind != OpKind::Sub) || !f_.float_mode_of(op).contract) return false;
    return std::any_of(op.operands.begin(), op.operands.end(), [&](ValueId v) {
      OpId made = tree_.definition(plan_.resolve(v));
      return made.valid() && f_.ops[made].kind == OpKind::Mul && uses_[plan_.resolve(v).index].size() == 1;
    });
  }
  // Vector ops that an op takes besides divisions and roots, for the gang.
  double ops_of(const ir::Op& op) const {
    constexpr double kElementary = 25, kIntegerQuotient = 10, kLane = 2;
    bool memory = ir::is_load(op.kind) || ir::is_store(op.kind);
    if (memory) {
      bool gathers = varies(op.operands[1]) && !is_line(op.operands[1]);
      return gathers ? kLane * kGang : 0;
    }
    if (ir::is_atomic(op.kind) || op.kind == OpKind::Call) return 4 * kLane * kGang;
    if (op.results.empty() || !varies(op.results[0]) || op.operands.empty() || is_line(op.results[0]))
      return 0;
    ir::Type type = f_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]);
    if (!type.is_int() && !type.is_float() && !type.is_bool()) return 0;
    if (op.kind >= OpKind::Cbrt && op.kind <= OpKind::Remainder) return kElementary * vectors(type);
    if (op.kind == OpKind::FloorDiv || op.kind == OpKind::FloorMod)
      return kIntegerQuotient * vectors(ir::kF64);
    if (op.kind == OpKind::Neg || op.kind == OpKind::Abs || is_fused(op)) return 0;
    return vectors(type.bits > f_.type(op.results[0]).bits ? type : f_.type(op.results[0]));
  }

  // --- loops
  struct Body {
    Work work;
    std::vector<Options> choices;
  };
  void visit_body(std::vector<ir::RegionId> regions, OpId loop) {
    Body body;
    for (ir::RegionId region : regions) visit(region, loop, body);
    if (loop.valid() && !body.choices.empty()) {
      Flow flow = flow_in(loop);
      std::erase_if(body.choices, [&](const Options& options) {
        const auto& forms = options.back().forms;
        return std::any_of(forms.begin(), forms.end(),
                           [&](const auto& form) { return is_carried(f_.ops[form.first].results[0], flow); });
      });
    }
    choose(body);
    constexpr double kTurns = 8;  // of a loop inside another
    last_.divider = kTurns * body.work.divider, last_.others = kTurns * body.work.others;
  }

  void visit(ir::RegionId region, OpId loop, Body& body) {
    for (OpId id : f_.regions[region].ops) {
      const ir::Op& op = f_.ops[id];
      if (op.kind == OpKind::For || op.kind == OpKind::While) {
        visit_body(op.regions, id);
        body.work.divider += last_.divider, body.work.others += last_.others;
        continue;
      }
      for (ir::RegionId inner : op.regions) visit(inner, loop, body);
      if (op.results.size() == 1 && varies(op.results[0])) {
        if (std::optional<Options> options = options_of(id, loop)) {
          body.work.divider += options->front().divider, body.work.others += options->front().others;
          constexpr size_t kMost = 48;  // choices in a loop: beyond, all by instruction
          if (body.choices.size() < kMost && options->size() > 1) body.choices.push_back(std::move(*options));
          continue;
        }
      }
      body.work.others += ops_of(op) / costs_.other_ops;
    }
  }

  // Whether a turn needs the value to compute that of the next: there the sequences' longer wait counts.
  bool is_carried(ValueId value, const Flow& flow) const {
    std::set<ValueId> seen;
    std::vector<ValueId> next{value};
    while (!next.empty()) {
      auto [begin, end] = flow.equal_range(next.back());
      next.pop_back();
      for (auto to = begin; to != end; ++to) {
        if (to->second == value) return true;
        if (seen.insert(to->second).second) next.push_back(to->second);
      }
    }
    return false;
  }
  // Of what values are made, in a loop.
  Flow flow_in(OpId loop) const {
    Flow flow;
    auto connect = [&](const std::vector<ValueId>& from, size_t skip, const std::vector<ValueId>& to,
                       size_t skip_to) {
      for (size_t i = 0; i + skip < from.size() && i + skip_to < to.size(); ++i)
        flow.emplace(plan_.resolve(from[i + skip]), to[i + skip_to]);
    };
    std::vector<OpId> ops;
    for (ir::RegionId region : f_.ops[loop].regions) gather(region, ops);
    for (OpId id : ops) {
      const ir::Op& op = f_.ops[id];
      auto params = [&](const ir::Op& of, size_t i) -> const std::vector<ValueId>& {
        return f_.regions[of.regions[i]].params;
      };
      if (op.kind == OpKind::For) {
        connect(op.operands, 3, params(op, 0), 1);
      } else if (op.kind == OpKind::While) {
        connect(op.operands, 0, params(op, 0), 0);
      } else if (ir::is_terminator(op.kind)) {
        OpId target = tree_.target(id);
        if (!target.valid()) continue;
        const ir::Op& ended = f_.ops[target];
        bool is_loop = ended.kind == OpKind::For || ended.kind == OpKind::While;
        bool condition = ended.kind == OpKind::While && f_.regions[ended.regions[0]].ops.back() == id;
        connect(op.operands, condition, ended.results, 0);
        if (condition)
          connect(op.operands, 1, params(ended, 1), 0);
        else if (is_loop && op.kind != OpKind::Break)
          connect(op.operands, 0, params(ended, 0), ended.kind == OpKind::For);
      } else if (op.regions.empty()) {
        for (ValueId from : op.operands)
          for (ValueId to : op.results) flow.emplace(plan_.resolve(from), to);
      }
    }
    return flow;
  }
  void gather(ir::RegionId region, std::vector<OpId>& ops) const {
    for (OpId id : f_.regions[region].ops) {
      for (ir::RegionId inner : f_.ops[id].regions) gather(inner, ops);
      ops.push_back(id);
    }
  }

  // --- options
  bool is_one(ValueId v) const {
    OpId made = tree_.definition(plan_.resolve(v));
    if (!made.valid() || f_.ops[made].kind != OpKind::Const) return false;
    const auto* number = std::get_if<double>(&f_.ops[made].immediate);
    return number && *number == 1;
  }
  // 2**n, by which LLVM multiplies.
  bool is_power_of_two(ValueId v) const {
    OpId made = tree_.definition(plan_.resolve(v));
    if (!made.valid() || f_.ops[made].kind != OpKind::Const) return false;
    const auto* number = std::get_if<double>(&f_.ops[made].immediate);
    int exponent = 0;
    return number && std::abs(std::frexp(*number, &exponent)) == 0.5;
  }

  std::optional<Options> options_of(OpId id, OpId loop) {
    const ir::Op& op = f_.ops[id];
    bool root = op.kind == OpKind::Sqrt || op.kind == OpKind::Rsqrt;
    if (!root && op.kind != OpKind::Div) return std::nullopt;
    ir::Type type = f_.type(op.results[0]);
    if (!type.is_float() || type.bits == 16) return std::nullopt;
    if (f_.float_mode_of(op).fast_math) return fast(op, type);
    if (root) return root_options(id, type);
    if (of_root_.count(id)) return Options{Option{}};  // counted with the root
    return quotient_options(id, type, loop);
  }

  double cost(DividerOp op, ir::Type type) const { return costs_.of(op, type.bits).instruction; }
  unsigned parts(ir::Type type) const { return static_cast<unsigned>(vectors(type)); }

  Options fast(const ir::Op& op, ir::Type type) const {
    DividerOp what = op.kind == OpKind::Sqrt    ? DividerOp::Root
                     : op.kind == OpKind::Rsqrt ? DividerOp::ReciprocalRoot
                     : !varies(op.operands[1])  ? DividerOp::KnownQuotient
                                                : DividerOp::Quotient;
    const DividerCost& cost = costs_.of(what, type.bits);
    bool gains = cost.fast < cost.instruction;
    Option option;
    (gains ? option.others : option.divider) = vectors(type) * (gains ? cost.fast : cost.instruction);
    return {option};
  }

  // All by instruction, and all forms with so many parts by it. `fixed`: of the divider in any form.
  Options mixes(OpId id, DividerOp what, ir::Type type, double fixed = 0, double guard = 0) const {
    DividerCost cost = costs_.of(what, type.bits);
    cost.exact += guard;
    unsigned all = parts(type);
    Options options{Option{all * cost.instruction, 0, false, {{id, {}}}}};
    if (cost.exact == kNoForm) return options;
    for (unsigned k = 0; k < all; ++k)
      options.push_back(
          {fixed + k * cost.instruction, (all - k) * cost.exact, k > 0, {{id, {false, what, k}}}});
    return options;
  }

  Options root_options(OpId id, ir::Type type) {
    const ir::Op& op = f_.ops[id];
    if (op.kind == OpKind::Rsqrt) return mixes(id, DividerOp::ReciprocalRoot, type);
    std::vector<OpId> quotients;
    for (OpId use : uses_[plan_.resolve(op.results[0]).index]) {
      const ir::Op& user = f_.ops[use];
      bool divides = user.kind == OpKind::Div &&
                     plan_.resolve(user.operands[1]) == plan_.resolve(op.results[0]) &&
                     plan_.resolve(user.operands[0]) != plan_.resolve(op.results[0]) &&
                     !f_.float_mode_of(user).fast_math && tree_.parent(use) == tree_.parent(id);
      if (divides) quotients.push_back(use);
    }
    if (quotients.empty()) return mixes(id, DividerOp::Root, type);
    Options options = mixes(id, DividerOp::Root, type);  // the quotients by instruction
    for (Option& option : options)
      option.divider +=
          static_cast<double>(quotients.size()) * vectors(type) * cost(DividerOp::Quotient, type),
          option.mixed = true;
    size_t first = options.size();
    Options with_reciprocal = mixes(id, DividerOp::ReciprocalRoot, type);
    options.insert(options.end(), with_reciprocal.begin() + 1, with_reciprocal.end());
    for (OpId quotient : quotients) {
      of_root_.insert(quotient);
      bool one = is_one(f_.ops[quotient].operands[0]);
      for (size_t i = first; i < options.size(); ++i) {
        options[i].forms.push_back({quotient, {false, DividerOp::KnownQuotient, 0}});
        if (!one) options[i].others += vectors(type) * costs_.of(DividerOp::KnownQuotient, type.bits).exact;
      }
    }
    return options;
  }

  Options quotient_options(OpId id, ir::Type type, OpId loop) {
    const ir::Op& op = f_.ops[id];
    ValueId divisor = plan_.resolve(op.operands[1]);
    if (!varies(divisor)) {
      if (is_power_of_two(divisor)) return {Option{}};
      return mixes(id, DividerOp::KnownQuotient, type);
    }
    if (is_one(op.operands[0])) return mixes(id, DividerOp::Reciprocal, type);
    // By a divisor that is there before the loop, the reciprocal is too; one that divides several is shared.
    OpId made = tree_.definition(divisor);
    bool before = loop.valid() && made.valid() && !tree_.is_inside(made, loop);
    std::vector<OpId> group;
    for (OpId use : uses_[divisor.index]) {
      const ir::Op& user = f_.ops[use];
      if (user.kind == OpKind::Div && plan_.resolve(user.operands[1]) == divisor &&
          plan_.resolve(user.operands[0]) != divisor && !is_one(user.operands[0]) &&
          !f_.float_mode_of(user).fast_math && tree_.parent(use) == tree_.parent(id))
        group.push_back(use);
    }
    bool shared = group.size() > 1 || before;
    if (!shared || std::find(group.begin(), group.end(), id) == group.end())
      return mixes(id, DividerOp::Quotient, type);
    if (group.front() != id) return {Option{}};  // counted with the first
    double reciprocal = before ? 0 : vectors(type) * cost(DividerOp::Reciprocal, type);
    Options options = mixes(id, DividerOp::KnownQuotient, type, reciprocal, costs_.divisor_guard);
    for (size_t i = 0; i < options.size(); ++i) {
      Option one = options[i];
      for (size_t k = 1; k < group.size(); ++k) {
        options[i].divider += one.divider - (i > 0 ? reciprocal : 0), options[i].others += one.others;
        options[i].forms.push_back({group[k], one.forms[0].second});
      }
    }
    return options;
  }

  // --- choosing
  void choose(Body& body) {
    std::vector<size_t> chosen(body.choices.size(), 0);
    constexpr double kByInstruction = 0.15;
    double clash = kByInstruction;
    Work best = body.work;
    double before = best.time(clash);
    for (;;) {
      Work work = best;
      double time = best.time(clash) * 0.995;
      size_t which = chosen.size(), how = 0;
      for (size_t i = 0; i < chosen.size(); ++i) {
        const Option& now = body.choices[i][chosen[i]];
        for (size_t k = 0; k < body.choices[i].size(); ++k) {
          const Option& option = body.choices[i][k];
          Work changed{best.divider - now.divider + option.divider, best.others - now.others + option.others};
          double its_time = changed.time(option.mixed ? costs_.clash : clash);
          if (k == chosen[i] || its_time >= time) continue;
          time = its_time, work = changed, which = i, how = k;
        }
      }
      if (which == chosen.size()) break;
      chosen[which] = how;
      if (body.choices[which][how].mixed) clash = costs_.clash;
      best = work;
    }
    if (before < kLeastGain * best.time(clash)) return;
    body.work = best;
    for (size_t i = 0; i < chosen.size(); ++i)
      for (const auto& [id, form] : body.choices[i][chosen[i]].forms) forms_[id.index] = form;
  }

  const ir::Function& f_;
  const Plan& plan_;
  const Tree& tree_;
  const Shapes& shapes_;
  const DividerCosts& costs_;
  std::vector<DividerForm> forms_;
  std::vector<std::vector<OpId>> uses_;  // by value
  std::set<OpId> of_root_;               // quotients by a root
  Work last_;                            // of the loop visited last
};

}  // namespace

std::vector<DividerForm> plan_divider(const ir::Function& kernel, const Plan& plan, const Tree& tree,
                                      const Shapes& shapes, const DividerCosts& costs) {
  bool any = std::any_of(kernel.ops.begin(), kernel.ops.end(), [](const ir::Op& op) {
    return op.kind == OpKind::Div || op.kind == OpKind::Sqrt || op.kind == OpKind::Rsqrt;
  });
  if (!any || costs.vector_bits < 256) return std::vector<DividerForm>(kernel.ops.size());
  return DividerPlanner(kernel, plan, tree, shapes, costs).run();
}

}  // namespace lanewise::codegen::host
