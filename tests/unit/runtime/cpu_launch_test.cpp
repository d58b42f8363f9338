// Launches on the CPU: what is refused before anything runs, the floating-point environment, threads, forks,
// errors at run time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <numeric>
#include <thread>

#include "runtime/cpu/thread_pool.h"
#include "tests/support/sample_kernels.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

using runtime::LaunchConfig;
using runtime::LaunchError;

// out[i] = in[i] * 0.5 for all i, each block summing a number of turns first so that it takes its time.
constexpr const char* kHalve = R"(
kernel @halve(%out: ptr<f32, global>, %n: i64, %in: ptr<f32, global>, %m: i64, %turns: i64) {
  %t0 = thread_id_x : i32
  %b0 = block_id_x : i32
  %d0 = block_dim_x : i32
  %t = cast %t0 : i64
  %b = cast %b0 : i64
  %d = cast %d0 : i64
  %bd = mul %b, %d : i64
  %i = add %bd, %t : i64
  %zero = const 0 : i64
  %one = const 1 : i64
  %inside = lt %i, %n : bool
  if %inside then {
    %x = load %in, %i : f32
    %half = const 0.5 : f32
    %last = for %zero, %turns, %one, %x : f32 do(%k: i64, %a: f32) {
      %a1 = sqrt %a : f32
      %a2 = mul %a1, %a1 : f32
      yield %a2
    }
    %again = mul %last, %zero32 : f32
    %x1 = add %x, %again : f32
    %y = mul %x1, %half : f32
    store %out, %i, %y
    yield
  } else {
    yield
  }
  return
}
)";

std::string halve() {
  std::string text = kHalve;
  text.insert(text.find("  %inside"), "  %zero32 = const 0.0 : f32\n");
  return text;
}

struct Halve {
  std::vector<TestArgument> arguments;
  std::shared_ptr<runtime::CompiledKernel> kernel;

  explicit Halve(size_t n, float first = 1, uint64_t turns = 0) {
    std::vector<float> in(n), out(n, -1);
    std::iota(in.begin(), in.end(), first);
    arguments = {array(ir::kF32, out), array(ir::kF32, in), scalar(ir::kI64, turns)};
    kernel = runtime::make_cpu_kernel(kernel_info(halve(), arguments));
    kernel->parameter_names = {"out", "x", "turns"};
  }
  void run(std::array<int64_t, 3> grid, std::array<int64_t, 3> block) {
    launch(*kernel, {grid, block, 0, nullptr}, arguments);
  }
  std::vector<float> out() const {
    std::vector<float> values(arguments[0].bytes.size() / 4);
    std::memcpy(values.data(), arguments[0].bytes.data(), arguments[0].bytes.size());
    return values;
  }
  size_t done() const {
    size_t count = 0;
    std::vector<float> values = out();
    for (size_t i = 0; i < values.size(); ++i) count += values[i] == 0.5f * static_cast<float>(i + 1);
    return count;
  }
};

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "";
}

TEST(CpuLaunch, ZeroGridDoesNothing) {
  for (std::array<int64_t, 3> grid : {std::array<int64_t, 3>{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}) {
    Halve halve(4);
    halve.run(grid, {4, 1, 1});
    EXPECT_EQ(halve.done(), 0u);
  }
}

TEST(CpuLaunch, RefusalsNameKernelNumberAndLimit) {
  Halve halve(4);
  auto refused = [&](std::array<int64_t, 3> grid, std::array<int64_t, 3> block) {
    return refusal([&] { halve.run(grid, block); });
  };
  EXPECT_EQ(refused({1, 1, 1}, {1025, 1, 1}),
            "kernel `halve`: a block of (1025, 1, 1) threads was asked for; x may be 1 to 1024");
  EXPECT_EQ(refused({1, 1, 1}, {1, 1, 65}),
            "kernel `halve`: a block of (1, 1, 65) threads was asked for; z may be 1 to 64");
  EXPECT_EQ(refused({1, 1, 1}, {0, 1, 1}),
            "kernel `halve`: a block of (0, 1, 1) threads was asked for; x may be 1 to 1024");
  EXPECT_EQ(refused({1, 1, 1}, {32, 33, 1}),
            "kernel `halve`: a block of (32, 33, 1) has 1056 threads; 1024 is the limit");
  EXPECT_EQ(refused({-1, 1, 1}, {1, 1, 1}),
            "kernel `halve`: a grid of (-1, 1, 1) blocks was asked for; x may be 0 to 2147483647");
  EXPECT_EQ(refused({1, 65536, 1}, {1, 1, 1}),
            "kernel `halve`: a grid of (1, 65536, 1) blocks was asked for; y may be 0 to 65535");
  EXPECT_EQ(halve.done(), 0u);
}

TEST(CpuLaunch, ReadOnlyOutputIsRefused) {
  Halve halve(4);
  halve.arguments[0].argument.writable = false;
  EXPECT_EQ(refusal([&] {
              halve.run({1, 1, 1}, {4, 1, 1});
            }),
            "kernel `halve`: argument `out` is a read-only array, but the kernel writes to it");
  halve.arguments[0].argument.writable = true;
  halve.arguments[1].argument.writable = false;  // only read
  halve.run({1, 1, 1}, {4, 1, 1});
  EXPECT_EQ(halve.done(), 4u);
}

TEST(CpuLaunch, TooMuchSharedMemoryIsRefused) {
  Halve halve(4);
  for (int64_t bytes : {int64_t{2} << 30, INT64_MAX}) {
    std::string text = refusal([&] {
      launch(*halve.kernel, {{1, 1, 1}, {4, 1, 1}, bytes, nullptr}, halve.arguments);
    });
    EXPECT_TRUE(text.starts_with("kernel `halve`: shared memory")) << text;
    EXPECT_TRUE(text.ends_with("1073741824 is the limit")) << text;
  }
  EXPECT_NE(refusal([&] {
              launch(*halve.kernel, {{1, 1, 1}, {4, 1, 1}, -1, nullptr}, halve.arguments);
            }),
            "");
}

TEST(CpuLaunch, LeavesOfTuplesHaveNames) {
  runtime::KernelInfo info;
  using frontend::ValueType;
  ValueType number = ValueType::typed(ir::kF32);
  info.argument_types = {number, ValueType::tuple({number, ValueType::tuple({number, number})}), number};
  info.parameter_names = {"a", "pair", "z"};
  EXPECT_EQ(runtime::leaf_name(info, 0), "a");
  EXPECT_EQ(runtime::leaf_name(info, 1), "pair[0]");
  EXPECT_EQ(runtime::leaf_name(info, 3), "pair[1][1]");
  EXPECT_EQ(runtime::leaf_name(info, 4), "z");
}

TEST(CpuLaunch, DivergentBarrierNamesKernelAndLine) {
  constexpr const char* kText = R"(kernel @parts(%out: ptr<i32, global>, %n: i64) {
  %t = thread_id_x : i32
  %one = const 1 : i32
  %first = lt %t, %one : bool
  if %first then {
    barrier
    yield
  } else {
    yield
  }
  barrier
  return
}
)";
  std::vector<TestArgument> arguments{array(ir::kI32, std::vector<int32_t>(4))};
  runtime::KernelInfo info = kernel_info(kText, arguments);
  info.sources.add({"parts.ir", kText, 100});
  auto kernel = runtime::make_cpu_kernel(std::move(info));
  try {
    launch(*kernel, {{1, 1, 1}, {4, 1, 1}, 0, nullptr}, arguments);
    FAIL() << "no error";
  } catch (const runtime::KernelError& error) {
    EXPECT_EQ(std::string(error.what()),
              "kernel `parts`: divergent barrier: threads of a block wait at different places (parts.ir, "
              "line 105)\n"
              "    barrier");
  }
}

// Denormals are kept whatever the thread's own mode, which is as it was afterwards.
TEST(CpuLaunch, DenormalsAreKept) {
#if defined(__SSE2__)
  unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
  unsigned flushing = _mm_getcsr();
  Halve halve(1);
  float tiny = 1e-39f;
  std::memcpy(halve.arguments[1].bytes.data(), &tiny, 4);
  halve.run({1, 1, 1}, {1, 1, 1});
  unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after, flushing);
  EXPECT_GT(halve.out()[0], 0.0f);
  EXPECT_EQ(halve.out()[0] * 2, tiny);
#endif
}

// --- threads
class CpuThreads : public ::testing::Test {
 protected:
  ~CpuThreads() override { runtime::set_num_threads(before_); }
  int before_ = runtime::num_threads();
};

TEST_F(CpuThreads, AnyNumberOfThreadsDoesAllBlocks) {
  for (int threads : {1, 2, 3, 8, 1}) {
    runtime::set_num_threads(threads);
    EXPECT_EQ(runtime::num_threads(), threads);
    for (size_t n : {1, 100, 10'000, 100'000}) {
      Halve halve(n, 1, 3);
      halve.run({static_cast<int64_t>(n + 63) / 64, 1, 1}, {64, 1, 1});
      EXPECT_EQ(halve.done(), n) << threads << " threads";
    }
  }
  EXPECT_THROW(runtime::set_num_threads(0), LaunchError);
  EXPECT_THROW(runtime::set_num_threads(1025), LaunchError);
}

TEST_F(CpuThreads, ThePoolTakesEachNumberOnce) {
  runtime::ThreadPool::instance().resize(4);
  for (int64_t chunk : {1, 7, 1000}) {
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> seen(2000);
      runtime::ThreadPool::instance().run(
          5, 2000, chunk,
          [](void* context, int64_t first, int64_t count) {
            for (int64_t i = first; i < first + count; ++i)
              ++(*static_cast<std::vector<std::atomic<int>>*>(context))[static_cast<size_t>(i)];
            return true;
          },
          &seen);
      for (size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i].load(), i >= 5) << i;
    }
  }
}

TEST_F(CpuThreads, LaunchesFromSeveralThreadsAtOnce) {
  runtime::set_num_threads(2);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      Halve halve(20'000, 1, 5);
      for (int k = 0; k < 20; ++k) halve.run({313, 1, 1}, {64, 1, 1});
      good += halve.done() == 20'000;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good.load(), 4);
}

// The child of a fork has none of the pool's threads, and makes its own.
TEST_F(CpuThreads, AChildStartsAfresh) {
  runtime::set_num_threads(3);
  Halve halve(50'000, 1, 5);
  halve.run({782, 1, 1}, {64, 1, 1});
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    Halve again(50'000, 1, 5);
    for (int k = 0; k < 5; ++k) again.run({782, 1, 1}, {64, 1, 1});
    _exit(again.done() == 50'000 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  halve.run({782, 1, 1}, {64, 1, 1});
  EXPECT_EQ(halve.done(), 50'000u);
}

// The first error ends the launch; the pool is good for the next one.
TEST_F(CpuThreads, AnErrorEndsTheLaunch) {
  runtime::set_num_threads(2);
  constexpr const char* kText = R"(kernel @some(%out: ptr<i32, global>, %n: i64) {
  %t = thread_id_x : i32
  %b = block_id_x : i32
  %many = const 300 : i32
  %late = gt %b, %many : bool
  %one = const 1 : i32
  %first = lt %t, %one : bool
  %bad = and %late, %first : bool
  if %bad then {
    barrier
    yield
  } else {
    yield
  }
  barrier
  return
}
)";
  std::vector<TestArgument> arguments{array(ir::kI32, std::vector<int32_t>(4))};
  auto kernel = runtime::make_cpu_kernel(kernel_info(kText, arguments));
  for (int round = 0; round < 3; ++round)
    EXPECT_THROW(launch(*kernel, {{100'000, 1, 1}, {64, 1, 1}, 0, nullptr}, arguments), runtime::KernelError);
  launch(*kernel, {{300, 1, 1}, {64, 1, 1}, 0, nullptr}, arguments);
}

TEST(CpuMemory, BuffersCopyBothWays) {
  auto buffer = runtime::allocate(runtime::Target::Cpu, 100);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data) % 64, 0u);
  int32_t in[] = {1, 2, 3}, out[3] = {};
  buffer->copy_from_host(in, sizeof in, 8);
  buffer->copy_to_host(out, sizeof out, 8);
  EXPECT_EQ(out[2], 3);
  EXPECT_THROW(buffer->copy_from_host(in, sizeof in, 96), ir::InternalError);
  EXPECT_NE(runtime::allocate(runtime::Target::Interpreter, 0)->data, nullptr);
  runtime::synchronize(runtime::Target::Cpu);
}

TEST(CpuTarget, NamesAndEnvironment) {
  EXPECT_EQ(runtime::parse_target("cpu"), runtime::Target::Cpu);
  EXPECT_EQ(runtime::parse_target("gpu"), std::nullopt);
  ASSERT_EQ(setenv("LANEWISE_TARGET", "interpreter", 1), 0);
  EXPECT_EQ(runtime::default_target(), runtime::Target::Interpreter);
  setenv("LANEWISE_TARGET", "tpu", 1);
  EXPECT_THROW(runtime::default_target(), LaunchError);
  unsetenv("LANEWISE_TARGET");
}

}  // namespace
}  // namespace lanewise::test
