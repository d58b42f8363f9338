// Threads, blocks and barriers on the interpreter; what single ops give is in tests/golden/run/.
#include <gtest/gtest.h>

#include <numeric>

#include "ir/ir.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

Scalar address(const void* p) { return {reinterpret_cast<uint64_t>(p)}; }

std::string run(const Module& module, const std::vector<Scalar>& arguments, Dim3 grid, Dim3 block,
                int64_t dynamic_bytes = 0, uint64_t limit = UINT64_MAX) {
  auto error = interpret_kernel(module, arguments, {grid, block, dynamic_bytes}, limit);
  return error ? error->message : "";
}

// Every thread writes its own linear index times 10 plus what it read of the block's.
TEST(Interpreter, GivesEveryThreadItsIndices) {
  Module module = parse_text(R"(
kernel @k(%out: ptr<i32, global>) {
  %tx = thread_id_x : i32
  %ty = thread_id_y : i32
  %tz = thread_id_z : i32
  %bx = block_id_x : i32
  %by = block_id_y : i32
  %bz = block_id_z : i32
  %dx = block_dim_x : i32
  %dy = block_dim_y : i32
  %dz = block_dim_z : i32
  %gx = grid_dim_x : i32
  %gy = grid_dim_y : i32
  %zy = mul %tz, %dy : i32
  %zy2 = add %zy, %ty : i32
  %zyx = mul %zy2, %dx : i32
  %t = add %zyx, %tx : i32
  %bzy = mul %bz, %gy : i32
  %bzy2 = add %bzy, %by : i32
  %bzyx = mul %bzy2, %gx : i32
  %b = add %bzyx, %bx : i32
  %dxy = mul %dx, %dy : i32
  %size = mul %dxy, %dz : i32
  %bs = mul %b, %size : i32
  %g = add %bs, %t : i32
  %at = cast %g : i64
  %lane = lane_id : i32
  %hundred = const 100 : i32
  %v = mul %g, %hundred : i32
  %w = add %v, %lane : i32
  store %out, %at, %w
  return
}
)");
  std::vector<int32_t> out(2 * 3 * 2 * (5 * 4 * 3), -1);
  EXPECT_EQ(run(module, {address(out.data())}, {2, 3, 2}, {5, 4, 3}), "");
  for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], static_cast<int32_t>(i * 100 + i % 60 % 32)) << i;
}

const char* const kReverse = R"(
kernel @reverse(%x: ptr<i32, global>, %n: i32) {
  %s = shared_array 64 : ptr<i32, shared>
  %t = thread_id_x : i32
  %outside = ge %t, %n : bool
  if %outside then {
    return
  } else {
    yield
  }
  %at = cast %t : i64
  %v = load %x, %at : i32
  store %s, %at, %v
  barrier
  %one = const 1 : i32
  %last = sub %n, %one : i32
  %other = sub %last, %t : i32
  %from = cast %other : i64
  %w = load %s, %from : i32
  store %x, %at, %w
  return
}
)";

TEST(Interpreter, ThreadsThatReturnedCountAsArrived) {
  Module module = parse_text(kReverse);
  std::vector<int32_t> x(40);
  std::iota(x.begin(), x.end(), 0);
  EXPECT_EQ(run(module, {address(x.data()), {40}}, {}, {64}), "");
  for (int32_t i = 0; i < 40; ++i) EXPECT_EQ(x[static_cast<size_t>(i)], 39 - i);
}

// A tree reduction: barriers in a loop whose turns all threads take alike.
TEST(Interpreter, BarriersInALoop) {
  Module module = parse_text(R"(
kernel @sum(%x: ptr<i32, global>, %out: ptr<i32, global>) {
  %s = dynamic_shared : ptr<i32, shared>
  %t = thread_id_x : i32
  %at = cast %t : i64
  %v = load %x, %at : i32
  store %s, %at, %v
  barrier
  %dim = block_dim_x : i32
  %zero = const 0 : i32
  %two = const 2 : i32
  %half = floor_div %dim, %two : i32
  %end = while %half : i32 cond(%n: i32) {
    %more = gt %n, %zero : bool
    yield %more, %n
  } do(%m: i32) {
    %mine = lt %t, %m : bool
    if %mine then {
      %a = load %s, %at : i32
      %o = add %t, %m : i32
      %from = cast %o : i64
      %b = load %s, %from : i32
      %c = add %a, %b : i32
      store %s, %at, %c
      yield
    } else {
      yield
    }
    barrier
    %next = floor_div %m, %two : i32
    yield %next
  }
  %first = eq %t, %zero : bool
  if %first then {
    %r = load %s, %at : i32
    store %out, %at, %r
    yield
  } else {
    yield
  }
  return
}
)");
  std::vector<int32_t> x(128);
  std::iota(x.begin(), x.end(), 1);
  int32_t out = 0;
  EXPECT_EQ(run(module, {address(x.data()), address(&out)}, {}, {128}, 128 * 4), "");
  EXPECT_EQ(out, 128 * 129 / 2);
}

std::string with_condition(const char* setup, const char* condition) {
  return std::string(
             "kernel @k() {\n  %t = thread_id_x : i32\n  %zero = const 0 : i32\n  %one = const 1 : i32\n") +
         setup + "  if " + condition +
         " then {\n    barrier\n    yield\n  } else {\n    barrier\n    yield\n  }\n  return\n}\n";
}

TEST(Interpreter, DifferentBarriersDiverge) {
  Module alike = parse_text(with_condition("  %c = eq %zero, %one : bool\n", "%c"));
  EXPECT_EQ(run(alike, {}, {}, {8}), "");
  Module apart = parse_text(with_condition("  %c = eq %t, %one : bool\n", "%c"));
  EXPECT_TRUE(run(apart, {}, {}, {8}).starts_with("divergent barrier"));
  EXPECT_EQ(run(apart, {}, {}, {1}), "");  // one thread agrees with itself
}

// Thread 0 leaves the loop one turn early and waits at the barrier behind it; the loop's own barrier then
// meets threads in another turn.
TEST(Interpreter, TheSameBarrierInAnotherTurnDiverges) {
  Module module = parse_text(R"(
kernel @k(%skip: i32) {
  %t = thread_id_x : i32
  %zero = const 0 : i32
  %one = const 1 : i32
  %three = const 3 : i32
  for %zero, %three, %one do(%i: i32) {
    %first = eq %i, %zero : bool
    %mine = eq %t, %skip : bool
    %both = and %first, %mine : bool
    if %both then {
      continue
    } else {
      yield
    }
    barrier
    yield
  }
  return
}
)");
  EXPECT_TRUE(run(module, {{0}}, {}, {4}).starts_with("divergent barrier"));
  EXPECT_EQ(run(module, {{9}}, {}, {4}), "");
}

TEST(Interpreter, BarriersInCalledFunctionsKnowTheirCallers) {
  const char* text = R"(
kernel @k(%which: i32) {
  %t = thread_id_x : i32
  %c = eq %t, %which : bool
  if %c then {
    call @wait
    yield
  } else {
    call @wait
    yield
  }
  return
}
function @wait() {
  barrier
  return
}
)";
  Module module = parse_text(text);
  EXPECT_TRUE(run(module, {{0}}, {}, {4}).starts_with("divergent barrier"));
  EXPECT_EQ(run(module, {{7}}, {}, {4}), "");
}

TEST(Interpreter, SharedMemoryIsFreshForEveryBlock) {
  Module module = parse_text(R"(
kernel @k(%out: ptr<u8, global>) {
  %s = shared_array 1 : ptr<u8, shared>
  %b = block_id_x : i32
  %at = cast %b : i64
  %zero = const 0 : i64
  %v = load %s, %zero : u8
  store %out, %at, %v
  %seven = const 7 : u8
  store %s, %zero, %seven
  return
}
)");
  std::vector<uint8_t> out(3);
  EXPECT_EQ(run(module, {address(out.data())}, {3}, {1}), "");
  EXPECT_EQ(out, (std::vector<uint8_t>{0xCB, 0xCB, 0xCB}));
}

TEST(Interpreter, AnEmptyGridDoesNothing) {
  Module module = parse_text(kReverse);
  EXPECT_EQ(run(module, {{0}, {1}}, {0, 1, 1}, {64}), "");
}

TEST(Interpreter, StopsAtTheStepLimit) {
  Module module = parse_text(R"(
kernel @k() {
  while cond {
    %yes = const true : bool
    yield %yes
  } do {
    yield
  }
  return
}
)");
  EXPECT_EQ(run(module, {}, {}, {1}, 0, 1000), "step limit reached");
}

TEST(Interpreter, StopsEndlessRecursion) {
  Module module = parse_text("function @f() {\n  call @f\n  return\n}\n");
  auto result = interpret_function(module, {});
  ASSERT_TRUE(std::holds_alternative<RunError>(result));
  EXPECT_EQ(std::get<RunError>(result).message, "call depth limit reached");
}

TEST(Interpreter, ErrorsHaveThePlace) {
  std::string text = with_condition("  %c = eq %t, %one : bool\n", "%c");
  Module module = parse_text(text);
  auto error = interpret_kernel(module, {}, {{}, {2}, 0});
  ASSERT_TRUE(error);
  EXPECT_EQ(text.substr(error->range.begin, 7), "barrier");
}

TEST(Interpreter, ScalarsAreTypedByTheFunction) {
  Module module = parse_text("function @f(%a: f32, %b: i8) -> f32, i8 {\n  return %a, %b\n}\n");
  double third = 1.0 / 3;
  auto result = interpret_function(module, {{std::bit_cast<uint64_t>(third)}, {0x80}});
  auto values = std::get<std::vector<Scalar>>(result);
  EXPECT_EQ(std::bit_cast<double>(values[0].bits),
            static_cast<double>(1.0f / 3));  // rounded to the parameter's type
  EXPECT_EQ(static_cast<int64_t>(values[1].bits), -128);
}

}  // namespace
}  // namespace lanewise::ir
