// Divisions and roots of 512-bit vectors: what the instructions cost on this CPU, and what the sequences of
// estimates and FMAs cost that give the same bits (codegen/host/simd/vector_roots.cpp). Prints the rows that
// codegen/host/simd/divider_costs.cpp has for each kind of CPU, in core cycles for a vector.
//   ninja divider && taskset -c 0 build/release/tests/bench/divider
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // of GCC 12's header
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl"), always_inline)) inline
#define AVX512_LOOP __attribute__((target("avx512f,avx512dq,avx512vl"), noinline))

namespace {

struct F32 {
  using Element = float;
  using Vector = __m512;
  static constexpr int kLanes = 16, kParts = 2, kSteps = 1;  // vectors of 32 lanes, Newton steps
  AVX512 static Vector load(const float* p) { return _mm512_loadu_ps(p); }
  AVX512 static void store(float* p, Vector v) { _mm512_storeu_ps(p, v); }
  AVX512 static Vector set(float v) { return _mm512_set1_ps(v); }
  AVX512 static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
  AVX512 static Vector minus(Vector a, Vector b, Vector c) { return _mm512_fnmadd_ps(a, b, c); }
  AVX512 static Vector up(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_round_ps(a, b, c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  }
  AVX512 static Vector mul(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
  AVX512 static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
  AVX512 static Vector rcp(Vector a) { return _mm512_rcp14_ps(a); }
  AVX512 static Vector rsqrt(Vector a) { return _mm512_rsqrt14_ps(a); }
  AVX512 static Vector div(Vector a, Vector b) { return _mm512_div_ps(a, b); }
  AVX512 static Vector sqrt(Vector a) { return _mm512_sqrt_ps(a); }
  AVX512 static bool all_in_root_range(const Vector* x) {
    unsigned all = 0xffff;
    for (int i = 0; i < kParts; ++i)
      all &=
          _mm512_cmplt_epu32_mask(_mm512_sub_epi32(_mm512_castps_si512(x[i]), _mm512_set1_epi32(0x0D800000)),
                                  _mm512_set1_epi32(0x72000000));
    return all == 0xffff;
  }
  AVX512 static bool all_in_quotient_range(const Vector* a, const Vector* b) {
    unsigned outside = 0;
    for (int i = 0; i < kParts; ++i) {
      __m512i lo = _mm512_sub_epi32(_mm512_castps_si512(a[i]), _mm512_set1_epi32(0x30000000));
      __m512i hi = _mm512_sub_epi32(_mm512_castps_si512(b[i]), _mm512_set1_epi32(0x20000000));
      hi = _mm512_andnot_si512(_mm512_set1_epi32(0x20000000), hi);
      outside |= _mm512_test_epi32_mask(_mm512_or_si512(lo, hi), _mm512_set1_epi32(0x60000000));
    }
    return outside == 0;
  }
};

struct F64 {
  using Element = double;
  using Vector = __m512d;
  static constexpr int kLanes = 8, kParts = 4, kSteps = 2;
  AVX512 static Vector load(const double* p) { return _mm512_loadu_pd(p); }
  AVX512 static void store(double* p, Vector v) { _mm512_storeu_pd(p, v); }
  AVX512 static Vector set(double v) { return _mm512_set1_pd(v); }
  AVX512 static Vector fma(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
  AVX512 static Vector minus(Vector a, Vector b, Vector c) { return _mm512_fnmadd_pd(a, b, c); }
  AVX512 static Vector up(Vector a, Vector b, Vector c) {
    return _mm512_fmadd_round_pd(a, b, c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  }
  AVX512 static Vector mul(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
  AVX512 static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
  AVX512 static Vector rcp(Vector a) { return _mm512_rcp14_pd(a); }
  AVX512 static Vector rsqrt(Vector a) { return _mm512_rsqrt14_pd(a); }
  AVX512 static Vector div(Vector a, Vector b) { return _mm512_div_pd(a, b); }
  AVX512 static Vector sqrt(Vector a) { return _mm512_sqrt_pd(a); }
  AVX512 static bool all_in_root_range(const Vector* x) {
    unsigned all = 0xff;
    for (int i = 0; i < kParts; ++i)
      all &= _mm512_cmplt_epu64_mask(
          _mm512_sub_epi64(_mm512_castpd_si512(x[i]), _mm512_set1_epi64(0x03F0LL << 48)),
          _mm512_set1_epi64(0x7C00LL << 48));
    return all == 0xff;
  }
  AVX512 static bool all_in_quotient_range(const Vector* a, const Vector* b) {
    unsigned outside = 0;
    for (int i = 0; i < kParts; ++i) {
      __m512i lo = _mm512_sub_epi64(_mm512_castpd_si512(a[i]), _mm512_set1_epi64(0x3000LL << 48));
      __m512i hi = _mm512_sub_epi64(_mm512_castpd_si512(b[i]), _mm512_set1_epi64(0x2000LL << 48));
      hi = _mm512_andnot_si512(_mm512_set1_epi64(0x2000LL << 48), hi);
      outside |= _mm512_test_epi64_mask(_mm512_or_si512(lo, hi), _mm512_set1_epi64(0x6000LL << 48));
    }
    return outside == 0;
  }
};

template <class T>
AVX512 typename T::Vector reciprocal(typename T::Vector b) {
  auto y = T::rcp(b), one = T::set(1);
  for (int i = 0; i < T::kSteps; ++i) y = T::fma(y, T::minus(b, y, one), y);
  auto e = T::minus(b, y, one);
  return T::fma(y, T::up(e, e, e), y);
}
template <class T>
AVX512 typename T::Vector corrected(typename T::Vector a, typename T::Vector b, typename T::Vector y) {
  auto q = T::mul(a, y);
  return T::fma(T::minus(b, q, a), y, q);
}
template <class T>
AVX512 typename T::Vector root(typename T::Vector x, typename T::Vector& h) {
  auto y = T::rsqrt(x), g = T::mul(x, y), half = T::set(0.5f);
  h = T::mul(y, half);
  for (int i = 0; i < T::kSteps; ++i) {
    auto r = T::minus(g, h, half);
    g = T::fma(g, r, g);
    h = T::fma(h, r, h);
  }
  return T::fma(T::minus(g, g, x), h, g);
}
template <class T>
AVX512 typename T::Vector reciprocal_root(typename T::Vector x) {
  typename T::Vector h, s = root<T>(x, h), y = T::add(h, h), one = T::set(1);
  for (int i = 1; i < T::kSteps; ++i) y = T::fma(y, T::minus(s, y, one), y);
  auto e = T::minus(s, y, one);
  return T::fma(y, T::up(e, e, e), y);
}

enum Op { Reciprocal, Quotient, Known, Root, ReciprocalRoot, kOps };
constexpr const char* kNames[] = {"1 / b", "a / b", "a / b, 1 / b known", "sqrt", "1 / sqrt"};
enum Way { Instruction, Sequence, Fast, kWays };

template <class T, Op op>
AVX512 typename T::Vector by_instruction(typename T::Vector a, typename T::Vector b) {
  switch (op) {
    case Reciprocal: return T::div(T::set(1), b);
    case Quotient:
    case Known: return T::div(a, b);
    case Root: return T::sqrt(b);
    default: return T::div(T::set(1), T::sqrt(b));
  }
}
template <class T, Op op>
AVX512 typename T::Vector by_sequence(typename T::Vector a, typename T::Vector b, typename T::Vector known) {
  typename T::Vector h;
  switch (op) {
    case Reciprocal: return reciprocal<T>(b);
    case Quotient: return corrected<T>(a, b, reciprocal<T>(b));
    case Known: return corrected<T>(a, b, known);
    case Root: return root<T>(b, h);
    default: return reciprocal_root<T>(b);
  }
}
template <class T, Op op>
AVX512 typename T::Vector by_fast_form(typename T::Vector a, typename T::Vector b, typename T::Vector known) {
  auto half = T::set(0.5f), one = T::set(1);
  if (op == Known) return T::mul(a, known);
  if (op == Reciprocal || op == Quotient) {
    auto y = T::rcp(b);
    for (int i = op == Quotient ? 1 : 0; i < T::kSteps; ++i) y = T::fma(y, T::minus(b, y, one), y);
    return op == Quotient ? corrected<T>(a, b, y) : y;
  }
  auto y = T::rsqrt(b);
  if (op == ReciprocalRoot) {
    for (int i = 0; i < T::kSteps; ++i) y = T::fma(y, T::minus(T::mul(b, y), T::mul(y, half), half), y);
    return y;
  }
  auto g = T::mul(b, y), h = T::mul(y, half);
  for (int i = 1; i < T::kSteps; ++i) {
    auto r = T::minus(g, h, half);
    g = T::fma(g, r, g);
    h = T::fma(h, r, h);
  }
  return T::fma(T::minus(g, g, b), h, g);
}

constexpr int kCount = 1024;  // elements: all in the first-level cache

template <class T, Op op, Way way>
AVX512_LOOP void run(const typename T::Element* a, const typename T::Element* b, typename T::Element* out,
                     typename T::Element divisor) {
  using V = typename T::Vector;
  V known = T::div(T::set(1), T::set(divisor));
  for (int at = 0; at < kCount; at += T::kLanes * T::kParts) {
    V x[T::kParts], y[T::kParts];
    for (int i = 0; i < T::kParts; ++i) {
      x[i] = T::load(a + at + i * T::kLanes);
      y[i] = op == Known ? T::set(divisor) : T::load(b + at + i * T::kLanes);
    }
    bool inside = way == Sequence;
    if (inside)
      inside = op == Reciprocal || op == Quotient || op == Known ? T::all_in_quotient_range(x, y)
                                                                 : T::all_in_root_range(y);
    if (way == Instruction || (way == Sequence && __builtin_expect(!inside, 0))) {
      for (int i = 0; i < T::kParts; ++i)
        T::store(out + at + i * T::kLanes, by_instruction<T, op>(x[i], y[i]));
    } else {
      for (int i = 0; i < T::kParts; ++i)
        T::store(out + at + i * T::kLanes, way == Fast ? by_fast_form<T, op>(x[i], y[i], known)
                                                       : by_sequence<T, op>(x[i], y[i], known));
    }
  }
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double best_time(void (*function)()) {
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 400; ++i) {
    double begin = seconds();
    function();
    best = std::min(best, seconds() - begin);
  }
  return best;
}

// A chain of multiplications of three cycles each.
void chain() {
  uint64_t x = 3;
  for (int i = 0; i < 20000; ++i) asm volatile("imul %0, %0\n imul %0, %0" : "+r"(x));
}
double cycle() { return best_time(chain) / 120000; }

template <class T>
struct Data {
  static inline typename T::Element a[kCount], b[kCount], out[kCount];
};

template <class T, Op op, Way way>
double cycles() {
  double length = cycle();
  double time = best_time(+[] {
    for (int i = 0; i < 20; ++i) {
      run<T, op, way>(Data<T>::a, Data<T>::b, Data<T>::out, 3.7f);
      asm volatile("" ::"r"(Data<T>::out) : "memory");
    }
  });
  return time / length / (20.0 * kCount / T::kLanes);
}

template <class T, Op op>
void report() {
  std::printf("  %-20s %6.1f %6.1f %6.1f\n", kNames[op], cycles<T, op, Instruction>(),
              cycles<T, op, Sequence>(), cycles<T, op, Fast>());
}

template <class T>
void report_all(const char* name) {
  for (int i = 0; i < kCount; ++i) {
    Data<T>::a[i] = static_cast<typename T::Element>(1.0 + 0.37 * i);
    Data<T>::b[i] = static_cast<typename T::Element>(3.0 + 0.11 * i);
  }
  std::printf("%-22s %6s %6s %6s\n", name, "instr.", "exact", "fast");
  report<T, Reciprocal>();
  report<T, Quotient>();
  report<T, Known>();
  report<T, Root>();
  report<T, ReciprocalRoot>();
}

}  // namespace

int main() {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq")) {
    std::puts("this CPU has no vectors of 512 bits");
    return 1;
  }
  report_all<F32>("float32");
  report_all<F64>("float64");
}
