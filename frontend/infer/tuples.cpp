// Tuples: joined, repeated, compared, their items and fields; named tuples' classes.
#include <algorithm>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

// `+` joins tuples, `*` repeats one.
Value FunctionInference::tuple_binary(Operator op, Value& left, Value& right, SourceRange range,
                                      SourceRange op_range) {
  std::vector<Value> parts;
  if (op == Operator::Add && left.is_tuple() && right.is_tuple()) {
    parts = items(left);
    for (Value& item : items(right)) parts.push_back(std::move(item));
    return tuple(std::move(parts), range);
  }
  Value& repeated = left.is_tuple() ? left : right;
  const Value& count = left.is_tuple() ? right : left;
  bool repeats = op == Operator::Mul && count.is_scalar() && !count.type.scalar.is_float();
  if (!repeats) return refuse_operands(op, left, right, op_range);
  std::optional<int64_t> times = count.known.constant ? index_value(*count.known.constant) : std::nullopt;
  if (!times) {
    if (repeated.is_list)
      return not_supported(range, "lists of a length that is known at run time only",
                           "`gpu.local.array(n, dtype)` with a constant n gives storage to each thread");
    return not_supported(count.range, "repeating a tuple a number of times that is not constant");
  }
  std::vector<Value> once = items(repeated);
  if (!once.empty() && *times > static_cast<int64_t>(2048 / once.size()))
    *times = 2048;  // too many: tuple() says so
  for (int64_t i = 0; i < (once.empty() ? 0 : *times); ++i)
    parts.insert(parts.end(), once.begin(), once.end());
  Value v = tuple(std::move(parts), range);
  v.is_list = repeated.is_list;
  return v;
}

Value FunctionInference::compare_tuples(Operator op, Value& left, Value& right, SourceRange range) {
  std::vector<Value> a = items(left), b = items(right);
  if (op != Operator::Eq && op != Operator::Ne) return order_tuples(op, a, b, 0, range);
  if (a.size() != b.size()) return number({op == Operator::Ne}, range);
  Value all = number({true}, range);
  for (size_t i = 0; i < a.size(); ++i) {
    Value same = compare(Operator::Eq, a[i], b[i], range);
    all = bool_op(OpKind::And, all, same, range);
  }
  return op == Operator::Ne ? unary(Operator::Not, all, range) : all;
}

// The first items that differ decide, else the lengths.
Value FunctionInference::order_tuples(Operator op, std::vector<Value>& left, std::vector<Value>& right,
                                      size_t from, SourceRange range) {
  if (from == left.size() || from == right.size()) {
    bool or_equal = op == Operator::Le || op == Operator::Ge;
    bool less = op == Operator::Lt || op == Operator::Le;
    bool holds = left.size() == right.size() ? or_equal : (left.size() < right.size()) == less;
    return number({holds}, range);
  }
  Operator strict = op == Operator::Le ? Operator::Lt : op == Operator::Ge ? Operator::Gt : op;
  Value same = compare(Operator::Eq, left[from], right[from], range);
  Value decided = compare(strict, left[from], right[from], range);
  Value rest = order_tuples(op, left, right, from + 1, range);
  Value later = bool_op(OpKind::And, same, rest, range);
  return bool_op(OpKind::Or, decided, later, range);
}

Value FunctionInference::subscript_tuple(Value& base, const Expr& e) {
  size_t count = base.type.item_count();
  const Expr& s = ast_[e.children[1]];
  if (e.children.size() != 2) {
    report(DiagnosticId::IndexCount, e.range,
           {describe(base), "1 dimension", std::to_string(e.children.size() - 1)});
    return error(e.range);
  }
  if (s.kind == ExprKind::Slice) return slice_tuple(base, s, e.range);
  size_t position = out_->size();
  Value index = infer(e.children[1]);
  Value* earlier[] = {&base};
  keep_order(earlier, position);
  if (index.is_error()) return error(e.range);
  std::optional<int64_t> at = index.known.constant ? index_value(*index.known.constant) : std::nullopt;
  if (at) {
    int64_t size = static_cast<int64_t>(count);
    if (*at < 0) *at += size;
    if (*at >= 0 && *at < size) return tuple_item(base, static_cast<size_t>(*at), e.range);
    report(DiagnosticId::IndexRange, index.range, {spell(*index.known.constant), std::to_string(size)});
    return error(e.range);
  }
  if (!to_index(index, "an index").valid()) return error(e.range);
  return pick_item(base, std::move(index), e.range);
}

namespace {

constexpr size_t kMaxChoices = 16;  // more items than that are an array

}  // namespace

// A run-time index: a chain of choices, or an array where there are many, as long as the items join to one
// type.
Value FunctionInference::pick_item(Value& base, Value index, SourceRange range) {
  size_t count = base.type.item_count();
  if (count == 0)
    return not_supported(range, "an index into an empty tuple",
                         "test `len(t)`, which is known at compile time");
  index = converted(std::move(index), ValueType::python_number(ir::kI64));
  if (count > kMaxChoices) {
    stabilise(index);
    std::optional<Value> array = array_of_items(base, range);
    if (array) return row(*array, index.expr, !index.known.non_negative, range);
    return not_supported(
        range,
        "a run-time index into a tuple of " + std::to_string(count) + " items that are not all numbers",
        "use arrays");
  }
  std::vector<Value> all = items(base);
  for (Value& item : all) stabilise(item);
  stabilise(index);
  for (size_t i = 1; i < count; ++i)
    if (!join_types(all[0].type, all[0].known, all[i].type, all[i].known)) {
      Report& r =
          report(DiagnosticId::NotInLanguage, range,
                 {"a run-time index into a tuple whose items have no common type: " + describe(all[0]) +
                  " and " + describe(all[i])});
      r.with_hint(
          "the index must be a constant, or the items must have one type; a loop over the tuple takes "
          "each item with its own type");
      explain(r, base);
      return error(range);
    }
  std::function<Value(size_t)> from = [&](size_t i) -> Value {
    if (i + 1 == count) return all[i];
    Value here = python_int(static_cast<int64_t>(i), range),
          size = python_int(static_cast<int64_t>(count), range);
    Value hit = compare(Operator::Eq, index, here, range);
    if (!index.known.non_negative) {
      Value from_end = binary(Operator::Sub, here, size, range, range);
      Value also = compare(Operator::Eq, index, from_end, range);
      hit = bool_op(OpKind::Or, hit, also, range);
    }
    return choose(
        std::move(hit), [&] { return all[i]; }, [&] { return from(i + 1); }, range);
  };
  return from(0);
}

std::optional<Value> FunctionInference::array_of_items(Value& base, SourceRange range) {
  std::vector<Value> all = items(base);
  if (all.empty()) return std::nullopt;
  ValueType type = all[0].type;
  Known known = all[0].known;
  bool constant = true;
  for (Value& item : all) {
    if (!item.is_scalar()) return std::nullopt;
    type = *join_types(type, known, item.type, item.known);
    known = common(known, item.known);
    constant &= item.known.constant.has_value();
  }
  auto count = static_cast<int64_t>(all.size());
  Value array;
  array.range = range;
  array.known.items.push_back(python_int(count, range).known);
  if (constant) {
    auto data = std::make_shared<HostArray>();
    data->element = type.scalar;
    data->shape = {count};
    for (Value& item : all) {
      ir::Bits bits = ir::bits_of(convert_constant(*item.known.constant, type.scalar), type.scalar);
      for (unsigned b = 0; b < type.scalar.element_size(); ++b)
        data->bytes.push_back(static_cast<char>(bits >> (8 * b)));
    }
    return from_host({HostValue::Array(std::move(data))}, "tuple", range);
  }
  array.type = ValueType::array(type.scalar, 1, Layout::C, ir::Space::Local);
  array.expr = add({.kind = TExprKind::LocalArray, .type = array.type, .range = range, .shape = {count}});
  stabilise(array);
  for (int64_t i = 0; i < count; ++i) {
    TExprId at = python_int(i, range).expr;
    TExprId value = convert(all[static_cast<size_t>(i)], ValueType::typed(type.scalar));
    emit({.kind = TStmtKind::StoreElement,
          .range = range,
          .array = array.expr,
          .value = value,
          .indices = {at},
          .wrap = {false}});
  }
  return array;
}

Value FunctionInference::slice_tuple(Value& base, const Expr& s, SourceRange range) {
  int64_t count = static_cast<int64_t>(base.type.item_count());
  std::optional<int64_t> bounds[3];
  for (size_t b = 0; b < 3 && b < s.children.size(); ++b) {
    if (!s.children[b].valid() || ast_[s.children[b]].kind == ExprKind::None) continue;
    Value v = infer(s.children[b]);
    if (v.is_error()) return error(range);
    bounds[b] = v.known.constant ? index_value(*v.known.constant) : std::nullopt;
    if (!bounds[b]) return not_supported(v.range, "a slice of a tuple with bounds that are not constant");
  }
  int64_t step = bounds[2].value_or(1);
  if (step == 0) {
    report(DiagnosticId::ZeroStep, s.range, {"a slice"});
    return error(range);
  }
  int64_t low = step > 0 ? 0 : -1, high = step > 0 ? count : count - 1;
  auto clip = [&](std::optional<int64_t> bound, int64_t missing) {
    if (!bound) return missing;
    return std::clamp(*bound < 0 ? *bound + count : *bound, low, high);
  };
  int64_t start = clip(bounds[0], step > 0 ? low : high), stop = clip(bounds[1], step > 0 ? high : low);
  std::vector<Value> parts;
  for (int64_t i = start; step > 0 ? i < stop : i > stop;
       i += std::clamp<int64_t>(step, -count - 1, count + 1))
    parts.push_back(tuple_item(base, static_cast<size_t>(i), range));
  return tuple(std::move(parts), range);
}

// The fields of named tuples.
Value FunctionInference::tuple_attribute(Value& base, const Expr& e) {
  const TupleNames names = base.type.names;
  if (names) {
    if (std::optional<size_t> index = names.index_of(e.text)) return tuple_item(base, *index, e.range);
    if (e.text == "_fields") {
      std::vector<Value> fields;
      for (const std::string& field : names.fields()) fields.push_back(object({field}, e.range));
      return tuple(std::move(fields), e.range);
    }
  }
  Report& r = report(DiagnosticId::UnknownAttribute, e.op_range, {describe(base), e.text});
  if (base.is_list)
    r.with_hint("there are no lists in kernels: `gpu.local.array(n, dtype)` gives each thread storage");
  else if (e.text == "size")
    r.with_hint("`len(t)` is the number of items of a tuple");
  else if (std::string near = names ? ir::nearest_name(e.text, names.fields()) : ""; !near.empty())
    r.with_hint("did you mean `" + near + "`?");
  explain(r, base);
  return error(e.range);
}

Value FunctionInference::call_tuple_class(const HostValue::TupleClass& type, CallArguments& call) {
  if (call.error) return error(call.range);
  const std::vector<std::string>& fields = type.names.fields();
  std::vector<std::optional<Value>> slots(fields.size());
  if (call.positional.size() > fields.size()) {
    report(DiagnosticId::ArgumentCount, call.range,
           {type.names.name(), counted(fields.size(), "argument"), std::to_string(call.positional.size())});
    return error(call.range);
  }
  for (size_t i = 0; i < call.positional.size(); ++i) slots[i] = std::move(call.positional[i]);
  for (auto& [name, value] : call.keywords) {
    std::optional<size_t> index = type.names.index_of(name);
    if (!index || slots[*index]) {
      Report& r = report(DiagnosticId::UnknownKeyword, value.range, {type.names.name(), name});
      if (index) r.with_hint("it was given already");
      return error(call.range);
    }
    slots[*index] = std::move(value);
  }
  std::vector<Value> parts;
  for (size_t i = 0; i < fields.size(); ++i) {
    size_t from_end = fields.size() - i;
    if (!slots[i] && from_end <= type.defaults.size())
      slots[i] = from_host(type.defaults[type.defaults.size() - from_end], fields[i], call.range);
    if (!slots[i]) {
      report(DiagnosticId::MissingArgument, call.range, {type.names.name(), "`" + fields[i] + "`"});
      return error(call.range);
    }
    slots[i]->is_list = false;
    parts.push_back(std::move(*slots[i]));
  }
  return tuple(std::move(parts), call.range, type.names);
}

// p._replace(x=1) of a named tuple; t.count(x), t.index(x): an item that is not there has the index -1, for
// nothing is raised.
Value FunctionInference::tuple_method(Value base, const std::string& name, CallArguments& call) {
  if (name == "_replace") {
    std::vector<Value> parts = items(base);
    bool good = !call.error && call.positional.empty();
    if (!good && !call.error)
      report(DiagnosticId::ArgumentCount, call.range, {name, "fields by name", count_text(call)});
    for (auto& [field, value] : call.keywords) {
      std::optional<size_t> index = base.type.names.index_of(field);
      if (!index) report(DiagnosticId::UnknownKeyword, value.range, {name, field});
      good &= index.has_value() && !value.is_error();
      if (!index) continue;
      value.is_list = false;
      parts[*index] = std::move(value);
    }
    return good ? tuple(std::move(parts), call.range, base.type.names) : error(call.range);
  }
  if (call.error || !arity(name, call, 1, 1)) return error(call.range);
  Value& wanted = call.positional[0];
  stabilise(wanted);
  std::vector<Value> all = items(base);
  Value result = python_int(name == "count" ? 0 : -1, call.range);
  for (size_t i = all.size(); i-- > 0;) {
    Value same = compare(Operator::Eq, all[i], wanted, call.range);
    if (same.is_error()) return same;
    if (name == "count") {
      Value one = converted(same, ValueType::python_number(ir::kI64));
      result = binary(Operator::Add, result, one, call.range, call.range);
    } else {
      result = choose(
          same, [&] { return python_int(static_cast<int64_t>(i), call.range); }, [&] { return result; },
          call.range);
    }
  }
  return result;
}

// A network of compares: each pass moves the least of the rest to its place.
Value FunctionInference::sorted(CallArguments& call) {
  bool reverse = false;
  for (auto& [name, value] : call.keywords) {
    std::optional<bool> flag = value.known.constant ? truth(*value.known.constant) : std::nullopt;
    if (name != "reverse" || !flag) {
      report(DiagnosticId::UnknownKeyword, value.range, {"sorted", name})
          .with_hint("`reverse` may be a constant; there is no `key`");
      return error(call.range);
    }
    reverse = *flag;
  }
  call.keywords.clear();
  if (!arity("sorted", call, 1, 1)) return error(call.range);
  Value& values = call.positional[0];
  if (!values.is_tuple())
    return not_supported(call.range, "`sorted()` of " + describe(values), "sort in a `gpu.local.array`");
  std::vector<Value> all = items(values);
  if (all.size() > 32)
    return not_supported(call.range, "`sorted()` of more than 32 items", "sort in a `gpu.local.array`");
  if (!all_numbers("sorted", all)) return error(call.range);
  if (all.empty()) return tuple({}, call.range);
  ValueType type = all[0].type;
  Known known = all[0].known;
  for (const Value& item : all)
    type = *join_types(type, known, item.type, item.known), known = common(known, item.known);
  for (Value& item : all) item = converted(item, type), stabilise(item);
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = all.size() - 1; k > i; --k) {
      Value swap = compare(reverse ? Operator::Lt : Operator::Gt, all[k - 1], all[k], call.range);
      Value low = choose(
          swap, [&] { return all[k]; }, [&] { return all[k - 1]; }, call.range);
      Value high = choose(
          swap, [&] { return all[k - 1]; }, [&] { return all[k]; }, call.range);
      stabilise(low), stabilise(high);
      all[k - 1] = low, all[k] = high;
    }
  return tuple(std::move(all), call.range);
}

}  // namespace lanewise::frontend::inference
