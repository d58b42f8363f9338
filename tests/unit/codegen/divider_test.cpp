// Divisions and roots of gangs, however each kind of CPU computes them, have the bits that the instructions
// give. Random operands do not show the faults of such sequences: here are the quotients and roots that lie
// next to the middle between two numbers, all mantissas of float32 where there is one operand, and the edges
// of every range.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "host_run.h"

namespace lanewise::test {
namespace {

template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr int kBits = 24;
  static constexpr const char* kName = "f32";
  using Word = uint32_t;
};
template <>
struct Format<double> {
  static constexpr int kBits = 53;
  static constexpr const char* kName = "f64";
  using Word = uint64_t;
};

constexpr int64_t kBlock = 64;

// --- kernels: out[i] = op(a[i], b[i]), or of b[i] alone, or by c
struct Op {
  const char* name;
  const char* body;  // of %ai, %bi, %c to %r
  std::function<double(double, double, double)> of_double;
  std::function<float(float, float, float)> of_float;
};

const Op kReciprocal{"1 / b", "%one = const 1 : T\n  %r = div %one, %bi : T",
                     [](double, double b, double) { return 1 / b; },
                     [](float, float b, float) { return 1 / b; }};
const Op kQuotient{"a / b", "%r = div %ai, %bi : T", [](double a, double b, double) { return a / b; },
                   [](float a, float b, float) { return a / b; }};
const Op kByUniform{"a / c", "%r = div %ai, %c : T", [](double a, double, double c) { return a / c; },
                    [](float a, float, float c) { return a / c; }};
const Op kByShared{"a / b + (c / b) * 0 beside it",
                   "%other = div %c, %bi : T\n  store %more, %i, %other\n  %r = div %ai, %bi : T",
                   [](double a, double b, double) { return a / b; },
                   [](float a, float b, float) { return a / b; }};
const Op kRoot{"sqrt(b)", "%r = sqrt %bi : T", [](double, double b, double) { return std::sqrt(b); },
               [](float, float b, float) { return std::sqrt(b); }};
const Op kReciprocalRoot{"1 / sqrt(b)", "%r = rsqrt %bi : T",
                         [](double, double b, double) { return 1 / std::sqrt(b); },
                         [](float, float b, float) { return 1 / std::sqrt(b); }};
const Op kByRoot{"a / sqrt(b)", "%s = sqrt %bi : T\n  %r = div %ai, %s : T",
                 [](double a, double b, double) { return a / std::sqrt(b); },
                 [](float a, float b, float) { return a / std::sqrt(b); }};
const Op kWhereDivisorIsPositive{
    "a / b where b > 0",
    "%zero = const 0 : T\n  %go = gt %bi, %zero : bool\n"
    "  %r = if %go : T then {\n    %q = div %ai, %bi : T\n    yield %q\n  } else {\n    yield %zero\n  }",
    [](double a, double b, double) { return b > 0 ? a / b : 0; },
    [](float a, float b, float) { return b > 0 ? a / b : 0; }};

template <class T>
T expected(const Op& op, T a, T b, T c) {
  if constexpr (std::is_same_v<T, float>)
    return op.of_float(a, b, c);
  else
    return op.of_double(a, b, c);
}

std::string kernel_text(const Op& op, const std::string& type) {
  std::string text = R"(
kernel @k(%a: ptr<T, global>, %b: ptr<T, global>, %c: T, %out: ptr<T, global>, %more: ptr<T, global>) {
  %tid = thread_id_x : i32
  %bid = block_id_x : i32
  %dim = block_dim_x : i32
  %t = cast %tid : i64
  %g = cast %bid : i64
  %d = cast %dim : i64
  %m = mul %g, %d : i64
  %i = add %m, %t : i64
  %ai = load %a, %i : T
  %bi = load %b, %i : T
  BODY
  store %out, %i, %r
  return
}
)";
  auto replace = [&](const std::string& what, const std::string& with, const std::string& before) {
    for (size_t at = 0; (at = text.find(before + what, at)) != std::string::npos; at += before.size())
      text.replace(at + before.size(), what.size(), with);
  };
  replace("BODY", op.body, "");
  for (const char* before : {": ", "<"}) replace("T", type, before);
  return text;
}

// --- running
template <class T>
struct Case {
  T a, b;
};
template <class T>
using Cases = std::vector<Case<T>>;

bool runs_here(const std::string& cpu) {
#if defined(__x86_64__)
  if (cpu == "skylake-avx512" || cpu == "znver4" || cpu == "znver5")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd");
  if (cpu == "haswell") return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return true;
#else
  return cpu == "native";
#endif
}

template <class T>
class Kernel {
 public:
  Kernel(const Op& op, const std::string& cpu) : op_(op), cpu_(cpu) {
    codegen::HostTarget target;
    target.cpu = cpu;
    target.block = codegen::BlockShape{kBlock, 1, 1};
    compiled_ = codegen::compile_host(parse_ir(kernel_text(op, Format<T>::kName)), target);
  }

  bool has_sequence() const {
    return std::any_of(compiled_->notes.begin(), compiled_->notes.end(), [](const codegen::HostNote& note) {
      return note.text.find("bit for bit") != std::string::npos;
    });
  }

  // In two orders, as parts of the gang may be left to the divider.
  void check(const Cases<T>& cases, T c = 1) const {
    size_t count = (cases.size() + kBlock - 1) / kBlock * kBlock;
    std::vector<T> a(count), b(count), out(count), more(count);
    int wrong = 0;
    for (size_t shift : {size_t{0}, size_t{16}}) {
      for (size_t i = 0; i < count; ++i)
        a[i] = cases[(i + shift) % cases.size()].a, b[i] = cases[(i + shift) % cases.size()].b;
      run(a, b, c, out, more);
      for (size_t i = 0; i < count && wrong < 5; ++i) {
        T right = expected<T>(op_, a[i], b[i], c);
        if (same(out[i], right)) continue;
        ++wrong;
        ADD_FAILURE() << op_.name << " of " << Format<T>::kName << " for " << cpu_ << std::hexfloat
                      << ": a = " << a[i] << ", b = " << b[i] << ", c = " << c << " gives " << out[i]
                      << " rather than " << right;
      }
    }
  }

 private:
  static bool same(T x, T y) {
    using Word = typename Format<T>::Word;
    return std::bit_cast<Word>(x) == std::bit_cast<Word>(y);
  }
  void run(std::vector<T>& a, std::vector<T>& b, T c, std::vector<T>& out, std::vector<T>& more) const {
    uint64_t c_bits = 0;
    std::memcpy(&c_bits, &c, sizeof c);
    std::vector<uint64_t> slots{reinterpret_cast<uint64_t>(a.data()), reinterpret_cast<uint64_t>(b.data()),
                                c_bits, reinterpret_cast<uint64_t>(out.data()),
                                reinterpret_cast<uint64_t>(more.data())};
    auto blocks = static_cast<int64_t>(a.size()) / kBlock;
    codegen::HostLaunch launch{slots.data(), {}, {}, 0};
    launch.grid[0] = static_cast<int32_t>(blocks), launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = kBlock, launch.block[1] = launch.block[2] = 1;
    int64_t size =
        codegen::HostLayout::round_up(std::max<int64_t>(compiled_->layout.arena_bytes(kBlock, 0), 64));
    std::unique_ptr<char, decltype(&std::free)> arena(
        static_cast<char*>(std::aligned_alloc(64, static_cast<size_t>(size))), &std::free);
    EXPECT_EQ(compiled_->function()(&launch, arena.get(), 0, blocks), 0);
  }

  const Op& op_;
  std::string cpu_;
  std::unique_ptr<codegen::HostKernel> compiled_;
};

// --- hard cases
using Wide = unsigned __int128;

uint64_t inverse(uint64_t odd) {  // modulo 2**64
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

// Numerators a of `divisor`, an odd integer of k bits, for which a / divisor lies residual / divisor away
// from the middle between two numbers: divisor * t + residual = a * 2**s, with t odd and of one bit too many.
template <class T>
void add_hard_quotients(Cases<T>& cases, uint64_t divisor, int64_t residual, std::mt19937_64& random) {
  constexpr int kBits = Format<T>::kBits;
  int k = static_cast<int>(std::bit_width(divisor));
  for (int s : {k, k + 1}) {
    uint64_t modulus = uint64_t{1} << s, least = uint64_t{1} << kBits;
    uint64_t t = (uint64_t{0} - static_cast<uint64_t>(residual)) * inverse(divisor) % modulus;
    uint64_t turns = std::max<uint64_t>(least / modulus, 1);
    if (s <= kBits)
      t += least + random() % turns * modulus;
    else if (t < least)
      continue;
    Wide scaled = Wide{divisor} * t + static_cast<Wide>(static_cast<__int128>(residual));
    uint64_t a = static_cast<uint64_t>(scaled >> s);
    if (a == 0 || a >> kBits != 0 || t >> (kBits + 1) != 0) continue;
    int e = static_cast<int>(random() % 9) - 4 - kBits, f = static_cast<int>(random() % 9) - 4 - k;
    T sign = random() & 1 ? T{1} : T{-1};
    cases.push_back({std::ldexp(static_cast<T>(a), e), sign * std::ldexp(static_cast<T>(divisor), f)});
  }
}

// x * 2**s = t * t + residual, so that sqrt(x) is next to the middle.
template <class T>
void add_hard_roots(Cases<T>& cases, int64_t residual, std::mt19937_64& random) {
  constexpr int kBits = Format<T>::kBits;
  for (int s : {kBits, kBits + 1}) {
    uint64_t modulus = uint64_t{1} << s, square = uint64_t{0} - static_cast<uint64_t>(residual), t = 1;
    for (int k = 3; k < s; ++k)  // t * t is right modulo 2**k
      if ((t * t - square) >> k & 1) t += uint64_t{1} << (k - 1);
    for (uint64_t solution : {t, modulus - t, t + modulus / 2, modulus / 2 - t}) {
      solution %= modulus;
      if (s == kBits) solution += modulus;
      if (solution >> kBits != 1) continue;
      Wide scaled = Wide{solution} * solution + static_cast<Wide>(static_cast<__int128>(residual));
      uint64_t x = static_cast<uint64_t>(scaled >> s);
      if (x == 0 || x >> kBits != 0 || (Wide{x} << s) != scaled) continue;
      int e = (static_cast<int>(random() % 41) - 20) * 2 + s - 2 * kBits;
      T b = std::ldexp(static_cast<T>(x), e);
      for (T near : {b, std::nextafter(b, T{0}), std::nextafter(b, 2 * b)}) cases.push_back({T{1}, near});
    }
  }
}

template <class T>
T random_number(std::mt19937_64& random, int least, int most) {
  T mantissa = 1 + static_cast<T>(random() >> 11) * static_cast<T>(0x1p-53);
  int exponent = least + static_cast<int>(random() % static_cast<uint64_t>(most - least));
  return std::ldexp(random() & 1 ? mantissa : -mantissa, exponent);
}

// Mantissas of few bits and of nearly all ones, whose quotients are exact or ties.
template <class T>
std::vector<T> round_numbers() {
  constexpr int kBits = Format<T>::kBits;
  std::vector<T> numbers;
  for (int i = 0; i < kBits; ++i) {
    T step = std::ldexp(T{1}, -i);
    for (T number : {1 + step, 2 - step, T{1} + std::ldexp(T{3}, -i) / 4, T{3} - step, T{5} + step})
      for (T sign : {T{1}, T{-1}}) numbers.push_back(sign * number);
  }
  return numbers;
}

// Where ranges end: of the numbers, and of what the sequences take.
template <class T>
std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> numbers{0, L::infinity(), L::quiet_NaN(), L::denorm_min(), 3 * L::denorm_min(), 1,
                         3, L::max()};
  std::vector<int> exponents{-1, 1, 2, 30};
  if (sizeof(T) == 4)
    for (int e : {-149, -148, -130, -127, -126, -125, -101, -100, -99, -64, -63, -62, -61, -60, -59, -32,
                  -31,  -30,  32,   33,   34,   59,   60,   61,   64,  65,  66,  100, 125, 126, 127})
      exponents.push_back(e);
  else
    for (int e :
         {-1074, -1073, -1040, -1023, -1022, -1021, -961, -960, -959, -512, -511, -510, -501, -500, -256,
          -255,  -254,  256,   257,   258,   499,   500,  501,  512,  513,  514,  1021, 1022, 1023})
      exponents.push_back(e);
  for (int e : exponents) {
    T power = std::ldexp(T{1}, e);
    for (T number : {power, std::nextafter(power, T{0}), std::nextafter(power, L::max())})
      numbers.push_back(number);
  }
  for (size_t i = 0, n = numbers.size(); i < n; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

// Every edge with every other, beside each other and in gangs of their own.
template <class T>
Cases<T> edge_cases() {
  Cases<T> cases;
  std::vector<T> numbers = edges<T>();
  for (T a : numbers)
    for (T b : numbers) cases.push_back({a, b});
  for (T a : numbers)
    for (T b : numbers) {
      bool plain = std::isnormal(a) && std::isnormal(b);
      if (plain && std::abs(std::ilogb(a)) < 40 && std::abs(std::ilogb(b)) < 70) cases.push_back({a, b});
    }
  for (T number : numbers)  // alone among others
    for (int i = 0; i < 37; ++i) cases.push_back({i == 11 ? number : T{3}, i == 25 ? number : T{7}});
  return cases;
}

template <class T>
Cases<T> hard_quotients(size_t count) {
  std::mt19937_64 random(1);
  Cases<T> cases;
  constexpr int kBits = Format<T>::kBits;
  while (cases.size() < count) {
    uint64_t divisor = (random() >> (64 - kBits) | uint64_t{1} << (kBits - 1) | 1) >> (random() % 8 ? 0 : 20);
    divisor |= 1;
    for (int64_t residual : {1, 3, 5, 7, 9, 11, 13, 15})
      for (int64_t sign : {1, -1}) add_hard_quotients(cases, divisor, sign * residual, random);
  }
  for (T a : round_numbers<T>())
    for (T b : round_numbers<T>()) cases.push_back({a, b});
  for (size_t i = 0; i < count / 4; ++i)
    cases.push_back({random_number<T>(random, -20, 20), random_number<T>(random, -20, 20)});
  for (size_t i = 0; i < count / 16; ++i) {  // of any size
    constexpr int kLeast = std::numeric_limits<T>::min_exponent - kBits;
    constexpr int kMost = std::numeric_limits<T>::max_exponent;
    cases.push_back({random_number<T>(random, kLeast, kMost), random_number<T>(random, kLeast, kMost)});
  }
  return cases;
}

// Divisors whose reciprocal is next to the middle: 1 / (2**p - j) = 2**-p + j / 4**p + j * j / 8**p + ...,
// and (2**p - x) (2**p + x + d), which is nearly 4**p where x (x + d) is nearly 2**p d.
template <class T>
Cases<T> hard_reciprocals(size_t count) {
  constexpr int kBits = Format<T>::kBits;
  std::mt19937_64 random(2);
  Cases<T> cases;
  auto add = [&](T b) {
    int e = static_cast<int>(random() % 9) - 4 - kBits;
    cases.push_back({T{1}, std::ldexp(random() & 1 ? b : -b, e)});
  };
  T power = std::ldexp(T{1}, kBits);
  for (size_t j = 0; j < count / 4; ++j) {
    add(power - static_cast<T>(j));
    add(power / 2 + static_cast<T>(j));
    auto x = static_cast<T>(std::floor(std::sqrt(static_cast<double>(power) * static_cast<double>(j))));
    for (T step : {T{0}, T{1}}) add(power - x - step);
  }
  for (T b : round_numbers<T>()) add(b);
  for (size_t i = 0; i < count; ++i) add(random_number<T>(random, -20, 20));
  return cases;
}

template <class T>
Cases<T> hard_roots(int64_t residuals) {
  std::mt19937_64 random(3);
  Cases<T> cases;
  for (int64_t r = -residuals; r < residuals; ++r) add_hard_roots(cases, 8 * r - 1, random);
  for (T number : round_numbers<T>()) {
    T b = std::abs(number);
    for (T square : {b, 2 * b, b * b, std::nextafter(b * b, T{0}), std::nextafter(b * b, T{64})})
      cases.push_back({b, square});
  }
  for (int i = 0; i < 200000; ++i)
    cases.push_back({random_number<T>(random, -20, 20), std::abs(random_number<T>(random, -90, 90))});
  return cases;
}

// All numbers from one power of two to another.
Cases<float> all_mantissas(float from, float to, float a = 1) {
  Cases<float> cases;
  for (auto bits = std::bit_cast<uint32_t>(from); bits < std::bit_cast<uint32_t>(to); ++bits)
    cases.push_back({a, std::bit_cast<float>(bits)});
  return cases;
}

// --- tests
class Divider : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    cpu_ = GetParam();
    if (!runs_here(cpu_)) GTEST_SKIP() << "this machine does not run the code for " << cpu_;
  }
  template <class T>
  Kernel<T> kernel(const Op& op) const {
    return Kernel<T>(op, cpu_);
  }
  std::string cpu_;
};

template <class T>
void check_quotients(const std::string& cpu) {
  Cases<T> hard = hard_quotients<T>(400000), edge = edge_cases<T>();
  for (const Op* op : {&kQuotient, &kByShared, &kWhereDivisorIsPositive}) {
    Kernel<T> kernel(*op, cpu);
    kernel.check(hard);
    kernel.check(edge);
  }
}
TEST_P(Divider, Quotients) {
  check_quotients<float>(cpu_);
  check_quotients<double>(cpu_);
}

template <class T>
void check_uniform(const std::string& cpu) {
  Kernel<T> kernel(kByUniform, cpu);
  std::mt19937_64 random(5);
  std::vector<T> numbers = edges<T>(), round = round_numbers<T>();
  numbers.insert(numbers.end(), round.begin(), round.end());
  Cases<T> plain;
  for (T a : numbers) plain.push_back({a, T{1}});
  for (T c : numbers) kernel.check(plain, c);
  for (int i = 0; i < 300; ++i) {
    constexpr int kBits = Format<T>::kBits;
    uint64_t divisor = random() >> (64 - kBits) | uint64_t{1} << (kBits - 1) | 1;
    Cases<T> cases;
    for (int64_t residual = 1; residual < 800; residual += 2)
      for (int64_t sign : {1, -1}) add_hard_quotients(cases, divisor, sign * residual, random);
    for (int k = 0; k < 200; ++k) cases.push_back({random_number<T>(random, -60, 60), T{1}});
    for (int k = 0; k < 31; ++k) cases.push_back({k % 3 ? T{3} : T{0} * (k % 2 ? -1 : 1), T{1}});
    T c = std::ldexp(static_cast<T>(divisor), static_cast<int>(random() % 40) - 20 - kBits);
    kernel.check(cases, c);
    kernel.check(cases, -c);
  }
}
TEST_P(Divider, QuotientsByOneNumber) {
  check_uniform<float>(cpu_);
  check_uniform<double>(cpu_);
}

TEST_P(Divider, Reciprocals) {
  auto single = kernel<float>(kReciprocal);
  single.check(all_mantissas(1, 2));
  single.check(all_mantissas(-1, -2));
  single.check(all_mantissas(0x1p-126f, 0x1.01p-126f));
  single.check(edge_cases<float>());
  auto wide = kernel<double>(kReciprocal);
  wide.check(hard_reciprocals<double>(1000000));
  wide.check(edge_cases<double>());
}

TEST_P(Divider, Roots) {
  auto single = kernel<float>(kRoot);
  single.check(all_mantissas(1, 4));
  single.check(hard_roots<float>(2000));
  single.check(edge_cases<float>());
  auto wide = kernel<double>(kRoot);
  wide.check(hard_roots<double>(40000));
  wide.check(edge_cases<double>());
}

TEST_P(Divider, ReciprocalRoots) {
  for (const Op* op : {&kReciprocalRoot, &kByRoot}) {
    auto single = kernel<float>(*op);
    single.check(all_mantissas(1, 4, 0x1.234566p3f));
    single.check(hard_roots<float>(2000));
    single.check(edge_cases<float>());
    auto wide = kernel<double>(*op);
    wide.check(hard_roots<double>(40000));
    wide.check(edge_cases<double>());
  }
}

// Else the tests above show nothing.
TEST_P(Divider, SequencesAreTaken) {
  if (cpu_ == "skylake-avx512") {
    for (const Op* op : {&kReciprocal, &kQuotient, &kByUniform, &kByShared, &kRoot, &kReciprocalRoot,
                         &kByRoot, &kWhereDivisorIsPositive}) {
      EXPECT_TRUE(kernel<float>(*op).has_sequence()) << op->name;
      EXPECT_TRUE(kernel<double>(*op).has_sequence()) << op->name;
    }
  } else if (cpu_ == "znver5") {  // roots; its divider is quick
    EXPECT_TRUE(kernel<float>(kReciprocalRoot).has_sequence());
    EXPECT_TRUE(kernel<double>(kRoot).has_sequence());
    EXPECT_FALSE(kernel<float>(kQuotient).has_sequence());
  } else if (cpu_ == "haswell") {
    EXPECT_TRUE(kernel<float>(kByUniform).has_sequence());
    EXPECT_FALSE(kernel<float>(kQuotient).has_sequence());
  } else if (cpu_ == "x86-64") {
    EXPECT_FALSE(kernel<float>(kByUniform).has_sequence());
  }
}

INSTANTIATE_TEST_SUITE_P(Cpus, Divider,
                         ::testing::Values("skylake-avx512", "znver5", "znver4", "haswell", "x86-64"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace lanewise::test
