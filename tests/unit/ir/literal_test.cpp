// Canonical immediates: wrapping, rounding, and what counts as canonical.
#include "ir/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/error.h"

namespace lanewise::ir {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Literal, IntegersKeepTheirLowBits) {
  EXPECT_EQ(wrap_int(kI8, 128), -128);
  EXPECT_EQ(wrap_int(kU8, -1), 255);
  EXPECT_EQ(wrap_int(kI32, int64_t{1} << 31), -(int64_t{1} << 31));
  EXPECT_EQ(wrap_int(kU32, -1), 4294967295);
  EXPECT_EQ(wrap_int(kU64, -1), -1);
  EXPECT_EQ(wrap_int(kI64, std::numeric_limits<int64_t>::min()), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(wrap_int(kBool, 3), 1);
  EXPECT_EQ(wrap_int(kBool, 2), 0);
}

TEST(Literal, FloatsRoundToNearestEven) {
  EXPECT_EQ(round_float(kF32, 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(round_float(kF64, 0.1), 0.1);
  EXPECT_EQ(round_float(kF32, 1e300), kInfinity);
}

TEST(Literal, HalvesByHand) {
  EXPECT_EQ(round_float(kF16, 1.0 + 1.0 / 2048), 1.0);               // a tie goes to the even 1.0
  EXPECT_EQ(round_float(kF16, 1.0 + 3.0 / 2048), 1.0 + 2.0 / 1024);  // a tie goes to the even 1 + 2/1024
  EXPECT_EQ(round_float(kF16, 2049), 2048);
  EXPECT_EQ(round_float(kF16, 2051), 2052);
  EXPECT_EQ(round_float(kF16, 65504), 65504);
  EXPECT_EQ(round_float(kF16, 65519.99), 65504);
  EXPECT_EQ(round_float(kF16, 65520), kInfinity);
  EXPECT_EQ(round_float(kF16, -1e9), -kInfinity);
  double least = std::ldexp(1.0, -24);
  EXPECT_EQ(round_float(kF16, least), least);
  EXPECT_EQ(round_float(kF16, least / 2), 0.0);  // a tie goes to the even 0
  EXPECT_EQ(round_float(kF16, least * 0.75), least);
  EXPECT_TRUE(std::signbit(round_float(kF16, -least / 4)));
  EXPECT_TRUE(std::isnan(round_float(kF16, std::nan(""))));
}

TEST(Literal, Canonical) {
  EXPECT_TRUE(is_literal(kU8, int64_t{255}));
  EXPECT_FALSE(is_literal(kU8, int64_t{256}));
  EXPECT_FALSE(is_literal(kI8, int64_t{255}));
  EXPECT_FALSE(is_literal(kBool, int64_t{-1}));
  EXPECT_FALSE(is_literal(kF32, 0.1));
  EXPECT_TRUE(is_literal(kF32, 0.5));
  EXPECT_TRUE(is_literal(kF32, -0.0));
  EXPECT_TRUE(is_literal(kF16, std::nan("")));
  EXPECT_FALSE(is_literal(kF32, int64_t{1}));
  EXPECT_FALSE(is_literal(kI32, 1.0));
  EXPECT_FALSE(is_literal(kI32, Immediate{}));
  EXPECT_FALSE(is_literal(kF32.pointer(Space::Global), int64_t{0}));
}

TEST(Literal, WhatHasNoMeaningIsAFault) {
  EXPECT_THROW(literal(kI32, 1.5), InternalError);
  EXPECT_THROW(literal(kI32, Immediate{}), InternalError);
  EXPECT_EQ(std::get<double>(literal(kF32, int64_t{16777217})), 16777216.0);
}

}  // namespace
}  // namespace lanewise::ir
