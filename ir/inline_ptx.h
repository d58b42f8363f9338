// The text of inline PTX: `%0`, `%1`, ... stand for the results and then the operands, `%%` is a percent
// sign.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/type.h"

namespace lanewise::ir {

// A register of PTX can hold it: 16, 32 or 64 bits.
constexpr bool is_ptx_value(Type type) { return (type.is_int() || type.is_float()) && type.bits >= 16; }

struct PtxPiece {
  std::string text;  // as it is
  int value = -1;    // the number of a result or an operand, if not negative
};
struct PtxTextError {
  std::string message;
};
// The pieces of a text for so many results and operands, of which each must be named.
std::variant<std::vector<PtxPiece>, PtxTextError> split_ptx(std::string_view text, size_t values);

}  // namespace lanewise::ir
