// For each loop: the conditions that end it, what these are computed from (backwards through the loop,
// carried values included), and of that the loads whose address is the same in every turn.
#include "codegen/common/loop_exit_loads.h"

namespace lanewise::codegen {
namespace {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

bool is_loop(OpKind kind) { return kind == OpKind::For || kind == OpKind::While; }

class Finder {
 public:
  explicit Finder(const ir::Function& function)
      : f_(function),
        parent_(function.ops.size()),
        definition_(function.values.size()),
        owner_(function.values.size()),
        enders_(function.ops.size()),
        begin_(function.ops.size()),
        end_(function.ops.size()),
        marked_(function.ops.size()),
        seen_(function.values.size()),
        fixed_(function.values.size()) {
    index(function.body, {});
  }

  std::vector<bool> run() {
    for (OpId id : order_)
      if (is_loop(f_.ops[id].kind)) visit_loop(id);
    return std::move(marked_);
  }

 private:
  // Where a region's parameter belongs.
  struct Param {
    OpId op;  // invalid: the function's own
    RegionId region;
    size_t index = 0;
  };

  // Fills the tables; ops in program order, outer before inner.
  void index(RegionId region, OpId owner) {
    const ir::Region& r = f_.regions[region];
    for (size_t i = 0; i < r.params.size(); ++i) owner_[r.params[i].index] = {owner, region, i};
    for (OpId id : r.ops) {
      const ir::Op& op = f_.ops[id];
      parent_[id.index] = owner;
      begin_[id.index] = order_.size();
      order_.push_back(id);
      for (ValueId v : op.results) definition_[v.index] = id;
      if (OpId ended = ended_by(id); ended.valid()) enders_[ended.index].push_back(id);
      for (RegionId nested : op.regions) index(nested, id);
      end_[id.index] = order_.size();
    }
  }

  // What a yield, continue, break or leave ends, or a turn of it.
  OpId ended_by(OpId id) const {
    const ir::Op& op = f_.ops[id];
    OpId at = parent_[id.index];
    if (op.kind == OpKind::Yield) return at;
    if (op.kind == OpKind::Break || op.kind == OpKind::Continue) {
      while (at.valid() && !is_loop(f_.ops[at].kind)) at = parent_[at.index];
      return at;
    }
    if (op.kind != OpKind::Leave) return {};
    int64_t skip = std::get<int64_t>(op.immediate);
    for (; at.valid(); at = parent_[at.index])
      if (f_.ops[at].kind == OpKind::Scope && skip-- == 0) return at;
    return {};
  }

  bool inside(OpId id, OpId loop) const {
    return id.valid() && begin_[id.index] >= begin_[loop.index] && begin_[id.index] < end_[loop.index];
  }

  bool leaves(const ir::Op& op, OpId id, OpId loop) const {
    if (op.kind == OpKind::Return || op.kind == OpKind::Exit) return true;
    if (op.kind == OpKind::Break) return ended_by(id) == loop;
    return op.kind == OpKind::Leave && !inside(ended_by(id), loop);
  }

  void visit_loop(OpId loop) {
    ++visit_;
    for (size_t i = begin_[loop.index] + 1; i < end_[loop.index]; ++i) {
      OpId id = order_[i];
      const ir::Op& op = f_.ops[id];
      // What every turn computes alike.
      bool fixed = ir::info(op.kind).effect == ir::Effect::None && op.regions.empty();
      for (ValueId v : op.operands) fixed = fixed && is_fixed(v, loop);
      for (ValueId v : op.results) fixed_[v.index] = fixed ? visit_ : 0;
      if (leaves(op, id, loop)) push_deciders(id, loop);
    }
    push_condition(loop);
    while (!work_.empty()) {
      ValueId v = work_.back();
      work_.pop_back();
      trace(v, loop);
    }
  }

  // What decides that the op, inside `outer`, is reached: the conditions of the ifs and whiles around it.
  void push_deciders(OpId id, OpId outer) {
    for (OpId at = parent_[id.index]; at != outer; at = parent_[at.index]) {
      if (f_.ops[at].kind == OpKind::If) push(f_.ops[at].operands[0]);
      push_condition(at);
    }
  }

  void push_condition(OpId loop) {
    if (f_.ops[loop].kind != OpKind::While) return;
    for (OpId id : enders_[loop.index])
      if (is_condition(id, loop)) push(f_.ops[id].operands[0]);
  }

  // Whether the op is the yield of a while's `cond`.
  bool is_condition(OpId id, OpId loop) const {
    const ir::Op& op = f_.ops[loop];
    return op.kind == OpKind::While && f_.ops[id].kind == OpKind::Yield &&
           f_.regions[op.regions[0]].ops.back() == id;
  }

  bool is_fixed(ValueId v, OpId loop) const {
    OpId definition = definition_[v.index];
    if (definition.valid()) return !inside(definition, loop) || fixed_[v.index] == visit_;
    const Param& param = owner_[v.index];
    return !param.op.valid() || !inside(param.op, loop);
  }

  void push(ValueId v) {
    if (seen_[v.index] == visit_) return;
    seen_[v.index] = visit_;
    work_.push_back(v);
  }

  void trace(ValueId v, OpId loop) {
    OpId id = definition_[v.index];
    if (!id.valid()) return trace_param(owner_[v.index], loop);
    if (!inside(id, loop) || id == loop) return;
    const ir::Op& op = f_.ops[id];
    if (ir::is_load(op.kind) && is_fixed(op.operands[0], loop) && is_fixed(op.operands[1], loop)) mark(id);
    for (ValueId operand : op.operands) push(operand);
    for (size_t r = 0; r < op.results.size(); ++r)
      if (op.results[r] == v) push_handed(id, r);
  }

  // The values that come out of a control op as its result number r, and what decides which of them does.
  void push_handed(OpId id, size_t r) {
    for (OpId ender : enders_[id.index]) {
      const ir::Op& op = f_.ops[ender];
      push_deciders(ender, id);
      size_t at = is_condition(ender, id) ? r + 1 : r;
      if (at < op.operands.size()) push(op.operands[at]);
    }
  }

  void trace_param(const Param& param, OpId loop) {
    if (!param.op.valid() || !inside(param.op, loop)) return;
    const ir::Op& op = f_.ops[param.op];
    bool counts = op.kind == OpKind::For;
    if (counts && param.index == 0) return;
    size_t carried = counts ? param.index - 1 : param.index;
    size_t first = counts ? carried + 3 : carried;
    bool is_do = op.kind == OpKind::While && param.region == op.regions[1];
    if (!is_do && first < op.operands.size()) push(op.operands[first]);
    push_handed(param.op, carried);
  }

  void mark(OpId id) {
    ir::Space space = f_.type(f_.ops[id].operands[0]).space;
    marked_[id.index] =
        space == ir::Space::Global || space == ir::Space::Shared || space == ir::Space::Generic;
  }

  const ir::Function& f_;
  std::vector<OpId> parent_;               // by op: the op whose region holds it
  std::vector<OpId> definition_;           // by value: the op it is a result of
  std::vector<Param> owner_;               // by value, of region parameters
  std::vector<std::vector<OpId>> enders_;  // by op: the ops that end it or a turn of it
  std::vector<OpId> order_;
  std::vector<size_t> begin_, end_;  // by op: it and what is inside it, as a stretch of order_
  std::vector<bool> marked_;
  uint32_t visit_ = 0;  // number of the loop that is being visited; by value: the last visit that
  std::vector<uint32_t> seen_, fixed_;  // saw it, and that found it the same in every turn
  std::vector<ValueId> work_;
};

}  // namespace

std::vector<bool> loop_exit_loads(const ir::Function& function) { return Finder(function).run(); }

}  // namespace lanewise::codegen
