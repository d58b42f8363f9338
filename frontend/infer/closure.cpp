// Functions and imports inside of a function.
#include "frontend/infer/closure.h"

#include <algorithm>
#include <utility>

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

Value FunctionInference::infer_lambda(ExprId id) {
  return object({make_closure("lambda", StmtId{}, id)}, ast_[id].range);
}

// The same function object as long as it sees the same constants, so that its specialisations are shared.
HostValue::Function FunctionInference::make_closure(const std::string& name, StmtId def, ExprId lambda) {
  session_.work += binding_counts_.size();  // each function sees all names
  std::map<std::string, HostValue> constants;
  std::set<std::string> variables;
  for (auto& [variable, count] : binding_counts_) {
    const BoundName* found = state_.names.find(variable);
    bool known = found && found->known.constant && !found->maybe_unbound && count == 1 &&
                 !std::holds_alternative<HostValue::Later>(found->known.constant->value);
    if (known)
      constants[variable] = *found->known.constant;
    else
      variables.insert(variable);
  }
  auto& before = closures_[{def.index, lambda.index}];
  if (before) {
    const auto& seen = static_cast<const ClosureEnvironment&>(*before->environment);
    bool same = seen.variables() == variables &&
                std::ranges::equal(seen.constants(), constants, [](const auto& a, const auto& b) {
                  return a.first == b.first && same_constant(a.second, b.second);
                });
    if (same) return before;
  }
  auto made = std::make_shared<FunctionRef>();
  made->name = name;
  made->ast = fn_.ast;
  made->def = def;
  made->lambda = lambda;
  made->environment =
      std::make_shared<ClosureEnvironment>(id_, fn_.environment, std::move(constants), std::move(variables));
  before = made;
  return before;
}

namespace {

void names_in(const Ast& ast, ExprId id, std::set<std::string>& names) {
  if (!id.valid()) return;
  const Expr& e = ast[id];
  if (e.kind == ExprKind::Name) names.insert(e.text);
  for (ExprId child : e.children) names_in(ast, child, names);
}

void names_in(const Ast& ast, const std::vector<StmtId>& body, std::set<std::string>& names) {
  for (StmtId id : body) {
    const Stmt& s = ast[id];
    names_in(ast, s.value, names);
    names_in(ast, s.extra, names);
    for (ExprId target : s.targets) names_in(ast, target, names);
    for (const MatchCase& c : s.cases) {
      names_in(ast, c.pattern, names);
      names_in(ast, c.guard, names);
      names_in(ast, c.body, names);
    }
    names_in(ast, s.body, names);
    names_in(ast, s.orelse, names);
  }
}

}  // namespace

// The variables of the enclosing function that a function uses, if they can be had here: in the enclosing
// function, or where they were handed over already.
std::vector<std::string> FunctionInference::captured_variables(const FunctionRef& function) {
  auto* closure = dynamic_cast<const ClosureEnvironment*>(function.environment.get());
  if (!closure) return {};
  std::set<std::string> used;
  if (function.def.valid())
    names_in(*function.ast, (*function.ast)[function.def].body, used);
  else
    names_in(*function.ast, (*function.ast)[function.lambda].children[0], used);
  std::set<std::string> own = names_bound_by(function);
  std::vector<std::string> captured;
  for (const std::string& name : closure->variables()) {
    bool here = closure->owner() == id_ || std::ranges::count(spec_.captured, name) > 0;
    if (here && used.contains(name) && !own.contains(name)) captured.push_back(name);
  }
  return captured;
}

std::set<std::string> FunctionInference::names_bound_by(const FunctionRef& function) {
  if (function.ast != fn_.ast) return {};
  bool walrus = has_walrus_;
  std::map<std::string, int> outer = std::exchange(binding_counts_, {});
  if (function.def.valid())
    count_bindings(ast_[function.def].body, +1);
  else
    count_expr(ast_[function.lambda].children[0], +1);
  std::set<std::string> names;
  for (auto& [name, count] : binding_counts_) names.insert(name);
  for (const Parameter& p : function.def.valid() ? ast_[function.def].params : ast_[function.lambda].params)
    names.insert(p.name);
  binding_counts_ = std::move(outer);
  has_walrus_ = walrus;
  return names;
}

void FunctionInference::infer_import(const Stmt& s) {
  for (const ImportName& one : s.imports) {
    std::optional<HostValue> found;
    if (s.kind == StmtKind::Import) {
      found = builtin_module(one.name);
    } else if (s.level == 0) {
      std::optional<HostValue> module = builtin_module(s.name);
      auto* builtin = module ? std::get_if<HostValue::Builtin>(&module->value) : nullptr;
      if (builtin) found = builtin_module_attribute(builtin->name, one.name);
    }
    if (found) {
      bind(one.alias, from_host(*found, one.alias, one.range), one.range);
      continue;
    }
    not_supported(one.range, "importing this inside a kernel", "import it at the top of the file");
    if (one.alias != "*") bind(one.alias, error(one.range), one.range);
  }
}

}  // namespace lanewise::frontend::inference
