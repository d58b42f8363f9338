// The numbers behind numpy.iinfo and numpy.finfo, from the widths of the types.
#include "frontend/type_limits.h"

#include <cmath>

#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

// The attributes of numpy.finfo and numpy.iinfo of a type.
class LimitsEnvironment : public Environment {
 public:
  explicit LimitsEnvironment(ir::Type type) : type_(type) {}
  std::optional<HostValue> lookup(const std::string& name) override {
    if (name == "bits") return make_int(type_.bits);
    if (name == "dtype") return HostValue{HostValue::DType{type_, false}};
    return type_.is_float() ? of_float(name) : of_integer(name);
  }
  std::vector<std::string> names() const override {
    if (!type_.is_float()) return {"bits", "dtype", "max", "min"};
    return {"bits", "dtype", "eps", "epsneg", "max", "min", "smallest_normal", "smallest_subnormal", "tiny"};
  }

 private:
  // Python ints, as in NumPy.
  std::optional<HostValue> of_integer(const std::string& name) const {
    unsigned bits = type_.bits;
    Wide top = Wide{1} << (type_.is_signed() ? bits - 1 : bits);
    if (name == "max") return make_int(top - 1);
    if (name == "min") return make_int(type_.is_signed() ? -top : Wide{0});
    return std::nullopt;
  }
  // Numbers of the type itself, as in NumPy.
  std::optional<HostValue> of_float(const std::string& name) const {
    bool brain = type_ == ir::kBF16;
    int digits = type_.bits == 64 ? 53 : type_.bits == 32 ? 24 : brain ? 8 : 11;  // with the hidden one
    int most = type_.bits == 64 ? 1024 : type_.bits == 32 || brain ? 128 : 16;    // numbers are below 2**most
    auto typed = [&](double value) { return std::optional(make_typed(type_, value)); };
    double largest = std::ldexp(2 - std::ldexp(1.0, 1 - digits), most - 1);
    if (name == "max") return typed(largest);
    if (name == "min") return typed(-largest);
    if (name == "eps") return typed(std::ldexp(1.0, 1 - digits));
    if (name == "epsneg") return typed(std::ldexp(1.0, -digits));
    if (name == "tiny" || name == "smallest_normal") return typed(std::ldexp(1.0, 2 - most));
    if (name == "smallest_subnormal") return typed(std::ldexp(1.0, 3 - most - digits));
    return std::nullopt;
  }

  ir::Type type_;
};

}  // namespace

std::optional<HostValue> type_limits(const std::string& name, ir::Type type) {
  bool of_kind = name == "numpy.finfo" ? type.is_float() : name == "numpy.iinfo" && type.is_int();
  if (!of_kind) return std::nullopt;
  return HostValue{HostValue::Namespace{std::make_shared<LimitsEnvironment>(type)}};
}

}  // namespace lanewise::frontend
