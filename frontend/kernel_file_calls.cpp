// Calls in module constants: `min(A, B)`, `math.sqrt(2)`, `len(SHAPE)`. Elementary functions are the IR's
// ops, so that the constant is what a kernel would compute.
#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/builtin_names.h"
#include "frontend/frontend.h"
#include "frontend/host_numbers.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"
#include "frontend/infer/number_rules.h"
#include "frontend/kernel_file.h"
#include "frontend/type_limits.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend {
namespace {

using Arguments = std::vector<HostValue>;

// min() and max() of two or more values, or of one tuple: the first of the least or greatest.
std::optional<HostValue> extreme(const Arguments& arguments, Operator better) {
  const Arguments* values = &arguments;
  if (arguments.size() == 1) {
    auto* tuple = std::get_if<HostValue::Tuple>(&arguments[0].value);
    if (!tuple) return std::nullopt;
    values = &tuple->items;
  }
  if (values->empty()) return std::nullopt;
  const HostValue* best = &values->front();
  for (const HostValue& value : *values) {
    std::optional<HostValue> wins = evaluate_binary(better, value, *best);
    if (!wins) return std::nullopt;
    if (truth(*wins).value_or(false)) best = &value;
  }
  return *best;
}

// sum() and prod() of one tuple.
std::optional<HostValue> folded(const Arguments& arguments, Operator op) {
  auto* tuple = arguments.size() == 1 ? std::get_if<HostValue::Tuple>(&arguments[0].value) : nullptr;
  if (!tuple) return std::nullopt;
  std::optional<HostValue> total = make_int(op == Operator::Add ? 0 : 1);
  for (const HostValue& item : tuple->items)
    if (total) total = evaluate_binary(op, *total, item);
  return total;
}

// Python's int of a whole double.
std::optional<HostValue> whole(double value) { return evaluate_cast({ir::kI64, true}, {value}); }

std::optional<HostValue> absolute(const HostValue& value) {
  std::optional<double> number = float_value(value);
  if (!number) return std::nullopt;
  return std::signbit(*number) ? evaluate_unary(Operator::Neg, value) : evaluate_unary(Operator::Pos, value);
}

// slice(stop), slice(start, stop, step): numbers or None.
std::optional<HostValue> slice(const Arguments& a) {
  if (a.empty() || a.size() > 3) return std::nullopt;
  for (const HostValue& bound : a)
    if (!integer_value(bound) && !std::holds_alternative<HostValue::None>(bound.value)) return std::nullopt;
  HostValue::Slice out{a};
  if (a.size() == 1) out.bounds.insert(out.bounds.begin(), HostValue{HostValue::None{}});
  out.bounds.resize(3, HostValue{HostValue::None{}});
  return HostValue{std::move(out)};
}

std::optional<HostValue> python_call(const std::string& name, const Arguments& a) {
  if (name == "slice") return slice(a);
  if (name == "min") return extreme(a, Operator::Lt);
  if (name == "max") return extreme(a, Operator::Gt);
  if (name == "sum") return folded(a, Operator::Add);
  if (name == "pow" && a.size() == 2) return evaluate_binary(Operator::Pow, a[0], a[1]);
  if (name == "divmod" && a.size() == 2) {
    auto quotient = evaluate_binary(Operator::FloorDiv, a[0], a[1]),
         remainder = evaluate_binary(Operator::Mod, a[0], a[1]);
    if (!quotient || !remainder) return std::nullopt;
    return HostValue{HostValue::Tuple{{*quotient, *remainder}}};
  }
  if (a.size() != 1) return std::nullopt;
  if (name == "abs") return absolute(a[0]);
  if (name == "len") {
    if (auto* tuple = std::get_if<HostValue::Tuple>(&a[0].value))
      return make_int(static_cast<Wide>(tuple->items.size()));
    auto* array = std::get_if<HostValue::Array>(&a[0].value);
    return array && !(*array)->shape.empty() ? std::optional(make_int((*array)->shape[0])) : std::nullopt;
  }
  if (name == "tuple" || name == "list")
    return std::holds_alternative<HostValue::Tuple>(a[0].value) ? std::optional(a[0]) : std::nullopt;
  if (name == "round") {
    if (std::optional<Wide> integer = integer_value(a[0])) return a[0];
    std::optional<double> number = float_value(a[0]);
    return number ? whole(std::nearbyint(*number)) : std::nullopt;
  }
  return std::nullopt;
}

// Functions of integers, and those whose results are ints in Python but floats in NumPy.
std::optional<HostValue> integer_call(const std::string& name, const Arguments& a) {
  bool typed = !a.empty() && std::holds_alternative<HostValue::Typed>(a[0].value);
  std::optional<double> number = a.size() == 1 ? float_value(a[0]) : std::nullopt;
  if (number && !typed) {
    if (std::optional<Wide> integer = integer_value(a[0]);
        integer && (name == "math.floor" || name == "math.ceil" || name == "math.trunc"))
      return make_int(*integer);
    if (name == "math.floor") return whole(std::floor(*number));
    if (name == "math.ceil") return whole(std::ceil(*number));
    if (name == "math.trunc") return whole(*number);
  }
  std::vector<Wide> integers;
  for (const HostValue& value : a) {
    std::optional<Wide> integer = integer_value(value);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  if (name == "math.gcd" && integers.size() == 2) {
    Wide x = integers[0] < 0 ? -integers[0] : integers[0], y = integers[1] < 0 ? -integers[1] : integers[1];
    while (y != 0) std::swap(x %= y, y);
    return make_int(x);
  }
  if (name == "math.isqrt" && integers.size() == 1 && integers[0] >= 0) {
    auto root = static_cast<Wide>(std::sqrt(static_cast<double>(integers[0])));
    while (root * root > integers[0]) --root;
    while ((root + 1) * (root + 1) <= integers[0]) ++root;
    return make_int(root);
  }
  return std::nullopt;
}

// The op of ops.def on floats. Out-of-domain and overflowing results have no value: Python raises there.
std::optional<HostValue> float_call(ir::OpKind op, bool numpy, const Arguments& a) {
  const ir::Signature& signature = ir::info(op).signature;
  if (a.size() != signature.operand_count || a.size() > 3) return std::nullopt;
  std::vector<Number> numbers;
  bool finite = true, typed = numpy;
  for (const HostValue& value : a) {
    std::optional<double> number = float_value(value);
    if (!number) return std::nullopt;
    finite &= std::isfinite(*number);
    ValueType type = type_of_number(value, ir::kF64);
    typed |= !type.python;
    numbers.push_back({type.scalar, type.python, &value});
  }
  for (uint8_t i = 0; i < signature.operand_count; ++i)
    if (signature.operands[i].bound != ir::TypeClass::Float &&
        signature.operands[i].letter != signature.operands[0].letter)
      return std::nullopt;
  if (signature.operands[0].bound != ir::TypeClass::Float) return std::nullopt;
  ir::Type type = float_type(numbers.data(), numbers.size(), ir::kF64).type;
  ir::Type result = signature.result.letter ? type : signature.result.fixed;
  std::vector<ir::Bits> bits;
  for (const HostValue& value : a) bits.push_back(ir::bits_of(convert_constant(value, type), type));
  ir::Immediate out = ir::immediate_of(ir::evaluate_scalar(op, type, result, bits.data()), result);
  if (auto* number = std::get_if<double>(&out); number && finite && !std::isfinite(*number))
    return std::nullopt;
  return constant_of(typed ? ValueType::typed(result) : ValueType::python_number(result), out);
}

// namedtuple("P", "x y") or namedtuple("P", ("x", "y")), and perhaps defaults=(1, 2).
std::optional<HostValue> tuple_class(const Arguments& a) {
  auto* name = a.size() == 2 || a.size() == 3 ? std::get_if<std::string>(&a[0].value) : nullptr;
  if (!name) return std::nullopt;
  std::vector<std::string> fields;
  if (auto* text = std::get_if<std::string>(&a[1].value)) {
    std::string word;
    for (char c : *text + " ") {
      bool separates = c == ' ' || c == ',' || c == '\t' || c == '\n';
      if (!separates)
        word += c;
      else if (!word.empty())
        fields.push_back(std::exchange(word, {}));
    }
  } else if (auto* tuple = std::get_if<HostValue::Tuple>(&a[1].value)) {
    for (const HostValue& item : tuple->items) {
      auto* field = std::get_if<std::string>(&item.value);
      if (!field) return std::nullopt;
      fields.push_back(*field);
    }
  } else {
    return std::nullopt;
  }
  std::vector<HostValue> defaults;
  if (a.size() == 3 && !std::holds_alternative<HostValue::None>(a[2].value)) {
    auto* given = std::get_if<HostValue::Tuple>(&a[2].value);
    if (!given || given->items.size() > fields.size()) return std::nullopt;
    defaults = given->items;
  }
  return HostValue{HostValue::TupleClass{TupleNames(*name, std::move(fields)), std::move(defaults)}};
}

// The names of parameters in their order, where arguments may be given by name.
constexpr std::pair<std::string_view, std::string_view> kParameters[] = {
    {"numpy.array", "object dtype"},
    {"numpy.asarray", "a dtype"},
    {"numpy.zeros", "shape dtype"},
    {"numpy.ones", "shape dtype"},
    {"numpy.empty", "shape dtype"},
    {"numpy.full", "shape fill_value dtype"},
    {"numpy.arange", "start stop step dtype"},
    {"numpy.linspace", "start stop num dtype"},
    {"numpy.dtype", "dtype align"},
    {"collections.namedtuple", "typename field_names defaults"},
};

// Puts arguments that have names into their places; what is left out between them is None.
bool place(std::string_view parameters, const std::vector<std::string>& keywords, Arguments named,
           Arguments& arguments) {
  size_t given = arguments.size();
  for (size_t k = 0; k < keywords.size(); ++k) {
    size_t begin = 0, position = 0;
    while (begin < parameters.size()) {
      size_t end = std::min(parameters.find(' ', begin), parameters.size());
      if (parameters.substr(begin, end - begin) == keywords[k]) break;
      begin = end + 1;
      ++position;
    }
    if (begin >= parameters.size() || position < given) return false;
    if (arguments.size() <= position) arguments.resize(position + 1, HostValue{HostValue::None{}});
    arguments[position] = std::move(named[k]);
  }
  return true;
}

}  // namespace

bool takes_sequence(const std::string& builtin) {
  return builtin == "tuple" || builtin == "list" || builtin == "sum" || builtin == "min" ||
         builtin == "max" || builtin == "math.prod" || builtin == "numpy.array" || builtin == "numpy.asarray";
}

std::optional<HostValue> make_tuple_of(const HostValue::TupleClass& type, std::vector<HostValue> arguments,
                                       const std::vector<std::string>& keywords,
                                       std::vector<HostValue> named) {
  size_t fields = type.names.fields().size(), given = arguments.size();
  std::vector<bool> filled(fields, false);
  if (!keywords.empty() && given > fields) return std::nullopt;
  for (size_t k = 0; k < keywords.size(); ++k) {
    std::optional<size_t> field = type.names.index_of(keywords[k]);
    if (!field || *field < given || filled[*field]) return std::nullopt;
    filled[*field] = true;
    if (arguments.size() <= *field) arguments.resize(*field + 1, HostValue{HostValue::None{}});
    arguments[*field] = std::move(named[k]);
  }
  // Fields that the names left out have their defaults.
  size_t first_default = fields - std::min(fields, type.defaults.size());
  for (size_t i = given; i < arguments.size() && i < fields; ++i) {
    if (filled[i]) continue;
    if (i < first_default) return std::nullopt;
    arguments[i] = type.defaults[i - first_default];
  }
  size_t missing = fields - std::min(fields, arguments.size());
  if (arguments.size() > fields || missing > type.defaults.size()) return std::nullopt;
  arguments.insert(arguments.end(), type.defaults.end() - static_cast<ptrdiff_t>(missing),
                   type.defaults.end());
  return HostValue{HostValue::Tuple{std::move(arguments), type.names}};
}

std::optional<HostValue> call_builtin(const std::string& name, std::vector<HostValue> arguments,
                                      const std::vector<std::string>& keywords,
                                      std::vector<HostValue> named) {
  if (name == "functools.partial" && !arguments.empty()) {
    HostValue::Partial partial{
        std::make_shared<HostValue>(arguments[0]), {arguments.begin() + 1, arguments.end()}, {}};
    for (size_t k = 0; k < keywords.size(); ++k) partial.keywords.emplace_back(keywords[k], named[k]);
    return HostValue{std::move(partial)};
  }
  if (!keywords.empty()) {
    auto parameters = std::ranges::find(kParameters, name, [](const auto& row) { return row.first; });
    if (parameters == std::end(kParameters) ||
        !place(parameters->second, keywords, std::move(named), arguments))
      return std::nullopt;
  }
  if (name.find('.') == std::string::npos) return python_call(name, arguments);
  if (name == "numpy.dtype") return dtype_constant(arguments);
  if (name == "numpy.datetime64" || name == "numpy.timedelta64")
    return time_constant(arguments, name == "numpy.datetime64");
  if ((name == "numpy.iinfo" || name == "numpy.finfo") && arguments.size() == 1) {
    std::optional<HostValue> type = call_builtin("numpy.dtype", arguments);
    return type ? type_limits(name, std::get<HostValue::DType>(type->value).type.scalar) : std::nullopt;
  }
  if (name == "collections.namedtuple") return tuple_class(arguments);
  if (name == "math.prod") return folded(arguments, Operator::Mul);
  if (std::optional<HostValue> array = array_constant(name, arguments)) return array;
  if (name == "math.log" && arguments.size() == 2) {
    auto value = call_builtin(name, {arguments[0]}), base = call_builtin(name, {arguments[1]});
    return value && base ? evaluate_binary(Operator::Div, *value, *base) : std::nullopt;
  }
  if (std::optional<HostValue> value = integer_call(name, arguments)) return value;
  std::optional<ir::OpKind> op = op_of_name(name);
  if (!op || !ir::is_scalar_op(*op)) return std::nullopt;
  return float_call(*op, name.starts_with("numpy."), arguments);
}

}  // namespace lanewise::frontend
