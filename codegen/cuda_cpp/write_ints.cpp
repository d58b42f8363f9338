// Integers and bools. C++ computes in int or wider and leaves signed overflow undefined: where ranges do not
// rule it out, functions of the preamble compute in unsigned.
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpKind;
using ir::Type;

namespace {

constexpr unsigned family(Type type) { return type.bits == 64 ? 64 : 32; }
Type unsigned_form(Type type) { return {Type::Kind::UInt, static_cast<uint8_t>(family(type))}; }
Type signed_form(Type type) { return {Type::Kind::Int, static_cast<uint8_t>(family(type))}; }

std::string_view symbol(OpKind kind) {
  switch (kind) {
    case OpKind::Eq: return "==";
    case OpKind::Ne: return "!=";
    case OpKind::Lt: return "<";
    case OpKind::Le: return "<=";
    case OpKind::Gt: return ">";
    default: return ">=";
  }
}

}  // namespace

// The same value with just this C++ type.
Expr FunctionWriter::as(const Expr& e, Type type) {
  if (e.type == type && !e.literal) return e;
  if (e.literal && e.binding >= Binding::Unary && type.is_int() && type.bits >= 32 && e.type == ir::kI32) {
    Expr typed = e;
    typed.type = type;
    typed.text += type == ir::kI64 ? "ll" : type == ir::kU32 ? "u" : type == ir::kU64 ? "ull" : "";
    return typed;
  }
  if (e.type == type) return e;
  return c_cast(type_name(type), e, type);
}

// Computed in the type, or in int for what is narrower. `exact`: nothing is lost, so of what is not negative
// unsigned will do.
Expr FunctionWriter::arithmetic(std::string_view op, Binding binding, Type type, Expr a, Expr b, bool exact) {
  Type wanted = promoted(type);
  auto known = [&] { return common_type(a.type, b.type) == wanted; };
  bool not_negative = exact && op != "-" && a.not_negative && b.not_negative;
  if (not_negative && common_type(a.type, b.type).bits == wanted.bits) wanted = common_type(a.type, b.type);
  for (Expr* operand : {&a, &b})
    if (!known() && !operand->literal && promoted(operand->type) != wanted)
      *operand = c_cast(type_name(wanted), *operand, wanted);
  if (!known()) (a.literal ? a : b) = as(a.literal ? a : b, wanted);
  if (op == "+" && a.literal) std::swap(a, b);
  bool minus = op == "+" && b.literal && b.binding == Binding::Unary;
  if (minus) op = "-", b.text.erase(0, 1), b.binding = Binding::Primary;
  Expr e = binary(a, op, b, binding, wanted);
  e.not_negative = not_negative;
  return e;
}

Expr FunctionWriter::narrowed_to(const Expr& e, Type type) {
  return type.bits < 32 && e.type != type ? c_cast(type_name(type), e, type) : e;
}

// In a type that holds the values of both.
Expr FunctionWriter::compare(OpKind kind, Type type, Expr a, Expr b) {
  Binding binding = kind == OpKind::Eq || kind == OpKind::Ne ? Binding::Equality : Binding::Relational;
  auto negative = [](const Expr& e) { return promoted(e.type).is_signed() && !e.not_negative; };
  if (type.is_int() && common_type(a.type, b.type).is_unsigned() && (negative(a) || negative(b)))
    for (Expr* e : {&a, &b})
      if (promoted(e->type).is_unsigned() && type.is_signed()) *e = as(*e, type);
  return binary(a, symbol(kind), b, binding, ir::kBool);
}

Expr FunctionWriter::logic(OpKind kind, const Expr& a, const Expr& b) {
  switch (kind) {
    case OpKind::And: return binary(a, "&&", b, Binding::LogicalAnd, ir::kBool);
    case OpKind::Or: return binary(a, "||", b, Binding::LogicalOr, ir::kBool);
    default: return binary(a, "!=", b, Binding::Equality, ir::kBool);
  }
}

Expr FunctionWriter::wrapping(std::string_view helper, std::string_view op, Binding binding, Type type,
                              const Expr& a, const Expr& b, bool plain) {
  if (plain || (type.is_unsigned() && type.bits >= 32)) return arithmetic(op, binding, type, a, b, plain);
  if (type.bits >= 32)
    return primary(call(file_.helpers.use(helper, type.bits), type, a.text, b.text).text, type);
  // In int nothing is lost but of products of unsigned shorts.
  Type in = op == "*" && type.bits == 16 ? ir::kU32 : type;
  return narrowed_to(arithmetic(op, binding, in, a, b, false), type);
}

Expr FunctionWriter::shift(OpKind kind, Type type, const Expr& a, const Expr& count, bool plain) {
  bool left = kind == OpKind::Shl;
  std::string_view op = left ? "<<" : ">>";
  if (plain) {
    Expr x = left && promoted(a.type) != promoted(type) ? as(a, promoted(type)) : a;
    if (!left && type.is_signed() && promoted(a.type).is_unsigned() && !a.not_negative) x = as(a, type);
    bool by_little = count.literal && count.text.size() == 1;
    if (!left && promoted(a.type).bits < type.bits && !by_little) x = as(a, promoted(type));
    Expr shifted = binary(x, op, count, Binding::Shift, promoted(x.type));
    shifted.not_negative = x.not_negative;
    return left ? narrowed_to(shifted, type) : shifted;
  }
  unsigned bits = family(type);
  std::string function = file_.helpers.use(left               ? "shift_left"
                                           : type.is_signed() ? "shift_right"
                                                              : "ushift_right",
                                           bits);
  Expr shifted = call(function, left || type.is_unsigned() ? unsigned_form(type) : signed_form(type), a.text,
                      count.text);
  if (left && type.is_signed() && type.bits >= 32) return c_cast(type_name(type), shifted, type);
  return left ? narrowed_to(shifted, type) : shifted;
}

Expr FunctionWriter::count_bits(OpKind kind, Type type, const Expr& a) {
  bool wide = type.bits == 64;
  // Without the sign's copies.
  Type bits = kind == OpKind::Ffs ? signed_form(type) : Type{Type::Kind::UInt, type.bits};
  std::string operand = kind == OpKind::Ffs && type.bits < 32 ? a.text : as(a, bits).text;
  std::string_view stem = kind == OpKind::Popc  ? "__popc"
                          : kind == OpKind::Clz ? "__clz"
                          : kind == OpKind::Ffs ? "__ffs"
                                                : "__brev";
  Type result = kind == OpKind::Brev ? unsigned_form(type) : ir::kI32;
  Expr e = call(std::string(stem) + (wide ? "ll" : ""), result, operand);
  if (kind == OpKind::Clz && type.bits < 32)
    e = binary(e, "-", int_literal(32 - type.bits), Binding::Sum, ir::kI32);
  if (kind != OpKind::Brev) return e;
  if (type.bits < 32) e = binary(e, ">>", int_literal(32 - type.bits), Binding::Shift, ir::kU32);
  return e.type == type ? e : c_cast(type_name(type), e, type);
}

Expr FunctionWriter::integer(OpKind kind, Type type, const std::vector<Expr>& v, bool plain, bool of_index) {
  bool sign = type.is_signed();
  plain |= of_index;
  auto with_helper = [&](std::string_view name) {
    Type of = sign || type.bits < 32 ? signed_form(type) : unsigned_form(type);
    return narrowed_to(call(file_.helpers.use(name, family(type)), of, v[0].text, v[1].text), type);
  };
  switch (kind) {
    case OpKind::Add: return wrapping("wrap_add", "+", Binding::Sum, type, v[0], v[1], plain);
    case OpKind::Sub: return wrapping("wrap_sub", "-", Binding::Sum, type, v[0], v[1], plain);
    case OpKind::Mul: return wrapping("wrap_mul", "*", Binding::Product, type, v[0], v[1], plain);
    case OpKind::Neg:
      if (type.is_unsigned() || (type.bits < 32 && !plain))
        return narrowed_to(unary("-", as(v[0], promoted(type)), promoted(type)), type);
      if (plain) return unary("-", as(v[0], promoted(type)), promoted(type));
      return call(file_.helpers.use("wrap_neg", type.bits), type, v[0].text);
    case OpKind::Abs:
      if (!sign) return v[0];
      if (plain || type.bits < 32)
        return narrowed_to(
            call(type.bits == 64 ? "llabs" : "abs", promoted(type), as(v[0], promoted(type)).text), type);
      return call(file_.helpers.use("wrap_abs", type.bits), type, v[0].text);
    case OpKind::Min:
    case OpKind::Max:
      return call(kind == OpKind::Min ? "min" : "max", promoted(type), as(v[0], promoted(type)).text,
                  as(v[1], promoted(type)).text);
    case OpKind::FloorDiv:
      if (plain) return arithmetic("/", Binding::Product, type, v[0], v[1], true);
      return with_helper(sign ? "floor_div" : "udiv");
    case OpKind::FloorMod:
      if (plain) return arithmetic("%", Binding::Product, type, v[0], v[1], true);
      return with_helper(sign ? "floor_mod" : "umod");
    case OpKind::IntPow: return with_helper(sign ? "power" : "upower");
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor: {
      if (type.is_bool()) return logic(kind, v[0], v[1]);
      std::string_view op = kind == OpKind::And ? "&" : kind == OpKind::Or ? "|" : "^";
      Binding binding = kind == OpKind::And ? Binding::And : kind == OpKind::Or ? Binding::Or : Binding::Xor;
      return arithmetic(op, binding, type, v[0], v[1], true);
    }
    case OpKind::Not:
      if (type.is_bool()) return unary("!", v[0], type);
      return narrowed_to(unary("~", as(v[0], promoted(type)), promoted(type)), type);
    case OpKind::Shl:
    case OpKind::Shr: return shift(kind, type, v[0], v[1], plain);
    case OpKind::Popc:
    case OpKind::Clz:
    case OpKind::Ffs:
    case OpKind::Brev: return count_bits(kind, type, v[0]);
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge: return compare(kind, type, v[0], v[1]);
    default: break;
  }
  throw ir::InternalError("no integer form of `" + std::string(ir::info(kind).text) + "` in CUDA C++");
}

}  // namespace lanewise::codegen::cuda_cpp
