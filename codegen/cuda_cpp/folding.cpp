#include "codegen/cuda_cpp/folding.h"

#include "codegen/cuda_cpp/names.h"
#include "ir/memory_order.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

bool is_leaf(OpKind kind) {
  switch (kind) {
    case OpKind::Const:
    case OpKind::Data:
    case OpKind::SharedArray:
    case OpKind::LocalArray: return true;
    default: return false;
  }
}

namespace {

constexpr size_t kLargest = 16;      // ops of one expression
constexpr size_t kLargestBound = 3;  // of a bound that a loop computes in every turn

class Folder {
 public:
  Folder(const ir::Function& function, const Places& places)
      : f_(function), p_(places), sites_(function.ops.size()), out_{{}, {}} {
    out_.folded.resize(function.ops.size());
    out_.conditional.resize(function.ops.size());
    find_clobbers();
  }

  Folding run() {
    for (size_t i = p_.order.size(); i-- > 0;) decide(p_.order[i]);
    split_large();
    return std::move(out_);
  }

 private:
  // Where an op's value is computed: one statement, or several.
  struct Site {
    OpId op;  // invalid: nowhere yet
    bool many = false;
  };

  const ir::Op& op(OpId id) const { return f_.ops[id]; }

  static bool acts(OpKind kind) {
    ir::Effect effect = ir::info(kind).effect;
    return effect == ir::Effect::Write || effect == ir::Effect::Barrier || effect == ir::Effect::Warp;
  }

  // An op that may change memory, or that holds one.
  void find_clobbers() {
    clobbers_.resize(f_.ops.size());
    for (size_t i = p_.order.size(); i-- > 0;) {
      OpId id = p_.order[i];
      if (acts(op(id).kind)) clobbers_[id.index] = true;
      OpId outer = p_.owner[p_.region[id.index].index];
      if (clobbers_[id.index] && outer.valid()) clobbers_[outer.index] = true;
    }
  }

  // `t` is what the front end calls the result of a call amid an expression.
  bool is_named(OpId id) const {
    std::string_view name = base_name(f_.values[op(id).results[0]].name);
    return !name.empty() && !(name == "t" && acts(op(id).kind));
  }

  // C++ converts by itself: to a wider integer, without a change of the value.
  bool is_free_cast(const ir::Op& o) const {
    if (o.kind == OpKind::SpaceCast) return true;
    if (o.kind != OpKind::Cast) return false;
    ir::Type from = f_.type(o.operands[0]), to = f_.type(o.results[0]);
    return from.is_int() && to.is_int() && to.bits > from.bits && (from.is_unsigned() || to.is_signed());
  }

  bool is_special(OpKind kind) const { return kind >= OpKind::ThreadIdX && kind <= OpKind::LaneId; }

  void decide(OpId id) {
    const ir::Op& o = op(id);
    sites_[id.index] = {id, false};
    if (o.results.size() != 1) return;
    if (o.kind == OpKind::InlinePtx || o.kind == OpKind::CallExternal) return;  // statements
    if (is_leaf(o.kind)) {
      out_.folded[id.index] = true;
      return;
    }
    Site site = site_of(o.results[0]);
    if (!site.op.valid()) {
      // Used by nobody: only an effect is written.
      out_.folded[id.index] = ir::info(o.kind).effect == ir::Effect::None && o.regions.empty();
      return;
    }
    // Fences stand around it: a statement of its own.
    if (ir::has_order(o.kind) && ir::ordering_of(o).order != ir::MemoryOrder::Relaxed) return;
    if (o.kind == OpKind::If) out_.conditional[id.index] = is_expression(o);
    if (is_named(id)) return;
    bool always = is_free_cast(o) || (is_special(o.kind) && o.kind != OpKind::LaneId);
    if (!always && !may_move(id, site)) return;
    out_.folded[id.index] = true;
    sites_[id.index] = site;
  }

  Site site_of(ValueId v) const {
    Site site;
    for (OpId user : p_.users[v.index]) {
      const Site& one = sites_[user.index];
      if (site.op.valid() || one.many) site.many = true;
      if (!site.op.valid()) site.op = one.op;
    }
    return site;
  }

  // One value, and nothing in the arms that needs a statement.
  bool is_expression(const ir::Op& o) const {
    for (RegionId arm : o.regions) {
      const std::vector<OpId>& ops = f_.regions[arm].ops;
      if (op(ops.back()).kind != OpKind::Yield) return false;
      for (size_t i = 0; i + 1 < ops.size(); ++i)
        if (!out_.folded[ops[i].index] || acts(op(ops[i]).kind)) return false;
    }
    return true;
  }

  bool reads(OpId id) const {
    const ir::Op& o = op(id);
    if (ir::is_load(o.kind)) return true;
    for (RegionId arm : o.regions)
      for (OpId inner : f_.regions[arm].ops)
        if (reads(inner)) return true;
    return false;
  }

  bool may_move(OpId id, const Site& site) const {
    const ir::Op& o = op(id);
    if (site.many) return false;
    if (!o.regions.empty() && !out_.conditional[id.index]) return false;
    if (acts(o.kind)) return moves_act(id, site.op);
    if (is_bound(id, site.op))
      return !reads(id) && o.regions.empty() && o.kind != OpKind::FloorDiv && o.kind != OpKind::FloorMod;
    if (reads(id)) return same_region(id, site.op) && nothing_between(id, site.op, true);
    return no_loop_between(p_.region[id.index], p_.region[site.op.index]);
  }

  // Whether a `for` would compute it in every turn.
  bool is_bound(OpId id, OpId site) const {
    const ir::Op& loop = op(site);
    if (loop.kind != OpKind::For) return false;
    return feeds(id, loop.operands[1]) || feeds(id, loop.operands[2]);
  }
  bool feeds(OpId id, ValueId v) const {
    OpId definition = p_.definition[v.index];
    if (!definition.valid()) return false;
    if (definition == id) return true;
    if (!out_.folded[definition.index]) return false;
    for (ValueId operand : op(definition).operands)
      if (feeds(id, operand)) return true;
    return false;
  }

  bool same_region(OpId a, OpId b) const { return p_.region[a.index] == p_.region[b.index]; }

  bool no_loop_between(RegionId outer, RegionId inner) const {
    while (inner != outer) {
      OpId owner = p_.owner[inner.index];
      OpKind kind = op(owner).kind;
      if (kind == OpKind::For || kind == OpKind::While) return false;
      inner = p_.region[owner.index];
    }
    return true;
  }

  // `writes`: only what may change memory counts; else everything but folded ops that read nothing.
  bool nothing_between(OpId id, OpId site, bool writes) const {
    const std::vector<OpId>& ops = f_.regions[p_.region[id.index]].ops;
    for (uint32_t i = p_.position[id.index] + 1; i < p_.position[site.index]; ++i) {
      OpId between = ops[i];
      if (clobbers_[between.index]) return false;
      if (!writes && (!out_.folded[between.index] || reads(between))) return false;
    }
    return true;
  }

  // An atomic or warp op may be part of the statement right after it, where it is evaluated whatever happens.
  bool moves_act(OpId id, OpId site) const {
    if (!same_region(id, site) || !nothing_between(id, site, false)) return false;
    for (OpId at = id; at != site;) {
      if (at != id) {
        OpKind kind = op(at).kind;
        bool logic = (kind == OpKind::And || kind == OpKind::Or) && f_.type(op(at).results[0]).is_bool();
        if (kind == OpKind::Select || kind == OpKind::If || logic) return false;
      }
      at = p_.users[op(at).results[0].index].front();
    }
    OpKind kind = op(site).kind;
    return kind != OpKind::For && kind != OpKind::While;
  }

  // --- expressions that became too large are cut
  void split_large() {
    sizes_.resize(f_.ops.size());
    for (OpId id : p_.order) {
      const ir::Op& o = op(id);
      size_t size = 1;
      for (ValueId v : o.operands) size += size_of(v);
      for (RegionId arm : o.regions)
        if (out_.conditional[id.index]) size += size_of_arm(arm);
      sizes_[id.index] = size;
      if (!out_.folded[id.index] || is_leaf(o.kind) || o.results.empty()) continue;
      bool in_expression = inside_conditional(id);
      bool bound = !p_.users[o.results[0].index].empty() && is_bound(id, sites_[id.index].op);
      if (!in_expression && size > (bound ? kLargestBound : kLargest) && !is_free_cast(o)) {
        out_.folded[id.index] = false;
        sizes_[id.index] = 1;
      }
    }
  }
  size_t size_of(ValueId v) const {
    OpId definition = p_.definition[v.index];
    if (!definition.valid() || !out_.folded[definition.index]) return 0;
    return is_leaf(op(definition).kind) || is_special(op(definition).kind) ? 0 : sizes_[definition.index];
  }
  size_t size_of_arm(RegionId arm) const {
    size_t size = 0;
    for (OpId inner : f_.regions[arm].ops) size += 1 + f_.ops[inner].operands.size() / 2;
    return size;
  }
  bool inside_conditional(OpId id) const {
    for (OpId owner = p_.owner[p_.region[id.index].index]; owner.valid();
         owner = p_.owner[p_.region[owner.index].index])
      if (out_.conditional[owner.index]) return true;
    return false;
  }

  const ir::Function& f_;
  const Places& p_;
  std::vector<Site> sites_;
  std::vector<bool> clobbers_;
  std::vector<size_t> sizes_;
  Folding out_;
};

}  // namespace

Folding fold_expressions(const ir::Function& function, const Places& places) {
  return Folder(function, places).run();
}

}  // namespace lanewise::codegen::cuda_cpp
