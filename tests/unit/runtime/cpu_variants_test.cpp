// Which code launches on the CPU share: by block shape and by what is known of their arguments.
#include "runtime/cpu/variants.h"

#include <gtest/gtest.h>

#include "ir/ir.h"
#include "runtime/launch_facts.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

using runtime::Variants;

// How often each thread may add x[i] to a number before it is at the limit: the count is of 64 bits, unless
// the limit is known to be small.
constexpr const char* kCounts = R"(
kernel @counts(%x: ptr<f32, global>, %n: i64, %limit: i64) {
  %t = thread_id_x : i32
  %i = cast %t : i64
  %zero = const 0 : i64
  %one = const 1 : i64
  %none = const 0.0 : f32
  %far = const 100.0 : f32
  %inside = lt %i, %n : bool
  if %inside then {
    %step = load %x, %i : f32
    %count, %end = while %zero, %none : i64, f32 cond(%c: i64, %sum: f32) {
      %low = lt %sum, %far : bool
      %few = lt %c, %limit : bool
      %more = and %low, %few : bool
      yield %more, %c, %sum
    } do(%d: i64, %so_far: f32) {
      %next = add %d, %one : i64
      %then = add %so_far, %step : f32
      yield %next, %then
    }
    %result = cast %count : f32
    store %x, %i, %result
    yield
  } else { yield }
  return
}
)";

// A copy: nothing of it is better in 32 bits.
constexpr const char* kCopy = R"(
kernel @copy(%x: ptr<f32, global>, %n: i64, %y: ptr<f32, global>, %m: i64) {
  %t = thread_id_x : i32
  %i = cast %t : i64
  %v = load %y, %i : f32
  store %x, %i, %v
  return
}
)";

constexpr ir::LaunchFacts kNothing{}, kSmall{.small = true}, kAll{.small = true, .distinct = true};

ir::Module piped(const char* text) {
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  std::optional<ir::Module> module = ir::parse(sources, sources.add({"test.ir", text}), diagnostics);
  EXPECT_TRUE(module) << ir::render(diagnostics, sources);
  if (!module) return {};
  ir::run_pipeline(*module, {});
  return std::move(*module);
}

struct Cache {
  explicit Cache(const char* text) : module(piped(text)), variants(module, {}) {}
  const codegen::HostKernel* get(codegen::BlockShape block, ir::LaunchFacts facts) {
    return &variants.get(block, [&] {
      ++asked;
      return facts;
    });
  }
  ir::Module module;
  Variants variants;
  int asked = 0;
};

TEST(CpuVariants, EachIsMadeOnce) {
  Cache cache(kCounts);
  const codegen::HostKernel* small = cache.get({64, 1, 1}, kAll);
  EXPECT_TRUE(small->facts.small);
  const codegen::HostKernel* general = cache.get({64, 1, 1}, kNothing);
  EXPECT_EQ(general->facts, kNothing);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(cache.get({64, 1, 1}, kAll), small);
    EXPECT_EQ(cache.get({64, 1, 1}, kNothing), general);
    EXPECT_EQ(cache.get({64, 1, 1}, kSmall), small);  // nothing written is read elsewhere: no matter
  }
  EXPECT_NE(cache.get({32, 1, 1}, kAll), small);
  EXPECT_EQ(cache.get({64, 1, 1}, kAll), small);
}

TEST(CpuVariants, NobodyAsksForFactsThatChangeNothing) {
  Cache cache(kCopy);
  const codegen::HostKernel* code = cache.get({64, 1, 1}, kAll);
  EXPECT_EQ(code->facts, kNothing);
  int asked = cache.asked;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(cache.get({64, 1, 1}, kNothing), code);
  EXPECT_EQ(cache.asked, asked);
  // A first launch of which little is known does not decide for the others.
  EXPECT_EQ(cache.get({32, 1, 1}, kNothing), cache.get({32, 1, 1}, kAll));
}

TEST(CpuVariants, ShapesBeyondTheEighthShareCodeUntilTheyComeAgain) {
  Cache cache(kCounts);
  for (int64_t x = 32; x <= 256; x += 32) EXPECT_TRUE(cache.get({x, 1, 1}, kAll)->block) << x;
  const codegen::HostKernel* any = cache.get({288, 1, 1}, kAll);
  EXPECT_FALSE(any->block);
  EXPECT_EQ(any->facts, kNothing);
  EXPECT_EQ(cache.get({320, 1, 1}, kNothing), any);
  EXPECT_EQ(cache.get({288, 1, 1}, kAll), any);
  const codegen::HostKernel* own = cache.get({288, 1, 1}, kAll);
  ASSERT_TRUE(own->block);
  EXPECT_EQ(*own->block, (codegen::BlockShape{288, 1, 1}));
  EXPECT_EQ(cache.get({320, 1, 1}, kNothing), any);
  EXPECT_TRUE(cache.get({96, 1, 1}, kNothing)->block);
  EXPECT_EQ(cache.get({288, 1, 1}, kAll), own);
}

TEST(CpuVariants, ManyShapesAreNotAllCompiled) {
  Cache cache(kCopy);
  int own = 0;
  for (int round = 0; round < 4; ++round)
    for (int64_t x = 1; x <= 100; ++x) {
      const codegen::HostKernel* code = cache.get({x, 1, 1}, kAll);
      if (round == 3 && code->block) ++own;
    }
  EXPECT_EQ(own, 64);
}

TEST(CpuVariants, TheEndOfSmall) {
  std::vector<TestArgument> arguments = {array(ir::kF32, std::vector<float>(64)),
                                         scalar(ir::kI64, uint64_t{0})};
  runtime::FactFinder finder(kernel_info(kCounts, arguments), "LANEWISE_CPU_GENERAL");
  auto small = [&](int64_t limit, int64_t blocks) {
    arguments[1] = scalar(ir::kI64, static_cast<uint64_t>(limit));
    return finder.find({{blocks, 1, 1}, {64, 1, 1}, 0, nullptr}, leaves_of(arguments)).small;
  };
  constexpr int64_t kEnd = int64_t{1} << 30;
  EXPECT_TRUE(small(kEnd, 1));
  EXPECT_TRUE(small(-kEnd, 1));
  EXPECT_FALSE(small(kEnd + 1, 1));
  EXPECT_FALSE(small(-kEnd - 1, 1));
  EXPECT_FALSE(small(INT64_MIN, 1));
  EXPECT_TRUE(small(0, kEnd / 64));
  EXPECT_FALSE(small(0, kEnd / 64 + 1));
}

}  // namespace
}  // namespace lanewise::test
