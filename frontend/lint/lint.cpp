// The checks of a module, and those that need the syntax tree only.
#include "frontend/lint/lint.h"

#include <algorithm>

namespace lanewise::frontend::lint {
namespace {

// Parameters of the kernel that its text never names. A leading underscore says that it is meant so.
void check_parameters(const FunctionRef& entry, ir::Diagnostics& diagnostics) {
  if (!entry.is_kernel || !entry.def.valid()) return;
  const Ast& ast = *entry.ast;
  const Stmt& def = ast[entry.def];
  for (const Parameter& parameter : def.params) {
    if (parameter.name.starts_with("_")) continue;
    bool used = std::ranges::any_of(ast.exprs, [&](const Expr& e) {
      return e.kind == ExprKind::Name && e.text == parameter.name && e.range.begin >= def.range.begin &&
             e.range.end <= def.range.end;
    });
    if (used) continue;
    diagnostics.report(ir::DiagnosticId::UnusedParameter, parameter.range, {parameter.name})
        .with_hint("leave it out, or call it `_" + parameter.name + "` to say that it is meant so");
  }
}

}  // namespace

void find_suspicious(const TypedModule& module, const FunctionRef& entry, bool performance_notes,
                     const ir::SourceMap& sources, ir::Diagnostics& diagnostics) {
  check_parameters(entry, diagnostics);
  ModuleFacts facts(module);
  Context context{module, facts, sources, diagnostics};
  // Functions of frontend/library have no text to point at.
  auto has_text = [&](size_t i) { return module.functions[i].range != ir::SourceRange{}; };
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (has_text(i)) check_guards(context, i);
  check_barriers(context);
  for (size_t i = 0; performance_notes && i < module.functions.size(); ++i)
    if (has_text(i)) note_performance(context, i);
}

}  // namespace lanewise::frontend::lint
