// Statements of one line, the statement loop and its recovery: after an error the rest of the line is
// skipped, and the block below it, if any, is still read for its own errors.
#include <algorithm>

#include "frontend/parser.h"

namespace lanewise::frontend {

Stmt Parser::statement(StmtKind kind) const {
  return {.kind = kind, .range = token().range, .name_range = token().range};
}

StmtId Parser::finish(Stmt stmt) {
  stmt.range = span(stmt.range.begin);
  return ast_.stmts.add(std::move(stmt));
}

// statements: statement*
void Parser::parse_statements() {
  while (!at(Symbol::End)) parse_statement(ast_.body);
}

// statement: compound_statement | simple_line
void Parser::parse_statement(std::vector<StmtId>& out) {
  size_t start = stream_.pos;
  if (accept(Symbol::Newline)) return;  // a line of nothing but a line continuation
  if (at(Symbol::Indent)) return unexpected_indent();
  if (at(Symbol::Dedent)) return advance();  // of a block that failed before it began
  if (!parse_compound(out)) parse_simple_line(out);
  if (!failed_) return;

  out.push_back(recover_statement(start, out));
}

// After a failure in the statement that began at token `start`: reads on to the statement after it, and
// returns an Error statement in place of what `out` got from it.
StmtId Parser::recover_statement(size_t start, std::vector<StmtId>& out) {
  SourceRange range = stream_.tokens[start].range;
  Stmt error{.kind = StmtKind::Error, .range = range, .name_range = range};
  while (!out.empty() && ast_[out.back()].range.begin >= range.begin) {
    std::ranges::copy(ast_[out.back()].body, std::back_inserter(error.body));
    out.pop_back();
  }
  recover();
  // Blocks that are open here belong to the statement (the cases of a `match`).
  int64_t open = 0;
  for (size_t i = start; i < stream_.pos; ++i) {
    if (stream_.symbols[i] == Symbol::Indent) ++open;
    if (stream_.symbols[i] == Symbol::Dedent) --open;
  }
  do {
    skip_failed_line(error.body);
  } while (at(Symbol::KwElif) || at(Symbol::KwElse) || at(Symbol::KwExcept) || at(Symbol::KwFinally));
  for (; open > 0 && !at(Symbol::End); --open) {
    while (!at(Symbol::Dedent) && !at(Symbol::End)) {
      if (at_name("case")) {
        skip_failed_line(error.body);
      } else {
        parse_statement(error.body);
      }
    }
    accept(Symbol::Dedent);
  }
  if (stream_.pos == start) advance();
  return finish(std::move(error));
}

// The rest of a line, and the statements of the block below it.
void Parser::skip_failed_line(std::vector<StmtId>& out) {
  while (!at(Symbol::Newline) && !at(Symbol::Indent) && !at(Symbol::Dedent) && !at(Symbol::End)) advance();
  accept(Symbol::Newline);
  if (!at(Symbol::Indent)) return;
  Nesting nesting(*this);
  if (failed_) {
    recover();
    return move_to(block_end(stream_.pos));
  }
  ++loops_;  // the failed line may have been a loop's
  advance();
  while (!at(Symbol::Dedent) && !at(Symbol::End)) parse_statement(out);
  accept(Symbol::Dedent);
  --loops_;
}

void Parser::unexpected_indent() {
  diagnostics_.report(Id::UnexpectedIndent, {ast_.file, token().range.end, token().range.end});
  move_to(block_end(stream_.pos));
}

// simple_line: simple_statement (';' simple_statement)* [';'] NEWLINE
void Parser::parse_simple_line(std::vector<StmtId>& out) {
  do {
    out.push_back(parse_simple());
  } while (accept(Symbol::Semicolon) && !at(Symbol::Newline));
  end_statement();
}

void Parser::end_statement() {
  if (at(Symbol::End) || at(Symbol::Failed)) return;
  expect(Symbol::Newline, "the end of the statement");
}

// simple_statement: 'pass' | 'break' | 'continue' | 'return' [expression_list]
//   | 'raise' [expression ['from' expression]] | 'assert' expression [',' expression] | del | names
//   | import | from_import | type_alias | expression_statement
StmtId Parser::parse_simple() {
  Stmt stmt = statement(StmtKind::Pass);
  switch (symbol_) {
    case Symbol::KwPass: break;
    case Symbol::KwBreak:
    case Symbol::KwContinue:
      stmt.kind = at(Symbol::KwBreak) ? StmtKind::Break : StmtKind::Continue;
      if (loops_ == 0) diagnostics_.report(Id::MisplacedStatement, token().range, {std::string(text())});
      break;
    case Symbol::KwReturn:
      advance();
      stmt.kind = StmtKind::Return;
      if (starts_expression()) stmt.value = parse_expression_list();
      return finish(std::move(stmt));
    case Symbol::KwRaise:
      advance();
      stmt.kind = StmtKind::Raise;
      if (starts_expression()) stmt.value = parse_expression();
      if (stmt.value.valid() && accept(Symbol::KwFrom)) stmt.extra = parse_expression();
      return finish(std::move(stmt));
    case Symbol::KwAssert:
      advance();
      stmt.kind = StmtKind::Assert;
      stmt.value = parse_expression();
      if (accept(Symbol::Comma)) stmt.extra = parse_expression();
      return finish(std::move(stmt));
    case Symbol::KwDel: return parse_del();
    case Symbol::KwGlobal: return parse_names(StmtKind::Global);
    case Symbol::KwNonlocal: return parse_names(StmtKind::Nonlocal);
    case Symbol::KwImport: return parse_import();
    case Symbol::KwFrom: return parse_from_import();
    default: return at_type_alias() ? parse_type_alias() : parse_expression_statement();
  }
  advance();
  return finish(std::move(stmt));
}

namespace {

std::optional<Operator> augmented_operator(Symbol symbol) {
  switch (symbol) {
    case Symbol::PlusEqual: return Operator::Add;
    case Symbol::MinusEqual: return Operator::Sub;
    case Symbol::StarEqual: return Operator::Mul;
    case Symbol::SlashEqual: return Operator::Div;
    case Symbol::DoubleSlashEqual: return Operator::FloorDiv;
    case Symbol::PercentEqual: return Operator::Mod;
    case Symbol::AtEqual: return Operator::MatMul;
    case Symbol::AmpersandEqual: return Operator::BitAnd;
    case Symbol::PipeEqual: return Operator::BitOr;
    case Symbol::CaretEqual: return Operator::BitXor;
    case Symbol::ShiftLeftEqual: return Operator::Shl;
    case Symbol::ShiftRightEqual: return Operator::Shr;
    case Symbol::DoubleStarEqual: return Operator::Pow;
    default: return std::nullopt;
  }
}

}  // namespace

// expression_statement: expression_list ('=' assigned_value)*
//   | expression_list operator '=' assigned_value
//   | expression_list ':' expression ['=' assigned_value]
StmtId Parser::parse_expression_statement() {
  Stmt stmt = statement(StmtKind::Expr);
  ExprId first = parse_assigned_value();
  if (std::optional<Operator> op = augmented_operator(symbol_)) {
    stmt.kind = StmtKind::AugAssign;
    stmt.op = *op;
    stmt.name_range = token().range;
    check_target(first, true);
    advance();
    stmt.targets = {first};
    stmt.value = parse_assigned_value();
  } else if (at(Symbol::Colon) && ast_[first].kind != ExprKind::Error) {
    stmt.kind = StmtKind::AnnAssign;
    check_target(first, true);
    advance();
    stmt.targets = {first};
    stmt.annotation = parse_expression();
    if (accept(Symbol::Equal)) stmt.value = parse_assigned_value();
  } else if (at(Symbol::Equal)) {
    stmt.kind = StmtKind::Assign;
    stmt.value = first;
    while (at(Symbol::Equal)) {
      check_target(stmt.value);
      advance();
      stmt.targets.push_back(stmt.value);
      stmt.value = parse_assigned_value();
    }
  } else {
    stmt.value = first;
  }
  return finish(std::move(stmt));
}

// del: 'del' target_list
StmtId Parser::parse_del() {
  Stmt stmt = statement(StmtKind::Delete);
  advance();
  ExprId target = parse_target_list(Symbol::Newline);
  bool several = ast_[target].kind == ExprKind::Tuple && !ast_[target].parenthesized;
  stmt.targets = several ? ast_[target].children : std::vector<ExprId>{target};
  return finish(std::move(stmt));
}

// names: ('global' | 'nonlocal') NAME (',' NAME)*
StmtId Parser::parse_names(StmtKind kind) {
  Stmt stmt = statement(kind);
  do {
    advance();
    stmt.names.push_back(expect_name("a name"));
  } while (at(Symbol::Comma));
  return finish(std::move(stmt));
}

// import: 'import' dotted_name ['as' NAME] (',' dotted_name ['as' NAME])*
StmtId Parser::parse_import() {
  Stmt stmt = statement(StmtKind::Import);
  do {
    advance();
    uint32_t from = begin();
    ImportName one;
    one.name = parse_dotted_name();
    one.alias =
        accept(Symbol::KwAs) ? expect_name("a name after `as`") : one.name.substr(0, one.name.find('.'));
    one.range = span(from);
    stmt.imports.push_back(std::move(one));
  } while (at(Symbol::Comma));
  return finish(std::move(stmt));
}

// dotted_name: NAME ('.' NAME)*
std::string Parser::parse_dotted_name() {
  std::string name = expect_name("the name of a module");
  while (accept(Symbol::Dot)) name += "." + expect_name("a name after `.`");
  return name;
}

// from_import: 'from' ('.' | '...')* [dotted_name] 'import' ('*' | '(' import_names ')' | import_names)
StmtId Parser::parse_from_import() {
  Stmt stmt = statement(StmtKind::ImportFrom);
  advance();
  for (;; advance()) {
    if (at(Symbol::Dot)) {
      stmt.level += 1;
    } else if (at(Symbol::Ellipsis)) {
      stmt.level += 3;
    } else {
      break;
    }
  }
  if (stmt.level == 0 || at(Symbol::Name)) stmt.name = parse_dotted_name();
  expect(Symbol::KwImport);
  SourceRange star = token().range;
  if (accept(Symbol::Star)) {
    stmt.imports.push_back({"*", "*", star});
  } else if (accept(Symbol::OpenParen)) {
    parse_import_names(stmt);
    expect(Symbol::CloseParen, "`,` or `)`");
  } else {
    parse_import_names(stmt);
  }
  return finish(std::move(stmt));
}

// import_names: NAME ['as' NAME] (',' NAME ['as' NAME])* [',']
void Parser::parse_import_names(Stmt& stmt) {
  do {
    uint32_t from = begin();
    ImportName one;
    one.name = expect_name("a name to import");
    one.alias = accept(Symbol::KwAs) ? expect_name("a name after `as`") : one.name;
    one.range = span(from);
    stmt.imports.push_back(std::move(one));
  } while (accept(Symbol::Comma) && !at(Symbol::CloseParen));
}

// `type` is a name unless a name and `=` or `[` follow.
bool Parser::at_type_alias() const {
  return at_name("type") && ahead() == Symbol::Name &&
         (ahead(2) == Symbol::Equal || ahead(2) == Symbol::OpenBracket);
}

// type_alias: 'type' NAME [type_parameters] '=' expression
StmtId Parser::parse_type_alias() {
  Stmt stmt = statement(StmtKind::ClassDef);
  advance();
  stmt.name = expect_name("a name");
  skip_type_parameters();
  expect(Symbol::Equal);
  parse_expression();
  return finish(std::move(stmt));
}

}  // namespace lanewise::frontend
