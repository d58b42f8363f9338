// Comprehensions, unrolled: what they go over has a length known at compile time, and so has their result,
// which is a tuple. Also `range`, `zip`, `enumerate` and `reversed` where there is no loop.
#include <algorithm>

#include "frontend/infer/builtins.h"
#include "frontend/infer/depth.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

constexpr size_t kMaxItems = 1024;

void scoped_names(const Ast& ast, ExprId target, std::vector<std::string>& names) {
  if (!target.valid()) return;
  const Expr& e = ast[target];
  if (e.kind == ExprKind::Name) names.push_back(e.text);
  for (ExprId child : e.children) scoped_names(ast, child, names);
}

}  // namespace

// The names of the `for`s are the comprehension's own, and constants where what they go over is.
Value FunctionInference::infer_comprehension(const Expr& e) {
  if (e.text == "set") return not_supported(e.range, "sets", "`x in (1, 2, 3)` tests membership");
  if (e.text == "dict") return not_supported(e.range, "dicts", "use arrays, or a tuple of constants");
  std::vector<std::string> names;
  for (size_t part = 1; part < e.children.size(); part += 3) scoped_names(ast_, e.children[part], names);
  std::vector<std::optional<BoundName>> hidden;
  std::vector<std::optional<int>> counts;
  for (const std::string& name : names) {
    const BoundName* found = state_.names.find(name);
    hidden.push_back(found ? std::optional(*found) : std::nullopt);
    auto count = binding_counts_.find(name);
    counts.push_back(count == binding_counts_.end() ? std::nullopt : std::optional(count->second));
    binding_counts_[name] = 1;
  }
  std::vector<Value> out;
  bool good = comprehend(e, 1, out);
  for (size_t i = names.size(); i-- > 0;) {
    if (hidden[i])
      state_.names.set(names[i], *hidden[i]);
    else
      state_.names.erase(names[i]);
    if (counts[i])
      binding_counts_[names[i]] = *counts[i];
    else
      binding_counts_.erase(names[i]);
  }
  return good ? tuple(std::move(out), e.range) : error(e.range);
}

// The `for` at `part` and those inside it.
bool FunctionInference::comprehend(const Expr& e, size_t part, std::vector<Value>& out) {
  Depth depth(*this, e.range);
  if (!depth.ok) return false;
  if (part >= e.children.size()) {
    size_t position = out_->size();
    Value item = infer(e.children[0]);
    if (item.is_error()) return false;
    if (out_->size() != position) {
      std::vector<Value*> earlier;
      for (Value& v : out) earlier.push_back(&v);
      keep_order(earlier, position);
    }
    item.is_list = false;
    freeze(item);
    out.push_back(std::move(item));
    if (out.size() <= kMaxItems) return true;
    not_supported(e.range, "a comprehension of more than " + std::to_string(kMaxItems) + " items",
                  "write the loop; for storage use `gpu.local.array(n, dtype)`");
    return false;
  }
  Sequence sequence = infer_sequence(e.children[part + 1]);
  if (sequence.kind == Sequence::Kind::Error) return false;
  std::optional<std::vector<Value>> values = sequence_values(sequence, true);
  if (!values) {
    not_supported(ast_[e.children[part + 1]].range,
                  "a comprehension over something whose length is not known at compile time",
                  "write the loop; for storage use `gpu.local.array(n, dtype)`");
    return false;
  }
  for (Value& value : *values) freeze(value);
  for (const Value& value : *values) {
    bind_scoped(e.children[part], value);
    if (e.children[part + 2].valid()) {
      Value condition = infer_condition(e.children[part + 2]);
      if (condition.is_error()) return false;
      if (!condition.known.constant) {
        not_supported(condition.range, "a condition in a comprehension that is not known at compile time",
                      "`sum(x if c else 0 for ...)` has one value for each item");
        return false;
      }
      if (!*truth(*condition.known.constant)) continue;
    }
    if (!comprehend(e, part + 3, out)) return false;
  }
  return true;
}

// Binds without touching a variable of the function that has the same name.
void FunctionInference::bind_scoped(ExprId target, Value value) {
  const Expr& e = ast_[target];
  if (e.kind == ExprKind::Name) {
    BoundName binding;
    binding.where = e.range;
    binding.type = value.type;
    if (!value.is_error() && !value.is_object()) {
      binding.local = temporary(value.type);
      set(binding.local, node(value), e.range);
    }
    binding.known = std::move(value.known);
    state_.names.set(e.text, std::move(binding));
    return;
  }
  bool unpacks = e.kind == ExprKind::Tuple || e.kind == ExprKind::List;
  std::vector<Value> values = unpacks && value.is_tuple() ? items(value) : std::vector<Value>{};
  if (!unpacks) {
    not_supported(e.range, "assigning to this in a comprehension");
  } else if (!value.is_tuple()) {
    if (!value.is_error()) report(DiagnosticId::UnpackType, e.range, {describe(value)});
  } else if (values.size() != e.children.size()) {
    report(DiagnosticId::UnpackCount, e.range,
           {std::to_string(values.size()), std::to_string(e.children.size())});
    values.clear();
  }
  for (size_t i = 0; i < e.children.size(); ++i)
    bind_scoped(e.children[i], i < values.size() ? values[i] : error(e.range));
}

// The values of a range whose bounds are constants.
std::optional<std::vector<Value>> FunctionInference::range_values(const Sequence& sequence) {
  std::optional<int64_t> bounds[3];
  TExprId nodes[] = {sequence.counter.start, sequence.counter.stop, sequence.counter.step};
  for (size_t i = 0; i < 3; ++i) {
    const TExpr& e = exprs_[nodes[i].index];
    if (e.kind != TExprKind::Const) return std::nullopt;
    bounds[i] = index_value(constant_of(e.type, e.immediate));
    if (!bounds[i]) return std::nullopt;
  }
  std::vector<Value> values;
  Wide stop = *bounds[1], step = *bounds[2];
  for (Wide i = *bounds[0]; step != 0 && (step > 0 ? i < stop : i > stop); i += step) {
    if (values.size() > kMaxItems) return std::nullopt;
    values.push_back(number(make_int(i), sequence.range));
  }
  return values;
}

// range(), zip(), enumerate() and reversed() as an argument or a value: a tuple of their items.
Value FunctionInference::listed(const std::string& name, CallArguments& call) {
  Sequence sequence;
  sequence.range = call.range;
  std::optional<std::vector<Value>> values;
  if (name == "range") {
    std::optional<Counter> counter = infer_range(call);
    if (!counter) return error(call.range);
    sequence.kind = Sequence::Kind::Counter;
    sequence.counter = *counter;
    values = sequence_values(sequence, true);
  } else {
    bool enumerate = name == "enumerate";
    Value start = python_int(0, call.range);
    if (enumerate && call.keywords.size() == 1 && call.keywords[0].first == "start")
      call.positional.push_back(call.keywords[0].second), call.keywords.clear();
    if (!arity(name, call, 1, enumerate ? 2 : name == "zip" ? SIZE_MAX : 1)) return error(call.range);
    if (enumerate && call.positional.size() == 2) start = call.positional.back(), call.positional.pop_back();
    for (Value& value : call.positional) {
      sequence.inner.push_back(sequence_of(value));
      if (sequence.inner.back().kind == Sequence::Kind::Error) return error(call.range);
    }
    sequence.value = start;
    sequence.kind = enumerate       ? Sequence::Kind::Enumerate
                    : name == "zip" ? Sequence::Kind::Zip
                                    : Sequence::Kind::Reversed;
    values = sequence_values(sequence, true);
  }
  if (!values)
    return not_supported(call.range, "`" + name + "()` of a length that is not known at compile time here",
                         "write `for x in " + name + "(...):`");
  return tuple(std::move(*values), call.range);
}

}  // namespace lanewise::frontend::inference
