// How far a result is from the exact value, in units in the last place of the result's type.
#pragma once
#include <quadmath.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace accuracy {

template <class F>
struct Format;
template <>
struct Format<_Float16> {
  static constexpr int kDigits = 11, kMinExponent = -14, kMaxExponent = 15;
  using Wide = double;
  using Word = uint16_t;
};
template <>
struct Format<float> {
  static constexpr int kDigits = 24, kMinExponent = -126, kMaxExponent = 127;
  using Wide = double;
  using Word = uint32_t;
};
template <>
struct Format<double> {
  static constexpr int kDigits = 53, kMinExponent = -1022, kMaxExponent = 1023;
  using Wide = __float128;
  using Word = uint64_t;
};

inline double scale(double x, int n) { return std::ldexp(x, n); }
inline __float128 scale(__float128 x, int n) { return ldexpq(x, n); }
inline int exponent_of(double x) { return std::ilogb(x); }
inline int exponent_of(__float128 x) { return ilogbq(x); }
inline bool is_nan(double x) { return std::isnan(x); }
inline bool is_nan(__float128 x) { return isnanq(x) != 0; }
inline bool is_infinite(double x) { return std::isinf(x); }
inline bool is_infinite(__float128 x) { return isinfq(x) != 0; }
inline bool sign_of(double x) { return std::signbit(x); }
inline bool sign_of(__float128 x) { return signbitq(x) != 0; }
inline double magnitude(double x) { return std::fabs(x); }
inline __float128 magnitude(__float128 x) { return fabsq(x); }

// The ordinary case without a call, for runs over every float: a finite result with the sign of an exact
// value that is a normal number of F. Negative if it is another case.
template <class F>
double ulp_error_of_normal(F got, double exact) {
  uint64_t word = std::bit_cast<uint64_t>(exact);
  int exponent = static_cast<int>(word >> 52 & 0x7FF) - 1023;
  double value = static_cast<double>(got);
  bool normal = exponent >= Format<F>::kMinExponent && exponent <= Format<F>::kMaxExponent;
  bool alike = std::bit_cast<uint64_t>(value) >> 63 == word >> 63;
  if (!normal || !alike || !(std::fabs(value) <= static_cast<double>(std::numeric_limits<float>::max())))
    return -1;
  uint64_t unit = static_cast<uint64_t>(1023 + Format<F>::kDigits - 1 - exponent) << 52;
  return std::fabs(value - exact) * std::bit_cast<double>(unit);
}
template <class F>
double ulp_error_of_normal(F, __float128) {
  return -1;
}

// Infinity where the kind of result is wrong: a NaN, an infinity or the sign of a zero that the exact value
// does not have. An infinity counts as the power of two after the largest number, so that rounding up to it
// is no error.
template <class F>
double ulp_error(F got, typename Format<F>::Wide exact) {
  using W = typename Format<F>::Wide;
  if (double error = ulp_error_of_normal(got, exact); error >= 0) return error;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  W value = static_cast<W>(got);
  if (is_nan(exact) || is_nan(value)) return is_nan(exact) && is_nan(value) ? 0 : kWrong;
  if (sign_of(exact) != sign_of(value)) return kWrong;
  W limit = scale(W{1}, Format<F>::kMaxExponent + 1), size = magnitude(exact);
  if (is_infinite(exact)) return is_infinite(value) ? 0 : kWrong;
  if (is_infinite(value)) value = sign_of(exact) ? -limit : limit;
  if (size > limit) size = limit, exact = sign_of(exact) ? -limit : limit;
  int exponent = size == 0 ? Format<F>::kMinExponent : exponent_of(size);
  if (exponent < Format<F>::kMinExponent) exponent = Format<F>::kMinExponent;
  if (exponent > Format<F>::kMaxExponent) exponent = Format<F>::kMaxExponent;
  return static_cast<double>(scale(magnitude(value - exact), Format<F>::kDigits - 1 - exponent));
}

}  // namespace accuracy
