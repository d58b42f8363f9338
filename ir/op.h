// OpKind and what ops.def says of each op, its signature parsed at compile time.
#pragma once
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "ir/type.h"

namespace lanewise::ir {

enum class OpKind : uint8_t {
#define OP(Enum, ...) Enum,
#include "ir/ops.def"
};

enum class Effect : uint8_t { None, Read, Write, Barrier, Warp, Control };
enum class TypeClass : uint8_t { Any, Scalar, Num, Int, Float, Bits };

// One operand or result position of a signature.
struct Slot {
  char letter = 0;  // type variable, 0 if the type is fixed
  TypeClass bound = TypeClass::Any;
  bool pointer = false, var = false;  // the slot is ptr<letter> or var<letter>
  Type fixed;                         // the type if letter == 0
};

struct Signature {
  static constexpr size_t kMaxOperands = 4;
  std::array<Slot, kMaxOperands> operands{};
  uint8_t operand_count = 0;
  bool more_operands = false;  // "..."
  Slot result{};
  bool has_result = false, more_results = false;
};

// Whether a type (of an operand, or the element of a ptr<> or var<>) is in the class.
constexpr bool in_class(Type type, TypeClass bound) {
  switch (bound) {
    case TypeClass::Any: return !type.is_void() && !type.is_var();
    case TypeClass::Scalar: return type.is_scalar();
    case TypeClass::Num: return type.is_int() || type.is_float();
    case TypeClass::Int: return type.is_int();
    case TypeClass::Float: return type.is_float();
    case TypeClass::Bits: return type.is_int() || type.is_bool();
  }
  return false;
}

// Parses the signature column. A typo in ops.def does not compile.
consteval Signature parse_signature(std::string_view text) {
  Signature signature;
  auto require = [](bool good) {
    if (!good) throw "malformed signature in ops.def";
  };
  auto slot = [&](std::string_view s) {
    Slot out;
    if (size_t colon = s.find(':'); colon != s.npos) {
      constexpr struct {
        std::string_view name;
        TypeClass bound;
      } kClasses[] = {{"any", TypeClass::Any}, {"scalar", TypeClass::Scalar}, {"num", TypeClass::Num},
                      {"int", TypeClass::Int}, {"float", TypeClass::Float},   {"bits", TypeClass::Bits}};
      bool known = false;
      for (auto& c : kClasses)
        if (c.name == s.substr(colon + 1)) out.bound = c.bound, known = true;
      require(known);
      s = s.substr(0, colon);
    }
    if (s.starts_with("ptr<")) out.pointer = true, s = s.substr(4, s.size() - 5);
    if (s.starts_with("var<")) out.var = true, s = s.substr(4, s.size() - 5);
    if (s.size() == 1 && s[0] >= 'A' && s[0] <= 'Z') {
      out.letter = s[0];
      return out;
    }
    out.fixed = parse_type(s);
    require(!out.fixed.is_void());
    return out;
  };
  size_t close = text.find(')');
  require(!text.empty() && text[0] == '(' && close != text.npos);
  std::string_view rest = text.substr(1, close - 1);
  while (!rest.empty()) {
    size_t comma = rest.find(", ");
    std::string_view one = rest.substr(0, comma);
    if (one == "...") {
      signature.more_operands = true;
    } else {
      require(signature.operand_count < Signature::kMaxOperands);
      signature.operands[signature.operand_count++] = slot(one);
    }
    rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 2);
  }
  std::string_view tail = text.substr(close + 1);
  if (tail.empty()) return signature;
  require(tail.starts_with(" -> "));
  if (tail.substr(4) == "...") {
    signature.more_results = true;
  } else {
    signature.has_result = true;
    signature.result = slot(tail.substr(4));
  }
  return signature;
}

struct OpInfo {
  std::string_view text, signature_text;
  Signature signature;
  Effect effect;
  std::string_view regions, doc;
};

inline constexpr OpInfo kOps[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) \
  {text, sig, parse_signature(sig), Effect::effect, regions, doc},
#include "ir/ops.def"
};
inline constexpr size_t kOpCount = std::size(kOps);

constexpr const OpInfo& info(OpKind kind) { return kOps[static_cast<size_t>(kind)]; }

// --- kinds of ops; where several rows do the same in different ways
constexpr bool is_load(OpKind kind) {
  return kind == OpKind::Load || (kind >= OpKind::LoadCa && kind <= OpKind::AtomicLoad);
}
constexpr bool is_store(OpKind kind) {
  return kind == OpKind::Store || (kind >= OpKind::StoreWb && kind <= OpKind::AtomicStore);
}
constexpr bool is_atomic(OpKind kind) { return kind >= OpKind::AtomicAdd && kind <= OpKind::AtomicCas; }
constexpr bool is_fence(OpKind kind) { return kind >= OpKind::FenceBlock && kind <= OpKind::Fence; }
// Clocks, registers of the machine and the like: no memory, but neither dropped nor moved.
constexpr bool is_machine_op(OpKind kind) { return kind >= OpKind::Nanosleep && kind <= OpKind::Breakpoint; }
// Whether the op has an order and a scope: memory_order.h.
constexpr bool has_order(OpKind kind) {
  return is_atomic(kind) || kind == OpKind::AtomicLoad || kind == OpKind::AtomicStore ||
         kind == OpKind::Fence;
}
constexpr bool is_barrier(OpKind kind) { return info(kind).effect == Effect::Barrier; }
constexpr bool is_warp_op(OpKind kind) { return info(kind).effect == Effect::Warp; }
// Threads wait for others: no pass may copy such an op or move it to another turn or arm.
constexpr bool meets_others(OpKind kind) { return is_barrier(kind) || is_warp_op(kind); }

// The comparison that is true where this one is false; of integers and bools, since a NaN makes most false.
constexpr OpKind negated_comparison(OpKind compare) {
  switch (compare) {
    case OpKind::Eq: return OpKind::Ne;
    case OpKind::Ne: return OpKind::Eq;
    case OpKind::Lt: return OpKind::Ge;
    case OpKind::Le: return OpKind::Gt;
    case OpKind::Gt: return OpKind::Le;
    default: return OpKind::Lt;
  }
}

// Whether the op may only stand last in a region.
constexpr bool is_terminator(OpKind kind) {
  switch (kind) {
    case OpKind::Yield:
    case OpKind::Continue:
    case OpKind::Break:
    case OpKind::Leave:
    case OpKind::Return:
    case OpKind::Exit:
    case OpKind::Unreachable: return true;
    default: return false;
  }
}

}  // namespace lanewise::ir
