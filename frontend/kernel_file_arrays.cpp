// Constant arrays of kernel files: `np.array([1, 2.5], np.float32)`, `np.zeros((2, 3))`, `np.arange(8)`.
// Their types and values are NumPy's.
#include <algorithm>
#include <cmath>
#include <utility>

#include "frontend/frontend.h"
#include "frontend/host_numbers.h"
#include "frontend/kernel_file.h"
#include "ir/literal.h"
#include "ir/scalar_ops.h"

namespace lanewise::frontend {
namespace {

using Arguments = std::vector<HostValue>;

constexpr int64_t kMaxItems = 1 << 18;  // of larger arrays host code is the better source

bool is_none(const HostValue& value) { return std::holds_alternative<HostValue::None>(value.value); }

// The argument at a place, None if there is none.
const HostValue& argument(const Arguments& arguments, size_t place) {
  static const HostValue none{HostValue::None{}};
  return place < arguments.size() ? arguments[place] : none;
}

void append(std::string& bytes, ir::Bits bits, ir::Type type) {
  for (unsigned b = 0; b < type.element_size(); ++b) bytes.push_back(static_cast<char>(bits >> (8 * b)));
}

// Adds a number as an element of the type; false where NumPy would refuse, too.
bool append(std::string& bytes, const HostValue& number, const ElementType& type) {
  std::optional<HostValue> cast = evaluate_cast({type, false}, number);
  if (!cast) return false;
  if (!type.is_complex()) {
    append(bytes, ir::bits_of(convert_constant(*cast, type.scalar), type.scalar), type.scalar);
    return true;
  }
  auto* z = std::get_if<HostValue::Complex>(&cast->value);
  if (!z) return false;
  for (double part : {z->real, z->imag})
    append(bytes, ir::bits_of(ir::Immediate{part}, type.scalar), type.scalar);
  return true;
}

// The type of one number in an array, as NumPy infers it.
std::optional<ElementType> element_of(const HostValue& value) {
  if (auto* typed = std::get_if<HostValue::Typed>(&value.value)) return ElementType(typed->type);
  if (auto* z = std::get_if<HostValue::Complex>(&value.value))
    return ElementType::complex(z->part == ir::kVoid ? ir::kF64 : z->part);
  if (std::holds_alternative<bool>(value.value)) return ElementType(ir::kBool);
  if (std::holds_alternative<double>(value.value)) return ElementType(ir::kF64);
  if (auto* integer = std::get_if<HostValue::Int>(&value.value))
    return ElementType(integer->is_uint64 ? ir::kU64 : ir::kI64);
  return std::nullopt;
}

// The one of two types that holds both, where it is one of them and no question: equal ones, and bool, int64,
// float64, complex128 in this order.
std::optional<ElementType> common(const ElementType& a, const ElementType& b) {
  if (a == b) return a;
  auto rank = [](const ElementType& type) {
    if (type == ElementType(ir::kBool)) return 1;
    if (type == ElementType(ir::kI64)) return 2;
    if (type == ElementType(ir::kF64)) return 3;
    return type == ElementType::complex(ir::kF64) ? 4 : 0;
  };
  if (rank(a) == 0 || rank(b) == 0) return std::nullopt;
  return rank(a) > rank(b) ? a : b;
}

// The numbers of a nested sequence in order, and its shape; false if it is ragged or holds anything else.
bool flatten(const HostValue& value, size_t depth, std::vector<int64_t>& shape, Arguments& numbers) {
  auto* tuple = std::get_if<HostValue::Tuple>(&value.value);
  if (!tuple) {
    numbers.push_back(value);
    return depth == shape.size();
  }
  auto count = static_cast<int64_t>(tuple->items.size());
  if (depth == shape.size() && numbers.empty()) shape.push_back(count);
  if (depth >= shape.size() || shape[depth] != count) return false;
  for (const HostValue& item : tuple->items)
    if (!flatten(item, depth + 1, shape, numbers)) return false;
  return true;
}

std::optional<ElementType> type_argument(const HostValue& value) {
  std::optional<HostValue> dtype = dtype_constant({value});
  const ElementType* type = dtype ? &std::get<HostValue::DType>(dtype->value).type : nullptr;
  if (!type || !(type->is_scalar() || type->is_complex())) return std::nullopt;
  return *type;
}

// Numbers as an array of `dtype`, or of the type that holds all of them.
std::optional<HostValue> make_array(std::vector<int64_t> shape, const Arguments& numbers,
                                    const HostValue& dtype) {
  std::optional<ElementType> type;
  if (!is_none(dtype)) {
    type = type_argument(dtype);
  } else if (numbers.empty()) {
    type = ElementType(ir::kF64);
  } else {
    type = element_of(numbers[0]);
    for (const HostValue& number : numbers) {
      std::optional<ElementType> one = element_of(number);
      type = type && one ? common(*type, *one) : std::nullopt;
    }
  }
  if (!type) return std::nullopt;
  auto array = std::make_shared<HostArray>();
  array->element = *type;
  array->shape = std::move(shape);
  for (const HostValue& number : numbers)
    if (!append(array->bytes, number, *type)) return std::nullopt;
  return HostValue{HostValue::Array(std::move(array))};
}

std::optional<HostValue> array_of(const HostValue& items, const HostValue& dtype) {
  if (auto* array = std::get_if<HostValue::Array>(&items.value))
    return is_none(dtype) ? std::optional(items) : cast_array(**array, dtype);
  std::vector<int64_t> shape;
  Arguments numbers;
  if (!flatten(items, 0, shape, numbers)) return std::nullopt;
  return make_array(std::move(shape), numbers, dtype);
}

std::optional<HostValue> filled(const HostValue& extents, const HostValue& number, const HostValue& dtype) {
  auto* tuple = std::get_if<HostValue::Tuple>(&extents.value);
  std::vector<int64_t> shape;
  int64_t count = 1;
  for (const HostValue& extent : tuple ? tuple->items : Arguments{extents}) {
    std::optional<int64_t> size = index_value(extent);
    if (!size || *size < 0 || __builtin_mul_overflow(count, *size, &count) || count > kMaxItems)
      return std::nullopt;
    shape.push_back(*size);
  }
  std::optional<HostValue> one = make_array({1}, {number}, dtype);
  if (!one) return std::nullopt;
  auto array = std::make_shared<HostArray>(*std::get<HostValue::Array>(one->value));
  array->shape = std::move(shape);
  std::string bytes = std::exchange(array->bytes, {});
  for (int64_t i = 0; i < count; ++i) array->bytes += bytes;
  return HostValue{HostValue::Array(std::move(array))};
}

// `count` numbers whose first two are given, as NumPy fills an array of the type: in its own arithmetic, by
// the difference of the two as they are in the type.
std::optional<HostValue> stepped(const HostValue& first, const HostValue& second, int64_t count,
                                 const HostValue& dtype) {
  std::optional<ElementType> type = type_argument(dtype);
  if (!type) return std::nullopt;
  std::optional<HostValue> pair = make_array({2}, {first, second}, dtype);
  if (!pair) return std::nullopt;
  Arguments numbers = array_items(*std::get<HostValue::Array>(pair->value));
  numbers.resize(static_cast<size_t>(std::min<int64_t>(count, 2)));
  if (count > 2 && (type->is_complex() || type->scalar == ir::kBool || type->scalar == ir::kBF16))
    return std::nullopt;
  for (int64_t i = 2; i < count; ++i) {
    if (type->scalar.is_int()) {
      Wide start = *integer_value(numbers[0]), step = *integer_value(numbers[1]) - start;
      auto bits = static_cast<int64_t>(static_cast<uint64_t>(start + i * step));
      numbers.push_back(make_typed(type->scalar, {ir::wrap_int(type->scalar, bits)}));
    } else if (type->scalar == ir::kF64) {
      double start = *float_value(numbers[0]), step = *float_value(numbers[1]) - start;
      double product = static_cast<double>(i) * step;
      numbers.push_back({start + product});
    } else {
      auto start = static_cast<float>(*float_value(numbers[0]));
      float step = static_cast<float>(*float_value(numbers[1])) - start;
      float product = static_cast<float>(i) * step;
      numbers.push_back({static_cast<double>(start + product)});
    }
  }
  return make_array({count}, numbers, dtype);
}

std::optional<HostValue> range_array(const Arguments& a) {
  bool one = is_none(argument(a, 1));
  HostValue start = one ? make_int(0) : argument(a, 0), stop = argument(a, one ? 0 : 1);
  HostValue step = is_none(argument(a, 2)) ? make_int(1) : argument(a, 2);
  HostValue dtype = argument(a, 3);
  std::optional<int64_t> first = index_value(start), last = index_value(stop), by = index_value(step);
  if (first && last && by) {
    std::optional<Arguments> numbers = range_items({start, stop, step});
    if (!numbers) return std::nullopt;
    if (is_none(dtype)) dtype = {HostValue::DType{ir::kI64}};
    auto count = static_cast<int64_t>(numbers->size());
    return stepped(start, make_int(Wide{*first} + *by), count, dtype);
  }
  std::optional<double> from = float_value(start), to = float_value(stop), by_float = float_value(step);
  if (!from || !to || !by_float || *by_float == 0) return std::nullopt;
  double count = std::max(0.0, std::ceil((*to - *from) / *by_float));
  if (!(count < static_cast<double>(kMaxItems))) return std::nullopt;
  if (is_none(dtype)) dtype = {HostValue::DType{ir::kF64}};
  return stepped({*from}, {*from + *by_float}, static_cast<int64_t>(count), dtype);
}

std::optional<HostValue> spaced_array(const Arguments& a) {
  std::optional<double> start = float_value(argument(a, 0)), stop = float_value(argument(a, 1));
  std::optional<int64_t> count = is_none(argument(a, 2)) ? 50 : index_value(argument(a, 2));
  if (!start || !stop || !count || *count < 0 || *count > kMaxItems) return std::nullopt;
  HostValue dtype = is_none(argument(a, 3)) ? HostValue{HostValue::DType{ir::kF64}} : argument(a, 3);
  std::optional<ElementType> type = type_argument(dtype);
  if (!type) return std::nullopt;
  double step = *count > 1 ? (*stop - *start) / static_cast<double>(*count - 1) : 0;
  bool floors = type->is_scalar() && type->scalar.is_int() && type->scalar != ir::kBool;
  Arguments numbers;
  for (int64_t i = 0; i < *count; ++i) {
    double number = static_cast<double>(i) * step;
    number = i > 0 && i + 1 == *count ? *stop : number + *start;
    numbers.push_back({floors ? std::floor(number) : number});
  }
  return make_array({*count}, numbers, dtype);
}

}  // namespace

std::vector<HostValue> array_items(const HostArray& array) {
  const ElementType& type = array.element;
  std::vector<HostValue> out;
  unsigned size = type.scalar.element_size();
  auto part = [&](size_t at) {
    ir::Bits bits = 0;
    for (unsigned b = 0; b < size; ++b)
      bits |= ir::Bits{static_cast<uint8_t>(array.bytes[at + b])} << (8 * b);
    return ir::immediate_of(bits, type.scalar);
  };
  if (!type.is_scalar() && !type.is_complex()) return out;
  for (size_t at = 0; at + size <= array.bytes.size(); at += type.size()) {
    if (type.is_scalar())
      out.push_back(make_typed(type.scalar, part(at)));
    else
      out.push_back(
          {HostValue::Complex{std::get<double>(part(at)), std::get<double>(part(at + size)), type.scalar}});
  }
  return out;
}

std::optional<HostValue> array_attribute(const HostArray& array, const std::string& name) {
  if (name == "dtype") return HostValue{HostValue::DType{array.element, false}};
  if (name == "ndim") return make_int(static_cast<Wide>(array.shape.size()));
  HostValue::Tuple shape;
  Wide size = 1;
  for (int64_t extent : array.shape) {
    shape.items.push_back(make_int(extent));
    size *= extent;
  }
  if (name == "shape") return HostValue{std::move(shape)};
  return name == "size" ? std::optional(make_int(size)) : std::nullopt;
}

std::optional<HostValue> cast_array(const HostArray& array, const HostValue& dtype) {
  return make_array(array.shape, array_items(array), dtype);
}

std::optional<std::vector<HostValue>> range_items(const std::vector<HostValue>& bounds) {
  std::vector<int64_t> numbers;
  for (const HostValue& bound : bounds) {
    std::optional<int64_t> number = index_value(bound);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers.size() > 3) return std::nullopt;
  Wide start = numbers.size() > 1 ? numbers[0] : 0, stop = numbers[numbers.size() > 1 ? 1 : 0];
  Wide step = numbers.size() > 2 ? numbers[2] : 1;
  if (step == 0) return std::nullopt;
  Wide count = step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step;
  if (count > kMaxItems) return std::nullopt;
  std::vector<HostValue> out;
  for (Wide i = 0; i < count; ++i) out.push_back(make_int(start + i * step));
  return out;
}

std::optional<HostValue> array_constant(const std::string& name, const std::vector<HostValue>& a) {
  if (a.empty()) return std::nullopt;
  if (name == "numpy.array" || name == "numpy.asarray") return array_of(a[0], argument(a, 1));
  if (name == "numpy.zeros" || name == "numpy.empty") return filled(a[0], {0.0}, argument(a, 1));
  if (name == "numpy.ones") return filled(a[0], {1.0}, argument(a, 1));
  if (name == "numpy.full" && a.size() > 1) return filled(a[0], a[1], argument(a, 2));
  if (name == "numpy.arange") return range_array(a);
  if (name == "numpy.linspace" && a.size() > 1) return spaced_array(a);
  return std::nullopt;
}

}  // namespace lanewise::frontend
