// Backwards through the tree. A value that is read in a loop and set before it is alive all through the loop.
#include "codegen/cuda_cpp/liveness.h"

#include "codegen/cuda_cpp/variables.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

namespace {

using Values = std::vector<ValueId>;

constexpr size_t kMostValues = 12000;  // whose conflicts take 18 MB

class Finder {
 public:
  Finder(const ir::Function& function, const Places& places, const Folding& folding)
      : f_(function), p_(places), folding_(folding), outer_reads_(function.ops.size()) {
    out_.number.assign(function.values.size(), Liveness::kNone);
    for (uint32_t i = 0; i < function.values.size(); ++i)
      if (plain({i}).valid()) out_.number[i] = static_cast<uint32_t>(n_++);
  }

  Liveness run() {
    if (n_ > kMostValues) return std::move(out_);
    out_.conflicts.assign(n_, BitSet(n_));
    find_outer_reads();
    BitSet live = region(f_.body, {});
    for (ValueId param : f_.params()) add(live, param);
    for (ValueId param : f_.params()) define(param, live);
    return std::move(out_);
  }

 private:
  // What a terminator hands its operands to, and what is alive then.
  struct Target {
    const Values* to = nullptr;
    BitSet live;
    std::vector<std::pair<ValueId, ValueId>>* noted = nullptr;
  };
  struct Loop {
    Target next, end;
  };

  void add_reads(ValueId v, BitSet& live) const {
    Values reads;
    collect_reads(f_, p_, folding_, v, reads);
    for (ValueId read : reads) add(live, read);
  }
  void add(BitSet& set, ValueId v) const { set.add(out_.number[v.index]); }
  void remove(BitSet& set, ValueId v) const { set.remove(out_.number[v.index]); }

  // The value itself if it has a variable, else invalid.
  ValueId plain(ValueId v) const {
    OpId definition = p_.definition[v.index];
    return definition.valid() && folding_.folded[definition.index] ? ValueId{} : v;
  }

  void define(ValueId v, BitSet live, ValueId source = {}) {
    remove(live, v);
    if (source.valid()) remove(live, source);
    out_.conflicts[out_.number[v.index]].add(live);
  }

  BitSet hand_over(const Target& target, const Values& from, size_t skip = 0) {
    BitSet live = target.live;
    for (size_t i = 0; i < target.to->size(); ++i) {
      ValueId to = (*target.to)[i], source = plain(from[i + skip]);
      BitSet others = live;
      for (size_t k = 0; k < target.to->size(); ++k) add(others, (*target.to)[k]);
      bool moved = false;  // the source is set anew, too
      for (ValueId other : *target.to) moved |= source == other && other != to;
      define(to, others, moved ? ValueId{} : source);
      if (source.valid() && target.noted) target.noted->emplace_back(to, source);
    }
    for (ValueId to : *target.to) remove(live, to);
    for (size_t i = 0; i < target.to->size(); ++i) add_reads(from[i + skip], live);
    return live;
  }

  bool inside(OpId op, OpId loop) const {
    return p_.begin[op.index] >= p_.begin[loop.index] && p_.begin[op.index] < p_.end[loop.index];
  }
  bool set_inside(ValueId v, OpId loop) const {
    OpId definition = p_.definition[v.index];
    if (definition.valid()) return inside(definition, loop);
    OpId owner = p_.owner[p_.param_of[v.index].index];
    return owner.valid() && inside(owner, loop);
  }

  void find_outer_reads() {
    for (OpId id : p_.order) {
      if (folding_.folded[id.index]) continue;
      Values reads;
      collect_op_reads(f_, p_, folding_, id, reads);
      for (OpId loop = p_.owner[p_.region[id.index].index]; loop.valid();
           loop = p_.owner[p_.region[loop.index].index]) {
        OpKind kind = f_.ops[loop].kind;
        if (kind != OpKind::For && kind != OpKind::While) continue;
        for (ValueId v : reads)
          if (!set_inside(v, loop)) outer_reads_[loop.index].push_back(v);
      }
    }
  }

  BitSet region(RegionId id, const Target& yield) {
    const std::vector<OpId>& ops = f_.regions[id].ops;
    BitSet live = terminator(f_.ops[ops.back()], yield);
    for (size_t i = ops.size() - 1; i-- > 0;)
      if (!folding_.folded[ops[i].index]) live = before(ops[i], std::move(live));
    return live;
  }

  BitSet terminator(const ir::Op& op, const Target& yield) {
    switch (op.kind) {
      case OpKind::Yield: return hand_over(yield, op.operands);
      case OpKind::Continue: return hand_over(loops_.back().next, op.operands);
      case OpKind::Break: return hand_over(loops_.back().end, op.operands);
      case OpKind::Leave:
        return hand_over(scopes_[scopes_.size() - 1 - static_cast<size_t>(std::get<int64_t>(op.immediate))],
                         op.operands);
      default: break;
    }
    BitSet live(n_);
    for (ValueId v : op.operands) add_reads(v, live);
    return live;
  }

  BitSet before(OpId id, BitSet live) {
    const ir::Op& op = f_.ops[id];
    switch (op.kind) {
      case OpKind::If:
        if (!folding_.conditional[id.index]) return before_if(op, live);
        break;
      case OpKind::For: return before_for(id, op, live);
      case OpKind::While: return before_while(id, op, live);
      case OpKind::Scope: {
        scopes_.push_back({&op.results, live, &out_.ends});
        BitSet inner = region(op.regions[0], {&op.results, live, &out_.ends});
        scopes_.pop_back();
        return inner;
      }
      default: break;
    }
    for (ValueId v : op.results) add(live, v);
    for (ValueId v : op.results) define(v, live);
    for (ValueId v : op.results) remove(live, v);
    Values reads;
    collect_op_reads(f_, p_, folding_, id, reads);
    for (ValueId v : reads) add(live, v);
    return live;
  }

  BitSet before_if(const ir::Op& op, const BitSet& after) {
    Target end{&op.results, after, &out_.ends};
    BitSet live = region(op.regions[0], end);
    live.add(region(op.regions[1], end));
    add_reads(op.operands[0], live);
    return live;
  }

  BitSet in_loop(OpId id, const ir::Op& op, const BitSet& after) const {
    BitSet live = after;
    for (ValueId v : op.results) remove(live, v);
    for (ValueId v : outer_reads_[id.index]) add(live, v);
    return live;
  }

  // The carried values are set first, then the counter; the bounds are read in every turn.
  BitSet before_for(OpId id, const ir::Op& op, const BitSet& after) {
    const Values& params = f_.regions[op.regions[0]].params;
    Values carried(params.begin() + 1, params.end());
    BitSet turn = in_loop(id, op, after);
    for (ValueId v : params) add(turn, v);
    add_reads(op.operands[1], turn);
    add_reads(op.operands[2], turn);
    loops_.push_back({{&carried, turn, &out_.turns}, {&op.results, after, &out_.ends}});
    BitSet live = region(op.regions[0], loops_.back().next);
    loops_.pop_back();
    live.add(turn);
    define(params[0], live);
    remove(live, params[0]);
    add_reads(op.operands[0], live);
    Target entry{&carried, live, &out_.entries};
    return hand_over(entry, op.operands, 3);
  }

  BitSet before_while(OpId id, const ir::Op& op, const BitSet& after) {
    const Values &cond_params = f_.regions[op.regions[0]].params,
                 &do_params = f_.regions[op.regions[1]].params;
    BitSet turn = in_loop(id, op, after);
    for (ValueId v : cond_params) add(turn, v);
    loops_.push_back({{&cond_params, turn, &out_.turns}, {&op.results, after, &out_.ends}});
    BitSet body = region(op.regions[1], loops_.back().next);
    loops_.pop_back();
    // `cond` hands over to the params of `do` and to the results, which are one.
    body.add(after);
    for (ValueId v : op.results) remove(body, v);
    body.add(turn);
    for (ValueId v : cond_params) remove(body, v);
    BitSet live = condition(op, {&do_params, body, &out_.turns}, after);
    live.add(turn);
    Target entry{&cond_params, live, &out_.entries};
    return hand_over(entry, op.operands);
  }

  BitSet condition(const ir::Op& op, const Target& decided, const BitSet& after) {
    const std::vector<OpId>& ops = f_.regions[op.regions[0]].ops;
    const ir::Op& yield = f_.ops[ops.back()];
    if (yield.kind != OpKind::Yield) return region(op.regions[0], {});
    BitSet live = hand_over(decided, yield.operands, 1);
    for (size_t i = 0; i < op.results.size(); ++i) define(op.results[i], after, plain(yield.operands[i + 1]));
    add_reads(yield.operands[0], live);
    for (size_t i = ops.size() - 1; i-- > 0;)
      if (!folding_.folded[ops[i].index]) live = before(ops[i], std::move(live));
    return live;
  }

  const ir::Function& f_;
  const Places& p_;
  const Folding& folding_;
  size_t n_ = 0;
  std::vector<Values> outer_reads_;  // by op, of loops: what is read inside and set before
  std::vector<Loop> loops_;
  std::vector<Target> scopes_;
  Liveness out_;
};

}  // namespace

Liveness find_liveness(const ir::Function& function, const Places& places, const Folding& folding) {
  return Finder(function, places, folding).run();
}

}  // namespace lanewise::codegen::cuda_cpp
