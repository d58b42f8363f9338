// What the front end's unit tests share: a text in a SourceMap with the diagnostics it gave, and short
// spellings of its results.
#pragma once
#include <memory>
#include <string>
#include <utility>

#include "frontend/frontend.h"

namespace lanewise::frontend {

struct Source {
  explicit Source(std::string text) : file(sources.add({"test.py", std::move(text)})) {}

  // "1:3 unexpected-character; 2:1 syntax": place and id of each diagnostic.
  std::string problems() const {
    std::string out;
    for (const ir::Diagnostic& d : diagnostics.all()) {
      ir::SourcePosition at = sources.position(d.range);
      if (!out.empty()) out += "; ";
      out += std::to_string(at.line) + ":" + std::to_string(at.column) + " " +
             std::string(ir::info(d.id).text_id);
    }
    return out;
  }

  ir::SourceMap sources;
  uint32_t file;
  ir::Diagnostics diagnostics;
};

// An expression with all its structure in brackets: "(a + (b * c))", "f(x, k=1)", "a[i, 1:2:]".
inline std::string show(const Ast& ast, ExprId id) {
  if (!id.valid()) return "";
  const Expr& e = ast[id];
  auto child = [&](size_t i) { return show(ast, e.children[i]); };
  auto list = [&](size_t first) {
    std::string out;
    for (size_t i = first; i < e.children.size(); ++i) {
      if (i > first) out += ", ";
      size_t named = e.children.size() - e.keywords.size();
      if (e.kind == ExprKind::Call && i >= named) out += e.keywords[i - named] + "=";
      out += child(i);
    }
    return out;
  };
  std::string out;
  switch (e.kind) {
    case ExprKind::Name: return e.text;
    case ExprKind::Int: return e.int_overflow ? "overflow" : std::to_string(e.int_value);
    case ExprKind::Float: return "float:" + std::to_string(e.float_value);
    case ExprKind::Imaginary: return "imag:" + std::to_string(e.float_value);
    case ExprKind::String: return "'" + e.text + "'";
    case ExprKind::Bytes: return "b'" + e.text + "'";
    case ExprKind::FString:
      out = "f<";
      for (size_t i = 0; i < e.children.size(); ++i)
        out += (i > 0 ? " " : "") + child(i) + (e.keywords[i] == "text" ? "" : "{" + e.keywords[i] + "}");
      return out + ">";
    case ExprKind::True: return "True";
    case ExprKind::False: return "False";
    case ExprKind::None: return "None";
    case ExprKind::Ellipsis: return "...";
    case ExprKind::Unary: return "(" + std::string(spelling(e.op)) + " " + child(0) + ")";
    case ExprKind::Binary: return "(" + child(0) + " " + std::string(spelling(e.op)) + " " + child(1) + ")";
    case ExprKind::BoolOp:
      for (size_t i = 0; i < e.children.size(); ++i)
        out += (i > 0 ? " " + std::string(spelling(e.op)) + " " : "(") + child(i);
      return out + ")";
    case ExprKind::Compare:
      out = "(" + child(0);
      for (size_t i = 0; i < e.compare_ops.size(); ++i)
        out += " " + std::string(spelling(e.compare_ops[i])) + " " + child(i + 1);
      return out + ")";
    case ExprKind::Ternary: return "(" + child(1) + " if " + child(0) + " else " + child(2) + ")";
    case ExprKind::Call: return child(0) + "(" + list(1) + ")";
    case ExprKind::Attribute: return child(0) + "." + e.text;
    case ExprKind::Subscript: return child(0) + "[" + list(1) + "]";
    case ExprKind::Slice: return child(0) + ":" + child(1) + ":" + child(2);
    case ExprKind::Tuple: return "tuple(" + list(0) + ")";
    case ExprKind::List: return "list(" + list(0) + ")";
    case ExprKind::Set: return "set(" + list(0) + ")";
    case ExprKind::Dict: return "dict(" + list(0) + ")";
    case ExprKind::Starred: return "*" + child(0);
    case ExprKind::DoubleStarred: return "**" + child(0);
    case ExprKind::Lambda:
      for (const Parameter& p : e.params)
        out += (out.empty() ? "" : ", ") + p.name +
               (p.default_value.valid() ? "=" + show(ast, p.default_value) : "");
      return "(lambda " + out + ": " + child(0) + ")";
    case ExprKind::NamedExpr: return "(" + e.text + " := " + child(0) + ")";
    case ExprKind::Comprehension: return e.text + "-comprehension(" + list(0) + ")";
    case ExprKind::Await: return "await " + child(0);
    case ExprKind::Yield: return "yield " + (e.children.empty() ? "" : child(0));
    case ExprKind::Error: return "error";
  }
  return out;
}

// The expression `text`, parsed as a statement of its own; the problems if there are any.
inline std::string parse_one(const std::string& text) {
  Source source(text + "\n");
  Ast ast = parse(source.sources, source.file, ParseMode::Function, source.diagnostics);
  if (!source.problems().empty()) return source.problems();
  if (ast.body.size() != 1) return std::to_string(ast.body.size()) + " statements";
  return show(ast, ast[ast.body[0]].value);
}

}  // namespace lanewise::frontend
