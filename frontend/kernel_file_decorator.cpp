// What a function's decorator says: gpu.jit, gpu.jit(...), gpu.jit("signature"), gpu.device, numba.njit,
// under whatever name the file imported them.
#include "frontend/infer/constants.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

// The first signature that a decorator's positional argument gives: a string, a list of strings, or a type
// expression such as `void(float32[:], int64)`, which is read as its text.
std::optional<std::string> signature_text(const Ast& ast, ExprId argument, const ir::SourceMap& sources) {
  const Expr& expr = ast[argument];
  switch (expr.kind) {
    case ExprKind::String: return expr.text;
    case ExprKind::List:
      if (expr.children.empty()) return std::nullopt;
      return signature_text(ast, expr.children[0], sources);
    case ExprKind::Tuple:
      if (!expr.children.empty() && ast[expr.children[0]].kind == ExprKind::String)
        return ast[expr.children[0]].text;
      return std::string(sources.text(expr.range));
    case ExprKind::Call: return std::string(sources.text(expr.range));
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Decoration> read_decorator(const Ast& ast, ExprId decorator, Evaluator& evaluator,
                                         const ir::SourceMap& sources) {
  const Expr* call = ast[decorator].kind == ExprKind::Call ? &ast[decorator] : nullptr;
  ExprId callee = call ? call->children[0] : decorator;
  ExprKind kind = ast[callee].kind;
  if (kind != ExprKind::Name && kind != ExprKind::Attribute) return std::nullopt;
  HostValue value = evaluator.evaluate(callee);
  auto* builtin = std::get_if<HostValue::Builtin>(&value.value);
  if (!builtin) return std::nullopt;
  // Functions compiled by Numba for the host may be called from kernels; their own signatures do not matter.
  bool host = builtin->name == "numba.jit" || builtin->name == "numba.njit";
  if (!host && builtin->name != "gpu.jit" && builtin->name != "gpu.device") return std::nullopt;
  Decoration out;
  out.device = host || builtin->name == "gpu.device";
  if (!call || host) return out;
  size_t positional = call->children.size() - call->keywords.size();
  if (positional > 1) out.signature = signature_text(ast, call->children[1], sources);
  for (size_t i = 0; i < call->keywords.size(); ++i) {
    const std::string& keyword = call->keywords[i];
    ExprId argument = call->children[positional + i];
    if (keyword == "signature") {
      out.signature = signature_text(ast, argument, sources);
      continue;
    }
    std::optional<bool> on = truth(evaluator.evaluate(argument));
    if (!on) continue;
    if (keyword == "device") out.device = *on;
    if (keyword == "fastmath") out.fast_math = *on;
    if (keyword == "fma") out.contract = *on;
  }
  return out;
}

}  // namespace lanewise::frontend
