// What a `for` goes over: ranges, arrays, tuples, and enumerate, zip and reversed of these.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

Sequence FunctionInference::infer_sequence(ExprId id) {
  const Expr& e = ast_[id];
  if (e.kind == ExprKind::Call) {
    const Expr& callee = ast_[e.children[0]];
    if (callee.kind == ExprKind::Name && !binding_counts_.contains(callee.text)) {
      bool candidate = callee.text == "range" || callee.text == "enumerate" || callee.text == "zip" ||
                       callee.text == "reversed";
      bool shadowed = candidate && fn_.environment && fn_.environment->lookup(callee.text) &&
                      !infer(e.children[0]).object<HostValue::Builtin>();
      if (candidate && !shadowed) return combined_sequence(callee.text, e);
    }
  }
  return sequence_of(infer(id));
}

Sequence FunctionInference::sequence_of(Value value) {
  Sequence sequence;
  sequence.range = value.range;
  if (std::optional<Value> members = enum_members(value)) {  // those that are another name are left out
    std::vector<Value> all = items(*members), distinct;
    for (const Value& member : all)
      if (std::ranges::none_of(distinct, [&](const Value& before) {
            return same_constant(before.known.constant, member.known.constant);
          }))
        distinct.push_back(member);
    value = tuple(std::move(distinct), value.range);
  }
  const ArrayExpression* expression = expression_of(value);
  if ((value.is_array() && value.type.ndim > 0) || (expression && expression->ndim() > 0)) {
    sequence.kind = Sequence::Kind::Array;
  } else if (value.is_tuple() || value.is_vector()) {
    sequence.kind = Sequence::Kind::Tuple;
  } else if (!value.is_error()) {
    Report& r = report(DiagnosticId::NotIterable, value.range, {describe(value)});
    if (value.is_scalar()) r.with_hint("did you mean `range(" + text(value.range) + ")`?");
    explain(r, value);
  }
  sequence.value = std::move(value);
  return sequence;
}

Sequence FunctionInference::combined_sequence(const std::string& name, const Expr& e) {
  Sequence sequence;
  sequence.range = e.range;
  if (name == "range") {
    CallArguments call = infer_arguments(e);
    std::optional<Counter> counter = infer_range(call);
    if (counter) sequence.kind = Sequence::Kind::Counter, sequence.counter = *counter;
    return sequence;
  }
  size_t positional = e.children.size() - 1 - e.keywords.size();
  bool enumerate = name == "enumerate";
  for (const std::string& keyword : e.keywords) {
    bool known = enumerate ? keyword == "start" : name == "zip" && keyword == "strict";
    if (known) continue;
    report(DiagnosticId::UnknownKeyword, e.range, {name, keyword});
    return sequence;
  }
  bool starred =
      std::ranges::any_of(e.children, [&](ExprId id) { return ast_[id].kind == ExprKind::Starred; });
  if (starred) {
    CallArguments call = infer_arguments(e);
    return call.error ? sequence : sequence_of(listed(name, call));
  }
  size_t sequences = enumerate ? std::min<size_t>(positional, 1) : positional;
  bool good = sequences > 0 && (name != "reversed" || sequences == 1) &&
              (name == "zip" || e.children.size() - 1 <= sequences + enumerate);
  if (!good) {
    report(DiagnosticId::ArgumentCount, e.range, {name, "1 argument", std::to_string(e.children.size() - 1)});
    return sequence;
  }
  for (size_t i = 1; i <= sequences; ++i) {
    Sequence one = infer_sequence(e.children[i]);
    if (one.kind == Sequence::Kind::Error) return sequence;
    // What one of them is must not change while the next is evaluated.
    if (sequences > 1 || enumerate) freeze(one);
    sequence.inner.push_back(std::move(one));
  }
  if (enumerate) {
    sequence.value = e.children.size() > 2 ? infer(e.children[2]) : python_int(0, e.range);
    if (!to_index(sequence.value, "the start of enumerate()").valid()) return sequence;
    sequence.value = converted(sequence.value, ValueType::python_number(ir::kI64));
  }
  sequence.kind = enumerate       ? Sequence::Kind::Enumerate
                  : name == "zip" ? Sequence::Kind::Zip
                                  : Sequence::Kind::Reversed;
  return sequence;
}

// 4.8: the counter is an int64, or a uint64 where all that is not constant is one.
std::optional<Counter> FunctionInference::infer_range(CallArguments& call) {
  if (call.error || !arity("range", call, 1, 3)) return std::nullopt;
  std::vector<Value>& args = call.positional;
  bool any_u64 = false, all_unsigned = true;
  for (Value& v : args) {
    if (!to_index(v, "range()'s bound").valid()) return std::nullopt;
    std::optional<Wide> value = v.known.constant ? integer_value(*v.known.constant) : std::nullopt;
    any_u64 |= v.type.scalar == ir::kU64;
    all_unsigned &= v.type.scalar == ir::kU64 || (value && fits(*value, ir::kU64));
  }
  Counter counter;
  counter.type = ValueType::python_number(any_u64 && all_unsigned ? ir::kU64 : ir::kI64);
  Value start = args.size() == 1 ? python_int(0, call.range) : args[0];
  Value stop = args.size() == 1 ? args[0] : args[1];
  Value step = args.size() == 3 ? args[2] : python_int(1, call.range);
  counter.start = convert(start, counter.type);
  counter.stop = convert(stop, counter.type);
  counter.step = convert(step, counter.type);
  auto known = [&](TExprId id) -> std::optional<Wide> {
    const TExpr& node = exprs_[id.index];
    if (node.kind != TExprKind::Const) return std::nullopt;
    return integer_value(constant_of(node.type, node.immediate));
  };
  std::optional<Wide> first = known(counter.start), last = known(counter.stop), by = known(counter.step);
  bool up = by ? *by >= 0 : step.known.non_negative;
  bool stays = by && *by < 0 && last && *last >= -1;
  counter.non_negative = (up && start.known.non_negative) || stays;
  counter.runs = first && last && by && ((*by > 0 && *first < *last) || (*by < 0 && *first > *last));
  counter.runs |= by && *by < 0 && last && *last < 0 && start.known.non_negative;
  return counter;
}

// The body may assign to the variables that the sequence is made of.
void FunctionInference::freeze(Sequence& sequence) {
  // The body may write what the expression reads.
  if (const ArrayExpression* expression = expression_of(sequence.value))
    sequence.value = named_expression(*expression, sequence.value.range);
  bool kept = sequence.value.is_array() && bound_once(sequence.value.origin.name);
  kept ? stabilise(sequence.value) : freeze(sequence.value);
  for (Sequence& inner : sequence.inner) freeze(inner);
  if (sequence.kind == Sequence::Kind::Reversed && !sequence.value.expr.valid()) {
    Value length = sequence_length(sequence.inner[0], sequence.range);
    sequence.value =
        binary(Operator::Sub, length, python_int(1, sequence.range), sequence.range, sequence.range);
    stabilise(sequence.value);
  }
  if (sequence.kind != Sequence::Kind::Counter) return;
  for (TExprId* bound : {&sequence.counter.start, &sequence.counter.stop, &sequence.counter.step}) {
    Value v = scalar(sequence.counter.type, *bound, sequence.range);
    freeze(v);
    *bound = v.expr;
  }
}

// The items, if there is a known number of them.
std::optional<std::vector<Value>> FunctionInference::sequence_values(Sequence& sequence, bool ranges) {
  std::vector<Value> values;
  switch (sequence.kind) {
    case Sequence::Kind::Error:
    case Sequence::Kind::Array: return std::nullopt;
    case Sequence::Kind::Counter: return ranges ? range_values(sequence) : std::nullopt;
    case Sequence::Kind::Tuple: return items(sequence.value);
    case Sequence::Kind::Reversed:
      if (auto inner = sequence_values(sequence.inner[0], ranges))
        return std::vector<Value>(inner->rbegin(), inner->rend());
      return std::nullopt;
    case Sequence::Kind::Enumerate: {
      auto inner = sequence_values(sequence.inner[0], ranges);
      if (!inner) return std::nullopt;
      for (size_t i = 0; i < inner->size(); ++i) {
        Value index =
            binary(Operator::Add, sequence.value, python_int(static_cast<int64_t>(i), sequence.range),
                   sequence.range, sequence.range);
        values.push_back(tuple({index, (*inner)[i]}, sequence.range));
      }
      return values;
    }
    case Sequence::Kind::Zip: break;
  }
  std::vector<std::vector<Value>> columns;
  size_t shortest = SIZE_MAX;
  // Beside a tuple, a range of known bounds is as good as one.
  for (Sequence& inner : sequence.inner) ranges |= sequence_values(inner).has_value();
  for (Sequence& inner : sequence.inner) {
    auto column = sequence_values(inner, ranges);
    if (!column) return std::nullopt;
    shortest = std::min(shortest, column->size());
    columns.push_back(std::move(*column));
  }
  for (size_t i = 0; i < shortest; ++i) {
    std::vector<Value> row_values;
    for (auto& column : columns) row_values.push_back(column[i]);
    values.push_back(tuple(std::move(row_values), sequence.range));
  }
  return values;
}

Value FunctionInference::sequence_length(Sequence& sequence, SourceRange range) {
  switch (sequence.kind) {
    case Sequence::Kind::Error: return error(range);
    case Sequence::Kind::Array:
      if (const ArrayExpression* expression = expression_of(sequence.value)) return expression->shape[0];
      return shape(sequence.value, 0, range);
    case Sequence::Kind::Tuple:
      return python_int(static_cast<int64_t>(sequence.value.type.items.size()), range);
    case Sequence::Kind::Enumerate:
    case Sequence::Kind::Reversed: return sequence_length(sequence.inner[0], range);
    case Sequence::Kind::Zip: {
      std::vector<Value> lengths;
      for (Sequence& inner : sequence.inner) lengths.push_back(sequence_length(inner, range));
      Value shortest = min_max_of(OpKind::Min, std::move(lengths), range);
      stabilise(shortest);
      return shortest;
    }
    case Sequence::Kind::Counter: break;
  }
  const Counter& counter = sequence.counter;
  Value start = scalar(counter.type, counter.start, range);
  Value stop = scalar(counter.type, counter.stop, range);
  Value step = scalar(counter.type, counter.step, range);
  const TExpr& by = exprs_[step.expr.index];
  bool one = by.kind == TExprKind::Const && by.immediate == ir::Immediate(int64_t{1});
  Value length;
  if (counter.type.scalar == ir::kU64) {
    // span // step + (1 if span % step else 0), which no step makes overflow; 0 for step 0
    Value span = binary(Operator::Sub, min_max_of(OpKind::Max, {stop, start}, range), start, range, range);
    stabilise(span);
    Value turns = binary(Operator::FloorDiv, span, step, range, range);
    Value rest = binary(Operator::Mod, span, step, range, range);
    Value more = min_max_of(OpKind::Min, {rest, python_int(1, range)}, range);
    length = converted(binary(Operator::Add, turns, more, range, range), ValueType::python_number(ir::kI64));
  } else {
    // max(0, (stop - start + step - sign(step)) // step), 0 for step 0
    Value turns = binary(Operator::Sub, stop, start, range, range);
    if (!one) {
      Value up = sign(step, range);
      Value rounded =
          binary(Operator::Sub, binary(Operator::Add, turns, step, range, range), up, range, range);
      turns = binary(Operator::FloorDiv, rounded, step, range, range);
    }
    length = min_max_of(OpKind::Max, {turns, python_int(0, range)}, range);
  }
  stabilise(length);
  return length;
}

Value FunctionInference::sequence_item(Sequence& sequence, Value index, SourceRange range) {
  switch (sequence.kind) {
    case Sequence::Kind::Error: return error(range);
    case Sequence::Kind::Array:
      return row(sequence.value, convert(index, ValueType::python_number(ir::kI64)), false, range);
    case Sequence::Kind::Tuple: return pick_item(sequence.value, std::move(index), range);
    case Sequence::Kind::Enumerate: {
      bool from_zero = sequence.value.known.constant && index_value(*sequence.value.known.constant) == 0;
      Value number = from_zero ? index : binary(Operator::Add, sequence.value, index, range, range);
      return tuple({number, sequence_item(sequence.inner[0], index, range)}, range);
    }
    case Sequence::Kind::Zip: {
      std::vector<Value> row_values;
      for (Sequence& inner : sequence.inner) row_values.push_back(sequence_item(inner, index, range));
      return tuple(std::move(row_values), range);
    }
    case Sequence::Kind::Reversed: {
      Value from_end = binary(Operator::Sub, sequence.value, index, range, range);
      from_end.known.non_negative = true;
      return sequence_item(sequence.inner[0], from_end, range);
    }
    case Sequence::Kind::Counter: break;
  }
  Value start = scalar(sequence.counter.type, sequence.counter.start, range);
  Value step = scalar(sequence.counter.type, sequence.counter.step, range);
  const TExpr& by = exprs_[step.expr.index];
  bool one = by.kind == TExprKind::Const && by.immediate == ir::Immediate(int64_t{1});
  index = converted(index, sequence.counter.type);
  Value offset = one ? index : binary(Operator::Mul, index, step, range, range);
  Value v = binary(Operator::Add, start, offset, range, range);
  v.known.non_negative |= sequence.counter.non_negative;
  return v;
}

}  // namespace lanewise::frontend::inference
