// The language through the C++ door: what a kernel file may hold and an argument may be, without Python. Runs
// on the target that LANEWISE_TARGET names.
#include <gtest/gtest.h>
#include <lanewise/lanewise.h>

#include <bit>
#include <cmath>
#include <complex>
#include <fstream>
#include <iterator>
#include <numeric>

namespace {

struct Body {
  float mass;
  struct {
    double x, y;
  } at;
  int16_t tags[3];
};
struct RandomState {
  uint64_t s0, s1;
};
struct Day {
  int64_t count;
};

}  // namespace

template <>
struct lanewise::ElementName<Day> {
  static constexpr const char* value = "datetime64[D]";
};
template <>
struct lanewise::ElementName<Body> {
  static constexpr const char* value =
      "record(mass: float32, at: record(x: float64, y: float64), tags: int16[3])";
};
template <>
struct lanewise::ElementName<RandomState> {
  static constexpr const char* value = "record(s0: uint64, s1: uint64)";
};

namespace {

using lanewise::Module;
using C64 = std::complex<float>;
using C128 = std::complex<double>;

bool on_cuda() { return lanewise::default_target() == lanewise::Target::Cuda; }

TEST(Arguments, ComplexArraysAndScalars) {
  Module module = lanewise::compile(R"py(
import cmath
import numpy as np
from lanewise import gpu

@gpu.jit
def kernel(z, w, out, parts):
    i = gpu.grid(1)
    if i < z.size:
        out[i] = z[i] * w + cmath.sqrt(z[i])
        parts.real[i] += abs(z[i])
        gpu.atomic.add(parts.imag, 0, z[i].imag)
    if i == 0:
        out[3] = np.sum(z[:3])
)py");
  std::vector<C64> z = {{3, 4}, {0, -2}, {-1, 0}};
  std::vector<C64> out(4), parts(3);
  module.launch("kernel", {1}, {4}, std::span<const C64>(z), C64(0, 1), out, parts);
  for (size_t i = 0; i < z.size(); ++i) {
    C64 want = z[i] * C64(0, 1) + std::sqrt(z[i]);
    EXPECT_LE(std::abs(out[i] - want), 1e-5f) << i;
    EXPECT_EQ(parts[i].real(), std::abs(z[i]));
  }
  EXPECT_EQ(out[3], C64(2, 2));
  EXPECT_EQ(parts[0].imag(), 2);
  EXPECT_EQ(module.specialize("kernel", z, C64(), out, parts).parameters()[1].type, "complex64");
}

TEST(Arguments, Tuples) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def kernel(sizes, buffers):
    i = gpu.grid(1)
    x, (y, scale) = buffers
    if i < sizes[0]:
        y[i] = scale * x[i] + len(sizes)
        x[i] = 0
)py");
  std::vector<float> x = {1, 2, 3}, y(3);
  auto inner = std::pair(std::span(y), 2.0f);
  module.launch("kernel", {1}, {4}, std::tuple(2, 7, int8_t{1}), std::tuple(std::span(x), inner));
  EXPECT_EQ(y, (std::vector<float>{5, 7, 0}));
  EXPECT_EQ(x, (std::vector<float>{0, 0, 3}));
  // Containers are referred to; temporaries and constants are read-only, as outside of tuples.
  std::tuple<std::vector<float>, std::pair<std::vector<float>, double>> owner{{1, 1, 1}, {{0, 0, 0}, 0.5}};
  module.launch("kernel", {1}, {4}, std::pair(3, 0), owner);
  EXPECT_EQ(std::get<1>(owner).first, std::vector<float>(3, 2.5f));
  EXPECT_THROW(module.launch("kernel", {1}, {4}, std::pair(3, 0), std::as_const(owner)),
               lanewise::CompileError);
  EXPECT_THROW(module.launch("kernel", {1}, {4}, std::pair(3, 0), std::tuple(x, std::pair(y, 2.0f))),
               lanewise::CompileError);
  std::vector<lanewise::Parameter> p =
      module.specialize("kernel", std::tuple(1, 2), std::tuple(std::span(x), inner)).parameters();
  ASSERT_EQ(p.size(), 5u);
  EXPECT_EQ(p[1].name, "sizes[1]");
  EXPECT_EQ(p[3].name, "buffers[1][0]");
  EXPECT_TRUE(p[3].writes && !p[3].reads);
  EXPECT_EQ(p[4].type, "float32");
}

TEST(Arguments, TuplesOfDeclaredTypesMayBeGivenItemByItem) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit("void(int64[::1], UniTuple(int32, 2), Tuple(float32, int8))")
def kernel(out, a, b):
    out[0] = a[0] * 100 + a[1] * 10 + b[1]
)py");
  std::vector<int64_t> out(1);
  module.launch("kernel", {1}, {1}, out, std::pair(1, 2), std::tuple(0.5f, 3));
  EXPECT_EQ(out[0], 123);
  module.launch("kernel", {1}, {1}, out, 4, 5, 0.5f, 6);
  EXPECT_EQ(out[0], 456);
  EXPECT_THROW(module.launch("kernel", {1}, {1}, out, std::tuple(1, 2, 3), 0.5f), lanewise::LaunchError);
  EXPECT_THROW(module.launch("kernel", {1}, {1}, out, std::pair(1, 2), std::tuple(0.5f, std::nullopt)),
               lanewise::LaunchError);
}

TEST(Arguments, NamedTuples) {
  Module module = lanewise::compile(R"py(
from collections import namedtuple
from lanewise import gpu

Pair = namedtuple("Pair", "first second")

@gpu.jit(device=True)
def swapped(p):
    return Pair(p.second, first_of(p))

@gpu.jit(device=True)
def first_of(p):
    return p.first

@gpu.jit
def kernel(grid, p, out):
    q = swapped(p)
    out[0] = q.first
    out[1] = q.second
    out[2] = grid.step * len(grid)
    grid.values[1] = grid.values[0]
)py");
  std::vector<double> out(3), values = {7, 0};
  auto grid = [&](auto step) { return lanewise::named_tuple("Grid(values, step)", values, step); };
  module.launch("kernel", {1}, {1}, grid(0.25f), lanewise::named_tuple("Pair(first, second)", 1, 2.5), out);
  EXPECT_EQ(out, (std::vector<double>{2.5, 1, 0.5}));
  EXPECT_EQ(values[1], 7);
  module.launch("kernel", {1}, {1}, grid(2), lanewise::named_tuple("Pair(second, first)", 1, 2.5), out);
  EXPECT_EQ(out, (std::vector<double>{1, 2.5, 4}));
  EXPECT_THROW(module.launch("kernel", {1}, {1}, grid(2), std::pair(1, 2), out), lanewise::CompileError);
  for (const char* bad : {"Pair(first)", "Pair", "Pair(first, second, third)", "Pair(first, first)", "(a, b)",
                          "P(a,)", "Pair(1st, second)", "Pair(a b, c))", ""})
    EXPECT_THROW(module.launch("kernel", {1}, {1}, grid(2), lanewise::named_tuple(bad, 1, 2), out),
                 lanewise::InvalidArgument)
        << bad;
}

TEST(Arguments, NoneAndOptional) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def kernel(x, weights, bias, out):
    i = gpu.grid(1)
    if i < x.size:
        v = x[i]
        if weights is not None:
            v *= weights[i]
        out[i] = v if bias is None else v + bias
)py");
  std::vector<float> x = {1, 2}, out(2);
  std::optional<std::vector<float>> weights;
  std::optional<float> bias;
  auto launch = [&] { module.launch("kernel", {1}, {2}, x, weights, bias, out); };
  launch();
  EXPECT_EQ(out, (std::vector<float>{1, 2}));
  bias = 0.5f;
  launch();
  EXPECT_EQ(out, (std::vector<float>{1.5, 2.5}));
  weights = {3, 4};
  launch();
  EXPECT_EQ(out, (std::vector<float>{3.5, 8.5}));
  module.launch("kernel", {1}, {2}, x, std::nullopt, 1.0f, out);
  EXPECT_EQ(out, (std::vector<float>{2, 3}));
  lanewise::Kernel kernel = module.specialize("kernel", x, std::nullopt, bias, out);
  std::vector<lanewise::Parameter> p = kernel.parameters();
  ASSERT_EQ(p.size(), 4u);
  EXPECT_EQ(p[1].name, "weights");
  EXPECT_EQ(p[1].type, "None");
  EXPECT_EQ(p[1].dtype, LW_NONE);
  EXPECT_EQ(p[3].name, "out");
  EXPECT_TRUE(p[3].writes);
  kernel.launch({1}, {2}, x, std::nullopt, 1.0f, out);
  try {
    kernel.launch({1}, {2}, x, weights, 1.0f, out);
    FAIL();
  } catch (const lanewise::LaunchError& error) {
    EXPECT_NE(std::string(error.what()).find("`weights`"), std::string::npos) << error.what();
  }
  EXPECT_THROW(kernel.launch({1}, {2}, x, std::nullopt, std::nullopt, out), lanewise::LaunchError);
}

TEST(Arguments, TuplesThatAreNone) {
  lw_module* module = nullptr;
  const std::string_view text = "from lanewise import gpu\n@gpu.jit\ndef k(t):\n    pass\n";
  ASSERT_EQ(lw_module_create(text.data(), text.size(), nullptr, &module), LW_OK);
  lw_launch_config config{sizeof config, {1, 1, 1}, {1, 1, 1}, 0, nullptr, {}, 0, 0, 0};
  auto launch = [&](lw_argument a) { return lw_module_launch(module, "k", &config, &a, 1); };
  lw_argument none{LW_NONE, 0, 0, 0, nullptr, nullptr, nullptr, nullptr};
  lw_argument items[] = {none, none};
  EXPECT_EQ(launch(none), LW_OK);
  EXPECT_EQ(launch({LW_TUPLE, 2, 0, 0, items, nullptr, nullptr, nullptr}), LW_OK);
  EXPECT_EQ(launch({LW_TUPLE, 0, 0, 0, nullptr, nullptr, nullptr, nullptr}), LW_OK);
  EXPECT_EQ(launch({LW_TUPLE, 2, 0, 0, nullptr, nullptr, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_TUPLE, -1, 0, 0, items, nullptr, nullptr, nullptr}), LW_ERROR_INVALID);
  lw_argument loop{LW_TUPLE, 1, 0, 0, &loop, nullptr, nullptr, nullptr};
  EXPECT_EQ(lw_module_launch(module, "k", &config, &loop, 1), LW_ERROR_INVALID);
  lw_kernel* kernel = nullptr;
  ASSERT_EQ(lw_module_specialize(module, "k", &none, 1, &kernel), LW_OK);
  EXPECT_EQ(lw_kernel_launch(kernel, &config, &loop, 1), LW_ERROR_INVALID);
  lw_kernel_release(kernel);
  lw_module_release(module);
}

TEST(Arguments, NestedRecords) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def kernel(bodies, first, total):
    i = gpu.grid(1)
    if i < bodies.size:
        b = bodies[i]
        b.at.x += b.mass
        b.tags[i % 3] = i
        b["at"]["y"] = first.at.y
        gpu.atomic.add(total, 0, b.mass)
)py");
  std::vector<Body> bodies(5, {1.5f, {2, 3}, {7, 7, 7}});
  Body first{0, {0, -1}, {}};
  std::vector<float> total(1);
  module.launch("kernel", {1}, {8}, bodies, lanewise::array(&first, {}), total);
  for (size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(bodies[i].at.x, 3.5);
    EXPECT_EQ(bodies[i].at.y, -1);
    EXPECT_EQ(bodies[i].tags[i % 3], static_cast<int16_t>(i));
    EXPECT_EQ(bodies[i].tags[(i + 1) % 3], 7);
  }
  EXPECT_EQ(total[0], 7.5f);
}

TEST(Language, BFloat16AndFloat16) {
  using lanewise::BFloat16;
  Module module = lanewise::compile(R"py(
import math
from lanewise import gpu

@gpu.jit
def kernel(x, a, h, out):
    x[0] = a * x[1] + x[2]
    x[3] = math.sqrt(x[1])
    h[0] = gpu.fp16.hfma(h[1], h[1], 1)
    out[0] = gpu.bf16.hmul(x[1], 3)
    out[1] = x[1] + h[1]
)py");
  std::vector<BFloat16> x = {BFloat16(0), BFloat16(2), BFloat16(0.5f), BFloat16(0)};
  std::vector<_Float16> h = {0, 1.5f};
  std::vector<float> out(2);
  module.launch("kernel", {1}, {1}, x, BFloat16(0.25f), h, out);
  EXPECT_EQ(static_cast<float>(x[0]), 1);
  EXPECT_EQ(static_cast<float>(x[3]), 1.4140625f);  // the square root of 2 in 8 bits
  EXPECT_EQ(static_cast<float>(h[0]), 3.25f);
  EXPECT_EQ(out, (std::vector<float>{6, 3.5}));
}

TEST(Language, VectorsAndArrayExpressions) {
  Module module = lanewise::compile(R"py(
import numpy as np
from lanewise import gpu

@gpu.jit(device=True)
def lerp(a, b, t):
    return a + (b - a) * t

@gpu.jit
def kernel(a, b, out, sums):
    v = lerp(gpu.float32x4(0), gpu.float4(4, 8, 12, a[0, 0]), 0.25)
    lanes = gpu.shared.array(2, gpu.float32x2)
    lanes[0] = gpu.float32x2(v.x, v.y)
    for k, x in enumerate(v):
        sums[k] = x
    sums[4] = lanes[0].y
    out[1:-1, :] = 0.5 * (a[:-2, :] + a[2:, :]) + b[None, :]
    sums[5] = (a * 2).sum()
    sums[6] = np.dot(b, a[1])
    sums[7] = a.max()
)py");
  std::vector<float> a(12), b = {1, 10, 100}, out(12, -1.0f), sums(8);
  std::iota(a.begin(), a.end(), 0.0f);
  module.launch("kernel", {1}, {1}, lanewise::array(a.data(), {4, 3}), b, lanewise::array(out.data(), {4, 3}),
                sums);
  EXPECT_EQ(sums, (std::vector<float>{1, 2, 3, 0, 2, 132, 543, 11}));
  EXPECT_EQ(out, (std::vector<float>{-1, -1, -1, 4, 14, 105, 7, 17, 108, -1, -1, -1}));
}

TEST(Arguments, Vectors) {
  using lanewise::Vector;
  using F4 = Vector<float, 4>;
  static_assert(std::string_view(lanewise::ElementName<Vector<uint16_t, 3>>::value) == "uint16x3");
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def scale(x, by, add):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = x[i] * by + add

@gpu.jit("void(int64x2[:], int64x2)")
def swap(x, v):
    for i in range(len(x)):
        x[i] = gpu.longlong2(x[i].y + v.x, x[i].x - v.y)
)py");
  std::vector<F4> x = {{{1, 2, 3, 4}}, {{5, 6, 7, 8}}};
  module.launch("scale", {1}, {2}, x, 2.0f, F4{{10, 20, 30, -40}});
  EXPECT_EQ(x, (std::vector<F4>{{{12, 24, 36, -32}}, {{20, 32, 44, -24}}}));
  std::vector<Vector<int64_t, 2>> pairs = {{{1, 2}}, {{3, 4}}};
  module.launch("swap", {1}, {1}, pairs, Vector<int64_t, 2>{{int64_t{1} << 40, 5}});
  EXPECT_EQ(pairs[1], (Vector<int64_t, 2>{{(int64_t{1} << 40) + 4, -2}}));
  auto says = [&](auto&&... arguments) -> std::string {
    try {
      module.launch("swap", {1}, {1}, arguments...);
    } catch (const lanewise::LaunchError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(says(pairs, Vector<int32_t, 2>{{1, 2}}).find("`v` is a int32x2, the parameter is int64x2"),
            std::string::npos)
      << says(pairs, Vector<int32_t, 2>{{1, 2}});
  EXPECT_NE(says(pairs, 5).find("the parameter is int64x2"), std::string::npos);
  EXPECT_NE(says(x, Vector<int64_t, 2>{{1, 2}}).find("`x` is an array float32x4[::1]"), std::string::npos);
}

// tests/c_api/statements.py; the numbers are worked out by hand.
TEST(Language, StatementsAndTypesOfAFile) {
  std::ifstream file(LANEWISE_STATEMENTS);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  Module module = lanewise::compile(text, {.file_name = LANEWISE_STATEMENTS});
  std::vector<int64_t> out(16);
  out[13] = 100;
  std::vector<int32_t> a = {1, 2, 3, 9, 5, 6};
  std::vector<Day> when = {{20454}, {20463}};  // 2026-01-01, 2026-01-10
  std::vector<int16_t> deep(256);
  std::iota(deep.begin(), deep.end(), int16_t{0});
  module.launch("statements", {1}, {1}, out, lanewise::array(a.data(), {2, 3}), when,
                lanewise::array(deep.data(), {2, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(out, (std::vector<int64_t>{720, 5, 16, 17, 3, 51, 9, 10, 10, 25, 27, 14, 93, 209, 29, -19}));
  EXPECT_EQ(when[0].count, 20456);
}

// tests/c_api/constants.py, in the same way.
TEST(Language, ConstantsOfAFile) {
  std::ifstream file(LANEWISE_CONSTANTS);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  Module module = lanewise::compile(text, {.file_name = LANEWISE_CONSTANTS});
  std::vector<double> out(20);
  module.launch("constants", {1}, {1}, out);
  EXPECT_DOUBLE_EQ(out[1], 6.283185307179586);
  EXPECT_EQ(out[3], 0.1f);
  EXPECT_NEAR(out[9], 0.8414709848078965, 1e-15);
  out[1] = out[3] = out[9] = 0;
  EXPECT_EQ(out, (std::vector<double>{31, 0, 15, 0, 4, 1, 32, 5, 24, 0, 1, 16, 5, 11, 5, 38, 186, 8, 0, 8}));
}

TEST(Language, WarpOperations) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def kernel(x, out, votes):
    i = gpu.threadIdx.x
    v = x[i]
    for step in (16, 8, 4, 2, 1):
        v += gpu.shfl_down_sync(0xFFFFFFFF, v, step)
    if gpu.laneid == 0:
        out[i // 32] = v
    votes[i] = gpu.ballot_sync(0xFFFFFFFF, x[i] % 2 == 0)
    total = gpu.reduce_add_sync(0xFFFFFFFF, i)
    gpu.syncwarp()
    if i == 63:
        out[2] = total
        out[3] = gpu.popc(gpu.lanemask_lt())
)py");
  std::vector<int> x(64), out(4);
  std::vector<uint32_t> votes(64);
  std::iota(x.begin(), x.end(), 0);
  // libdevice has no reduce_add_sync below sm_80, the emulator's device has.
  module.launch("kernel", {1}, {64}, x, out, votes);
  EXPECT_EQ(out, (std::vector<int>{496, 1520, 1520, 31}));
  EXPECT_EQ(votes, std::vector<uint32_t>(64, 0x55555555u));
}

// SplitMix64 and xoroshiro128+ as their authors wrote them down.
double first_uniform(uint64_t seed) {
  uint64_t z = seed + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return static_cast<double>((z + z) >> 11) * 0x1p-53;
}

TEST(Language, RandomNumbers) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu
from lanewise.gpu.random import (init_xoroshiro128p_state, philox4x32, philox_normal_float64, philox_uniform_float32,
                                 xoroshiro128p_uniform_float64)

@gpu.jit
def kernel(states, out, sums):
    i = gpu.grid(1)
    if i < states.size:
        init_xoroshiro128p_state(states, i, i)
        out[i] = xoroshiro128p_uniform_float64(states, i)
        u = philox_uniform_float32(7, i)
        gpu.atomic.add(sums, 0, u)
        gpu.atomic.add(sums, 1, philox_normal_float64(7, i, 1))
    if i == 0:
        sums[2] = philox4x32((0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF))[0]
)py");
  std::vector<RandomState> states(1000);
  std::vector<double> out(1000), sums(3);
  module.launch("kernel", {8}, {128}, states, out, sums);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], first_uniform(i)) << i;
  EXPECT_NEAR(sums[0] / 1000, 0.5, 0.05);
  EXPECT_NEAR(sums[1] / 1000, 0, 0.15);
  EXPECT_EQ(sums[2], 0x408f276d);  // of Random123's known answers
  EXPECT_NE(states[0].s0, states[1].s0);
}

TEST(Language, MatchFunctionsAndConstants) {
  Module module = lanewise::compile(R"py(
import enum
from typing import NamedTuple
from lanewise import gpu

class Mode(enum.IntEnum):
    ADD = 0
    SCALE = enum.auto()
    SHIFT = 2

class Step(NamedTuple):
    by: int
    offset: int = 0

HALF = Step(2)

WEIGHTS = (1, 2, 3)
LIMIT: int = 2 * len(WEIGHTS)

@gpu.jit(device=True)
def scaled(x, by=2, *, offset=0):
    return x * by + offset

@gpu.jit(device=True)
def depth(n):
    return 0 if n == 0 else 1 + depth(n // 2)

@gpu.jit
def kernel(mode, x, out):
    i = gpu.grid(1)
    if i < x.size:
        match mode:
            case Mode.ADD:
                out[i] = x[i] + sum(w * w for w in WEIGHTS)
            case Mode.SCALE | Mode.SHIFT if x[i] > 0:
                out[i] = scaled(x[i], HALF.by, offset=LIMIT + Step(1).offset)
            case _:
                out[i] = (lambda v: v - 1)(x[i])
        if i == 0:
            out[i] += depth(100)
        assert mode != 3
)py");
  auto run = [&](int mode) {
    std::vector<int> x = {-1, 1, 5}, out(3);
    module.launch("kernel", {1}, {4}, mode, x, out);
    return out;
  };
  EXPECT_EQ(run(0), (std::vector<int>{20, 15, 19}));
  EXPECT_EQ(run(1), (std::vector<int>{5, 8, 16}));
  EXPECT_EQ(run(7), (std::vector<int>{5, 0, 4}));
}

TEST(Language, WhatDeviceFunctionsRaiseNamesTheirPlace) {
  Module module = lanewise::compile(R"py(from lanewise import gpu

@gpu.jit(device=True)
def checked(x, i, limit):
    assert x < limit, f"x[{i}] is {x:.1f}, not below {limit}"
    if x < 0:
        raise gpu.Negative("x", i, x)
    return x

@gpu.jit
def kernel(x, z):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = checked(x[i], i, 10) + 1
        if z[0] == 1j:
            raise ValueError(f"{z[0]} and {(i, True)}")
)py",
                                    {.file_name = "checks.py"});
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<C128> z = {0};
  auto raised = [&]() -> std::string {
    try {
      module.launch("kernel", {2}, {2}, x, z);
    } catch (const lanewise::RaisedError& error) {
      EXPECT_EQ(error.file, "checks.py");
      EXPECT_EQ(error.kernel, "kernel");
      return error.exception + ": " + error.text + " at " + std::to_string(error.line) + " in " +
             std::to_string(error.block[0]) + "," + std::to_string(error.thread[0]);
    }
    return "";
  };
  EXPECT_EQ(raised(), "");
  EXPECT_EQ(x, (std::vector<float>{2, 3, 4, 5}));
  x[3] = 12.25f;
  EXPECT_EQ(raised(), "AssertionError: x[3] is 12.2, not below 10 at 5 in 1,1");
  EXPECT_EQ(x, (std::vector<float>{3, 4, 5, 12.25}));
  x[0] = -3;
  EXPECT_EQ(raised(), "gpu.Negative: ('x', 0, -3.0) at 7 in 0,0");
  x = {1, 1, 1, 1};
  z[0] = C128(0, 1);
  EXPECT_EQ(raised(), "ValueError: (0+1j) and (0, True) at 16 in 0,0");
}

TEST(Language, PrintsEveryKindOfValue) {
  if (on_cuda()) GTEST_SKIP() << "the driver writes to stdout";
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def kernel(z, p, nothing, b):
    print(z[0], gpu.float32x2(0.5, 2), p, nothing, b[0], sep="|")
    print(f"{p.first:>4}|{z[0].imag:.3f}|{7:#x}", end="!")
    print()
)py");
  std::string text;
  lanewise::set_print([&](std::string_view more) { text += more; });
  std::vector<C64> z = {C64(1, -2)};
  std::vector<lanewise::BFloat16> b = {lanewise::BFloat16(0.5f)};
  module.launch("kernel", {1}, {1}, z, lanewise::named_tuple("Pair(first, second)", 3, true), std::nullopt,
                b);
  lanewise::set_print({});
  EXPECT_EQ(text, "(1-2j)|float32x2(0.5, 2.0)|Pair(first=3, second=True)|None|0.5\n   3|-2.000|0x7!\n");
}

}  // namespace
