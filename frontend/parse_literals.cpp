// The values of numbers and strings, and f-strings: their fields are tokenised and parsed in place, so that
// every range points into the file.
#include <algorithm>
#include <charconv>
#include <limits>

#include "frontend/parser.h"

namespace lanewise::frontend {
namespace {

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

// A decimal float as Python reads it: too large gives infinity, too small zero.
double parse_double(std::string_view text) {
  double value = 0;
  auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  // Infinity or zero: tell by the decimal exponent of the first digit that counts.
  size_t mantissa_end = std::min(text.find_first_of("eE"), text.size());
  long exponent = 0;
  if (mantissa_end < text.size()) {
    std::string_view digits = text.substr(mantissa_end + 1);
    bool negative = digits.starts_with('-');
    if (digits.starts_with('-') || digits.starts_with('+')) digits.remove_prefix(1);
    // More digits than fit are out of range whatever they are.
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc())
      exponent = 1L << 40;
    if (negative) exponent = -exponent;
  }
  std::string_view mantissa = text.substr(0, mantissa_end);
  auto point = static_cast<long>(std::min(mantissa.find('.'), mantissa.size()));
  size_t first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos) return 0;
  return point - static_cast<long>(first) + exponent > 0 ? std::numeric_limits<double>::infinity() : 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Offset of the quotes in a string token: its prefix has only letters.
uint32_t quote_offset(std::string_view text) { return static_cast<uint32_t>(text.find_first_of("\"'")); }

}  // namespace

// number: INT | FLOAT | IMAGINARY
ExprId Parser::parse_number() {
  Expr out{.kind = ExprKind::Int, .range = token().range};
  std::string digits = without_underscores(text());
  if (token().kind == TokenKind::Imaginary) {
    out.kind = ExprKind::Imaginary;
    digits.pop_back();
    out.float_value = parse_double(digits);
  } else if (token().kind == TokenKind::Float) {
    out.kind = ExprKind::Float;
    out.float_value = parse_double(digits);
  } else {
    char letter = digits.size() > 1 ? static_cast<char>(digits[1] | 0x20) : '0';
    int base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    const char* first = digits.data() + (base == 10 ? 0 : 2);
    auto result = std::from_chars(first, digits.data() + digits.size(), out.int_value, base);
    out.int_overflow = result.ec == std::errc::result_out_of_range;
    if (out.int_overflow) out.int_value = 0;
  }
  advance();
  return add(std::move(out));
}

// strings: (STRING | FSTRING)+      adjacent literals are one
ExprId Parser::parse_strings() {
  uint32_t from = begin();
  Expr out{.kind = ExprKind::String};
  for (bool first = true; at(Symbol::String); first = false) {
    SourceRange range = token().range;
    std::string_view spelled = text();
    StringPrefix prefix = parse_string_prefix(spelled.substr(0, quote_offset(spelled)));
    if (first && prefix.bytes) out.kind = ExprKind::Bytes;
    if (prefix.bytes != (out.kind == ExprKind::Bytes)) {
      fail(Id::InvalidEscape, range, {"bytes and text literals cannot be joined"});
      break;
    }
    bool formatted = token().kind == TokenKind::FString;
    if (formatted && out.kind == ExprKind::String) {
      out.kind = ExprKind::FString;
      if (!out.text.empty()) append_fstring_text(out, std::move(out.text), span(from));
      out.text.clear();
    }
    bool is_template =
        formatted && spelled.substr(0, quote_offset(spelled)).find_first_of("tT") != spelled.npos;
    // The cursor moves only afterwards: parse_field() puts its own tokens in the stream's place.
    if (formatted) {
      parse_fstring(range, out);
      if (is_template) out.text = "t";
    } else {
      parse_plain_string(range, out);
    }
    advance();
  }
  out.range = span(from);
  return add(std::move(out));
}

void Parser::parse_plain_string(SourceRange range, Expr& out) {
  std::string_view spelled = sources_.text(range);
  uint32_t quote = quote_offset(spelled);
  StringPrefix prefix = parse_string_prefix(spelled.substr(0, quote));
  uint32_t quotes = quote_length(spelled, quote);
  SourceRange body{range.file, range.begin + quote + quotes, range.end - quotes};
  std::string value = unescape(body, prefix.raw, prefix.bytes, false);
  if (out.kind == ExprKind::FString) {
    append_fstring_text(out, std::move(value), range);
  } else {
    out.text += value;
  }
}

void Parser::append_fstring_text(Expr& out, std::string value, SourceRange range) {
  if (value.empty()) return;
  if (!out.children.empty()) {
    Expr& last = ast_.exprs[out.children.back()];
    if (last.kind == ExprKind::String && out.keywords.back() == "text") {
      last.text += value;
      last.range.end = range.end;
      return;
    }
  }
  out.children.push_back(add({.kind = ExprKind::String, .range = range, .text = std::move(value)}));
  out.keywords.emplace_back("text");
}

void Parser::parse_fstring(SourceRange range, Expr& out) {
  std::string_view spelled = sources_.text(range);
  StringPrefix prefix = parse_string_prefix(spelled.substr(0, quote_offset(spelled)));
  std::vector<FStringPiece> pieces;
  std::string_view all = std::string_view(sources_.file(range.file).text).substr(0, range.end);
  scan_fstring(all, range.begin + quote_offset(spelled), false, &pieces);
  for (const FStringPiece& piece : pieces) {
    if (failed_) return;
    if (piece.field) {
      parse_field(piece, out);
    } else {
      SourceRange literal{range.file, piece.begin, piece.end};
      append_fstring_text(out, unescape(literal, prefix.raw, false, true), literal);
    }
  }
}

// field: '{' (yield_expression | expression_list) ['='] ['!' NAME] [':' format] '}'
void Parser::parse_field(const FStringPiece& piece, Expr& out) {
  Nesting nesting(*this);
  if (failed_) return;
  std::string_view all = sources_.file(ast_.file).text;
  std::string_view expression = all.substr(piece.begin, piece.end - piece.begin);
  size_t last = expression.find_last_not_of(" \t\r\n\f");
  if (last == expression.npos) {
    fail(Id::InvalidFString, {ast_.file, piece.begin - 1, piece.spec_end + 1},
         {"an expression is missing between the braces"});
    return;
  }
  std::string spec(all.substr(piece.end, piece.spec_end - piece.end));
  if (spec.starts_with('!') &&
      (spec.size() < 2 || std::string_view("rsa").find(spec[1]) == std::string_view::npos ||
       (spec.size() > 2 && spec[2] != ':'))) {
    fail(Id::InvalidFString, {ast_.file, piece.end, piece.spec_end}, {"conversions are `!r`, `!s` and `!a`"});
    return;
  }
  uint32_t end = piece.end;
  bool shows_itself =
      expression[last] == '=' &&
      (last == 0 || std::string_view("=!<>").find(expression[last - 1]) == std::string_view::npos);
  if (shows_itself) {
    end = piece.begin + static_cast<uint32_t>(last);
    append_fstring_text(out, std::string(expression), {ast_.file, piece.begin, piece.end});
    if (spec.empty()) spec = "!r";
  }
  Stream outer = std::move(stream_);
  uint32_t outer_end = last_end_;
  stream_ = make_stream(Lexer(sources_, ast_.file, piece.begin, end, LexMode::Field, diagnostics_).run());
  symbol_ = stream_.symbols.front();
  ExprId value = parse_assigned_value();
  if (!failed_ && !at(Symbol::End)) fail_expected("`}`");
  stream_ = std::move(outer);
  last_end_ = outer_end;
  if (!failed_) symbol_ = stream_.symbols[stream_.pos];
  out.children.push_back(value);
  out.keywords.push_back(std::move(spec));
}

// The value of a string's body. Escapes Python does not know stay as they are, with their backslash.
std::string Parser::unescape(SourceRange range, bool raw, bool bytes, bool formatted) {
  std::string_view body = sources_.text(range);
  std::string out;
  out.reserve(body.size());
  for (size_t at = 0; at < body.size();) {
    char c = body[at];
    if (c == '\\' && !raw && at + 1 < body.size()) {
      at = unescape_one(body, at + 1, bytes, range, out);
    } else if (c == '\r') {  // line ends are `\n` in values, whatever they are in the file
      at += body.substr(at).starts_with("\r\n") ? 2 : 1;
      out += '\n';
    } else if (formatted && (c == '{' || c == '}')) {
      if (at + 1 >= body.size() || body[at + 1] != c) {
        auto place = range.begin + static_cast<uint32_t>(at);
        fail(Id::InvalidFString, {range.file, place, place + 1},
             {"a single `}` in an f-string is written `}}`"});
        return out;
      }
      out += c;
      at += 2;
    } else if (bytes && static_cast<unsigned char>(c) >= 0x80) {
      auto place = range.begin + static_cast<uint32_t>(at);
      fail(Id::InvalidEscape, {range.file, place, place + 1},
           {"bytes hold ASCII characters; write others as `\\x..`"});
      return out;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

// Appends the character of the escape whose letter is at `at`; returns the offset past it.
size_t Parser::unescape_one(std::string_view body, size_t at, bool bytes, SourceRange range,
                            std::string& out) {
  char c = body[at];
  static constexpr std::string_view kLetters = "\\'\"abfnrtv", kValues = "\\'\"\a\b\f\n\r\t\v";
  if (size_t known = kLetters.find(c); known != kLetters.npos) {
    out += kValues[known];
    return at + 1;
  }
  if (c == '\n') return at + 1;
  if (c == '\r') return at + (body.substr(at).starts_with("\r\n") ? 2 : 1);
  auto put = [&](char32_t code) {
    if (bytes) {
      out += static_cast<char>(code);
    } else {
      append_utf8(out, code);
    }
  };
  if (c >= '0' && c <= '7') {
    char32_t code = 0;
    size_t end = std::min(at + 3, body.size());
    for (; at < end && body[at] >= '0' && body[at] <= '7'; ++at)
      code = code * 8 + static_cast<char32_t>(body[at] - '0');
    put(code);
    return at;
  }
  size_t digits = c == 'x' ? 2 : bytes ? 0 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits > 0) {
    char32_t code = 0;
    size_t count = 0;
    for (; count < digits && at + 1 + count < body.size() && hex_digit(body[at + 1 + count]) >= 0; ++count)
      code = code * 16 + static_cast<char32_t>(hex_digit(body[at + 1 + count]));
    if (count < digits || code > 0x10FFFF) {
      auto place = range.begin + static_cast<uint32_t>(at) - 1;
      std::string shown(body.substr(at - 1, 2 + count));
      fail(Id::InvalidEscape, {range.file, place, place + 2 + static_cast<uint32_t>(count)},
           {count < digits ? code_quoted(shown) + " needs " + std::to_string(digits) + " hexadecimal digits"
                           : code_quoted(shown) + " is no Unicode character"});
      return at + 1 + count;
    }
    put(code >= 0xD800 && code <= 0xDFFF ? 0xFFFD : code);  // UTF-8 has no lone surrogates
    return at + 1 + digits;
  }
  // \N{NAME}: there is no table of names here; nothing in a kernel can tell.
  if (c == 'N' && !bytes && body.substr(at).starts_with("N{") && body.find('}', at) != body.npos) {
    append_utf8(out, 0xFFFD);
    return body.find('}', at) + 1;
  }
  out += '\\';
  return at;
}

}  // namespace lanewise::frontend
