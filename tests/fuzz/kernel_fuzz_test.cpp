// Random kernels with barriers: the CPU engine leaves the same words in memory as the interpreter, at every
// optimisation level and block shape, and ends with an error where the interpreter does.
#include <gtest/gtest.h>

#include <iostream>

#include "random_kernel.h"
#include "tests/unit/codegen/host_run.h"

namespace lanewise::fuzz {
namespace {

using test::HostArgument;
using test::HostGrid;
using test::HostResult;

constexpr HostGrid kGrids[] = {
    {{2, 1, 1}, {4, 1, 1}}, {{1, 1, 1}, {1, 1, 1}}, {{2, 1, 1}, {33, 1, 1}}, {{1, 1, 1}, {3, 5, 2}}};

std::vector<HostArgument> arguments_for(const HostGrid& grid, uint64_t seed) {
  int64_t threads = grid.block[0] * grid.block[1] * grid.block[2];
  std::vector<int64_t> out(static_cast<size_t>(grid.grid[0] * threads * kWordsPerThread), -7);
  std::vector<int64_t> opaque(static_cast<size_t>(kOpaqueWords + kMaxThreads));
  for (int64_t i = 0; i < kOpaqueWords; ++i)
    opaque[static_cast<size_t>(i)] = static_cast<int64_t>((seed * 7 + static_cast<uint64_t>(i) * 5) % 6);
  return {HostArgument::array(out), HostArgument::array(opaque)};
}

// Runs some seeds; returns how many ended with an error.
int compare(uint64_t first, uint64_t count, bool divergent) {
  int errors = 0;
  // For a longer run, or to look at one kernel.
  if (const char* from = std::getenv("LANEWISE_FUZZ_SEED")) {
    const char* more = std::getenv("LANEWISE_FUZZ_COUNT");
    first = std::strtoull(from, nullptr, 10), count = more ? std::strtoull(more, nullptr, 10) : 1;
  }
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    if (std::getenv("LANEWISE_FUZZ_TRACE")) std::cerr << "seed " << seed << std::endl;
    ir::Module module = random_kernel(seed, divergent);
    auto problem = ir::verify(module);
    EXPECT_FALSE(problem) << "seed " << seed << ": " << problem->message;
    if (problem) break;
    HostGrid grid = kGrids[seed % std::size(kGrids)];
    HostResult expected = test::run_on_interpreter(module, arguments_for(grid, seed), grid);
    if (expected.error.starts_with("step limit")) continue;
    errors += !expected.error.empty();
    ir::Module piped = module;
    ir::run_pipeline(piped);
    // One after the other without and with optimisation, and in gangs.
    for (int way = 0; way < 4; ++way) {
      unsigned optimize = way % 2 ? 2 : 0;
      if (optimize == 2 && seed % 4 != 0 && !testing::Test::HasFailure()) continue;
      codegen::HostTarget target;
      target.optimize = optimize;
      if (way >= 2) target.block = {grid.block[0], grid.block[1], grid.block[2]};
      HostResult got = test::run_on_cpu(piped, arguments_for(grid, seed), grid, target);
      EXPECT_EQ(got.error, expected.error) << "seed " << seed << " way " << way << "\n" << ir::print(piped);
      if (got.error.empty() && expected.error.empty()) {
        EXPECT_EQ(got.arguments[0].as<int64_t>(), expected.arguments[0].as<int64_t>())
            << "seed " << seed << " way " << way << "\n"
            << ir::print(piped);
      }
    }
  }
  return errors;
}

TEST(KernelFuzz, ThreadsThatMeet) { EXPECT_EQ(compare(0, 500, false), 0); }
TEST(KernelFuzz, ThreadsThatMayNotMeet) { EXPECT_GT(compare(100'000, 200, true), 5); }

}  // namespace
}  // namespace lanewise::fuzz
