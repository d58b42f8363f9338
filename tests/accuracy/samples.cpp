#include "samples.h"

#include <math.h>

#include <bit>
#include <cmath>
#include <limits>

#include "ulp.h"

namespace accuracy {
namespace {

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// The zeros of lgamma below zero: two between -n-1 and -n for every n > 1.
void append_gamma_zeros(std::vector<double>& points) {
  for (int n = 2; n < 40; ++n)
    for (bool upper : {true, false}) {
      double pole = upper ? -n : -n - 1, middle = -n - 0.5;
      for (int i = 0; i < 80; ++i) {
        double between = pole / 2 + middle / 2;
        (log_gamma(between) > 0 ? pole : middle) = between;
      }
      points.push_back(middle);
    }
}

// Where functions turn, jump, overflow, underflow or vanish.
std::vector<double> special_points() {
  std::vector<double> points = {0, 1, 2, 0.5, 0x1p-14, 0x1p-24, 0x1p-126, 0x1p-149, 0x1p-1022, 0x1p-1074};
  for (double v : {65504.0, 0x1.fffffep127, 0x1.fffffffffffffp1023, 0x1p23, 0x1p24, 0x1p52, 0x1p53, 0x1p31})
    points.push_back(v);
  // exp, exp2, sinh, erfc, gamma at the ends of the ranges of the three formats
  for (double v : {11.09,    16.0,   17.3,     24.0,   25.0,   87.3365, 88.7228,  89.4160,  103.2789,
                   103.972,  126.0,  128.0,    149.0,  150.0,  708.396, 709.7827, 710.4758, 744.44,
                   745.1332, 1022.0, 1024.0,   1074.0, 1075.0, 9.194,   10.0546,  26.543,   27.226,
                   35.0401,  42.0,   171.6243, 177.8,  184.0,  4.0,     3.0,      6.0})
    points.push_back(v);
  for (int k = 1; k < 60; ++k) points.push_back(k * M_PI_2);
  for (int k = 1; k < 200; k += k < 20 ? 1 : 13) points.push_back(k), points.push_back(k + 0.5);
  for (double v : {M_E, 1 / M_E, M_SQRT1_2, M_SQRT2, M_LN2, 1.4616321449683622, 0.34657359})
    points.push_back(v);
  append_gamma_zeros(points);
  return points;
}

template <class F>
class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  // Annex F says nothing of signalling NaNs: they are made quiet.
  static F quiet(typename Format<F>::Word bits) {
    F value = std::bit_cast<F>(bits);
    return value == value ? value : static_cast<F>(std::numeric_limits<double>::quiet_NaN());
  }
  F any_bits() { return quiet(static_cast<typename Format<F>::Word>(random_())); }
  F uniform(double low, double high) {
    return static_cast<F>(low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53);
  }
  size_t below(size_t n) { return random_() % n; }
  // A few steps from v: mostly the neighbours, sometimes far.
  F near(F v) {
    using Word = typename Format<F>::Word;
    auto distance = static_cast<Word>(random_() & (below(4) == 0 ? 0xFFFF : 7));
    auto bits = std::bit_cast<Word>(v);
    return quiet(static_cast<Word>(below(2) ? bits + distance : bits - distance));
  }
  F signed_point(const std::vector<double>& points) {
    auto v = static_cast<F>(points[below(points.size())]);
    return below(2) ? static_cast<F>(-v) : v;
  }
  F one() {
    static const std::vector<double> kPoints = special_points();
    constexpr double kRanges[] = {1, 1.6, 4, 10, 30, 100, 200, 800, 1e5};
    switch (below(8)) {
      case 0:
      case 1: return near(signed_point(kPoints));
      case 2:
      case 3:
      case 4: {
        double range = kRanges[below(std::size(kRanges))];
        return uniform(-range, range);
      }
      default: return any_bits();
    }
  }
  F whole() { return static_cast<F>(static_cast<int>(below(64)) - 32); }

 private:
  std::mt19937_64 random_;
};

template <class F>
void append_pair(Maker<F>& make, Samples<F>& out) {
  F x = make.one(), y = make.one();
  switch (make.below(8)) {
    case 0: y = make.near(x); break;  // equal or nearly so
    case 1: y = static_cast<F>(static_cast<double>(x) * static_cast<double>(make.uniform(-4, 4))); break;
    case 2: x = make.uniform(0, 100), y = make.uniform(-40, 40); break;  // for pow
    case 3: x = make.near(F(1)), y = make.any_bits(); break;
    case 4: y = make.whole(); break;
    case 5: x = make.uniform(0.5, 2), y = make.uniform(-1000, 1000); break;
    default: break;
  }
  out.x.push_back(x);
  out.y.push_back(y);
}

}  // namespace

template <class F>
Samples<F> make_samples(int operands, bool integer, size_t count, uint64_t seed) {
  Maker<F> make(seed);
  Samples<F> out;
  using Limits = std::numeric_limits<double>;
  std::vector<F> corners;
  for (double v : {0.0, 1.0, 0.5, 2.0, 3.0, Limits::infinity(), Limits::quiet_NaN()})
    corners.push_back(static_cast<F>(v)), corners.push_back(static_cast<F>(-v));
  for (F corner : corners) {
    if (operands == 1) out.x.push_back(corner);
    for (size_t i = 0; operands == 2 && i < corners.size(); ++i) {
      out.x.push_back(corner);
      integer ? out.n.push_back(static_cast<int32_t>(i) - 7) : out.y.push_back(corners[i]);
    }
  }
  while (out.size() < count) {
    if (operands == 1) {
      out.x.push_back(make.one());
    } else if (integer) {
      out.x.push_back(make.one());
      int range = make.below(2) ? 2200 : 40;
      out.n.push_back(make.below(16) == 0
                          ? (make.below(2) ? INT32_MAX : INT32_MIN)
                          : static_cast<int32_t>(make.below(static_cast<size_t>(2 * range))) - range);
    } else {
      append_pair(make, out);
    }
  }
  return out;
}

template <class F>
Samples<F> bit_patterns(uint64_t first, uint64_t step, size_t count) {
  Samples<F> out;
  out.x.resize(count);
  for (size_t i = 0; i < count; ++i)
    out.x[i] = std::bit_cast<F>(static_cast<typename Format<F>::Word>(first + i * step));
  return out;
}

template Samples<_Float16> make_samples(int, bool, size_t, uint64_t);
template Samples<float> make_samples(int, bool, size_t, uint64_t);
template Samples<double> make_samples(int, bool, size_t, uint64_t);
template Samples<_Float16> bit_patterns(uint64_t, uint64_t, size_t);
template Samples<float> bit_patterns(uint64_t, uint64_t, size_t);
template Samples<double> bit_patterns(uint64_t, uint64_t, size_t);

}  // namespace accuracy
