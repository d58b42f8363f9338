// `a[i, j]`, `a[i]`, `a[1:-1, ::2]`, `t[k]`: elements, views and items of tuples.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

Value FunctionInference::infer_subscript(const Expr& e) {
  Value base = infer(e.children[0]);
  if (base.is_tuple()) return subscript_tuple(base, e);
  if (std::optional<std::string> name = field_name(base, e))
    return read_place(field_of(base, *name, ast_[e.children[1]].range, e.range), e.range);
  if (base.is_array()) {
    Subscripts subscripts = infer_subscripts(base, e);
    return subscripts.error ? error(e.range) : subscript_array(base, subscripts, e.range);
  }
  infer_all(Ids(e.children).subspan(1));  // for their own mistakes
  if (base.is_error()) return error(e.range);
  Report& r = report(DiagnosticId::NotIndexable, base.range, {describe(base)});
  if (base.is_scalar()) r.with_hint("this is one number; is an index too many, or `.shape` missing?");
  explain(r, base);
  return error(e.range);
}

// One subscript as it is written, before dimensions are counted.
struct FunctionInference::Written {
  enum class Kind { Index, Slice, Ellipsis } kind = Kind::Index;
  Value bounds[3];  // Index: the first; Slice: lower, upper, step, of type Error where left out
  bool given[3] = {false, false, false};
};

bool FunctionInference::written_subscripts(Value& base, const Expr& e, std::vector<Written>& out) {
  bool good = true;
  std::vector<Value*> earlier = {&base};
  // Values of one subscript after the other, those before kept as they were.
  auto value_of = [&](ExprId id) {
    size_t position = out_->size();
    Value v = infer(id);
    keep_order(earlier, position);
    good &= !v.is_error();
    return v;
  };
  out.reserve(e.children.size() * 2);  // `earlier` points into it
  for (size_t i = 1; i < e.children.size(); ++i) {
    const Expr& s = ast_[e.children[i]];
    if (s.kind == ExprKind::Ellipsis) {
      out.push_back({.kind = Written::Kind::Ellipsis});
      continue;
    }
    if (s.kind == ExprKind::Slice) {
      Written& w = out.emplace_back();
      w.kind = Written::Kind::Slice;
      for (size_t b = 0; b < 3 && b < s.children.size(); ++b) {
        if (!s.children[b].valid() || ast_[s.children[b]].kind == ExprKind::None) continue;
        w.bounds[b] = value_of(s.children[b]);
        w.given[b] = true;
        earlier.push_back(&w.bounds[b]);
      }
      continue;
    }
    Value v = value_of(e.children[i]);
    if (v.is_tuple() && e.children.size() == 2) {
      std::vector<Value> parts = items(v);
      out.reserve(parts.size());
      for (Value& part : parts) {
        Written& w = out.emplace_back();
        w.bounds[0] = std::move(part);
      }
      continue;
    }
    Written& w = out.emplace_back();
    w.bounds[0] = std::move(v);
    earlier.push_back(&w.bounds[0]);
  }
  return good;
}

bool FunctionInference::index_subscript(const Value& base, Value& index, size_t dimension, TSubscript& out) {
  if (index.is_object() && index.object<std::string>()) {
    Report& r = report(DiagnosticId::IndexType, index.range, {"an index", describe(index)});
    r.with_hint("only records have fields");
    explain(r, base);
    return false;
  }
  if (index.is_object() && index.object<HostValue::None>()) {
    not_yet(index.range, "`None` as an index", "");
    return false;
  }
  if (index.is_array()) {
    not_yet(index.range, "indexing with an array", "loop over the indices");
    return false;
  }
  if (index.is_scalar() && index.type.scalar.is_bool()) {  // a mask to NumPy, which adds a dimension
    Report& r = report(DiagnosticId::IndexType, index.range, {"an index", describe(index)});
    r.with_hint("`int(x)` makes it 0 or 1");
    explain(r, index);
    return false;
  }
  out.kind = TSubscript::Kind::Index;
  out.lower = to_index(index, "an index");
  out.wrap = !index.known.non_negative;
  if (!out.lower.valid()) return false;
  const TExpr& node = exprs_[out.lower.index];
  bool sized = dimension < base.known.items.size() && base.known.items[dimension].constant;
  if (sized && node.kind == TExprKind::Const) {
    int64_t extent = index_value(*base.known.items[dimension].constant).value_or(INT64_MAX);
    int64_t at = std::get<int64_t>(node.immediate);
    if (at >= extent || at < -extent) {
      report(DiagnosticId::IndexRange, index.range, {std::to_string(at), std::to_string(extent)});
      return false;
    }
  }
  return true;
}

bool FunctionInference::slice_subscript(Written& written, TSubscript& out) {
  out.kind = TSubscript::Kind::Slice;
  TExprId* bounds[] = {&out.lower, &out.upper, &out.step};
  for (size_t b = 0; b < 3; ++b) {
    if (!written.given[b]) continue;
    *bounds[b] = to_index(written.bounds[b], "a slice's bound");
    if (!bounds[b]->valid()) return false;
  }
  if (out.step.valid()) {
    const TExpr& step = exprs_[out.step.index];
    if (step.kind == TExprKind::Const && step.immediate == ir::Immediate(int64_t{0})) {
      report(DiagnosticId::ZeroStep, written.bounds[2].range, {"a slice"});
      return false;
    }
    if (step.kind == TExprKind::Const && step.immediate == ir::Immediate(int64_t{1})) out.step = {};
  }
  if (!out.lower.valid() && !out.upper.valid() && !out.step.valid()) out.kind = TSubscript::Kind::Whole;
  return true;
}

FunctionInference::Subscripts FunctionInference::infer_subscripts(Value& base, const Expr& e) {
  Subscripts out;
  std::vector<Written> written;
  out.error = !written_subscripts(base, e, written);
  if (out.error) return out;
  size_t dims = base.type.ndim;
  size_t ellipses = static_cast<size_t>(std::ranges::count(written, Written::Kind::Ellipsis, &Written::kind));
  size_t given = written.size() - ellipses;
  if (given > dims || ellipses > 1) {
    Report& r = report(DiagnosticId::IndexCount, e.range,
                       {describe(base), counted(dims, "dimension"), std::to_string(given)});
    explain(r, base);
    out.error = true;
    return out;
  }
  for (Written& w : written) {
    if (w.kind == Written::Kind::Ellipsis) {
      out.list.resize(out.list.size() + dims - given);
      continue;
    }
    TSubscript s;
    bool good = w.kind == Written::Kind::Slice ? slice_subscript(w, s)
                                               : index_subscript(base, w.bounds[0], out.list.size(), s);
    out.error |= !good;
    out.list.push_back(s);
  }
  out.list.resize(dims);
  out.all_indices =
      std::ranges::all_of(out.list, [](const TSubscript& s) { return s.kind == TSubscript::Kind::Index; }) &&
      ellipses == 0;
  return out;
}

Value FunctionInference::subscript_array(Value& array, const Subscripts& subscripts, SourceRange range) {
  if (!subscripts.all_indices || array.type.element.is_place()) return view(array, subscripts.list, range);
  std::vector<TExprId> children = {array.expr};
  std::vector<bool> wrap;
  for (const TSubscript& s : subscripts.list) children.push_back(s.lower), wrap.push_back(s.wrap);
  ValueType type = ValueType::typed(array.type.element);
  return scalar(type,
                add({.kind = TExprKind::Element,
                     .type = type,
                     .range = range,
                     .children = std::move(children),
                     .wrap = std::move(wrap)}),
                range);
}

namespace {

// Whether the parts of a C-contiguous array that are left are contiguous themselves: leading indices, one
// slice of step 1, then whole dimensions. For F the same from the other end.
template <class Iterator>
bool stays_contiguous(Iterator first, Iterator last) {
  while (first != last && first->kind == TSubscript::Kind::Index) ++first;
  if (first != last && first->kind == TSubscript::Kind::Slice && !first->step.valid()) ++first;
  return std::all_of(first, last, [](const TSubscript& s) { return s.kind == TSubscript::Kind::Whole; });
}

}  // namespace

Value FunctionInference::view(Value& array, std::vector<TSubscript> subscripts, SourceRange range) {
  Value v;
  v.range = range;
  v.type = array.type;
  v.type.ndim = 0;
  for (size_t d = 0; d < subscripts.size(); ++d) {
    if (subscripts[d].kind == TSubscript::Kind::Index) continue;
    ++v.type.ndim;
    bool whole = subscripts[d].kind == TSubscript::Kind::Whole && d < array.known.items.size();
    v.known.items.push_back(whole ? array.known.items[d] : Known{.constant = {}, .non_negative = true});
  }
  bool all_whole = v.type.ndim == array.type.ndim && std::ranges::all_of(subscripts, [](const TSubscript& s) {
                     return s.kind == TSubscript::Kind::Whole;
                   });
  if (all_whole) {
    Value same = array;
    same.range = range;
    return same;
  }
  bool contiguous =
      (array.type.layout == Layout::C && stays_contiguous(subscripts.begin(), subscripts.end())) ||
      (array.type.layout == Layout::F && stays_contiguous(subscripts.rbegin(), subscripts.rend()));
  if (!contiguous) v.type.layout = array.type.general_layout();
  if (v.type.ndim <= 1 && (contiguous || v.type.is_place())) v.type.layout = Layout::C;
  v.expr = add({.kind = TExprKind::View,
                .type = v.type,
                .range = range,
                .children = {array.expr},
                .subscripts = std::move(subscripts)});
  return v;
}

Value FunctionInference::row(Value& array, TExprId index, bool wrap, SourceRange range) {
  Subscripts one;
  one.list.resize(array.type.ndim);
  one.list[0] = {.kind = TSubscript::Kind::Index, .lower = index, .upper = {}, .step = {}, .wrap = wrap};
  one.all_indices = array.type.ndim == 1;
  return subscript_array(array, one, range);
}

Value FunctionInference::subscript_tuple(Value& base, const Expr& e) {
  size_t count = base.type.items.size();
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

// A run-time index: a chain of choices, as long as the items join to one type.
Value FunctionInference::pick_item(Value& base, Value index, SourceRange range) {
  size_t count = base.type.items.size();
  if (count == 0 || count > 64) return not_yet(range, "a run-time index into such a tuple", "use an array");
  std::vector<Value> all = items(base);
  for (Value& item : all) stabilise(item);
  index = converted(std::move(index), ValueType::python_number(ir::kI64));
  stabilise(index);
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

Value FunctionInference::slice_tuple(Value& base, const Expr& s, SourceRange range) {
  int64_t count = static_cast<int64_t>(base.type.items.size());
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

}  // namespace lanewise::frontend::inference
