#include "references.h"

#include <math.h>
#include <quadmath.h>

#include <algorithm>
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
      if (wanted && !row.names.empty() && row.op != "nextafter" && !row.op.starts_with("bessel_"))
        found.push_back(
            {row.op, row.names.substr(0, row.names.find(' ')), binary || integer ? 2 : 1, integer});
      if (row.op == "rint") inside = false;
    }
    // frontend/library/math.py
    found.push_back({"gamma", "math.gamma", 1, false});
    found.push_back({"lgamma", "math.lgamma", 1, false});
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
