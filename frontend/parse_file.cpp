// Kernel files: which of their top-level statements are parsed, and what is noted of the host code that is
// skipped: the names it binds, so that a kernel that needs one can be told where it comes from, and the
// imports in it (`try: import ... except ImportError: ...`).
#include <algorithm>

#include "frontend/parser.h"

namespace lanewise::frontend {
namespace {

bool is_open(Symbol s) {
  return s == Symbol::OpenParen || s == Symbol::OpenBracket || s == Symbol::OpenBrace;
}
bool is_close(Symbol s) {
  return s == Symbol::CloseParen || s == Symbol::CloseBracket || s == Symbol::CloseBrace;
}

bool begins_compound(Symbol s) {
  switch (s) {
    case Symbol::KwIf:
    case Symbol::KwElif:
    case Symbol::KwElse:
    case Symbol::KwFor:
    case Symbol::KwWhile:
    case Symbol::KwWith:
    case Symbol::KwTry:
    case Symbol::KwExcept:
    case Symbol::KwFinally:
    case Symbol::KwDef:
    case Symbol::KwClass:
    case Symbol::KwAsync: return true;
    default: return false;
  }
}

bool is_augmented(Symbol s) { return s >= Symbol::PlusEqual && s <= Symbol::DoubleStarEqual; }

}  // namespace

// module: module_statement*
void Parser::parse_module() {
  while (!at(Symbol::End)) parse_module_statement();
}

// module_statement: decorated function | constant_class | import | assignment of constants | host code
void Parser::parse_module_statement() {
  if (accept(Symbol::Newline) || accept(Symbol::Dedent)) return;
  if (at(Symbol::Indent)) return unexpected_indent();
  if (at(Symbol::At)) {
    size_t next = stream_.pos;
    while (stream_.symbols[next] == Symbol::At) next = line_end(next);
    Symbol first = stream_.symbols[next];
    if (first == Symbol::KwClass || first == Symbol::KwAsync) return skip_compound();
    return parse_statement(ast_.body);
  }
  if (at(Symbol::KwClass) && is_constant_class()) return parse_constant_class();
  if (begins_host_block()) return skip_compound();
  parse_module_line();
}

bool Parser::begins_host_block() const { return at(Symbol::At) || begins_compound(symbol_) || at_match(); }

// One line of simple statements, each parsed or skipped.
void Parser::parse_module_line() {
  for (;;) {
    bool parsed = at(Symbol::KwImport) || at(Symbol::KwFrom) || is_constant_assignment();
    if (!parsed) {
      skip_simple();
    } else {
      size_t count = ast_.body.size();
      uint32_t from = begin();
      StmtId stmt = parse_simple();
      if (!failed_ && !at(Symbol::Semicolon) && !at(Symbol::Newline) && !at(Symbol::End))
        fail_expected("the end of the statement");
      if (failed_) {
        recover();
        while (!at(Symbol::Newline) && !at(Symbol::End)) advance();
        Stmt error{.kind = StmtKind::Error, .range = span(from), .name_range = span(from)};
        stmt = ast_.stmts.add(std::move(error));
      }
      ast_.body.resize(count);
      ast_.body.push_back(stmt);
    }
    if (!accept(Symbol::Semicolon) || at(Symbol::Newline)) break;
  }
  if (!at(Symbol::End) && !accept(Symbol::Newline)) advance();
}

// Whether the statement assigns to names and tuples of names only: `A = ...`, `A: int = ...`, `A += ...`,
// `A, (B, *C) = D = ...`.
bool Parser::is_constant_assignment() const {
  bool named = false;
  for (size_t i = stream_.pos;; ++i) {
    switch (Symbol s = stream_.symbols[i]) {
      case Symbol::Name:
        // `x y`, `f(...)` and `a[...]` are no targets.
        if (named && (stream_.symbols[i - 1] == Symbol::Name || stream_.symbols[i - 1] == Symbol::CloseParen))
          return false;
        named = true;
        break;
      case Symbol::OpenParen:
      case Symbol::OpenBracket:
        if (i > stream_.pos && (stream_.symbols[i - 1] == Symbol::Name || is_close(stream_.symbols[i - 1])))
          return false;
        break;
      case Symbol::CloseParen:
      case Symbol::CloseBracket:
      case Symbol::Comma:
      case Symbol::Star: break;
      case Symbol::Colon:
      case Symbol::Equal: return named;
      default: return named && is_augmented(s);
    }
  }
}

void Parser::skip_simple() {
  Stmt skipped = statement(StmtKind::Skipped);
  if (token().kind == TokenKind::Keyword) skipped.name = std::string(text());
  size_t start = stream_.pos, end = start;
  int64_t open = 0;
  for (;; ++end) {
    Symbol s = stream_.symbols[end];
    if (is_open(s)) ++open;
    if (is_close(s)) --open;
    if (s == Symbol::Newline || s == Symbol::End || s == Symbol::Indent || s == Symbol::Dedent) break;
    if (s == Symbol::Semicolon && open <= 0) break;
  }
  collect_bindings(start, end, skipped);
  move_to(end);
  if (end > start) ast_.body.push_back(finish(std::move(skipped)));
}

// A statement with a block, and the `else`s and `except`s that belong to it.
void Parser::skip_compound() {
  Stmt skipped = statement(StmtKind::Skipped);
  size_t start = stream_.pos;
  while (at(Symbol::At)) move_to(line_end(stream_.pos));
  skipped.name = std::string(text());
  skip_line_and_block();
  while (at(Symbol::KwElif) || at(Symbol::KwElse) || at(Symbol::KwExcept) || at(Symbol::KwFinally))
    skip_line_and_block();
  collect_bindings(start, stream_.pos, skipped);
  ast_.body.push_back(finish(std::move(skipped)));
}

// Past the Newline of the logical line that holds `from`.
size_t Parser::line_end(size_t from) const {
  size_t last = stream_.symbols.size() - 1;
  while (from < last && stream_.symbols[from] != Symbol::Newline) ++from;
  return std::min(from + 1, last);
}

// Past the Dedent that matches the Indent at `from`.
size_t Parser::block_end(size_t from) const {
  size_t last = stream_.symbols.size() - 1;
  size_t depth = 0;
  for (; from < last; ++from) {
    if (stream_.symbols[from] == Symbol::Indent) ++depth;
    if (stream_.symbols[from] == Symbol::Dedent && --depth == 0) return from + 1;
  }
  return last;
}

void Parser::add_binding(size_t i, Stmt& skipped) {
  SourceRange range = stream_.tokens[i].range;
  skipped.targets.push_back(
      add({.kind = ExprKind::Name, .range = range, .text = std::string(sources_.text(range))}));
}

// The names that the host statements in tokens [from, to) bind in the module, functions' and classes' own
// blocks left out. A reading by tokens: what it misses costs only a less exact message.
void Parser::collect_bindings(size_t from, size_t to, Stmt& skipped) {
  while (from < to) {
    Symbol s = stream_.symbols[from];
    if (s == Symbol::Newline || s == Symbol::Indent || s == Symbol::Dedent || s == Symbol::Semicolon) {
      ++from;
    } else if (s == Symbol::At) {
      from = line_end(from);
    } else if (s == Symbol::KwImport || s == Symbol::KwFrom) {
      from = collect_import(from, to, skipped);
    } else if (begins_compound(s)) {
      from = collect_compound(from, to, skipped);
    } else {
      from = collect_simple(from, to, skipped);
    }
  }
}

size_t Parser::collect_import(size_t from, size_t to, Stmt& skipped) {
  size_t resume = stream_.pos;
  move_to(from);
  size_t end = from;
  while (end < to && stream_.symbols[end] != Symbol::Newline && stream_.symbols[end] != Symbol::Semicolon)
    ++end;
  bool well_formed = std::none_of(stream_.symbols.begin() + static_cast<ptrdiff_t>(from),
                                  stream_.symbols.begin() + static_cast<ptrdiff_t>(end),
                                  [](Symbol s) { return s == Symbol::Error; });
  if (well_formed) {
    quiet_ = true;  // an import that is wrong inside host code is the host's affair
    StmtId stmt = parse_simple();
    quiet_ = false;
    if (!failed_) skipped.body.push_back(stmt);
    failed_ = false;
  }
  move_to(resume);
  return std::max(end, from + 1);
}

// The header of a compound statement: binds the names of `for`, `with ... as`, `def` and `class`. Returns
// where the next statement begins: after the header's colon, or past the block of a `def` or `class`.
size_t Parser::collect_compound(size_t from, size_t to, Stmt& skipped) {
  Symbol keyword = stream_.symbols[from];
  if (keyword == Symbol::KwAsync && from + 1 < to) keyword = stream_.symbols[++from];
  if (keyword == Symbol::KwDef || keyword == Symbol::KwClass) {
    if (from + 1 < to && stream_.symbols[from + 1] == Symbol::Name) add_binding(from + 1, skipped);
    size_t end = line_end(from);
    return stream_.symbols[end] == Symbol::Indent ? block_end(end) : end;
  }
  int64_t open = 0;
  bool targets = keyword == Symbol::KwFor;
  size_t i = from + 1;
  for (; i < to && stream_.symbols[i] != Symbol::Newline; ++i) {
    Symbol s = stream_.symbols[i];
    if (is_open(s)) ++open;
    if (is_close(s)) --open;
    if (s == Symbol::KwIn) targets = false;
    if (s == Symbol::Colon && open <= 0) return i + 1;
    bool target = s == Symbol::Name && (targets || stream_.symbols[i - 1] == Symbol::KwAs);
    if (target && stream_.symbols[i - 1] != Symbol::Dot) add_binding(i, skipped);
  }
  return i;
}

// A simple statement: binds the names left of its `=` signs. Returns where it ends.
size_t Parser::collect_simple(size_t from, size_t to, Stmt& skipped) {
  bool annotated = false;
  if (from + 1 < to && stream_.symbols[from] == Symbol::Name) {
    annotated = stream_.symbols[from + 1] == Symbol::Colon;
    if (annotated || is_augmented(stream_.symbols[from + 1])) add_binding(from, skipped);
  }
  std::vector<size_t> names;   // of the segment since the last `=`
  std::vector<bool> brackets;  // open brackets: whether they hold arguments or subscripts
  size_t arguments = 0;
  size_t i = from;
  for (; i < to; ++i) {
    Symbol s = stream_.symbols[i];
    Symbol before = i > from ? stream_.symbols[i - 1] : Symbol::Newline;
    if (s == Symbol::Newline || (s == Symbol::Semicolon && brackets.empty())) break;
    if (is_open(s)) {
      brackets.push_back(before == Symbol::Name || is_close(before));
      arguments += brackets.back();
      if (before == Symbol::Name && !names.empty() && names.back() == i - 1) names.pop_back();
    } else if (is_close(s) && !brackets.empty()) {
      arguments -= brackets.back();
      brackets.pop_back();
    } else if (s == Symbol::Equal && brackets.empty()) {
      for (size_t name : names) add_binding(name, skipped);
      names.clear();
    } else if (s == Symbol::Name && arguments == 0 && !annotated && before != Symbol::Dot &&
               stream_.symbols[i + 1] != Symbol::Dot) {
      names.push_back(i);
    }
  }
  return std::max(i, from + 1);
}

}  // namespace lanewise::frontend
