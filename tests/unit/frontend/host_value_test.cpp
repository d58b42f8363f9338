// Arithmetic on constants: Python's for Python numbers, docs/language.md, "Numbers" for typed ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "frontend/frontend.h"
#include "frontend/host_numbers.h"

namespace lanewise::frontend {
namespace {

HostValue num(int64_t value) { return {HostValue::Int{value, false}}; }
HostValue big(uint64_t value) { return {HostValue::Int{static_cast<int64_t>(value), value >> 63 != 0}}; }
template <class T>
HostValue typed(ir::Type type, T value) {
  if constexpr (std::is_integral_v<T>) return {HostValue::Typed{type, int64_t{value}}};
  return {HostValue::Typed{type, static_cast<double>(value)}};
}
HostValue tuple(std::vector<HostValue> items) { return {HostValue::Tuple{std::move(items)}}; }

// "3", "18446744073709551615", "2.5", "True", "i32(3)", "(1, 2)"; "none" where there is no value.
std::string show(const std::optional<HostValue>& value) {
  if (!value) return "none";
  const auto& v = value->value;
  if (auto* b = std::get_if<bool>(&v)) return *b ? "True" : "False";
  if (auto* i = std::get_if<HostValue::Int>(&v))
    return i->is_uint64 ? std::to_string(static_cast<uint64_t>(i->value)) : std::to_string(i->value);
  auto real = [](double d) {
    std::string text = std::to_string(d);
    while (text.ends_with('0')) text.pop_back();
    return text;
  };
  if (auto* d = std::get_if<double>(&v)) return real(*d);
  if (auto* t = std::get_if<HostValue::Typed>(&v)) {
    auto* d = std::get_if<double>(&t->value);
    return ir::to_string(t->type) + "(" + (d ? real(*d) : std::to_string(std::get<int64_t>(t->value))) + ")";
  }
  if (auto* s = std::get_if<std::string>(&v)) return "'" + *s + "'";
  if (auto* t = std::get_if<HostValue::Tuple>(&v)) {
    std::string out = "(";
    for (const HostValue& item : t->items) out += (out.size() > 1 ? ", " : "") + show(item);
    return out + ")";
  }
  return std::holds_alternative<HostValue::None>(v) ? "None" : "other";
}

std::string calc(const HostValue& a, Operator op, const HostValue& b) {
  return show(evaluate_binary(op, a, b));
}
std::string calc(Operator op, const HostValue& a) { return show(evaluate_unary(op, a)); }

using enum Operator;
constexpr int64_t kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
constexpr uint64_t kMaxU = std::numeric_limits<uint64_t>::max();

TEST(PythonNumbers, IntsAreExactUpTo64Bits) {
  EXPECT_EQ(calc(num(kMax), Add, num(1)), "9223372036854775808");
  EXPECT_EQ(calc(big(kMaxU), Add, num(1)), "none");
  EXPECT_EQ(calc(num(kMin), Sub, num(1)), "none");
  EXPECT_EQ(calc(big(kMaxU), Sub, big(kMaxU)), "0");
  EXPECT_EQ(calc(num(int64_t{1} << 32), Mul, num((int64_t{1} << 32) - 1)), "18446744069414584320");
  EXPECT_EQ(calc(num(int64_t{1} << 32), Mul, num(int64_t{1} << 32)), "none");
  EXPECT_EQ(calc(Neg, num(kMin)), "9223372036854775808");
  EXPECT_EQ(calc(Neg, big(kMaxU)), "none");
  EXPECT_EQ(calc(Invert, num(5)), "-6");
  EXPECT_EQ(calc({true}, Add, {true}), "2");
  EXPECT_EQ(calc(Neg, {true}), "-1");
  EXPECT_EQ(calc(Invert, {true}), "False");
}

TEST(PythonNumbers, DivisionFloors) {
  EXPECT_EQ(calc(num(-7), FloorDiv, num(2)), "-4");
  EXPECT_EQ(calc(num(-7), Mod, num(2)), "1");
  EXPECT_EQ(calc(num(7), FloorDiv, num(-2)), "-4");
  EXPECT_EQ(calc(num(7), Mod, num(-2)), "-1");
  EXPECT_EQ(calc(num(kMin), FloorDiv, num(-1)), "9223372036854775808");
  EXPECT_EQ(calc({-7.5}, FloorDiv, num(2)), "-4.");
  EXPECT_EQ(calc({-7.5}, Mod, num(2)), "0.5");
  EXPECT_EQ(calc({7.5}, Mod, {-2.0}), "-0.5");
  EXPECT_EQ(calc({1e300}, FloorDiv, {std::numeric_limits<double>::infinity()}), "0.");
  EXPECT_EQ(calc({-1.0}, FloorDiv, {std::numeric_limits<double>::infinity()}), "-1.");
  for (Operator op : {Div, FloorDiv, Mod}) {
    EXPECT_EQ(calc(num(1), op, num(0)), "none");
    EXPECT_EQ(calc({1.0}, op, {0.0}), "none");
  }
  EXPECT_TRUE(std::signbit(std::get<double>(evaluate_binary(Mod, {4.0}, {-2.0})->value)));
}

TEST(PythonNumbers, TrueDivisionRoundsOnce) {
  EXPECT_EQ(calc(num(7), Div, num(2)), "3.5");
  auto quotient = [](uint64_t a, uint64_t b) {
    return std::get<double>(evaluate_binary(Div, big(a), big(b))->value);
  };
  EXPECT_EQ(quotient(1, 3), 1.0 / 3.0);
  // (2**54 + 2) / 1 is half-way: to even. Above the half-way point by a fraction: up.
  EXPECT_EQ(quotient((1ull << 54) + 2, 1), 0x1p54);
  EXPECT_EQ(quotient(((1ull << 54) + 2) * 3 + 1, 3), 0x1p54 + 4);
  EXPECT_EQ(quotient(kMaxU, kMaxU - 1), 1.0);
  EXPECT_EQ(quotient(1, kMaxU), 0x1p-64);
  EXPECT_EQ(std::get<double>(evaluate_binary(Div, num(kMin), num(-1))->value), 0x1p63);
}

TEST(PythonNumbers, Powers) {
  EXPECT_EQ(calc(num(2), Pow, num(63)), "9223372036854775808");
  EXPECT_EQ(calc(num(2), Pow, num(64)), "none");
  EXPECT_EQ(calc(num(-2), Pow, num(63)), "-9223372036854775808");
  EXPECT_EQ(calc(num(-1), Pow, num(kMax)), "-1");
  EXPECT_EQ(calc(num(0), Pow, num(0)), "1");
  EXPECT_EQ(calc(num(2), Pow, num(-2)), "0.25");
  EXPECT_EQ(calc(num(0), Pow, num(-1)), "none");
  EXPECT_EQ(calc({4.0}, Pow, {0.5}), "2.");
  EXPECT_EQ(calc({-4.0}, Pow, {0.5}), "none");
  EXPECT_EQ(calc({0.0}, Pow, {-1.0}), "none");
  EXPECT_EQ(calc({1e200}, Pow, num(2)), "none");
}

TEST(PythonNumbers, BitsAndShifts) {
  EXPECT_EQ(calc(num(-1), BitAnd, big(kMaxU)), "18446744073709551615");
  EXPECT_EQ(calc(num(-1), BitXor, big(kMaxU)), "none");  // -2**64
  EXPECT_EQ(calc(num(6), BitOr, num(9)), "15");
  EXPECT_EQ(calc({true}, BitXor, {true}), "False");
  EXPECT_EQ(calc({true}, BitOr, num(2)), "3");
  EXPECT_EQ(calc(num(1), Shl, num(63)), "9223372036854775808");
  EXPECT_EQ(calc(num(1), Shl, num(64)), "none");
  EXPECT_EQ(calc(num(0), Shl, num(kMax)), "0");
  EXPECT_EQ(calc(num(-5), Shr, num(1)), "-3");
  EXPECT_EQ(calc(num(-5), Shr, num(kMax)), "-1");
  EXPECT_EQ(calc(num(1), Shr, num(-1)), "none");
  EXPECT_EQ(calc({1.0}, BitAnd, num(1)), "none");
}

TEST(PythonNumbers, ComparisonsAreExact) {
  EXPECT_EQ(calc(num(kMax), Lt, {0x1p63}), "True");
  EXPECT_EQ(calc(num(kMax), Eq, {0x1p63}), "False");
  EXPECT_EQ(calc(big(uint64_t{1} << 63), Eq, {0x1p63}), "True");
  EXPECT_EQ(calc(num(-1), Lt, big(kMaxU)), "True");
  EXPECT_EQ(calc({2.5}, Gt, num(2)), "True");
  EXPECT_EQ(calc(num(2), Ge, {2.5}), "False");
  EXPECT_EQ(calc(num(-2), Gt, {-2.5}), "True");
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (Operator op : {Lt, Le, Gt, Ge, Eq}) EXPECT_EQ(calc(num(1), op, {nan}), "False");
  EXPECT_EQ(calc({nan}, Ne, {nan}), "True");
  EXPECT_EQ(calc({true}, Eq, num(1)), "True");
}

TEST(HostValues, TuplesStringsNone) {
  HostValue a = tuple({num(1), num(2)}), none{HostValue::None{}}, text{std::string("ab")};
  EXPECT_EQ(calc(a, Add, tuple({{2.5}})), "(1, 2, 2.5)");
  EXPECT_EQ(calc(a, Mul, num(2)), "(1, 2, 1, 2)");
  EXPECT_EQ(calc(num(-1), Mul, a), "()");
  EXPECT_EQ(calc(a, Mul, num(kMax)), "none");
  EXPECT_EQ(calc(a, Lt, tuple({num(1), num(3)})), "True");
  EXPECT_EQ(calc(a, Gt, tuple({num(1)})), "True");
  EXPECT_EQ(calc(a, Eq, tuple({{1.0}, {2.0}})), "True");
  EXPECT_EQ(calc(a, Lt, num(1)), "none");
  EXPECT_EQ(calc(num(2), In, a), "True");
  EXPECT_EQ(calc(num(3), NotIn, a), "True");
  EXPECT_EQ(calc(text, Eq, {std::string("ab")}), "True");
  EXPECT_EQ(calc(text, Eq, num(1)), "False");
  EXPECT_EQ(calc({std::string("b")}, In, text), "True");
  EXPECT_EQ(calc(none, Is, none), "True");
  EXPECT_EQ(calc(none, IsNot, num(1)), "True");
  EXPECT_EQ(calc(none, Add, num(1)), "none");
  EXPECT_EQ(calc(num(0), And, num(5)), "0");
  EXPECT_EQ(calc(num(0), Or, text), "'ab'");
  EXPECT_EQ(calc(Not, tuple({})), "True");
  EXPECT_EQ(calc(Not, {HostValue::Builtin{"gpu"}}), "none");
}

TEST(TypedNumbers, FloatsKeepTheirWidth) {
  HostValue f32 = typed(ir::kF32, 0.1f), f16 = typed(ir::kF16, 0.5);
  EXPECT_EQ(calc(f32, Mul, {0.5}), "f32(0.05)");
  EXPECT_EQ(calc(num(2), Mul, typed(ir::kF32, 1.5)), "f32(3.)");
  EXPECT_EQ(calc(typed(ir::kF32, 1.5), Add, typed(ir::kF64, 1.0)), "f64(2.5)");
  EXPECT_EQ(calc(typed(ir::kI32, 3), Mul, typed(ir::kF32, 0.5)), "f32(1.5)");
  EXPECT_EQ(calc(f16, Add, num(1)), "f16(1.5)");
  EXPECT_EQ(calc(f16, Add, typed(ir::kI32, 1)), "f32(1.5)");
  EXPECT_EQ(calc(typed(ir::kI32, 1), Div, num(2)), "f64(0.5)");
  EXPECT_EQ(calc(typed(ir::kI32, 1), Add, {0.5}), "f64(1.5)");
  EXPECT_EQ(calc(typed(ir::kF32, -7.5), FloorDiv, num(2)), "f32(-4.)");
  // The sum is rounded to the type: 1 + 2**-30 is 1 in float32.
  EXPECT_EQ(
      std::get<double>(
          std::get<HostValue::Typed>(evaluate_binary(Add, typed(ir::kF32, 1.0), {0x1p-30})->value).value),
      1.0);
}

TEST(TypedNumbers, IntegersPromote) {
  EXPECT_EQ(calc(typed(ir::kU8, 200), Add, typed(ir::kU8, 100)), "i32(300)");
  EXPECT_EQ(calc(typed(ir::kU8, 1), Sub, typed(ir::kU8, 2)), "i32(-1)");
  EXPECT_EQ(calc(typed(ir::kBool, 1), Add, typed(ir::kBool, 1)), "i32(2)");
  EXPECT_EQ(calc(typed(ir::kI32, 1), Add, typed(ir::kU32, 1)), "i64(2)");
  EXPECT_EQ(calc(typed(ir::kI64, 1), Add, typed(ir::kU64, 1)), "u64(2)");
  EXPECT_EQ(calc(typed(ir::kU32, 0xFFFFFFFF), Add, num(1)), "u32(0)");
  EXPECT_EQ(calc(typed(ir::kU32, 1), Add, num(-1)), "i64(0)");
  EXPECT_EQ(calc(typed(ir::kI32, 1), Add, num(int64_t{1} << 40)), "i64(1099511627777)");
  EXPECT_EQ(calc(typed(ir::kI32, 7), FloorDiv, num(0)), "none");
  EXPECT_EQ(calc(typed(ir::kI32, 2), Pow, num(-1)), "i32(0)");
  EXPECT_EQ(calc(Neg, typed(ir::kU8, 1)), "i32(-1)");
  EXPECT_EQ(calc(Invert, typed(ir::kBool, 1)), "bool(0)");
  EXPECT_EQ(calc(Invert, typed(ir::kU32, 0)), "u32(4294967295)");
  EXPECT_EQ(calc(typed(ir::kBool, 1), BitAnd, {true}), "bool(1)");
  EXPECT_EQ(calc(typed(ir::kF32, 1.0), BitAnd, num(1)), "none");
}

TEST(TypedNumbers, ShiftsAndComparisons) {
  EXPECT_EQ(calc(typed(ir::kU8, 255), Shl, num(8)), "i32(65280)");
  EXPECT_EQ(calc(typed(ir::kU32, 1), Shl, num(32)), "u32(0)");
  EXPECT_EQ(calc(typed(ir::kI32, -8), Shr, num(-1)), "i32(-1)");
  EXPECT_EQ(calc(num(1), Shl, typed(ir::kI32, 40)), "i64(1099511627776)");
  EXPECT_EQ(calc(typed(ir::kI32, -1), Lt, typed(ir::kU64, 1)), "bool(1)");
  EXPECT_EQ(calc(typed(ir::kF32, 0.1f), Eq, {0.1}), "bool(1)");  // 0.1 is rounded to float32 first
  EXPECT_EQ(calc(typed(ir::kF64, 0.1f), Eq, {0.1}), "bool(0)");
}

TEST(Casts, FollowTheLanguage) {
  auto cast = [](ir::Type type, bool python, const HostValue& v) {
    return show(evaluate_cast({type, python}, v));
  };
  EXPECT_EQ(cast(ir::kF32, false, num(3)), "f32(3.)");
  EXPECT_EQ(cast(ir::kI8, false, num(300)), "none");
  EXPECT_EQ(cast(ir::kI8, false, typed(ir::kI32, 300)), "i8(44)");
  EXPECT_EQ(cast(ir::kI32, false, {-2.9}), "i32(-2)");
  EXPECT_EQ(cast(ir::kI64, true, {-2.9}), "-2");
  EXPECT_EQ(cast(ir::kI64, true, {1e30}), "none");
  EXPECT_EQ(cast(ir::kI64, true, {std::numeric_limits<double>::quiet_NaN()}), "none");
  EXPECT_EQ(cast(ir::kF64, true, typed(ir::kU8, 7)), "7.");
  EXPECT_EQ(cast(ir::kBool, true, {0.5}), "True");
  EXPECT_EQ(cast(ir::kBool, false, num(0)), "bool(0)");
  EXPECT_EQ(cast(ir::kF16, false, {0.1}), "f16(0.099976)");
}

}  // namespace
}  // namespace lanewise::frontend
