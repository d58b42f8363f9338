// A function that calls itself stays a call, and what all threads of a block share or do together must be in
// the kernel itself: the two do not go together.
#include "frontend/infer/recursion.h"

#include <set>

#include "ir/op.h"

namespace lanewise::frontend::inference {
namespace {

// What must be in the kernel itself, for messages; empty if the expression is nothing of the kind.
std::string shared_thing(const TExpr& e) {
  if (e.kind == TExprKind::SharedArray || e.kind == TExprKind::DynamicShared) return "a shared array";
  if (e.kind != TExprKind::Op || !ir::meets_others(e.op)) return "";
  return ir::is_barrier(e.op) ? "a barrier" : "a warp operation";
}

class Checker {
 public:
  explicit Checker(Session& session) : session_(session) {}

  void run(Reports& reports) {
    for (uint32_t f : reached_from(0))
      if (calls_itself(f)) check(f, reports);
  }

 private:
  // The function and all that it calls, directly or not.
  std::set<uint32_t> reached_from(uint32_t f) {
    std::set<uint32_t> seen{f};
    for (std::vector<uint32_t> work{f}; !work.empty();) {
      uint32_t at = work.back();
      work.pop_back();
      for (const TExpr& e : session_[at].typed.exprs)
        if (e.kind == TExprKind::Call && seen.insert(e.index).second) work.push_back(e.index);
    }
    return seen;
  }

  bool calls_itself(uint32_t f) {
    for (const TExpr& e : session_[f].typed.exprs)
      if (e.kind == TExprKind::Call && reached_from(e.index).contains(f)) return true;
    return false;
  }

  void check(uint32_t f, Reports& reports) {
    for (uint32_t g : reached_from(f))
      for (const TExpr& e : session_[g].typed.exprs) {
        std::string thing = shared_thing(e);
        if (thing.empty() || !told_.insert({e.range.file, e.range.begin}).second) continue;
        Report r{
            ir::DiagnosticId::RecursiveBarrier, e.range, {session_[f].function->name, thing}, {}, {}, ""};
        r.label(session_[f].typed.range, "this function calls itself");
        r.with_hint("write the recursion as a loop");
        reports.push_back(std::move(r));
      }
  }

  Session& session_;
  std::set<std::pair<uint32_t, uint32_t>> told_;
};

}  // namespace

void check_recursion(Session& session, Reports& reports) {
  for (const Report& r : reports)
    if (is_error(r)) return;
  Checker(session).run(reports);
}

}  // namespace lanewise::frontend::inference
