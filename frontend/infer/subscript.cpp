// `a[i, j]`, `a[i]`, `a[1:-1, ::2]`, `t[k]`: elements, views and items of tuples.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

Value FunctionInference::infer_subscript(const Expr& e) {
  Value base = infer(e.children[0]);
  if (expression_of(base)) return subscript_expression(base, e);
  if (base.is_tuple() || base.is_vector()) {
    Value item = subscript_tuple(base, e);
    if (!item.is_error()) item.range = e.range;
    return item;
  }
  if (std::optional<std::string> name = field_name(base, e))
    return read_place(field_of(base, *name, ast_[e.children[1]].range, e.range), e.range);
  if (base.is_array()) {
    Subscripts subscripts = infer_subscripts(base, e);
    return subscripts.error ? error(e.range) : subscript_array(base, subscripts, e.range);
  }
  if (std::optional<Value> members = e.children.size() == 2 ? enum_members(base) : std::nullopt) {
    Value name = infer(e.children[1]);
    const std::string* text_of_name = name.object<std::string>();
    std::optional<size_t> index = text_of_name ? members->type.names.index_of(*text_of_name) : std::nullopt;
    if (index) return tuple_item(*members, *index, e.range);
    if (name.is_error()) return error(e.range);
    Report& r =
        report(DiagnosticId::UnknownAttribute, name.range, {quote(text(base.range)), text(name.range)});
    std::string near = text_of_name ? ir::nearest_name(*text_of_name, members->type.names.fields()) : "";
    if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
    if (!text_of_name) r.with_hint("a member is named by a constant text");
    return error(e.range);
  }
  for (ExprId child : Ids(e.children).subspan(1))  // for their own mistakes
    if (ast_[child].kind != ExprKind::Slice && ast_[child].kind != ExprKind::Ellipsis) infer(child);
  if (base.is_error()) return error(e.range);
  Report& r = report(DiagnosticId::NotIndexable, base.range, {describe(base)});
  if (base.is_scalar()) r.with_hint("this is one number; is an index too many, or `.shape` missing?");
  if (auto* builtin = base.object<HostValue::Builtin>(); builtin && builtin->name.ends_with("Idx"))
    r.with_hint("it has `x`, `y` and `z`");
  explain(r, base);
  return error(e.range);
}

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
    if (v.is_list) {
      not_supported(v.range, "indexing with a list", "loop over the indices");
      good = false;
      continue;
    }
    if (v.is_tuple() && e.children.size() == 2) {
      std::vector<Value> parts = items(v);
      out.reserve(parts.size());
      for (Value& part : parts) add_written(std::move(part), out);
      continue;
    }
    add_written(std::move(v), out);
    for (Value& bound : out.back().bounds) earlier.push_back(&bound);
  }
  return good;
}

// What a value stands for between brackets: an index, a slice object, None for a new dimension.
void FunctionInference::add_written(Value subscript, std::vector<Written>& out) {
  Written& w = out.emplace_back();
  if (subscript.object<HostValue::None>()) {
    w.kind = Written::Kind::New;
    return;
  }
  if (auto* slice = subscript.object<HostValue::Slice>()) {
    w.kind = Written::Kind::Slice;
    for (size_t b = 0; b < 3 && b < slice->bounds.size(); ++b) {
      if (std::holds_alternative<HostValue::None>(slice->bounds[b].value)) continue;
      w.bounds[b] = from_host(slice->bounds[b], "slice", subscript.range);
      w.given[b] = true;
    }
    return;
  }
  if (auto* slice = dynamic_cast<const SliceValue*>(subscript.deferred())) {
    w.kind = Written::Kind::Slice;
    std::ranges::copy(slice->bounds, w.bounds);
    std::ranges::copy(slice->given, w.given);
    return;
  }
  w.bounds[0] = std::move(subscript);
}

// `slice(start, stop, step)`: may be named and used between brackets.
Value FunctionInference::slice_object(CallArguments& call) {
  SliceValue slice;
  HostValue::Slice constant{std::vector<HostValue>(3, HostValue{HostValue::None{}})};
  bool known = true;
  for (size_t i = 0; i < call.positional.size(); ++i) {
    size_t b = call.positional.size() == 1 ? 1 : i;
    Value& bound = call.positional[i];
    if (bound.object<HostValue::None>()) continue;
    if (!to_index(bound, "a slice's bound").valid()) return error(call.range);
    freeze(bound);
    slice.bounds[b] = bound;
    slice.given[b] = true;
    known &= bound.known.constant.has_value();
    if (bound.known.constant) constant.bounds[b] = *bound.known.constant;
  }
  if (known) return object({std::move(constant)}, call.range);
  slice.owner = id_;
  slice.serial = ++deferred_;
  slice.description = "a slice";
  return object({HostValue::Later(std::make_shared<const SliceValue>(std::move(slice)))}, call.range);
}

bool FunctionInference::index_subscript(const Value& base, Value& index, size_t dimension, TSubscript& out) {
  if (index.is_object() && index.object<std::string>()) {
    Report& r = report(DiagnosticId::IndexType, index.range, {"an index", describe(index)});
    r.with_hint("only records have fields");
    explain(r, base);
    return false;
  }
  if (is_whole(index)) {
    const ArrayExpression* mask = expression_of(index);
    bool boolean = mask ? mask->sample.type.scalar.is_bool() : index.type.element.scalar.is_bool();
    not_supported(index.range, boolean ? "indexing with a mask" : "indexing with an array",
                  boolean ? "loop over the elements and test each, or choose with `np.where(mask, a, b)`"
                          : "loop over the indices");
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
  out.wrap = written.given[0] && !written.bounds[0].known.non_negative;
  out.wrap_upper = written.given[1] && !written.bounds[1].known.non_negative;
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
  bool ellipsis = std::ranges::count(written, Written::Kind::Ellipsis, &Written::kind) > 0;
  out.error = !expand_ellipsis(base, base.type.ndim, e, written);
  if (out.error) return out;
  size_t dimension = 0;
  for (Written& w : written) {
    TSubscript s;
    if (w.kind == Written::Kind::New) {
      s.kind = TSubscript::Kind::New;
    } else {
      bool good = w.kind == Written::Kind::Slice ? slice_subscript(w, s)
                                                 : index_subscript(base, w.bounds[0], dimension, s);
      out.error |= !good;
      ++dimension;
    }
    out.list.push_back(s);
  }
  out.all_indices =
      std::ranges::all_of(out.list, [](const TSubscript& s) { return s.kind == TSubscript::Kind::Index; }) &&
      !ellipsis;
  return out;
}

// One subscript for each dimension: `...` and what is missing at the end are whole dimensions.
bool FunctionInference::expand_ellipsis(const Value& base, size_t dims, const Expr& e,
                                        std::vector<Written>& written) {
  auto count = [&](Written::Kind kind) {
    return static_cast<size_t>(std::ranges::count(written, kind, &Written::kind));
  };
  size_t ellipses = count(Written::Kind::Ellipsis), added = count(Written::Kind::New);
  size_t given = written.size() - ellipses - added;
  if (dims + added - count(Written::Kind::Index) > kMaxDimensions && given <= dims) {
    not_supported(e.range, "an array of more than " + std::to_string(kMaxDimensions) + " dimensions");
    return false;
  }
  if (given > dims || ellipses > 1) {
    Report& r = report(DiagnosticId::IndexCount, e.range,
                       {describe(base), counted(dims, "dimension"), std::to_string(given)});
    if (ellipses > 1) r.with_hint("`...` may stand there once");
    explain(r, base);
    return false;
  }
  auto place = std::ranges::find(written, Written::Kind::Ellipsis, &Written::kind);
  if (place != written.end()) place = written.erase(place);
  Written whole;
  whole.kind = Written::Kind::Slice;
  written.insert(place, dims - given, whole);
  return true;
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
// slice of step 1, then whole dimensions. For F the same from the other end. New dimensions do not matter.
template <class Iterator>
bool stays_contiguous(Iterator first, Iterator last) {
  auto passes = [](const TSubscript& s, TSubscript::Kind kind) {
    return s.kind == kind || s.kind == TSubscript::Kind::New;
  };
  while (first != last && passes(*first, TSubscript::Kind::Index)) ++first;
  if (first != last && first->kind == TSubscript::Kind::Slice && !first->step.valid()) ++first;
  return std::all_of(first, last, [&](const TSubscript& s) { return passes(s, TSubscript::Kind::Whole); });
}

}  // namespace

// Whether a slice has one element where it has any: `:1`, `-1:`, `i:i+1`.
bool TreeFacts::is_one_long(const TSubscript& s) const {
  if (s.step.valid()) return false;
  auto constant = [&](TExprId id) {
    return id.valid() && exprs_[id.index].kind == TExprKind::Const
               ? std::optional(std::get<int64_t>(exprs_[id.index].immediate))
               : std::nullopt;
  };
  if (!s.lower.valid()) return constant(s.upper) == 1;
  if (!s.upper.valid()) return constant(s.lower) == -1;
  return difference(s.upper, s.lower) == 1;
}

// The length of a slice, where bounds and length are constants.
Known TreeFacts::slice_extent(const TSubscript& s, const Known& extent) const {
  Known out{.constant = {}, .non_negative = true, .items = {}};
  std::optional<int64_t> known = extent.constant ? index_value(*extent.constant) : std::nullopt;
  auto constant = [&](TExprId id, int64_t missing) -> std::optional<int64_t> {
    if (!id.valid()) return missing;
    const TExpr& e = exprs_[id.index];
    return e.kind == TExprKind::Const ? std::optional(std::get<int64_t>(e.immediate)) : std::nullopt;
  };
  std::optional<int64_t> step = constant(s.step, 1);
  out.at_most_one = is_one_long(s);
  if (!known || !step) return out;
  const int64_t size = *known;
  int64_t low = *step > 0 ? 0 : -1, high = *step > 0 ? size : size - 1;
  auto bound = [&](TExprId id, int64_t missing) {
    std::optional<int64_t> value = constant(id, missing);
    if (value && id.valid()) value = std::clamp(*value < 0 ? *value + size : *value, low, high);
    return value;
  };
  std::optional<int64_t> start = bound(s.lower, *step > 0 ? low : high);
  std::optional<int64_t> stop = bound(s.upper, *step > 0 ? high : low);
  if (!start || !stop) return out;
  // Steps are clipped so that nothing overflows: no step is longer than the array.
  int64_t by = std::clamp(*step, -size - 1, size + 1), span = *stop - *start;
  int64_t count = (span > 0) == (by > 0) && span != 0 ? (span - (by > 0 ? 1 : -1)) / by + 1 : 0;
  out.constant = make_int(count);
  return out;
}

Value FunctionInference::view(Value& array, std::vector<TSubscript> subscripts, SourceRange range) {
  Value v;
  v.range = range;
  v.type = array.type;
  v.type.ndim = 0;
  v.known.memory = array.known.memory;
  size_t dimension = 0;
  for (const TSubscript& s : subscripts) {
    if (s.kind == TSubscript::Kind::New) {
      ++v.type.ndim;
      v.known.items.push_back({.constant = make_int(1), .non_negative = true, .items = {}});
      continue;
    }
    size_t d = dimension++;
    if (s.kind == TSubscript::Kind::Index) continue;
    ++v.type.ndim;
    Known extent = d < array.known.items.size() ? array.known.items[d] : Known{};
    v.known.items.push_back(s.kind == TSubscript::Kind::Whole ? extent : slice_extent(s, extent));
  }
  bool all_whole = v.type.ndim == array.type.ndim && std::ranges::all_of(subscripts, [](const TSubscript& s) {
                     return s.kind == TSubscript::Kind::Whole;
                   });
  if (all_whole) {
    Value same = array;
    same.range = range;
    return same;
  }
  // C and F are the same for one dimension, and for none.
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
  if (expression_of(array)) return expression_row(array, index, range);
  Subscripts one;
  one.list.resize(array.type.ndim);
  one.list[0] = {.kind = TSubscript::Kind::Index, .lower = index, .upper = {}, .step = {}, .wrap = wrap};
  one.all_indices = array.type.ndim == 1;
  return subscript_array(array, one, range);
}

}  // namespace lanewise::frontend::inference
