// Builtins that are written in the language itself: their text is parsed once, and they are called as any
// device function is, so that they mean the same everywhere by construction.
#include <algorithm>
#include <map>

#include "frontend/builtin_names.h"
#include "frontend/frontend.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "ir/error.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

namespace {

// A canonical name with its dots as `_` is the function of that name: "math.gcd" is math_gcd. Integers are
// computed as the language does, in 64 bits where they are Python's.
constexpr const char* kText = R"(
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return abs(a)

def lcm(a, b):
    return 0 if a == 0 or b == 0 else abs(a // gcd(a, b) * b)

def math_gcd(*values):
    result = 0
    for value in values:
        result = gcd(result, value)
    return abs(result)

def math_lcm(*values):
    result = 1
    for value in values:
        result = lcm(result, value)
    return abs(result)

def numpy_gcd(a, b):
    return gcd(a, b)

def numpy_lcm(a, b):
    return lcm(a, b)

def math_factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result

def math_perm(n, k=None):
    if k is None:
        return math_factorial(n)
    if k < 0 or k > n:
        return 0
    result = 1
    for i in range(n - k + 1, n + 1):
        result *= i
    return result

def math_comb(n, k):
    if k < 0 or k > n:
        return 0
    result = 1
    for i in range(1, min(k, n - k) + 1):
        g = gcd(result, i)
        result = (result // g) * ((n - min(k, n - k) + i) // (i // g))
    return result

def math_isqrt(n):
    if n <= 0:
        return 0
    r = int(np.sqrt(np.float64(n)))
    while r > n // r:
        r -= 1
    while r + 1 <= n // (r + 1):
        r += 1
    return r

def math_fsum(values):
    total = np.float64(0)
    rest = np.float64(0)
    for value in values:
        x = np.float64(value)
        new = total + x
        if abs(total) >= abs(x):
            rest += (total - new) + x
        else:
            rest += (x - new) + total
        total = new
    return float(total + rest)

def math_sumprod(p, q):
    total = 0
    for a, b in zip(p, q):
        total += a * b
    return total

def math_dist(p, q):
    result = 0.0
    for a, b in zip(p, q):
        result = math.hypot(result, a - b)
    return result

def math_isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if a == b:
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)

def numpy_isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    if a == b:
        return True
    if equal_nan and math.isnan(a) and math.isnan(b):
        return True
    if math.isinf(a) or math.isinf(b):
        return False
    return abs(a - b) <= atol + rtol * abs(b)

def math_ulp(x):
    x = abs(x + 0.0)
    if math.isinf(x) or math.isnan(x):
        return x
    up = math.nextafter(x, math.inf)
    return x - math.nextafter(x, 0.0) if math.isinf(up) else up - x

def numpy_spacing(x):
    x = x + 0.0
    if math.isinf(x) or math.isnan(x):
        return x - x
    return math.copysign(math_ulp(x), x)

def numpy_heaviside(x, h):
    x = x + 0.0
    if math.isnan(x):
        return x
    if x == 0:
        return h + 0.0
    return 0.0 if x < 0 else 1.0

def numpy_logaddexp(a, b):
    if a == b:
        return a + math.log(2.0)
    d = a - b
    if d > 0:
        return a + math.log1p(math.exp(-d))
    if d <= 0:
        return b + math.log1p(math.exp(d))
    return d + 0.0

def numpy_logaddexp2(a, b):
    if a == b:
        return a + 1.0
    d = a - b
    if d > 0:
        return a + math.log1p(math.exp2(-d)) * 1.4426950408889634
    if d <= 0:
        return b + math.log1p(math.exp2(d)) * 1.4426950408889634
    return d + 0.0

def numpy_sinc(x):
    y = x * 3.141592653589793
    return math.sin(y) / y if x != 0 else 1.0

def numpy_isneginf(x):
    return math.isinf(x) and x < 0

def numpy_isposinf(x):
    return math.isinf(x) and x > 0

def numpy_interp(x, xp, fp, left=None, right=None):
    n = len(xp)
    if math.isnan(x):
        return x + 0.0
    if x < xp[0]:
        if left is not None:
            return left + 0.0
        return fp[0] + 0.0
    if x > xp[n - 1]:
        if right is not None:
            return right + 0.0
        return fp[n - 1] + 0.0
    if x == xp[n - 1]:
        return fp[n - 1] + 0.0
    low = 0
    high = n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x < xp[middle]:
            high = middle
        else:
            low = middle
    slope = (fp[low + 1] - fp[low]) / (xp[low + 1] - xp[low])
    return slope * (x - xp[low]) + fp[low]

def numpy_nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not isinstance(x, (float, np.floating)):
        return x
    if math.isnan(x):
        return type(x)(nan)
    if math.isinf(x) and x > 0:
        return type(x)(np.finfo(type(x)).max) if posinf is None else type(x)(posinf)
    if math.isinf(x):
        return type(x)(np.finfo(type(x)).min) if neginf is None else type(x)(neginf)
    return x

def numpy_select(conditions, choices, default=0):
    for condition, choice in zip(conditions, choices):
        if condition:
            return choice
    return default

def multiply_modulo(a, b, m):
    result = 0
    while b > 0:
        if b & 1:
            result = result + a if result < m - a else result - (m - a)
        a = a + a if a < m - a else a - (m - a)
        b >>= 1
    return result

def pow_modulo(base, exponent, modulus):
    m = abs(modulus)
    if m == 0:
        return 0
    a = base % m
    result = 1 % m
    n = exponent
    while n > 0:
        if n & 1:
            result = multiply_modulo(result, a, m)
        a = multiply_modulo(a, a, m)
        n >>= 1
    return result - m if modulus < 0 and result != 0 else result

def bit_length(n):
    rest = np.uint64(abs(n))
    count = 0
    while rest != 0:
        rest >>= 1
        count += 1
    return count

def round_integer(n, places):
    if places >= 0:
        return n
    power = 10 ** -places
    quotient, rest = divmod(n, power)
    if rest * 2 > power or (rest * 2 == power and quotient % 2 == 1):
        quotient += 1
    return quotient * power

def round_places(x, places):
    factor = type(x)(10.0 ** abs(places))
    return np.round(x * factor) / factor if places >= 0 else np.round(x / factor) * factor

def is_integer(x):
    return math.isfinite(x) and math.floor(x) == x
)";

class PreludeEnvironment : public Environment {
 public:
  std::optional<HostValue> lookup(const std::string& name) override {
    if (name == "math") return HostValue{HostValue::Builtin{"math"}};
    if (name == "np") return HostValue{HostValue::Builtin{"numpy"}};
    auto found = functions.find(name);
    if (found == functions.end()) return std::nullopt;
    return HostValue{found->second};
  }
  std::vector<std::string> names() const override { return {}; }

  std::map<std::string, HostValue::Function> functions;
};

// Ranges in this text are nobody's: they say nothing, so that no place of the user's text is taken for one.
void forget_ranges(Ast& ast) {
  auto forget_parameters = [](std::vector<Parameter>& parameters) {
    for (Parameter& p : parameters) p.range = {};
  };
  for (Expr& e : ast.exprs) e.range = e.op_range = {}, forget_parameters(e.params);
  for (Stmt& s : ast.stmts) s.range = s.name_range = {}, forget_parameters(s.params);
}

// Lives as long as the process; the functions see each other through it.
const PreludeEnvironment& prelude() {
  static const std::shared_ptr<PreludeEnvironment> kPrelude = [] {
    ir::SourceMap sources;
    uint32_t file = sources.add({"<prelude>", kText, 1});
    ir::Diagnostics diagnostics;
    auto ast = std::make_shared<Ast>(parse(sources, file, ParseMode::Function, diagnostics));
    LANEWISE_CHECK(!diagnostics.has_errors(), "the prelude does not parse");
    forget_ranges(*ast);
    auto environment = std::make_shared<PreludeEnvironment>();
    for (StmtId id : ast->body) {
      auto function = std::make_shared<FunctionRef>();
      std::string name = (*ast)[id].name;
      for (std::string_view module : {"math_", "numpy_"})
        if (name.starts_with(module)) name[module.size() - 1] = '.';
      function->name = name;
      function->ast = ast;
      function->def = id;
      function->environment = environment;
      environment->functions[(*ast)[id].name] = function;
    }
    return environment;
  }();
  return *kPrelude;
}

}  // namespace

Value FunctionInference::call_prelude(const std::string& name, CallArguments& call) {
  std::string key = name;
  std::ranges::replace(key, '.', '_');
  auto found = prelude().functions.find(key);
  LANEWISE_CHECK(found != prelude().functions.end(), "no function of the prelude");
  std::string types;
  for (Value& v : call.positional) types += (types.empty() ? "" : ", ") + describe(v);
  size_t reports = reports_.size();
  Value result = call_function(found->second, call, call.range);
  // What is wrong inside is said of the call.
  bool inside = false;
  auto first = reports_.begin() + static_cast<ptrdiff_t>(reports);
  reports_.erase(std::remove_if(first, reports_.end(),
                                [&](const Report& r) {
                                  bool in_text = r.range == SourceRange{};
                                  inside |= in_text && is_error(r);
                                  return in_text;
                                }),
                 reports_.end());
  if (inside) {
    report(DiagnosticId::ArgumentType, call.range,
           {name, "its arguments", "of other types", "(" + types + ")"});
    return error(call.range);
  }
  result.range = call.range;
  return result;
}

}  // namespace lanewise::frontend::inference
