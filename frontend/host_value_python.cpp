// Python's own arithmetic on bool, int and float: ints exactly, as far as 64 bits go; floats as IEEE doubles
// with Python's rules for `//`, `%` and `**`.
#include <cmath>

#include "frontend/host_numbers.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

using UWide = unsigned __int128;

std::optional<HostValue> checked_int(Wide value) {
  if (!fits(value, ir::kI64) && !fits(value, ir::kU64)) return std::nullopt;
  return make_int(value);
}

// The double nearest to a / b, as Python's true division rounds: once.
double divide_exactly(Wide a, Wide b) {
  bool negative = (a < 0) != (b < 0);
  UWide n = static_cast<UWide>(a < 0 ? -a : a), d = static_cast<UWide>(b < 0 ? -b : b);
  if (n == 0) return 0;
  // Scaled so that the quotient has at least 62 bits; what is left over only matters as "not zero".
  int shift = 0;
  for (; (n >> 126) == 0; n <<= 1) ++shift;
  UWide quotient = n / d;
  if (n % d != 0) quotient |= 1;
  double value = std::ldexp(static_cast<double>(quotient), -shift);
  return negative ? -value : value;
}

Wide floor_div(Wide a, Wide b) {
  Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<Wide> wide_power(Wide base, Wide exponent) {
  if (exponent < 0) return std::nullopt;  // a float in Python
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent > 127) return std::nullopt;
  Wide result = 1;
  for (Wide i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  return result;
}

std::optional<Wide> wide_shift(Operator op, Wide a, Wide count) {
  if (count < 0) return std::nullopt;
  if (op == Operator::Shr) return count > 126 ? (a < 0 ? -1 : 0) : a >> static_cast<int>(count);
  if (a == 0) return 0;
  Wide result;
  if (count > 126 || __builtin_mul_overflow(a, Wide{1} << static_cast<int>(count), &result))
    return std::nullopt;
  return result;
}

std::optional<HostValue> int_binary(Operator op, Wide a, Wide b) {
  if (op == Operator::Div) {
    if (b == 0) return std::nullopt;
    return HostValue{divide_exactly(a, b)};
  }
  if (op == Operator::Pow && b < 0) {
    if (a == 0) return std::nullopt;
    return HostValue{std::pow(static_cast<double>(a), static_cast<double>(b))};
  }
  std::optional<Wide> value = wide_binary(op, a, b);
  return value ? checked_int(*value) : std::nullopt;
}

// Python's float `//` and `%`: the remainder has the divisor's sign, and a == (a // b) * b + a % b.
struct Division {
  double quotient, remainder;
};
Division float_divmod(double a, double b) {
  double remainder = std::fmod(a, b);
  double quotient = (a - remainder) / b;
  if (remainder != 0) {
    if ((b < 0) != (remainder < 0)) remainder += b, quotient -= 1;
  } else {
    remainder = std::copysign(0.0, b);
  }
  if (quotient == 0) return {std::copysign(0.0, a / b), remainder};
  double floored = std::floor(quotient);
  if (quotient - floored > 0.5) floored += 1;
  return {floored, remainder};
}

std::optional<HostValue> float_power(double a, double b) {
  if (a == 0 && b < 0) return std::nullopt;  // ZeroDivisionError
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b)) return std::nullopt;  // complex
  double value = std::pow(a, b);
  if (!std::isfinite(value) && std::isfinite(a) && std::isfinite(b)) return std::nullopt;  // OverflowError
  return HostValue{value};
}

std::optional<HostValue> float_binary(Operator op, double a, double b) {
  switch (op) {
    case Operator::Add: return HostValue{a + b};
    case Operator::Sub: return HostValue{a - b};
    case Operator::Mul: return HostValue{a * b};
    case Operator::Div:
      if (b == 0) return std::nullopt;
      return HostValue{a / b};
    case Operator::FloorDiv:
      if (b == 0) return std::nullopt;
      return HostValue{float_divmod(a, b).quotient};
    case Operator::Mod:
      if (b == 0) return std::nullopt;
      return HostValue{float_divmod(a, b).remainder};
    case Operator::Pow: return float_power(a, b);
    default: return std::nullopt;
  }
}

int compare_int_float(Wide a, double b) {
  if (std::isnan(b)) return 2;
  if (b >= 0x1p65) return -1;
  if (b <= -0x1p65) return 1;
  double whole = std::trunc(b);
  auto integer = static_cast<Wide>(whole);
  if (a != integer) return a < integer ? -1 : 1;
  return b == whole ? 0 : b > whole ? -1 : 1;
}

}  // namespace

std::optional<Wide> wide_binary(Operator op, Wide a, Wide b) {
  Wide result;
  switch (op) {
    case Operator::Add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::Sub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::Mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case Operator::FloorDiv: return b == 0 ? std::nullopt : std::optional(floor_div(a, b));
    case Operator::Mod: return b == 0 ? std::nullopt : std::optional(a - b * floor_div(a, b));
    case Operator::Pow: return wide_power(a, b);
    case Operator::BitAnd: return a & b;
    case Operator::BitOr: return a | b;
    case Operator::BitXor: return a ^ b;
    case Operator::Shl:
    case Operator::Shr: return wide_shift(op, a, b);
    default: return std::nullopt;
  }
}

int compare_python(const HostValue& left, const HostValue& right) {
  std::optional<Wide> a = integer_value(left), b = integer_value(right);
  if (a && b) return *a < *b ? -1 : *a == *b ? 0 : 1;
  if (a) return compare_int_float(*a, *float_value(right));
  if (b) {
    int order = compare_int_float(*b, *float_value(left));
    return order == 2 ? 2 : -order;
  }
  double x = *float_value(left), y = *float_value(right);
  return x < y ? -1 : x == y ? 0 : x > y ? 1 : 2;
}

std::optional<HostValue> python_binary(Operator op, const HostValue& left, const HostValue& right) {
  auto *a_bool = std::get_if<bool>(&left.value), *b_bool = std::get_if<bool>(&right.value);
  if (a_bool && b_bool) {
    if (op == Operator::BitAnd) return HostValue{*a_bool && *b_bool};
    if (op == Operator::BitOr) return HostValue{*a_bool || *b_bool};
    if (op == Operator::BitXor) return HostValue{*a_bool != *b_bool};
  }
  std::optional<Wide> a = integer_value(left), b = integer_value(right);
  if (a && b) return int_binary(op, *a, *b);
  return float_binary(op, *float_value(left), *float_value(right));
}

std::optional<HostValue> python_unary(Operator op, const HostValue& operand) {
  if (const bool* value = std::get_if<bool>(&operand.value); value && op == Operator::Invert)
    return HostValue{!*value};  // language.md 4.2: `~` of a bool is its negation
  if (std::optional<Wide> value = integer_value(operand)) {
    switch (op) {
      case Operator::Neg: return checked_int(-*value);
      case Operator::Pos: return make_int(*value);
      case Operator::Invert: return checked_int(-*value - 1);
      default: return std::nullopt;
    }
  }
  double value = *float_value(operand);
  if (op == Operator::Neg) return HostValue{-value};
  if (op == Operator::Pos) return HostValue{value};
  return std::nullopt;
}

}  // namespace lanewise::frontend
