// Conversions, which C++ leaves undefined where they do not fit, and bits as other types.
#include "codegen/cuda_cpp/writer.h"

namespace lanewise::codegen::cuda_cpp {

using ir::Type;

Expr FunctionWriter::cast(const Expr& e, Type from, Type to) {
  if (from == to) return e;
  if (from.is_float() && from.bits == 16 && !to.is_float())
    return cast(c_cast("float", e, ir::kF32), ir::kF32, to);
  if (to.is_bool())
    return binary(e, "!=", from.is_float() ? literal(0.0, from) : int_literal(0), Binding::Equality, to);
  if (to.is_float() && to.bits == 16) return to_narrow(e, from, to);
  if (to.is_float()) return c_cast(type_name(to), e, to);
  if (from.is_float()) return float_to_int(e, from, to);
  // A wider type that holds every value: C++ converts where it must.
  bool keeps = from.is_bool() || (to.bits > from.bits && (from.is_unsigned() || to.is_signed()));
  if (keeps && !from.is_bool()) return e;
  if (from.is_bool()) {
    Expr number = c_cast("int", e, ir::kI32);
    number.not_negative = true;
    return number;
  }
  Expr made = c_cast(type_name(to), e, to);
  made.not_negative = to.is_unsigned();
  return made;
}

Expr FunctionWriter::float_to_int(const Expr& e, Type from, Type to) {
  bool is_double = from.bits == 64;
  std::string target = (to.is_signed() ? "int" : "uint") + std::to_string(to.bits == 64 ? 64 : 32);
  std::string function = !is_double && to.bits < 64
                             ? to.is_signed() ? "__float2int_rz" : "__float2uint_rz"
                             : file_.helpers.use((is_double ? "double_to_" : "float_to_") + target);
  Type made = to.bits == 64 ? to : to.is_signed() ? ir::kI32 : ir::kU32;
  Expr whole = call(function, made, e.text);
  if (to.bits >= 32) return whole;
  if (!to.is_signed()) return call("min", made, whole.text, to.bits == 8 ? "255u" : "65535u");
  return call(file_.helpers.use("clamp"), made, whole.text, to.bits == 8 ? "-128" : "-32768",
              to.bits == 8 ? "127" : "32767");
}

// To a float16 or bfloat16, rounded once.
Expr FunctionWriter::to_narrow(const Expr& e, Type from, Type to) {
  file_.helpers.use(type_name(to));
  bool brain = to == ir::kBF16;
  std::string name = type_name(to);
  if (from == ir::kF64) return call(file_.helpers.use("double_to_" + name), to, e.text);
  if (from.is_float())
    return call(file_.helpers.use("to_" + name), to,
                from.bits == 16 ? c_cast("float", e, ir::kF32).text : e.text);
  // An integer that a float does not hold exactly is beyond float16's range.
  if (!brain || from.bits <= 16)
    return call(file_.helpers.use("to_" + name), to, c_cast("float", e, ir::kF32).text);
  if (from.bits == 32)
    return call(file_.helpers.use("double_to_" + name), to, c_cast("double", e, ir::kF64).text);
  return call(file_.helpers.use(from.is_signed() ? "int64_to_bfloat16" : "uint64_to_bfloat16"), to, e.text);
}

Expr FunctionWriter::to_bits(const Expr& e, Type type) {
  Type bits{Type::Kind::UInt, type.is_bool() ? uint8_t{32} : type.bits};
  if (!type.is_float()) return as(e, bits);
  if (type.bits == 16) return primary(within(e, Binding::Postfix) + ".bits", bits);
  if (type.bits == 32) return call("__float_as_uint", bits, e.text);
  return c_cast(type_name(bits), call("__double_as_longlong", ir::kI64, e.text), bits);
}

// From an unsigned integer of the same width.
Expr FunctionWriter::from_bits(const Expr& e, Type type) {
  if (!type.is_float())
    return type.is_bool() ? binary(e, "!=", int_literal(0), Binding::Equality, type) : as(e, type);
  if (type.bits == 16) {
    file_.helpers.use(type_name(type));
    return primary(type_name(type) + "{" + as(e, ir::kU16).text + "}", type);
  }
  if (type.bits == 32) return call("__uint_as_float", type, e.text);
  return call("__longlong_as_double", type, as(e, ir::kI64).text);
}

Expr FunctionWriter::bitcast(const Expr& e, Type from, Type to) {
  if (from == to) return e;
  if (from == ir::kF32 && to == ir::kI32) return call("__float_as_int", to, e.text);
  if (from == ir::kI32 && to == ir::kF32) return call("__int_as_float", to, e.text);
  if (from == ir::kF64 && to == ir::kI64) return call("__double_as_longlong", to, e.text);
  if (from == ir::kI64 && to == ir::kF64) return call("__longlong_as_double", to, e.text);
  return from_bits(to_bits(e, from), to);
}

}  // namespace lanewise::codegen::cuda_cpp
