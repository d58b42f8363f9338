// The tokenizer's frame: lines, indentation, brackets, names and operators. In: a range of a file. Out: its
// tokens, ending in End. Bad characters give Error tokens; the parser treats these as already reported.
// Everything is a loop over the text with explicit stacks, so that no input can overflow the call stack.
#include "frontend/lexer.h"

#include <algorithm>
#include <array>

namespace lanewise::frontend {
namespace {

constexpr uint32_t kMaxText = 512u << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// The longest operator at the start of `s`; 0 if there is none. Brackets are not operators here.
size_t operator_length(std::string_view s) {
  static constexpr std::string_view kThree[] = {"**=", "//=", ">>=", "<<=", "..."};
  static constexpr std::string_view kTwo[] = {"**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", ":=",
                                              "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="};
  for (std::string_view op : kThree)
    if (s.starts_with(op)) return 3;
  for (std::string_view op : kTwo)
    if (s.starts_with(op)) return 2;
  return std::string_view("+-*/%@&|^~<>=.,:;").find(s[0]) != std::string_view::npos ? 1 : 0;
}

// Words that begin a statement and stand nowhere else: at the start of a line inside brackets they show
// that a bracket was forgotten.
bool begins_statement_only(std::string_view word) {
  static constexpr std::string_view kWords[] = {"assert", "break",  "class",  "continue", "def",
                                                "del",    "global", "import", "nonlocal", "pass",
                                                "raise",  "return", "while",  "try"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

// Whether no token begins with or holds the character.
bool is_stray(char32_t code) {
  if (code >= 0x80) return !is_identifier_part(code);
  if (code < 0x20) return code != '\t' && code != '\f' && code != '\n' && code != '\r';
  return code == '$' || code == '?' || code == '`' || code == '!' || code == 0x7F;
}

// As a message shows it: between quotes, or by number if it cannot be seen.
std::string character_name(char32_t code, std::string_view text) {
  bool invisible =
      code < 0x20 || code == 0x7F || code == 0xA0 || (code >= 0x2000 && code <= 0x200F) || code == 0xFEFF;
  if (!invisible) return code_quoted(text);
  std::string name = "U+";
  for (int shift = 12; shift >= 0; shift -= 4) name += "0123456789ABCDEF"[(code >> shift) & 15];
  return name;
}

}  // namespace

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 35> kKeywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return word.size() >= 2 && word.size() <= 8 && std::ranges::binary_search(kKeywords, word);
}

std::vector<Token> Lexer::run() {
  if (mode_ != LexMode::Field) {
    check_text();
    if (text_.substr(pos_).starts_with(kByteOrderMark)) pos_ += static_cast<uint32_t>(kByteOrderMark.size());
    at_line_start_ = true;
  }
  while (!stopped_) {
    if (at_line_start_) {
      start_line();
      at_line_start_ = false;
    } else if (!skip_blank()) {
      if (is_end()) break;
      lex_token();
    }
  }
  finish();
  return std::move(tokens_);
}

void Lexer::check_text() {
  ir::SourceRange start{file_, 0, 0};
  if (text_.size() > kMaxText) {
    diagnostics_.report(ir::DiagnosticId::TextTooLong, start);
    text_ = {};
    return;
  }
  if (size_t nul = text_.find('\0'); nul != text_.npos) {
    auto at = static_cast<uint32_t>(nul);
    diagnostics_.report(ir::DiagnosticId::NulByte, {file_, at, at + 1});
  }
  if (size_t bad = find_invalid_utf8(text_); bad != text_.npos) {
    auto at = static_cast<uint32_t>(bad);
    diagnostics_.report(ir::DiagnosticId::InvalidUtf8, {file_, at, at + 1});
  }
}

// Skips blank lines and comments up to the next logical line, and compares its indentation.
void Lexer::start_line() {
  while (!is_end()) {
    uint32_t line_begin = pos_;
    Indentation indentation = measure_indentation();
    if (peek() == '#') {
      while (!is_end() && !is_line_end(peek())) ++pos_;
    }
    if (is_end()) return;
    if (is_line_end(peek())) {
      ++pos_;
      continue;
    }
    apply_indentation(indentation, line_begin);
    return;
  }
}

Lexer::Indentation Lexer::measure_indentation() {
  Indentation at;
  for (;; ++pos_) {
    char c = peek();
    if (c == ' ') {
      ++at.column, ++at.narrow;
    } else if (c == '\t') {
      at.column = (at.column / 8 + 1) * 8, ++at.narrow;
    } else if (c == '\f') {
      at = {};
    } else {
      return at;
    }
  }
}

void Lexer::apply_indentation(Indentation indentation, uint32_t line_begin) {
  if (indents_.empty()) indents_.push_back(mode_ == LexMode::Block ? indentation : Indentation{});
  if (mode_ == LexMode::Block && indentation.column < indents_.front().column) {
    pos_ = line_begin;
    stopped_ = true;
    return;
  }
  bool tabs_agree = true;
  if (indentation.column > indents_.back().column) {
    tabs_agree = indentation.narrow > indents_.back().narrow;
    if (indents_.size() > kMaxIndents) {
      diagnostics_.report(ir::DiagnosticId::TooManyIndents, range(line_begin), {std::to_string(kMaxIndents)});
      emit(TokenKind::Error, line_begin);
      stopped_ = true;
      return;
    }
    indents_.push_back(indentation);
    emit(TokenKind::Indent, line_begin);
  } else {
    while (indents_.size() > 1 && indentation.column < indents_.back().column) {
      indents_.pop_back();
      emit(TokenKind::Dedent, pos_);
    }
    // Anything between two levels counts as the outer one; a file whose first statement is indented ends
    // up here too (the outermost level is never left), but as an Indent above.
    if (indentation.column != indents_.back().column) {
      diagnostics_.report(ir::DiagnosticId::InconsistentUnindent, range(line_begin));
    } else {
      tabs_agree = indentation.narrow == indents_.back().narrow;
    }
  }
  if (!tabs_agree) diagnostics_.report(ir::DiagnosticId::InconsistentTabs, range(line_begin));
}

// Skips what means nothing between two tokens; false if there was nothing to skip.
bool Lexer::skip_blank() {
  char c = peek();
  if (c == ' ' || c == '\t' || c == '\f') {
    ++pos_;
  } else if (c == '#') {
    while (!is_end() && !is_line_end(peek())) ++pos_;
  } else if (is_line_end(c)) {
    end_line();
  } else if (c == '\\') {
    continue_line();
  } else {
    return false;
  }
  return true;
}

void Lexer::continue_line() {
  uint32_t begin = pos_++;
  if (peek() == '\r' && peek(1) == '\n') ++pos_;
  if (is_line_end(peek()) || is_end()) {
    if (!is_end()) ++pos_;
    return;
  }
  diagnostics_.report(ir::DiagnosticId::LineContinuation, range(begin));
  emit(TokenKind::Error, begin);
}

void Lexer::end_line() {
  uint32_t begin = pos_;
  pos_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
  if (mode_ == LexMode::Field) return;
  if (brackets_.empty()) {
    emit(TokenKind::Newline, begin);
    at_line_start_ = true;
  } else if (recover_unclosed()) {
    at_line_start_ = true;
  }
}

// At the start of a line inside brackets: if the line can only be a new statement, the innermost bracket is
// reported and the lines are taken as ended. True if so.
bool Lexer::recover_unclosed() {
  uint32_t line = pos_;
  Indentation indentation = measure_indentation();
  uint32_t begin = pos_;
  while (is_identifier_part(static_cast<unsigned char>(peek()))) ++pos_;
  std::string_view word = text_.substr(begin, pos_ - begin);
  bool statement = begins_statement_only(word);
  // A decorator may be told from a matrix product by its place: at the margin of the statement.
  if (peek() == '@' && word.empty() && !indents_.empty())
    statement = indentation.column <= indents_.back().column &&
                is_identifier_start(static_cast<unsigned char>(peek(1)));
  pos_ = line;
  if (!statement) return false;
  const Bracket& bracket = brackets_.back();
  diagnostics_.report(ir::DiagnosticId::UnclosedBracket, {file_, bracket.pos, bracket.pos + 1},
                      {std::string(1, bracket.open)});
  brackets_.clear();
  emit(TokenKind::Error, line);
  emit(TokenKind::Newline, line);
  return true;
}

void Lexer::finish() {
  if (!stopped_ && !brackets_.empty() && mode_ != LexMode::Field) {
    const Bracket& bracket = brackets_.back();
    diagnostics_.report(ir::DiagnosticId::UnclosedBracket, {file_, bracket.pos, bracket.pos + 1},
                        {std::string(1, bracket.open)});
    emit(TokenKind::Error, pos_);
  }
  if (mode_ != LexMode::Field) {
    bool open_line = !tokens_.empty() && tokens_.back().kind != TokenKind::Newline &&
                     tokens_.back().kind != TokenKind::Indent && tokens_.back().kind != TokenKind::Dedent;
    if (open_line) emit(TokenKind::Newline, pos_);
    for (; indents_.size() > 1; indents_.pop_back()) emit(TokenKind::Dedent, pos_);
  }
  emit(TokenKind::End, pos_);
}

void Lexer::lex_token() {
  char c = peek();
  if (c == '(' || c == '[' || c == '{') return open_bracket();
  if (c == ')' || c == ']' || c == '}') return close_bracket();
  if (c == '"' || c == '\'') return lex_string(pos_);
  if ((c >= '0' && c <= '9') || (c == '.' && peek(1) >= '0' && peek(1) <= '9')) return lex_number();
  if (is_identifier_start(decode_utf8(text_, pos_).value)) return lex_name();
  if (size_t length = operator_length(text_.substr(pos_))) return lex_operator(length);
  unexpected();
}

void Lexer::lex_name() {
  uint32_t begin = pos_;
  while (!is_end()) {
    CodePoint code = decode_utf8(text_, pos_);
    if (!is_identifier_part(code.value)) break;
    pos_ += code.length;
  }
  std::string_view word = text_.substr(begin, pos_ - begin);
  if ((peek() == '"' || peek() == '\'') && parse_string_prefix(word).valid) return lex_string(begin);
  emit(is_keyword(word) ? TokenKind::Keyword : TokenKind::Name, begin);
}

void Lexer::lex_operator(size_t length) {
  uint32_t begin = pos_;
  pos_ += static_cast<uint32_t>(length);
  emit(TokenKind::Operator, begin);
}

void Lexer::open_bracket() {
  uint32_t begin = pos_;
  if (brackets_.size() >= kMaxBrackets && !too_many_brackets_) {
    too_many_brackets_ = true;
    diagnostics_.report(ir::DiagnosticId::TooManyBrackets, {file_, begin, begin + 1},
                        {std::to_string(kMaxBrackets)});
    emit(TokenKind::Error, begin);
  }
  brackets_.push_back({peek(), begin});
  ++pos_;
  emit(TokenKind::Operator, begin);
}

void Lexer::close_bracket() {
  uint32_t begin = pos_++;
  char close = text_[begin];
  std::string name(1, close);
  if (brackets_.empty()) {
    diagnostics_.report(ir::DiagnosticId::UnmatchedBracket, range(begin), {name});
    return emit(TokenKind::Error, begin);
  }
  Bracket bracket = brackets_.back();
  brackets_.pop_back();
  if (close != (bracket.open == '(' ? ')' : bracket.open == '[' ? ']' : '}')) {
    diagnostics_
        .report(ir::DiagnosticId::MismatchedBracket, range(begin), {name, std::string(1, bracket.open)})
        .label({file_, bracket.pos, bracket.pos + 1}, "opened here");
    return emit(TokenKind::Error, begin);
  }
  emit(TokenKind::Operator, begin);
}

// One Error token for a run of characters that begin nothing, with one report.
void Lexer::unexpected() {
  uint32_t begin = pos_;
  CodePoint first = decode_utf8(text_, pos_);
  // NUL bytes and malformed text: check_text(). U+FFFD itself is well formed.
  bool reported = first.value == 0 || (first.value == 0xFFFD && first.length == 1);
  while (!is_end() && is_stray(decode_utf8(text_, pos_).value)) pos_ += decode_utf8(text_, pos_).length;
  if (pos_ == begin) ++pos_;
  if (!reported) {
    ir::SourceRange place{file_, begin, begin + first.length};
    auto& diagnostic = diagnostics_.report(ir::DiagnosticId::UnexpectedCharacter, place,
                                           {character_name(first.value, text_.substr(begin, first.length))});
    if (first.value >= 0x2018 && first.value <= 0x201D)
      diagnostic.with_hint("strings are quoted with \" or '");
    if (first.value == 0xA0) diagnostic.with_hint("this is a no-break space; use a plain space");
    if (first.value == '!') diagnostic.with_hint("negation is written `not`");
  }
  emit(TokenKind::Error, begin);
}

std::vector<Token> lex(const ir::SourceMap& sources, uint32_t file, ir::Diagnostics& diagnostics) {
  auto end = static_cast<uint32_t>(sources.file(file).text.size());
  return Lexer(sources, file, 0, end, LexMode::File, diagnostics).run();
}

}  // namespace lanewise::frontend
