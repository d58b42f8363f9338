// The texts of Print and Report: messages with fields, and values as Python's format() writes them. What the
// interpreter and the CPU print; CUDA's printf comes as near as it can (codegen/nvptx/lower_output.cpp).
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/type.h"

namespace lanewise::ir {

// A piece of Message::format: text, or a field with its format spec.
struct FormatPiece {
  bool field = false;
  std::string text, spec;
};
// nullopt if the braces do not match.
std::optional<std::vector<FormatPiece>> split_format(std::string_view format);
// Text as it stands in a Message: braces doubled.
std::string escape_format(std::string_view text);

// [[fill]align][sign][#][0][width][grouping][.precision][type]
struct FormatSpec {
  std::string fill = " ";  // one character, UTF-8
  char align = 0;          // < > ^ =, 0 if not given
  char sign = '-';         // + - or a space
  bool alternate = false, zero = false;
  int width = 0;
  char grouping = 0;   // , or _
  int precision = -1;  // -1 if not given
  // 0 if not given. Beyond Python's, `r`: the shortest digits as with 0, but no `.0` after whole numbers, as
  // Python shows the parts of complex numbers.
  char type = 0;
  bool plain() const;  // nothing given at all
};
inline constexpr int kMaxFormatWidth = 1000;  // of width and precision
std::optional<FormatSpec> parse_format_spec(std::string_view text);

// Whether Python's format() takes the spec for such a value (a bool with a spec is an int, as in Python).
// `why` gets what is wrong, to follow "the format `...`".
bool can_format(Type type, std::string_view spec, std::string* why = nullptr);
// `scalar` as in ir::Scalar: integers extended to 64 bits, floats as doubles.
std::string format_value(Type type, uint64_t scalar, const FormatSpec& spec);
// repr() of a string: quotes and escapes as Python writes them.
std::string text_literal(std::string_view text);
std::string format_text(std::string_view text, const FormatSpec& spec);

}  // namespace lanewise::ir
