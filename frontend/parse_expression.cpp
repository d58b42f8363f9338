// Expressions from `lambda` and `if ... else` down to `**`; what stands below is in parse_primary.cpp.
// Each function has its grammar production above it, in the notation of Python's reference.
#include <algorithm>

#include "frontend/parser.h"

namespace lanewise::frontend {

// Adds a node, bounding the height of the tree that later stages walk recursively.
ExprId Parser::add(Expr expr) {
  uint32_t height = 0;
  auto grow = [&](ExprId child) {
    if (child.valid()) height = std::max(height, heights_[child.index]);
  };
  for (ExprId child : expr.children) grow(child);
  for (const Parameter& param : expr.params) grow(param.default_value);
  // `a and b and c ...` and `a < b < c ...` are one node, but mean operations inside of each other.
  if (expr.kind == ExprKind::BoolOp || expr.kind == ExprKind::Compare)
    height += static_cast<uint32_t>(std::min<size_t>(expr.children.size(), kMaxTreeHeight));
  if (++height > kMaxTreeHeight) {
    fail(Id::NestingTooDeep, {expr.range.file, expr.range.begin, expr.range.begin},
         {std::to_string(kMaxTreeHeight)});
    expr = {.kind = ExprKind::Error, .range = expr.range};
    height = 1;
  }
  heights_.push_back(height);
  return ast_.exprs.add(std::move(expr));
}

ExprId Parser::error_expression() { return add({.kind = ExprKind::Error, .range = token().range}); }

ExprId Parser::unary(ExprKind kind, uint32_t from, ExprId child) {
  return add({.kind = kind, .range = span(from), .children = {child}});
}

bool Parser::starts_expression() const {
  switch (symbol_) {
    case Symbol::Name:
    case Symbol::Number:
    case Symbol::String:
    case Symbol::KwFalse:
    case Symbol::KwNone:
    case Symbol::KwTrue:
    case Symbol::KwAwait:
    case Symbol::KwLambda:
    case Symbol::KwNot:
    case Symbol::Plus:
    case Symbol::Minus:
    case Symbol::Tilde:
    case Symbol::Star:
    case Symbol::Ellipsis:
    case Symbol::OpenParen:
    case Symbol::OpenBracket:
    case Symbol::OpenBrace: return true;
    default: return false;
  }
}

// expression: lambda | disjunction ['if' disjunction 'else' expression]
ExprId Parser::parse_expression() {
  Nesting nesting(*this);
  if (at(Symbol::KwLambda)) return parse_lambda();
  uint32_t from = begin();
  ExprId value = parse_disjunction();
  if (!accept(Symbol::KwIf)) return value;
  ExprId condition = parse_disjunction();
  expect(Symbol::KwElse);
  ExprId other = parse_expression();
  return add({.kind = ExprKind::Ternary, .range = span(from), .children = {condition, value, other}});
}

// named_expression: NAME ':=' expression | expression
ExprId Parser::parse_named_expression() {
  if (!at(Symbol::Name) || ahead() != Symbol::ColonEqual) return parse_expression();
  uint32_t from = begin();
  std::string name = name_text();
  advance();
  advance();
  ExprId value = parse_expression();
  return add(
      {.kind = ExprKind::NamedExpr, .range = span(from), .text = std::move(name), .children = {value}});
}

// star_expression: '*' bitwise_or | named_expression
ExprId Parser::parse_star_expression(bool named) {
  uint32_t from = begin();
  if (accept(Symbol::Star)) {
    Nesting nesting(*this);
    return unary(ExprKind::Starred, from, parse_binary(0));
  }
  return named ? parse_named_expression() : parse_expression();
}

// expression_list: star_expression (',' star_expression)* [',']     several, or a comma, make a Tuple
ExprId Parser::parse_expression_list(bool named) {
  uint32_t from = begin();
  ExprId first = parse_star_expression(named);
  if (ast_[first].kind == ExprKind::Starred && !at(Symbol::Comma))
    fail_expected("`,`: unpacking makes a tuple");
  if (!at(Symbol::Comma)) return first;
  Expr tuple{.kind = ExprKind::Tuple, .children = {first}};
  while (accept(Symbol::Comma) && starts_expression()) tuple.children.push_back(parse_star_expression(named));
  tuple.range = span(from);
  return add(std::move(tuple));
}

// assigned_value: yield_expression | expression_list
ExprId Parser::parse_assigned_value() {
  return at(Symbol::KwYield) ? parse_yield() : parse_expression_list();
}

// yield_expression: 'yield' ['from' expression | expression_list]
ExprId Parser::parse_yield() {
  uint32_t from = begin();
  expect(Symbol::KwYield);
  Expr out{.kind = ExprKind::Yield};
  if (accept(Symbol::KwFrom)) {
    out.children = {parse_expression()};
  } else if (starts_expression()) {
    out.children = {parse_expression_list()};
  }
  out.range = span(from);
  return add(std::move(out));
}

// lambda: 'lambda' [parameters] ':' expression
ExprId Parser::parse_lambda() {
  uint32_t from = begin();
  expect(Symbol::KwLambda);
  Expr out{.kind = ExprKind::Lambda};
  out.params = parse_parameters(Symbol::Colon, false);
  expect(Symbol::Colon);
  out.children = {parse_expression()};
  out.range = span(from);
  return add(std::move(out));
}

// disjunction: conjunction ('or' conjunction)*
ExprId Parser::parse_disjunction() {
  uint32_t from = begin();
  ExprId first = parse_conjunction();
  if (!at(Symbol::KwOr)) return first;
  Expr out{.kind = ExprKind::BoolOp, .op = Operator::Or, .children = {first}};
  while (accept(Symbol::KwOr)) out.children.push_back(parse_conjunction());
  out.range = span(from);
  return add(std::move(out));
}

// conjunction: inversion ('and' inversion)*
ExprId Parser::parse_conjunction() {
  uint32_t from = begin();
  ExprId first = parse_inversion();
  if (!at(Symbol::KwAnd)) return first;
  Expr out{.kind = ExprKind::BoolOp, .op = Operator::And, .children = {first}};
  while (accept(Symbol::KwAnd)) out.children.push_back(parse_inversion());
  out.range = span(from);
  return add(std::move(out));
}

// inversion: 'not' inversion | comparison
ExprId Parser::parse_inversion() {
  if (!at(Symbol::KwNot)) return parse_comparison();
  Nesting nesting(*this);
  SourceRange op = token().range;
  advance();
  ExprId child = parse_inversion();
  return add({.kind = ExprKind::Unary,
              .op = Operator::Not,
              .range = span(op.begin),
              .op_range = op,
              .children = {child}});
}

// comparison: bitwise_or (comparison_operator bitwise_or)*
// comparison_operator: '<' | '>' | '==' | '>=' | '<=' | '!=' | ['not'] 'in' | 'is' ['not']
ExprId Parser::parse_comparison() {
  auto comparison = [&]() -> std::optional<Operator> {
    switch (symbol_) {
      case Symbol::EqualEqual: return Operator::Eq;
      case Symbol::NotEqual: return Operator::Ne;
      case Symbol::Less: return Operator::Lt;
      case Symbol::LessEqual: return Operator::Le;
      case Symbol::Greater: return Operator::Gt;
      case Symbol::GreaterEqual: return Operator::Ge;
      case Symbol::KwIn: return Operator::In;
      case Symbol::KwIs: return ahead() == Symbol::KwNot ? Operator::IsNot : Operator::Is;
      case Symbol::KwNot:
        if (ahead() == Symbol::KwIn) return Operator::NotIn;
        return std::nullopt;
      default: return std::nullopt;
    }
  };
  uint32_t from = begin();
  ExprId first = parse_binary(0);
  std::optional<Operator> op = comparison();
  if (!op) return first;
  Expr out{.kind = ExprKind::Compare, .children = {first}};
  for (; op; op = comparison()) {
    advance();
    if (*op == Operator::IsNot || *op == Operator::NotIn) advance();
    out.compare_ops.push_back(*op);
    out.children.push_back(parse_binary(0));
  }
  out.range = span(from);
  return add(std::move(out));
}

namespace {

struct BinaryOperator {
  Operator op;
  int level;
};

// Loosest first: | ^ & shifts sums products.
std::optional<BinaryOperator> binary_operator(Symbol symbol) {
  switch (symbol) {
    case Symbol::Pipe: return {{Operator::BitOr, 0}};
    case Symbol::Caret: return {{Operator::BitXor, 1}};
    case Symbol::Ampersand: return {{Operator::BitAnd, 2}};
    case Symbol::ShiftLeft: return {{Operator::Shl, 3}};
    case Symbol::ShiftRight: return {{Operator::Shr, 3}};
    case Symbol::Plus: return {{Operator::Add, 4}};
    case Symbol::Minus: return {{Operator::Sub, 4}};
    case Symbol::Star: return {{Operator::Mul, 5}};
    case Symbol::Slash: return {{Operator::Div, 5}};
    case Symbol::DoubleSlash: return {{Operator::FloorDiv, 5}};
    case Symbol::Percent: return {{Operator::Mod, 5}};
    case Symbol::At: return {{Operator::MatMul, 5}};
    default: return std::nullopt;
  }
}

}  // namespace

// bitwise_or and all binary operators below it:
// binary(n): binary(n) operator(n) binary(n + 1) | binary(n + 1)     binary(6): unary
ExprId Parser::parse_binary(int minimum) {
  uint32_t from = begin();
  ExprId left = parse_unary();
  for (;;) {
    std::optional<BinaryOperator> found = binary_operator(symbol_);
    if (!found || found->level < minimum) return left;
    SourceRange op = token().range;
    advance();
    ExprId right = parse_binary(found->level + 1);
    left = add({.kind = ExprKind::Binary,
                .op = found->op,
                .range = span(from),
                .op_range = op,
                .children = {left, right}});
  }
}

// unary: ('+' | '-' | '~') unary | power
ExprId Parser::parse_unary() {
  Operator kind;
  if (at(Symbol::Minus)) {
    kind = Operator::Neg;
  } else if (at(Symbol::Plus)) {
    kind = Operator::Pos;
  } else if (at(Symbol::Tilde)) {
    kind = Operator::Invert;
  } else {
    return parse_power();
  }
  Nesting nesting(*this);
  SourceRange op = token().range;
  advance();
  ExprId child = parse_unary();
  return add(
      {.kind = ExprKind::Unary, .op = kind, .range = span(op.begin), .op_range = op, .children = {child}});
}

// power: ['await'] primary ['**' unary]
ExprId Parser::parse_power() {
  uint32_t from = begin();
  ExprId base;
  if (accept(Symbol::KwAwait)) {
    base = unary(ExprKind::Await, from, parse_primary());
  } else {
    base = parse_primary();
  }
  if (!at(Symbol::DoubleStar)) return base;
  Nesting nesting(*this);
  SourceRange op = token().range;
  advance();
  ExprId exponent = parse_unary();
  return add({.kind = ExprKind::Binary,
              .op = Operator::Pow,
              .range = span(from),
              .op_range = op,
              .children = {base, exponent}});
}

// target_list: star_target (',' star_target)* [',']     star_target: ['*'] bitwise_or
// The targets of `for` and `del`; `end` is the keyword that follows.
ExprId Parser::parse_target_list(Symbol end) {
  auto target = [&] {
    uint32_t from = begin();
    if (accept(Symbol::Star)) return unary(ExprKind::Starred, from, parse_binary(0));
    return parse_binary(0);
  };
  uint32_t from = begin();
  ExprId first = target();
  if (!at(Symbol::Comma)) {
    if (ast_[first].kind == ExprKind::Starred) fail_expected("`,`: unpacking makes a tuple");
    check_target(first);
    return first;
  }
  Expr tuple{.kind = ExprKind::Tuple, .children = {first}};
  while (accept(Symbol::Comma) && !at(end)) tuple.children.push_back(target());
  tuple.range = span(from);
  ExprId out = add(std::move(tuple));
  check_target(out);
  return out;
}

namespace {

std::string describe_expression(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Imaginary:
    case ExprKind::String:
    case ExprKind::Bytes:
    case ExprKind::FString: return "a literal";
    case ExprKind::True: return "`True`";
    case ExprKind::False: return "`False`";
    case ExprKind::None: return "`None`";
    case ExprKind::Ellipsis: return "`...`";
    case ExprKind::Call: return "a call";
    case ExprKind::Compare: return "a comparison";
    case ExprKind::Ternary: return "a conditional expression";
    case ExprKind::Lambda: return "a lambda";
    default: return "an expression";
  }
}

}  // namespace

// Whether the expression may be assigned to; recursion is bounded by the height of the tree.
void Parser::check_target(ExprId target, bool augmented) {
  const Expr& expr = ast_[target];
  switch (expr.kind) {
    case ExprKind::Error:
    case ExprKind::Name:
    case ExprKind::Attribute:
    case ExprKind::Subscript: return;
    case ExprKind::Starred:
      if (!augmented) return check_target(expr.children[0]);
      break;
    case ExprKind::Tuple:
    case ExprKind::List:
      if (augmented) break;
      for (ExprId child : expr.children) check_target(child);
      return;
    default: break;
  }
  std::string what = augmented && (expr.kind == ExprKind::Tuple || expr.kind == ExprKind::List)
                         ? "several targets with an operator"
                         : describe_expression(expr);
  ir::Diagnostic* diagnostic = fail(Id::InvalidTarget, expr.range, {what});
  if (diagnostic && expr.kind == ExprKind::Compare) diagnostic->with_hint("assignment is a single `=`");
}

}  // namespace lanewise::frontend
