// What module constants go over: comprehensions, ranges, items and slices of tuples.
#include <algorithm>

#include "frontend/host_numbers.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

HostValue unsupported(std::string what, SourceRange range) {
  return {HostValue::Unsupported{std::move(what), range}};
}

HostValue host_computed(const Expr& expr) { return unsupported("computed by host code", expr.range); }

// zip() of tuples, or enumerate() of one from `first` on.
HostValue::Tuple zipped(const std::vector<const HostValue::Tuple*>& tuples, std::optional<int64_t> first) {
  size_t count = SIZE_MAX;
  for (const HostValue::Tuple* tuple : tuples) count = std::min(count, tuple->items.size());
  HostValue::Tuple out;
  for (size_t i = 0; i < count; ++i) {
    HostValue::Tuple row;
    if (first) row.items.push_back(make_int(Wide{*first} + static_cast<Wide>(i)));
    for (const HostValue::Tuple* tuple : tuples) row.items.push_back(tuple->items[i]);
    out.items.push_back({std::move(row)});
  }
  return out;
}

// The items of a tuple that `start:stop:step` names; bounds are numbers or None.
std::optional<HostValue> slice_of(const HostValue::Tuple& tuple, const std::vector<HostValue>& bounds) {
  std::optional<int64_t> numbers[3];
  for (size_t i = 0; i < bounds.size() && i < 3; ++i) {
    numbers[i] = index_value(bounds[i]);
    if (!numbers[i] && !std::holds_alternative<HostValue::None>(bounds[i].value)) return std::nullopt;
  }
  auto count = static_cast<int64_t>(tuple.items.size());
  int64_t step = numbers[2].value_or(1);
  if (step == 0) return std::nullopt;
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  auto clip = [&](std::optional<int64_t> bound, int64_t missing) {
    if (!bound) return missing;
    return std::clamp(*bound < 0 ? *bound + count : *bound, low, high);
  };
  int64_t at = clip(numbers[0], step > 0 ? low : high), stop = clip(numbers[1], step > 0 ? high : low);
  HostValue::Tuple out;
  while (step > 0 ? at < stop : at > stop) {
    out.items.push_back(tuple.items[static_cast<size_t>(at)]);
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return HostValue{std::move(out)};
}

}  // namespace

// A tuple's item by a constant index, or a slice of it.
HostValue Evaluator::evaluate_subscript(const Expr& expr) {
  HostValue base = evaluate(expr.children[0]);
  if (as_unsupported(base)) return base;
  auto* tuple = std::get_if<HostValue::Tuple>(&base.value);
  if (!tuple || expr.children.size() != 2) return host_computed(expr);
  const Expr& subscript = ast_[expr.children[1]];
  if (subscript.kind == ExprKind::Slice) {
    std::vector<HostValue> bounds;
    for (ExprId bound : subscript.children) {
      bounds.push_back(bound.valid() ? evaluate(bound) : HostValue{HostValue::None{}});
      if (as_unsupported(bounds.back())) return bounds.back();
    }
    std::optional<HostValue> part = slice_of(*tuple, bounds);
    return part ? counted(*std::move(part)) : host_computed(expr);
  }
  HostValue index = evaluate(expr.children[1]);
  if (as_unsupported(index)) return index;
  std::optional<int64_t> at = index_value(index);
  auto size = static_cast<int64_t>(tuple->items.size());
  if (at && *at < 0) *at += size;
  if (!at || *at < 0 || *at >= size) return host_computed(expr);
  return tuple->items[static_cast<size_t>(*at)];
}

// What a loop goes over, as a tuple: also range(), enumerate() and zip(), which are no constants themselves.
HostValue Evaluator::evaluate_iterable(ExprId id) {
  const Expr& expr = ast_[id];
  if (expr.kind != ExprKind::Call || !expr.keywords.empty()) return evaluate(id);
  HostValue callee = evaluate(expr.children[0]);
  auto* builtin = std::get_if<HostValue::Builtin>(&callee.value);
  bool range = builtin && builtin->name == "range", counts = builtin && builtin->name == "enumerate";
  if (!range && !counts && !(builtin && builtin->name == "zip")) return evaluate(id);
  std::vector<HostValue> arguments;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    if (ast_[expr.children[i]].kind == ExprKind::Starred) return host_computed(expr);
    arguments.push_back(range ? evaluate(expr.children[i]) : evaluate_iterable(expr.children[i]));
    if (as_unsupported(arguments.back())) return arguments.back();
  }
  if (range) {
    std::optional<std::vector<HostValue>> items = range_items(arguments);
    return items ? counted({HostValue::Tuple{*std::move(items)}}) : host_computed(expr);
  }
  std::optional<int64_t> first;
  if (counts) first = arguments.size() == 2 ? index_value(arguments[1]) : 0;
  if (counts && arguments.size() == 2) arguments.pop_back();
  std::vector<const HostValue::Tuple*> tuples;
  for (const HostValue& argument : arguments)
    tuples.push_back(std::get_if<HostValue::Tuple>(&argument.value));
  bool sound = !tuples.empty() && std::ranges::count(tuples, nullptr) == 0 &&
               (!counts || (first && tuples.size() == 1));
  return sound ? counted({zipped(tuples, first)}) : host_computed(expr);
}

// List comprehensions and generator expressions, as tuples.
HostValue Evaluator::evaluate_comprehension(const Expr& expr) {
  if (expr.text != "list" && expr.text != "generator") return unsupported("a " + expr.text, expr.range);
  HostValue::Tuple out;
  size_t outside = locals_.size();
  std::optional<HostValue> failure = comprehend(expr, 1, out.items);
  locals_.resize(outside);
  return failure ? *std::move(failure) : counted({std::move(out)});
}

// The loops from the clause at child `at` on; what was found that has no value.
std::optional<HostValue> Evaluator::comprehend(const Expr& expr, size_t at, std::vector<HostValue>& out) {
  if (at + 2 >= expr.children.size()) {
    out.push_back(evaluate(expr.children[0]));
    return as_unsupported(out.back()) ? std::optional(out.back()) : std::nullopt;
  }
  HostValue iterable = evaluate_iterable(expr.children[at + 1]);
  if (as_unsupported(iterable)) return iterable;
  auto* items = std::get_if<HostValue::Tuple>(&iterable.value);
  if (!items) return host_computed(expr);
  size_t outside = locals_.size();
  for (const HostValue& item : items->items) {
    if (++work_ > kMaxWork) return unsupported("too large to be a constant", expr.range);
    locals_.resize(outside);
    if (!bind_local(ast_[expr.children[at]], item)) return host_computed(expr);
    if (expr.children[at + 2].valid()) {
      HostValue condition = evaluate(expr.children[at + 2]);
      if (as_unsupported(condition)) return condition;
      std::optional<bool> wanted = truth(condition);
      if (!wanted) return host_computed(expr);
      if (!*wanted) continue;
    }
    if (std::optional<HostValue> failure = comprehend(expr, at + 3, out)) return failure;
  }
  return std::nullopt;
}

bool Evaluator::bind_local(const Expr& target, const HostValue& value) {
  if (target.kind == ExprKind::Name) {
    locals_.emplace_back(target.text, value);
    return true;
  }
  auto* items = std::get_if<HostValue::Tuple>(&value.value);
  bool names = target.kind == ExprKind::Tuple || target.kind == ExprKind::List;
  if (!names || !items || items->items.size() != target.children.size()) return false;
  for (size_t i = 0; i < items->items.size(); ++i)
    if (!bind_local(ast_[target.children[i]], items->items[i])) return false;
  return true;
}

}  // namespace lanewise::frontend
