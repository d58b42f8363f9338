// Canonical immediates: see literal.h.
#include "ir/literal.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "ir/error.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir {
namespace {

// Eleven bits of significand, exponents from -14 to 15, subnormals in steps of 2**-24.
double round_half(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  (void)std::frexp(value, &exponent);  // |value| is in [2**(exponent-1), 2**exponent)
  int step = std::max(exponent - 11, -24);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  if (std::fabs(rounded) > 65504.0) return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

// The shortest decimal that reads back as this double.
std::string shortest_decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  double magnitude = std::fabs(value);
  bool fixed = value == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char buffer[40];
  auto format = fixed ? std::chars_format::fixed : std::chars_format::scientific;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

}  // namespace

std::string shortest_decimal(double value, Type type) {
  if (type == kF64 || !type.is_float() || !std::isfinite(value)) return shortest_decimal(value);
  for (int digits = 1; digits <= 17; ++digits) {
    char buffer[40];
    char* end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
    double shorter = 0;
    std::from_chars(buffer, end, shorter);
    if (round_float(type, shorter) == value) return shortest_decimal(shorter);
  }
  return shortest_decimal(value);
}

int64_t wrap_int(Type type, int64_t value) {
  if (type.is_bool()) return value & 1;
  LANEWISE_CHECK(type.is_int() && type.bits >= 8 && type.bits <= 64, "an integer literal of another type");
  auto bits = static_cast<uint64_t>(value);
  unsigned unused = 64u - type.bits;
  if (type.is_signed()) return static_cast<int64_t>(bits << unused) >> unused;
  return static_cast<int64_t>(bits << unused >> unused);
}

double round_float(Type type, double value) {
  if (type == kF64) return value;
  if (type == kF32) return static_cast<double>(static_cast<float>(value));
  if (type == kBF16) return float_value(float_bits(value, type), type);
  LANEWISE_CHECK(type == kF16, "a float literal of another type");
  return round_half(value);
}

Immediate literal(Type type, Immediate value) {
  if (type.is_float()) {
    if (auto* integer = std::get_if<int64_t>(&value)) return round_float(type, static_cast<double>(*integer));
    LANEWISE_CHECK(std::holds_alternative<double>(value), "a literal without a value");
    return round_float(type, std::get<double>(value));
  }
  LANEWISE_CHECK(std::holds_alternative<int64_t>(value), "an integer literal without an integer");
  return wrap_int(type, std::get<int64_t>(value));
}

bool is_literal(Type type, const Immediate& value) {
  if (type.is_float()) {
    auto* number = std::get_if<double>(&value);
    if (!number) return false;
    return std::isnan(*number) ||
           std::bit_cast<uint64_t>(round_float(type, *number)) == std::bit_cast<uint64_t>(*number);
  }
  auto* number = std::get_if<int64_t>(&value);
  return number && (type.is_int() || type.is_bool()) && wrap_int(type, *number) == *number;
}

}  // namespace lanewise::ir
