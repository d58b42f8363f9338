// Scalar semantics below the run lines: float16 and bfloat16 conversion in full, literals, memory, trip
// counts.
#include "ir/scalar_ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ir/literal.h"

namespace lanewise::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool is_half_nan(uint32_t bits) { return (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0; }

TEST(BFloat, EveryPatternSurvivesTheWayThroughDouble) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto bfloat = static_cast<uint16_t>(bits);
    bool nan = (bits & 0x7FFF) > 0x7F80;
    double value = bfloat_to_double(bfloat);
    EXPECT_EQ(std::isnan(value), nan);
    EXPECT_EQ(double_to_bfloat(value), nan ? bfloat | 0x40 : bfloat) << bits;  // a signalling NaN turns quiet
  }
}

TEST(BFloat, RoundsOnceToNearestEven) {
  for (uint32_t bits = 0; bits < 0x7F80; ++bits) {
    auto bfloat = static_cast<uint16_t>(bits);
    double low = bfloat_to_double(bfloat);
    double high = bits == 0x7F7F ? 0x1p128 : bfloat_to_double(static_cast<uint16_t>(bfloat + 1));
    double middle = (low + high) / 2;
    auto even = static_cast<uint16_t>(bfloat + (bfloat & 1));
    EXPECT_EQ(double_to_bfloat(middle), even) << bits;
    EXPECT_EQ(double_to_bfloat(std::nextafter(middle, 0.0)), bfloat) << bits;
    EXPECT_EQ(double_to_bfloat(std::nextafter(middle, kInf)), bfloat + 1) << bits;
    EXPECT_EQ(double_to_bfloat(-middle), even | 0x8000) << bits;
  }
  EXPECT_EQ(double_to_bfloat(-kInf), 0xFF80);
  EXPECT_EQ(double_to_bfloat(1e300), 0x7F80);
  EXPECT_EQ(double_to_bfloat(std::numeric_limits<double>::denorm_min()), 0);
  EXPECT_EQ(round_float(kBF16, 257), 256);
  EXPECT_EQ(round_float(kBF16, 259), 260);
  EXPECT_EQ(shortest_decimal(0.10009765625, kBF16), "0.1");
}

TEST(BFloat, IntegersAreRoundedOnce) {
  auto cast = [](int64_t value) {
    auto bits = static_cast<uint64_t>(value);
    return float_value(evaluate_scalar(OpKind::Cast, kI64, kBF16, &bits), kBF16);
  };
  int64_t half = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_EQ(cast(half), 0x1p62);
  EXPECT_EQ(cast(half + 1), 0x1p62 + 0x1p55);
  EXPECT_EQ(cast(-half - 1), -0x1p62 - 0x1p55);
  EXPECT_EQ(cast(257), 256);
}

TEST(Half, EveryPatternSurvivesTheWayThroughDouble) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    double value = half_to_double(half);
    EXPECT_EQ(std::isnan(value), is_half_nan(bits));
    uint16_t back = double_to_half(value);
    if (is_half_nan(bits))
      EXPECT_EQ(back, half | 0x200) << bits;  // a signalling NaN turns quiet
    else
      EXPECT_EQ(back, half) << bits;
  }
}

TEST(Half, RoundsToTheNearerNeighbourAndHalvesToEven) {
  for (uint16_t half = 0; half < 0x7BFF; ++half) {
    double low = half_to_double(half), high = half_to_double(static_cast<uint16_t>(half + 1));
    double middle = low + (high - low) / 2;  // exact: a double has 42 bits to spare
    uint16_t even = half % 2 == 0 ? half : static_cast<uint16_t>(half + 1);
    EXPECT_EQ(double_to_half(middle), even) << half;
    EXPECT_EQ(double_to_half(std::nextafter(middle, 0.0)), half) << half;
    EXPECT_EQ(double_to_half(std::nextafter(middle, kInf)), half + 1) << half;
    EXPECT_EQ(double_to_half(-middle), even | 0x8000) << half;
  }
  EXPECT_EQ(double_to_half(65519.999), 0x7BFF);
  EXPECT_EQ(double_to_half(65520.0), 0x7C00);
  EXPECT_EQ(double_to_half(-kInf), 0xFC00);
  EXPECT_EQ(double_to_half(std::numeric_limits<double>::denorm_min()), 0);
}

TEST(Half, AgreesWithTheRoundingOfLiterals) {
  for (double value : {0.1, 1e-8, 2.98023223876953125e-8, 65519.0, 65520.0, 1e300, -3.14159})
    EXPECT_EQ(half_to_double(double_to_half(value)), round_float(kF16, value)) << value;
}

TEST(ScalarOps, BitsAreExtendedAsTheTypeSays) {
  EXPECT_EQ(canonical_bits(kI8, 0x80), 0xFFFFFFFFFFFFFF80);
  EXPECT_EQ(canonical_bits(kU8, 0xFFFFFF80), 0x80u);
  EXPECT_EQ(canonical_bits(kBool, 2), 0u);
  EXPECT_EQ(canonical_bits(kBool, 3), 1u);
  EXPECT_EQ(canonical_bits(kI64, UINT64_MAX), UINT64_MAX);
}

TEST(ScalarOps, LiteralsAndScalarsKeepTheirValue) {
  EXPECT_EQ(std::get<int64_t>(immediate_of(bits_of(int64_t{-1}, kU64), kU64)), -1);  // as function.h says
  EXPECT_EQ(bits_of(int64_t{300}, kU8), 44u);
  EXPECT_EQ(std::get<double>(immediate_of(bits_of(0.1, kF32), kF32)), static_cast<double>(0.1f));
  EXPECT_EQ(bits_of(int64_t{1}, kF16), 0x3C00u);
  EXPECT_EQ(bits_from_scalar(scalar_from_bits(0x3C00, kF16), kF16), 0x3C00u);
  EXPECT_EQ(scalar_from_bits(0xFFFFFFFFFFFFFFFF, kI8), UINT64_MAX);
}

TEST(ScalarOps, MemoryHoldsElements) {
  unsigned char bytes[8] = {0x80, 0xFF, 0x7F, 1, 2, 3, 4, 5};
  EXPECT_EQ(load_bits(bytes, kI16), 0xFFFFFFFFFFFFFF80);
  EXPECT_EQ(load_bits(bytes, kU16), 0xFF80u);
  EXPECT_EQ(load_bits(bytes, kBool), 1u);  // whatever is not 0 is true
  store_bits(bytes, kI16, static_cast<Bits>(-2));
  EXPECT_EQ(bytes[0], 0xFE);
  EXPECT_EQ(bytes[1], 0xFF);
  EXPECT_EQ(bytes[2], 0x7F);
}

TEST(ScalarOps, TripCountIsTheLengthOfTheRange) {
  auto count = [](Type type, int64_t lo, int64_t hi, int64_t step) {
    auto bits = [&](int64_t x) { return canonical_bits(type, static_cast<uint64_t>(x)); };
    return trip_count(type, bits(lo), bits(hi), bits(step));
  };
  EXPECT_EQ(count(kI32, 0, 10, 3), 4u);
  EXPECT_EQ(count(kI32, 10, 0, -3), 4u);
  EXPECT_EQ(count(kI32, 0, 9, 3), 3u);
  EXPECT_EQ(count(kI32, 0, 0, 1), 0u);
  EXPECT_EQ(count(kI32, 0, 10, 0), 0u);
  EXPECT_EQ(count(kI32, 0, 10, -1), 0u);
  EXPECT_EQ(count(kI64, INT64_MIN, INT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(count(kI64, INT64_MAX, INT64_MIN, INT64_MIN), 2u);
  EXPECT_EQ(count(kU8, 0, 255, 255), 1u);
  EXPECT_EQ(count(kU64, 0, -1, -1), 1u);
  EXPECT_EQ(count(kU64, 1, -1, 1), UINT64_MAX - 1);
}

TEST(ScalarOps, EveryPureOpIsOne) {
  for (size_t i = 0; i < kOpCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    bool pure = info(kind).effect == Effect::None && info(kind).signature.operand_count > 0;
    bool address = kind == OpKind::Offset || kind == OpKind::SpaceCast || kind == OpKind::PtrCast ||
                   kind == OpKind::Address;
    EXPECT_EQ(is_scalar_op(kind), pure && !address) << info(kind).text;
  }
}

}  // namespace
}  // namespace lanewise::ir
