// Every pass keeps what a program does: random programs give the same results, memory and error on the
// interpreter after each pass of the pipeline, and after each pass alone.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "ir/ir.h"
#include "ir/launch_variant.h"
#include "random_program.h"

namespace lanewise::ir {
namespace {

struct Outcome {
  std::vector<uint64_t> results;  // NaNs made equal
  std::vector<int32_t> memory;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  out << outcome.error << " results";
  for (uint64_t result : outcome.results) out << " " << static_cast<int64_t>(result);
  out << " memory";
  for (int32_t word : outcome.memory) out << " " << word;
  return out;
}

constexpr uint64_t kStepLimit = 500'000;

Outcome outcome_of(const Module& module, int which) {
  Outcome out;
  for (int i = 0; i < kMemoryWords; ++i) out.memory.push_back(i * 1000 - 3);
  const int64_t ints[] = {5, -3, 1 << 20};
  const double floats[] = {0.5, -2.0, 1e30};
  std::vector<Scalar> arguments = {{reinterpret_cast<uint64_t>(out.memory.data())},
                                   {static_cast<uint64_t>(ints[which])},
                                   {static_cast<uint64_t>(ints[2 - which] * 3)},
                                   {std::bit_cast<uint64_t>(floats[which])}};
  auto result = interpret_function(module, arguments, kStepLimit);
  if (auto* error = std::get_if<RunError>(&result)) {
    out.error = error->message;
    return out;
  }
  for (Scalar scalar : std::get<0>(result)) out.results.push_back(scalar.bits);
  if (std::isnan(std::bit_cast<double>(out.results[1]))) out.results[1] = 1;
  return out;
}

using Outcomes = std::vector<Outcome>;
Outcomes outcomes_of(const Module& module) {
  return {outcome_of(module, 0), outcome_of(module, 1), outcome_of(module, 2)};
}

// A range that wraps around may have too many turns; passes change how many steps a turn takes.
bool endless(const Outcomes& outcomes) {
  for (const Outcome& outcome : outcomes)
    if (outcome.error.starts_with("step limit")) return true;
  return false;
}

struct Watch {
  Outcomes expected;
  const Module* original;
  uint64_t seed;
};

void compare(std::string_view pass, const Module& module, void* context) {
  const Watch& watch = *static_cast<const Watch*>(context);
  if (testing::Test::HasFailure()) return;
  ASSERT_EQ(outcomes_of(module), watch.expected) << "seed " << watch.seed << " after " << pass << "\n"
                                                 << print(*watch.original) << "\n"
                                                 << print(module);
}

TEST(RandomPrograms, KeepTheirMeaningAfterEachPass) {
  size_t ran = 0;
  for (uint64_t seed = 0; seed < 2000 && !HasFailure(); ++seed) {
    Module module = random_program(seed);
    auto error = verify(module);
    ASSERT_FALSE(error) << "seed " << seed << ": " << error->message << "\n" << print(module);
    Watch watch{outcomes_of(module), &module, seed};
    if (endless(watch.expected)) continue;
    ++ran;
    for (bool small : {false, true}) {
      Module variant = module;
      run_pipeline(variant);
      specialize(variant, {.small = small});
      auto fault = verify(variant);
      ASSERT_FALSE(fault) << "seed " << seed << ": " << fault->message << "\n" << print(module);
      compare(small ? "specialize for a small launch" : "specialize", variant, &watch);
    }
    Module optimized = module;
    PipelineOptions options;
    options.verify_each = true;
    options.after_pass = compare;
    options.context = &watch;
    try {
      run_pipeline(optimized, options);
    } catch (const InternalError& fault) {
      FAIL() << "seed " << seed << ": " << fault.what() << "\n" << print(module);
    }
  }
  EXPECT_GT(ran, 1900u);
}

bool narrow_any(Function& function) { return narrow_integers(function, {}); }
bool narrow_small(Function& function) { return narrow_integers(function, {.small = true}); }

TEST(RandomPrograms, KeepTheirMeaningAfterOnePass) {
  using Pass = bool (*)(Function&);
  const std::pair<const char*, Pass> passes[] = {{"fold_constants", fold_constants},
                                                 {"eliminate_common_ops", eliminate_common_ops},
                                                 {"remove_dead_ops", remove_dead_ops},
                                                 {"fold_ranges", fold_ranges},
                                                 {"split_loops", split_loops},
                                                 {"narrow_integers", narrow_any},
                                                 {"narrow_integers, small", narrow_small}};
  for (uint64_t seed = 5000; seed < 5300 && !HasFailure(); ++seed) {
    Module module = random_program(seed);
    Watch watch{outcomes_of(module), &module, seed};
    if (endless(watch.expected)) continue;
    for (bool promoted : {false, true})
      for (auto [name, pass] : passes) {
        Module optimized = module;
        for (Function& function : optimized.functions) {
          if (promoted) promote_variables(function);
          pass(function);
        }
        auto error = verify(optimized);
        ASSERT_FALSE(error) << "seed " << seed << " after " << name << ": " << error->message << "\n"
                            << print(module);
        compare(name, optimized, &watch);
      }
  }
}

}  // namespace
}  // namespace lanewise::ir
