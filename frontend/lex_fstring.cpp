// Where an f-string ends and what its pieces are. Fields hold any expression, with strings and f-strings of
// the same quotes inside (Python 3.12's grammar, of which the older one is a part). A stack of open
// f-strings and fields stands in for recursion.
#include "frontend/lexer.h"

namespace lanewise::frontend {
namespace {

constexpr size_t kMaxOpen = 300;  // CPython allows 150 nested f-strings

class FStringScanner {
 public:
  FStringScanner(std::string_view text, uint32_t pos, bool single_line, std::vector<FStringPiece>* pieces)
      : text_(text), pos_(pos), pieces_(pieces) {
    if (single_line && quote_length(text, pos) == 1) text_ = text.substr(0, text.find_first_of("\r\n", pos));
  }

  std::optional<uint32_t> run() {
    open_string(pos_);
    while (!stack_.empty()) {
      if (pos_ >= text_.size() || stack_.size() > kMaxOpen) return std::nullopt;
      bool good = stack_.back().field ? step_field() : step_literal();
      if (!good) return std::nullopt;
    }
    return pos_;
  }

 private:
  struct Open {
    bool field = false;  // else literal text, of the string itself or of a format spec
    bool spec = false;   // literal text of a format spec
    bool raw = false;
    std::string_view quotes;
    uint32_t brackets = 0;  // field: open brackets
    uint32_t begin = 0;     // where the literal text or the field's expression begins
  };

  void open_string(uint32_t pos) {
    size_t letters = pos;
    while (letters > 0 && pos - letters < 2 &&
           is_identifier_start(static_cast<unsigned char>(text_[letters - 1])))
      --letters;
    bool raw = text_.substr(letters, pos - letters).find_first_of("rR") != std::string_view::npos;
    std::string_view quotes = text_.substr(pos, quote_length(text_, pos));
    pos_ = pos + static_cast<uint32_t>(quotes.size());
    stack_.push_back({.raw = raw, .quotes = quotes, .begin = pos_});
  }

  bool outermost_text() const { return stack_.size() == 1; }
  bool outermost_field() const { return stack_.size() == 2; }

  void add_literal(uint32_t end) {
    const Open& top = stack_.back();
    if (pieces_ && outermost_text() && end > top.begin)
      pieces_->push_back({.begin = top.begin, .end = end, .spec_end = end});
  }

  // One step in literal text: a character, an escape, a brace, or the closing quotes.
  bool step_literal() {
    Open& top = stack_.back();
    char c = text_[pos_];
    if ((c == '\n' || c == '\r') && top.quotes.size() == 1) return false;
    if (c == top.quotes[0] && text_.substr(pos_).starts_with(top.quotes)) {
      if (top.spec) return false;  // the field is still open
      add_literal(pos_);
      pos_ += static_cast<uint32_t>(top.quotes.size());
      stack_.pop_back();
      return true;
    }
    if (c == '\\') {
      // `\{` is a backslash and a field; `\N{...}` names a character.
      bool named = !top.raw && text_.substr(pos_).starts_with("\\N{");
      if (named) {
        size_t end = text_.find_first_of("}\n", pos_);
        if (end == text_.npos) return false;
        pos_ = static_cast<uint32_t>(end) + (text_[end] == '}' ? 1 : 0);
        return true;
      }
      char next = pos_ + 1 < text_.size() ? text_[pos_ + 1] : '\0';
      if (next == '\r' && text_.substr(pos_ + 1).starts_with("\r\n")) ++pos_;
      pos_ += next == '{' || next == '}' ? 1 : 2;
      return true;
    }
    if (c == '}' && top.spec) {
      ++pos_;
      stack_.pop_back();  // the spec, then its field
      close_field(pos_ - 1);
      return true;
    }
    bool doubled = pos_ + 1 < text_.size() && text_[pos_ + 1] == c;
    if (c == '{' && !(doubled && !top.spec)) {
      add_literal(pos_);
      ++pos_;
      Open field{.field = true, .raw = top.raw, .quotes = top.quotes, .begin = pos_};
      if (pieces_ && outermost_text()) pieces_->push_back({.field = true, .begin = pos_});
      stack_.push_back(field);
      return true;
    }
    pos_ += doubled && (c == '{' || c == '}') ? 2 : 1;
    return true;
  }

  void end_expression(uint32_t end) {
    if (pieces_ && outermost_field()) pieces_->back().end = end;
    stack_.back().begin = UINT32_MAX;  // the expression is complete: only `}` or a spec may follow
  }

  void close_field(uint32_t end) {
    if (pieces_ && outermost_field()) pieces_->back().spec_end = end;
    stack_.pop_back();
    stack_.back().begin = pos_;
  }

  // One step in a field's expression: a string, a comment, a bracket, or the end of the expression.
  bool step_field() {
    Open& top = stack_.back();
    char c = text_[pos_];
    if (c == '"' || c == '\'') return step_string();
    if (c == '#') {
      size_t end = text_.find_first_of("\r\n", pos_);
      if (end == text_.npos) return false;
      pos_ = static_cast<uint32_t>(end);
      return true;
    }
    if (c == '(' || c == '[' || c == '{') {
      ++top.brackets;
    } else if (top.brackets > 0) {
      if (c == ')' || c == ']' || c == '}') --top.brackets;
    } else if (c == '}') {
      if (top.begin != UINT32_MAX) end_expression(pos_);
      ++pos_;
      close_field(pos_ - 1);
      return true;
    } else if (c == ':') {
      if (top.begin != UINT32_MAX) end_expression(pos_);
      ++pos_;
      Open spec{.spec = true, .raw = top.raw, .quotes = top.quotes, .begin = pos_};
      stack_.push_back(spec);
      return true;
    } else if (c == '!' && !text_.substr(pos_).starts_with("!=") && top.begin != UINT32_MAX) {
      end_expression(pos_);
    } else if (c == '!' && text_.substr(pos_).starts_with("!=")) {
      ++pos_;
    }
    ++pos_;
    return true;
  }

  // A string inside a field: skipped if plain, opened if it is an f-string itself.
  bool step_string() {
    size_t letters = pos_;
    while (letters > stack_.back().begin && stack_.back().begin != UINT32_MAX && pos_ - letters < 3 &&
           is_identifier_part(static_cast<unsigned char>(text_[letters - 1])))
      --letters;
    StringPrefix prefix = parse_string_prefix(text_.substr(letters, pos_ - letters));
    if (prefix.valid && prefix.formatted) {
      open_string(pos_);
      return true;
    }
    std::optional<uint32_t> end = scan_string(text_, pos_);
    if (!end) return false;
    pos_ = *end;
    return true;
  }

  std::string_view text_;
  uint32_t pos_;
  std::vector<FStringPiece>* pieces_;
  std::vector<Open> stack_;
};

}  // namespace

std::optional<uint32_t> scan_fstring(std::string_view text, uint32_t pos, bool single_line,
                                     std::vector<FStringPiece>* pieces) {
  return FStringScanner(text, pos, single_line, pieces).run();
}

}  // namespace lanewise::frontend
