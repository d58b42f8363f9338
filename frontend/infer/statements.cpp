// Statements other than assignments and loops.
#include <algorithm>

#include "frontend/infer/closure.h"
#include "frontend/infer/depth.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

void FunctionInference::infer_block(const std::vector<StmtId>& body) {
  for (StmtId id : body) {
    if (!state_.reachable) return;  // Python never gets there, and its names may not exist
    infer_stmt(id);
  }
}

void FunctionInference::infer_stmt(StmtId id) {
  const Stmt& s = ast_[id];
  Depth depth(*this, s.range);
  if (depth.ok) infer_kind(id, s);
}

void FunctionInference::infer_kind(StmtId id, const Stmt& s) {
  switch (s.kind) {
    case StmtKind::Expr: return infer_expr_stmt(s);
    case StmtKind::Assign: return infer_assign(s);
    case StmtKind::AugAssign: return infer_aug_assign(s);
    case StmtKind::AnnAssign: return infer_ann_assign(s);
    case StmtKind::If: return infer_if(id, s);
    case StmtKind::While: return infer_while(s);
    case StmtKind::For: return infer_for(s);
    case StmtKind::Break:
    case StmtKind::Continue: return infer_jump(s);
    case StmtKind::Pass: return;
    case StmtKind::Return: return infer_return(s);
    case StmtKind::FunctionDef:
      return bind(s.name, object({make_closure(s.name, id, ExprId{})}, s.name_range), s.name_range);
    case StmtKind::Delete: return infer_delete(s);
    case StmtKind::Match: return infer_match(s);
    case StmtKind::Import:
    case StmtKind::ImportFrom: return infer_import(s);
    case StmtKind::Assert: return infer_assert(s);
    case StmtKind::Raise: return infer_raise(s);
    case StmtKind::Global:
    case StmtKind::Nonlocal:
      not_supported(s.range, quote(text(s.name_range)),
                    "kernels cannot assign to names outside of them; write into an array");
      return;
    case StmtKind::With:
      if (s.name == "async")
        not_supported(s.name_range, "`async`", "there is nothing to wait for in a kernel");
      else
        not_supported(s.name_range, "`with`", "there is nothing to enter or leave in a kernel");
      return;
    case StmtKind::Try:
      not_supported(s.name_range, "`try`", "kernels cannot catch exceptions; test for the case with `if`");
      return;
    case StmtKind::ClassDef:
      if (text(s.name_range) == "type") {
        not_supported(s.name_range, "type aliases", "make them outside of the kernel");
        return;
      }
      not_supported(
          s.name_range, "classes",
          "use tuples (outside of the kernel: `collections.namedtuple`), or one array for each field");
      return;
    case StmtKind::Skipped:
    case StmtKind::Error: return;
  }
}

void FunctionInference::infer_expr_stmt(const Stmt& s) {
  ExprKind kind = ast_[s.value].kind;
  if (kind == ExprKind::String || kind == ExprKind::Ellipsis) return;  // a docstring, or `...` for `pass`
  Value v = infer(s.value);
  if (v.is_error() || v.is_object()) return;
  TExprId expr = node(v);
  if (expr.valid() && !is_stable(expr)) emit({.kind = TStmtKind::Expr, .range = s.range, .value = expr});
}

// A condition known now decides which arm exists, so that types need to fit in that one only. Names bound
// in the other arm are not counted as assigned there.
void FunctionInference::prune(StmtId id, const Stmt& s, int arm) {
  int& out = pruned_[id.index];
  if (out == arm) return;
  if (out) count_bindings(out == 1 ? s.body : s.orelse, +1);
  if (arm) count_bindings(arm == 1 ? s.body : s.orelse, -1);
  out = arm;
}

void FunctionInference::infer_if(StmtId id, const Stmt& s) {
  Value condition = infer_condition(s.value);
  if (!condition.is_error() && condition.known.constant) {
    bool taken = *truth(*condition.known.constant);
    prune(id, s, taken ? 2 : 1);
    return infer_block(taken ? s.body : s.orelse);
  }
  prune(id, s, 0);
  infer_branches(
      condition, s.range, [&] { infer_block(s.body); }, [&] { infer_block(s.orelse); });
}

void FunctionInference::infer_branches(const Value& condition, SourceRange range,
                                       const std::function<void()>& body,
                                       const std::function<void()>& orelse) {
  State before = state_;
  std::vector<TStmtId> body_list, else_list;
  in_list(body_list, body);
  Edge edges[] = {{std::move(state_), &body_list, {}}, {{}, &else_list, {}}};
  state_ = std::move(before);
  in_list(else_list, orelse);
  edges[1].state = std::move(state_);
  state_ = merge(edges);
  if (condition.is_error()) return;
  emit({.kind = TStmtKind::If,
        .range = range,
        .value = condition.expr,
        .body = std::move(body_list),
        .orelse = std::move(else_list)});
}

void FunctionInference::infer_return(const Stmt& s) {
  Value value = s.value.valid() ? infer(s.value) : none(s.range);
  state_.reachable = false;
  bool nothing = value.object<HostValue::None>() != nullptr;
  if (is_kernel() && !nothing && !value.is_error()) {
    Report& r = report(DiagnosticId::KernelReturn, s.range, {describe(value)});
    r.with_hint("write the result into an array argument");
    return;
  }
  if (value.deferred() || contained_expression(value))
    value = refuse_expression(value, "returned", value.range);
  value.is_list = false;
  value.range = s.value.valid() ? ast_[s.value].range : s.range;
  TStmtId stmt = emit({.kind = TStmtKind::Return, .range = s.range});
  returns_.push_back({stmt, std::move(value)});
}

void FunctionInference::infer_delete(const Stmt& s) {
  for (ExprId id : s.targets) {
    const Expr& e = ast_[id];
    if (e.kind != ExprKind::Name) {
      not_supported(e.range, "`del` of anything but a name");
    } else if (!state_.names.erase(e.text)) {
      report(DiagnosticId::UnboundName, e.range, {e.text});
    }
  }
}

}  // namespace lanewise::frontend::inference
