// Reading the text of inline PTX: what is left of it is ptxas' to judge.
#include "ir/inline_ptx.h"

#include <algorithm>

namespace lanewise::ir {

std::variant<std::vector<PtxPiece>, PtxTextError> split_ptx(std::string_view text, size_t values) {
  std::vector<PtxPiece> pieces;
  std::vector<bool> named(values);
  auto literal = [&](char c) {
    if (pieces.empty() || pieces.back().value >= 0) pieces.emplace_back();
    pieces.back().text += c;
  };
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') return PtxTextError{"the text holds a NUL character"};
    if (text[i] != '%') {
      literal(text[i]);
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '%') {
      literal(text[i++]);
      continue;
    }
    size_t end = i + 1, number = 0;
    while (end < text.size() && is_digit(text[end]) && number < 10'000)
      number = 10 * number + static_cast<size_t>(text[end++] - '0');
    if (end == i + 1) {
      size_t last = text.find_first_of(" \t\n,;()[]{}", i);
      std::string word(text.substr(i, std::min(last, text.size()) - i));
      return PtxTextError{"`" + word + "` names no operand; a register of the machine is written `%" + word +
                          "`"};
    }
    if (number >= values)
      return PtxTextError{"`" + std::string(text.substr(i, end - i)) + "` is beyond the " +
                          std::to_string(values) +
                          (values == 1 ? " result or operand" : " results and operands")};
    named[number] = true;
    pieces.push_back({"", static_cast<int>(number)});
    i = end - 1;
  }
  auto missing = std::ranges::find(named, false);
  if (missing != named.end())
    return PtxTextError{"`%" + std::to_string(missing - named.begin()) + "` is not in the text"};
  if (pieces.empty()) return PtxTextError{"the text is empty"};
  return pieces;
}

}  // namespace lanewise::ir
