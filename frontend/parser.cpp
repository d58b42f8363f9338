// The parser's cursor over tokens, its errors and its limits; parse() itself.
#include "frontend/parser.h"

#include <algorithm>
#include <unordered_map>

namespace lanewise::frontend {

std::string_view spelling(Symbol symbol) {
  static constexpr std::string_view kSpellings[] = {
      "",
      "a name",
      "a number",
      "a string",
      "the end of the line",
      "an indented line",
      "the end of the block",
      "the end of the text",
      "",
#define SYMBOL(Enum, spelled) spelled,
#include "frontend/symbols.def"
  };
  return kSpellings[static_cast<size_t>(symbol)];
}

std::string_view spelling(Operator op) {
  switch (op) {
    case Operator::Add: return "+";
    case Operator::Sub: return "-";
    case Operator::Mul: return "*";
    case Operator::Div: return "/";
    case Operator::FloorDiv: return "//";
    case Operator::Mod: return "%";
    case Operator::Pow: return "**";
    case Operator::MatMul: return "@";
    case Operator::BitAnd: return "&";
    case Operator::BitOr: return "|";
    case Operator::BitXor: return "^";
    case Operator::Shl: return "<<";
    case Operator::Shr: return ">>";
    case Operator::Neg: return "-";
    case Operator::Pos: return "+";
    case Operator::Invert: return "~";
    case Operator::Not: return "not";
    case Operator::And: return "and";
    case Operator::Or: return "or";
    case Operator::Eq: return "==";
    case Operator::Ne: return "!=";
    case Operator::Lt: return "<";
    case Operator::Le: return "<=";
    case Operator::Gt: return ">";
    case Operator::Ge: return ">=";
    case Operator::Is: return "is";
    case Operator::IsNot: return "is not";
    case Operator::In: return "in";
    case Operator::NotIn: return "not in";
  }
  return "";
}

Symbol Parser::classify(const Token& token, std::string_view text) {
  static const std::unordered_map<std::string_view, Symbol> kSymbols = {
#define SYMBOL(Enum, spelled) {spelled, Symbol::Enum},
#include "frontend/symbols.def"
  };
  switch (token.kind) {
    case TokenKind::Name: return Symbol::Name;
    case TokenKind::Int:
    case TokenKind::Float:
    case TokenKind::Imaginary: return Symbol::Number;
    case TokenKind::String:
    case TokenKind::FString: return Symbol::String;
    case TokenKind::Newline: return Symbol::Newline;
    case TokenKind::Indent: return Symbol::Indent;
    case TokenKind::Dedent: return Symbol::Dedent;
    case TokenKind::End: return Symbol::End;
    case TokenKind::Error: return Symbol::Error;
    case TokenKind::Keyword:
    case TokenKind::Operator: break;
  }
  auto found = kSymbols.find(text);
  return found == kSymbols.end() ? Symbol::Error : found->second;
}

Parser::Stream Parser::make_stream(std::vector<Token> tokens) const {
  Stream stream;
  stream.symbols.reserve(tokens.size());
  for (const Token& one : tokens) stream.symbols.push_back(classify(one, sources_.text(one.range)));
  stream.tokens = std::move(tokens);
  return stream;
}

Parser::Parser(const ir::SourceMap& sources, Ast& ast, std::vector<Token> tokens,
               ir::Diagnostics& diagnostics)
    : sources_(sources), ast_(ast), diagnostics_(diagnostics), stream_(make_stream(std::move(tokens))) {
  symbol_ = stream_.symbols.front();
}

Symbol Parser::ahead(size_t n) const {
  return stream_.symbols[std::min(stream_.pos + n, stream_.symbols.size() - 1)];
}

namespace {

// Layout tokens have no place in the ranges of statements.
bool is_layout(Symbol symbol) {
  return symbol == Symbol::Newline || symbol == Symbol::Indent || symbol == Symbol::Dedent ||
         symbol == Symbol::End;
}

}  // namespace

void Parser::move_to(size_t pos) {
  for (size_t i = pos; i-- > stream_.pos;) {
    if (is_layout(stream_.symbols[i])) continue;
    last_end_ = stream_.tokens[i].range.end;
    break;
  }
  stream_.pos = pos;
  symbol_ = stream_.symbols[pos];
}

void Parser::advance() {
  if (failed_) return;
  if (!is_layout(symbol_)) last_end_ = token().range.end;
  if (stream_.pos + 1 < stream_.tokens.size()) ++stream_.pos;
  symbol_ = stream_.symbols[stream_.pos];
}

bool Parser::accept(Symbol symbol) {
  if (symbol_ != symbol) return false;
  advance();
  return true;
}

bool Parser::expect(Symbol symbol, std::string_view wanted) {
  if (accept(symbol)) return true;
  fail_expected(wanted.empty() ? code_quoted(spelling(symbol)) : wanted);
  return false;
}

// The name at the cursor. Python would read some letters as others; here they would be different names.
std::string Parser::name_text() {
  std::string name(text());
  size_t at = find_compatibility_letter(name);
  if (at == name.npos) return name;
  uint32_t length = decode_utf8(name, at).length, from = begin() + static_cast<uint32_t>(at);
  ir::Diagnostic* diagnostic =
      fail(Id::UnexpectedCharacter, {ast_.file, from, from + length}, {code_quoted(name.substr(at, length))});
  if (diagnostic) diagnostic->with_hint("Python reads it as other letters in a name: write the plain ones");
  return name;
}

std::string Parser::expect_name(std::string_view wanted, SourceRange* range) {
  if (range) *range = token().range;
  std::string name = at(Symbol::Name) ? name_text() : "";
  return expect(Symbol::Name, wanted) ? name : std::string();
}

std::string Parser::describe_token() const {
  switch (stream_.symbols[stream_.pos]) {
    case Symbol::Newline:
    case Symbol::Indent:
    case Symbol::Dedent:
    case Symbol::End: return std::string(spelling(stream_.symbols[stream_.pos]));
    default: break;
  }
  std::string_view shown = text();
  size_t cut = std::min({shown.find('\n'), shown.size(), size_t{30}});
  while (cut > 0 && cut < shown.size() && (shown[cut] & 0xC0) == 0x80) --cut;
  return code_quoted(std::string(shown.substr(0, cut)) + (cut < shown.size() ? "..." : ""));
}

void Parser::fail_expected(std::string_view wanted) {
  if (failed_) return;
  ir::Diagnostic* diagnostic =
      fail(Id::SyntaxExpected, token().range, {std::string(wanted), describe_token()});
  if (!diagnostic) return;
  if (std::string hint = hint_for(wanted); !hint.empty()) diagnostic->with_hint(std::move(hint));
}

// What the user may have meant, by what stands at the place of a syntax error and just before it.
std::string Parser::hint_for(std::string_view wanted) const {
  Symbol found = stream_.symbols[stream_.pos];
  Symbol before = stream_.pos > 0 ? stream_.symbols[stream_.pos - 1] : Symbol::Newline;
  Symbol first = stream_.pos > 1 ? stream_.symbols[stream_.pos - 2] : Symbol::Newline;
  bool names = wanted.find("name") != wanted.npos;
  if (names && stream_.tokens[stream_.pos].kind == TokenKind::Keyword)
    return code_quoted(spelling(found)) + " is a keyword of Python";
  if (found == Symbol::Equal && before == Symbol::Equal) return "comparison is `==`";
  if (found == Symbol::Equal && !names) return "comparison is `==`, assignment inside an expression is `:=`";
  if (found == Symbol::KwIf && before == Symbol::KwElse) return "`else if` is written `elif`";
  if (found == Symbol::Ampersand && before == Symbol::Ampersand) return "`&&` is written `and`";
  if (found == Symbol::Pipe && before == Symbol::Pipe) return "`||` is written `or`";
  if (before == Symbol::Plus && first == Symbol::Plus) return "`x++` is written `x += 1`";
  if (before == Symbol::Minus && first == Symbol::Minus) return "`x--` is written `x -= 1`";
  if (found == Symbol::String && before == Symbol::Name) return "calls need parentheses";
  return "";
}

// Whether the tokenizer has reported something in the rest of this line.
bool Parser::line_has_error() const {
  for (size_t i = stream_.pos; i < stream_.symbols.size() && stream_.symbols[i] != Symbol::Newline; ++i)
    if (stream_.symbols[i] == Symbol::Error) return true;
  return false;
}

// Fails the current statement. Returns the diagnostic, or null if nothing is to be said: only the first error
// of a statement counts, and one that the tokenizer has reported is as good as any.
ir::Diagnostic* Parser::fail(Id id, SourceRange range, std::initializer_list<std::string> arguments) {
  if (failed_) return nullptr;
  bool reported = quiet_ || line_has_error();
  failed_ = true;
  symbol_ = Symbol::Failed;
  return reported ? nullptr : &diagnostics_.report(id, range, arguments);
}

void Parser::recover() {
  failed_ = false;
  symbol_ = stream_.symbols[stream_.pos];
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser.depth_ > kMaxNesting)
    parser.fail(Id::NestingTooDeep, parser.token().range, {std::to_string(kMaxNesting)});
}

Ast parse(const ir::SourceMap& sources, uint32_t file, ParseMode mode, ir::Diagnostics& diagnostics) {
  Ast ast;
  ast.file = file;
  const ir::SourceFile& source = sources.file(file);
  ast.first_line = source.first_line;
  ast.line_starts.push_back(0);
  for (size_t at = source.text.find('\n'); at != std::string::npos; at = source.text.find('\n', at + 1))
    ast.line_starts.push_back(static_cast<uint32_t>(at + 1));
  auto end = static_cast<uint32_t>(source.text.size());
  LexMode lex_mode = mode == ParseMode::Function ? LexMode::Block : LexMode::File;
  std::vector<Token> tokens = Lexer(sources, file, 0, end, lex_mode, diagnostics).run();
  Parser parser(sources, ast, std::move(tokens), diagnostics);
  if (mode == ParseMode::Function) {
    parser.parse_statements();
  } else {
    parser.parse_module();
  }
  return ast;
}

}  // namespace lanewise::frontend
