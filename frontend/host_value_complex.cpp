// Python's arithmetic on complex numbers known at compile time.
#include <cmath>
#include <complex>

#include "frontend/host_numbers.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

using Number = std::complex<double>;

std::optional<Number> complex_value(const HostValue& value) {
  if (auto* c = std::get_if<HostValue::Complex>(&value.value)) return Number(c->real, c->imag);
  if (std::optional<double> real = float_value(value)) return Number(*real, 0);
  return std::nullopt;
}

// The width of what makes a result typed; void of Python numbers.
ir::Type typed_part(const HostValue& value) {
  if (auto* c = std::get_if<HostValue::Complex>(&value.value)) return c->part;
  auto* typed = std::get_if<HostValue::Typed>(&value.value);
  if (!typed) return ir::kVoid;
  return typed->type.is_float() && typed->type.bits <= 32 ? ir::kF32 : ir::kF64;
}

HostValue make(Number value, ir::Type part) {
  if (part == ir::kF32)
    value = {static_cast<double>(static_cast<float>(value.real())),
             static_cast<double>(static_cast<float>(value.imag()))};
  return {HostValue::Complex{value.real(), value.imag(), part}};
}

Number product(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Number integer_power(Number base, int64_t exponent) {
  Number result = 1;
  for (uint64_t rest = static_cast<uint64_t>(std::abs(exponent)); rest; rest >>= 1) {
    if (rest & 1) result = product(result, base);
    base = product(base, base);
  }
  return exponent < 0 ? 1.0 / result : result;
}

}  // namespace

bool is_complex(const HostValue& value) { return std::holds_alternative<HostValue::Complex>(value.value); }

std::optional<HostValue> complex_binary(Operator op, const HostValue& left, const HostValue& right) {
  std::optional<Number> a = complex_value(left), b = complex_value(right);
  if (!a || !b) return std::nullopt;
  ir::Type one = typed_part(left), other = typed_part(right);
  ir::Type part = one.bits >= other.bits ? one : other;
  switch (op) {
    case Operator::Add: return make(*a + *b, part);
    case Operator::Sub: return make(*a - *b, part);
    case Operator::Mul: return make(product(*a, *b), part);
    case Operator::Div: return *b == 0.0 ? std::nullopt : std::optional(make(*a / *b, part));
    case Operator::Pow: {
      std::optional<int64_t> exponent = index_value(right);
      if (exponent && std::abs(*exponent) <= 100) {
        if (*a == 0.0 && *exponent < 0) return std::nullopt;
        return make(integer_power(*a, *exponent), part);
      }
      return *a == 0.0 ? std::nullopt : std::optional(make(std::pow(*a, *b), part));
    }
    default: return std::nullopt;
  }
}

std::optional<HostValue> complex_unary(Operator op, const HostValue& operand) {
  auto* c = std::get_if<HostValue::Complex>(&operand.value);
  if (!c || (op != Operator::Neg && op != Operator::Pos)) return std::nullopt;
  return op == Operator::Pos ? operand : HostValue{HostValue::Complex{-c->real, -c->imag, c->part}};
}

std::optional<bool> complex_equal(const HostValue& left, const HostValue& right) {
  std::optional<Number> a = complex_value(left), b = complex_value(right);
  if (!a || !b) return std::nullopt;
  return *a == *b;
}

std::optional<HostValue> complex_cast(const HostValue::DType& type, const HostValue& value) {
  std::optional<Number> number = complex_value(value);
  if (!number || !type.type.is_complex()) return std::nullopt;
  return make(*number, type.python ? ir::kVoid : type.type.scalar);
}

}  // namespace lanewise::frontend
