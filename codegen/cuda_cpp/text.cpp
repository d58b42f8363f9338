#include "codegen/cuda_cpp/text.h"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "ir/error.h"
#include "ir/scalar_ops.h"

namespace lanewise::codegen::cuda_cpp {

using ir::Type;

std::string type_name(Type type) {
  if (type.is_pointer()) return pointer_name(type, false);
  if (type.kind == Type::Kind::Bool) return "bool";
  if (type.kind == Type::Kind::BFloat) return "bfloat16";
  bool is_unsigned = type.kind == Type::Kind::UInt;
  switch (type.bits) {
    case 8: return is_unsigned ? "unsigned char" : "signed char";
    case 16: return type.kind == Type::Kind::Float ? "float16" : is_unsigned ? "unsigned short" : "short";
    case 32: return type.kind == Type::Kind::Float ? "float" : is_unsigned ? "unsigned" : "int";
    default:
      return type.kind == Type::Kind::Float ? "double" : is_unsigned ? "unsigned long long" : "long long";
  }
}

std::string element_name(Type element) {
  return element.kind == Type::Kind::Bool ? "unsigned char" : type_name(element.element());
}

std::string pointer_name(Type pointer, bool is_const) {
  return (is_const ? "const " : "") + element_name(pointer.element()) + " *";
}

std::string float_literal(double value, Type type) {
  char text[64];
  if (type.bits == 16) {
    std::snprintf(text, sizeof text, "{0x%04x}", static_cast<unsigned>(ir::float_bits(value, type)));
    return type_name(type) + text;
  }
  if (!std::isfinite(value)) {
    auto bits = static_cast<unsigned long long>(ir::float_bits(value, type));
    std::snprintf(text, sizeof text,
                  type.bits == 32 ? "__int_as_float(0x%llx)" : "__longlong_as_double(0x%llx)", bits);
    return text;
  }
  auto end = type.bits == 32 ? std::to_chars(text, text + sizeof text, static_cast<float>(value))
                             : std::to_chars(text, text + sizeof text, value);
  std::string digits(text, end.ptr);
  if (digits.find_first_of(".e") == digits.npos) digits += ".0";
  return type.bits == 32 ? digits + "f" : digits;
}

Expr int_literal(int64_t value) {
  Expr e = primary(std::to_string(value), ir::kI32);
  if (value < INT32_MIN || value > INT32_MAX) e.text += "ll", e.type = ir::kI64;
  if (value == INT32_MIN) e.text = "-2147483647 - 1";
  if (value == INT64_MIN) e.text = "-9223372036854775807ll - 1";
  if (value < 0) e.binding = value == INT32_MIN || value == INT64_MIN ? Binding::Sum : Binding::Unary;
  e.literal = true;
  e.not_negative = value >= 0;
  return e;
}

Expr literal(const ir::Immediate& immediate, Type type) {
  if (type.is_float()) {
    double value = ir::float_value(ir::bits_of(immediate, type), type);
    Expr e = primary(float_literal(value, type), type);
    if (e.text[0] == '-') e.binding = Binding::Unary;
    return e;
  }
  int64_t value = std::get<int64_t>(immediate);
  if (type.is_bool()) return primary(value ? "true" : "false", type);
  if (type.is_signed() || (value >= 0 && value <= INT32_MAX)) return int_literal(value);
  auto number = static_cast<unsigned long long>(value);
  Expr e = primary(std::to_string(number), type);
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", number);
  if (type.bits == 32 && number == UINT32_MAX) e.text = hex;
  if (type.bits == 64 && number > UINT32_MAX && (number & (number + 1)) == 0) e.text = hex;
  if (type.bits >= 32) e.text += type.bits == 64 ? "ull" : "u";
  e.not_negative = true;
  e.literal = type.bits < 32;
  return e;
}

Expr primary(std::string text, Type type) {
  return {std::move(text), Binding::Primary, type, false, false, {}, {}, {}};
}

std::string within(const Expr& e, Binding binding) {
  return e.binding < binding ? "(" + e.text + ")" : e.text;
}

namespace {

bool is_bitwise(Binding b) {
  return b == Binding::Or || b == Binding::Xor || b == Binding::And || b == Binding::Shift;
}

// As tightly as an operand must bind to stand without parentheses where people do not know the order by
// heart.
std::string operand(const Expr& e, Binding around, bool is_right) {
  auto least = static_cast<Binding>(static_cast<int>(around) + (is_right ? 1 : 0));
  bool same_chain = e.binding == around && !is_right && around != Binding::Shift;
  if (is_bitwise(around) && !same_chain) least = Binding::Unary;
  if (around == Binding::LogicalOr && e.binding == Binding::LogicalAnd) least = Binding::Unary;
  if (around == Binding::Equality) least = Binding::Shift;
  if (around == Binding::Relational) least = Binding::Shift;
  return within(e, least);
}

}  // namespace

Expr binary(const Expr& left, std::string_view op, const Expr& right, Binding binding, Type type) {
  Expr e;
  e.binding = binding;
  e.type = type;
  e.text = operand(left, binding, false) + " " + std::string(op) + " " + operand(right, binding, true);
  if (left.type == type) e.left = left.text, e.op = op, e.right = right.text;
  return e;
}

Expr unary(std::string_view op, const Expr& operand, Type type) {
  Expr e;
  e.binding = Binding::Unary;
  e.type = type;
  std::string inner = within(operand, Binding::Unary);
  bool doubled = inner[0] == op.back();  // - -x
  e.text = std::string(op) + (doubled ? "(" + inner + ")" : inner);
  return e;
}

Expr c_cast(const std::string& type, const Expr& operand, Type result) {
  Expr e;
  e.binding = Binding::Unary;
  e.type = result;
  e.text = "(" + type + ")" + within(operand, Binding::Unary);
  e.not_negative = operand.not_negative;
  return e;
}

Expr conditional(const Expr& condition, const Expr& yes, const Expr& no, Type type) {
  Expr e;
  e.binding = Binding::Conditional;
  e.type = type;
  e.text = within(condition, Binding::LogicalOr) + " ? " + within(yes, Binding::LogicalOr) + " : " +
           within(no, Binding::Conditional);
  e.not_negative = yes.not_negative && no.not_negative;
  return e;
}

Type promoted(Type type) { return type.is_bool() || (type.is_int() && type.bits < 32) ? ir::kI32 : type; }

Type common_type(Type a, Type b) {
  a = promoted(a), b = promoted(b);
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.is_unsigned() ? a : b;
}

}  // namespace lanewise::codegen::cuda_cpp
