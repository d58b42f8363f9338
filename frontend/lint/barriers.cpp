// Barriers that some threads may not reach, and shared arrays that no barrier orders.
#include <map>

#include "frontend/lint/lint.h"

namespace lanewise::frontend::lint {
namespace {

using ir::DiagnosticId;
using ir::OpKind;

class Barriers {
 public:
  Barriers(const Context& context, size_t function)
      : context_(context), index_(function), f_(context.module.functions[function]) {}

  // `ends_kernel`: nothing follows the list, so that threads that skip it have returned, which barriers
  // allow.
  void walk(const std::vector<TStmtId>& list, bool ends_kernel, const TStmt* condition) {
    for (size_t i = 0; i < list.size(); ++i) {
      const TStmt& s = f_.stmts[list[i]];
      bool last = ends_kernel && i + 1 == list.size();
      if (condition) report_barriers(s, *condition);
      bool is_loop = s.kind == TStmtKind::While || s.kind == TStmtKind::For;
      const TStmt* inner = condition;
      if ((s.kind == TStmtKind::If || is_loop) && !last && varies(s)) inner = &s;
      walk(s.before, false, inner);
      // After a turn of a loop comes the next one.
      walk(s.body, last && !is_loop, inner);
      walk(s.orelse, last, inner);
    }
  }

 private:
  bool varies(const TStmt& s) const {
    return context_.facts.variation(index_, s.value).any() ||
           (s.kind == TStmtKind::For && (context_.facts.variation(index_, s.upper).any() ||
                                         context_.facts.variation(index_, s.step).any()));
  }

  void report_barriers(const TStmt& s, const TStmt& condition) {
    for_each_root(s, [&](TExprId root) {
      for_each_expr(f_, root, [&](TExprId id) {
        const TExpr& e = f_.exprs[id];
        bool barrier = e.kind == TExprKind::Op && ir::is_barrier(e.op);
        bool call = e.kind == TExprKind::Call && context_.facts[e.index].has_barrier;
        if (!barrier && !call) return;
        bool is_if = condition.kind == TStmtKind::If;
        context_.diagnostics.report(DiagnosticId::DivergentBarrier, e.range, {is_if ? "branch" : "loop"})
            .label(f_.exprs[condition.value].range,
                   is_if ? "the condition is not the same for all threads of a block"
                         : "the number of turns is not the same for all threads of a block")
            .with_hint(is_if
                           ? "move the barrier out of the `if`, so that all threads reach it"
                           : "let all threads make the same number of turns, and test inside the loop which "
                             "of them work");
      });
    });
  }

  const Context& context_;
  size_t index_;
  const TypedFunction& f_;
};

// Shared arrays that are stored to and read without any barrier in the whole module.
void check_shared(const Context& context) {
  const TypedFunction& kernel = context.module.functions[0];
  const FunctionFacts& facts = context.facts[0];
  if (facts.has_barrier || facts.has_warp_op) return;
  struct Seen {
    const Access *stored = nullptr, *loaded = nullptr;
  };
  std::map<uint32_t, Seen> arrays;
  for (const Access& access : facts.accesses) {
    std::optional<LocalId> array = context.facts.local(0, access.array);
    if (!array || access.atomic) continue;
    TExprKind kind = kernel.exprs[context.facts.origin(0, access.array)].kind;
    if (kind != TExprKind::SharedArray && kind != TExprKind::DynamicShared) continue;
    Seen& seen = arrays[array->index];
    if (access.stores && !seen.stored) seen.stored = &access;
    if (access.loads && seen.stored && !seen.loaded) seen.loaded = &access;
  }
  for (const auto& [array, seen] : arrays) {
    if (!seen.stored || !seen.loaded) continue;
    context.diagnostics
        .report(DiagnosticId::MissingBarrier, seen.loaded->range, {kernel.locals[LocalId{array}].name})
        .label(seen.stored->range, "written here")
        .with_hint("`gpu.syncthreads()` between the two makes what other threads wrote visible");
  }
}

}  // namespace

void check_barriers(const Context& context) {
  const TypedFunction& kernel = context.module.functions[0];
  if (!kernel.is_kernel) return;
  for (size_t i = 0; i < context.module.functions.size(); ++i)
    Barriers(context, i).walk(context.module.functions[i].body, i == 0, nullptr);
  check_shared(context);
}

}  // namespace lanewise::frontend::lint
