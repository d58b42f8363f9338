// Numbers and plain strings, as tokens: their extent and whether they are well formed. Their values are the
// parser's task (parse_literals.cpp).
#include <algorithm>

#include "frontend/lexer.h"

namespace lanewise::frontend {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Python lets these follow a number without a space: `1if x else y`.
bool may_follow_number(std::string_view word) {
  return word == "and" || word == "else" || word == "for" || word == "if" || word == "in" || word == "is" ||
         word == "not" || word == "or";
}

}  // namespace

// Digits with single underscores between them. `problem` is set if an underscore is misplaced.
std::string_view Lexer::scan_digits(std::string_view digits, const char*& problem) {
  uint32_t begin = pos_;
  auto is_one = [&](char c) { return c != '\0' && digits.find(c) != digits.npos; };
  while (is_one(peek()) || (peek() == '_' && pos_ > begin)) {
    if (peek() == '_' && !is_one(peek(1))) problem = "a `_` must stand between digits";
    ++pos_;
  }
  return text_.substr(begin, pos_ - begin);
}

void Lexer::lex_number() {
  static constexpr std::string_view kDecimal = "0123456789";
  uint32_t begin = pos_;
  const char* problem = nullptr;
  TokenKind kind = TokenKind::Int;
  char base = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    pos_ += peek(2) == '_' ? 3 : 2;
    std::string_view all = base == 'x' ? "0123456789abcdefABCDEF" : base == 'o' ? "01234567" : "01";
    if (scan_digits(all, problem).empty()) problem = "it has no digits";
    if (is_digit(peek()) && !problem)
      problem = base == 'o' ? "octal digits are 0 to 7" : "binary digits are 0 and 1";
  } else {
    std::string_view integer = scan_digits(kDecimal, problem);
    bool leading_zero =
        integer.size() > 1 && integer[0] == '0' && integer.find_first_not_of("0_") != integer.npos;
    if (peek() == '.') {
      ++pos_;
      kind = TokenKind::Float;
      scan_digits(kDecimal, problem);
    }
    if ((peek() | 0x20) == 'e') {
      uint32_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        pos_ += 1 + sign;
        kind = TokenKind::Float;
        scan_digits(kDecimal, problem);
      }
    }
    if ((peek() | 0x20) == 'j') {
      ++pos_;
      kind = TokenKind::Imaginary;
    }
    if (kind == TokenKind::Int && leading_zero && !problem)
      problem = "a decimal number does not begin with 0; octal numbers begin with 0o";
  }
  uint32_t number_end = pos_;
  while (!is_end() && is_identifier_part(decode_utf8(text_, pos_).value))
    pos_ += decode_utf8(text_, pos_).length;
  if (may_follow_number(text_.substr(number_end, pos_ - number_end))) {
    pos_ = number_end;
  } else if (pos_ > number_end && !problem) {
    problem =
        (text_[number_end] | 0x20) == 'e' ? "the exponent has no digits" : "a letter follows its digits";
  }
  if (problem) {
    std::string shown(text_.substr(begin, std::min<uint32_t>(pos_ - begin, 40)));
    diagnostics_.report(ir::DiagnosticId::InvalidNumber, range(begin), {shown, problem});
    kind = TokenKind::Error;
  }
  emit(kind, begin);
}

// `begin` is where the prefix starts; pos_ is at the opening quote.
void Lexer::lex_string(uint32_t begin) {
  StringPrefix prefix = parse_string_prefix(text_.substr(begin, pos_ - begin));
  std::optional<uint32_t> end =
      prefix.formatted ? scan_fstring(text_, pos_, single_line_fstrings_, nullptr) : scan_string(text_, pos_);
  if (end) {
    pos_ = *end;
    return emit(prefix.formatted ? TokenKind::FString : TokenKind::String, begin);
  }
  // An open triple-quoted string takes the rest of the text, as in Python; any other one its line.
  bool tripled = quote_length(text_, pos_) == 3;
  if (prefix.formatted) single_line_fstrings_ = true;
  ir::SourceRange opening{file_, begin, pos_ + (tripled ? 3u : 1u)};
  diagnostics_.report(ir::DiagnosticId::UnterminatedString, opening,
                      {prefix.formatted ? "this f-string"
                       : tripled        ? "this triple-quoted string"
                                        : "this string"});
  size_t line_end = tripled ? text_.npos : text_.find_first_of("\r\n", pos_);
  pos_ = static_cast<uint32_t>(std::min(line_end, text_.size()));
  emit(TokenKind::Error, begin);
}

StringPrefix parse_string_prefix(std::string_view letters) {
  StringPrefix prefix;
  if (letters.size() > 2) return prefix;
  bool unicode = false;
  for (char letter : letters) {
    char c = static_cast<char>(letter | 0x20);
    bool* flag = c == 'r'               ? &prefix.raw
                 : c == 'b'             ? &prefix.bytes
                 : c == 'f' || c == 't' ? &prefix.formatted
                 : c == 'u'             ? &unicode
                                        : nullptr;
    if (!flag || *flag) return prefix;
    *flag = true;
  }
  bool clash = (prefix.bytes && prefix.formatted) || (unicode && letters.size() > 1);
  prefix.valid = !clash;
  return prefix;
}

uint32_t quote_length(std::string_view text, uint32_t pos) {
  char quote = text[pos];
  return pos + 2 < text.size() && text[pos + 1] == quote && text[pos + 2] == quote ? 3 : 1;
}

std::optional<uint32_t> scan_string(std::string_view text, uint32_t pos) {
  std::string_view quotes = text.substr(pos, quote_length(text, pos));
  for (size_t at = pos + quotes.size(); at < text.size(); ++at) {
    char c = text[at];
    if (c == '\\') {
      ++at;
      if (at + 1 < text.size() && text[at] == '\r' && text[at + 1] == '\n') ++at;
    } else if ((c == '\n' || c == '\r') && quotes.size() == 1) {
      return std::nullopt;
    } else if (c == quotes[0] && text.substr(at).starts_with(quotes)) {
      return static_cast<uint32_t>(at + quotes.size());
    }
  }
  return std::nullopt;
}

}  // namespace lanewise::frontend
