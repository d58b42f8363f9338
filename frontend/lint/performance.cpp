// Performance notes: legal code that is slower than it looks.
#include <set>

#include "frontend/lint/lint.h"

namespace lanewise::frontend::lint {
namespace {

using ir::DiagnosticId;
using ir::OpKind;

// How an index moves from one thread to its neighbour along x.
enum class Step { None, One, Many, Unknown };

class Notes {
 public:
  Notes(const Context& context, size_t function)
      : context_(context), index_(function), f_(context.module.functions[function]) {}

  void run() {
    for_each_stmt(f_, f_.body, [&](TStmtId id) {
      for_each_root(f_.stmts[id], [&](TExprId root) {
        for_each_expr(f_, root, [&](TExprId expr) { note_float64(f_.exprs[expr]); });
      });
    });
    for (const Access& access : context_.facts[index_].accesses) {
      note_wide_index(access);
      // In a device function the arguments' relation to the thread is not known.
      if (index_ == 0) note_uncoalesced(access);
    }
  }

 private:
  bool is_arithmetic(const TExpr& e) const {
    return e.kind == TExprKind::Op && ir::info(e.op).effect == ir::Effect::None && e.type.is_scalar() &&
           e.type.scalar == ir::kF64 && !e.children.empty();
  }

  void note_float64(const TExpr& e) {
    if (e.kind == TExprKind::Convert && e.type.is_scalar() && e.type.scalar.is_float() &&
        e.type.scalar.bits < 64) {
      const TExpr& wide = f_.exprs[e.children[0]];
      if (!is_arithmetic(wide) || !wide.type.python) return;
      context_.diagnostics
          .report(DiagnosticId::Float64Arithmetic, wide.range, {context_.text(wide.range), to_string(e.type)})
          .with_hint("make one operand a `np." + to_string(e.type) +
                     "`, or hold Python floats in 32 bits with `gpu.jit(python_float=\"float32\")`");
      return;
    }
    if (!is_arithmetic(e) || e.type.python) return;
    for (TExprId child : e.children) {
      const TExpr& operand = f_.exprs[child];
      bool from_integer = operand.kind == TExprKind::Convert &&
                          f_.exprs[operand.children[0]].type.is_scalar() &&
                          !f_.exprs[operand.children[0]].type.scalar.is_float();
      if (!from_integer && operand.kind != TExprKind::Const) return;
    }
    context_.diagnostics.report(DiagnosticId::Float64FromIntegers, e.range, {context_.text(e.range)})
        .with_hint("`np.float32(x)` of an operand gives float32");
  }

  void note_wide_index(const Access& access) {
    for (TExprId id : access.indices) {
      const TExpr& origin = f_.exprs[context_.facts.origin(index_, id)];
      if (origin.kind != TExprKind::Element || !origin.type.is_scalar() || origin.type.scalar.bits < 64)
        continue;
      context_.diagnostics
          .report(DiagnosticId::WideIndex, origin.range,
                  {context_.text(origin.range), to_string(origin.type)})
          .with_hint(
              "an int32 array of indices takes half the memory traffic, and serves arrays of up to "
              "2**31 elements");
    }
  }

  Step step(TExprId id, unsigned depth = 0) const {
    Variation varies = context_.facts.variation(index_, id);
    if (!varies.x) return varies.loaded ? Step::Unknown : Step::None;
    const TExpr& e = f_.exprs[context_.facts.origin(index_, id)];
    if (e.kind != TExprKind::Op || depth > 100) return Step::Unknown;
    if (e.op == OpKind::ThreadIdX || e.op == OpKind::LaneId) return Step::One;
    if (e.children.size() != 2) return Step::Unknown;
    Step a = step(e.children[0], depth + 1), b = step(e.children[1], depth + 1);
    if (a == Step::Unknown || b == Step::Unknown) return Step::Unknown;
    switch (e.op) {
      case OpKind::Add: return a == Step::None ? b : b == Step::None ? a : Step::Many;
      case OpKind::Sub: return b == Step::None ? a : Step::Unknown;
      case OpKind::Mul: {
        if (a != Step::None && b != Step::None) return Step::Unknown;
        const TExpr& factor = f_.exprs[context_.facts.origin(index_, e.children[a == Step::None ? 0 : 1])];
        bool one = factor.kind == TExprKind::Const && factor.immediate == ir::Immediate(int64_t{1});
        return one ? (a == Step::None ? b : a) : Step::Many;
      }
      default: return Step::Unknown;
    }
  }

  void note_uncoalesced(const Access& access) {
    const ValueType& array = f_.exprs[access.array].type;
    if (array.space != ir::Space::Global || access.indices.empty() || access.atomic) return;
    size_t contiguous = array.layout == Layout::F ? 0 : access.indices.size() - 1;
    Step inner = step(access.indices[contiguous]);
    bool outer = false;
    for (size_t d = 0; d < access.indices.size(); ++d) {
      if (d == contiguous) continue;
      Step other = step(access.indices[d]);
      if (other == Step::Unknown) return;
      outer |= other != Step::None;
    }
    if (inner == Step::Unknown || (inner != Step::Many && !outer)) return;
    bool two = access.indices.size() == 2 && inner == Step::None;
    context_.diagnostics.report(DiagnosticId::UncoalescedAccess, access.range, {context_.text(access.range)})
        .with_hint(two ? "let threadIdx.x count along the contiguous dimension: `j, i = gpu.grid(2)`"
                       : "let the last index be threadIdx.x plus what is the same for all threads");
  }

  const Context& context_;
  size_t index_;
  const TypedFunction& f_;
};

}  // namespace

void note_performance(const Context& context, size_t function) { Notes(context, function).run(); }

}  // namespace lanewise::frontend::lint
