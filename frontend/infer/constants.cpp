// HostValues as numbers: their values, their immediates in a type, comparison and spelling. Conversions are
// those of the Cast op, computed by ir/scalar_ops.h.
#include "frontend/infer/constants.h"

#include <charconv>
#include <cmath>

#include "ir/scalar_ops.h"

namespace lanewise::frontend {

std::optional<Wide> integer_value(const HostValue& value) {
  if (const bool* b = std::get_if<bool>(&value.value)) return *b ? 1 : 0;
  if (auto* i = std::get_if<HostValue::Int>(&value.value))
    return i->is_uint64 ? Wide{static_cast<uint64_t>(i->value)} : Wide{i->value};
  if (auto* t = std::get_if<HostValue::Typed>(&value.value)) {
    const int64_t* bits = std::get_if<int64_t>(&t->value);
    if (!bits) return std::nullopt;
    return t->type.is_unsigned() ? Wide{static_cast<uint64_t>(*bits)} : Wide{*bits};
  }
  return std::nullopt;
}

std::optional<double> float_value(const HostValue& value) {
  if (const double* d = std::get_if<double>(&value.value)) return *d;
  if (auto* t = std::get_if<HostValue::Typed>(&value.value))
    if (const double* d = std::get_if<double>(&t->value)) return *d;
  if (std::optional<Wide> i = integer_value(value)) return static_cast<double>(*i);
  return std::nullopt;
}

bool is_number(const HostValue& value) { return float_value(value).has_value(); }

std::optional<int64_t> index_value(const HostValue& value) {
  std::optional<Wide> i = integer_value(value);
  if (!i || *i < INT64_MIN || *i > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*i);
}

std::optional<bool> truth(const HostValue& value) {
  if (std::optional<double> number = float_value(value)) return *number != 0;  // true of a NaN
  if (auto* c = std::get_if<HostValue::Complex>(&value.value)) return c->real != 0 || c->imag != 0;
  if (auto* text = std::get_if<std::string>(&value.value)) return !text->empty();
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value)) return !tuple->items.empty();
  if (std::holds_alternative<HostValue::None>(value.value)) return false;
  return std::nullopt;
}

HostValue make_int(Wide value) {
  return {HostValue::Int{static_cast<int64_t>(value), value > Wide{INT64_MAX}}};
}

HostValue make_typed(ir::Type type, ir::Immediate value) { return {HostValue::Typed{type, value}}; }

HostValue constant_of(const ValueType& type, const ir::Immediate& immediate) {
  if (!type.python) return make_typed(type.scalar, immediate);
  if (const double* d = std::get_if<double>(&immediate)) return {*d};
  int64_t bits = std::get<int64_t>(immediate);
  if (type.scalar.is_bool()) return {bits != 0};
  return {HostValue::Int{bits, type.scalar.is_unsigned() && bits < 0}};
}

bool fits(Wide value, ir::Type type) {
  if (type.is_bool()) return value == 0 || value == 1;
  if (type.is_unsigned()) return value >= 0 && (value >> type.bits) == 0;
  Wide half = Wide{1} << (type.bits - 1);
  return value >= -half && value < half;
}

ir::Immediate convert_constant(const HostValue& number, ir::Type type) {
  std::optional<Wide> integer = integer_value(number);
  double real = float_value(number).value_or(0);
  if (type.is_bool()) return int64_t{real != 0};
  if (type.is_float()) {
    if (type == ir::kF32 && integer) real = static_cast<double>(static_cast<float>(*integer));
    if (type == ir::kBF16 && integer && fits(*integer, ir::kI64)) {  // rounded once
      auto operand = static_cast<uint64_t>(*integer);
      return ir::float_value(ir::evaluate_scalar(ir::OpKind::Cast, ir::kI64, type, &operand), type);
    }
    return ir::float_value(ir::float_bits(real, type), type);
  }
  uint64_t raw;
  if (integer) {
    raw = static_cast<uint64_t>(*integer);
  } else {
    uint64_t operand = ir::float_bits(real, ir::kF64);
    raw = ir::evaluate_scalar(ir::OpKind::Cast, ir::kF64, type, &operand);
  }
  return static_cast<int64_t>(ir::canonical_bits(type, raw));
}

ValueType type_of_number(const HostValue& number, ir::Type python_float) {
  if (auto* t = std::get_if<HostValue::Typed>(&number.value)) return ValueType::typed(t->type);
  if (std::holds_alternative<bool>(number.value)) return ValueType::python_number(ir::kBool);
  if (auto* i = std::get_if<HostValue::Int>(&number.value))
    return ValueType::python_number(i->is_uint64 ? ir::kU64 : ir::kI64);
  return ValueType::python_number(python_float);
}

namespace {

struct SameAs {
  const HostValue& other;

  template <class T>
  const T& that() const {
    return std::get<T>(other.value);
  }
  static bool same_float(double a, double b) {
    return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
  }
  bool operator()(const HostValue::None&) const { return true; }
  bool operator()(bool b) const { return b == that<bool>(); }
  bool operator()(const HostValue::Int& i) const {
    return i.value == that<HostValue::Int>().value && i.is_uint64 == that<HostValue::Int>().is_uint64;
  }
  bool operator()(double d) const { return same_float(d, that<double>()); }
  bool operator()(const HostValue::Typed& t) const {
    const auto& o = that<HostValue::Typed>();
    if (t.type != o.type || t.value.index() != o.value.index()) return false;
    if (const double* d = std::get_if<double>(&t.value)) return same_float(*d, std::get<double>(o.value));
    return t.value == o.value;
  }
  bool operator()(const HostValue::Complex& c) const {
    const auto& o = that<HostValue::Complex>();
    return c.part == o.part && same_float(c.real, o.real) && same_float(c.imag, o.imag);
  }
  bool operator()(const HostValue::Time& t) const {
    return t.type == that<HostValue::Time>().type && t.value == that<HostValue::Time>().value;
  }
  bool operator()(const std::string& s) const { return s == that<std::string>(); }
  bool operator()(const HostValue::DType& d) const {
    return d.type == that<HostValue::DType>().type && d.python == that<HostValue::DType>().python;
  }
  bool operator()(const HostValue::Builtin& b) const { return b.name == that<HostValue::Builtin>().name; }
  bool operator()(const HostValue::TupleClass& c) const {
    return c.names == that<HostValue::TupleClass>().names;
  }
  bool operator()(const HostValue::Partial& p) const {
    const auto& other_partial = that<HostValue::Partial>();
    return p.callee == other_partial.callee;
  }
  bool operator()(const HostValue::Tuple& t) const {
    const auto& items = that<HostValue::Tuple>().items;
    if (items.size() != t.items.size() || !(t.names == that<HostValue::Tuple>().names)) return false;
    for (size_t i = 0; i < items.size(); ++i)
      if (!same_constant(t.items[i], items[i])) return false;
    return true;
  }
  bool operator()(const HostValue::Namespace& n) const {
    return n.environment == that<HostValue::Namespace>().environment;
  }
  bool operator()(const HostValue::Function& f) const {
    const FunctionRef& a = *f;
    const FunctionRef& b = *that<HostValue::Function>();
    if (&a == &b) return true;
    if (a.identity || b.identity) return a.identity == b.identity;
    return a.ast == b.ast && a.def == b.def && a.lambda == b.lambda && a.environment == b.environment;
  }
  bool operator()(const HostValue::Cuda& f) const { return f->code == that<HostValue::Cuda>()->code; }
  bool operator()(const HostValue::Array& a) const { return a == that<HostValue::Array>(); }
  bool operator()(const HostValue::Slice& s) const {
    return same_constant({HostValue::Tuple{s.bounds}}, {HostValue::Tuple{that<HostValue::Slice>().bounds}});
  }
  bool operator()(const HostValue::Later& l) const {
    const Deferred& found = *that<HostValue::Later>();
    return l->owner == found.owner && l->serial == found.serial;
  }
  bool operator()(const HostValue::Unsupported& u) const {
    return u.what == that<HostValue::Unsupported>().what;
  }
};

std::string spell_float(double value) {
  char buffer[40];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  if (std::isfinite(value) && text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::string spell_int(Wide value) {
  return value < 0 ? std::to_string(static_cast<int64_t>(value))
                   : std::to_string(static_cast<uint64_t>(value));
}

}  // namespace

bool same_constant(const HostValue& a, const HostValue& b) {
  return a.value.index() == b.value.index() && std::visit(SameAs{b}, a.value);
}

bool same_constant(const std::optional<HostValue>& a, const std::optional<HostValue>& b) {
  if (!a || !b) return !a && !b;
  return same_constant(*a, *b);
}

std::string spell(const HostValue& value) {
  if (const bool* b = std::get_if<bool>(&value.value)) return *b ? "True" : "False";
  if (auto* i = std::get_if<HostValue::Int>(&value.value)) return spell_int(*integer_value({*i}));
  if (const double* d = std::get_if<double>(&value.value)) return spell_float(*d);
  if (auto* t = std::get_if<HostValue::Typed>(&value.value)) {
    std::optional<Wide> integer = integer_value(value);
    std::string text = integer ? spell_int(*integer) : spell_float(*float_value(value));
    if (t->type.is_bool()) return text == "0" ? "False" : "True";
    return to_string(ValueType::typed(t->type)) + "(" + text + ")";
  }
  if (auto* c = std::get_if<HostValue::Complex>(&value.value)) {
    std::string text = "complex(" + spell_float(c->real) + ", " + spell_float(c->imag) + ")";
    return c->part.is_void() ? text : to_string(ElementType::complex(c->part)) + text.substr(7);
  }
  if (auto* s = std::get_if<std::string>(&value.value)) return "\"" + *s + "\"";
  if (auto* t = std::get_if<HostValue::Tuple>(&value.value)) {
    std::string out = "(";
    for (size_t i = 0; i < t->items.size(); ++i) out += (i ? ", " : "") + spell(t->items[i]);
    return out + (t->items.size() == 1 ? ",)" : ")");
  }
  return describe_object(value);
}

std::string describe_object(const HostValue& value) {
  struct Describe {
    std::string operator()(const HostValue::None&) const { return "None"; }
    std::string operator()(bool) const { return "a bool"; }
    std::string operator()(const HostValue::Int&) const { return "an int"; }
    std::string operator()(double) const { return "a float"; }
    std::string operator()(const HostValue::Typed& t) const {
      return "a number of type " + to_string(ValueType::typed(t.type));
    }
    std::string operator()(const HostValue::Complex&) const { return "a complex number"; }
    std::string operator()(const HostValue::Time& t) const { return "a " + to_string(t.type); }
    std::string operator()(const std::string&) const { return "a string"; }
    std::string operator()(const HostValue::DType& d) const {
      if (!d.python) return "the type " + to_string(ValueType::typed(d.type));
      ir::Type held = d.type.scalar;
      if (d.type.is_complex()) return "the type complex";
      return std::string("the type ") + (held.is_bool() ? "bool" : held.is_float() ? "float" : "int");
    }
    std::string operator()(const HostValue::Builtin& b) const { return "`" + b.name + "`"; }
    std::string operator()(const HostValue::Tuple&) const { return "a tuple"; }
    std::string operator()(const HostValue::TupleClass& c) const {
      return "the class `" + c.names.name() + "`";
    }
    std::string operator()(const HostValue::Partial&) const { return "a functools.partial"; }
    std::string operator()(const HostValue::Namespace&) const { return "a module or object"; }
    std::string operator()(const HostValue::Function& f) const { return "the function `" + f->name + "`"; }
    std::string operator()(const HostValue::Cuda& f) const { return "the CUDA function `" + f->name + "`"; }
    std::string operator()(const HostValue::Array&) const { return "an array"; }
    std::string operator()(const HostValue::Slice&) const { return "a slice"; }
    std::string operator()(const HostValue::Later& l) const { return l->description; }
    std::string operator()(const HostValue::Unsupported& u) const { return u.what; }
  };
  return std::visit(Describe{}, value.value);
}

}  // namespace lanewise::frontend
