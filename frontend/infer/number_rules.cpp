// Rules 4.1, 4.2, 4.4 and 4.6 of the language page. In: two types, and constants where known. Out: a type;
// nodes and reports are the callers'.
#include "frontend/infer/number_rules.h"

#include <algorithm>

#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

using ir::Type;

bool is_integer(Type type) { return type.is_int() || type.is_bool(); }

Type int_type(bool is_signed, unsigned bits) {
  return {is_signed ? Type::Kind::Int : Type::Kind::UInt, static_cast<uint8_t>(bits)};
}

// The smallest type of at least 32 bits that holds both; uint64 where none does.
Type common_integer(Type a, Type b) {
  auto bits = [](Type t) -> unsigned { return t.is_bool() ? 8u : t.bits; };
  // A bool is a small unsigned number.
  bool a_signed = a.is_signed(), b_signed = b.is_signed();
  unsigned widest = std::max(bits(a), bits(b));
  if (a_signed == b_signed) {
    if (widest < 32) return ir::kI32;
    return int_type(a_signed, widest);
  }
  unsigned signed_bits = a_signed ? bits(a) : bits(b), unsigned_bits = a_signed ? bits(b) : bits(a);
  if (unsigned_bits >= 64) return ir::kU64;
  return int_type(true, std::max({32u, signed_bits, 2 * unsigned_bits}));
}

bool constant_fits(const Number& n, Type type) {
  std::optional<Wide> value = n.is_constant() ? integer_value(*n.constant) : std::nullopt;
  return value && fits(*value, type);
}

NumberType with_float(const Number& a, const Number& b, Type python_float) {
  Type widest;
  for (const Number* n : {&a, &b}) {
    if (n->python || !n->type.is_float()) continue;
    bool neither = widest.bits == 16 && n->type.bits == 16 && widest != n->type;  // float16 and bfloat16
    if (neither)
      widest = ir::kF32;
    else if (n->type.bits > widest.bits)
      widest = n->type;
  }
  if (widest.is_void()) {
    if (a.python && b.python) return {python_float, true};
    return {python_float, false};
  }
  if (widest.bits == 16)
    for (const Number* n : {&a, &b}) {
      bool narrow = (!n->python && n->type.is_float()) || n->type.is_bool() || n->is_constant();
      if (!narrow) widest = ir::kF32;
    }
  return {widest, false};
}

}  // namespace

Type promoted(Type type) {
  if (type.is_bool() || (type.is_int() && type.bits < 32)) return ir::kI32;
  return type;
}

NumberType arithmetic_type(const Number& a, const Number& b, Type python_float) {
  if (a.type.is_float() || b.type.is_float()) return with_float(a, b, python_float);
  if (!a.python && !b.python) {
    Type type = common_integer(a.type, b.type);
    return {type, false, false, type == ir::kU64 && (a.type.is_signed() || b.type.is_signed())};
  }
  if (a.python && b.python) {
    bool wide = a.type == ir::kU64 || b.type == ir::kU64;
    bool fit = wide && (a.type == ir::kU64 || constant_fits(a, ir::kU64) || !a.type.is_signed()) &&
               (b.type == ir::kU64 || constant_fits(b, ir::kU64) || !b.type.is_signed());
    return {wide ? ir::kU64 : ir::kI64, true, false, wide && !fit};
  }
  const Number& python = a.python ? a : b;
  const Number& typed = a.python ? b : a;
  Type narrow = promoted(typed.type);
  if (constant_fits(python, narrow)) return {narrow, false};
  if (typed.type == ir::kU64 || python.type == ir::kU64) {
    bool mixed = (typed.type == ir::kU64 ? python.type : typed.type).is_signed() && !python.is_constant();
    return {ir::kU64, false, false, mixed};
  }
  return {ir::kI64, false, typed.type == ir::kU32 && !python.is_constant(), false};
}

NumberType joined_type(const Number& a, const Number& b, Type python_float) {
  if (a.type == b.type) return {a.type, a.python && b.python};
  auto takes = [](const Number& constant, const Number& other) {
    if (!constant.is_constant()) return false;
    if (constant.type.is_float()) return other.type.is_float();
    if (other.type.is_float()) return true;
    if (other.type.is_bool()) return constant.type.is_bool();
    return constant_fits(constant, other.type);
  };
  // Of two constants, the wider kind decides.
  if (takes(a, b) && !(b.is_constant() && takes(b, a))) return {b.type, b.python};
  if (takes(b, a)) return {a.type, a.python};
  return arithmetic_type(a, b, python_float);
}

NumberType float_type(const Number* operands, size_t count, Type python_float) {
  Number widest{python_float, true, nullptr};
  bool typed = false, any_typed_float = false;
  for (size_t i = 0; i < count; ++i) {
    const Number& n = operands[i];
    typed |= !n.python;
    if (n.type.is_float() && !n.python) {
      widest = any_typed_float ? Number{arithmetic_type(widest, n, python_float).type, false, nullptr} : n;
      any_typed_float = true;
    }
  }
  if (!any_typed_float) return {typed ? ir::kF64 : python_float, !typed};
  NumberType result{widest.type, false};
  for (size_t i = 0; i < count; ++i) {
    NumberType with = arithmetic_type({result.type, false, nullptr}, operands[i], python_float);
    result.type = with.type;
  }
  return result;
}

Comparison comparison_type(const Number& a, const Number& b, Type python_float) {
  if (a.type.is_float() || b.type.is_float())
    return {Comparison::Kind::Common, arithmetic_type(a, b, python_float).type, false};
  if (a.type == b.type) return {Comparison::Kind::Common, a.type, false};
  // A known integer is compared in the other's type, or decided where it lies outside of it.
  auto against = [](const Number& known, const Number& other,
                    bool known_is_left) -> std::optional<Comparison> {
    std::optional<Wide> value = known.constant ? integer_value(*known.constant) : std::nullopt;
    if (!value) return std::nullopt;
    Type type = promoted(other.type);
    if (fits(*value, other.type)) return Comparison{Comparison::Kind::Common, other.type, false};
    if (fits(*value, type)) return Comparison{Comparison::Kind::Common, type, false};
    bool left_less = (*value < 0) == known_is_left;
    return Comparison{left_less ? Comparison::Kind::LeftIsLess : Comparison::Kind::LeftIsGreater, type,
                      false};
  };
  if (std::optional<Comparison> known = against(b, a, false)) return *known;
  if (std::optional<Comparison> known = against(a, b, true)) return *known;
  if (is_integer(a.type) && is_integer(b.type)) {
    bool a_signed = a.type.is_signed(), b_signed = b.type.is_signed();
    if (a_signed != b_signed && (a.type == ir::kU64 || b.type == ir::kU64) && !a.type.is_bool() &&
        !b.type.is_bool())
      return {Comparison::Kind::Mixed, ir::kU64, a_signed};
  }
  return {Comparison::Kind::Common, common_integer(a.type, b.type), false};
}

}  // namespace lanewise::frontend
