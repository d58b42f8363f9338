// Floats. Float16 and bfloat16 are computed with in float and rounded once, as ir/scalar_ops.cpp has it.
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpKind;
using ir::Type;

namespace {

struct Cuda {
  std::string_view stem;  // of the C function, sin -> sin and sinf; "" if the op is none
};

constexpr Cuda kFunctions[] = {
#define CUSTOM \
  Cuda {}
#define INTRINSIC(name) \
  Cuda { #name }
#define LIBDEVICE(stem) \
  Cuda { stem }
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) NVVM,
#include "ir/ops.def"
#undef CUSTOM
#undef INTRINSIC
#undef LIBDEVICE
};

// Approximate forms of float32, for fast math.
std::string_view fast_form(OpKind kind) {
  switch (kind) {
    case OpKind::Sin: return "__sinf";
    case OpKind::Cos: return "__cosf";
    case OpKind::Tan: return "__tanf";
    case OpKind::Exp: return "__expf";
    case OpKind::Log: return "__logf";
    case OpKind::Log2: return "__log2f";
    case OpKind::Log10: return "__log10f";
    case OpKind::Pow: return "__powf";
    case OpKind::Div: return "__fdividef";
    default: return {};
  }
}

}  // namespace

Expr FunctionWriter::math(OpKind kind, Type type, const std::vector<Expr>& v) {
  std::string function(kFunctions[static_cast<size_t>(kind)].stem);
  LANEWISE_CHECK(!function.empty(), "no function of CUDA C++ for `" + std::string(ir::info(kind).text) + "`");
  if (type.bits == 32) function += "f";
  if (type.bits == 32 && mode_.fast_math && !fast_form(kind).empty()) function = fast_form(kind);
  if (v.size() == 1) return call(function, type, v[0].text);
  if (kind == OpKind::BesselJn || kind == OpKind::BesselYn) return call(function, type, v[1].text, v[0].text);
  if (v.size() == 2) return call(function, type, v[0].text, v[1].text);
  return call(function, type, v[0].text, v[1].text, v[2].text);
}

// So that the compiler makes no fma of it.
Expr FunctionWriter::rounded_apart(OpKind kind, Type type, const Expr& a, const Expr& b) {
  std::string function = type.bits == 32 ? "__f" : "__d";
  function += kind == OpKind::Add ? "add_rn" : kind == OpKind::Sub ? "sub_rn" : "mul_rn";
  return call(function, type, a.text, b.text);
}

Expr FunctionWriter::floating(OpKind kind, Type type, Type result, const std::vector<Expr>& v) {
  if (type.bits == 16) return narrow_float(kind, type, result, v);
  auto with_helper = [&](const char* name, Type of) {
    std::string function = file_.helpers.use(std::string(name) + (type.bits == 32 ? "_float" : "_double"));
    return v.size() == 1 ? call(function, of, v[0].text) : call(function, of, v[0].text, v[1].text);
  };
  std::string f = type.bits == 32 ? "f" : "";
  switch (kind) {
    case OpKind::Add: return binary(v[0], "+", v[1], Binding::Sum, type);
    case OpKind::Sub: return binary(v[0], "-", v[1], Binding::Sum, type);
    case OpKind::Mul:
      if (splits_products_) return rounded_apart(kind, type, v[0], v[1]);
      return binary(v[0], "*", v[1], Binding::Product, type);
    case OpKind::Div:
      if (mode_.fast_math && type.bits == 32) return call("__fdividef", type, v[0].text, v[1].text);
      return binary(v[0], "/", v[1], Binding::Product, type);
    case OpKind::FloorDiv: return with_helper("floor_div", type);
    case OpKind::FloorMod: return with_helper("floor_mod", type);
    case OpKind::Min: return call("fmin" + f, type, v[0].text, v[1].text);
    case OpKind::Max: return call("fmax" + f, type, v[0].text, v[1].text);
    case OpKind::Neg: return unary("-", v[0], type);
    case OpKind::Abs: return call("fabs" + f, type, v[0].text);
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge: return compare(kind, type, v[0], v[1]);
    case OpKind::FrexpFraction: return with_helper("frexp_fraction", type);
    case OpKind::FrexpExponent: return with_helper("frexp_exponent", ir::kI32);
    case OpKind::IsNan: return call("isnan", ir::kBool, v[0].text);
    case OpKind::IsInf: return call("isinf", ir::kBool, v[0].text);
    case OpKind::IsFinite: return call("isfinite", ir::kBool, v[0].text);
    case OpKind::SignBit: return call("signbit", ir::kBool, v[0].text);
    default: return math(kind, type, v);
  }
}

Expr FunctionWriter::narrow_float(OpKind kind, Type type, Type result, const std::vector<Expr>& v) {
  bool brain = type == ir::kBF16;
  auto bits = [&](const Expr& e) { return primary(within(e, Binding::Postfix) + ".bits", ir::kU16); };
  auto from = [&](const Expr& e) { return from_bits(c_cast("unsigned short", e, ir::kU16), type); };
  auto hex = [&](const char* text) { return primary(text, ir::kI32); };
  auto with_sign_of = [&](const Expr& x, const Expr& sign) {
    return binary(binary(bits(x), "&", hex("0x7fff"), Binding::And, ir::kI32), "|", sign, Binding::Or,
                  ir::kI32);
  };
  switch (kind) {
    case OpKind::Neg: return from(binary(bits(v[0]), "^", hex("0x8000"), Binding::Xor, ir::kI32));
    case OpKind::Abs: return from(binary(bits(v[0]), "&", hex("0x7fff"), Binding::And, ir::kI32));
    case OpKind::CopySign:
      return from(with_sign_of(v[0], binary(bits(v[1]), "&", hex("0x8000"), Binding::And, ir::kI32)));
    case OpKind::SignBit:
      return binary(binary(bits(v[0]), "&", hex("0x8000"), Binding::And, ir::kI32), "!=", int_literal(0),
                    Binding::Equality, ir::kBool);
    case OpKind::NextAfter:
      return from_bits(call(file_.helpers.use("next16"), ir::kU16, v[0].text, v[1].text, bits(v[0]).text,
                            bits(v[1]).text, std::string(brain ? "0x7fc0" : "0x7e00")),
                       type);
    case OpKind::Fma:
      if (brain) return call(file_.helpers.use("fma_bfloat16"), type, v[0].text, v[1].text, v[2].text);
      break;
    default: break;
  }
  Type wide = kind == OpKind::Fma ? ir::kF64 : ir::kF32;
  std::vector<Expr> operands;
  for (const Expr& e : v) operands.push_back(e.type == type ? c_cast(type_name(wide), e, wide) : e);
  bool splits = std::exchange(splits_products_, false);  // what is rounded to 16 bits meets no sum
  Expr value = floating(kind, wide, result.is_float() ? wide : result, operands);
  splits_products_ = splits;
  return result.is_float() ? to_narrow(value, wide, type) : value;
}

// The product that a sum takes must be rounded by itself where the function says so.
bool FunctionWriter::may_contract(const ir::Op& op) const {
  if (op.kind != OpKind::Mul || f_.float_mode_of(op).contract) return true;
  for (ir::OpId user : places_.users[op.results[0].index]) {
    OpKind kind = f_.ops[user].kind;
    bool harmless = ir::is_store(kind) || kind == OpKind::Mul || kind == OpKind::Div ||
                    (kind >= OpKind::Eq && kind <= OpKind::Ge) || kind == OpKind::Print;
    if (!harmless) return false;
  }
  return true;
}

}  // namespace lanewise::codegen::cuda_cpp
