// The CPU code of kernels without barriers: parameters, grids, guards, memory.
#include "host_run.h"

namespace lanewise::test {
namespace {

using A = HostArgument;

std::vector<float> ramp(size_t n, float scale = 1) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<float>(i) * scale;
  return v;
}

constexpr const char* kSaxpy = R"(
kernel @saxpy(%y: ptr<f32, global>, %n: i64, %x: ptr<f32, global>, %a: f32) {
  %tid = thread_id_x : i32
  %bid = block_id_x : i32
  %dim = block_dim_x : i32
  %t = cast %tid : i64
  %b = cast %bid : i64
  %d = cast %dim : i64
  %m = mul %b, %d : i64
  %i = add %m, %t : i64
  %c = lt %i, %n : bool
  if %c then {
    %xi = load %x, %i : f32
    %yi = load %y, %i : f32
    %p = mul %a, %xi : f32
    %s = add %p, %yi : f32
    store %y, %i, %s
    yield
  } else {
    yield
  }
  return
}
)";

TEST(Host, SaxpyWithATailAndThreadsBeyondIt) {
  HostResult result = run_both(
      kSaxpy, {A::array(ramp(1000)), A::scalar<int64_t>(1000), A::array(ramp(1000, 2)), A::scalar(0.5f)},
      {{4, 1, 1}, {256, 1, 1}});
  EXPECT_EQ(result.arguments[0].as<float>()[999], 999.0f + 999.0f);
  // Whole blocks beyond the end.
  run_both(kSaxpy, {A::array(ramp(10)), A::scalar<int64_t>(10), A::array(ramp(10, 2)), A::scalar(0.5f)},
           {{9, 1, 1}, {33, 1, 1}});
  // A negative bound: nothing happens.
  run_both(kSaxpy,
           {A::array(ramp(10)), A::scalar<int64_t>(INT64_MIN), A::array(ramp(10, 2)), A::scalar(0.5f)},
           {{2, 1, 1}, {8, 1, 1}});
}

constexpr const char* kBlockSum = R"(
kernel @blocksum(%out: ptr<i32, global>, %x: ptr<i32, global>) {
  %s = shared_array 256 : ptr<i32, shared>
  %tid = thread_id_x : i32
  %bid = block_id_x : i32
  %t = cast %tid : i64
  %b = cast %bid : i64
  %n = const 256 : i64
  %m = mul %b, %n : i64
  %i = add %m, %t : i64
  %v = load %x, %i : i32
  store %s, %t, %v
  barrier
  %k0 = const 128 : i64
  %zero = const 0 : i64
  %two = const 2 : i64
  %end = while %k0 : i64 cond(%k: i64) {
    %go = gt %k, %zero : bool
    yield %go, %k
  } do(%k1: i64) {
    %c = lt %t, %k1 : bool
    if %c then {
      %o = add %t, %k1 : i64
      %a = load %s, %t : i32
      %b1 = load %s, %o : i32
      %sum = add %a, %b1 : i32
      store %s, %t, %sum
      yield
    } else {
      yield
    }
    barrier
    %half = floor_div %k1, %two : i64
    yield %half
  }
  %first = eq %t, %zero : bool
  if %first then {
    %r = load %s, %zero : i32
    store %out, %b, %r
    yield
  } else {
    yield
  }
  return
}
)";

TEST(Host, BlockSum) {
  std::vector<int32_t> x(1024);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int32_t>(i * i % 1000);
  HostResult result =
      run_both(kBlockSum, {A::array(std::vector<int32_t>(4)), A::array(x)}, {{4, 1, 1}, {256, 1, 1}});
  int32_t sum = 0;
  for (size_t i = 256; i < 512; ++i) sum += x[i];
  EXPECT_EQ(result.arguments[0].as<int32_t>()[1], sum);
}

}  // namespace
}  // namespace lanewise::test
