// Dispatch of scalar ops by type. Integers are computed in 64 bits and wrapped to their width; float32 in
// float, float64 in double; float16 and bfloat16 in float and rounded once at the end, which is exact for
// + - * / sqrt because a float has more than twice the precision plus two bits.
#include "ir/scalar_ops.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/error.h"
#include "ir/scalar_math.h"

namespace lanewise::ir {
namespace {

// --- integers and bools. `a` and `b` are canonical, so for signed types they are int64_t values.
bool compare_ints(OpKind kind, bool is_signed, Bits a, Bits b) {
  bool less = is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
  switch (kind) {
    case OpKind::Eq: return a == b;
    case OpKind::Ne: return a != b;
    case OpKind::Lt: return less;
    case OpKind::Le: return less || a == b;
    case OpKind::Gt: return !less && a != b;
    default: return !less;
  }
}

uint64_t floor_div_int(bool is_signed, Bits a, Bits b) {
  if (b == 0) return 0;
  if (!is_signed) return a / b;
  auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (y == -1) return 0 - a;  // MIN / -1 would trap
  int64_t quotient = x / y;
  return static_cast<uint64_t>(quotient - ((x % y != 0) && ((x < 0) != (y < 0))));
}

uint64_t floor_mod_int(bool is_signed, Bits a, Bits b) {
  if (b == 0) return 0;
  if (!is_signed) return a % b;
  auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  if (y == -1) return 0;
  int64_t rest = x % y;
  return static_cast<uint64_t>(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
}

uint64_t power_int(bool is_signed, Bits base, Bits exponent) {
  if (is_signed && static_cast<int64_t>(exponent) < 0) {
    if (base == 1) return 1;
    if (base == UINT64_MAX) return exponent & 1 ? base : 1;
    return 0;
  }
  uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

uint64_t shift_right(Type type, Bits a, Bits count) {
  if (!type.is_signed()) return count < type.bits ? a >> count : 0;
  auto x = static_cast<int64_t>(a);
  return static_cast<uint64_t>(x >> (count < type.bits ? count : 63));
}

// The bits of the type and no more.
uint64_t own_bits(Type type, Bits a) { return a << (64 - type.bits) >> (64 - type.bits); }

uint64_t reversed_bits(Type type, Bits a) {
  uint64_t result = 0;
  for (unsigned i = 0; i < type.bits; ++i) result |= (a >> i & 1) << (type.bits - 1u - i);
  return result;
}

uint64_t evaluate_int(OpKind kind, Type type, const Bits* v) {
  bool is_signed = type.is_signed();
  Bits a = v[0];
  switch (kind) {
    case OpKind::Add: return a + v[1];
    case OpKind::Sub: return a - v[1];
    case OpKind::Mul: return a * v[1];
    case OpKind::FloorDiv: return floor_div_int(is_signed, a, v[1]);
    case OpKind::FloorMod: return floor_mod_int(is_signed, a, v[1]);
    case OpKind::Neg: return 0 - a;
    case OpKind::Abs: return is_signed && static_cast<int64_t>(a) < 0 ? 0 - a : a;
    case OpKind::Min: return compare_ints(OpKind::Lt, is_signed, v[1], a) ? v[1] : a;
    case OpKind::Max: return compare_ints(OpKind::Gt, is_signed, v[1], a) ? v[1] : a;
    case OpKind::IntPow: return power_int(is_signed, a, v[1]);
    case OpKind::And: return a & v[1];
    case OpKind::Or: return a | v[1];
    case OpKind::Xor: return a ^ v[1];
    case OpKind::Not: return type.is_bool() ? a ^ 1 : ~a;
    case OpKind::Shl: return v[1] < type.bits ? a << v[1] : 0;
    case OpKind::Shr: return shift_right(type, a, v[1]);
    case OpKind::Popc: return static_cast<uint64_t>(std::popcount(own_bits(type, a)));
    case OpKind::Clz: return static_cast<uint64_t>(std::countl_zero(own_bits(type, a))) - (64u - type.bits);
    case OpKind::Ffs: return a ? static_cast<uint64_t>(std::countr_zero(a)) + 1 : 0;
    case OpKind::Brev: return reversed_bits(type, a);
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge: return compare_ints(kind, is_signed, a, v[1]);
    default: break;
  }
  throw InternalError("`" + std::string(info(kind).text) + "` is not an integer op");
}

// --- floats
// Ops whose meaning is about the bits, for every float width alike; NaNs keep their payload.
bool evaluate_float_bits(OpKind kind, Type type, const Bits* v, Bits& result) {
  Bits sign = Bits{1} << (type.bits - 1);
  switch (kind) {
    case OpKind::Neg: result = v[0] ^ sign; return true;
    case OpKind::Abs: result = v[0] & ~sign; return true;
    case OpKind::CopySign: result = (v[0] & ~sign) | (v[1] & sign); return true;
    case OpKind::SignBit: result = (v[0] & sign) != 0; return true;
    default: return false;
  }
}

template <class F>
Bits pack(F value) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}
template <class F>
F unpack(Bits bits) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<double>(bits);
}

// The op for F = float or double. True and false are 1 and 0, FrexpExponent an i32.
template <class F>
struct FloatResult {
  F value = 0;
  Bits bits = 0;
  bool is_float = true;
};
template <class F>
FloatResult<F> not_float(Bits bits) {
  return {0, bits, false};
}

template <class F>
FloatResult<F> evaluate_float(OpKind kind, const F* v, int integer) {
  F x = v[0], y = v[1];
  switch (kind) {
    case OpKind::Eq: return not_float<F>(x == y);
    case OpKind::Ne: return not_float<F>(x != y);
    case OpKind::Lt: return not_float<F>(x < y);
    case OpKind::Le: return not_float<F>(x <= y);
    case OpKind::Gt: return not_float<F>(x > y);
    case OpKind::Ge: return not_float<F>(x >= y);
    case OpKind::IsNan: return not_float<F>(std::isnan(x));
    case OpKind::IsInf: return not_float<F>(std::isinf(x));
    case OpKind::IsFinite: return not_float<F>(std::isfinite(x));
    case OpKind::FrexpExponent: return not_float<F>(static_cast<Bits>(int64_t{frexp_exponent(x)}));
    case OpKind::Ldexp: return {std::ldexp(x, integer)};
    case OpKind::BesselJ0:
    case OpKind::BesselJ1:
    case OpKind::BesselJn:
    case OpKind::BesselY0:
    case OpKind::BesselY1:
    case OpKind::BesselYn: return {bessel(kind, x, integer)};
    case OpKind::Fma: return {std::fma(x, y, v[2])};
    default: return {float_function(kind, x, y)};
  }
}

// The float of 16 bits after x towards y. Neighbours are neighbouring bit patterns on each side of zero.
uint16_t next_narrow(Type type, uint16_t x, uint16_t y) {
  double from = float_value(x, type), to = float_value(y, type);
  if (std::isnan(from) || std::isnan(to)) return type == kBF16 ? 0x7FC0 : 0x7E00;
  if (from == to) return y;
  if (from == 0) return to > 0 ? 0x0001 : 0x8001;
  bool away_from_zero = (from < to) == (from > 0);
  return static_cast<uint16_t>(away_from_zero ? x + 1 : x - 1);
}

// x * y + z in double rounded to odd, so that rounding to bfloat16 is as if of the exact sum. The product is
// exact; of the sum, what is missing is known exactly.
double fma_to_odd(double x, double y, double z) {
  double product = x * y, sum = product + z, part = sum - product;
  double rest = (product - (sum - part)) + (z - part);
  auto bits = std::bit_cast<uint64_t>(sum);
  if (!std::isfinite(sum) || rest == 0 || (bits & 1)) return sum;
  return std::bit_cast<double>((rest > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

// Of float16 and bfloat16.
Bits evaluate_narrow(OpKind kind, Type type, const Bits* v, size_t count) {
  if (kind == OpKind::NextAfter)
    return next_narrow(type, static_cast<uint16_t>(v[0]), static_cast<uint16_t>(v[1]));
  double d[3] = {};
  int integer = takes_int(kind) ? static_cast<int>(v[1]) : 0;
  if (takes_int(kind)) count = 1;
  for (size_t i = 0; i < count; ++i) d[i] = float_value(v[i], type);
  // float would round a * b + c twice; in double every sum that is near a float16 midpoint is exact
  if (kind == OpKind::Fma)
    return float_bits(type == kBF16 ? fma_to_odd(d[0], d[1], d[2]) : std::fma(d[0], d[1], d[2]), type);
  if (kind == OpKind::Ldexp) return float_bits(std::ldexp(d[0], integer), type);
  float f[3] = {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])};
  FloatResult<float> result = evaluate_float<float>(kind, f, integer);
  return result.is_float ? float_bits(static_cast<double>(result.value), type) : result.bits;
}

template <class F>
Bits evaluate_wide(OpKind kind, const Bits* v, size_t count) {
  F f[3] = {};
  int integer = takes_int(kind) ? static_cast<int>(v[1]) : 0;
  if (takes_int(kind)) count = 1;
  for (size_t i = 0; i < count; ++i) f[i] = unpack<F>(v[i]);
  FloatResult<F> result = evaluate_float<F>(kind, f, integer);
  return result.is_float ? pack(result.value) : result.bits;
}

// --- conversion
// Truncates; out of range saturates, NaN gives 0. Both bounds of every integer type are exact doubles
// when the upper one is taken as 2**bits.
Bits float_to_int(double value, Type type) {
  if (std::isnan(value)) return 0;
  bool is_signed = type.is_signed();
  double limit = std::ldexp(1.0, is_signed ? type.bits - 1 : type.bits);
  Bits max = is_signed ? (Bits{1} << (type.bits - 1)) - 1 : ~Bits{0} >> (64 - type.bits);
  if (value >= limit) return max;
  if (!is_signed) return value <= 0 ? 0 : static_cast<Bits>(value);
  if (value <= -limit) return canonical_bits(type, max + 1);
  return static_cast<Bits>(static_cast<int64_t>(value));
}

Bits int_to_float(Bits bits, Type from, Type to) {
  if (to.bits == 32)
    return pack(from.is_signed() ? static_cast<float>(static_cast<int64_t>(bits)) : static_cast<float>(bits));
  bool negative = from.is_signed() && static_cast<int64_t>(bits) < 0;
  uint64_t magnitude = negative ? 0 - bits : bits;
  // What a double cannot hold exactly overflows in float16. For bfloat16 the bits that a double lacks are
  // one that says that there are some.
  if (to == kBF16 && magnitude >> 53)
    magnitude = (magnitude & ~uint64_t{0xFFF}) | (magnitude & 0xFFF ? 0x800 : 0);
  auto value = static_cast<double>(magnitude);
  return float_bits(negative ? -value : value, to);
}

Bits cast(Bits bits, Type from, Type to) {
  if (from.is_float()) {
    double value = float_value(bits, from);
    if (to.is_bool()) return value != 0;
    return to.is_float() ? (from == to ? bits : float_bits(value, to)) : float_to_int(value, to);
  }
  if (to.is_bool()) return bits != 0;
  return to.is_float() ? int_to_float(bits, from, to) : canonical_bits(to, bits);
}

size_t float_operand_count(OpKind kind) {
  const Signature& signature = info(kind).signature;
  return signature.operand_count;
}

}  // namespace

bool is_scalar_op(OpKind kind) {
  return info(kind).effect == Effect::None && kind >= OpKind::Add && kind <= OpKind::SignBit &&
         kind != OpKind::SpaceCast;
}

Bits evaluate_scalar(OpKind kind, Type operand, Type result, const Bits* v) {
  switch (kind) {
    case OpKind::Select: return v[0] ? v[1] : v[2];
    case OpKind::Cast: return cast(v[0], operand, result);
    case OpKind::Bitcast: return canonical_bits(result, v[0]);
    default: break;
  }
  if (!operand.is_float()) return canonical_bits(result, evaluate_int(kind, operand, v));
  Bits bits = 0;
  if (evaluate_float_bits(kind, operand, v, bits)) return bits;
  size_t count = float_operand_count(kind);
  if (operand.bits == 16) return evaluate_narrow(kind, operand, v, count);
  return operand.bits == 32 ? evaluate_wide<float>(kind, v, count) : evaluate_wide<double>(kind, v, count);
}

uint64_t trip_count(Type type, Bits lo, Bits hi, Bits step) {
  if (step == 0) return 0;
  bool down = type.is_signed() && static_cast<int64_t>(step) < 0;
  if (!compare_ints(down ? OpKind::Gt : OpKind::Lt, type.is_signed(), lo, hi)) return 0;
  Bits distance = down ? lo - hi : hi - lo, stride = down ? 0 - step : step;
  return (distance - 1) / stride + 1;
}

Bits canonical_bits(Type type, uint64_t raw) {
  if (type.is_bool()) return raw & 1;
  unsigned unused = 64u - 8u * type.size();
  if (!type.is_signed()) return raw << unused >> unused;
  return static_cast<uint64_t>(static_cast<int64_t>(raw << unused) >> unused);
}

Bits bits_of(const Immediate& immediate, Type type) {
  if (const auto* number = std::get_if<int64_t>(&immediate)) {
    if (type.is_float()) return float_bits(static_cast<double>(*number), type);
    return canonical_bits(type, static_cast<uint64_t>(*number));
  }
  const auto* number = std::get_if<double>(&immediate);
  LANEWISE_CHECK(number && type.is_float(), "a constant's literal must be of its type's kind");
  return float_bits(*number, type);
}

Immediate immediate_of(Bits bits, Type type) {
  if (type.is_float()) return float_value(bits, type);
  return static_cast<int64_t>(bits);
}

double float_value(Bits bits, Type type) {
  if (type.bits == 64) return unpack<double>(bits);
  if (type.bits == 32) return static_cast<double>(unpack<float>(bits));
  auto narrow = static_cast<uint16_t>(bits);
  return type == kBF16 ? bfloat_to_double(narrow) : half_to_double(narrow);
}

Bits float_bits(double value, Type type) {
  if (type.bits == 64) return pack(value);
  if (type.bits == 32) return pack(static_cast<float>(value));
  return type == kBF16 ? double_to_bfloat(value) : double_to_half(value);
}

double half_to_double(uint16_t half) {
  double sign = half & 0x8000 ? -1.0 : 1.0;
  int exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31 && fraction != 0) {
    // the payload's bits keep their places below the binary point
    uint64_t payload = static_cast<uint64_t>(fraction) << 42;
    return std::bit_cast<double>(static_cast<uint64_t>(half >> 15) << 63 | uint64_t{0x7FF8} << 48 | payload);
  }
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

uint16_t double_to_half(double value) {
  auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    auto payload = static_cast<uint16_t>(std::bit_cast<uint64_t>(value) >> 42 & 511);
    return static_cast<uint16_t>(sign | 0x7E00 | payload);
  }
  if (magnitude >= 65520) return static_cast<uint16_t>(sign | 0x7C00);  // halfway from 65504 to 2**16
  if (magnitude < 0x1p-14)
    return static_cast<uint16_t>(sign | static_cast<int>(std::nearbyint(magnitude * 0x1p24)));
  int exponent = std::ilogb(magnitude);
  auto significand = static_cast<int>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));  // 1024 .. 2048
  return static_cast<uint16_t>(sign | (((exponent + 15) << 10) + significand - 1024));
}

double bfloat_to_double(uint16_t bfloat) {
  if ((bfloat & 0x7FFF) <= 0x7F80) return static_cast<double>(std::bit_cast<float>(uint32_t{bfloat} << 16));
  uint64_t sign = bfloat >> 15, payload = bfloat & 0x3F;  // as of a float16
  return std::bit_cast<double>(sign << 63 | uint64_t{0x7FF8} << 48 | payload << 45);
}

// To a float rounded to odd first: its last bit says whether anything was lost, so that the halves are told
// from what is next to them.
uint16_t double_to_bfloat(double value) {
  if (std::isnan(value)) {
    auto raw = std::bit_cast<uint64_t>(value);
    return static_cast<uint16_t>((raw >> 63 << 15) | 0x7FC0 | (raw >> 45 & 0x3F));
  }
  auto near = static_cast<float>(value);
  auto bits = std::bit_cast<uint32_t>(near);
  if (std::fabs(static_cast<double>(near)) > std::fabs(value)) --bits;
  if (static_cast<double>(near) != value) bits |= 1;
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

uint64_t scalar_from_bits(Bits bits, Type type) {
  return type.is_float() ? std::bit_cast<uint64_t>(float_value(bits, type)) : bits;
}

Bits bits_from_scalar(uint64_t scalar, Type type) {
  return type.is_float() ? float_bits(std::bit_cast<double>(scalar), type) : canonical_bits(type, scalar);
}

Bits load_bits(const void* address, Type type) {
  uint64_t raw = 0;
  std::memcpy(&raw, address, type.size());  // little endian
  if (type.is_bool()) return raw != 0;
  return canonical_bits(type, raw);
}

void store_bits(void* address, Type type, Bits bits) { std::memcpy(address, &bits, type.size()); }

}  // namespace lanewise::ir
