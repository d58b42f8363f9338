// Classes of kernel files that are lists of constants: enums, typing.NamedTuple, and those without a base.
// All others are host code, and so are methods.
#include <algorithm>

#include "frontend/parser.h"

namespace lanewise::frontend {
namespace {

constexpr std::string_view kBases[] = {"Enum",       "Flag",    "IntEnum", "IntFlag",
                                       "NamedTuple", "StrEnum", "object"};

}  // namespace

// Whether the class has no base, or bases that are names, the last of them one of these: only what it is at
// run time says for certain.
bool Parser::is_constant_class() const {
  const std::vector<Symbol>& symbols = stream_.symbols;
  size_t at = stream_.pos;
  for (Symbol wanted : {Symbol::KwClass, Symbol::Name})
    if (symbols[at++] != wanted) return false;
  auto block_at = [&](size_t colon) {
    return symbols[colon] == Symbol::Colon && symbols[colon + 1] == Symbol::Newline &&
           symbols[colon + 2] == Symbol::Indent;
  };
  if (symbols[at] == Symbol::Colon) return block_at(at);
  if (symbols[at++] != Symbol::OpenParen) return false;
  if (symbols[at] == Symbol::CloseParen) return block_at(at + 1);
  while (symbols[at] == Symbol::Name || symbols[at] == Symbol::Dot || symbols[at] == Symbol::Comma) ++at;
  bool header = symbols[at] == Symbol::CloseParen && symbols[at - 1] == Symbol::Name && block_at(at + 1);
  return header && std::ranges::count(kBases, sources_.text(stream_.tokens[at - 1].range)) == 1;
}

// constant_class: 'class' NAME ['(' [(expression ',')* expression] ')'] ':' NEWLINE INDENT module_line*
// DEDENT
void Parser::parse_constant_class() {
  Stmt stmt = statement(StmtKind::ClassDef);
  advance();
  stmt.name = expect_name("the class's name", &stmt.name_range);
  if (at(Symbol::OpenParen)) {
    do {
      advance();
      if (!at(Symbol::CloseParen)) stmt.targets.push_back(parse_expression());
    } while (at(Symbol::Comma) && !failed_);
    expect(Symbol::CloseParen, "`)`");
  }
  if (failed_) {  // `class A(.Enum):`
    recover();
    skip_line_and_block();
    stmt.kind = StmtKind::Error;
    ast_.body.push_back(finish(std::move(stmt)));
    return;
  }
  advance();  // the colon, the line's end and the indent
  advance();
  advance();
  size_t outside = ast_.body.size();
  while (!at(Symbol::Dedent) && !at(Symbol::End)) {
    if (accept(Symbol::Newline)) continue;
    if (at(Symbol::Indent))
      unexpected_indent();
    else if (begins_host_block())
      skip_compound();
    else
      parse_module_line();
  }
  accept(Symbol::Dedent);
  stmt.body.assign(ast_.body.begin() + static_cast<ptrdiff_t>(outside), ast_.body.end());
  ast_.body.resize(outside);
  ast_.body.push_back(finish(std::move(stmt)));
}

}  // namespace lanewise::frontend
