// Functions of floats, for F = float or double: Python's // and %, the NaN and zero rules of min and max,
// and the elementary functions by the C library of that width. Private to scalar_ops.cpp.
#pragma once
#include <cmath>
#include <limits>

#include "ir/error.h"
#include "ir/op.h"

namespace lanewise::ir {

// Quotient rounded down and remainder with the divisor's sign, from the exact remainder of fmod, so that
// floor_div(a, b) * b + floor_mod(a, b) is as near to a as can be. Division by zero: IEEE quotient, NaN.
template <class F>
struct DivMod {
  F quotient, remainder;
};
template <class F>
DivMod<F> floor_div_mod(F a, F b) {
  F rest = std::fmod(a, b);
  if (b == 0) return {a / b, rest};
  F quotient = (a - rest) / b;
  if (rest == 0) {
    rest = std::copysign(F{0}, b);
  } else if ((b < 0) != (rest < 0)) {
    rest += b;
    quotient -= 1;
  }
  if (quotient == 0) return {std::copysign(F{0}, a / b), rest};
  F down = std::floor(quotient);
  if (quotient - down > F{0.5}) down += 1;  // (a - rest) / b was rounded to just below an integer
  return {down, rest};
}

// The other operand if one is NaN; -0.0 is below 0.0.
template <class F>
F min_float(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class F>
F max_float(F a, F b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

template <class F>
int frexp_exponent(F x) {
  int exponent = 0;
  if (std::isfinite(x)) std::frexp(x, &exponent);
  return exponent;
}

template <class F>
F frexp_fraction(F x) {
  int exponent = 0;
  return std::isfinite(x) ? std::frexp(x, &exponent) : x;
}

// The C library's Bessel functions, of which it has no overloads. A negative order has no meaning here.
inline double bessel(OpKind kind, double x, int n) {
  switch (kind) {
    case OpKind::BesselJ0: return ::j0(x);
    case OpKind::BesselJ1: return ::j1(x);
    case OpKind::BesselY0: return ::y0(x);
    case OpKind::BesselY1: return ::y1(x);
    default: break;
  }
  if (n < 0) return std::numeric_limits<double>::quiet_NaN();
  return kind == OpKind::BesselJn ? ::jn(n, x) : ::yn(n, x);
}
inline float bessel(OpKind kind, float x, int n) {
  switch (kind) {
    case OpKind::BesselJ0: return ::j0f(x);
    case OpKind::BesselJ1: return ::j1f(x);
    case OpKind::BesselY0: return ::y0f(x);
    case OpKind::BesselY1: return ::y1f(x);
    default: break;
  }
  if (n < 0) return std::numeric_limits<float>::quiet_NaN();
  return kind == OpKind::BesselJn ? ::jnf(n, x) : ::ynf(n, x);
}
// Whether the second operand is an integer.
constexpr bool takes_int(OpKind kind) {
  return kind == OpKind::Ldexp || kind == OpKind::BesselJn || kind == OpKind::BesselYn;
}

// The ops from floats to a float of the same type, of at most two operands.
template <class F>
F float_function(OpKind kind, F x, F y) {
  switch (kind) {
    case OpKind::Add: return x + y;
    case OpKind::Sub: return x - y;
    case OpKind::Mul: return x * y;
    case OpKind::Div: return x / y;
    case OpKind::FloorDiv: return floor_div_mod(x, y).quotient;
    case OpKind::FloorMod: return floor_div_mod(x, y).remainder;
    case OpKind::Min: return min_float(x, y);
    case OpKind::Max: return max_float(x, y);
    case OpKind::Sqrt: return std::sqrt(x);
    case OpKind::Rsqrt: return F{1} / std::sqrt(x);
    case OpKind::Cbrt: return std::cbrt(x);
    case OpKind::Exp: return std::exp(x);
    case OpKind::Exp2: return std::exp2(x);
    case OpKind::Expm1: return std::expm1(x);
    case OpKind::Log: return std::log(x);
    case OpKind::Log2: return std::log2(x);
    case OpKind::Log10: return std::log10(x);
    case OpKind::Log1p: return std::log1p(x);
    case OpKind::Sin: return std::sin(x);
    case OpKind::Cos: return std::cos(x);
    case OpKind::Tan: return std::tan(x);
    case OpKind::Asin: return std::asin(x);
    case OpKind::Acos: return std::acos(x);
    case OpKind::Atan: return std::atan(x);
    case OpKind::Atan2: return std::atan2(x, y);
    case OpKind::Sinh: return std::sinh(x);
    case OpKind::Cosh: return std::cosh(x);
    case OpKind::Tanh: return std::tanh(x);
    case OpKind::Asinh: return std::asinh(x);
    case OpKind::Acosh: return std::acosh(x);
    case OpKind::Atanh: return std::atanh(x);
    case OpKind::Erf: return std::erf(x);
    case OpKind::Erfc: return std::erfc(x);
    case OpKind::Pow: return std::pow(x, y);
    case OpKind::Hypot: return std::hypot(x, y);
    case OpKind::Fmod: return std::fmod(x, y);
    case OpKind::Remainder: return std::remainder(x, y);
    case OpKind::NextAfter: return std::nextafter(x, y);
    case OpKind::FrexpFraction: return frexp_fraction(x);
    case OpKind::Floor: return std::floor(x);
    case OpKind::Ceil: return std::ceil(x);
    case OpKind::Trunc: return std::trunc(x);
    case OpKind::Rint: return std::nearbyint(x);
    default: break;
  }
  throw InternalError("`" + std::string(info(kind).text) + "` is not a float op");
}

}  // namespace lanewise::ir
