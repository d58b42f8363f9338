// `match`: cases as if/elif/else. Patterns are values, `|`, names, `as`, and tuples of these.
#include <algorithm>
#include <utility>

#include "frontend/infer/depth.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

void FunctionInference::infer_match(const Stmt& s) {
  Value subject = infer(s.value);
  if (!subject.is_error()) freeze(subject);
  infer_match_from(s, subject, 0);
}

// The cases from `index` on.
void FunctionInference::infer_match_from(const Stmt& s, Value& subject, size_t index) {
  if (index == s.cases.size()) return;
  const MatchCase& one = s.cases[index];
  Depth depth(*this, one.range);
  if (!depth.ok) return;
  Bindings bindings;
  Value condition = match_pattern(one.pattern, subject, bindings);
  // What the pattern binds is there for the guard and, as in Python, stays if the guard fails.
  auto bind_all = [&] {
    for (auto& [pattern, value] : bindings) bind(pattern->text, value, pattern->range);
  };
  if (condition.is_error())
    for (const std::string& name : pattern_names(one.pattern)) bind(name, error(one.range), one.range);
  if (one.guard.valid()) {
    bool bound_first = condition.known.constant && !condition.is_error() && *truth(*condition.known.constant);
    if (bound_first) bind_all();
    bool walrus = std::exchange(has_walrus_, has_walrus_ || !bindings.empty());
    condition = short_circuit(
        true, std::move(condition),
        [&] {
          if (!bound_first) bind_all();
          return infer_condition(one.guard);
        },
        true, one.range);
    has_walrus_ = walrus;
  }
  auto body = [&] {
    if (!one.guard.valid()) bind_all();
    // The guard's arm has bound them, which only a pattern that matched comes from.
    for (auto& [pattern, value] : bindings) {
      const BoundName* bound = state_.names.find(pattern->text);
      if (!bound || !bound->maybe_unbound) continue;
      BoundName sure = *bound;
      sure.maybe_unbound = false;
      state_.names.set(pattern->text, std::move(sure));
    }
    infer_block(one.body);
  };
  if (!condition.is_error() && condition.known.constant) {
    if (*truth(*condition.known.constant)) return body();
    return infer_match_from(s, subject, index + 1);
  }
  infer_branches(condition, one.range, body, [&] { infer_match_from(s, subject, index + 1); });
}

// Whether the subject matches; a bool that may be known now.
Value FunctionInference::match_pattern(ExprId id, Value& subject, Bindings& bindings) {
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::Error: return error(e.range);
    case ExprKind::Name:
      if (e.text != "_") bindings.emplace_back(&e, subject);
      return number({true}, e.range);
    case ExprKind::NamedExpr: {
      Value inner = match_pattern(e.children[0], subject, bindings);
      bindings.emplace_back(&e, subject);
      return inner;
    }
    case ExprKind::BoolOp: return match_alternatives(e, subject, bindings);
    case ExprKind::Tuple:
    case ExprKind::List: return match_sequence(e, subject, bindings);
    case ExprKind::Dict:
    case ExprKind::Call:
    case ExprKind::Bytes:
    case ExprKind::Starred:
    case ExprKind::FString: return refuse_pattern(e);
    case ExprKind::Unary:
      if (e.op != Operator::Neg) return refuse_pattern(e);
      return match_value(id, subject);
    case ExprKind::True:
    case ExprKind::False:
      // Compared with `is` by Python: 1 is not True.
      if (!subject.is_error() && !(subject.is_scalar() && subject.type.scalar.is_bool()))
        return number({false}, e.range);
      return match_value(id, subject);
    default: return match_value(id, subject);
  }
}

Value FunctionInference::match_alternatives(const Expr& e, Value& subject, Bindings& bindings) {
  Value any = number({false}, e.range);
  size_t bound = bindings.size();
  for (ExprId child : e.children) {
    Value one = match_pattern(child, subject, bindings);
    if (one.is_error()) return one;
    any = bool_op(ir::OpKind::Or, any, one, e.range);
  }
  if (bindings.size() != bound && e.children.size() > 1)
    return not_supported(e.range, "names bound by alternatives of a pattern", "bind with `(a | b) as name`");
  return any;
}

// (a, *rest, b) against a tuple: its length is known now.
Value FunctionInference::match_sequence(const Expr& e, Value& subject, Bindings& bindings) {
  if (subject.is_error()) return error(e.range);
  Value all = number({true}, e.range);
  if (!subject.is_tuple()) {
    if (!subject.is_array()) return number({false}, e.range);
    return not_supported(e.range, "`match` on an array",
                         "match a tuple of its elements: `match (a[0], a[1]):`");
  }
  std::vector<Value> values = items(subject);
  auto star = std::ranges::find_if(e.children, [&](ExprId id) { return ast_[id].kind == ExprKind::Starred; });
  bool starred = star != e.children.end();
  size_t wanted = e.children.size() - starred;
  if (starred ? values.size() < wanted : values.size() != wanted) return number({false}, e.range);
  size_t next = 0;
  for (ExprId child : e.children) {
    const Expr& pattern = ast_[child];
    if (pattern.kind == ExprKind::Starred) {
      size_t count = values.size() - wanted;
      std::vector<Value> rest(values.begin() + static_cast<ptrdiff_t>(next),
                              values.begin() + static_cast<ptrdiff_t>(next + count));
      next += count;
      const Expr& name = ast_[pattern.children[0]];
      if (name.text != "_") bindings.emplace_back(&name, tuple(std::move(rest), name.range));
      continue;
    }
    Value one = match_pattern(child, values[next++], bindings);
    if (one.is_error()) return one;
    all = bool_op(ir::OpKind::And, all, one, e.range);
  }
  return all;
}

Value FunctionInference::match_value(ExprId id, Value& subject) {
  const Expr& e = ast_[id];
  Value wanted = infer(id);
  if (wanted.is_error() || subject.is_error()) return error(e.range);
  if (wanted.is_scalar() && subject.is_scalar()) return compare(Operator::Eq, subject, wanted, e.range);
  bool comparable = wanted.is_scalar() || wanted.object<HostValue::None>() || wanted.object<std::string>();
  if (!comparable) return refuse_pattern(e);
  bool text = subject.is_place() && subject.type.element.is_text() && wanted.object<std::string>();
  if (text || (wanted.is_object() && subject.is_object()))
    return compare(Operator::Eq, subject, wanted, e.range);
  return number({false}, e.range);  // things of different kinds
}

Value FunctionInference::refuse_pattern(const Expr& e) {
  std::string kind = e.kind == ExprKind::Dict ? "mapping" : e.kind == ExprKind::Call ? "class" : "such";
  return not_supported(e.range, "`match` on " + kind + " patterns",
                       e.kind == ExprKind::Call
                           ? "use `if isinstance(x, ...)`, which is decided at compile time"
                           : "the patterns there are: numbers, names, `|`, `as`, and tuples of these");
}

}  // namespace lanewise::frontend::inference
