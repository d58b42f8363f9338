// Atomics: relaxed, as CUDA's functions are, with fences around them where they have an order. What has no
// function is made of compare-and-swap.
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpKind;
using ir::Type;

namespace {

std::string_view cuda_function(OpKind kind) {
  switch (kind) {
    case OpKind::AtomicAdd: return "atomicAdd";
    case OpKind::AtomicSub: return "atomicSub";
    case OpKind::AtomicNanMin:
    case OpKind::AtomicMin: return "atomicMin";
    case OpKind::AtomicNanMax:
    case OpKind::AtomicMax: return "atomicMax";
    case OpKind::AtomicAnd: return "atomicAnd";
    case OpKind::AtomicOr: return "atomicOr";
    case OpKind::AtomicXor: return "atomicXor";
    case OpKind::AtomicInc: return "atomicInc";
    case OpKind::AtomicDec: return "atomicDec";
    case OpKind::AtomicExch: return "atomicExch";
    default: return "atomicCAS";
  }
}

// The type that the function takes for integers of the type; Void if there is no function.
Type taken_by_function(OpKind kind, Type type) {
  Type bits{Type::Kind::UInt, type.bits};
  switch (kind) {
    case OpKind::AtomicAdd:
    case OpKind::AtomicSub: return type.bits == 64 ? bits : type;  // old - x: see atomic()
    case OpKind::AtomicInc:
    case OpKind::AtomicDec: return type.bits == 64 ? ir::kVoid : bits;
    case OpKind::AtomicMin:
    case OpKind::AtomicMax:
    case OpKind::AtomicNanMin:
    case OpKind::AtomicNanMax: return type;
    default: return type.bits == 64 ? bits : type;
  }
}

}  // namespace

// What the op leaves in memory that holds `old`.
Expr FunctionWriter::combined(OpKind kind, Type type, const Expr& old, const Expr& x) {
  auto of = [&](OpKind scalar) {
    bool splits = std::exchange(splits_products_, false);
    Expr e = scalar_of(scalar, type, type, {old, x}, false, false);
    splits_products_ = splits;
    return e;
  };
  switch (kind) {
    case OpKind::AtomicAdd: return of(OpKind::Add);
    case OpKind::AtomicSub: return of(OpKind::Sub);
    case OpKind::AtomicAnd: return of(OpKind::And);
    case OpKind::AtomicOr: return of(OpKind::Or);
    case OpKind::AtomicXor: return of(OpKind::Xor);
    case OpKind::AtomicExch: return x;
    case OpKind::AtomicNanMin: return of(OpKind::Min);
    case OpKind::AtomicNanMax: return of(OpKind::Max);
    case OpKind::AtomicMin:
    case OpKind::AtomicMax: {
      Expr chosen = of(kind == OpKind::AtomicMin ? OpKind::Min : OpKind::Max);
      if (!type.is_float()) return chosen;
      Expr is_nan = floating(OpKind::IsNan, type, ir::kBool, {old});
      return conditional(is_nan, old, chosen, type);  // a NaN in memory stays
    }
    case OpKind::AtomicInc:
    case OpKind::AtomicDec: {
      Type bits{Type::Kind::UInt, type.bits};
      Expr there = as(old, bits), bound = as(x, bits);
      if (kind == OpKind::AtomicInc)
        return conditional(binary(there, ">=", bound, Binding::Relational, ir::kBool), int_literal(0),
                           binary(there, "+", int_literal(1), Binding::Sum, bits), bits);
      Expr wraps = logic(OpKind::Or, binary(there, "==", int_literal(0), Binding::Equality, ir::kBool),
                         binary(there, ">", bound, Binding::Relational, ir::kBool));
      return conditional(wraps, bound, binary(there, "-", int_literal(1), Binding::Sum, bits), bits);
    }
    default: throw ir::InternalError("`" + std::string(ir::info(kind).text) + "` does not combine");
  }
}

// A function that does the op on an element: by compare-and-swap, or on memory of the thread's own plainly.
std::string FunctionWriter::atomic_function(OpKind kind, Type type, bool own, const std::string& scope) {
  std::string name =
      (own ? "own_" : "") + std::string(ir::info(kind).text) + "_" + ir::to_string(type) + scope;
  std::string element = type_name(type),
              head = "__device__ " + element + " " + name + "(" + element + " *at, ";
  if (type.is_float() && type.bits == 16) file_.helpers.use(element);
  Expr old = primary("old", type), x = primary("x", type);
  if (own && kind == OpKind::AtomicCas) {
    Expr same = binary(to_bits(old, type), "==", to_bits(primary("expected", type), type), Binding::Equality,
                       ir::kBool);
    return file_.helpers.use_own(name, head + element + " expected, " + element + " x) {\n  " + element +
                                           " old = *at;\n  if (" + same.text +
                                           ") *at = x;\n  return old;\n}");
  }
  if (own)
    return file_.helpers.use_own(name, head + element + " x) {\n  " + element + " old = *at;\n  *at = " +
                                           combined(kind, type, old, x).text + ";\n  return old;\n}");
  Type bits{Type::Kind::UInt, type.bits};
  std::string word = type_name(bits), swap = "atomicCAS" + scope;
  if (type.bits == 16 && file_.target.sm < 70) swap = file_.helpers.use("compare_and_swap16");
  if (kind == OpKind::AtomicCas)
    return file_.helpers.use_own(
        name, head + element + " expected, " + element + " x) {\n  return " +
                  from_bits(call(swap, bits, "(" + word + " *)at",
                                 to_bits(primary("expected", type), type).text, to_bits(x, type).text),
                            type)
                      .text +
                  ";\n}");
  std::string body = head + element + " x) {\n  " + word + " *bits = (" + word +
                     " *)at, seen, there = *(volatile " + word + " *)at;\n  do {\n    seen = there;\n    " +
                     element + " old = " + from_bits(primary("seen", bits), type).text + ";\n    " + element +
                     " wanted = " + combined(kind, type, old, x).text + ";\n    if (" +
                     to_bits(primary("wanted", type), type).text + " == seen) break;\n    there = " + swap +
                     "(bits, seen, " + to_bits(primary("wanted", type), type).text +
                     ");\n  } while (there != seen);\n  return " +
                     from_bits(primary("there", bits), type).text + ";\n}";
  return file_.helpers.use_own(name, body);
}

Expr FunctionWriter::atomic(const ir::Op& op) {
  Type pointer = f_.type(op.operands[0]), type = pointer.element();
  Expr x = expr(op.operands[2]);
  std::string address = "&" + element(op).text;
  // The other scopes are the device's or within it.
  bool for_system = ir::ordering_of(op).scope == ir::MemoryScope::System;
  std::string scope = for_system ? "_system" : "";
  auto by_own = [&](bool own) {
    if (for_system && !own && type.bits == 16) refuse(op);
    std::string function = atomic_function(op.kind, type, own, own ? "" : scope);
    if (op.kind == OpKind::AtomicCas) return call(function, type, address, x.text, expr(op.operands[3]).text);
    return call(function, type, address, x.text);
  };
  if (pointer.space == ir::Space::Local) return by_own(true);
  if (type.is_float()) {
    bool sum = op.kind == OpKind::AtomicAdd || op.kind == OpKind::AtomicSub;
    bool has_sum = type == ir::kF32 || (type == ir::kF64 && file_.target.sm >= 60) ||
                   (type == ir::kF16 && file_.target.sm >= 70);
    if (sum && has_sum) {
      // old - x is old + (-x), which is an instruction.
      if (op.kind == OpKind::AtomicSub) x = floating(OpKind::Neg, type, type, {x});
      if (type == ir::kF16 && for_system) refuse(op);
      return call(type == ir::kF16 ? file_.helpers.use("atomic_add_float16") : "atomicAdd" + scope, type,
                  address, x.text);
    }
    if (op.kind == OpKind::AtomicExch && type == ir::kF32)
      return call("atomicExch" + scope, type, address, x.text);
    return by_own(false);
  }
  Type taken = taken_by_function(op.kind, type);
  if (taken.is_void()) return by_own(false);
  std::string function(cuda_function(op.kind));
  if (op.kind == OpKind::AtomicSub && type.bits == 64) {
    function = "atomicAdd";
    x = unary("-", as(x, taken), taken);
  }
  function += scope;
  if (taken != type) address = "(" + type_name(taken) + " *)" + address;
  Expr old = op.kind == OpKind::AtomicCas
                 ? call(function, taken, address, as(x, taken).text, as(expr(op.operands[3]), taken).text)
                 : call(function, taken, address, as(x, taken).text);
  return taken == type ? old : c_cast(type_name(type), old, type);
}

}  // namespace lanewise::codegen::cuda_cpp
