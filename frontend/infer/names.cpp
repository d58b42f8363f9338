// Names: variables of the function, what it captures, Python's builtins; and which names it assigns.
#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/infer/hints.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

bool holds_array(const ValueType& type) {
  return type.is_array() ||
         std::ranges::any_of(type.items, [](const ValueType& t) { return holds_array(t); });
}

// Without the values of numbers, which are constants only in names that are bound once.
Known variable(Known known) {
  if (known.constant && !is_object(*known.constant)) known.constant.reset();
  for (Known& item : known.items) item = variable(std::move(item));
  return known;
}

}  // namespace

Value FunctionInference::infer_name(const Expr& e) {
  if (binding_counts_.contains(e.text)) return lookup_local(e.text, e.range);
  return lookup_global(e.text, e.range);
}

Value FunctionInference::lookup_local(const std::string& name, SourceRange range) {
  // A copy: what is read may be bound anew while it is.
  if (const BoundName* found = state_.names.find(name)) return read(name, BoundName(*found), range);
  Report& r = report(DiagnosticId::UnboundName, range, {name});
  if (fn_.environment && fn_.environment->lookup(name))
    r.with_hint("the function assigns `" + name + "`, which makes it a variable of its own everywhere in it");
  return error(range);
}

Value FunctionInference::read(const std::string& name, const BoundName& binding, SourceRange range) {
  if (binding.conflict) {
    if (said_before(DiagnosticId::JoinTypes, name)) return error(range);
    bool functions = binding.objects, same = binding.one == binding.other;
    bool expression = (binding.one + binding.other).find("an array expression") != std::string::npos;
    std::string what = expression || !same ? binding.one : "one function or type";
    report(DiagnosticId::JoinTypes, range,
           {name, what,
            !same        ? binding.other
            : expression ? "another one"
                         : "a different one"})
        .label(binding.where, "one of the two here")
        .label(binding.other_where, "the other one here")
        .with_hint(expression ? "an expression of whole arrays has no memory of its own: make `" + name +
                                    "` an array, `" + name + " = gpu.local.array(n, dtype)`, and write `" +
                                    name + "[:] = ...`"
                   : functions ? "a function must be the same on all paths: call each where it is chosen"
                               : "use a name of its own for each");
    return error(range);
  }
  if (binding.type.is_error()) return error(range);
  if (binding.maybe_unbound) {
    if (binding.type.kind == ValueType::Kind::None || holds_array(binding.type)) {
      std::string what =
          binding.known.constant ? describe_object(*binding.known.constant) : to_string(binding.type);
      report(DiagnosticId::MaybeUnboundArray, range, {name, what})
          .label(binding.where, "assigned here")
          .with_hint("assign `" + name + "` on every path");
      return error(range);
    }
    if (!said_before(DiagnosticId::MaybeUnbound, name))
      report(DiagnosticId::MaybeUnbound, range, {name})
          .label(binding.where, "assigned here")
          .with_hint("give `" + name + "` a value before the branch or loop");
  }
  Value v;
  v.type = binding.type;
  v.range = range;
  v.origin = {name, binding.where, binding.parameter};
  bool constant = bound_once(name) && !binding.maybe_unbound;
  v.known = constant ? binding.known : variable(binding.known);
  if (constant && v.known.constant && is_number(*v.known.constant)) {
    v.expr = const_expr(v.type, convert_constant(*v.known.constant, v.type.scalar), range);
  } else if (binding.local.valid()) {
    v.expr = local_expr(binding.local, range);
  }
  return v;
}

// Once for each name is enough.
bool FunctionInference::said_before(DiagnosticId id, const std::string& name) const {
  return std::ranges::any_of(reports_, [&](const Report& r) { return r.id == id && r.arguments[0] == name; });
}

void FunctionInference::bind(const std::string& name, Value value, SourceRange where) {
  BoundName binding;
  binding.where = where;
  if (value.is_list && !value.is_error()) {
    value = not_supported(value.range, "lists",
                          "a tuple has a fixed length; for storage that changes use "
                          "`gpu.local.array(n, dtype)`");
  }
  if (const ArrayExpression* expression = expression_of(value))
    value = named_expression(*expression, value.range);
  if (contained_expression(value)) value = refuse_expression(value, "kept in a tuple", value.range);
  binding.type = value.type;
  if (!value.is_error() && !value.is_object()) {
    TExprId expr = node(value);
    binding.local = local(name, value.type);
    set(binding.local, expr, where);
  }
  binding.known = std::move(value.known);
  state_.names.set(name, std::move(binding));
}

Value FunctionInference::lookup_global(const std::string& name, SourceRange range) {
  if (fn_.environment) {
    if (std::optional<HostValue> found = fn_.environment->lookup(name)) return from_host(*found, name, range);
  }
  if (std::optional<HostValue> found = python_builtin(name)) return object(*found, range);
  Report& r = report(DiagnosticId::UnknownName, range, {name});
  if (std::string hint = hint_to_import(name); !hint.empty()) {
    r.with_hint(std::move(hint));
    return error(range);
  }
  std::string near = nearest_known(name);
  if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
  return error(range);
}

// The nearest of the names that are known here, and of those in the language's modules that have a name here:
// `syncthreads` and `gird` are "gpu.syncthreads" and "gpu.grid".
std::string FunctionInference::nearest_known(const std::string& name) const {
  std::vector<std::string> candidates = known_names();
  candidates.push_back(ir::nearest_name(name, python_builtin_names(), misspelt_letters(name)));
  std::vector<std::string> spelt = candidates;
  if (fn_.environment) {
    for (const std::string& module : fn_.environment->names()) {
      std::optional<HostValue> value = fn_.environment->lookup(module);
      const auto* builtin = value ? std::get_if<HostValue::Builtin>(&value->value) : nullptr;
      if (!builtin) continue;
      std::vector<std::string> attributes = builtin_module_names(builtin->name);
      bool exact = std::ranges::find(attributes, name) != attributes.end();
      std::string near = exact ? name : ir::nearest_name(name, attributes, misspelt_letters(name));
      if (near.empty()) continue;
      candidates.push_back(near);
      spelt.push_back(module + "." + near);
    }
  }
  auto found = std::ranges::find(candidates, name);
  if (found == candidates.end()) found = std::ranges::find(candidates, ir::nearest_name(name, candidates));
  return found == candidates.end() ? "" : spelt[static_cast<size_t>(found - candidates.begin())];
}

std::vector<std::string> FunctionInference::known_names() const {
  std::vector<std::string> names;
  for (auto& [name, count] : binding_counts_) names.push_back(name);
  if (fn_.environment)
    for (std::string& name : fn_.environment->names()) names.push_back(std::move(name));
  return names;
}

// --- which names the function assigns

void FunctionInference::count_target(ExprId id, int delta) {
  const Expr& e = ast_[id];
  switch (e.kind) {
    case ExprKind::Name: binding_counts_[e.text] += delta; return;
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Starred:
      for (ExprId child : e.children) count_target(child, delta);
      return;
    default: count_expr(id, delta); return;  // an element or attribute: only a walrus inside it counts
  }
}

void FunctionInference::count_expr(ExprId id, int delta) {
  if (!id.valid()) return;
  const Expr& e = ast_[id];
  if (e.kind == ExprKind::NamedExpr) binding_counts_[e.text] += delta, has_walrus_ = true;
  if (e.kind == ExprKind::Lambda || e.kind == ExprKind::Comprehension) return;  // scopes of their own
  for (ExprId child : e.children) count_expr(child, delta);
}

// What a pattern binds; inference refuses those that bind anything.
std::vector<std::string> FunctionInference::pattern_names(ExprId id) const {
  std::vector<std::string> names;
  if (!id.valid()) return names;
  const Expr& e = ast_[id];
  bool binds = e.kind == ExprKind::Name || e.kind == ExprKind::NamedExpr;
  if (binds && e.text != "_") names.push_back(e.text);
  if (e.kind == ExprKind::Attribute) return names;
  for (size_t i = e.kind == ExprKind::Call ? 1 : 0; i < e.children.size(); ++i)
    for (std::string& name : pattern_names(e.children[i])) names.push_back(std::move(name));
  return names;
}

void FunctionInference::count_bindings(const std::vector<StmtId>& body, int delta) {
  for (StmtId id : body) {
    const Stmt& s = ast_[id];
    count_expr(s.value, delta);
    count_expr(s.extra, delta);
    switch (s.kind) {
      case StmtKind::Assign:
      case StmtKind::AugAssign:
      case StmtKind::For:
        for (ExprId target : s.targets) count_target(target, delta);
        break;
      case StmtKind::AnnAssign:
        // An annotation alone makes the name local, too.
        for (ExprId target : s.targets)
          if (s.value.valid())
            count_target(target, delta);
          else if (ast_[target].kind == ExprKind::Name)
            binding_counts_[ast_[target].text];
        break;
      case StmtKind::Delete:
        for (ExprId target : s.targets)
          if (ast_[target].kind == ExprKind::Name) binding_counts_[ast_[target].text];
        break;
      case StmtKind::FunctionDef:
      case StmtKind::ClassDef:
        if (!s.name.empty()) binding_counts_[s.name] += delta;
        continue;  // a scope of its own
      case StmtKind::Import:
      case StmtKind::ImportFrom:
        for (const ImportName& name : s.imports)
          if (name.alias != "*") binding_counts_[name.alias] += delta;
        break;
      case StmtKind::Match:
        for (const MatchCase& c : s.cases) {
          for (const std::string& name : pattern_names(c.pattern)) binding_counts_[name] += delta;
          count_expr(c.guard, delta);
          count_bindings(c.body, delta);
        }
        break;
      default: break;
    }
    count_bindings(s.body, delta);
    count_bindings(s.orelse, delta);
  }
}

}  // namespace lanewise::frontend::inference
