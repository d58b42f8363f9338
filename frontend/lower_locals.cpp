// Decides which locals need var slots. A local that is set once, by a set that comes before every use in the
// same or an enclosing region, is simply the value; everything else becomes a slot that promote_variables
// turns into SSA. Most locals of a kernel are values, which keeps the IR small.
#include "frontend/lower.h"

namespace lanewise::frontend {
namespace {

class Analysis {
 public:
  explicit Analysis(const TypedFunction& function)
      : fn_(function),
        sets_(function.locals.size()),
        visible_(function.locals.size()),
        slots_(function.locals.size()) {}

  std::vector<bool> run() {
    for (LocalId param : fn_.params) set(param);
    body(fn_.body);
    for (size_t i = 0; i < sets_.size(); ++i)
      if (sets_[i] > 1) slots_[i] = true;
    return std::move(slots_);
  }

 private:
  void set(LocalId local) {
    ++sets_[local.index];
    visible_[local.index] = true;
    in_scope_.push_back(local);
  }
  void use(LocalId local) {
    if (!visible_[local.index]) slots_[local.index] = true;
  }

  // What is set in a region is not visible after it.
  template <class Visit>
  void region(Visit visit) {
    size_t outer = in_scope_.size();
    visit();
    while (in_scope_.size() > outer) {
      visible_[in_scope_.back().index] = false;
      in_scope_.pop_back();
    }
  }

  void body(const std::vector<TStmtId>& stmts) {
    for (TStmtId id : stmts) stmt(fn_.stmts[id]);
  }

  void stmt(const TStmt& s) {
    expr(s.array);
    for (TExprId index : s.indices) expr(index);
    switch (s.kind) {
      case TStmtKind::Set:
        expr(s.value);
        set(s.local);
        return;
      case TStmtKind::If:
        expr(s.value);
        region([&] { body(s.body); });
        region([&] { body(s.orelse); });
        return;
      case TStmtKind::While:
        region([&] { body(s.before), expr(s.value); });
        region([&] { body(s.body); });
        region([&] { body(s.orelse); });
        return;
      case TStmtKind::For:
        expr(s.value), expr(s.upper), expr(s.step);
        region([&] { set(s.local), body(s.body); });
        region([&] { body(s.orelse); });
        return;
      case TStmtKind::StoreElement:
      case TStmtKind::Expr:
      case TStmtKind::Return: expr(s.value); return;
      case TStmtKind::Print:
      case TStmtKind::Report:
      case TStmtKind::Fail:
      case TStmtKind::Break:
      case TStmtKind::Continue: return;
    }
  }

  void expr(TExprId id) {
    if (!id.valid()) return;
    const TExpr& e = fn_.exprs[id];
    if (e.kind == TExprKind::Local) use(e.local);
    for (TExprId child : e.children) expr(child);
    for (const TSubscript& s : e.subscripts) expr(s.lower), expr(s.upper), expr(s.step);
  }

  const TypedFunction& fn_;
  std::vector<unsigned> sets_;
  std::vector<bool> visible_, slots_;
  std::vector<LocalId> in_scope_;
};

}  // namespace

std::vector<bool> locals_in_slots(const TypedFunction& function) { return Analysis(function).run(); }

}  // namespace lanewise::frontend
