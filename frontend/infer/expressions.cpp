// Expressions: dispatch, literals, displays, ternaries, and/or and conditions.
#include <algorithm>
#include <utility>

#include "frontend/infer/builtins.h"
#include "frontend/infer/depth.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

Value FunctionInference::infer(ExprId id) {
  if (!id.valid()) return error(fn_range());
  Depth depth(*this, ast_[id].range);
  if (!depth.ok) return error(ast_[id].range);
  return infer_kind(id);
}

Value FunctionInference::infer_kind(ExprId id) {
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::Name: return infer_name(e);
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Imaginary:
    case ExprKind::String:
    case ExprKind::Bytes:
    case ExprKind::FString:
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None:
    case ExprKind::Ellipsis: return infer_literal(e);
    case ExprKind::Unary: return infer_unary(e);
    case ExprKind::Binary: return infer_binary(e);
    case ExprKind::BoolOp: return infer_bool_op(e);
    case ExprKind::Compare: return infer_compare(e);
    case ExprKind::Ternary: return infer_ternary(e);
    case ExprKind::Call: return infer_call(e);
    case ExprKind::Attribute: return infer_attribute(e);
    case ExprKind::Subscript: return infer_subscript(e);
    case ExprKind::Slice: return not_supported(e.range, "a slice outside of `[]`");
    case ExprKind::Tuple:
    case ExprKind::List: return infer_tuple(e);
    case ExprKind::Starred:
      return not_supported(e.range, "`*` here", "it unpacks a tuple in a call or in a display");
    case ExprKind::DoubleStarred:
      return not_supported(e.range, "`**` in a call", "give the arguments by name: `f(x, scale=2)`");
    case ExprKind::Lambda: return infer_lambda(id);
    case ExprKind::NamedExpr: return infer_named(e);
    case ExprKind::Set: return not_supported(e.range, "sets", "`x in (1, 2, 3)` tests membership");
    case ExprKind::Dict: return not_supported(e.range, "dicts", "use arrays, or a tuple of constants");
    case ExprKind::Comprehension: return infer_comprehension(e);
    case ExprKind::Await: return not_supported(e.range, "`await`");
    case ExprKind::Yield: return not_supported(e.range, "generators", "a device function returns a tuple");
    case ExprKind::Error: return error(e.range);
  }
  return error(e.range);
}

Value FunctionInference::infer_literal(const Expr& e) {
  switch (e.kind) {
    case ExprKind::Int:
      if (e.int_overflow) {
        report(DiagnosticId::ConstantOverflow, e.range, {text(e.range)});
        return error(e.range);
      }
      return number(make_int(Wide{e.int_value}), e.range);
    case ExprKind::Float: return number({e.float_value}, e.range);
    case ExprKind::True: return number({true}, e.range);
    case ExprKind::False: return number({false}, e.range);
    case ExprKind::None: return none(e.range);
    case ExprKind::String: return object({e.text}, e.range);
    case ExprKind::Imaginary: return complex_number({0, e.float_value, ir::kVoid}, e.range);
    case ExprKind::Bytes: return object({e.text}, e.range);  // for texts: ASCII is the same in both
    case ExprKind::FString:
      if (!e.text.empty()) return not_supported(e.range, "template strings");
      return not_supported(e.range, "f-strings outside of `print`, `assert` and `raise`",
                           "there are no strings at run time");
    default: return not_supported(e.range, "`...` outside of `[]`");
  }
}

std::vector<Value> FunctionInference::infer_all(Ids ids) {
  std::vector<Value> values;
  values.reserve(ids.size());
  for (ExprId id : ids) {
    size_t position = out_->size();
    Value value = infer(id);
    if (out_->size() != position) {
      std::vector<Value*> earlier;
      for (Value& v : values) earlier.push_back(&v);
      keep_order(earlier, position);
    }
    values.push_back(std::move(value));
  }
  return values;
}

Value FunctionInference::infer_tuple(const Expr& e) {
  if (e.children.size() > kMaxTupleItems) return too_many_items(e.range);
  std::vector<Value> parts;
  for (ExprId child : e.children) {
    size_t position = out_->size();
    bool starred = ast_[child].kind == ExprKind::Starred;
    Value value = infer(starred ? ast_[child].children[0] : child);
    std::vector<Value*> earlier;
    for (Value& v : parts) earlier.push_back(&v);
    keep_order(earlier, position);
    if (!starred) {
      parts.push_back(std::move(value));
    } else if (value.is_tuple()) {
      for (Value& item : items(value)) parts.push_back(std::move(item));
    } else {
      if (!value.is_error()) report(DiagnosticId::UnpackType, value.range, {describe(value)});
      return error(e.range);
    }
  }
  Value v = tuple(std::move(parts), e.range);
  v.is_list = e.kind == ExprKind::List;
  return v;
}

Value FunctionInference::infer_named(const Expr& e) {
  Value value = infer(e.children[0]);
  bool failed = value.is_error();
  bind(e.text, std::move(value), e.range);
  if (failed) return error(e.range);
  return lookup_local(e.text, e.range);
}

Value FunctionInference::infer_ternary(const Expr& e) {
  Value condition = infer_condition(e.children[0]);
  if (condition.known.constant && !condition.is_error())
    return infer(e.children[*truth(*condition.known.constant) ? 1 : 2]);
  return choose(
      std::move(condition), [&] { return infer(e.children[1]); }, [&] { return infer(e.children[2]); },
      e.range);
}

Value FunctionInference::choose(Value condition, const std::function<Value()>& if_true,
                                const std::function<Value()>& if_false, SourceRange range) {
  State before, after_true;
  std::vector<TStmtId> true_list, false_list;
  if (has_walrus_) before = state_;
  Value a = in_list(true_list, if_true);
  if (has_walrus_) after_true = std::exchange(state_, std::move(before));
  Value b = in_list(false_list, if_false);
  if (has_walrus_) {
    Edge edges[] = {{std::move(after_true), &true_list, {}}, {std::move(state_), &false_list, {}}};
    state_ = merge(edges);
  }
  if (condition.is_error()) return error(range);
  if (a.is_error() || b.is_error())
    return a.is_error() ? b : a;  // a mistake, or a call of itself: not known yet
  std::optional<ValueType> type = join_types(a.type, a.known, b.type, b.known);
  if (!type) {
    Report& r = report(DiagnosticId::TernaryTypes, range, {describe(a), describe(b)});
    r.label(a.range, "this is " + describe(a)).label(b.range, "this is " + describe(b));
    return error(range);
  }
  if (type->kind == ValueType::Kind::None) return a;
  Value result;
  result.type = *type;
  result.range = range;
  result.known.non_negative = a.known.non_negative && b.known.non_negative;
  result.integral = a.integral && b.integral;
  if (true_list.empty() && false_list.empty()) {
    TExprId left = convert(a, *type), right = convert(b, *type);
    result.expr = add({.kind = TExprKind::Ternary,
                       .type = *type,
                       .range = range,
                       .children = {condition.expr, left, right}});
    return result;
  }
  LocalId t = temporary(*type);
  in_list(true_list, [&] { set(t, convert(a, *type), a.range); });
  in_list(false_list, [&] { set(t, convert(b, *type), b.range); });
  emit({.kind = TStmtKind::If,
        .range = range,
        .value = condition.expr,
        .body = std::move(true_list),
        .orelse = std::move(false_list)});
  result.expr = local_expr(t, range);
  return result;
}

// `left and right`, `left or right`. Only the truth is wanted in conditions: then both are bool already.
Value FunctionInference::short_circuit(bool is_and, Value left, const std::function<Value()>& right_side,
                                       bool truth_only, SourceRange range) {
  if (left.is_error()) {
    right_side();  // for its own mistakes
    return error(range);
  }
  if (left.known.constant) {
    std::optional<bool> known = truth(*left.known.constant);
    if (known) return *known == is_and ? right_side() : left;
  }
  State before;
  std::vector<TStmtId> list, nothing;
  if (has_walrus_) before = state_;
  Value right = in_list(list, right_side);
  if (has_walrus_) {
    Edge edges[] = {{std::move(before), &nothing, {}}, {std::move(state_), &list, {}}};
    state_ = merge(edges);
  }
  if (right.is_error()) return error(range);
  std::optional<ValueType> type = join_types(left.type, left.known, right.type, right.known);
  bool numbers = left.is_number() && right.is_number();
  if (!type || !numbers) {
    const Value& wrong = left.is_number() ? right : left;
    Report& r =
        report(DiagnosticId::OperandTypes, range, {is_and ? "and" : "or", describe(left), describe(right)});
    explain(r, wrong);
    return error(range);
  }
  if (truth_only)
    type = left.type.python && right.type.python ? ValueType::python_number(ir::kBool)
                                                 : ValueType::typed(ir::kBool);
  Value result = scalar(*type, TExprId{}, range);
  result.known.non_negative |= left.known.non_negative && right.known.non_negative;
  if (list.empty() && nothing.empty() && type->is_scalar()) {
    TExprId a = convert(left, *type), b = convert(right, *type);
    result.expr = add(
        {.kind = is_and ? TExprKind::And : TExprKind::Or, .type = *type, .range = range, .children = {a, b}});
    return result;
  }
  LocalId t = temporary(*type);
  set(t, convert(left, *type), left.range);
  Value condition = to_bool(scalar(*type, local_expr(t, left.range), left.range));
  in_list(list, [&] { set(t, convert(right, *type), right.range); });
  TStmt choice{.kind = TStmtKind::If,
               .range = range,
               .value = condition.expr,
               .body = std::move(list),
               .orelse = std::move(nothing)};
  if (!is_and) std::swap(choice.body, choice.orelse);
  emit(std::move(choice));
  result.expr = local_expr(t, range);
  return result;
}

Value FunctionInference::infer_bool_op(const Expr& e) {
  Value left = infer(e.children[0]);
  for (size_t i = 1; i < e.children.size(); ++i)
    left = short_circuit(
        e.op == Operator::And, std::move(left), [&] { return infer(e.children[i]); }, false, e.range);
  return left;
}

Value FunctionInference::condition_bool_op(const Expr& e) {
  Value left = infer_condition(e.children[0]);
  for (size_t i = 1; i < e.children.size(); ++i)
    left = short_circuit(
        e.op == Operator::And, std::move(left), [&] { return infer_condition(e.children[i]); }, true,
        e.range);
  return left;
}

Value FunctionInference::infer_condition(ExprId id) {
  const Expr& e = ast_[id];
  if (e.kind == ExprKind::BoolOp) {
    Depth depth(*this, e.range);
    return depth.ok ? condition_bool_op(e) : error(e.range);
  }
  if (e.kind == ExprKind::Unary && e.op == Operator::Not) {
    Depth depth(*this, e.range);
    return depth.ok ? unary(Operator::Not, infer_condition(e.children[0]), e.range) : error(e.range);
  }
  return to_bool(infer(id));
}

}  // namespace lanewise::frontend::inference
