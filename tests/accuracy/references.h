// What the elementary functions are worth, from a type with at least twice the precision: the C library's
// double for float16 and float32, libquadmath's 113 bits for float64. In: exact operands. Out: within a unit
// in the last place of the wide type.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace accuracy {

using Quad = __float128;

// An elementary function: one of ops.def, or one that the kernel language's library is made of.
struct Function {
  std::string_view op;                                  // "sin"
  std::string_view in_float16, in_float32, in_float64;  // "math.sin"; empty where a type has none
  int operands;                                         // 1 or 2
  bool integer_second;                                  // ldexp(x, n)
};
const std::vector<Function>& functions();

double reference(std::string_view op, double x, double y);
Quad reference(std::string_view op, Quad x, Quad y);

}  // namespace accuracy
