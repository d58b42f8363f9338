#include "codegen/cuda_cpp/variables.h"

#include <map>

#include "codegen/cuda_cpp/liveness.h"
#include "codegen/cuda_cpp/names.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

void collect_reads(const ir::Function& function, const Places& places, const Folding& folding, ValueId v,
                   std::vector<ValueId>& reads) {
  OpId definition = places.definition[v.index];
  if (definition.valid() && folding.folded[definition.index])
    collect_op_reads(function, places, folding, definition, reads);
  else
    reads.push_back(v);
}

void collect_op_reads(const ir::Function& function, const Places& places, const Folding& folding, OpId id,
                      std::vector<ValueId>& reads) {
  const ir::Op& op = function.ops[id];
  for (ValueId v : op.operands) collect_reads(function, places, folding, v, reads);
  if (!folding.conditional[id.index]) return;
  for (RegionId arm : op.regions)
    collect_reads(function, places, folding, function.ops[function.regions[arm].ops.back()].operands[0],
                  reads);
}

namespace {

class Assigner {
 public:
  Assigner(const ir::Function& function, const Places& places, const Folding& folding,
           const std::vector<bool>& written)
      : f_(function), p_(places), folding_(folding), written_(written) {
    for (uint32_t i = 0; i < function.values.size(); ++i)
      classes_.push_back({i, std::string(base_name(function.values[ValueId{i}].name)), false, false});
  }

  Variables run() {
    for (ValueId param : f_.params()) classes_[param.index].is_param = true;
    Liveness live = find_liveness(f_, p_, folding_);
    number_ = std::move(live.number);
    conflicts_ = std::move(live.conflicts);
    for (size_t i = 0; i < conflicts_.size(); ++i) {
      members_.emplace_back(conflicts_.size());
      members_.back().add(i);
    }
    join_loops();
    for (auto* copies : {&live.turns, &live.entries, &live.ends})
      for (auto [to, from] : *copies) join(to, from);
    if (!conflicts_.empty()) join_names();
    make_variables();
    for (OpId id : p_.order) note_accesses(id);
    for (size_t i = 0; i < out_.all.size(); ++i) place(i);
    return std::move(out_);
  }

 private:
  struct Class {
    uint32_t parent;
    std::string hint;
    bool is_param, is_counter;
  };
  struct Access {
    OpId op;
    bool sets = false, directly = false;  // directly: by the op's own statement, not in a region of it
  };

  uint32_t find(uint32_t v) {
    while (classes_[v].parent != v) v = classes_[v].parent = classes_[classes_[v].parent].parent;
    return v;
  }

  void merge(uint32_t x, uint32_t y) {
    if (x == y) return;
    Class &kept = classes_[x], &gone = classes_[y];
    gone.parent = x;
    if (kept.hint.empty()) kept.hint = gone.hint;
    kept.is_param |= gone.is_param;
    if (conflicts_.empty()) return;
    members_[number_[x]].add(members_[number_[y]]);
    conflicts_[number_[x]].add(conflicts_[number_[y]]);
  }

  // The results of a loop are its carried values after the last turn: the two are never alive together.
  void join_loops() {
    for (OpId id : p_.order) {
      const ir::Op& op = f_.ops[id];
      if (op.kind != OpKind::For && op.kind != OpKind::While) continue;
      bool counts = op.kind == OpKind::For;
      const auto& params = f_.regions[op.regions.back()].params;
      if (counts) classes_[params[0].index].is_counter = true;
      for (size_t i = 0; i < op.results.size(); ++i)
        merge(find(params[i + (counts ? 1 : 0)].index), find(op.results[i].index));
    }
  }

  void join(ValueId to, ValueId from) {
    uint32_t x = find(to.index), y = find(from.index);
    const Class &a = classes_[x], &b = classes_[y];
    if (x == y || a.is_counter || b.is_counter || (a.is_param && b.is_param)) return;
    if (!a.hint.empty() && !b.hint.empty() && a.hint != b.hint) return;
    if (f_.type(to).is_pointer() && (a.is_param || b.is_param || written_[to.index] != written_[from.index]))
      return;
    uint32_t m = number_[x], n = number_[y];
    if (!conflicts_[m].meets(members_[n]) && !conflicts_[n].meets(members_[m])) merge(x, y);
  }

  RegionId region_of(uint32_t v) const {
    OpId definition = p_.definition[v];
    if (definition.valid()) return p_.region[definition.index];
    OpId owner = p_.owner[p_.param_of[v].index];
    return owner.valid() ? p_.region[owner.index] : p_.param_of[v];
  }
  // One is set where the other one is in sight.
  bool is_seen(uint32_t a, uint32_t b) const {
    RegionId x = region_of(a), y = region_of(b), common = p_.common_region(x, y);
    return common == x || common == y;
  }

  // What the source calls by one name was one variable there.
  void join_names() {
    constexpr size_t kMostTried = 32;
    std::map<std::pair<std::string, ir::Type>, std::vector<uint32_t>> known;
    for (uint32_t i = 0; i < classes_.size(); ++i) {
      if (number_[i] == Liveness::kNone || find(i) != i || classes_[i].hint.empty()) continue;
      if (f_.type(ValueId{i}).is_pointer() || classes_[i].is_counter) continue;
      std::vector<uint32_t>& others = known[{classes_[i].hint, f_.type(ValueId{i})}];
      for (uint32_t& other : others) {
        other = find(other);
        if (other != find(i) && is_seen(other, i)) join(ValueId{other}, ValueId{i});
      }
      if (others.size() < kMostTried && find(i) == i) others.push_back(i);
    }
  }

  void make_variables() {
    std::vector<uint32_t> made(classes_.size(), Variables::kNone);
    out_.of.assign(classes_.size(), Variables::kNone);
    for (uint32_t i = 0; i < classes_.size(); ++i) {
      ValueId v{i};
      OpId definition = p_.definition[i];
      if (!definition.valid() && !p_.param_of[i].valid()) continue;  // of no op any more
      if (definition.valid() && folding_.folded[definition.index]) continue;
      bool of_control = !definition.valid() || !f_.ops[definition].regions.empty();
      if (!of_control && p_.users[i].empty()) continue;
      uint32_t root = find(i);
      if (made[root] == Variables::kNone) {
        made[root] = static_cast<uint32_t>(out_.all.size());
        const Class& one = classes_[root];
        out_.all.push_back({one.hint, f_.type(v), v, one.is_param, one.is_counter, false, {}, false});
      }
      out_.of[i] = made[root];
    }
    accesses_.resize(out_.all.size());
  }

  // --- who reads and sets a variable, in the order of the text
  void access(ValueId v, Access one) {
    if (out_.of[v.index] != Variables::kNone) accesses_[out_.of[v.index]].push_back(one);
  }
  void note_reads(ValueId v, OpId at) {
    std::vector<ValueId> reads;
    collect_reads(f_, p_, folding_, v, reads);
    for (ValueId read : reads) access(read, {at});
  }
  void note_set(ValueId to, ValueId from, OpId at, bool directly) {
    note_reads(from, at);
    if (out_.of[to.index] != out_.of[from.index]) access(to, {at, true, directly});
  }

  bool inside_expression(OpId id) const {
    for (OpId owner = p_.owner[p_.region[id.index].index]; owner.valid();
         owner = p_.owner[p_.region[owner.index].index])
      if (folding_.conditional[owner.index]) return true;
    return false;
  }

  void note_accesses(OpId id) {
    const ir::Op& op = f_.ops[id];
    if (folding_.folded[id.index] || inside_expression(id)) return;
    switch (op.kind) {
      case OpKind::For: {
        const auto& params = f_.regions[op.regions[0]].params;
        for (size_t i = 1; i < params.size(); ++i) note_set(params[i], op.operands[i + 2], id, true);
        for (size_t i = 0; i < 3; ++i) note_reads(op.operands[i], id);
        return;
      }
      case OpKind::While: {
        const auto& params = f_.regions[op.regions[0]].params;
        for (size_t i = 0; i < params.size(); ++i) note_set(params[i], op.operands[i], id, true);
        return;
      }
      case OpKind::Yield:
      case OpKind::Continue:
      case OpKind::Break:
      case OpKind::Leave: return note_end(id, op);
      default: break;
    }
    std::vector<ValueId> reads;
    collect_op_reads(f_, p_, folding_, id, reads);
    for (ValueId v : reads) access(v, {id});
    if (op.regions.empty() || folding_.conditional[id.index])
      for (ValueId v : op.results) access(v, {id, true, true});
  }

  void note_end(OpId id, const ir::Op& op) {
    RegionId region = p_.region[id.index];
    OpId target = p_.owner[region.index];
    size_t skip = 0;
    const std::vector<ValueId>* to = nullptr;
    if (op.kind == OpKind::Leave) {
      int64_t further = std::get<int64_t>(op.immediate);
      while (f_.ops[target].kind != OpKind::Scope || further-- > 0)
        target = p_.owner[p_.region[target.index].index];
      to = &f_.ops[target].results;
    } else if (op.kind == OpKind::Yield && !is_loop(target)) {
      to = &f_.ops[target].results;
    } else {
      while (!is_loop(target)) target = p_.owner[p_.region[target.index].index];
      const ir::Op& loop = f_.ops[target];
      bool decides = loop.kind == OpKind::While && region == loop.regions[0] && op.kind == OpKind::Yield;
      if (decides) note_reads(op.operands[0], id), skip = 1;
      const std::vector<ValueId>& params = f_.regions[loop.regions[decides ? 1 : 0]].params;
      if (op.kind == OpKind::Break) {
        to = &loop.results;
      } else if (loop.kind == OpKind::For) {
        for (size_t i = 0; i < op.operands.size(); ++i) note_set(params[i + 1], op.operands[i], id, false);
        return;
      } else {
        to = &params;
      }
    }
    for (size_t i = 0; i < to->size(); ++i) note_set((*to)[i], op.operands[i + skip], id, false);
  }
  bool is_loop(OpId id) const { return f_.ops[id].kind == OpKind::For || f_.ops[id].kind == OpKind::While; }

  // Where it is declared: in the innermost region that holds every access.
  void place(size_t index) {
    Variable& variable = out_.all[index];
    const std::vector<Access>& accesses = accesses_[index];
    size_t sets = 0;
    for (const Access& one : accesses) sets += one.sets;
    variable.assigned_once = sets == 1;
    if (variable.is_param || variable.is_counter || accesses.empty()) return;
    RegionId region = p_.region[accesses[0].op.index];
    for (const Access& one : accesses) region = p_.common_region(region, p_.region[one.op.index]);
    const Access* first = &accesses[0];
    for (const Access& one : accesses)
      if (p_.begin[one.op.index] < p_.begin[first->op.index]) first = &one;
    variable.declared_at = p_.ancestor_in(region, first->op);
    variable.with_value = variable.declared_at == first->op && first->sets && first->directly;
  }

  const ir::Function& f_;
  const Places& p_;
  const Folding& folding_;
  const std::vector<bool>& written_;
  std::vector<Class> classes_;                 // by value
  std::vector<uint32_t> number_;               // by value
  std::vector<BitSet> conflicts_, members_;    // by number
  std::vector<std::vector<Access>> accesses_;  // by variable
  Variables out_;
};

}  // namespace

Variables assign_variables(const ir::Function& function, const Places& places, const Folding& folding,
                           const std::vector<bool>& written) {
  return Assigner(function, places, folding, written).run();
}

}  // namespace lanewise::codegen::cuda_cpp
