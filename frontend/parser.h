// The parser's own header: one recursive-descent class whose member functions are grouped by topic in
// parse_*.cpp. In: tokens. Out: nodes of one Ast.
//
// After the first error of a statement the current symbol becomes Failed, which matches nothing: every
// production ends by itself without further reports, and the statement loop goes on at the next line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lexer.h"

namespace lanewise::frontend {

// Levels of statements and expressions inside each other, counted as the parser recurses.
inline constexpr uint32_t kMaxNesting = kMaxBrackets;
// Height of an expression's tree. More than kMaxNesting, because `a + b + c ...` is as high as it is long.
inline constexpr uint32_t kMaxTreeHeight = 400;
// `elif`s of one `if`: each is one level of the tree.
inline constexpr uint32_t kMaxElifs = 300;

enum class Symbol : uint8_t {
  Failed,
  Name,
  Number,
  String,
  Newline,
  Indent,
  Dedent,
  End,
  Error,
#define SYMBOL(Enum, text) Enum,
#include "frontend/symbols.def"
};
std::string_view spelling(Symbol symbol);

class Parser {
 public:
  Parser(const ir::SourceMap& sources, Ast& ast, std::vector<Token> tokens, ir::Diagnostics& diagnostics);

  // parse_file.cpp
  void parse_module();
  // parse_statement.cpp: statements up to the end of the text
  void parse_statements();

 private:
  using Id = ir::DiagnosticId;

  // A sequence of tokens and the place in it. f-string fields have their own.
  struct Stream {
    std::vector<Token> tokens;
    std::vector<Symbol> symbols;
    size_t pos = 0;
  };

  // --- parser.cpp: the cursor
  static Symbol classify(const Token& token, std::string_view text);
  Stream make_stream(std::vector<Token> tokens) const;
  Symbol at() const { return symbol_; }
  bool at(Symbol symbol) const { return symbol_ == symbol; }
  Symbol ahead(size_t n = 1) const;
  const Token& token() const { return stream_.tokens[stream_.pos]; }
  std::string_view text() const { return sources_.text(token().range); }
  void advance();
  void move_to(size_t pos);
  bool accept(Symbol symbol);
  bool expect(Symbol symbol, std::string_view wanted = {});
  bool at_name(std::string_view word) const { return at(Symbol::Name) && text() == word; }
  std::string name_text();
  std::string expect_name(std::string_view wanted, SourceRange* range = nullptr);
  void fail_expected(std::string_view wanted);
  std::string hint_for(std::string_view wanted) const;
  bool line_has_error() const;
  ir::Diagnostic* fail(Id id, SourceRange range, std::initializer_list<std::string> arguments);
  void recover();
  std::string describe_token() const;
  uint32_t begin() const { return token().range.begin; }
  SourceRange span(uint32_t from) const { return {ast_.file, from, std::max(from, last_end_)}; }

  // One level of recursion, for as long as it lives; past kMaxNesting the statement fails.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // --- parse_expression.cpp
  ExprId parse_expression();
  ExprId parse_named_expression();
  ExprId parse_star_expression(bool named = false);
  ExprId parse_expression_list(bool named = false);
  ExprId parse_assigned_value();
  ExprId parse_yield();
  ExprId parse_lambda();
  ExprId parse_disjunction();
  ExprId parse_conjunction();
  ExprId parse_inversion();
  ExprId parse_comparison();
  ExprId parse_binary(int minimum);
  ExprId parse_unary();
  ExprId parse_power();
  ExprId parse_target_list(Symbol end);
  bool starts_expression() const;
  ExprId add(Expr expr);
  ExprId error_expression();
  ExprId unary(ExprKind kind, uint32_t from, ExprId child);
  void check_target(ExprId target, bool augmented = false);

  // --- parse_primary.cpp
  ExprId parse_primary();
  ExprId parse_atom();
  ExprId parse_call(ExprId callee);
  void parse_argument(Expr& call, std::vector<ExprId>& named, SourceRange& first_keyword);
  void check_generators(const Expr& call, const std::vector<ExprId>& named);
  ExprId parse_subscript(ExprId base);
  ExprId parse_slice();
  ExprId parse_group();
  ExprId parse_list();
  ExprId parse_braces();
  ExprId parse_comprehension(std::string_view kind, ExprId element, uint32_t from);
  bool at_comprehension() const {
    return at(Symbol::KwFor) || (at(Symbol::KwAsync) && ahead() == Symbol::KwFor);
  }

  // --- parse_literals.cpp
  ExprId parse_number();
  ExprId parse_strings();
  void parse_plain_string(SourceRange range, Expr& out);
  void parse_fstring(SourceRange range, Expr& out);
  void parse_field(const FStringPiece& piece, Expr& out);
  void append_fstring_text(Expr& out, std::string text, SourceRange range);
  std::string unescape(SourceRange range, bool raw, bool bytes, bool formatted);
  size_t unescape_one(std::string_view body, size_t at, bool bytes, SourceRange range, std::string& out);

  // --- parse_statement.cpp
  void parse_statement(std::vector<StmtId>& out);
  StmtId recover_statement(size_t start, std::vector<StmtId>& out);
  void skip_failed_line(std::vector<StmtId>& out);
  void parse_simple_line(std::vector<StmtId>& out);
  void end_statement();
  void unexpected_indent();
  StmtId parse_simple();
  StmtId parse_expression_statement();
  StmtId parse_del();
  StmtId parse_names(StmtKind kind);
  StmtId parse_import();
  StmtId parse_from_import();
  void parse_import_names(Stmt& stmt);
  std::string parse_dotted_name();
  StmtId parse_type_alias();
  bool at_type_alias() const;
  Stmt statement(StmtKind kind) const;
  StmtId finish(Stmt stmt);

  // --- parse_compound.cpp
  bool parse_compound(std::vector<StmtId>& out);
  std::vector<StmtId> parse_block(std::string_view keyword);
  StmtId parse_if();
  StmtId parse_while();
  StmtId parse_for();
  StmtId parse_function();
  StmtId parse_decorated();
  std::vector<Parameter> parse_parameters(Symbol end, bool annotations);
  bool parse_parameter(std::vector<Parameter>& params, bool annotations, Parameter::Kind& kind);
  void check_parameters(const std::vector<Parameter>& params);
  void skip_type_parameters();
  StmtId parse_refused(StmtKind kind);
  void skip_line_and_block();

  // --- parse_match.cpp
  bool at_match() const;
  StmtId parse_match();
  MatchCase parse_case();
  ExprId parse_pattern_list(Symbol end);
  ExprId parse_pattern();
  ExprId parse_closed_pattern();
  ExprId parse_pattern_arguments(ExprId callee);
  ExprId parse_pattern_mapping();

  // --- parse_class.cpp
  bool is_constant_class() const;
  void parse_constant_class();

  // --- parse_file.cpp
  void parse_module_statement();
  void parse_module_line();
  bool is_constant_assignment() const;
  void skip_simple();
  void skip_compound();
  bool begins_host_block() const;
  void collect_bindings(size_t from, size_t to, Stmt& skipped);
  size_t collect_simple(size_t from, size_t to, Stmt& skipped);
  size_t collect_compound(size_t from, size_t to, Stmt& skipped);
  size_t collect_import(size_t from, size_t to, Stmt& skipped);
  void add_binding(size_t at, Stmt& skipped);
  size_t line_end(size_t from) const;
  size_t block_end(size_t from) const;

  const ir::SourceMap& sources_;
  Ast& ast_;
  ir::Diagnostics& diagnostics_;
  Stream stream_;
  Symbol symbol_ = Symbol::End;
  uint32_t last_end_ = 0;  // end of the token before the current one
  uint32_t depth_ = 0;
  uint32_t loops_ = 0;  // enclosing loops of the current function
  uint32_t elifs_ = 0;
  bool failed_ = false;
  bool quiet_ = false;             // errors are not reported
  std::vector<uint32_t> heights_;  // by expression
};

}  // namespace lanewise::frontend
