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
      not_supported(s.name_range, "`try`", "there are no exceptions in kernels; test for the case with `if`");
      return;
    case StmtKind::ClassDef:
      not_supported(s.name_range, "classes", "use tuples, or one array for each field");
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

void FunctionInference::infer_match(const Stmt& s) {
  Value subject = infer(s.value);
  if (!subject.is_error()) stabilise(subject);
  infer_match_from(s, subject, 0);
}

// The cases from `index` on, as if/elif/else.
void FunctionInference::infer_match_from(const Stmt& s, Value& subject, size_t index) {
  if (index == s.cases.size()) return;
  const MatchCase& one = s.cases[index];
  Depth depth(*this, one.range);
  if (!depth.ok) return;
  Value condition = accepts_pattern(one.pattern) ? match_pattern(one.pattern, subject) : error(one.range);
  if (one.guard.valid())
    condition = short_circuit(
        true, std::move(condition), [&] { return infer_condition(one.guard); }, true, one.range);
  if (!condition.is_error() && condition.known.constant) {
    if (*truth(*condition.known.constant)) return infer_block(one.body);
    return infer_match_from(s, subject, index + 1);
  }
  infer_branches(
      condition, one.range, [&] { infer_block(one.body); }, [&] { infer_match_from(s, subject, index + 1); });
}

namespace {

// What a pattern that is not an integer is called.
std::string pattern_kind(const Expr& e) {
  switch (e.kind) {
    case ExprKind::Name: return "capture";
    case ExprKind::NamedExpr: return "`as`";
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Starred: return "sequence";
    case ExprKind::Dict: return "mapping";
    case ExprKind::Call: return "class";
    case ExprKind::String:
    case ExprKind::Bytes:
    case ExprKind::FString: return "string";
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None: return "`" + std::string(e.kind == ExprKind::None ? "None" : "bool") + "`";
    default: return "non-integer";
  }
}

}  // namespace

// Whether the pattern is one of integers, `|` of these, or `_`; reports it if not. The names that it would
// have bound are silenced.
bool FunctionInference::accepts_pattern(ExprId id) {
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::Error:
    case ExprKind::Attribute: return true;  // match_pattern() looks at the attribute's value
    case ExprKind::Int: return true;
    case ExprKind::Unary:
      if (e.op == Operator::Neg && ast_[e.children[0]].kind == ExprKind::Int) return true;
      break;
    case ExprKind::Name:
      if (e.text == "_") return true;
      break;
    case ExprKind::BoolOp:
      return std::ranges::all_of(e.children, [&](ExprId child) { return accepts_pattern(child); });
    default: break;
  }
  refuse_pattern(e);
  for (const std::string& name : pattern_names(id)) bind(name, error(e.range), e.range);
  return false;
}

void FunctionInference::refuse_pattern(const Expr& e) {
  bool singleton = e.kind == ExprKind::True || e.kind == ExprKind::False || e.kind == ExprKind::None;
  not_yet(e.range, "`match` on " + pattern_kind(e) + " patterns",
          singleton ? "compare with `is` or `==` in an `if`"
                    : "use if/elif; the patterns there are: integers, `|` of these, and `_`");
}

Value FunctionInference::match_pattern(ExprId id, Value& subject) {
  const Expr& e = ast_[id];
  if (e.kind == ExprKind::Error) return error(e.range);
  if (e.kind == ExprKind::Name) return number({true}, e.range);  // `_`
  if (e.kind == ExprKind::BoolOp) {
    Value any = number({false}, e.range);
    for (ExprId child : e.children) {
      Value one = match_pattern(child, subject);
      if (one.is_error()) return one;
      any = bool_op(ir::OpKind::Or, any, one, e.range);
    }
    return any;
  }
  Value wanted = infer(id);
  if (wanted.is_error()) return wanted;
  if (!wanted.is_scalar() || !wanted.type.scalar.is_int()) {
    refuse_pattern(e);
    return error(e.range);
  }
  return compare(Operator::Eq, subject, wanted, e.range);
}

}  // namespace lanewise::frontend::inference
