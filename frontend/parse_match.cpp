// `match` statements. Patterns become the expressions they look like, so that inference needs no second tree.
#include "frontend/parser.h"

namespace lanewise::frontend {

// `match` is a name unless its line ends in `:` with an indented `case` below.
bool Parser::at_match() const {
  if (!at_name("match")) return false;
  switch (ahead()) {
    case Symbol::Equal:
    case Symbol::Dot:
    case Symbol::Comma:
    case Symbol::Colon:
    case Symbol::Newline: return false;
    default: break;
  }
  size_t end = line_end(stream_.pos);
  auto symbol = [&](size_t i) { return stream_.symbols[std::min(i, stream_.symbols.size() - 1)]; };
  return end >= 2 && symbol(end - 2) == Symbol::Colon && symbol(end) == Symbol::Indent &&
         symbol(end + 1) == Symbol::Name && sources_.text(stream_.tokens[end + 1].range) == "case";
}

// match: 'match' expression_list ':' NEWLINE INDENT case+ DEDENT
StmtId Parser::parse_match() {
  Stmt stmt = statement(StmtKind::Match);
  advance();
  stmt.value = parse_expression_list(true);
  expect(Symbol::Colon);
  expect(Symbol::Newline);
  expect(Symbol::Indent);
  while (at_name("case")) stmt.cases.push_back(parse_case());
  if (!at(Symbol::Failed)) expect(Symbol::Dedent, "`case`");
  return finish(std::move(stmt));
}

// case: 'case' pattern_list ['if' named_expression] block
MatchCase Parser::parse_case() {
  MatchCase out;
  uint32_t from = begin();
  advance();
  out.pattern = parse_pattern_list(Symbol::Colon);
  if (accept(Symbol::KwIf)) out.guard = parse_named_expression();
  out.body = parse_block("case");
  out.range = span(from);
  return out;
}

// pattern_list: pattern (',' pattern)* [',']
ExprId Parser::parse_pattern_list(Symbol end) {
  uint32_t from = begin();
  ExprId first = parse_pattern();
  if (!at(Symbol::Comma)) return first;
  Expr tuple{.kind = ExprKind::Tuple, .children = {first}};
  while (accept(Symbol::Comma) && !at(end) && !at(Symbol::KwIf)) tuple.children.push_back(parse_pattern());
  tuple.range = span(from);
  return add(std::move(tuple));
}

// pattern: '*' NAME | closed_pattern ('|' closed_pattern)* ['as' NAME]
ExprId Parser::parse_pattern() {
  Nesting nesting(*this);
  uint32_t from = begin();
  if (accept(Symbol::Star)) return unary(ExprKind::Starred, from, parse_closed_pattern());
  ExprId out = parse_closed_pattern();
  if (at(Symbol::Pipe)) {
    Expr either{.kind = ExprKind::BoolOp, .op = Operator::Or, .children = {out}};
    while (accept(Symbol::Pipe)) either.children.push_back(parse_closed_pattern());
    either.range = span(from);
    out = add(std::move(either));
  }
  if (!accept(Symbol::KwAs)) return out;
  std::string name = expect_name("a name after `as`");
  return add({.kind = ExprKind::NamedExpr, .range = span(from), .text = std::move(name), .children = {out}});
}

// closed_pattern: literal | ['-'] NUMBER [('+' | '-') NUMBER] | dotted_name ['(' arguments ')']
//   | '(' [pattern_list] ')' | '[' [pattern_list] ']' | mapping
ExprId Parser::parse_closed_pattern() {
  uint32_t from = begin();
  if (at(Symbol::OpenParen) || at(Symbol::OpenBracket)) {
    Nesting nesting(*this);
    bool list = at(Symbol::OpenBracket);
    Symbol close = list ? Symbol::CloseBracket : Symbol::CloseParen;
    advance();
    ExprId inner = at(close) ? add({.kind = ExprKind::Tuple}) : parse_pattern_list(close);
    expect(close);
    ExprKind kind = ast_[inner].kind;
    if (list) {
      std::vector<ExprId> items =
          kind == ExprKind::Tuple && !ast_[inner].parenthesized ? ast_[inner].children : std::vector{inner};
      return add({.kind = ExprKind::List, .range = span(from), .children = std::move(items)});
    }
    ast_.exprs[inner].parenthesized = true;
    ast_.exprs[inner].range = span(from);
    return inner;
  }
  if (at(Symbol::OpenBrace)) return parse_pattern_mapping();
  if (!at(Symbol::Name)) return parse_binary(4);  // a literal, with a sign, or a complex sum
  ExprId out = parse_atom();
  while (accept(Symbol::Dot)) {
    SourceRange name_range;
    std::string name = expect_name("a name after `.`", &name_range);
    out = add({.kind = ExprKind::Attribute,
               .range = span(from),
               .op_range = name_range,
               .text = std::move(name),
               .children = {out}});
  }
  return at(Symbol::OpenParen) ? parse_pattern_arguments(out) : out;
}

// arguments: [[NAME '='] pattern (',' [NAME '='] pattern)* [',']]
ExprId Parser::parse_pattern_arguments(ExprId callee) {
  Nesting nesting(*this);
  uint32_t open = begin();
  advance();
  Expr call{.kind = ExprKind::Call, .children = {callee}};
  while (!at(Symbol::CloseParen)) {
    if (at(Symbol::Name) && ahead() == Symbol::Equal) {
      call.keywords.emplace_back(text());
      advance();
      advance();
    }
    call.children.push_back(parse_pattern());
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::CloseParen, "`,` or `)`");
  call.range = span(ast_[callee].range.begin);
  call.op_range = span(open);
  return add(std::move(call));
}

// mapping: '{' [(pattern ':' pattern | '**' NAME) (',' ...)* [',']] '}'
ExprId Parser::parse_pattern_mapping() {
  Nesting nesting(*this);
  uint32_t from = begin();
  advance();
  Expr out{.kind = ExprKind::Dict};
  while (!at(Symbol::CloseBrace)) {
    uint32_t item = begin();
    if (accept(Symbol::DoubleStar)) {
      out.children.push_back(unary(ExprKind::DoubleStarred, item, parse_closed_pattern()));
    } else {
      out.children.push_back(parse_closed_pattern());
      expect(Symbol::Colon);
      out.children.push_back(parse_pattern());
    }
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::CloseBrace, "`,` or `}`");
  out.range = span(from);
  return add(std::move(out));
}

}  // namespace lanewise::frontend
