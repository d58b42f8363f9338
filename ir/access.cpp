// Which parameters of the entry are read and written. Every pointer is traced back from where it is used to
// where it may come from: through offsets, selects, control ops, variables and calls, in all functions at
// once.
#include <algorithm>

#include "ir/ir.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

class Tracer {
 public:
  explicit Tracer(const Module& module) : module_(module) {
    size_t nodes = 0;
    for (const Function& function : module.functions) {
      first_node_.push_back(nodes);
      nodes += function.values.size();
    }
    sources_.resize(nodes);
    access_.resize(nodes);
    for (uint32_t f = 0; f < module.functions.size(); ++f) collect(f);
  }

  std::vector<Access> run() {
    propagate(&Access::read);
    propagate(&Access::write);
    const Function& entry = module_.entry();
    std::vector<Access> out;
    for (ValueId param : entry.params())
      out.push_back(entry.type(param).is_pointer() ? access_[node(0, param)] : Access{});
    return out;
  }

 private:
  size_t node(uint32_t f, ValueId v) const { return first_node_[f] + v.index; }
  void flow(uint32_t f, ValueId from, uint32_t g, ValueId to) {
    if (module_.functions[f].type(from).value().is_pointer()) sources_[node(g, to)].push_back(node(f, from));
  }
  void flow_all(uint32_t f, const std::vector<ValueId>& from, size_t skip, const std::vector<ValueId>& to,
                size_t skip_to = 0) {
    for (size_t i = skip; i < from.size() && i - skip + skip_to < to.size(); ++i)
      flow(f, from[i], f, to[i - skip + skip_to]);
  }

  void collect(uint32_t f) {
    const Function& function = module_.functions[f];
    Tree tree(function);
    for (OpId id : tree.order) {
      const Op& op = function.ops[id];
      Effect effect = info(op.kind).effect;
      bool atomic = is_atomic(op.kind);
      if (atomic || is_load(op.kind)) access_[node(f, op.operands[0])].read = true;
      if (atomic || is_store(op.kind)) access_[node(f, op.operands[0])].write = true;
      if (op.kind == OpKind::CallExternal) external(f, function, op);
      if (op.kind == OpKind::InlinePtx)
        for (ValueId operand : op.operands)
          if (function.type(operand).is_pointer()) access_[node(f, operand)] = {true, true};
      if (effect == Effect::Control)
        control(f, function, tree, id, op);
      else if (op.kind == OpKind::Call)
        call(f, op);
      else if (op.kind == OpKind::Set)
        flow(f, op.operands[1], f, op.operands[0]);
      else if (!op.results.empty() && function.type(op.results[0]).is_pointer())
        for (ValueId operand : op.operands) flow(f, operand, f, op.results[0]);
    }
  }

  // May do anything with what it is handed, but for what it promises.
  void external(uint32_t f, const Function& function, const Op& op) {
    const auto& fixed = module_.externals[static_cast<size_t>(std::get<int64_t>(op.immediate))].read_only;
    for (uint32_t i = 0; i < op.operands.size(); ++i) {
      if (!function.type(op.operands[i]).is_pointer()) continue;
      access_[node(f, op.operands[i])].read = true;
      access_[node(f, op.operands[i])].write |= std::find(fixed.begin(), fixed.end(), i) == fixed.end();
    }
  }

  void control(uint32_t f, const Function& function, const Tree& tree, OpId id, const Op& op) {
    if (is_loop(op.kind)) {
      bool is_for = op.kind == OpKind::For;
      flow_all(f, op.operands, is_for ? 3 : 0, function.regions[op.regions[0]].params, is_for);
      if (is_for) flow_all(f, op.operands, 3, op.results);
    }
    if (!tree.target[id.index].valid()) return;
    const Op& ends = function.ops[tree.target[id.index]];
    if (!is_loop(ends.kind) || op.kind == OpKind::Break) return flow_all(f, op.operands, 0, ends.results);
    const std::vector<ValueId>& params = function.regions[ends.regions[0]].params;
    if (ends.kind == OpKind::For) {
      flow_all(f, op.operands, 0, params, 1);
      flow_all(f, op.operands, 0, ends.results);
    } else if (op.kind == OpKind::Yield && id == function.regions[ends.regions[0]].ops.back()) {
      flow_all(f, op.operands, 1, function.regions[ends.regions[1]].params);
      flow_all(f, op.operands, 1, ends.results);
    } else {
      flow_all(f, op.operands, 0, params);
    }
  }

  void call(uint32_t f, const Op& op) {
    const Function& callee = module_[op.callee];
    uint32_t g = op.callee.index;
    for (size_t i = 0; i < op.operands.size(); ++i) flow(f, op.operands[i], g, callee.params()[i]);
    bool any = false;
    for (Type type : callee.results) any |= type.is_pointer();
    if (!any) return;
    for (const Op& end : callee.ops)
      if (end.kind == OpKind::Return && end.operands.size() == op.results.size())
        for (size_t i = 0; i < op.results.size(); ++i) flow(g, end.operands[i], f, op.results[i]);
  }

  void propagate(bool Access::*kind) {
    std::vector<size_t> work;
    for (size_t i = 0; i < access_.size(); ++i)
      if (access_[i].*kind) work.push_back(i);
    while (!work.empty()) {
      size_t at = work.back();
      work.pop_back();
      for (size_t source : sources_[at]) {
        if (access_[source].*kind) continue;
        access_[source].*kind = true;
        work.push_back(source);
      }
    }
  }

  const Module& module_;
  std::vector<size_t> first_node_;            // by function
  std::vector<std::vector<size_t>> sources_;  // by node: where its pointer may come from
  std::vector<Access> access_;
};

}  // namespace

std::vector<Access> parameter_access(const Module& module) { return Tracer(module).run(); }

}  // namespace lanewise::ir
