// See frontend_text.h.
#include "tests/fuzz/frontend_text.h"

#include "frontend/frontend.h"
#include "ir/ir.h"

namespace lanewise::fuzz {
namespace {

using namespace frontend;

std::string check_tokens(const std::vector<Token>& tokens, const std::string& text) {
  if (tokens.empty() || tokens.back().kind != TokenKind::End) return "no End token";
  uint32_t at = 0;
  int64_t depth = 0;
  for (const Token& token : tokens) {
    bool in_order = token.range.begin <= token.range.end && token.range.end <= text.size();
    // An Indent covers the blanks before its line, a recovery the start of one.
    if (!in_order || token.range.end < at) return "tokens out of order";
    at = token.range.end;
    depth += token.kind == TokenKind::Indent ? 1 : token.kind == TokenKind::Dedent ? -1 : 0;
    if (depth < 0) return "more dedents than indents";
  }
  return depth == 0 ? "" : "indents that never end";
}

std::string check_ast(const Ast& ast, const std::string& text, bool reported) {
  auto inside = [&](SourceRange range) { return range.begin <= range.end && range.end <= text.size(); };
  for (const Expr& expr : ast.exprs) {
    if (!inside(expr.range)) return "an expression outside of the text";
    if (expr.kind == ExprKind::Error && !reported) return "an Error expression without a report";
  }
  for (const Stmt& stmt : ast.stmts) {
    if (!inside(stmt.range) || !inside(stmt.name_range)) return "a statement outside of the text";
    if (stmt.kind == StmtKind::Error && !reported) return "an Error statement without a report";
  }
  return print_ast(ast).empty() == ast.body.empty() ? "" : "a tree that prints to nothing";
}

std::optional<std::vector<ValueType>> argument_types(const KernelDeclaration& kernel,
                                                     ir::Diagnostics& diagnostics) {
  if (!kernel.signature) return annotated_arguments(kernel.function);
  std::optional<ParsedSignature> signature = parse_signature(*kernel.signature, kernel.range, diagnostics);
  return signature ? std::optional(signature->arguments) : std::nullopt;
}

// Inference and lowering of one kernel; "" if nothing is wrong.
std::string check_kernel(const KernelDeclaration& kernel, const ir::SourceMap& sources, bool& inferred) {
  ir::Diagnostics diagnostics;
  std::optional<std::vector<ValueType>> types = argument_types(kernel, diagnostics);
  if (types && !diagnostics.has_errors()) {
    TypedModule typed = infer(kernel.function, *types, {}, sources, diagnostics);
    if (!diagnostics.has_errors()) {
      inferred = true;
      ir::Module module = lower(typed);
      if (auto error = ir::verify(module)) return "IR that the verifier refuses: " + error->message;
    }
  }
  if (diagnostics.has_errors() && ir::render(diagnostics, sources).empty())
    return "an error that renders to nothing";
  return "";
}

}  // namespace

FrontendResult check_frontend(const std::string& text) {
  FrontendResult result;
  ir::SourceMap sources;
  uint32_t file = sources.add({"fuzz.py", text});
  {
    ir::Diagnostics diagnostics;
    result.wrong = check_tokens(lex(sources, file, diagnostics), text);
    if (!result.wrong.empty()) return result;
  }
  {
    ir::Diagnostics diagnostics;
    Ast block = parse(sources, file, ParseMode::Function, diagnostics);
    result.wrong = check_ast(block, text, diagnostics.has_errors());
    if (!result.wrong.empty()) return result;
  }
  ir::Diagnostics diagnostics;
  KernelFile opened = open_kernel_file(sources, file, {}, diagnostics);
  result.parsed = !diagnostics.has_errors();
  result.wrong = check_ast(*opened.ast, text, diagnostics.has_errors());
  if (!result.wrong.empty()) return result;
  if (diagnostics.has_errors() && ir::render(diagnostics, sources).empty())
    result.wrong = "an error that renders to nothing";
  for (const std::string& name : opened.environment->names())
    if (!opened.environment->lookup(name)) result.wrong = "a name without a value: " + name;
  if (!result.parsed || !result.wrong.empty()) return result;
  for (const KernelDeclaration& kernel : opened.declarations) {
    result.wrong = check_kernel(kernel, sources, result.inferred);
    if (!result.wrong.empty()) return result;
  }
  return result;
}

}  // namespace lanewise::fuzz
