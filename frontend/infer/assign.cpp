// Assignments: names, tuples, elements, `op=`.
#include <algorithm>
#include <set>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

// The names that a target binds, and whether it stores into memory.
void target_names(const Ast& ast, ExprId id, std::set<std::string>& names, bool& stores) {
  const Expr& e = ast[id];
  if (e.kind == ExprKind::Name) {
    names.insert(e.text);
  } else if (e.kind == ExprKind::Tuple || e.kind == ExprKind::List || e.kind == ExprKind::Starred) {
    for (ExprId child : e.children) target_names(ast, child, names, stores);
  } else {
    stores = true;
  }
}

}  // namespace

void FunctionInference::infer_assign(const Stmt& s) {
  Value value = infer(s.value);
  if (value.is_error()) {
    hint_at_float(s);
    for (ExprId target : s.targets) poison(target);
    return;
  }
  if (s.targets.size() > 1) stabilise(value);
  for (ExprId target : s.targets) assign(target, value);
}

// An integer too large for 64 bits that was to become a float.
void FunctionInference::hint_at_float(const Stmt& s) {
  const Expr& target = ast_[s.targets[0]];
  bool overflow = !reports_.empty() && reports_.back().id == DiagnosticId::ConstantOverflow &&
                  reports_.back().range == ast_[s.value].range;
  if (!overflow || target.kind != ExprKind::Subscript) return;
  const BoundName* array = state_.names.find(ast_[target.children[0]].text);
  if (array && array->type.is_array() && array->type.element.scalar.is_float())
    reports_.back().with_hint("an integer has 64 bits at most; write a float, such as 1e30");
}

void FunctionInference::infer_ann_assign(const Stmt& s) {
  if (!s.value.valid()) return;
  Value value = infer(s.value);
  std::optional<ElementType> type = annotated_type(s.annotation);
  if (type && type->is_complex() && value.is_number())
    value = converted(std::move(value), ValueType::typed(*type));
  if (type && type->is_scalar() && value.is_scalar()) {
    if (!check_range(value, type->scalar, "the type of this variable")) return poison(s.targets[0]);
    value = converted(std::move(value), ValueType::typed(*type));
  }
  if (value.is_error()) return poison(s.targets[0]);
  assign(s.targets[0], std::move(value));
}

// What could not be inferred is assigned to: silence about these names.
void FunctionInference::poison(ExprId target) {
  const Expr& e = ast_[target];
  if (e.kind == ExprKind::Name) {
    bind(e.text, error(e.range), e.range);
  } else if (e.kind == ExprKind::Tuple || e.kind == ExprKind::List || e.kind == ExprKind::Starred) {
    for (ExprId child : e.children) poison(child);
  }
}

void FunctionInference::assign(ExprId target, Value value) {
  const Expr& e = ast_[target];
  if (value.is_error()) return poison(target);
  switch (e.kind) {
    case ExprKind::Name: return bind(e.text, std::move(value), e.range);
    case ExprKind::Tuple:
    case ExprKind::List: return unpack(e, std::move(value));
    case ExprKind::Subscript: return assign_subscript(e, std::move(value));
    case ExprKind::Attribute:
      if (e.text == "flat" || e.text == "T") {  // all elements of a view
        Value base = infer(e.children[0]);
        if (base.is_array()) return assign_elements(attribute(std::move(base), e), std::move(value), e.range);
        if (base.is_error()) return;
      }
      return assign_subscript(e, std::move(value));
    case ExprKind::Error: return;
    default: not_supported(e.range, "assigning to this"); return;
  }
}

// Items that the targets overwrite before they are read go into temporaries first.
void FunctionInference::protect(std::vector<Value>& values, const Expr& target) {
  std::set<std::string> names;
  bool stores = false;
  for (ExprId child : target.children) target_names(ast_, child, names, stores);
  for (size_t i = 0; i < values.size(); ++i)
    if (depends_on(values[i], names, stores)) {
      Value& v = values[i];
      TExprId expr = node(v);
      if (!expr.valid()) continue;
      LocalId id = temporary(v.type);
      set(id, expr, v.range);
      v.expr = local_expr(id, v.range);
      v.parts.clear();
    }
}

bool TreeFacts::depends_on(const Value& value, const std::set<std::string>& names, bool memory) const {
  if (std::ranges::any_of(value.parts, [&](const Value& part) { return depends_on(part, names, memory); }))
    return true;
  return value.expr.valid() && depends_on(value.expr, names, memory);
}

bool TreeFacts::depends_on(TExprId id, const std::set<std::string>& names, bool memory) const {
  if (!id.valid()) return false;
  const TExpr& e = exprs_[id.index];
  if (e.kind == TExprKind::Local) return names.contains(locals_[e.local.index].name);
  bool reads = e.kind == TExprKind::Element || e.kind == TExprKind::Atomic || e.kind == TExprKind::Call ||
               e.kind == TExprKind::External;
  if (memory && reads) return true;
  for (const TSubscript& s : e.subscripts)
    if (depends_on(s.lower, names, memory) || depends_on(s.upper, names, memory) ||
        depends_on(s.step, names, memory))
      return true;
  return std::ranges::any_of(e.children, [&](TExprId child) { return depends_on(child, names, memory); });
}

void FunctionInference::unpack(const Expr& target, Value value) {
  size_t wanted = target.children.size();
  auto star =
      std::ranges::find_if(target.children, [&](ExprId id) { return ast_[id].kind == ExprKind::Starred; });
  bool starred = star != target.children.end();
  auto give_up = [&] {
    for (ExprId child : target.children) poison(child);
  };
  std::vector<Value> values;
  const ArrayExpression* expression = expression_of(value);
  bool rows = value.is_array() ? value.type.ndim > 0 : expression && expression->ndim() > 0;
  if (rows && !starred) {
    // Python would compare the length; here the array is trusted to have it.
    stabilise(value);
    for (size_t i = 0; i < wanted; ++i)
      values.push_back(row(value, python_int(static_cast<int64_t>(i), value.range).expr, false, value.range));
  } else if (value.is_tuple() || value.is_vector()) {
    values = items(value);
  } else {
    Report& r = report(DiagnosticId::UnpackType, value.range, {describe(value)});
    explain(r, value);
    return give_up();
  }
  bool fits_targets = starred ? values.size() + 1 >= wanted : values.size() == wanted;
  if (!fits_targets) {
    Report& r = report(DiagnosticId::UnpackCount, value.range,
                       {std::to_string(values.size()), std::to_string(wanted)});
    r.label(target.range, "these names");
    std::string call = text(value.range), callee = call.substr(0, call.find('('));
    if (!starred && wanted <= 3 && (callee.ends_with("grid") || callee.ends_with("gridsize")))
      r.with_hint("its argument says how many: `" + callee + "(" + std::to_string(wanted) + ")`");
    return give_up();
  }
  protect(values, target);
  size_t next = 0;
  for (ExprId child : target.children) {
    const Expr& e = ast_[child];
    if (e.kind != ExprKind::Starred) {
      assign(child, std::move(values[next++]));
      continue;
    }
    size_t count = values.size() - (wanted - 1);
    std::vector<Value> rest(values.begin() + static_cast<ptrdiff_t>(next),
                            values.begin() + static_cast<ptrdiff_t>(next + count));
    next += count;
    assign(e.children[0], tuple(std::move(rest), value.range));
  }
}

// Whether the base of a target is an array whose elements it says; anything else is reported.
bool FunctionInference::can_assign_to(const Value& base, const Expr& target) {
  if (base.is_error()) return false;
  if (target.kind == ExprKind::Attribute) {
    bool vector = base.is_vector(), fields = base.is_tuple() && base.type.names;
    std::string name = text(base.range), of = "`" + target.text + "` of " + describe(base);
    Report& r = report(DiagnosticId::NotInLanguage, target.op_range,
                       {vector || fields || base.is_complex() ? "assigning to " + of + ", which is a value"
                                                              : "assigning to this attribute"});
    r.with_hint(fields   ? "make a new one: `" + name + " = " + name + "._replace(" + target.text + "=...)`"
                : vector ? "make a new one: `" + name + " = gpu." + to_string(base.type) + "(...)`"
                : base.is_complex() ? "make a new one: `" + name + " = complex(...)`"
                                    : "fields of records can be assigned to, and elements with `a[i] = x`");
    explain(r, base);
    return false;
  }
  if (base.is_array()) return true;
  Report& r = report(DiagnosticId::NotIndexable, base.range, {describe(base)});
  if (base.is_tuple()) r.with_hint("tuples cannot be changed; `gpu.local.array(n, dtype)` can");
  explain(r, base);
  return false;
}

void FunctionInference::assign_subscript(const Expr& target, Value value) {
  size_t position = out_->size();
  Value base = infer(target.children[0]);
  if (expression_of(base)) {
    refuse_expression(base, "written to", target.range);
    return;
  }
  Value* before[] = {&value};
  if (std::optional<Value> field = target_field(target, base)) {
    keep_order(before, position);
    return store_in_place(*field, std::move(value), target.range);
  }
  if (!can_assign_to(base, target)) return;
  Subscripts subscripts = infer_subscripts(base, target);
  Value* earlier[] = {&value};
  keep_order(earlier, position);
  store(base, subscripts, std::move(value), target.range);
}

void FunctionInference::infer_aug_assign(const Stmt& s) {
  const Expr& target = ast_[s.targets[0]];
  if (target.kind == ExprKind::Subscript || target.kind == ExprKind::Attribute)
    return aug_assign_element(s, target);
  if (target.kind != ExprKind::Name) return assign(s.targets[0], infer(s.value));
  Value left = lookup_local(target.text, target.range);
  size_t position = out_->size();
  Value right = infer(s.value);
  Value* earlier[] = {&left};
  keep_order(earlier, position);
  if (left.is_array()) {  // in place, as NumPy does
    Value changed = binary(s.op, left, std::move(right), s.range, s.range);
    return assign_elements(std::move(left), std::move(changed), s.range);
  }
  Value result = binary(s.op, std::move(left), std::move(right), s.range, s.range);
  if (result.is_error()) return poison(s.targets[0]);
  bind(target.text, std::move(result), target.range);
}

// `p[i].x += v`: the record is found once.
void FunctionInference::aug_assign_field(const Stmt& s, const Expr& target, Value place) {
  if (place.is_error() || place.type.ndim > 0) {
    infer(s.value);
    if (!place.is_error()) not_yet(s.range, "arithmetic on whole arrays", "loop over the elements");
    return;
  }
  freeze(place);
  Value left = read_place(place, target.range);
  size_t position = out_->size();
  Value right = infer(s.value);
  Value* earlier[] = {&left};
  keep_order(earlier, position);
  store_in_place(place, binary(s.op, std::move(left), std::move(right), s.range, s.range), target.range);
}

// The array and the indices are evaluated once.
void FunctionInference::aug_assign_element(const Stmt& s, const Expr& target) {
  Value base = infer(target.children[0]);
  if (expression_of(base)) base = refuse_expression(base, "written to", target.range);
  if (std::optional<Value> field = target_field(target, base)) return aug_assign_field(s, target, *field);
  if (!can_assign_to(base, target)) {
    infer(s.value);
    return;
  }
  Subscripts subscripts = infer_subscripts(base, target);
  if (subscripts.error) {
    infer(s.value);
    return;
  }
  if (!subscripts.all_indices) {
    Value target_view = view(base, subscripts.list, target.range);
    stabilise(target_view);
    Value right = infer(s.value);
    Value changed = binary(s.op, target_view, std::move(right), s.range, s.range);
    return assign_elements(std::move(target_view), std::move(changed), s.range);
  }
  auto once = [&](TExprId& id) {
    bool kept = exprs_[id.index].kind == TExprKind::Const ||
                (exprs_[id.index].kind == TExprKind::Local && !has_walrus_);
    if (kept) return;
    LocalId t = temporary(type_of(id));
    set(t, id, target.range);
    id = local_expr(t, target.range);
  };
  once(base.expr);
  for (TSubscript& one : subscripts.list) once(one.lower);
  Value left = subscript_array(base, subscripts, target.range);
  size_t position = out_->size();
  Value right = infer(s.value);
  Value* earlier[] = {&left};
  keep_order(earlier, position);
  store(base, subscripts, binary(s.op, std::move(left), std::move(right), s.range, s.range), target.range);
}

}  // namespace lanewise::frontend::inference
