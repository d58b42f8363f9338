#include "references.h"

#include <math.h>
#include <quadmath.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace accuracy {
namespace {

struct Row {
  std::string_view op, signature, names;
};

#define PY_NONE ""
#define PY_OPERATOR(text) ""
#define PY_NAME(text) text
constexpr Row kRows[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) {text, sig, PY},
#include "ir/ops.def"
};

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// sin(pi x) and cos(pi x): what is left after whole and half turns is exact.
template <class W>
W sine_of_turns(W x, W quarter_turns, W pi, W (*sine)(W), W (*cosine)(W), W (*remainder)(W, W)) {
  if (!(x - x == 0)) return x - x;
  W r = remainder(x, 2), nearest = static_cast<W>(static_cast<int>(2 * r + (r < 0 ? W(-0.5) : W(0.5))));
  W angle = pi * (r - nearest / 2);
  switch ((static_cast<int>(nearest + quarter_turns) % 4 + 4) % 4) {
    case 0: return angle == 0 ? (quarter_turns == 0 ? x * 0 : 0) : sine(angle);
    case 1: return cosine(angle);
    case 2: return angle == 0 ? (quarter_turns == 0 ? x * 0 : 0) : -sine(angle);
    default: return -cosine(angle);
  }
}
double sinpi(double x) { return sine_of_turns<double>(x, 0, M_PI, ::sin, ::cos, ::fmod); }
double cospi(double x) { return sine_of_turns<double>(x, 1, M_PI, ::sin, ::cos, ::fmod); }
Quad sinpi(Quad x) { return sine_of_turns<Quad>(x, 0, M_PIq, sinq, cosq, fmodq); }
Quad cospi(Quad x) { return sine_of_turns<Quad>(x, 1, M_PIq, sinq, cosq, fmodq); }

// exp(x * x) * erfc(x); the asymptotic series where erfc is small.
template <class W>
W scaled_erfc(W x, W root_of_pi, W (*exponential)(W), W (*complement)(W)) {
  if (x < 40) return exponential(x * x) * complement(x);
  W sum = 1, term = 1;
  for (int n = 1; n < 16; ++n) sum += term *= -(2 * n - 1) / (2 * x * x);
  return sum / (x * root_of_pi);
}
double erfcx(double x) {
  return x < 26 ? scaled_erfc<double>(x, 0, ::exp, ::erfc)
                : static_cast<double>(scaled_erfc<Quad>(x, 2 / M_2_SQRTPIq, expq, erfcq));
}
Quad erfcx(Quad x) { return scaled_erfc<Quad>(x, 2 / M_2_SQRTPIq, expq, erfcq); }

using std::erf, std::erfc, std::exp, std::log, std::sqrt;
Quad exp(Quad x) { return expq(x); }
Quad log(Quad x) { return logq(x); }
Quad sqrt(Quad x) { return sqrtq(x); }
Quad erf(Quad x) { return erfq(x); }
Quad erfc(Quad x) { return erfcq(x); }

// Inverse functions. W is long double, which is quick, or Quad.
template <class W>
struct Inverse {
  static constexpr W kSlope = static_cast<W>(M_2_SQRTPIq), kRootOfTwo = static_cast<W>(M_SQRT2q),
                     kInfinity = static_cast<W>(std::numeric_limits<double>::infinity()),
                     kNan = static_cast<W>(std::numeric_limits<double>::quiet_NaN());

  // Halley's step for erf(y) = x, where `error` is erf(y) - x.
  static W stepped(W y, W error) {
    W step = error / (kSlope * exp(-y * y));
    return y - step / (1 + y * step);
  }
  // The y > 0 with erfc(y) = z, for 0 < z <= 0.75.
  static W of_tail(W z) {
    W log_z = log(z), y = sqrt(-log_z);
    for (int i = 0; i < 6; ++i) {  // Newton's steps on log(erfc(y)), from far away
      W value = erfc(y);
      y += (log(value) - log_z) * value / (kSlope * exp(-y * y));
    }
    for (int i = 0; i < 2; ++i) y = stepped(y, z - erfc(y));
    return y;
  }
  static W erfinv(W x) {
    W size = x < 0 ? -x : x;
    if (x == 0) return x;
    if (!(size < 1)) return size == 1 ? x * kInfinity : kNan;
    if (size > W(0.25)) return x < 0 ? -of_tail(1 - size) : of_tail(1 - size);
    W y = x / kSlope;
    for (int i = 0; i < 4; ++i) y = stepped(y, erf(y) - x);
    return y;
  }
  static W erfcinv(W z) {
    if (!(z >= 0 && z <= 2)) return kNan;
    if (z == 0 || z == 2) return (1 - z) * kInfinity;
    if (z > W(0.75) && z < W(1.25)) return erfinv(1 - z);
    return z < 1 ? of_tail(z) : -of_tail(2 - z);
  }
  static W normcdfinv(W p) {
    if (p > W(0.375) && p < W(0.625)) return kRootOfTwo * erfinv(2 * p - 1);
    return p >= 0 && p <= 1 ? -kRootOfTwo * erfcinv(2 * p) : kNan;
  }
};
template <long double (*f)(long double)>
double rounded(double x) {
  return static_cast<double>(f(x));
}

// erfcq and lgammaq are fine; tgammaq is exp(lgammaq), far from exact for large arguments but still 100 bits.
struct Entry {
  std::string_view op;
  double (*in_double)(double);
  Quad (*in_quad)(Quad);
};
constexpr Entry kUnary[] = {
    {"sqrt", ::sqrt, sqrtq},
    {"rsqrt", [](double x) { return 1 / ::sqrt(x); }, [](Quad x) { return 1 / sqrtq(x); }},
    {"cbrt", ::cbrt, cbrtq},
    {"exp", ::exp, expq},
    {"exp2", ::exp2, exp2q},
    {"expm1", ::expm1, expm1q},
    {"log", ::log, logq},
    {"log2", ::log2, log2q},
    {"log10", ::log10, log10q},
    {"log1p", ::log1p, log1pq},
    {"sin", ::sin, sinq},
    {"cos", ::cos, cosq},
    {"tan", ::tan, tanq},
    {"asin", ::asin, asinq},
    {"acos", ::acos, acosq},
    {"atan", ::atan, atanq},
    {"sinh", ::sinh, sinhq},
    {"cosh", ::cosh, coshq},
    {"tanh", ::tanh, tanhq},
    {"asinh", ::asinh, asinhq},
    {"acosh", ::acosh, acoshq},
    {"atanh", ::atanh, atanhq},
    {"erf", ::erf, erfq},
    {"erfc", ::erfc, erfcq},
    {"gamma", ::tgamma, tgammaq},
    {"rcbrt", [](double x) { return 1 / ::cbrt(x); }, [](Quad x) { return 1 / cbrtq(x); }},
    {"exp10", ::exp10, [](Quad x) { return powq(10, x); }},
    {"sinpi", sinpi, sinpi},
    {"cospi", cospi, cospi},
    {"normcdf", [](double x) { return ::erfc(x * -M_SQRT1_2) / 2; },
     [](Quad x) { return erfcq(x * -M_SQRT1_2q) / 2; }},
    {"erfcx", erfcx, erfcx},
    {"erfinv", rounded<Inverse<long double>::erfinv>, Inverse<Quad>::erfinv},
    {"erfcinv", rounded<Inverse<long double>::erfcinv>, Inverse<Quad>::erfcinv},
    {"normcdfinv", rounded<Inverse<long double>::normcdfinv>, Inverse<Quad>::normcdfinv},
    {"lgamma", log_gamma, lgammaq},
    {"floor", ::floor, floorq},
    {"ceil", ::ceil, ceilq},
    {"trunc", ::trunc, truncq},
    {"rint", ::nearbyint, nearbyintq},
};

struct Entry2 {
  std::string_view op;
  double (*in_double)(double, double);
  Quad (*in_quad)(Quad, Quad);
};
constexpr Entry2 kBinary[] = {
    {"atan2", ::atan2, atan2q},
    {"pow", ::pow, powq},
    {"hypot", ::hypot, hypotq},
    {"fmod", ::fmod, fmodq},
    {"remainder", ::remainder, remainderq},
    {"copysign", ::copysign, copysignq},
    {"ldexp", [](double x, double n) { return ::ldexp(x, static_cast<int>(n)); },
     [](Quad x, Quad n) { return ldexpq(x, static_cast<int>(n)); }},
};

// frontend/library: math.py, and gpu.libdevice.py, whose functions have a type of their own.
constexpr Function kInLibrary[] = {
    {"gamma", "math.gamma", "math.gamma", "math.gamma", 1, false},
    {"lgamma", "math.lgamma", "math.lgamma", "math.lgamma", 1, false},
#define IN_LIBDEVICE(name) \
  { name, "", "gpu.libdevice." name "f", "gpu.libdevice." name, 1, false }
    IN_LIBDEVICE("rcbrt"),
    IN_LIBDEVICE("exp10"),
    IN_LIBDEVICE("sinpi"),
    IN_LIBDEVICE("cospi"),
    IN_LIBDEVICE("normcdf"),
    IN_LIBDEVICE("erfcx"),
    IN_LIBDEVICE("erfinv"),
    IN_LIBDEVICE("erfcinv"),
    IN_LIBDEVICE("normcdfinv"),
};

template <class Table>
const auto& find(const Table& table, std::string_view op) {
  for (const auto& entry : table)
    if (entry.op == op) return entry;
  throw std::runtime_error("references.cpp has no `" + std::string(op) + "`");
}

bool is_unary(std::string_view op) {
  return std::any_of(std::begin(kUnary), std::end(kUnary), [&](const Entry& e) { return e.op == op; });
}

}  // namespace

// From sqrt to rint: what returns a float and has a name. nextafter depends on the narrow type and is no
// function of reals: the special values test has it. Of Bessel's functions only the absolute error is bounded
// next to their many zeros: the conformance tests of libdevice have them.
const std::vector<Function>& functions() {
  static const std::vector<Function> all = [] {
    std::vector<Function> found;
    bool inside = false;
    for (const Row& row : kRows) {
      inside = inside || row.op == "sqrt";
      std::string_view signature = row.signature;
      bool binary = signature == "(T:float, T) -> T", integer = signature == "(T:float, i32) -> T";
      bool wanted = inside && (binary || integer || signature == "(T:float) -> T");
      if (wanted && !row.names.empty() && row.op != "nextafter" && !row.op.starts_with("bessel_")) {
        std::string_view name = row.names.substr(0, row.names.find(' '));
        found.push_back({row.op, name, name, name, binary || integer ? 2 : 1, integer});
      }
      if (row.op == "rint") inside = false;
    }
    found.insert(found.end(), std::begin(kInLibrary), std::end(kInLibrary));
    return found;
  }();
  return all;
}

double reference(std::string_view op, double x, double y) {
  return is_unary(op) ? find(kUnary, op).in_double(x) : find(kBinary, op).in_double(x, y);
}

Quad reference(std::string_view op, Quad x, Quad y) {
  return is_unary(op) ? find(kUnary, op).in_quad(x) : find(kBinary, op).in_quad(x, y);
}

}  // namespace accuracy
