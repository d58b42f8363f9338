// What print.cpp, parse.cpp and verify.cpp share of the IR text form. Private to ir/.
#pragma once
#include <string>

#include "ir/function.h"

namespace lanewise::ir {

// Regions may be nested this deep: the parser refuses more, the verifier too, so that every walk over the
// tree may recurse.
inline constexpr unsigned kMaxRegionDepth = 1000;

// The characters of a plain name. Bytes above 127 belong to UTF-8 identifiers.
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}

// One op without the contents of its regions, on one line: for messages.
std::string print_op(const Function& function, const Module& module, OpId op);

}  // namespace lanewise::ir
