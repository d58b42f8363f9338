// The tokenizer's own header: what lex(), the parser and the f-string splitter share. The public entry is
// lex() in frontend.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.h"

namespace lanewise::frontend {

// Deeper nesting of brackets is refused, as in CPython; the parser allows the same depth of syntax.
inline constexpr uint32_t kMaxBrackets = 200;
inline constexpr uint32_t kMaxIndents = 100;

enum class LexMode : uint8_t {
  File,   // a whole file: the base indentation is none
  Block,  // the first line sets the base indentation; the first logical line to the left of it ends the text
  Field,  // the expression of an f-string's replacement field: line ends mean nothing
};

// Turns [begin, end) of one file into tokens, without recursion and in linear time.
class Lexer {
 public:
  Lexer(const ir::SourceMap& sources, uint32_t file, uint32_t begin, uint32_t end, LexMode mode,
        ir::Diagnostics& diagnostics)
      : text_(std::string_view(sources.file(file).text).substr(0, end)),
        file_(file),
        pos_(begin),
        mode_(mode),
        diagnostics_(diagnostics) {}
  std::vector<Token> run();

 private:
  // Columns of a line's first character, tabs to multiples of 8 and tabs as one: Python accepts a
  // comparison of two indentations only if both agree.
  struct Indentation {
    uint32_t column = 0, narrow = 0;
  };
  struct Bracket {
    char open;
    uint32_t pos;
  };

  // lex.cpp: lines, indentation, brackets
  void check_text();
  void start_line();
  Indentation measure_indentation();
  void apply_indentation(Indentation indentation, uint32_t line_begin);
  bool skip_blank();
  void continue_line();
  void end_line();
  bool recover_unclosed();
  void finish();
  void lex_token();
  void lex_name();
  void lex_operator(size_t length);
  void open_bracket();
  void close_bracket();
  void unexpected();

  // lex_literals.cpp
  void lex_number();
  std::string_view scan_digits(std::string_view digits, const char*& problem);
  void lex_string(uint32_t begin);

  // 0 past the end: the same as a NUL byte of the text, which is_end() tells apart.
  char peek(uint32_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  bool is_end() const { return pos_ >= text_.size(); }
  ir::SourceRange range(uint32_t begin) const { return {file_, begin, pos_}; }
  void emit(TokenKind kind, uint32_t begin) { tokens_.push_back({kind, range(begin)}); }

  std::string_view text_;
  uint32_t file_;
  uint32_t pos_;
  LexMode mode_;
  ir::Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<Indentation> indents_;
  std::vector<Bracket> brackets_;
  bool at_line_start_ = false;
  bool stopped_ = false;
  bool too_many_brackets_ = false;     // reported once
  bool single_line_fstrings_ = false;  // an f-string ran to the end of the text: do not try that again
};

// One Unicode code point of `text` at `pos`, and its length in bytes (1 and U+FFFD where it is malformed).
struct CodePoint {
  char32_t value = 0xFFFD;
  uint32_t length = 1;
};
CodePoint decode_utf8(std::string_view text, size_t pos);
void append_utf8(std::string& out, char32_t code);
// Offset of the first malformed byte, npos if there is none.
size_t find_invalid_utf8(std::string_view text);
// Whether the code point may stand in an identifier: ASCII exactly, beyond it everything but symbols,
// punctuation, spaces and unassigned planes.
bool is_identifier_start(char32_t code);
bool is_identifier_part(char32_t code);
// Where the name holds a letter that Python replaces by others (its normal form NFKC), `ﬁ` by `fi`; npos if
// nowhere.
size_t find_compatibility_letter(std::string_view name);

// As messages show program text: between backquotes.
inline std::string code_quoted(std::string_view text) {
  std::string out(1, '`');
  out.append(text);
  out += '`';
  return out;
}

bool is_keyword(std::string_view word);

// What stands before a string's quotes.
struct StringPrefix {
  bool valid = false, raw = false, bytes = false, formatted = false;
};
StringPrefix parse_string_prefix(std::string_view letters);
// Offset past the closing quotes of the plain string whose opening quote is at `pos`; nullopt if it is not
// closed (in its line, unless tripled).
std::optional<uint32_t> scan_string(std::string_view text, uint32_t pos);
// Length of the quotes at `pos`: 3 or 1.
uint32_t quote_length(std::string_view text, uint32_t pos);

// A part of an f-string: literal text [begin, end), or a replacement field whose expression is [begin, end)
// and whose conversion and format spec are [end, spec_end) with the leading `!` or `:`.
struct FStringPiece {
  bool field = false;
  uint32_t begin = 0, end = 0, spec_end = 0;
};
// Offset past the closing quotes of the f-string whose opening quote is at `pos`, fields, nested strings and
// nested f-strings included; nullopt if it is not closed (`single_line`: in this line, unless tripled).
// Appends its outermost pieces to `pieces` unless that is null.
std::optional<uint32_t> scan_fstring(std::string_view text, uint32_t pos, bool single_line,
                                     std::vector<FStringPiece>* pieces);

}  // namespace lanewise::frontend
