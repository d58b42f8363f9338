// Facts about a typed module: see facts.h. Variation is a fixed point over sets and calls, without regard to
// the order of statements: a local varies if anything that it is ever set to does.
#include "frontend/lint/facts.h"

namespace lanewise::frontend::lint {

using ir::OpKind;

void for_each_expr(const TypedFunction& function, TExprId root, const std::function<void(TExprId)>& visit) {
  if (!root.valid()) return;
  const TExpr& e = function.exprs[root];
  for (TExprId child : e.children) for_each_expr(function, child, visit);
  for (const TSubscript& s : e.subscripts)
    for (TExprId bound : {s.lower, s.upper, s.step}) for_each_expr(function, bound, visit);
  visit(root);
}

void for_each_root(const TStmt& statement, const std::function<void(TExprId)>& visit) {
  for (TExprId root : {statement.array, statement.value, statement.upper, statement.step})
    if (root.valid()) visit(root);
  for (TExprId index : statement.indices) visit(index);
}

void for_each_stmt(const TypedFunction& function, const std::vector<TStmtId>& list,
                   const std::function<void(TStmtId)>& visit) {
  for (TStmtId id : list) {
    visit(id);
    const TStmt& s = function.stmts[id];
    for (const auto* inner : {&s.before, &s.body, &s.orelse}) for_each_stmt(function, *inner, visit);
  }
}

ModuleFacts::ModuleFacts(const TypedModule& module) : module_(module) {
  facts_.resize(module.functions.size());
  for (size_t i = 0; i < facts_.size(); ++i) {
    facts_[i].locals.resize(module.functions[i].locals.size());
    facts_[i].only.resize(module.functions[i].locals.size());
    collect(i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < facts_.size(); ++i) {
      changed |= spread(i, module.functions[i].body, {});
      changed |= pass_arguments(i);
    }
  }
}

// Accesses, single sets and barriers of one function.
void ModuleFacts::collect(size_t index) {
  const TypedFunction& f = module_.functions[index];
  FunctionFacts& facts = facts_[index];
  std::vector<unsigned> sets(f.locals.size());
  for (LocalId param : f.params) ++sets[param.index];
  auto visit_expr = [&](TExprId id) {
    const TExpr& e = f.exprs[id];
    if (e.kind == TExprKind::Element || e.kind == TExprKind::Atomic) {
      size_t rank = f.exprs[e.children[0]].type.ndim;
      bool atomic = e.kind == TExprKind::Atomic;
      auto first = e.children.begin() + 1;
      facts.accesses.push_back({.array = e.children[0],
                                .indices = {first, first + static_cast<std::ptrdiff_t>(rank)},
                                .range = e.range,
                                .stores = atomic,
                                .loads = true,
                                .atomic = atomic});
    }
    if (e.kind != TExprKind::Op) return;
    facts.has_barrier |= ir::is_barrier(e.op);
    facts.has_warp_op |= ir::is_warp_op(e.op);
  };
  for_each_stmt(f, f.body, [&](TStmtId id) {
    const TStmt& s = f.stmts[id];
    for_each_root(s, [&](TExprId root) { for_each_expr(f, root, visit_expr); });
    if (s.kind == TStmtKind::StoreElement)
      facts.accesses.push_back({.array = s.array, .indices = s.indices, .range = s.range, .stores = true});
    if (s.kind != TStmtKind::Set && s.kind != TStmtKind::For) return;
    bool first = ++sets[s.local.index] == 1 && s.kind == TStmtKind::Set;
    facts.only[s.local.index] = first ? std::optional(s.value) : std::nullopt;
  });
}

Variation ModuleFacts::variation(size_t index, TExprId id) const {
  if (!id.valid()) return {};
  const TypedFunction& f = module_.functions[index];
  const TExpr& e = f.exprs[id];
  Variation all;
  if (e.kind == TExprKind::Local) return facts_[index].locals[e.local.index];
  for (TExprId child : e.children) all.join(variation(index, child));
  switch (e.kind) {
    case TExprKind::Op:
      if (e.op == OpKind::ThreadIdX || e.op == OpKind::LaneId) all.x = true;
      if (e.op == OpKind::ThreadIdY) all.y = true;
      if (e.op == OpKind::ThreadIdZ) all.z = true;
      if (ir::is_barrier(e.op)) return {};  // what a barrier gives is the same for the block
      if (ir::is_warp_op(e.op)) return {.loaded = true};
      return all;
    case TExprKind::Element: return all.any() ? Variation{.loaded = true} : Variation{};
    case TExprKind::Atomic:
    case TExprKind::External: return {.loaded = true};
    case TExprKind::Call: return all.join(facts_[e.index].result), all;
    // Shapes are the same for all threads.
    case TExprKind::Shape:
    case TExprKind::Stride:
    case TExprKind::Size: return {};
    default: return all;
  }
}

// What sets give to locals, and conditions to what is set under them. Whether anything changed.
bool ModuleFacts::spread(size_t index, const std::vector<TStmtId>& list, Variation condition) {
  const TypedFunction& f = module_.functions[index];
  FunctionFacts& facts = facts_[index];
  bool changed = false;
  for (TStmtId id : list) {
    const TStmt& s = f.stmts[id];
    Variation given = variation(index, s.value);
    switch (s.kind) {
      case TStmtKind::Set:
        // A choice between threads by a branch is like a load: no arithmetic on the index.
        if (condition.any()) given.loaded = true;
        changed |= facts.locals[s.local.index].join(given);
        break;
      case TStmtKind::For:
        given.join(variation(index, s.upper));
        given.join(variation(index, s.step));
        changed |= facts.locals[s.local.index].join(given);
        break;
      case TStmtKind::Return:
        if (condition.any() && s.value.valid()) given.loaded = true;
        changed |= facts.result.join(given);
        break;
      default: break;
    }
    Variation inside = condition;
    if (s.kind == TStmtKind::If || s.kind == TStmtKind::While || s.kind == TStmtKind::For) inside.join(given);
    changed |= spread(index, s.before, condition);
    changed |= spread(index, s.body, inside);
    changed |= spread(index, s.orelse, inside);
  }
  return changed;
}

// What calls hand over, and whether what they call holds a barrier.
bool ModuleFacts::pass_arguments(size_t index) {
  const TypedFunction& f = module_.functions[index];
  bool changed = false;
  for_each_stmt(f, f.body, [&](TStmtId id) {
    for_each_root(f.stmts[id], [&](TExprId root) {
      for_each_expr(f, root, [&](TExprId expr) {
        const TExpr& call = f.exprs[expr];
        if (call.kind != TExprKind::Call) return;
        FunctionFacts& callee = facts_[call.index];
        const std::vector<LocalId>& params = module_.functions[call.index].params;
        for (size_t i = 0; i < params.size() && i < call.children.size(); ++i)
          changed |= callee.locals[params[i].index].join(variation(index, call.children[i]));
        if (callee.has_barrier && !facts_[index].has_barrier) facts_[index].has_barrier = changed = true;
        if (callee.has_warp_op && !facts_[index].has_warp_op) facts_[index].has_warp_op = changed = true;
      });
    });
  });
  return changed;
}

TExprId ModuleFacts::origin(size_t index, TExprId id) const {
  const TypedFunction& f = module_.functions[index];
  for (size_t steps = 0; steps < f.locals.size() + f.exprs.size(); ++steps) {
    const TExpr& e = f.exprs[id];
    if (e.kind == TExprKind::Convert) {
      id = e.children[0];
    } else if (e.kind == TExprKind::Local && facts_[index].only[e.local.index]) {
      id = *facts_[index].only[e.local.index];
    } else if (e.kind == TExprKind::TupleItem) {
      TExprId tuple = origin(index, e.children[0]);
      if (f.exprs[tuple].kind != TExprKind::Tuple) return id;
      id = f.exprs[tuple].children[e.index];
    } else {
      return id;
    }
  }
  return id;
}

std::optional<LocalId> ModuleFacts::local(size_t index, TExprId id) const {
  const TypedFunction& f = module_.functions[index];
  while (f.exprs[id].kind == TExprKind::Convert) id = f.exprs[id].children[0];
  if (f.exprs[id].kind != TExprKind::Local) return std::nullopt;
  return f.exprs[id].local;
}

std::optional<ModuleFacts::Extent> ModuleFacts::extent(size_t index, TExprId id) const {
  const TypedFunction& f = module_.functions[index];
  const TExpr& e = f.exprs[origin(index, id)];
  if (e.kind != TExprKind::Shape && e.kind != TExprKind::Size) return std::nullopt;
  std::optional<LocalId> array = local(index, e.children[0]);
  if (!array || (e.kind == TExprKind::Size && f.locals[*array].type.ndim != 1)) return std::nullopt;
  return Extent{*array, e.kind == TExprKind::Shape ? e.index : 0};
}

}  // namespace lanewise::frontend::lint
