// The syntax tree's text form, for kc --emit ast and golden tests: one node a line, children indented,
// `(kind range details`. Ranges are line:column-line:column, columns one-based and counted in bytes.
#include <algorithm>
#include <charconv>

#include "frontend/ast.h"
#include "frontend/frontend.h"

namespace lanewise::frontend {
namespace {

std::string_view kind_name(ExprKind kind) {
  switch (kind) {
    case ExprKind::Name: return "name";
    case ExprKind::Int: return "int";
    case ExprKind::Float: return "float";
    case ExprKind::Imaginary: return "imaginary";
    case ExprKind::String: return "string";
    case ExprKind::Bytes: return "bytes";
    case ExprKind::FString: return "fstring";
    case ExprKind::True: return "true";
    case ExprKind::False: return "false";
    case ExprKind::None: return "none";
    case ExprKind::Ellipsis: return "ellipsis";
    case ExprKind::Unary: return "unary";
    case ExprKind::Binary: return "binary";
    case ExprKind::BoolOp: return "boolop";
    case ExprKind::Compare: return "compare";
    case ExprKind::Ternary: return "ternary";
    case ExprKind::Call: return "call";
    case ExprKind::Attribute: return "attribute";
    case ExprKind::Subscript: return "subscript";
    case ExprKind::Slice: return "slice";
    case ExprKind::Tuple: return "tuple";
    case ExprKind::List: return "list";
    case ExprKind::Starred: return "starred";
    case ExprKind::DoubleStarred: return "doublestarred";
    case ExprKind::Lambda: return "lambda";
    case ExprKind::NamedExpr: return "namedexpr";
    case ExprKind::Set: return "set";
    case ExprKind::Dict: return "dict";
    case ExprKind::Comprehension: return "comprehension";
    case ExprKind::Await: return "await";
    case ExprKind::Yield: return "yield";
    case ExprKind::Error: return "error";
  }
  return "";
}

std::string_view kind_name(StmtKind kind) {
  switch (kind) {
    case StmtKind::Expr: return "expr";
    case StmtKind::Assign: return "assign";
    case StmtKind::AugAssign: return "augassign";
    case StmtKind::AnnAssign: return "annassign";
    case StmtKind::If: return "if";
    case StmtKind::While: return "while";
    case StmtKind::For: return "for";
    case StmtKind::Break: return "break";
    case StmtKind::Continue: return "continue";
    case StmtKind::Pass: return "pass";
    case StmtKind::Return: return "return";
    case StmtKind::FunctionDef: return "def";
    case StmtKind::Assert: return "assert";
    case StmtKind::Raise: return "raise";
    case StmtKind::Delete: return "del";
    case StmtKind::Global: return "global";
    case StmtKind::Nonlocal: return "nonlocal";
    case StmtKind::Import: return "import";
    case StmtKind::ImportFrom: return "from";
    case StmtKind::Match: return "match";
    case StmtKind::With: return "with";
    case StmtKind::Try: return "try";
    case StmtKind::ClassDef: return "class";
    case StmtKind::Skipped: return "skipped";
    case StmtKind::Error: return "error";
  }
  return "";
}

std::string_view kind_name(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::Normal: return "";
    case Parameter::Kind::PositionalOnly: return " positional-only";
    case Parameter::Kind::KeywordOnly: return " keyword-only";
    case Parameter::Kind::Star: return " *";
    case Parameter::Kind::DoubleStar: return " **";
  }
  return "";
}

class AstPrinter {
 public:
  explicit AstPrinter(const Ast& ast) : ast_(ast) {}

  std::string run() {
    for (StmtId stmt : ast_.body) print(stmt);
    return std::move(out_);
  }

 private:
  std::string position(uint32_t offset) const {
    auto after = std::ranges::upper_bound(ast_.line_starts, offset);
    auto line = static_cast<uint32_t>(after - ast_.line_starts.begin());
    uint32_t start = line == 0 ? 0 : ast_.line_starts[line - 1];
    return std::to_string(line == 0 ? ast_.first_line : ast_.first_line + line - 1) + ":" +
           std::to_string(offset - start + 1);
  }

  void start_line() {
    if (indent_ > 0) out_ += '\n';
    out_.append(indent_ * 2, ' ');
  }

  void open(std::string_view kind, SourceRange range) {
    start_line();
    out_ += '(';
    out_ += kind;
    out_ += ' ' + position(range.begin) + '-' + position(range.end);
    ++indent_;
  }

  // The last `)` goes on the line of the last child; a top-level node ends its line.
  void close() {
    --indent_;
    out_ += ')';
    if (indent_ == 0) out_ += '\n';
  }

  void quoted(std::string_view text) {
    out_ += " \"";
    for (char c : text) {
      auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out_ += '\\';
        out_ += c;
      } else if (c == '\n') {
        out_ += "\\n";
      } else if (byte < 0x20 || byte == 0x7F) {
        static constexpr char kHex[] = "0123456789abcdef";
        out_ += "\\x";
        out_ += kHex[byte >> 4];
        out_ += kHex[byte & 15];
      } else {
        out_ += c;
      }
    }
    out_ += '"';
  }

  void word(std::string_view text) {
    out_ += ' ';
    out_ += text;
  }

  void number(double value) {
    char buffer[32];
    auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    word(std::string_view(buffer, static_cast<size_t>(result.ptr - buffer)));
  }

  // A labelled group of nodes, such as a body; nothing if there are none.
  template <class Ids>
  void group(std::string_view label, const Ids& ids) {
    if (ids.empty()) return;
    begin_group(label);
    for (auto id : ids) print(id);
    end_group();
  }
  void begin_group(std::string_view label) {
    start_line();
    out_ += '(';
    out_ += label;
    ++indent_;
  }
  void end_group() {
    --indent_;
    out_ += ')';
  }
  void group(std::string_view label, ExprId id) {
    if (id.valid()) group(label, std::vector{id});
  }

  void print(ExprId id) {
    if (!id.valid()) {
      start_line();
      out_ += "()";
      return;
    }
    const Expr& expr = ast_[id];
    open(kind_name(expr.kind), expr.range);
    switch (expr.kind) {
      case ExprKind::Name:
      case ExprKind::Attribute:
      case ExprKind::NamedExpr:
      case ExprKind::Comprehension: word(expr.text); break;
      case ExprKind::Int: word(expr.int_overflow ? "overflow" : std::to_string(expr.int_value)); break;
      case ExprKind::Float:
      case ExprKind::Imaginary: number(expr.float_value); break;
      case ExprKind::String:
      case ExprKind::Bytes: quoted(expr.text); break;
      case ExprKind::Unary:
      case ExprKind::Binary:
      case ExprKind::BoolOp: word(spelling(expr.op)); break;
      default: break;
    }
    for (Operator op : expr.compare_ops) word(spelling(op));
    for (const std::string& keyword : expr.keywords) {
      if (expr.kind == ExprKind::FString) {
        quoted(keyword);
      } else {
        word(keyword + "=");
      }
    }
    for (const Parameter& param : expr.params) print(param);
    for (ExprId child : expr.children) print(child);
    close();
  }

  void print(const Parameter& param) {
    open("param", param.range);
    word(param.name + std::string(kind_name(param.kind)));
    group("annotation", param.annotation);
    group("default", param.default_value);
    close();
  }

  void print(const MatchCase& match_case) {
    open("case", match_case.range);
    print(match_case.pattern);
    group("guard", match_case.guard);
    group("body", match_case.body);
    close();
  }

  void print(StmtId id) {
    const Stmt& stmt = ast_[id];
    open(kind_name(stmt.kind), stmt.range);
    if (stmt.kind == StmtKind::AugAssign) word(std::string(spelling(stmt.op)) + "=");
    if (stmt.level > 0) word(std::string(stmt.level, '.'));
    if (!stmt.name.empty()) word(stmt.name);
    for (const std::string& name : stmt.names) word(name);
    for (const ImportName& one : stmt.imports)
      word(one.name == one.alias ? one.name : one.name + " as " + one.alias);
    group("decorators", stmt.decorators);
    for (const Parameter& param : stmt.params) print(param);
    group("targets", stmt.targets);
    group("annotation", stmt.annotation);
    group("value", stmt.value);
    group("extra", stmt.extra);
    for (const MatchCase& match_case : stmt.cases) print(match_case);
    group("body", stmt.body);
    group("else", stmt.orelse);
    close();
  }

  const Ast& ast_;
  std::string out_;
  size_t indent_ = 0;
};

}  // namespace

std::string print_ast(const Ast& ast) { return AstPrinter(ast).run(); }

}  // namespace lanewise::frontend
