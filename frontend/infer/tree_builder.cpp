// Making and discarding typed nodes, temporaries, and the order of evaluation.
#include <algorithm>

#include "frontend/infer/tree_builder.h"
#include "ir/error.h"

namespace lanewise::frontend::inference {

namespace {

// A store to memory that no name stands for.
constexpr uint64_t kNameless = ~uint64_t{0};

bool leads_to_memory(const ValueType& type) {
  return type.is_array() || std::ranges::any_of(type.items, leads_to_memory);
}

}  // namespace

TExprId TreeBuilder::add(TExpr e) {
  bool writes = e.kind == TExprKind::Atomic || e.kind == TExprKind::Call || e.kind == TExprKind::External ||
                (e.kind == TExprKind::Op && ir::info(e.op).effect != ir::Effect::None);
  if (writes) {
    state_.memory = ++memory_;
    // A call writes what it is handed, or memory of the function's own.
    bool own = e.kind == TExprKind::Call && std::ranges::none_of(e.children, [&](TExprId argument) {
                 return leads_to_memory(exprs_[argument.index].type);
               });
    stored_.push_back(own ? kNameless : 0);
  }
  exprs_.push_back(std::move(e));
  return {static_cast<uint32_t>(exprs_.size() - 1)};
}

TStmtId TreeBuilder::make(TStmt s) {
  if (s.kind == TStmtKind::StoreElement) state_.memory = ++memory_;
  stmts_.push_back(std::move(s));
  return {static_cast<uint32_t>(stmts_.size() - 1)};
}

TStmtId TreeBuilder::emit(TStmt s) {
  TStmtId id = make(std::move(s));
  out_->push_back(id);
  return id;
}

TExprId TreeBuilder::const_expr(const ValueType& type, ir::Immediate immediate, SourceRange range) {
  return add({.kind = TExprKind::Const, .type = type, .range = range, .immediate = immediate});
}

TExprId TreeBuilder::local_expr(LocalId id, SourceRange range) {
  return add({.kind = TExprKind::Local, .type = locals_[id.index].type, .range = range, .local = id});
}

TExprId TreeBuilder::op_expr(ir::OpKind op, const ValueType& type, std::vector<TExprId> children,
                             SourceRange range) {
  return add(
      {.kind = TExprKind::Op, .type = type, .range = range, .op = op, .children = std::move(children)});
}

LocalId TreeBuilder::local(const std::string& name, const ValueType& type) {
  std::vector<LocalId>& known = locals_by_name_[name];
  for (LocalId id : known)
    if (locals_[id.index].type == type) return id;
  locals_.push_back({name, type});
  known.push_back({static_cast<uint32_t>(locals_.size() - 1)});
  return known.back();
}

LocalId TreeBuilder::temporary(const ValueType& type) {
  view_of_.erase(static_cast<uint32_t>(locals_.size()));
  extent_of_.erase(static_cast<uint32_t>(locals_.size()));
  locals_.push_back({".t", type});
  return {static_cast<uint32_t>(locals_.size() - 1)};
}

TStmtId TreeBuilder::make_set(LocalId id, TExprId value, SourceRange range) {
  LANEWISE_CHECK(value.valid(), "a variable set to nothing");
  return make({.kind = TStmtKind::Set, .range = range, .local = id, .value = value});
}

void TreeBuilder::set(LocalId id, TExprId value, SourceRange range) {
  out_->push_back(make_set(id, value, range));
}

bool TreeBuilder::is_stable(TExprId id) const {
  TExprKind kind = exprs_[id.index].kind;
  return kind == TExprKind::Const || kind == TExprKind::Local;
}

void TreeBuilder::stabilise(Value& value) {
  for (Value& part : value.parts) stabilise(part);
  if (!value.expr.valid() || is_stable(value.expr)) return;
  into_temporary(value);
}

void TreeBuilder::stabilise(Value& left, Value& right) {
  stabilise(left);
  size_t position = out_->size();
  stabilise(right);
  Value* earlier[] = {&left};
  keep_order(earlier, position);
}

void TreeBuilder::into_temporary(Value& value) {
  LocalId id = temporary(type_of(value.expr));
  set(id, value.expr, value.range);
  if (value.is_array()) view_of_[id.index] = value.expr;
  if (exprs_[value.expr.index].kind == TExprKind::Shape) extent_of_[id.index] = value.expr;
  value.expr = local_expr(id, value.range);
}

// As stabilise(), also against assignments to the variable that the value is.
void TreeBuilder::freeze(Value& value) {
  for (Value& part : value.parts) freeze(part);
  if (!value.expr.valid()) return;
  const TExpr& e = exprs_[value.expr.index];
  bool fixed = e.kind == TExprKind::Const ||
               (e.kind == TExprKind::Local && locals_[e.local.index].name.starts_with('.'));
  if (!fixed) into_temporary(value);
}

bool TreeBuilder::sets_local(std::span<const TStmtId> list, LocalId id) const {
  return std::ranges::any_of(list, [&](TStmtId stmt) {
    const TStmt& s = stmts_[stmt.index];
    if ((s.kind == TStmtKind::Set || s.kind == TStmtKind::For) && s.local == id) return true;
    return sets_local(s.before, id) || sets_local(s.body, id) || sets_local(s.orelse, id);
  });
}

// What was evaluated before the statements at `position` and later, but is used after them, goes into
// temporaries set at `position`.
void TreeBuilder::keep_order(std::span<Value*> values, size_t position) {
  if (out_->size() == position) return;
  for (Value* value : values) {
    if (!value->parts.empty()) {
      std::vector<Value*> parts;
      for (Value& part : value->parts) parts.push_back(&part);
      size_t before = out_->size();
      keep_order(parts, position);
      position += out_->size() - before;
    }
    if (!value->expr.valid()) continue;
    const TExpr& e = exprs_[value->expr.index];
    if (e.kind == TExprKind::Const) continue;
    std::span<const TStmtId> later(out_->begin() + static_cast<ptrdiff_t>(position), out_->end());
    if (e.kind == TExprKind::Local && !sets_local(later, e.local)) continue;
    LocalId id = temporary(e.type);
    TStmtId saved = make_set(id, value->expr, value->range);
    if (value->is_array()) view_of_[id.index] = value->expr;
    out_->insert(out_->begin() + static_cast<ptrdiff_t>(position++), saved);
    value->expr = local_expr(id, value->range);
  }
}

TreeBuilder::Mark TreeBuilder::mark() const {
  return {exprs_.size(), stmts_.size(), locals_.size(), reports_.size(), returns_.size(), deferred_};
}

void TreeBuilder::rollback(const Mark& mark) {
  exprs_.resize(mark.exprs);
  stmts_.resize(mark.stmts);
  for (size_t i = locals_.size(); i-- > mark.locals;) {
    auto named = locals_by_name_.find(locals_[i].name);
    if (named != locals_by_name_.end()) std::erase(named->second, LocalId{static_cast<uint32_t>(i)});
  }
  locals_.resize(mark.locals);
  reports_.erase(reports_.begin() + static_cast<ptrdiff_t>(mark.reports), reports_.end());
  returns_.resize(mark.returns);
  deferred_ = mark.deferred;
  insertions_.erase(insertions_.lower_bound(static_cast<uint32_t>(mark.stmts)), insertions_.end());
}

}  // namespace lanewise::frontend::inference
