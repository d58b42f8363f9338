// Bounds guards that let an index through: `if i <= x.size` where `x[i]` follows, and
// `if i >= h and j >= w: return` where both indices are used afterwards.
#include <algorithm>
#include <map>

#include "frontend/lint/lint.h"

namespace lanewise::frontend::lint {
namespace {

using ir::DiagnosticId;
using ir::OpKind;

// An index and the array and dimension in which it is used.
struct Use {
  LocalId array;
  uint32_t dimension;
  SourceRange range;
};

class Guards {
 public:
  Guards(const Context& context, size_t function)
      : context_(context), index_(function), f_(context.module.functions[function]) {}

  void run() {
    for (const Access& access : context_.facts[index_].accesses) {
      std::optional<LocalId> array = context_.facts.local(index_, access.array);
      for (uint32_t d = 0; array && d < access.indices.size(); ++d)
        if (auto local = context_.facts.local(index_, access.indices[d]))
          uses_[local->index].push_back({*array, d, access.range});
    }
    for_each_stmt(f_, f_.body, [&](TStmtId id) {
      if (f_.stmts[id].kind == TStmtKind::If) check(f_.stmts[id]);
    });
  }

 private:
  // One comparison of an index with a bound, as `index OP bound`.
  struct Test {
    TExprId expr;
    OpKind op;
    LocalId index;
    TExprId bound;
  };

  void check(const TStmt& guard) {
    bool leaves = guard.body.size() == 1 && f_.stmts[guard.body[0]].kind == TStmtKind::Return;
    std::vector<Test> tests;
    bool all_are_tests = true, any_and = false, any_or = false;
    split(guard.value, tests, all_are_tests, any_and, any_or);
    for (const Test& test : tests) {
      if (!leaves && test.op == OpKind::Le) report_off_by_one(test, inside(guard));
      if (leaves && test.op == OpKind::Gt) report_off_by_one(test, after(guard));
    }
    if (!all_are_tests || tests.size() < 2) return;
    bool out = std::ranges::all_of(tests, [](auto& t) { return t.op == OpKind::Ge || t.op == OpKind::Gt; });
    bool in = std::ranges::all_of(tests, [](auto& t) { return t.op == OpKind::Lt || t.op == OpKind::Le; });
    if (leaves && out && any_and && !any_or) report_and_or(guard, tests, after(guard), "or");
    if (!leaves && in && any_or && !any_and) report_and_or(guard, tests, inside(guard), "and");
  }

  // The comparisons that a condition is made of.
  void split(TExprId id, std::vector<Test>& tests, bool& all, bool& any_and, bool& any_or) {
    const TExpr& e = f_.exprs[id];
    bool both = e.kind == TExprKind::And || (e.kind == TExprKind::Op && e.op == OpKind::And);
    bool either = e.kind == TExprKind::Or || (e.kind == TExprKind::Op && e.op == OpKind::Or);
    if (both || either) {
      (both ? any_and : any_or) = true;
      for (TExprId child : e.children) split(child, tests, all, any_and, any_or);
      return;
    }
    std::optional<Test> test = as_test(id);
    if (test)
      tests.push_back(*test);
    else
      all = false;
  }

  std::optional<Test> as_test(TExprId id) {
    const TExpr& e = f_.exprs[id];
    if (e.kind != TExprKind::Op) return std::nullopt;
    auto swapped = [](OpKind op) -> std::optional<OpKind> {
      switch (op) {
        case OpKind::Lt: return OpKind::Gt;
        case OpKind::Le: return OpKind::Ge;
        case OpKind::Gt: return OpKind::Lt;
        case OpKind::Ge: return OpKind::Le;
        default: return std::nullopt;
      }
    };
    std::optional<OpKind> other = swapped(e.op);
    if (!other) return std::nullopt;
    for (size_t side : {size_t{0}, size_t{1}}) {
      std::optional<LocalId> index = context_.facts.local(index_, e.children[side]);
      if (index && uses_.contains(index->index))
        return Test{id, side == 0 ? e.op : *other, *index, e.children[1 - side]};
    }
    return std::nullopt;
  }

  // The part of the text that a guard protects.
  struct Part {
    uint32_t begin, end;
    bool holds(SourceRange range) const { return range.begin >= begin && range.begin < end; }
  };
  Part inside(const TStmt& guard) const {
    uint32_t end = guard.orelse.empty() ? guard.range.end : f_.stmts[guard.orelse[0]].range.begin;
    return {guard.range.begin, std::max(end, end_of(guard.body))};
  }
  Part after(const TStmt& guard) const { return {end_of(guard.body), UINT32_MAX}; }
  uint32_t end_of(const std::vector<TStmtId>& list) const {
    uint32_t end = 0;
    for_each_stmt(f_, list, [&](TStmtId id) { end = std::max(end, f_.stmts[id].range.end); });
    return end;
  }

  void report_off_by_one(const Test& test, Part part) {
    auto extent = context_.facts.extent(index_, test.bound);
    if (!extent) return;
    for (const Use& use : uses_[test.index.index]) {
      if (use.array != extent->array || use.dimension != extent->dimension || !part.holds(use.range))
        continue;
      SourceRange range = f_.exprs[test.expr].range;
      std::string array = f_.locals[extent->array].name, index = f_.locals[test.index].name;
      context_.diagnostics.report(DiagnosticId::GuardOffByOne, range, {context_.text(range), index, array})
          .label(use.range, "used as an index here")
          .with_hint(test.op == OpKind::Le ? "valid indices end before the length: write `<`"
                                           : "valid indices end before the length: write `>=`");
      return;
    }
  }

  // Every index of the guard is used, together with another one of it, in the part that it protects.
  void report_and_or(const TStmt& guard, const std::vector<Test>& tests, Part part,
                     const std::string& wanted) {
    for (const Access& access : context_.facts[index_].accesses) {
      if (!part.holds(access.range)) continue;
      size_t found = 0;
      for (const Test& test : tests)
        found += std::ranges::any_of(access.indices, [&](TExprId i) {
          return context_.facts.local(index_, i) == std::optional(test.index);
        });
      if (found < tests.size() || tests[0].index == tests[1].index) continue;
      SourceRange range = f_.exprs[guard.value].range;
      context_.diagnostics.report(DiagnosticId::GuardAndOr, range, {context_.text(range)})
          .label(access.range, "all of them are indices here")
          .with_hint("an element is outside if one index is: write `" + wanted + "`");
      return;
    }
  }

  const Context& context_;
  size_t index_;
  const TypedFunction& f_;
  std::map<uint32_t, std::vector<Use>> uses_;  // by index local
};

}  // namespace

void check_guards(const Context& context, size_t function) { Guards(context, function).run(); }

}  // namespace lanewise::frontend::lint
