// Calls, subscripts, attributes and what they start from: names, brackets, displays, comprehensions.
#include <algorithm>

#include "frontend/parser.h"

namespace lanewise::frontend {

// primary: atom ('.' NAME | '(' arguments ')' | '[' subscripts ']')*
ExprId Parser::parse_primary() {
  uint32_t from = begin();
  ExprId out = parse_atom();
  for (;;) {
    if (accept(Symbol::Dot)) {
      SourceRange name_range;
      std::string name = expect_name("a name after `.`", &name_range);
      out = add({.kind = ExprKind::Attribute,
                 .range = span(from),
                 .op_range = name_range,
                 .text = std::move(name),
                 .children = {out}});
    } else if (at(Symbol::OpenParen)) {
      out = parse_call(out);
    } else if (at(Symbol::OpenBracket)) {
      out = parse_subscript(out);
    } else {
      return out;
    }
  }
}

// atom: NAME | NUMBER | STRING+ | 'True' | 'False' | 'None' | '...' | group | list | set_or_dict
ExprId Parser::parse_atom() {
  auto literal = [&](ExprKind kind) {
    SourceRange range = token().range;
    advance();
    return add({.kind = kind, .range = range});
  };
  switch (symbol_) {
    case Symbol::Name: {
      Expr name{.kind = ExprKind::Name, .range = token().range, .text = name_text()};
      advance();
      return add(std::move(name));
    }
    case Symbol::Number: return parse_number();
    case Symbol::String: return parse_strings();
    case Symbol::KwTrue: return literal(ExprKind::True);
    case Symbol::KwFalse: return literal(ExprKind::False);
    case Symbol::KwNone: return literal(ExprKind::None);
    case Symbol::Ellipsis: return literal(ExprKind::Ellipsis);
    case Symbol::OpenParen: return parse_group();
    case Symbol::OpenBracket: return parse_list();
    case Symbol::OpenBrace: return parse_braces();
    default: break;
  }
  fail_expected("an expression");
  return error_expression();
}

// arguments: [argument (',' argument)* [',']]
ExprId Parser::parse_call(ExprId callee) {
  uint32_t open = begin();
  expect(Symbol::OpenParen);
  Expr call{.kind = ExprKind::Call, .children = {callee}};
  std::vector<ExprId> named;
  SourceRange first_keyword;
  while (!at(Symbol::CloseParen)) {
    parse_argument(call, named, first_keyword);
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::CloseParen, "`,` or `)`");
  check_generators(call, named);
  call.children.insert(call.children.end(), named.begin(), named.end());
  call.range = span(ast_[callee].range.begin);
  call.op_range = span(open);
  return add(std::move(call));
}

// A generator without parentheses of its own must be the only argument.
void Parser::check_generators(const Expr& call, const std::vector<ExprId>& named) {
  if (call.children.size() + named.size() <= 2) return;
  for (ExprId id : call.children)
    if (ast_[id].kind == ExprKind::Comprehension && ast_[id].text == "generator" && !ast_[id].parenthesized)
      fail(Id::InvalidArguments, ast_[id].range, {"a generator among other arguments needs parentheses"});
}

// argument: NAME '=' expression | '*' expression | '**' expression | named_expression [comprehension]
void Parser::parse_argument(Expr& call, std::vector<ExprId>& named, SourceRange& first_keyword) {
  uint32_t from = begin();
  if (accept(Symbol::Star)) {
    call.children.push_back(unary(ExprKind::Starred, from, parse_expression()));
  } else if (accept(Symbol::DoubleStar)) {
    call.children.push_back(unary(ExprKind::DoubleStarred, from, parse_expression()));
  } else if (at(Symbol::Name) && ahead() == Symbol::Equal) {
    SourceRange name_range = token().range;
    std::string name = name_text();
    advance();
    advance();
    if (std::ranges::find(call.keywords, name) != call.keywords.end())
      fail(Id::InvalidArguments, name_range, {"argument " + code_quoted(name) + " is given twice"});
    if (call.keywords.empty()) first_keyword = name_range;
    named.push_back(parse_expression());
    call.keywords.push_back(std::move(name));
  } else {
    ExprId value = parse_named_expression();
    if (at_comprehension()) value = parse_comprehension("generator", value, from);
    if (!call.keywords.empty()) {
      ir::Diagnostic* diagnostic =
          fail(Id::InvalidArguments, ast_[value].range, {"a positional argument follows a keyword argument"});
      if (diagnostic) diagnostic->label(first_keyword, "the keyword argument");
    }
    call.children.push_back(value);
  }
}

// subscripts: (slice | star_expression) (',' (slice | star_expression))* [',']
ExprId Parser::parse_subscript(ExprId base) {
  uint32_t open = begin();
  expect(Symbol::OpenBracket);
  Expr out{.kind = ExprKind::Subscript, .children = {base}};
  do {
    out.children.push_back(parse_slice());
  } while (accept(Symbol::Comma) && !at(Symbol::CloseBracket));
  expect(Symbol::CloseBracket, "`,` or `]`");
  out.range = span(ast_[base].range.begin);
  out.op_range = span(open);
  return add(std::move(out));
}

// slice: [expression] ':' [expression] [':' [expression]] | star_expression
ExprId Parser::parse_slice() {
  uint32_t from = begin();
  ExprId lower, upper, step;
  if (!at(Symbol::Colon)) {
    lower = parse_star_expression(true);
    if (!at(Symbol::Colon)) return lower;
  }
  auto bound = [&] { return starts_expression() ? parse_expression() : ExprId{}; };
  expect(Symbol::Colon);
  upper = bound();
  if (accept(Symbol::Colon)) step = bound();
  return add({.kind = ExprKind::Slice, .range = span(from), .children = {lower, upper, step}});
}

// group: '(' [yield_expression | expression_list | named_expression comprehension] ')'
ExprId Parser::parse_group() {
  uint32_t from = begin();
  expect(Symbol::OpenParen);
  ExprId out;
  if (at(Symbol::CloseParen)) {
    out = add({.kind = ExprKind::Tuple});
  } else if (at(Symbol::KwYield)) {
    out = parse_yield();
  } else {
    uint32_t inner = begin();
    out = parse_expression_list(true);
    if (at_comprehension()) out = parse_comprehension("generator", out, inner);
  }
  expect(Symbol::CloseParen, "`)`");
  Expr& expr = ast_.exprs[out];
  expr.parenthesized = true;
  expr.range = span(from);
  return out;
}

// list: '[' [expression_list | named_expression comprehension] ']'
ExprId Parser::parse_list() {
  uint32_t from = begin();
  expect(Symbol::OpenBracket);
  Expr list{.kind = ExprKind::List};
  while (!at(Symbol::CloseBracket)) {
    list.children.push_back(parse_star_expression(true));
    if (list.children.size() == 1 && at_comprehension()) {
      ExprId out = parse_comprehension("list", list.children[0], from);
      expect(Symbol::CloseBracket, "`]`");
      ast_.exprs[out].range = span(from);
      return out;
    }
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::CloseBracket, "`,` or `]`");
  list.range = span(from);
  return add(std::move(list));
}

// set_or_dict: '{' [item (',' item)* [',']] '}' | '{' item comprehension '}'
// item: '**' bitwise_or | expression ':' expression | star_expression
ExprId Parser::parse_braces() {
  uint32_t from = begin();
  expect(Symbol::OpenBrace);
  Expr out{.kind = ExprKind::Dict};
  while (!at(Symbol::CloseBrace)) {
    uint32_t item = begin();
    bool first = out.children.empty();
    if (first && !at(Symbol::DoubleStar)) {
      // The first item decides between a set and a dict.
      out.children.push_back(parse_star_expression(true));
      if (!at(Symbol::Colon)) out.kind = ExprKind::Set;
    } else if (out.kind == ExprKind::Dict && accept(Symbol::DoubleStar)) {
      Nesting nesting(*this);
      out.children.push_back(unary(ExprKind::DoubleStarred, item, parse_binary(0)));
    } else {
      out.children.push_back(out.kind == ExprKind::Set ? parse_star_expression(true) : parse_expression());
    }
    if (out.kind == ExprKind::Dict && ast_[out.children.back()].kind != ExprKind::DoubleStarred) {
      expect(Symbol::Colon);
      out.children.push_back(parse_expression());
    }
    if (at_comprehension()) {
      bool set = out.kind == ExprKind::Set;
      ExprId element = set ? out.children[0]
                           : add({.kind = ExprKind::Tuple, .range = span(item), .children = out.children});
      ExprId comprehension = parse_comprehension(set ? "set" : "dict", element, from);
      expect(Symbol::CloseBrace, "`}`");
      ast_.exprs[comprehension].range = span(from);
      return comprehension;
    }
    if (!accept(Symbol::Comma)) break;
  }
  expect(Symbol::CloseBrace, "`,` or `}`");
  out.range = span(from);
  return add(std::move(out));
}

// comprehension: (['async'] 'for' target_list 'in' disjunction ('if' disjunction)*)+
ExprId Parser::parse_comprehension(std::string_view kind, ExprId element, uint32_t from) {
  Nesting nesting(*this);
  Expr out{.kind = ExprKind::Comprehension, .text = std::string(kind), .children = {element}};
  while (at_comprehension()) {
    accept(Symbol::KwAsync);
    expect(Symbol::KwFor);
    out.children.push_back(parse_target_list(Symbol::KwIn));
    expect(Symbol::KwIn);
    out.children.push_back(parse_disjunction());
    uint32_t condition_begin = begin();
    std::vector<ExprId> conditions;
    while (accept(Symbol::KwIf)) {
      if (conditions.empty()) condition_begin = begin();
      conditions.push_back(at(Symbol::Name) && ahead() == Symbol::ColonEqual ? parse_named_expression()
                                                                             : parse_disjunction());
    }
    ExprId condition = conditions.empty() ? ExprId{} : conditions[0];
    if (conditions.size() > 1)
      condition = add({.kind = ExprKind::BoolOp,
                       .op = Operator::And,
                       .range = span(condition_begin),
                       .children = conditions});
    out.children.push_back(condition);
  }
  out.range = span(from);
  return add(std::move(out));
}

}  // namespace lanewise::frontend
