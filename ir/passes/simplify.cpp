// The identities. Each must hold for every operand value, NaN and -0.0 included; int ones wrap.
#include "ir/passes/simplify.h"

#include <bit>
#include <cmath>

#include "ir/passes/tree.h"

namespace lanewise::ir {
namespace {

bool is_compare(OpKind kind) { return kind >= OpKind::Eq && kind <= OpKind::Ge; }

// Whether every value of `from` is one of `to`, so that casting there and on is casting directly.
bool is_lossless(Type from, Type to) {
  if (from.is_bool()) return true;
  if (to.is_bool()) return false;
  unsigned significand = to.bits == 64 ? 53 : to.bits == 32 ? 24 : to == kBF16 ? 8 : 11;
  if (from.is_float()) return to.is_float() && (to == from || to.bits > from.bits);
  if (to.is_float())
    return static_cast<unsigned>(from.bits) - from.is_signed() <= significand && from.bits <= 32;
  if (from.is_signed() && to.is_unsigned()) return false;
  return from.is_signed() == to.is_signed() ? to.bits >= from.bits : to.bits > from.bits;
}

class Simplifier {
 public:
  Simplifier(Function& function, const std::vector<OpId>& definition, Op& op)
      : function_(function), definition_(definition), op_(op) {}

  Simplified run() {
    if (!is_scalar_op(op_.kind)) return {};
    if (fold()) return {true};
    switch (op_.kind) {
      case OpKind::Select: return select();
      case OpKind::Cast: return cast();
      case OpKind::Not: return negation();
      case OpKind::Neg: return involution(OpKind::Neg);
      case OpKind::Shl:
      case OpKind::Shr: return is(1, 0) || is(0, 0) ? same(0) : Simplified{};
      default: break;
    }
    if (op_.operands.size() != 2) return {};
    Type type = function_.type(op_.operands[0]);
    if (type.is_float()) return binary_float();
    return is_compare(op_.kind) ? compare(type) : binary_int(type);
  }

 private:
  std::optional<Bits> constant(size_t i) const {
    return constant_bits(function_, definition_, op_.operands[i]);
  }
  // Whether an operand is an integer constant; given in its sign-extended form.
  bool is(size_t i, int64_t value) const {
    Type type = function_.type(op_.operands[i]);
    if (type.is_float() || type.is_pointer()) return false;
    auto bits = constant(i);
    return bits && *bits == canonical_bits(type, static_cast<uint64_t>(value));
  }
  bool is_float(size_t i, double value) const {
    auto bits = constant(i);
    return bits && *bits == float_bits(value, function_.type(op_.operands[i]));
  }
  const Op* definition(ValueId v) const { return definition_of(function_, definition_, v); }
  Simplified same(size_t operand) const { return {true, op_.operands[operand]}; }
  Simplified constant_result(int64_t value) {
    become_constant(function_, op_,
                    canonical_bits(function_.type(op_.results[0]), static_cast<uint64_t>(value)));
    return {true};
  }

  // A NaN is not folded: its bits would have to survive the text form.
  bool fold() {
    Bits values[Signature::kMaxOperands] = {};
    for (size_t i = 0; i < op_.operands.size(); ++i) {
      auto bits = constant(i);
      if (!bits) return false;
      values[i] = *bits;
    }
    Type operand = function_.type(op_.operands[op_.kind == OpKind::Select ? 1 : 0]);
    Type result = function_.type(op_.results[0]);
    Bits bits = evaluate_scalar(op_.kind, operand, result, values);
    if (result.is_float() && std::isnan(float_value(bits, result))) return false;
    become_constant(function_, op_, bits);
    return true;
  }

  Simplified select() {
    if (auto condition = constant(0)) return same(*condition ? 1 : 2);
    if (op_.operands[1] == op_.operands[2]) return same(1);
    if (function_.type(op_.operands[1]) != kBool) return {};
    if (is(1, 1) && is(2, 0)) return same(0);
    if (!is(1, 0) || !is(2, 1)) return {};
    op_.kind = OpKind::Not;
    op_.operands.resize(1);
    return {true};
  }

  Simplified cast() {
    Type to = function_.type(op_.results[0]);
    bool changed = false;
    for (;;) {
      Type from = function_.type(op_.operands[0]);
      if (from == to) return same(0);
      const Op* inner = definition(op_.operands[0]);
      if (!inner || inner->kind != OpKind::Cast) return {changed};
      Type origin = function_.type(inner->operands[0]);
      // through a float, an int that does not fit saturates; directly it would wrap
      bool as_int = origin.is_float() || !from.is_float() || !to.is_int() || is_lossless(origin, to);
      bool narrows_again =
          !origin.is_float() && from.is_int() && to.is_int() && from.bits >= to.bits && !origin.is_bool();
      if (!(is_lossless(origin, from) && as_int) && !narrows_again) return {changed};
      op_.operands[0] = inner->operands[0];
      changed = true;
    }
  }

  Simplified negation() {
    const Op* inner = definition(op_.operands[0]);
    if (!inner) return {};
    if (inner->kind == OpKind::Not) return {true, inner->operands[0]};
    if (!is_compare(inner->kind)) return {};
    // of floats only == and != are each other's opposite: with a NaN all orderings are false
    bool exact = !function_.type(inner->operands[0]).is_float() || inner->kind == OpKind::Eq ||
                 inner->kind == OpKind::Ne;
    if (!exact) return {};
    op_.kind = negated_comparison(inner->kind);
    op_.operands = inner->operands;
    return {true};
  }

  Simplified involution(OpKind kind) const {
    const Op* inner = definition(op_.operands[0]);
    if (inner && inner->kind == kind) return {true, inner->operands[0]};
    return {};
  }

  Simplified compare(Type type) {
    if (op_.operands[0] == op_.operands[1])
      return constant_result(op_.kind == OpKind::Eq || op_.kind == OpKind::Le || op_.kind == OpKind::Ge);
    if (!type.is_bool()) return {};
    for (size_t i = 0; i < 2; ++i) {
      bool is_true = is(i, 1), is_false = is(i, 0);
      if (op_.kind == OpKind::Eq ? is_true : op_.kind == OpKind::Ne && is_false) return same(1 - i);
      if (op_.kind == OpKind::Eq ? !is_false : op_.kind != OpKind::Ne || !is_true) continue;
      op_.operands = {op_.operands[1 - i]};
      op_.kind = OpKind::Not;
      return {true};
    }
    return {};
  }

  // x * 1.0 and x / 1.0 are x, and so are x - 0.0 and x + -0.0. No other constant leaves every x alone.
  Simplified binary_float() const {
    switch (op_.kind) {
      case OpKind::Mul: return is_float(1, 1.0) ? same(0) : is_float(0, 1.0) ? same(1) : Simplified{};
      case OpKind::Div: return is_float(1, 1.0) ? same(0) : Simplified{};
      case OpKind::Sub: return is_float(1, 0.0) ? same(0) : Simplified{};
      case OpKind::Add: return is_float(1, -0.0) ? same(0) : is_float(0, -0.0) ? same(1) : Simplified{};
      default: return {};
    }
  }

  Simplified binary_int(Type type) {
    bool equal = op_.operands[0] == op_.operands[1];
    switch (op_.kind) {
      case OpKind::Add: return is(1, 0) ? same(0) : is(0, 0) ? same(1) : Simplified{};
      case OpKind::Sub: return is(1, 0) ? same(0) : equal ? constant_result(0) : Simplified{};
      case OpKind::Mul:
        if (is(0, 0) || is(1, 0)) return constant_result(0);
        return is(1, 1) ? same(0) : is(0, 1) ? same(1) : Simplified{};
      case OpKind::FloorDiv:
        if (is(1, 1)) return same(0);
        return is(0, 0) || is(1, 0) ? constant_result(0) : by_power_of_two(type);
      case OpKind::FloorMod:
        if (is(1, 1) || is(0, 0) || is(1, 0) || (type.is_signed() && is(1, -1))) return constant_result(0);
        return by_power_of_two(type);
      case OpKind::IntPow: return is(1, 0) ? constant_result(1) : is(1, 1) ? same(0) : Simplified{};
      case OpKind::Min:
      case OpKind::Max: return equal ? same(0) : Simplified{};
      case OpKind::And: return bitwise(type, 0, -1);
      case OpKind::Or: return bitwise(type, -1, 0);
      case OpKind::Xor:
        return is(1, 0) ? same(0) : is(0, 0) ? same(1) : equal ? constant_result(0) : Simplified{};
      default: return {};
    }
  }

  // x // 2**n is x >> n, x % 2**n is x & 2**n - 1, for negative x too: both round down.
  Simplified by_power_of_two(Type type) {
    auto bits = constant(1);
    bool positive = bits && (!type.is_signed() || static_cast<int64_t>(*bits) > 0);
    if (!positive || !std::has_single_bit(*bits)) return {};
    bool divides = op_.kind == OpKind::FloorDiv;
    Op constant;
    constant.kind = OpKind::Const;
    constant.range = op_.range;
    constant.call_site = op_.call_site;
    constant.immediate = immediate_of(divides ? static_cast<Bits>(std::countr_zero(*bits)) : *bits - 1, type);
    constant.results = {function_.values.add({"", type})};
    op_.kind = divides ? OpKind::Shr : OpKind::And;
    op_.operands[1] = constant.results[0];
    return {true, {}, function_.ops.add(std::move(constant))};
  }

  // `absorbing` decides the result alone, `neutral` leaves the other operand as it is.
  Simplified bitwise(Type type, int64_t absorbing, int64_t neutral) {
    if (type.is_bool()) {
      absorbing &= 1;
      neutral &= 1;
    }
    if (op_.operands[0] == op_.operands[1]) return same(0);
    if (is(0, absorbing) || is(1, absorbing)) return constant_result(absorbing);
    return is(1, neutral) ? same(0) : is(0, neutral) ? same(1) : Simplified{};
  }

  Function& function_;
  const std::vector<OpId>& definition_;
  Op& op_;
};

}  // namespace

std::optional<Bits> constant_bits(const Function& function, const std::vector<OpId>& definition,
                                  ValueId value) {
  const Op* op = definition_of(function, definition, value);
  if (!op || op->kind != OpKind::Const) return std::nullopt;
  return bits_of(op->immediate, function.type(value));
}

Simplified simplify(Function& function, const std::vector<OpId>& definition, Op& op) {
  return Simplifier(function, definition, op).run();
}

void become_constant(const Function& function, Op& op, Bits bits) {
  op.kind = OpKind::Const;
  op.immediate = immediate_of(bits, function.type(op.results[0]));
  op.operands.clear();
}

}  // namespace lanewise::ir
