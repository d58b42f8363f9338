// From a field of a message to what CUDA's printf is told: shared by PTX and CUDA C++. What Python's format()
// has and C's printf has not is refused.
#pragma once
#include <string>
#include <string_view>

#include "ir/type.h"

namespace lanewise::codegen {

inline constexpr size_t kMostPrinted = 32;  // values of one call

struct PrintField {
  // Text: "True" or "False". Integer: 64 bits, signed or not as the type. Float: a double. BareFloat: one
  // with as many digits as survive any rounding, and a second text, ".0", if it is whole.
  enum Kind { Text, Integer, Float, BareFloat } kind = Integer;
  bool sign_apart = false;  // of an integer: the text "-" or "" first, then the magnitude
  std::string format;
  const char* whole_below = "";  // BareFloat: up to where whole numbers show their digits
};

// Throws TargetError, naming the kernel, for a spec that printf does not have.
PrintField print_field(const std::string& kernel, const std::string& spec, ir::Type type);
// Text in a format.
std::string print_text(std::string_view text);

}  // namespace lanewise::codegen
