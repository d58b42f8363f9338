// The C++ door: the wrapper and, through it, the C interface. Only what is installed is included. Runs on the
// target that LANEWISE_TARGET names.
#include <gtest/gtest.h>
#include <lanewise/lanewise.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <thread>

namespace {

struct Particle {
  float x;
  double mass;
  int16_t tag[2];
};

}  // namespace

template <>
struct lanewise::ElementName<Particle> {
  static constexpr const char* value = "record(x: float32, mass: float64, tag: int16[2])";
};

namespace {

using lanewise::Module;

constexpr const char* kKernels = R"py(
from lanewise import gpu
from lanewise.gpu import float32, int32

SCALE = 2

@gpu.jit(device=True)
def helper(v):
    return v * SCALE

@gpu.jit
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]

@gpu.jit
def typed(x: int32[::1], v: int32):
    x[gpu.grid(1)] = helper(v)

@gpu.jit("void(float32[:, :], float32[:, ::1])")
def copy(a, b):
    x, y = gpu.grid(2)
    if y < a.shape[0] and x < a.shape[1]:
        b[y, x] = a[y, x]
)py";

// What an argument is inside a kernel: its value, and how wide its arithmetic is.
constexpr const char* kShow = R"(
from lanewise import gpu

@gpu.jit
def show(v, out):
    out[0] = v
    out[1] = v * 0.1
)";

std::vector<float> ramp(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(CppDoor, SpecializesOnArguments) {
  Module module = lanewise::compile(kKernels);
  std::vector<float> x = ramp(100), y(100, 1.0f);
  module.launch("saxpy", {4}, {32}, 2.0f, std::span<const float>(x), std::span<float>(y));
  for (size_t i = 0; i < y.size(); ++i) ASSERT_EQ(y[i], 1 + 2 * x[i]);
  std::vector<double> dx = {1, 2}, dy = {0, 0};
  module.launch("saxpy", {1}, {32}, 0.1, dx, dy);
  EXPECT_EQ(dy, (std::vector<double>{0.1, 0.2}));
  std::vector<int> ix = {1, 2}, iy = {5, 5};
  module.launch("saxpy", {1}, {32}, 3, ix, iy);
  EXPECT_EQ(iy, (std::vector<int>{8, 11}));
}

TEST(CppDoor, ScalarsKeepTheirType) {
  Module module = lanewise::compile(kShow);
  auto shown = [&](auto value) {
    std::vector<double> out(2);
    module.launch("show", {1}, {1}, value, out);
    return out;
  };
  EXPECT_EQ(shown(1.0f), (std::vector<double>{1, static_cast<double>(0.1f)}));
  EXPECT_EQ(shown(1.0), (std::vector<double>{1, 0.1}));
  EXPECT_EQ(shown(true)[0], 1);
  EXPECT_EQ(shown(int8_t{-7})[0], -7);
  EXPECT_EQ(shown(uint8_t{200})[0], 200);
  EXPECT_EQ(shown(int16_t{-300})[0], -300);
  EXPECT_EQ(shown(uint32_t{4000000000u})[0], 4e9);
  EXPECT_EQ(shown(std::numeric_limits<int64_t>::min())[0], -std::ldexp(1.0, 63));
  EXPECT_EQ(shown(std::numeric_limits<uint64_t>::max())[0], std::ldexp(1.0, 64));
  EXPECT_EQ(shown(lanewise::number(5))[0], 5);
  EXPECT_EQ(shown(lanewise::number(0.25))[0], 0.25);
  std::vector<double> out(2);
  EXPECT_EQ(module.specialize("show", 1.0f, out).parameters()[0].type, "float32");
  EXPECT_EQ(module.specialize("show", lanewise::number(1.0f), out).parameters()[0].type, "float");
  EXPECT_EQ(module.specialize("show", lanewise::number(1u), out).parameters()[0].dtype, LW_UINT64);
}

TEST(CppDoor, BFloat16) {
  using lanewise::BFloat16;
  EXPECT_EQ(BFloat16(1.00390625f).bits, 0x3F80);  // a tie goes to the even 1
  EXPECT_EQ(BFloat16(1.01171875f).bits, 0x3F82);
  EXPECT_EQ(static_cast<float>(BFloat16(-2.5f)), -2.5f);
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit("void(bfloat16[::1], bfloat16)")
def scale(x, a):
    x[0] = a * x[1]
)py");
  std::vector<BFloat16> x = {BFloat16(0), BFloat16(3)};
  module.launch("scale", {1}, {1}, x, BFloat16(0.5f));
  EXPECT_EQ(static_cast<float>(x[0]), 1.5f);
  module.launch("scale", {1}, {1}, x, 2.0f);
  EXPECT_EQ(static_cast<float>(x[0]), 6.0f);
}

TEST(CppDoor, ComplexNumbers) {
  Module module = lanewise::compile(kShow);
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  std::vector<C128> out(2);
  module.launch("show", {1}, {1}, C64(1, 2), out);
  EXPECT_EQ(out[0], C128(1, 2));
  EXPECT_EQ(out[1], C128(C64(1, 2) * 0.1f));
  module.launch("show", {1}, {1}, C128(1, 2), out);
  EXPECT_EQ(out[1], C128(1, 2) * 0.1);
  Module typed = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit("void(complex64[::1], complex128, complex64)")
def fill(x, a, b):
    x[0] = a
    x[1] = b + x[1]
)py");
  ;
  std::vector<C64> x = {0, C64(0, 5)};
  typed.launch("fill", {1}, {1}, x, C128(3, 4), 7.0f);
  EXPECT_EQ(x[0], C64(3, 4));
  EXPECT_EQ(x[1], C64(7, 5));
  EXPECT_EQ(typed.kernel("fill").parameters().size(), 3u);
}

TEST(CppDoor, ArraysOfAnyShapeAndStride) {
  Module module = lanewise::compile(kKernels);
  std::vector<float> a = ramp(6), b(6, -1.0f);
  // [[0, 1, 2], [3, 4, 5]] transposed
  module.launch("copy", {1}, {8, 8}, lanewise::array(a.data(), {3, 2}, {1, 3}),
                lanewise::array(b.data(), {3, 2}));
  EXPECT_EQ(b, (std::vector<float>{0, 3, 1, 4, 2, 5}));
  // backwards in both dimensions
  module.launch("copy", {1}, {8, 8}, lanewise::array(a.data() + 5, {2, 3}, {-3, -1}),
                lanewise::array(b.data(), {2, 3}));
  EXPECT_EQ(b, (std::vector<float>{5, 4, 3, 2, 1, 0}));
  // one element seen six times
  module.launch("copy", {1}, {8, 8}, lanewise::array(a.data() + 4, {2, 3}, {0, 0}),
                lanewise::array(b.data(), {2, 3}));
  EXPECT_EQ(b, std::vector<float>(6, 4.0f));
  // nothing at all, without a place in memory
  module.launch("copy", {1}, {8, 8}, lanewise::array(static_cast<float*>(nullptr), {0, 3}),
                lanewise::array(static_cast<float*>(nullptr), {0, 3}));
}

TEST(CppDoor, KernelsDescribeThemselves) {
  Module module = lanewise::compile(kKernels);
  EXPECT_EQ(module.kernels(), (std::vector<std::string>{"saxpy", "typed", "copy"}));
  lanewise::Kernel kernel = module.kernel("saxpy", "saxpy(float32, float32[::1], float32[:])");
  EXPECT_EQ(kernel.name(), "saxpy");
  std::vector<lanewise::Parameter> p = kernel.parameters();
  ASSERT_EQ(p.size(), 3u);
  EXPECT_EQ(p[0].name, "a");
  EXPECT_EQ(p[0].ndim, -1);
  EXPECT_EQ(p[1].type, "float32[::1]");
  EXPECT_EQ(p[1].dtype, LW_FLOAT32);
  EXPECT_TRUE(p[1].reads && !p[1].writes);
  EXPECT_EQ(p[2].type, "float32[:]");
  EXPECT_TRUE(p[2].reads && p[2].writes);
  EXPECT_NE(kernel.ir().find("saxpy"), std::string::npos);
  EXPECT_NE(kernel.ptx().find(".entry saxpy("), std::string::npos);
  EXPECT_NE(kernel.cuda().find("__global__ void saxpy("), std::string::npos);
  EXPECT_NE(module.ptx("typed", "", 90).find(".target sm_90"), std::string::npos);
}

TEST(CppDoor, DeclaredTypesConvertScalars) {
  Module module = lanewise::compile(kKernels);
  std::vector<int32_t> x(4);
  for (auto v : {7L, -7L}) {
    module.launch("typed", {1}, {4}, x, v);
    EXPECT_EQ(x, std::vector<int32_t>(4, static_cast<int32_t>(2 * v)));
  }
  EXPECT_THROW(module.launch("typed", {1}, {4}, x, int64_t{1} << 31), lanewise::LaunchError);
  EXPECT_THROW(module.launch("typed", {1}, {4}, x, -(int64_t{1} << 31) - 1), lanewise::LaunchError);
  EXPECT_THROW(module.launch("typed", {1}, {4}, x, uint64_t{1} << 63), lanewise::LaunchError);
  EXPECT_THROW(module.launch("typed", {1}, {4}, x, 1.0), lanewise::LaunchError);
  lanewise::Kernel kernel = module.kernel("saxpy", "saxpy(float32, float64[::1], float64[::1])");
  std::vector<double> in = {1}, out = {0};
  kernel.launch({1}, {1}, 0.1, in, out);  // the double becomes the parameter's float32
  EXPECT_EQ(out[0], static_cast<double>(0.1f));
  kernel.launch({1}, {1}, 3, in, out);
  EXPECT_EQ(out[0], 3 + static_cast<double>(0.1f));
}

std::string launch_error(auto launch) {
  try {
    launch();
  } catch (const lanewise::LaunchError& error) {
    return error.what();
  }
  return "no LaunchError";
}

TEST(CppDoor, WrongLaunchesNameKernelAndParameter) {
  Module module = lanewise::compile(kKernels);
  std::vector<float> x(4), y(4);
  std::vector<double> d(4);
  lanewise::Kernel kernel = module.kernel("saxpy", "saxpy(float32, float32[::1], float32[::1])");
  auto holds = [](const std::string& text, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      if (text.find(part) == text.npos) return ::testing::AssertionFailure() << text << "\nlacks " << part;
    return ::testing::AssertionSuccess();
  };
  EXPECT_TRUE(
      holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, x); }), {"`saxpy`", "3 arguments", "2 given"}));
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, d, y); }),
                    {"`saxpy`", "`x`", "float64[::1]", "float32[::1]"}));
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, 2.0f, y); }), {"`x`", "float32"}));
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, x, x, y); }), {"`a`"}));
  EXPECT_TRUE(holds(launch_error([&] {
                      kernel.launch({1}, {1}, 1.0f, lanewise::array(x.data(), {2, 2}), y);
                    }),
                    {"`x`", "[:, ::1]"}));
  EXPECT_TRUE(
      holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, lanewise::array(x.data(), {2}, {2}), y); }),
            {"`x`", "[:]"}));
  // Outputs that must not be written: const elements, a const container, a temporary.
  const std::vector<float> fixed(4);
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, x, std::span<const float>(y)); }),
                    {"saxpy", "`y`"}));
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, x, fixed); }), {"saxpy", "`y`"}));
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1}, 1.0f, x, std::vector<float>(4)); }),
                    {"saxpy", "`y`"}));
  kernel.launch({1}, {1}, 1.0f, fixed, y);
  EXPECT_TRUE(holds(launch_error([&] { kernel.launch({1}, {1025}, 1.0f, x, y); }), {"saxpy", "1024"}));
  EXPECT_NE(launch_error([&] { kernel.launch({-1}, {1}, 1.0f, x, y); }), "no LaunchError");
  kernel.launch({0}, {1}, 1.0f, x, y);  // an empty grid is legal
}

TEST(CppDoor, UnknownKernelsAreNamed) {
  Module module = lanewise::compile(kKernels);
  try {
    module.kernel("saxpie");
    FAIL();
  } catch (const lanewise::InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("`saxpy`, `typed`, `copy`"), std::string::npos) << error.what();
  }
  EXPECT_THROW(module.kernel("helper"), lanewise::InvalidArgument);  // a device function
}

TEST(CppDoor, CompileErrorsAreData) {
  Module module = lanewise::compile(
      "from lanewise import gpu\n@gpu.jit\ndef k(x):\n    x[0] = colour\n    x[1] = color\n",
      {.file_name = "paint.py"});
  std::vector<float> x(2);
  for (int turn = 0; turn < 2; ++turn) {  // a failed compile leaves nothing behind
    try {
      module.launch("k", {1}, {1}, x);
      FAIL();
    } catch (const lanewise::CompileError& error) {
      ASSERT_EQ(error.diagnostics.size(), 2u);
      const lanewise::Diagnostic& first = error.diagnostics[0];
      EXPECT_EQ(first.severity, lanewise::Diagnostic::Severity::Error);
      EXPECT_EQ(first.file, "paint.py");
      EXPECT_EQ(first.line, 4u);
      EXPECT_EQ(first.column, 12u);
      EXPECT_EQ(first.end_column, 18u);
      EXPECT_NE(first.message.find("`colour`"), std::string::npos);
      EXPECT_EQ(error.diagnostics[1].line, 5u);
      EXPECT_EQ(error.what(), first.rendered + error.diagnostics[1].rendered);
      EXPECT_EQ(error.status, LW_ERROR_COMPILE);
    }
  }
  EXPECT_THROW(lanewise::compile("from lanewise import gpu\n@gpu.jit\ndef k(x:\n"), lanewise::CompileError);
  EXPECT_THROW(module.kernel("k", "k(float33[:])"), lanewise::CompileError);
  EXPECT_THROW(module.kernel("k", "other(float32[:])"), lanewise::CompileError);
  EXPECT_THROW(module.kernel("k"), lanewise::CompileError);
  EXPECT_THROW(lanewise::load("/no/such/file.py"), lanewise::InvalidArgument);
}

TEST(CppDoor, WarningsAreKept) {
  Module module = lanewise::compile(
      "from lanewise import gpu\n@gpu.jit\ndef k(x):\n    if x[0] > 0:\n        n = 1\n    x[0] = n\n");
  std::vector<float> x(1);
  module.launch("k", {1}, {1}, x);
  std::vector<lanewise::Diagnostic> found = lanewise::warnings();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, lanewise::Diagnostic::Severity::Warning);
  EXPECT_EQ(found[0].id, "maybe-unbound");
  EXPECT_EQ(found[0].line, 6u);
  module.launch("k", {1}, {1}, x);  // compiled before: nothing to say
  EXPECT_TRUE(lanewise::warnings().empty());
}

TEST(CppDoor, ConstantsAndOptions) {
  std::vector<int32_t> x(1);
  Module module = lanewise::compile(kKernels, {.constants = {{"SCALE", "3 + 4"}}});
  module.launch("typed", {1}, {1}, x, 10);
  EXPECT_EQ(x[0], 70);
  EXPECT_THROW(lanewise::compile(kKernels, {.constants = {{"SCALE", "import os"}}}), lanewise::CompileError);
  EXPECT_THROW(lanewise::compile(kKernels, {.constants = {{"not a name", "1"}}}), lanewise::CompileError);

  std::string signature = "saxpy(float32, float32[::1], float32[::1])";
  Module plain = lanewise::compile(kKernels, {.signature = signature});
  EXPECT_EQ(plain.kernel("saxpy").parameters().size(), 3u);
  EXPECT_NE(plain.ptx("saxpy", "", 80).find("fma.rn.f32"), std::string::npos);
  Module rounded = lanewise::compile(kKernels, {.fma = false, .signature = signature});
  EXPECT_EQ(rounded.ptx("saxpy", "", 80).find("fma.rn.f32"), std::string::npos);
  EXPECT_THROW(plain.ptx("saxpy", "", 12), lanewise::TargetError);
}

TEST(CppDoor, DeviceMemory) {
  Module module = lanewise::compile(kKernels);
  std::vector<float> x = ramp(6);
  lanewise::Buffer<float> in(x), out(6);
  module.launch("copy", {1}, {8, 8}, in.array({2, 3}), out.array({2, 3}));
  lanewise::synchronize();
  EXPECT_EQ(out.to_host(), x);
  module.launch("saxpy", {1}, {8}, 2.0f, in, out);
  std::vector<float> part(2);
  out.read(part, 4);
  EXPECT_EQ(part, (std::vector<float>{12, 15}));
  out.write(std::vector<float>{-1}, 5);
  EXPECT_EQ(out.to_host()[5], -1);
  EXPECT_THROW(out.read(part, 5), lanewise::InvalidArgument);
  EXPECT_THROW(out.array({2, 4}), lanewise::InvalidArgument);
  EXPECT_EQ(lanewise::Buffer<double>(0).to_host().size(), 0u);
  if (lanewise::default_target() == lanewise::Target::Cpu) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(out.data()) % 64, 0u);
  }
}

TEST(CppDoor, ModulesAreSharedBetweenThreads) {
  Module module = lanewise::compile(kKernels);
  std::vector<std::thread> threads;
  std::vector<int> good(8);
  for (size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([&, t] {
      for (int turn = 0; turn < 20; ++turn) {
        std::vector<float> x = ramp(50), y(50);
        module.launch("saxpy", {1}, {64}, static_cast<float>(t), x, y);
        good[t] += y[49] == 49 * static_cast<float>(t);
        try {
          module.kernel("nothing" + std::to_string(t));
        } catch (const lanewise::Error& error) {
          good[t] += std::string(error.what()).find("nothing" + std::to_string(t)) != std::string::npos;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, std::vector<int>(8, 40));
}

constexpr const char* kTalks = R"py(
from lanewise import gpu

class Odd(Exception):
    pass

@gpu.jit
def talk(x):
    i = gpu.grid(1)
    print(f"{i}: {x[i]:.2f}", x[i] > 1)
    if x[i] < 0:
        raise Odd("at", i)
    assert x[i] < 100, f"{x[i]} is too much"
    x[i] += 1
)py";

TEST(CppDoor, PrintsWhereItIsTold) {
  if (lanewise::default_target() == lanewise::Target::Cuda) GTEST_SKIP() << "the driver writes to stdout";
  Module module = lanewise::compile(kTalks);
  std::string text;
  lanewise::set_print([&](std::string_view more) { text += more; });
  std::vector<double> x = {0.5, 2};
  module.launch("talk", {2}, {1}, x);
  EXPECT_EQ(text, "0: 0.50 False\n1: 2.00 True\n");
  lanewise::set_print([](std::string_view) { throw 1; });
  module.launch("talk", {2}, {1}, x);
  EXPECT_EQ(x, (std::vector<double>{2.5, 4}));
  lanewise::set_print({});
}

TEST(CppDoor, RaisesWhatTheKernelRaised) {
  Module module = lanewise::compile(kTalks);
  lanewise::set_print([](std::string_view) {});
  std::vector<double> x = {0, 1, 2, 3, 500, -1, -2, 7};
  try {
    module.launch("talk", {4}, {2}, x);
    ADD_FAILURE() << "nothing was raised";
  } catch (const lanewise::RaisedError& error) {
    EXPECT_EQ(error.status, LW_ERROR_RAISED);
    EXPECT_EQ(error.exception, "AssertionError");
    EXPECT_EQ(error.text, "500.0 is too much");
    EXPECT_EQ(error.kernel, "talk");
    EXPECT_EQ(error.line, 13u);
    EXPECT_EQ(error.block[0], 2);
    EXPECT_EQ(error.thread[0], 0);
    EXPECT_TRUE(std::string(error.what()).starts_with("AssertionError: 500.0 is too much\n")) << error.what();
  }
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3, 4, 500, -1, -2, 8}));
  x[4] = 0;
  try {
    module.launch("talk", {4}, {2}, x);
    ADD_FAILURE() << "nothing was raised";
  } catch (const lanewise::RaisedError& error) {
    EXPECT_EQ(error.exception, "Odd");
    EXPECT_EQ(error.text, "('at', 5)");
  }
  lw_raised none{};
  none.struct_size = sizeof none;
  x.assign(8, 1);
  module.launch("talk", {4}, {2}, x);
  EXPECT_EQ(lw_get_raised(&none), LW_ERROR_INVALID);
  lanewise::set_print({});
}

TEST(CppDoor, RefusesTextsThatAreNoGood) {
  std::string head = "from lanewise import gpu\n@gpu.jit('void(float32[:])')\ndef k(x):\n    x[0] = ";
  auto many = [](const std::string& text, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += text;
    return out;
  };
  const std::string texts[] = {head + "1\xfc\n",
                               head + std::string("1\0\n", 3),
                               head + many("(", 10'000) + "1" + many(")", 10'000) + "\n",
                               head + many("[", 10'000),
                               head + "x[0]" + many(" and x[0]", 20'000) + "\n",
                               head + many("-", 100'000) + "1\n",
                               "# " + many("a long file ", 100'000) + "\n" + head + "y\n"};
  for (const std::string& text : texts) {
    try {
      lanewise::compile(text).kernel("k");
      ADD_FAILURE() << text.substr(0, 100);
    } catch (const lanewise::CompileError& error) {
      EXPECT_FALSE(error.diagnostics.empty()) << error.what();
    }
  }
}

TEST(CInterface, RefusesNullAndUnknown) {
  lw_module* module = nullptr;
  EXPECT_EQ(lw_module_create(nullptr, 5, nullptr, &module), LW_ERROR_INVALID);
  EXPECT_EQ(lw_module_create("", 0, nullptr, nullptr), LW_ERROR_INVALID);
  lw_options options{};
  options.struct_size = sizeof options;
  options.target = 77;
  EXPECT_EQ(lw_module_create("", 0, &options, &module), LW_ERROR_INVALID);
  options.target = LW_TARGET_DEFAULT;
  options.constant_count = 1;
  EXPECT_EQ(lw_module_create("", 0, &options, &module), LW_ERROR_INVALID);
  EXPECT_EQ(module, nullptr);
  EXPECT_EQ(lw_compile(nullptr, "k", nullptr, nullptr), LW_ERROR_INVALID);
  EXPECT_EQ(lw_kernel_launch(nullptr, nullptr, nullptr, 0), LW_ERROR_INVALID);
  EXPECT_EQ(lw_buffer_create(LW_TARGET_CPU, -1, nullptr), LW_ERROR_INVALID);
  EXPECT_EQ(lw_set_num_threads(0), LW_ERROR_LAUNCH);
  EXPECT_NE(std::string(lw_last_error()), "");
  lw_module_release(nullptr);
  lw_kernel_release(nullptr);
  lw_buffer_release(nullptr);
  lw_string_release(nullptr);
  EXPECT_EQ(lw_module_kernel_count(nullptr), 0u);
  EXPECT_EQ(lw_kernel_name(nullptr), nullptr);

  // An empty file is a module without kernels.
  ASSERT_EQ(lw_module_create("", 0, nullptr, &module), LW_OK);
  EXPECT_EQ(lw_module_kernel_count(module), 0u);
  lw_kernel* kernel = nullptr;
  EXPECT_EQ(lw_compile(module, nullptr, nullptr, &kernel), LW_ERROR_INVALID);
  lw_module_release(module);
}

// What is written in the kernel language itself is there without Python.
TEST(Library, FunctionsOfTheKernelLanguage) {
  Module module = lanewise::compile(R"(
import math
from lanewise import gpu
from lanewise.gpu.random import philox4x32, philox_uint32

@gpu.jit
def kernel(x, words):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = math.gamma(x[i]) + gpu.fp16.hadd(1, 2)
        words[0], words[1], words[2], words[3] = philox4x32((0, 0, 0, 0), (0, 0))
        words[4] = philox_uint32(0, 0)
)");
  std::vector<double> x = {5};
  std::vector<uint32_t> words(5);
  module.launch("kernel", {1}, {1}, x, words);
  EXPECT_EQ(x[0], 27);
  // The first of Random123's known answers.
  EXPECT_EQ(words, (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0x6627e8d5}));
}

TEST(CppDoor, TakesRecords) {
  Module module = lanewise::compile(R"py(
from lanewise import gpu

@gpu.jit
def move(p):
    i = gpu.grid(1)
    if i < p.size:
        p[i].x += p[i].mass
        p[i].tag[1] = i
)py");
  std::vector<Particle> p(5, {1.5f, 2.0, {7, 7}});
  module.launch("move", {1}, {8}, p);
  for (size_t i = 0; i < p.size(); ++i) {
    EXPECT_EQ(p[i].x, 3.5f);
    EXPECT_EQ(p[i].tag[0], 7);
    EXPECT_EQ(p[i].tag[1], static_cast<int16_t>(i));
  }
  // Every other one; and one alone.
  module.launch("move", {1}, {8}, lanewise::array(p.data(), {3}, {2}));
  EXPECT_EQ(p[0].x, 5.5f);
  EXPECT_EQ(p[1].x, 3.5f);
  EXPECT_EQ(p[2].tag[1], 1);
}

TEST(CInterface, RefusesMalformedArguments) {
  Module module = lanewise::compile(kKernels);
  lw_module* raw = nullptr;
  ASSERT_EQ(lw_module_create(kKernels, std::string_view(kKernels).size(), nullptr, &raw), LW_OK);
  float data[4] = {}, a = 1;
  int64_t n = 4, negative = -1, odd = 6;
  lw_launch_config config{sizeof config, {1, 1, 1}, {1, 1, 1}, 0, nullptr, {}, 0, 0, 0};
  auto launch = [&](lw_argument x) {
    lw_argument arguments[] = {{LW_FLOAT32, -1, 0, 0, &a, nullptr, nullptr, nullptr},
                               x,
                               {LW_FLOAT32, 1, 0, 0, data, &n, nullptr, nullptr}};
    return lw_module_launch(raw, "saxpy", &config, arguments, 3);
  };
  EXPECT_EQ(launch({LW_FLOAT32, 1, 0, 0, data, &n, nullptr, nullptr}), LW_OK);
  EXPECT_EQ(launch({99, 1, 0, 0, data, &n, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, -2, 0, 0, data, &n, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, 9, 0, 0, data, &n, nullptr, nullptr}), LW_ERROR_LAUNCH);
  EXPECT_EQ(launch({LW_FLOAT32, 1, 0, 0, data, nullptr, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, 1, 0, 0, nullptr, &n, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, 1, 0, 0, data, &negative, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, 1, 0, 0, data, &n, &odd, nullptr}), LW_ERROR_LAUNCH);
  EXPECT_EQ(launch({LW_FLOAT32, -1, 0, 0, nullptr, nullptr, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(launch({LW_FLOAT32, -1, LW_PYTHON_NUMBER, 0, &a, nullptr, nullptr, nullptr}), LW_ERROR_INVALID);
  EXPECT_EQ(lw_module_launch(raw, "saxpy", nullptr, nullptr, 0), LW_ERROR_COMPILE);
  EXPECT_EQ(lw_module_launch(raw, "saxpy", &config, nullptr, 3), LW_ERROR_INVALID);
  lw_module_release(raw);
}

}  // namespace
