// Control flow, memory, barriers and atomics on one target, against the interpreter. Built once for each
// target: LANEWISE_MAKE_KERNEL names the function of runtime/backend.h that makes its kernels.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "ir/scalar_ops.h"
#include "tests/support/sample_kernels.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

runtime::LaunchConfig config_of(int64_t blocks, int64_t threads, int64_t shared = 0) {
  runtime::LaunchConfig config;
  config.grid[0] = blocks;
  config.block[0] = threads;
  config.dynamic_shared_bytes = shared;
  return config;
}

BothWays both_ways(const std::string& text, const runtime::LaunchConfig& config,
                   const std::vector<TestArgument>& arguments) {
  return run_both(text, runtime::LANEWISE_MAKE_KERNEL, config, arguments);
}

std::vector<int32_t> numbers(size_t count, int32_t first = 0) {
  std::vector<int32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(SampleKernel, SaxpyOverSeveralBlocks) {
  std::vector<float> x(1000), y(1000);
  for (size_t i = 0; i < 1000; ++i) x[i] = static_cast<float>(i), y[i] = 0.5f * static_cast<float>(i);
  std::vector<TestArgument> arguments{scalar(ir::kI64, 1000), scalar(ir::kF32, ir::float_bits(2.0, ir::kF32)),
                                      array(ir::kF32, x), array(ir::kF32, y)};
  BothWays both = both_ways(saxpy_kernel(), config_of(8, 128), arguments);
  EXPECT_EQ(difference(both, 3), "");
  float last = 0;
  std::memcpy(&last, both.actual[3].bytes.data() + 999 * sizeof(float), sizeof last);
  EXPECT_EQ(last, 2.0f * 999 + 0.5f * 999);
}

// Bounds and steps of a type, extremes included, in every combination.
void check_ranges(ir::Type type, std::string_view constant_step) {
  SCOPED_TRACE(ir::to_string(type) + " by " + std::string(constant_step));
  uint64_t top = uint64_t{1} << (type.bits - 1);
  std::vector<uint64_t> values{0,   1,       2,       7,       38, ~uint64_t{0}, ~uint64_t{0} - 2,
                               top, top - 1, top + 1, top - 40};
  std::vector<char> lo, hi, step;
  auto append = [&](std::vector<char>& bytes, uint64_t value) {
    bytes.resize(bytes.size() + type.element_size());
    ir::store_bits(bytes.data() + bytes.size() - type.element_size(), type, value);
  };
  int64_t count = 0;
  for (uint64_t a : values)
    for (uint64_t b : values)
      for (uint64_t c : values) append(lo, a), append(hi, b), append(step, c), ++count;
  std::vector<TestArgument> arguments;
  for (std::vector<char>* bytes : {&lo, &hi, &step}) {
    arguments.push_back(array<char>(type, *bytes));
    arguments.back().argument.shape[0] = count;
  }
  arguments.push_back(array(ir::kU64, std::vector<uint64_t>(static_cast<size_t>(count))));
  BothWays both = both_ways(range_kernel(type, constant_step), config_of((count + 63) / 64, 64), arguments);
  EXPECT_EQ(difference(both, 3), "");
}

TEST(SampleKernel, RangesOfEveryTypeAndStep) {
  for (ir::Type type : {ir::kI8, ir::kI16, ir::kI32, ir::kI64, ir::kU8, ir::kU16, ir::kU32, ir::kU64})
    for (std::string_view step : {"", "0", "1", "2", "3", "-1", "-2", "-7", "100"})
      if (type.is_signed() || !step.starts_with("-")) check_ranges(type, step);
}

TEST(SampleKernel, BreakContinueReturnLeave) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 100), array(ir::kI32, numbers(100, -3)),
                                      array(ir::kI64, std::vector<int64_t>(100))};
  EXPECT_EQ(difference(both_ways(control_kernel(), config_of(2, 64), arguments), 2), "");
}

TEST(SampleKernel, BarriersInALoop) {
  std::vector<float> x(300);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 17);
  std::vector<TestArgument> arguments{scalar(ir::kI64, 300), array(ir::kF32, x),
                                      array(ir::kF32, std::vector<float>(5))};
  EXPECT_EQ(difference(both_ways(block_sum_kernel(), config_of(5, 64), arguments), 2), "");
}

TEST(SampleKernel, ReturnedThreadsCountAsArrived) {
  std::vector<int32_t> x = numbers(96, 1);
  for (size_t i = 0; i < x.size(); i += 5) x[i] = -x[i];
  std::vector<TestArgument> arguments{scalar(ir::kI64, 96), array(ir::kI32, x),
                                      array(ir::kI64, std::vector<int64_t>(96))};
  EXPECT_EQ(difference(both_ways(dynamic_shared_kernel(), config_of(2, 48, 48 * 4), arguments), 2), "");
}

TEST(SampleKernel, LocalMemoryIndexedByData) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 70), array(ir::kI32, numbers(70, -20)),
                                      array(ir::kF64, std::vector<double>(70))};
  EXPECT_EQ(difference(both_ways(local_kernel(), config_of(2, 64), arguments), 2), "");
}

TEST(SampleKernel, ConstantArrays) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 9), array(ir::kI32, numbers(9, -4)),
                                      array(ir::kF32, std::vector<float>(9))};
  BothWays both = both_ways(data_kernel(), config_of(1, 32), arguments);
  EXPECT_EQ(difference(both, 2), "");
  float first = 0;
  std::memcpy(&first, both.actual[2].bytes.data(), sizeof first);
  EXPECT_EQ(first, -1.0f);  // x[0] = -4, index 0 of the negative ones
}

// More than one page, and more than the constant bank of a GPU holds.
TEST(SampleKernel, LargeConstantArrays) {
  std::string text = data_kernel();
  std::string zeros;
  for (int i = 0; i < 20000; ++i) zeros += " 00000000";
  size_t end = text.find('}');
  text.insert(end, zeros + " ");
  std::vector<TestArgument> arguments{scalar(ir::kI64, 9), array(ir::kI32, numbers(9, -4)),
                                      array(ir::kF32, std::vector<float>(9))};
  EXPECT_EQ(difference(both_ways(text, config_of(1, 32), arguments), 2), "");
}

constexpr std::string_view kIntegerAtomics[] = {"atomic_add", "atomic_sub", "atomic_min", "atomic_max",
                                                "atomic_and", "atomic_or",  "atomic_xor"};
constexpr std::string_view kFloatAtomics[] = {"atomic_add", "atomic_sub", "atomic_min", "atomic_max"};

std::vector<char> bytes_of(ir::Type type, const std::vector<double>& values) {
  std::vector<char> bytes(values.size() * type.element_size());
  for (size_t i = 0; i < values.size(); ++i) {
    ir::Immediate value =
        type.is_float() ? ir::Immediate(values[i]) : ir::Immediate(static_cast<int64_t>(values[i]));
    ir::store_bits(bytes.data() + i * type.element_size(), type, ir::bits_of(value, type));
  }
  return bytes;
}

TestArgument values_of(ir::Type type, const std::vector<double>& values) {
  TestArgument made = array<char>(type, bytes_of(type, values));
  made.argument.shape[0] = static_cast<int64_t>(values.size());
  return made;
}

// Sums of whole numbers are exact in any order.
TEST(SampleKernel, AtomicsOfManyThreads) {
  std::vector<double> values;
  for (int i = 0; i < 200; ++i) values.push_back((i * 37) % 101 - 50);
  for (ir::Type type : {ir::kI32, ir::kU32, ir::kI64, ir::kU64, ir::kF32, ir::kF64}) {
    for (std::string_view op : kIntegerAtomics) {
      if (type.is_float() &&
          std::find(std::begin(kFloatAtomics), std::end(kFloatAtomics), op) == std::end(kFloatAtomics))
        continue;
      SCOPED_TRACE(std::string(op) + " " + ir::to_string(type));
      std::vector<TestArgument> arguments{scalar(ir::kI64, 200), array(ir::kI32, numbers(200)),
                                          values_of(type, values), values_of(type, {3, 5, 7, 11})};
      EXPECT_EQ(difference(both_ways(atomic_kernel(op, type), config_of(4, 64), arguments), 3), "");
    }
  }
}

// One thread after the other, so the old values are known: NaNs in memory stay, NaN operands change nothing.
TEST(SampleKernel, AtomicsReturnOldValuesAndKnowNaN) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                   kInfinity = std::numeric_limits<double>::infinity();
  for (ir::Type type : {ir::kI32, ir::kI64, ir::kU64, ir::kF32, ir::kF64}) {
    for (std::string_view op : {"atomic_add", "atomic_sub", "atomic_min", "atomic_max", "atomic_exch"}) {
      std::vector<double> values{1, -4, 4, 0, 2.5, 9};
      if (type.is_float() && op != "atomic_add")
        values.insert(values.end(), {-0.0, kNaN, kInfinity, -kInfinity, 3, -0.0});
      for (double start : {3.0, -0.0, kNaN}) {
        if (!type.is_float() && start != 3.0) continue;
        SCOPED_TRACE(std::string(op) + " " + ir::to_string(type) + " from " + std::to_string(start));
        std::vector<TestArgument> arguments{scalar(ir::kI64, values.size()), values_of(type, values),
                                            values_of(type, std::vector<double>(values.size())),
                                            values_of(type, {start})};
        BothWays both = both_ways(atomic_old_kernel(op, type), config_of(1, 1), arguments);
        EXPECT_EQ(difference(both, 2), "");
        EXPECT_EQ(difference(both, 3), "");
      }
    }
  }
}

TEST(SampleKernel, CompareAndSwapHasOneWinnerPerSlot) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 64), array(ir::kI32, std::vector<int32_t>(9))};
  BothWays both = both_ways(cas_kernel(), config_of(1, 64), arguments);
  std::vector<int32_t> out(9);
  std::memcpy(out.data(), both.actual[1].bytes.data(), 9 * sizeof(int32_t));
  EXPECT_EQ(out[0], 8);
  for (size_t slot = 1; slot < 9; ++slot) EXPECT_EQ((out[slot] - 1) % 8, static_cast<int32_t>(slot) - 1);
}

TEST(SampleKernel, FunctionsWithSeveralResultsAndRecursion) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 15), array(ir::kI32, numbers(15)),
                                      array(ir::kI64, std::vector<int64_t>(15))};
  EXPECT_EQ(difference(both_ways(call_kernel(), config_of(1, 32), arguments), 2), "");
}

TEST(SampleKernel, IndicesInThreeDimensions) {
  runtime::LaunchConfig config;
  config.grid = {2, 3, 2};
  config.block = {5, 3, 2};
  std::vector<TestArgument> arguments{array(ir::kI32, std::vector<int32_t>(12 * 30 * 13))};
  BothWays both = both_ways(ids_kernel(), config, arguments);
  EXPECT_EQ(difference(both, 0), "");
  std::vector<int32_t> out(12 * 30 * 13);
  std::memcpy(out.data(), both.actual[0].bytes.data(), out.size() * sizeof(int32_t));
  // The last thread of all: block (1, 2, 1), thread (4, 2, 1), the 30th of its block.
  std::vector<int32_t> last(out.end() - 13, out.end());
  EXPECT_EQ(last, (std::vector<int32_t>{4, 2, 1, 1, 2, 1, 5, 3, 2, 2, 3, 2, 29}));
}

TEST(SampleKernel, BoolParametersAndElements) {
  std::vector<uint8_t> x{0, 1, 1, 0, 1};
  for (uint64_t flag : {0, 1}) {
    std::vector<TestArgument> arguments{scalar(ir::kBool, flag), scalar(ir::kI64, 5), array(ir::kBool, x),
                                        array(ir::kBool, std::vector<uint8_t>(5))};
    EXPECT_EQ(difference(both_ways(bool_kernel(), config_of(1, 32), arguments), 3), "");
  }
}

TEST(SampleKernel, NamesInAnyAlphabet) {
  std::string text = saxpy_kernel();
  text.replace(text.find("@saxpy"), 6, "@λ_größe");
  std::vector<TestArgument> arguments{scalar(ir::kI64, 3), scalar(ir::kF32, 0),
                                      array(ir::kF32, std::vector<float>(3)),
                                      array(ir::kF32, std::vector<float>(3))};
  EXPECT_EQ(difference(both_ways(text, config_of(1, 32), arguments), 3), "");
}

}  // namespace
}  // namespace lanewise::test
