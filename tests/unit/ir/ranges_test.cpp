// Range arithmetic against every value of the 8-bit types, and what fold_ranges draws from conditions and
// loops.
#include "ir/ranges.h"

#include <gtest/gtest.h>

#include "ir/ir.h"
#include "ir/scalar_ops.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

Wide value_of(Bits bits, Type type) {
  return type.is_signed() ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
}
Bits bits_of_wide(Wide value, Type type) { return canonical_bits(type, static_cast<uint64_t>(value)); }

// Ends of ranges that matter, for a type.
std::vector<Range> sample_ranges(Type type) {
  std::vector<Wide> ends = {full_range(type).lo, full_range(type).hi, 0, 1, 2, 7, 8, 100};
  if (type.is_signed())
    for (Wide end : {-1, -2, -8, -100}) ends.push_back(end);
  std::vector<Range> out;
  for (Wide lo : ends)
    for (Wide hi : ends)
      if (lo <= hi && hi <= full_range(type).hi) out.push_back({lo, hi});
  return out;
}

// Values of a range: all if there are few, else those near the ends and near zero.
std::vector<Wide> sample_values(const Range& range) {
  std::vector<Wide> out;
  for (Wide v = range.lo; v <= range.hi; ++v) {
    bool near = v < range.lo + 4 || v > range.hi - 4 || (v > -4 && v < 10) || v % 13 == 0;
    if (near) out.push_back(v);
  }
  return out;
}

TEST(Ranges, EveryResultIsInTheRange) {
  constexpr OpKind kBinary[] = {OpKind::Add, OpKind::Sub, OpKind::Mul,    OpKind::FloorDiv, OpKind::FloorMod,
                                OpKind::Min, OpKind::Max, OpKind::IntPow, OpKind::And,      OpKind::Or,
                                OpKind::Xor, OpKind::Shl, OpKind::Shr,    OpKind::Eq,       OpKind::Ne,
                                OpKind::Lt,  OpKind::Le,  OpKind::Gt,     OpKind::Ge};
  for (Type type : {kI8, kU8})
    for (OpKind kind : kBinary) {
      bool compares = kind >= OpKind::Eq && kind <= OpKind::Ge;
      Type result = compares ? kBool : type;
      for (const Range& a : sample_ranges(type))
        for (const Range& b : sample_ranges(type)) {
          Range operands[] = {a, b};
          Range range = result_range(kind, type, result, operands);
          ASSERT_TRUE(range.within(full_range(result)));
          for (Wide x : sample_values(a))
            for (Wide y : sample_values(b)) {
              Bits values[] = {bits_of_wide(x, type), bits_of_wide(y, type)};
              Wide got = value_of(evaluate_scalar(kind, type, result, values), result);
              ASSERT_TRUE(got >= range.lo && got <= range.hi)
                  << info(kind).text << " " << to_string(type) << " " << int(x) << " " << int(y) << " gives "
                  << int(got) << " outside " << int(range.lo) << ".." << int(range.hi);
            }
        }
    }
}

TEST(Ranges, EveryUnaryResultIsInTheRange) {
  for (Type type : {kI8, kU8, kBool})
    for (OpKind kind : {OpKind::Neg, OpKind::Abs, OpKind::Not, OpKind::Cast})
      for (Type to : {kI8, kU8, kBool, kI16, kU16}) {
        if (kind != OpKind::Cast && (to != type || (type.is_bool() && kind != OpKind::Not))) continue;
        for (const Range& a :
             type.is_bool() ? std::vector<Range>{{0, 0}, {0, 1}, {1, 1}} : sample_ranges(type)) {
          Range range = result_range(kind, type, to, &a);
          for (Wide x = a.lo; x <= a.hi; ++x) {
            Bits bits = bits_of_wide(x, type);
            Wide got = value_of(evaluate_scalar(kind, type, to, &bits), to);
            ASSERT_TRUE(got >= range.lo && got <= range.hi) << info(kind).text << " of " << int(x);
          }
        }
      }
}

TEST(Ranges, ProductsOfWideTypesDoNotOverflow) {
  Range full[] = {full_range(kU64), full_range(kU64)};
  EXPECT_EQ(result_range(OpKind::Mul, kU64, kU64, full), full_range(kU64));
  EXPECT_EQ(result_range(OpKind::Shl, kU64, kU64, full), full_range(kU64));
  EXPECT_EQ(result_range(OpKind::Add, kU64, kU64, full), full_range(kU64));
}

TEST(Ranges, ShapesAreKnownByName) {
  EXPECT_TRUE(is_shape_parameter("x.shape0"));
  EXPECT_TRUE(is_shape_parameter("a.b.shape12"));
  EXPECT_FALSE(is_shape_parameter("x.shape"));
  EXPECT_FALSE(is_shape_parameter("shape0"));
  EXPECT_FALSE(is_shape_parameter("x.stride0"));
  EXPECT_FALSE(is_shape_parameter(""));
}

// --- fold_ranges: %bad is a comparison that must be decided to be false, %open one that must not be decided.
void expect_decided(const std::string& body, const std::string& params = "%x.shape0: i64, %any: i64") {
  Module module =
      parse_text("kernel @k(" + params +
                 ", %out: ptr<bool, global>) {\n  %zero = const 0 : i64\n  %one = const 1 : i64\n" +
                 "  %two = const 2 : i64\n" + body + "  return\n}\n");
  if (module.functions.empty()) return;
  fold_ranges(module.entry());
  auto error = verify(module);
  EXPECT_FALSE(error) << error->message;
  std::string after = print(module);
  EXPECT_EQ(after.find("%bad = lt"), after.npos) << after;
  if (body.find("%bad") != body.npos) {
    EXPECT_NE(after.find("%bad = const false"), after.npos) << after;
  }
  size_t open = body.find("%open = ");
  if (open != body.npos) {
    EXPECT_NE(after.find(body.substr(open, 11)), after.npos) << after;
  }
}

TEST(FoldRanges, ThreadIndicesAreNotNegative) {
  expect_decided(R"(
  %t = thread_id_x : i32
  %b = block_id_x : i32
  %d = block_dim_x : i32
  %wt = cast %t : i64
  %wb = cast %b : i64
  %wd = cast %d : i64
  %base = mul %wb, %wd : i64
  %i = add %base, %wt : i64
  %bad = lt %i, %zero : bool
  store %out, %zero, %bad
  %before = sub %i, %one : i64
  %open = lt %before, %zero : bool
  store %out, %one, %open
)");
}

TEST(FoldRanges, NarrowArithmeticMayWrap) {
  expect_decided(R"(
  %b = block_id_x : i32
  %d = block_dim_x : i32
  %i = mul %b, %d : i32
  %none = const 0 : i32
  %open = lt %i, %none : bool
  store %out, %zero, %open
)");
}

TEST(FoldRanges, WhatAGuardSaysHoldsInside) {
  expect_decided(R"(
  %left = lt %zero, %any : bool
  %last = sub %x.shape0, %one : i64
  %right = lt %any, %last : bool
  %inside = and %left, %right : bool
  %outside = sub %any, %one : i64
  %open = lt %outside, %zero : bool
  store %out, %two, %open
  if %inside then {
    %before = sub %any, %one : i64
    %bad = lt %before, %zero : bool
    store %out, %zero, %bad
    %after = add %any, %one : i64
    %bad2 = lt %after, %zero : bool
    store %out, %one, %bad2
    yield
  } else {
    yield
  }
)");
}

TEST(FoldRanges, AValueMadeBeforeTheGuardIsSeenAnew) {
  expect_decided(R"(
  %before = sub %any, %one : i64
  %inside = gt %any, %zero : bool
  if %inside then {
    %bad = lt %before, %zero : bool
    store %out, %zero, %bad
    yield
  } else {
    yield
  }
)");
}

TEST(FoldRanges, AnEarlyReturnIsAGuard) {
  expect_decided(R"(
  %outside = lt %any, %zero : bool
  if %outside then {
    return
  } else {
    yield
  }
  %bad = lt %any, %zero : bool
  store %out, %zero, %bad
)");
}

TEST(FoldRanges, AChainOfReturnsIsAGuard) {
  expect_decided(R"(
  %big = ge %any, %x.shape0 : bool
  if %big then {
    return
  } else {
    %negative = lt %any, %zero : bool
    if %negative then {
      return
    } else {
      yield
    }
    yield
  }
  %bad = lt %any, %zero : bool
  store %out, %zero, %bad
)");
}

TEST(FoldRanges, ShortCircuitFormIsAGuard) {
  expect_decided(R"(
  %left = ge %any, %zero : bool
  %both = if %left : bool then {
    %right = lt %any, %x.shape0 : bool
    yield %right
  } else {
    %no = const false : bool
    yield %no
  }
  if %both then {
    %bad = lt %any, %zero : bool
    store %out, %zero, %bad
    yield
  } else {
    %open = lt %any, %zero : bool
    store %out, %one, %open
    yield
  }
)");
}

TEST(FoldRanges, LoopCountersAreBetweenTheBounds) {
  expect_decided(R"(
  for %zero, %x.shape0, %one do(%k: i64) {
    %bad = lt %k, %zero : bool
    store %out, %k, %bad
    %open = lt %k, %any : bool
    store %out, %k, %open
    yield
  }
  %down = const -1 : i64
  %last = sub %x.shape0, %one : i64
  for %last, %down, %down do(%m: i64) {
    %bad2 = lt %m, %zero : bool
    store %out, %m, %bad2
    yield
  }
)");
}

TEST(FoldRanges, AGridStrideLoopStaysPositive) {
  expect_decided(R"(
  %t = thread_id_x : i32
  %g = grid_dim_x : i32
  %d = block_dim_x : i32
  %start = cast %t : i64
  %wg = cast %g : i64
  %wd = cast %d : i64
  %stride = mul %wg, %wd : i64
  %end = while %start : i64 cond(%i: i64) {
    %more = lt %i, %x.shape0 : bool
    yield %more, %i
  } do(%j: i64) {
    %bad = lt %j, %zero : bool
    store %out, %j, %bad
    %next = add %j, %stride : i64
    yield %next
  }
  %bad2 = lt %end, %zero : bool
  store %out, %zero, %bad2
)");
}

TEST(FoldRanges, AnUnboundedLoopMayWrap) {
  expect_decided(R"(
  %end = while %zero : i64 cond(%i: i64) {
    %more = ne %i, %any : bool
    yield %more, %i
  } do(%j: i64) {
    %open = lt %j, %zero : bool
    store %out, %zero, %open
    %next = add %j, %one : i64
    yield %next
  }
)");
}

TEST(FoldRanges, ACountInABoundedLoopIsBounded) {
  expect_decided(R"(
  %n = for %zero, %x.shape0, %one, %zero : i64 do(%k: i64, %count: i64) {
    %bad = lt %count, %zero : bool
    store %out, %k, %bad
    %some = eq %k, %any : bool
    %next = if %some : i64 then {
      %more = add %count, %two : i64
      yield %more
    } else {
      yield %count
    }
    yield %next
  }
  %bad2 = lt %n, %zero : bool
  store %out, %zero, %bad2
)");
}

TEST(FoldRanges, HalvingStaysInBounds) {
  expect_decided(R"(
  %d = block_dim_x : i32
  %w = cast %d : i64
  %half = floor_div %w, %two : i64
  %end = while %half : i64 cond(%n: i64) {
    %more = gt %n, %zero : bool
    yield %more, %n
  } do(%m: i64) {
    %big = const 513 : i64
    %over = lt %big, %m : bool
    %bad = lt %m, %one : bool
    %either = or %over, %bad : bool
    store %out, %zero, %either
    %next = floor_div %m, %two : i64
    yield %next
  }
)");
}

// x[n - 1 - k] for k in range(n).
TEST(FoldRanges, CountersAreComparedWithTheirBounds) {
  expect_decided(R"(
  for %zero, %x.shape0, %one do(%k: i64) {
    %last = sub %x.shape0, %one : i64
    %mirrored = sub %last, %k : i64
    %bad = lt %mirrored, %zero : bool
    store %out, %k, %bad
    %after = sub %mirrored, %one : i64
    %open = lt %after, %zero : bool
    store %out, %k, %open
    yield
  }
)");
}

TEST(FoldRanges, DifferencesComeFromConditionsToo) {
  expect_decided(R"(
  %small = lt %x.shape0, %y.shape0 : bool
  if %small then {
    %rest = sub %y.shape0, %x.shape0 : i64
    %bad = lt %rest, %one : bool
    store %out, %zero, %bad
    %back = sub %x.shape0, %y.shape0 : i64
    %bad2 = lt %zero, %back : bool
    store %out, %one, %bad2
    yield
  } else {
    yield
  }
  %rest2 = sub %y.shape0, %x.shape0 : i64
  %open = lt %rest2, %zero : bool
  store %out, %zero, %open
)",
                 "%x.shape0: i64, %y.shape0: i64");
}

TEST(FoldRanges, ADifferenceOfUnknownsMayWrap) {
  expect_decided(R"(
  %less = lt %u, %v : bool
  if %less then {
    %rest = sub %v, %u : i64
    %open = lt %rest, %zero : bool
    store %out, %zero, %open
    yield
  } else {
    yield
  }
)",
                 "%u: i64, %v: i64");
}

// for j in range(n): a helper's early returns clamp j - 1 to 0 .. n - 1.
TEST(FoldRanges, ALoopThatTurnsHasBoundsApart) {
  expect_decided(R"(
  for %zero, %x.shape0, %one do(%j: i64) {
    %at = sub %j, %one : i64
    %last = sub %x.shape0, %one : i64
    %c = scope : i64 body {
      %low = lt %at, %zero : bool
      if %low then {
        leave 0 %zero
      } else {
        yield
      }
      %high = gt %at, %last : bool
      if %high then {
        leave 0 %last
      } else {
        yield
      }
      yield %at
    }
    %bad = lt %c, %zero : bool
    store %out, %j, %bad
    yield
  }
)");
}

// What a turn knows is not known of the result: there may be no turn.
TEST(FoldRanges, ALoopMayNotTurn) {
  expect_decided(R"(
  %r = for %zero, %x.shape0, %one, %x.shape0 : i64 do(%j: i64, %n: i64) {
    %bad = lt %n, %one : bool
    store %out, %j, %bad
    yield %n
  }
  %open = lt %r, %one : bool
  store %out, %zero, %open
)");
}

TEST(FoldRanges, FactsEndWithTheirRegion) {
  expect_decided(R"(
  %positive = gt %any, %zero : bool
  if %positive then {
    yield
  } else {
    yield
  }
  %open = lt %any, %zero : bool
  store %out, %zero, %open
)");
}

TEST(FoldRanges, UnsignedComparisonsAreUnsigned) {
  expect_decided(R"(
  %wrapped = sub %u, %v : u64
  %none = const 0 : u64
  %bad = lt %wrapped, %none : bool
  store %out, %zero, %bad
  %open = lt %wrapped, %u : bool
  store %out, %one, %open
)",
                 "%u: u64, %v: u64");
}

}  // namespace
}  // namespace lanewise::ir
