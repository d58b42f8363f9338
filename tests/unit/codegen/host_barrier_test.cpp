// Barriers by fission: each rule of the plan has a kernel here, run on the interpreter and on the CPU engine
// at every optimisation level, for blocks of many shapes.
#include "host_run.h"

namespace lanewise::test {
namespace {

using A = HostArgument;

constexpr int32_t kBlocks[][3] = {{1, 1, 1},   {31, 1, 1}, {33, 1, 1},  {48, 1, 1}, {1024, 1, 1},
                                  {16, 16, 1}, {3, 5, 7},  {1, 256, 1}, {2, 2, 2}};

// The beginning of every kernel below: %t the linear index in the block, %n the block's size, %i the index in
// the grid, shared array %s of 1024 i64, some constants.
std::string kernel(const std::string& body) {
  return R"(
kernel @k(%out: ptr<i64, global>, %in: ptr<i64, global>) {
  %x0 = thread_id_x : i32
  %y0 = thread_id_y : i32
  %z0 = thread_id_z : i32
  %dx0 = block_dim_x : i32
  %dy0 = block_dim_y : i32
  %dz0 = block_dim_z : i32
  %b0 = block_id_x : i32
  %x = cast %x0 : i64
  %y = cast %y0 : i64
  %z = cast %z0 : i64
  %dx = cast %dx0 : i64
  %dy = cast %dy0 : i64
  %dz = cast %dz0 : i64
  %b = cast %b0 : i64
  %zy = mul %z, %dy : i64
  %r = add %zy, %y : i64
  %rx = mul %r, %dx : i64
  %t = add %rx, %x : i64
  %dxy = mul %dx, %dy : i64
  %n = mul %dxy, %dz : i64
  %bn = mul %b, %n : i64
  %i = add %bn, %t : i64
  %s = shared_array 1024 : ptr<i64, shared>
  %c0 = const 0 : i64
  %c1 = const 1 : i64
  %c2 = const 2 : i64
  %c3 = const 3 : i64
  %c5 = const 5 : i64
  %c7 = const 7 : i64
  %v = load %in, %i : i64
  %t1 = add %t, %c1 : i64
  %next = floor_mod %t1, %n : i64
  %odd0 = floor_mod %t, %c2 : i64
  %odd = eq %odd0, %c1 : bool
)" + body +
         "\n  return\n}\n";
}

// Runs a kernel on all block shapes, two blocks each. In: in[i] = 3 * i + 1; out starts as -1.
std::vector<HostResult> on_all_blocks(const std::string& body) {
  std::vector<HostResult> results;
  for (const auto& block : kBlocks) {
    int64_t threads = int64_t{2} * block[0] * block[1] * block[2];
    SCOPED_TRACE("block " + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
                 std::to_string(block[2]));
    std::vector<int64_t> out(static_cast<size_t>(threads), -1), in(static_cast<size_t>(threads));
    for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<int64_t>(3 * k + 1);
    results.push_back(
        run_both(kernel(body), {A::array(out), A::array(in)}, {{2, 1, 1}, {block[0], block[1], block[2]}}));
  }
  return results;
}

TEST(HostBarrier, RotatesThroughSharedMemory) {
  std::vector<HostResult> results = on_all_blocks(R"(
  store %s, %t, %v
  barrier
  %w = load %s, %next : i64
  store %out, %i, %w)");
  // Block of 33: thread 32 of block 0 gets the value of thread 0.
  EXPECT_EQ(results[2].arguments[0].as<int64_t>()[32], 1);
  EXPECT_EQ(results[2].arguments[0].as<int64_t>()[0], 4);
}

TEST(HostBarrier, ReturnBeforeABarrier) {
  std::vector<HostResult> results = on_all_blocks(R"(
  store %s, %t, %v
  if %odd then {
    return
  } else {
    yield
  }
  barrier
  %w = load %s, %next : i64
  store %out, %i, %w
  barrier
  %u = add %w, %w : i64
  store %out, %i, %u)");
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[1], -1);  // returned
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[2], 20);  // 2 * in[3]
}

// Trip counts differ, but the turns with a barrier are the same for all.
TEST(HostBarrier, LoopsOfDifferentLengthThatMeet) {
  on_all_blocks(R"(
  %turns = add %odd0, %c3 : i64
  %sum = for %c0, %turns, %c1, %v : i64 do(%k: i64, %a: i64) {
    %early = lt %k, %c3 : bool
    %a2 = if %early : i64 then {
      store %s, %t, %a
      barrier
      %w = load %s, %next : i64
      barrier
      %a1 = add %a, %w : i64
      yield %a1
    } else {
      %a3 = mul %a, %c7 : i64
      yield %a3
    }
    yield %a2
  }
  store %out, %i, %sum)");
}

// The condition is the same for all threads, which only the values show.
TEST(HostBarrier, UnderAConditionThatAgreesUnprovably) {
  on_all_blocks(R"(
  %always = ge %v, %c0 : bool
  %got = if %always : i64 then {
    store %s, %t, %v
    barrier
    %w = load %s, %next : i64
    yield %w
  } else {
    yield %c7
  }
  barrier
  store %out, %i, %got)");
}

TEST(HostBarrier, BothArmsHaveBarriers) {
  on_all_blocks(R"(
  %never = lt %v, %c0 : bool
  %got = if %never : i64 then {
    barrier
    %a = add %v, %c1 : i64
    yield %a
  } else {
    store %s, %t, %v
    barrier
    %w = load %s, %next : i64
    yield %w
  }
  store %out, %i, %got)");
}

TEST(HostBarrier, ReturnInsideALoopWithABarrier) {
  on_all_blocks(R"(
  store %s, %t, %v
  barrier
  %sum = for %c0, %c5, %c1, %v : i64 do(%k: i64, %a: i64) {
    %mine = eq %k, %t : bool
    if %mine then {
      store %out, %i, %a
      return
    } else {
      yield
    }
    barrier
    %w = load %s, %next : i64
    %a1 = add %a, %w : i64
    yield %a1
  }
  store %out, %i, %sum)");
}

// All threads return in the middle: the loop at block level ends too.
TEST(HostBarrier, EveryThreadReturnsInsideAnEndlessLoop) {
  on_all_blocks(R"(
  %yes = const true : bool
  %end = while %c0 : i64 cond(%k: i64) {
    yield %yes, %k
  } do(%k1: i64) {
    %k2 = add %k1, %c1 : i64
    %five = add %v, %c5 : i64
    %five1 = sub %five, %v : i64
    %done = eq %k2, %five1 : bool
    if %done then {
      store %out, %i, %k2
      return
    } else {
      yield
    }
    barrier
    yield %k2
  })");
}

TEST(HostBarrier, ValueFromOneArmUsedAfterABarrier) {
  on_all_blocks(R"(
  %w = if %odd : i64 then {
    %a = mul %v, %c5 : i64
    yield %a
  } else {
    %a1 = load %in, %t : i64
    yield %a1
  }
  barrier
  store %out, %i, %w)");
}

// Threads leave a loop in different turns; nothing after it waits.
TEST(HostBarrier, CounterAfterABreakThatDiffers) {
  std::vector<HostResult> results = on_all_blocks(R"(
  %limit = floor_mod %t, %c5 : i64
  %last = for %c0, %c7, %c1, %c0 : i64 do(%k: i64, %a: i64) {
    barrier
    %stop = eq %k, %limit : bool
    if %stop then {
      break %k
    } else {
      yield
    }
    barrier
    yield %k
  }
  store %out, %i, %last)");
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[8], 3);
}

TEST(HostBarrier, ContinueThatAgrees) {
  on_all_blocks(R"(
  %zero = sub %v, %v : i64
  %sum = for %c0, %c7, %c1, %v : i64 do(%k: i64, %a: i64) {
    %m = floor_mod %k, %c2 : i64
    %m1 = add %m, %zero : i64
    %skip = eq %m1, %c1 : bool
    if %skip then {
      %a0 = add %a, %c1 : i64
      continue %a0
    } else {
      yield
    }
    store %s, %t, %a
    barrier
    %w = load %s, %next : i64
    barrier
    %a1 = add %a, %w : i64
    yield %a1
  }
  store %out, %i, %sum)");
}

TEST(HostBarrier, SwapOfCarriedValues) {
  std::vector<HostResult> results = on_all_blocks(R"(
  %p, %q, %u = for %c0, %c3, %c1, %v, %i, %t : i64, i64, i64 do(%k: i64, %a: i64, %b1: i64, %c: i64) {
    barrier
    yield %b1, %c, %a
  }
  %p5 = mul %p, %c5 : i64
  %sum = add %p5, %q : i64
  barrier
  %sum1 = sub %sum, %u : i64
  store %out, %i, %sum1)");
  // Three rotations of three values: as before. 5 * v + i - t
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[4], 5 * 13 + 4 - 4);
}

TEST(HostBarrier, LocalArrayAcrossABarrier) {
  std::vector<HostResult> results = on_all_blocks(R"(
  %l = local_array 4 : ptr<i64, local>
  store %l, %c1, %v
  store %l, %c2, %t
  barrier
  store %s, %t, %v
  barrier
  %a = load %l, %c1 : i64
  %b1 = load %l, %c2 : i64
  %w = load %s, %next : i64
  %ab = add %a, %b1 : i64
  %abw = add %ab, %w : i64
  store %out, %i, %abw)");
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[4], 13 + 4 + 16);
}

TEST(HostBarrier, BigLocalArrays) {
  on_all_blocks(R"(
  %l = local_array 1000 : ptr<i64, local>
  %m = floor_mod %i, %c7 : i64
  for %c0, %c7, %c1 do(%k: i64) {
    %kk = mul %k, %i : i64
    store %l, %k, %kk
    yield
  }
  %got = load %l, %m : i64
  store %out, %i, %got)");
}

// Two nested loops, barriers under conditions in each.
TEST(HostBarrier, NestedLoopsWithConditionalBarriers) {
  on_all_blocks(R"(
  %zero = sub %v, %v : i64
  %sum = for %c0, %c3, %c1, %v : i64 do(%k: i64, %a: i64) {
    %kz = add %k, %zero : i64
    %first = eq %kz, %c1 : bool
    if %first then {
      store %s, %t, %a
      barrier
      yield
    } else {
      yield
    }
    %end, %inner = while %c3, %a : i64, i64 cond(%f: i64, %a1: i64) {
      %go = gt %f, %zero : bool
      yield %go, %f, %a1
    } do(%f1: i64, %a2: i64) {
      %f2 = sub %f1, %c1 : i64
      %second = eq %f2, %k : bool
      %a3 = if %second : i64 then {
        barrier
        %w = load %s, %next : i64
        %a4 = if %first : i64 then {
          %a5 = add %a2, %w : i64
          yield %a5
        } else {
          yield %a2
        }
        barrier
        yield %a4
      } else {
        yield %a2
      }
      yield %f2, %a3
    }
    %more = add %inner, %k : i64
    yield %more
  }
  store %out, %i, %sum)");
}

TEST(HostBarrier, LeaveOfAScopeThatHoldsBarriers) {
  on_all_blocks(R"(
  %got = scope : i64 body {
    store %s, %t, %v
    barrier
    %w = load %s, %next : i64
    %big = gt %w, %c0 : bool
    if %big then {
      leave %w
    } else {
      yield
    }
    barrier
    yield %c0
  }
  barrier
  store %out, %i, %got)");
}

TEST(HostBarrier, StridedLoopsCarryValues) {
  std::vector<HostResult> results = on_all_blocks(R"(
  %many = mul %n, %c3 : i64
  %all = sub %many, %c1 : i64
  %sum = for %t, %all, %n, %c0 : i64 do(%k: i64, %a: i64) {
    %m = floor_mod %k, %c7 : i64
    %a1 = add %a, %m : i64
    yield %a1
  }
  store %s, %t, %sum
  barrier
  %w = load %s, %next : i64
  store %out, %i, %w)");
  // Block of 31, 92 numbers: thread 30 sums 30 and 61 only (92 is beyond), thread 0 sums 0, 31, 62.
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[29], 30 % 7 + 61 % 7);
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[30], 31 % 7 + 62 % 7);
}

// --- threads that do not meet
constexpr const char* kDiverged = "divergent barrier: threads of a block wait at different places";

void expect_diverged(const std::string& body) {
  for (int32_t threads : {2, 33, 64}) {
    std::vector<int64_t> out(static_cast<size_t>(threads), -1), in(out.size(), 1);
    HostResult result = run_both(kernel(body), {A::array(out), A::array(in)}, {{1, 1, 1}, {threads, 1, 1}});
    EXPECT_EQ(result.error, kDiverged);
  }
}

TEST(HostBarrier, AConditionThatDiffersIsAnError) {
  expect_diverged(R"(
  if %odd then {
    barrier
    yield
  } else {
    yield
  }
  barrier
  store %out, %i, %v)");
}

TEST(HostBarrier, TwoBarriersAtOnceAreAnError) {
  expect_diverged(R"(
  if %odd then {
    barrier
    yield
  } else {
    barrier
    yield
  })");
}

TEST(HostBarrier, DifferentTurnsAreAnError) {
  expect_diverged(R"(
  %turns = add %odd0, %c1 : i64
  for %c0, %turns, %c1 do(%k: i64) {
    barrier
    yield
  }
  barrier)");
}

// The thread left behind comes to no further barrier, as only its values show.
TEST(HostBarrier, AThreadLeftBehindMayStillReturn) {
  std::vector<HostResult> results = on_all_blocks(R"(
  if %odd then {
    barrier
    yield
  } else {
    yield
  }
  %negative = lt %v, %c0 : bool
  if %negative then {
    barrier
    yield
  } else {
    yield
  }
  store %out, %i, %v)");
  EXPECT_EQ(results[0].error, "");
  EXPECT_EQ(results[1].arguments[0].as<int64_t>()[5], 16);
}

}  // namespace
}  // namespace lanewise::test
