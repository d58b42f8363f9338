// Comparisons: chains, numbers of different types compared exactly, membership, compile-time things.
#include <algorithm>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

OpKind comparison_op(Operator op) {
  switch (op) {
    case Operator::Eq: return OpKind::Eq;
    case Operator::Ne: return OpKind::Ne;
    case Operator::Lt: return OpKind::Lt;
    case Operator::Le: return OpKind::Le;
    case Operator::Gt: return OpKind::Gt;
    default: return OpKind::Ge;
  }
}

bool holds_when_less(Operator op) { return op == Operator::Lt || op == Operator::Le || op == Operator::Ne; }
bool holds_when_greater(Operator op) {
  return op == Operator::Gt || op == Operator::Ge || op == Operator::Ne;
}
bool is_identity(Operator op) { return op == Operator::Is || op == Operator::IsNot; }
bool is_equality(Operator op) { return op == Operator::Eq || op == Operator::Ne; }

ValueType bool_type(const Value& a, const Value& b) {
  return a.type.python && b.type.python ? ValueType::python_number(ir::kBool) : ValueType::typed(ir::kBool);
}

}  // namespace

Value FunctionInference::infer_compare(const Expr& e) { return compare_chain(e, 0, infer(e.children[0])); }

// The comparisons from the one at `index` on; what stands in the middle is evaluated once.
Value FunctionInference::compare_chain(const Expr& e, size_t index, Value left) {
  Operator op = e.compare_ops[index];
  bool last = index + 1 == e.compare_ops.size();
  SourceRange range = e.range;
  if (op == Operator::In || op == Operator::NotIn) {
    if (!last) return not_supported(range, "a chained `in`", "write two conditions with `and`");
    return contains(op, left, e.children[index + 1], range);
  }
  size_t position = out_->size();
  Value right = infer(e.children[index + 1]);
  if (!last) stabilise(right);
  Value* earlier[] = {&left};
  keep_order(earlier, position);
  Value first = compare(op, left, right, range);
  if (last) return first;
  return short_circuit(
      true, std::move(first), [&] { return compare_chain(e, index + 1, std::move(right)); }, true, range);
}

Value FunctionInference::compare(Operator op, Value& left, Value& right, SourceRange range) {
  if (left.is_error() || right.is_error()) return error(range);
  if (left.is_scalar() && right.is_scalar() && !is_identity(op))
    return compare_numbers(op, left, right, range);
  bool texts = left.is_place() || right.is_place();
  if (texts && !is_identity(op)) return compare_texts(op, left, right, range);
  bool whole = is_whole(left) || is_whole(right), numbers = left.is_single() || right.is_single();
  auto has_texts = [](const Value& v) { return v.is_array() && v.type.element.is_text(); };
  for (auto [array, text] : {std::pair{&left, &right}, std::pair{&right, &left}})
    if (!is_identity(op) && has_texts(*array) && text->object<std::string>())
      return elementwise(
          {*array},
          [this, op, range, text = *text](std::vector<Value>& v) mutable {
            return compare(op, v[0], text, range);
          },
          range);
  if (!is_identity(op) && whole && (numbers || (is_whole(left) && is_whole(right))))
    return elementwise(
        {left, right}, [this, op, range](std::vector<Value>& v) { return compare(op, v[0], v[1], range); },
        range);
  bool same_enum = is_identity(op) && left.is_scalar() && right.is_scalar() && left.type.scalar.is_int() &&
                   right.type.scalar.is_int();
  if (same_enum) return compare_numbers(op == Operator::Is ? Operator::Eq : Operator::Ne, left, right, range);
  if (left.is_number() && right.is_number() && !is_identity(op))
    return compare_complex(op, left, right, range);
  if ((left.is_vector() || right.is_vector()) && !is_identity(op))
    return compare_vectors(op, left, right, range);
  bool times = left.is_time() || right.is_time();
  bool dates_as_text = times && (left.object<std::string>() || right.object<std::string>());
  if (dates_as_text && !is_identity(op)) {
    report(DiagnosticId::OperandTypes, range, {std::string(spelling(op)), describe(left), describe(right)})
        .with_hint("make dates of text outside of the kernel: it can use what it captures");
    return error(range);
  }
  if (times && !is_identity(op) && !left.is_object() && !right.is_object())
    return compare_times(op, comparison_op(op), left, right, range);
  if (left.is_object() || right.is_object()) return compare_objects(op, left, right, range);
  if (left.is_tuple() && right.is_tuple() && !is_identity(op)) return compare_tuples(op, left, right, range);
  bool never_same =
      is_equality(op) && (left.is_tuple() || right.is_tuple()) && !left.is_array() && !right.is_array();
  if (never_same) return number({op == Operator::Ne}, range);
  return refuse_operands(op, left, right, range,
                         is_identity(op) ? "`is` tests for None only; numbers are compared with `==`" : "");
}

// Strings, types, functions, None: known now.
Value FunctionInference::compare_objects(Operator op, const Value& left, const Value& right,
                                         SourceRange range) {
  bool same =
      left.is_object() && right.is_object() && same_constant(left.known.constant, right.known.constant);
  auto* a = left.object<HostValue::DType>();
  auto* b = right.object<HostValue::DType>();
  if (a && b) same = a->type == b->type;  // float is float64
  auto* s = left.object<std::string>();
  auto* t = right.object<std::string>();
  if (a && t) same = dtype_of(right) == a->type;
  if (b && s) same = dtype_of(left) == b->type;
  if (op == Operator::Eq || op == Operator::Is) return number({same}, range);
  if (op == Operator::Ne || op == Operator::IsNot) return number({!same}, range);
  if (s && t) {
    int order = s->compare(*t);
    bool holds = order == 0 ? op == Operator::Le || op == Operator::Ge
                            : (order < 0 ? holds_when_less(op) : holds_when_greater(op));
    return number({holds}, range);
  }
  report(DiagnosticId::OperandTypes, range, {std::string(spelling(op)), describe(left), describe(right)});
  return error(range);
}

Value FunctionInference::compare_numbers(Operator op, Value& left, Value& right, SourceRange range) {
  ValueType result = bool_type(left, right);
  Comparison how = comparison_type(as_number(left), as_number(right), session_.python_float());
  if (how.kind == Comparison::Kind::LeftIsLess || how.kind == Comparison::Kind::LeftIsGreater) {
    for (Value* side : {&left, &right})
      if (!is_stable(side->expr)) emit({.kind = TStmtKind::Expr, .range = side->range, .value = side->expr});
    bool holds = how.kind == Comparison::Kind::LeftIsLess ? holds_when_less(op) : holds_when_greater(op);
    return converted(number({holds}, range), result);
  }
  if (how.kind == Comparison::Kind::Mixed) {
    const Value& with_sign = how.a_is_signed ? left : right;
    if (!with_sign.known.non_negative) return compare_mixed(op, left, right, how.a_is_signed, result, range);
  }
  ValueType type =
      left.type.python && right.type.python ? ValueType::python_number(how.type) : ValueType::typed(how.type);
  TExprId a = convert(left, type), b = convert(right, type);
  return op_value(comparison_op(op), result, {a, b}, range);
}

// int64 with uint64: a negative number is less than all unsigned ones, others compare as unsigned.
Value FunctionInference::compare_mixed(Operator op, Value& left, Value& right, bool left_is_signed,
                                       const ValueType& result, SourceRange range) {
  stabilise(left, right);
  ValueType u64 = ValueType::typed(ir::kU64), i64 = ValueType::typed(ir::kI64);
  TExprId a = convert(left, u64), b = convert(right, u64);
  Value unsigned_result = op_value(comparison_op(op), result, {a, b}, range);
  Value& with_sign = left_is_signed ? left : right;
  bool holds_if_negative = left_is_signed ? holds_when_less(op) : holds_when_greater(op);
  TExprId number_node = convert(with_sign, i64);
  TExprId zero = const_expr(i64, int64_t{0}, range);
  Value sign = op_value(holds_if_negative ? OpKind::Lt : OpKind::Ge, result, {number_node, zero}, range);
  return op_value(holds_if_negative ? OpKind::Or : OpKind::And, result, {sign.expr, unsigned_result.expr},
                  range);
}

Value FunctionInference::bool_op(OpKind op, Value& a, Value& b, SourceRange range) {
  if (a.is_error() || b.is_error()) return error(range);
  for (auto [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (one->known.constant) {
      bool decides = *truth(*one->known.constant) == (op == OpKind::Or);
      return decides ? *one : *other;
    }
  ValueType type = bool_type(a, b);
  TExprId left = convert(a, type), right = convert(b, type);
  return op_value(op, type, {left, right}, range);
}

// `x in (1, 2, 3)`, `x in range(a, b)`.
Value FunctionInference::contains(Operator op, Value& item, ExprId container, SourceRange range) {
  size_t position = out_->size();
  const Expr& e = ast_[container];
  Value result;
  if (item.object<std::string>()) {
    Value text = infer(container);
    if (text.object<std::string>()) {
      result = contains(item, std::move(text), range);
      return op == Operator::NotIn ? unary(Operator::Not, result, range) : result;
    }
  }
  Sequence sequence = infer_sequence(container);
  Value* earlier[] = {&item};
  keep_order(earlier, position);
  stabilise(item);
  if (item.is_error() || sequence.kind == Sequence::Kind::Error) return error(range);
  if (sequence.kind == Sequence::Kind::Counter) {
    result = in_range(item, sequence.counter, e.range);
  } else if (std::optional<std::vector<Value>> values = sequence_values(sequence)) {
    result = contains(item, tuple(std::move(*values), e.range), range);
  } else if (sequence.kind == Sequence::Kind::Array) {
    Value same = compare(Operator::Eq, sequence.value, item, range);
    ArrayExpressionPtr of = same.is_error() ? nullptr : as_expression(same);
    if (!of) return error(range);
    result = reduce(Reduction::Any, *of, range);
  } else {
    return not_yet(e.range, "`in` here", "it works on tuples, arrays and `range`");
  }
  if (result.is_error()) return error(range);
  result.range = range;
  return op == Operator::NotIn ? unary(Operator::Not, result, range) : result;
}

Value FunctionInference::contains(Value& item, Value container, SourceRange range) {
  if (item.is_error() || container.is_error()) return error(range);
  auto *text = container.object<std::string>(), *part = item.object<std::string>();
  if (text && part) return number({text->find(*part) != text->npos}, range);
  if (!container.is_tuple()) {
    Report& r = report(DiagnosticId::NotIterable, container.range, {describe(container)});
    explain(r, container);
    return error(range);
  }
  stabilise(item);
  Value result = number({false}, range);
  for (Value& one : items(container)) {
    Value same = compare(Operator::Eq, item, one, range);
    result = bool_op(OpKind::Or, result, same, range);
  }
  return result;
}

// start <= item < stop and (item - start) % step == 0, for both directions; steps of 1 and -1 hit everything.
Value FunctionInference::in_range(Value& item, Counter& counter, SourceRange range) {
  auto bound = [&](TExprId id) {
    Value v = scalar(counter.type, id, range);
    stabilise(v);
    const TExpr& e = exprs_[v.expr.index];
    if (e.kind == TExprKind::Const) v.known.constant = constant_of(v.type, e.immediate);
    return v;
  };
  Value start = bound(counter.start), stop = bound(counter.stop), step = bound(counter.step);
  auto within = [&](Operator low, Operator high) {
    Value a = compare(low, item, start, range), b = compare(high, item, stop, range);
    return bool_op(OpKind::And, a, b, range);
  };
  Value up = within(Operator::Ge, Operator::Lt), down = within(Operator::Le, Operator::Gt);
  Value zero = python_int(0, range);
  Value positive = compare(Operator::Gt, step, zero, range);
  Value negative = compare(Operator::Lt, step, zero, range);
  up = bool_op(OpKind::And, positive, up, range);
  down = bool_op(OpKind::And, negative, down, range);
  Value inside = bool_op(OpKind::Or, up, down, range);
  int64_t by = step.known.constant ? index_value(*step.known.constant).value_or(0) : 0;
  if (inside.is_error() || ((by == 1 || by == -1) && !item.type.scalar.is_float())) return inside;
  Value offset = binary(Operator::Sub, item, start, range, range);
  Value rest = binary(Operator::Mod, offset, step, range, range);
  if (rest.is_error()) return error(range);
  Value hits = compare(Operator::Eq, rest, zero, range);
  return bool_op(OpKind::And, inside, hits, range);
}

}  // namespace lanewise::frontend::inference
