// Functions and imports inside of a function.
#include "frontend/infer/closure.h"

#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend {

using ir::DiagnosticId;

Value FunctionInference::infer_lambda(ExprId id) {
  return object({make_closure("lambda", StmtId{}, id)}, ast_[id].range);
}

// The same function object as long as it sees the same constants, so that its specialisations are shared.
HostValue::Function FunctionInference::make_closure(const std::string& name, StmtId def, ExprId lambda) {
  std::map<std::string, HostValue> captured;
  for (auto& [variable, binding] : state_.names) {
    bool constant = binding.known.constant && !binding.maybe_unbound &&
                    (bound_once(variable) || binding.type.kind == ValueType::Kind::None);
    captured[variable] = constant
                             ? *binding.known.constant
                             : HostValue{HostValue::Unsupported{"a variable of the enclosing function", {}}};
  }
  auto& known = closures_[{def.index, lambda.index}];
  if (known) {
    const auto& before = static_cast<const ClosureEnvironment&>(*known->environment).captured();
    bool same = std::ranges::equal(before, captured, [](const auto& a, const auto& b) {
      return a.first == b.first && same_constant(a.second, b.second);
    });
    if (same) return known;
  }
  auto made = std::make_shared<FunctionRef>();
  made->name = name;
  made->ast = fn_.ast;
  made->def = def;
  made->lambda = lambda;
  made->environment = std::make_shared<ClosureEnvironment>(fn_.environment, std::move(captured));
  known = made;
  return known;
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

}  // namespace lanewise::frontend
