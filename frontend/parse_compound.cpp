// Statements with blocks, and parameter lists.
#include <algorithm>
#include <span>

#include "frontend/parser.h"

namespace lanewise::frontend {

// compound_statement: if | while | for | decorated | function | class | with | try | async | match
// False if the next statement is none.
bool Parser::parse_compound(std::vector<StmtId>& out) {
  Nesting nesting(*this);
  switch (symbol_) {
    case Symbol::KwIf: out.push_back(parse_if()); return true;
    case Symbol::KwWhile: out.push_back(parse_while()); return true;
    case Symbol::KwFor: out.push_back(parse_for()); return true;
    case Symbol::KwDef: out.push_back(parse_function()); return true;
    case Symbol::At: out.push_back(parse_decorated()); return true;
    case Symbol::KwClass: out.push_back(parse_refused(StmtKind::ClassDef)); return true;
    case Symbol::KwTry: out.push_back(parse_refused(StmtKind::Try)); return true;
    case Symbol::KwWith:
    case Symbol::KwAsync: out.push_back(parse_refused(StmtKind::With)); return true;
    case Symbol::Failed: return true;
    case Symbol::Name:
      if (!at_match()) return false;
      out.push_back(parse_match());
      return true;
    default: return false;
  }
}

// block: NEWLINE INDENT statement+ DEDENT | simple_line
std::vector<StmtId> Parser::parse_block(std::string_view keyword) {
  std::vector<StmtId> out;
  expect(Symbol::Colon);
  if (failed_) return out;
  if (!accept(Symbol::Newline)) {
    // A compound statement may not follow on the same line; parse_simple() finds no expression there.
    parse_simple_line(out);
    return out;
  }
  if (!at(Symbol::Indent)) {
    // Reported without failing: the next line is a statement of its own.
    SourceRange place{ast_.file, token().range.begin, token().range.begin};
    diagnostics_.report(Id::ExpectedBlock, place, {std::string(keyword)});
    return out;
  }
  advance();
  while (!at(Symbol::Dedent) && !at(Symbol::End)) parse_statement(out);
  accept(Symbol::Dedent);
  return out;
}

// if: 'if' named_expression block ('elif' named_expression block)* ['else' block]
StmtId Parser::parse_if() {
  Stmt stmt = statement(StmtKind::If);
  std::string keyword(text());
  advance();
  stmt.value = parse_named_expression();
  stmt.body = parse_block(keyword);
  if (at(Symbol::KwElif)) {
    if (++elifs_ > kMaxElifs) {
      fail(Id::NestingTooDeep, token().range, {std::to_string(kMaxElifs)});
    } else {
      stmt.orelse.push_back(parse_if());
    }
    --elifs_;
  } else if (accept(Symbol::KwElse)) {
    stmt.orelse = parse_block("else");
  }
  return finish(std::move(stmt));
}

// while: 'while' named_expression block ['else' block]
StmtId Parser::parse_while() {
  Stmt stmt = statement(StmtKind::While);
  advance();
  stmt.value = parse_named_expression();
  ++loops_;
  stmt.body = parse_block("while");
  --loops_;
  if (accept(Symbol::KwElse)) stmt.orelse = parse_block("else");
  return finish(std::move(stmt));
}

// for: 'for' target_list 'in' expression_list block ['else' block]
StmtId Parser::parse_for() {
  Stmt stmt = statement(StmtKind::For);
  advance();
  stmt.targets = {parse_target_list(Symbol::KwIn)};
  expect(Symbol::KwIn);
  stmt.value = parse_expression_list();
  ++loops_;
  stmt.body = parse_block("for");
  --loops_;
  if (accept(Symbol::KwElse)) stmt.orelse = parse_block("else");
  return finish(std::move(stmt));
}

// decorated: ('@' named_expression NEWLINE)+ (function | class | 'async' function)
StmtId Parser::parse_decorated() {
  std::vector<ExprId> decorators;
  uint32_t from = begin();
  while (accept(Symbol::At)) {
    decorators.push_back(parse_named_expression());
    expect(Symbol::Newline, "the end of the line");
  }
  StmtId out;
  if (at(Symbol::KwClass) || at(Symbol::KwAsync)) {
    out = parse_refused(at(Symbol::KwClass) ? StmtKind::ClassDef : StmtKind::With);
  } else if (at(Symbol::KwDef)) {
    out = parse_function();
  } else {
    fail_expected("`def`");
    out = finish(statement(StmtKind::Error));
  }
  ast_.stmts[out].decorators = std::move(decorators);
  ast_.stmts[out].range.begin = from;
  return out;
}

// function: 'def' NAME [type_parameters] '(' parameters ')' ['->' expression] block
StmtId Parser::parse_function() {
  Stmt stmt = statement(StmtKind::FunctionDef);
  advance();
  stmt.name = expect_name("the function's name", &stmt.name_range);
  skip_type_parameters();
  expect(Symbol::OpenParen);
  stmt.params = parse_parameters(Symbol::CloseParen, true);
  expect(Symbol::CloseParen, "`,` or `)`");
  if (accept(Symbol::Arrow)) stmt.annotation = parse_expression_list();
  uint32_t loops = loops_;
  loops_ = 0;
  stmt.body = parse_block("def");
  loops_ = loops;
  return finish(std::move(stmt));
}

// type_parameters: '[' ... ']'      read over: they mean nothing in a kernel
void Parser::skip_type_parameters() {
  if (!accept(Symbol::OpenBracket)) return;
  uint32_t open = 1;
  for (; open > 0 && !at(Symbol::Newline) && !at(Symbol::End) && !at(Symbol::Failed); advance()) {
    if (at(Symbol::Error)) return fail_expected("a type parameter");
    if (at(Symbol::OpenBracket)) ++open;
    if (at(Symbol::CloseBracket)) --open;
  }
}

// parameters: [parameter (',' parameter)* [',']]
std::vector<Parameter> Parser::parse_parameters(Symbol end, bool annotations) {
  std::vector<Parameter> params;
  Parameter::Kind kind = Parameter::Kind::Normal;
  while (!at(end)) {
    if (!parse_parameter(params, annotations, kind) || !accept(Symbol::Comma)) break;
  }
  // `kind` stays KeywordOnly after a bare `*`; some parameter must be.
  bool bare = kind == Parameter::Kind::KeywordOnly && std::ranges::none_of(params, [](const Parameter& p) {
                return p.kind == Parameter::Kind::KeywordOnly || p.kind == Parameter::Kind::Star;
              });
  if (bare) fail(Id::InvalidParameters, token().range, {"a parameter must follow the bare `*`"});
  if (!failed_) check_parameters(params);
  return params;
}

// parameter: ['*' | '**'] NAME [':' expression] ['=' expression] | '/' | '*'
// `kind` is what a plain parameter is here: KeywordOnly after a `*`.
bool Parser::parse_parameter(std::vector<Parameter>& params, bool annotations, Parameter::Kind& kind) {
  Parameter out;
  SourceRange place = token().range;
  if (accept(Symbol::Slash)) {
    bool misplaced = params.empty() || params.front().kind == Parameter::Kind::PositionalOnly ||
                     params.back().kind != Parameter::Kind::Normal;
    if (misplaced) fail(Id::InvalidParameters, place, {"`/` must follow plain parameters, once"});
    for (Parameter& before : params) before.kind = Parameter::Kind::PositionalOnly;
    return !failed_;
  }
  bool star = accept(Symbol::Star), double_star = !star && accept(Symbol::DoubleStar);
  if (star) {
    if (kind != Parameter::Kind::Normal)
      fail(Id::InvalidParameters, place, {"a second `*` among the parameters"});
    kind = Parameter::Kind::KeywordOnly;
    if (at(Symbol::Comma) || at(Symbol::CloseParen) || at(Symbol::Colon)) return true;  // a bare `*`
  }
  out.kind = star ? Parameter::Kind::Star : double_star ? Parameter::Kind::DoubleStar : kind;
  if (!params.empty() && params.back().kind == Parameter::Kind::DoubleStar)
    fail(Id::InvalidParameters, place, {"a parameter follows `**`"});
  out.name = expect_name("a parameter's name", &out.range);
  if (annotations && accept(Symbol::Colon))
    out.annotation = star ? parse_star_expression() : parse_expression();
  if (!star && !double_star && accept(Symbol::Equal)) out.default_value = parse_expression();
  if (failed_) return false;
  params.push_back(std::move(out));
  return true;
}

void Parser::check_parameters(const std::vector<Parameter>& params) {
  bool defaults = false;
  std::vector<std::string_view> names;
  for (const Parameter& param : params) names.push_back(param.name);
  std::ranges::sort(names);
  auto twice = std::ranges::adjacent_find(names);
  for (size_t i = params.size(); twice != names.end() && i-- > 0;) {
    if (params[i].name != *twice) continue;
    fail(Id::InvalidParameters, params[i].range,
         {"parameter " + code_quoted(params[i].name) + " occurs twice"});
    return;
  }
  for (const Parameter& param : params) {
    if (param.kind != Parameter::Kind::Normal && param.kind != Parameter::Kind::PositionalOnly) break;
    if (defaults && !param.default_value.valid()) {
      fail(Id::InvalidParameters, param.range,
           {"parameter " + code_quoted(param.name) + " without a default follows one with a default"});
      return;
    }
    defaults = param.default_value.valid();
  }
}

// class, with, try and async statements: their tokens are read over, since the language has none of them.
StmtId Parser::parse_refused(StmtKind kind) {
  Stmt stmt = statement(kind);
  stmt.name = std::string(text());
  size_t end = line_end(stream_.pos);
  auto line = std::span(stream_.symbols).subspan(stream_.pos, end - stream_.pos);
  if (std::ranges::find(line, Symbol::Colon) == line.end()) {
    advance();
    if (kind == StmtKind::ClassDef) expect(Symbol::Name, "the class's name");
    while (!at(Symbol::Newline) && !at(Symbol::Failed) && !at(Symbol::End)) advance();
    fail_expected("`:`");
    return finish(std::move(stmt));
  }
  if (kind == StmtKind::ClassDef) {
    advance();
    stmt.name = expect_name("the class's name", &stmt.name_range);
  }
  bool tries = kind == StmtKind::Try || ahead() == Symbol::KwFor;
  if (!failed_) skip_line_and_block();
  if (kind == StmtKind::Try && !at(Symbol::KwExcept) && !at(Symbol::KwFinally))
    fail_expected("`except` or `finally`");
  while (tries && (at(Symbol::KwExcept) || at(Symbol::KwFinally) || at(Symbol::KwElse)))
    skip_line_and_block();
  return finish(std::move(stmt));
}

void Parser::skip_line_and_block() {
  size_t end = line_end(stream_.pos);
  if (stream_.symbols[end] == Symbol::Indent) end = block_end(end);
  move_to(end);
}

}  // namespace lanewise::frontend
