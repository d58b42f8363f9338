// Launch arguments of the C interface -> the runtime's. In: dtype, pointer, shape, strides in bytes. Out:
// checked leaves in the parameters' own types, or a LaunchError that names kernel and parameter.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <map>
#include <shared_mutex>
#include <span>

#include "ir/scalar_ops.h"
#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

using frontend::ElementType;
using frontend::Layout;
using frontend::ValueType;

constexpr size_t kMaxNested = 16;  // tuples in tuples

const ElementType kTypes[] = {ir::kBool,
                              ir::kI8,
                              ir::kI16,
                              ir::kI32,
                              ir::kI64,
                              ir::kU8,
                              ir::kU16,
                              ir::kU32,
                              ir::kU64,
                              ir::kF16,
                              ir::kF32,
                              ir::kF64,
                              ElementType::complex(ir::kF32),
                              ElementType::complex(ir::kF64),
                              ir::kBF16};

// A scalar's value: floats as double, anything else as an integer with its sign.
struct Number {
  bool is_float = false, negative = false;
  double real = 0;
  uint64_t bits = 0;  // two's complement
};

template <class T>
T read(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

Number read_number(const lw_argument& argument) {
  auto integer = [](int64_t v) { return Number{.negative = v < 0, .bits = static_cast<uint64_t>(v)}; };
  auto real = [](double v) { return Number{.is_float = true, .real = v}; };
  const void* data = argument.data;
  switch (argument.dtype) {
    case LW_BOOL: return integer(read<uint8_t>(data) != 0);
    case LW_INT8: return integer(read<int8_t>(data));
    case LW_INT16: return integer(read<int16_t>(data));
    case LW_INT32: return integer(read<int32_t>(data));
    case LW_INT64: return integer(read<int64_t>(data));
    case LW_UINT8: return integer(read<uint8_t>(data));
    case LW_UINT16: return integer(read<uint16_t>(data));
    case LW_UINT32: return integer(read<uint32_t>(data));
    case LW_UINT64: return Number{.bits = read<uint64_t>(data)};
    case LW_FLOAT16: return real(static_cast<double>(read<_Float16>(data)));
    case LW_BFLOAT16: return real(ir::bfloat_to_double(read<uint16_t>(data)));
    case LW_FLOAT32: return real(static_cast<double>(read<float>(data)));
    default: return real(read<double>(data));
  }
}

template <class T>
uint64_t bits_of(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// The number in the bits of `type`; nullopt if it has no place there.
std::optional<uint64_t> convert_number(const Number& n, ir::Type type) {
  if (type.is_float()) {
    double value = n.is_float   ? n.real
                   : n.negative ? static_cast<double>(static_cast<int64_t>(n.bits))
                                : static_cast<double>(n.bits);
    if (type == ir::kF64) return bits_of(value);
    if (type == ir::kF32) return bits_of(static_cast<float>(value));
    if (type == ir::kBF16) return ir::double_to_bfloat(value);
    return bits_of(static_cast<_Float16>(value));
  }
  if (n.is_float) return std::nullopt;
  unsigned value_bits = type.is_bool() ? 1 : type.is_signed() ? type.bits - 1u : type.bits;
  uint64_t limit = value_bits >= 64 ? UINT64_MAX : (uint64_t{1} << value_bits) - 1;
  // Of a negative number ~bits is its distance below -1.
  bool fits = n.negative ? type.is_signed() && ~n.bits <= limit : n.bits <= limit;
  return fits ? std::optional(n.bits) : std::nullopt;
}

// The type with this text; each is read once.
ElementType named_element(const char* text) {
  static std::shared_mutex mutex;
  static std::map<std::string, ElementType, std::less<>> known;
  if (!text) throw InvalidCall("an argument of dtype LW_NAMED has no element");
  {
    std::shared_lock lock(mutex);
    auto found = known.find(std::string_view(text));
    if (found != known.end()) return found->second;
  }
  std::optional<ValueType> type = frontend::parse_type_text(text);
  bool element = type && !type->python && !type->is_tuple() && (!type->is_array() || type->is_place());
  if (!element) throw InvalidCall("\"" + std::string(text) + "\" is not the type of an element");
  std::unique_lock lock(mutex);
  return known.try_emplace(text, type->element_type()).first->second;
}

// "Point(x, y)": a named tuple's class and fields.
frontend::TupleNames named_fields(const char* text, const std::string& what) {
  auto is_name = [](const std::string& name) {
    auto good = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); };
    return !name.empty() && std::ranges::all_of(name, good) &&
           !std::isdigit(static_cast<unsigned char>(name[0]));
  };
  std::string all(text);
  std::erase(all, ' ');
  size_t open = all.find('(');
  bool good = open != all.npos && all.ends_with(')') && is_name(all.substr(0, open));
  std::vector<std::string> fields;
  for (size_t at = open + 1; good && at < all.size();) {
    size_t end = std::min(all.find(',', at), all.size() - 1);
    fields.push_back(all.substr(at, end - at));
    good = is_name(fields.back()) && std::ranges::count(fields, fields.back()) == 1;
    at = end + 1;
  }
  if (!good) throw InvalidCall(what + ": \"" + text + "\" does not name a tuple's class and fields");
  return {all.substr(0, open), std::move(fields)};
}

std::span<const lw_argument> items_of(const lw_argument& tuple, const std::string& what) {
  if (tuple.ndim < 0 || (tuple.ndim > 0 && !tuple.data)) throw InvalidCall(what + ": a tuple without items");
  return {static_cast<const lw_argument*>(tuple.data), static_cast<size_t>(tuple.ndim)};
}

// Tuples opened. `depth` bounds those inside each other, which may be the same one.
void flatten(std::span<const lw_argument> arguments, const std::string& kernel, size_t depth,
             std::vector<lw_argument>& out) {
  if (depth > kMaxNested) throw InvalidCall("kernel `" + kernel + "`: tuples nest too deep");
  for (const lw_argument& a : arguments)
    if (a.dtype == LW_TUPLE)
      flatten(items_of(a, "kernel `" + kernel + "`: an argument"), kernel, depth + 1, out);
    else
      out.push_back(a);
}

ElementType element_of(const lw_argument& a) {
  return a.dtype == LW_NAMED ? named_element(a.element) : from_dtype(a.dtype);
}

// Whether an address of an element may be no multiple of its alignment.
bool is_unaligned(const lw_argument& a) {
  auto divides = reinterpret_cast<uint64_t>(a.data);
  for (int32_t d = 0; d < a.ndim; ++d) {
    if (a.shape[d] == 0) return false;
    if (a.strides && a.shape[d] > 1) divides |= static_cast<uint64_t>(a.strides[d]);
  }
  return (divides & (element_of(a).alignment() - 1)) != 0;
}

// The array's place and extents; strides in elements, of records and texts in bytes.
runtime::Argument array_argument(const lw_argument& a) {
  ElementType element = element_of(a);
  int64_t size = element.size(), unit = element.is_place() ? 1 : size;
  runtime::Argument out;
  out.ndim = a.ndim;
  out.writable = !(a.flags & LW_READ_ONLY);
  out.device = (a.flags & LW_DEVICE) != 0;
  const uint32_t direction = a.flags & (LW_IN | LW_OUT);
  if (direction == LW_IN) out.direction = runtime::Direction::In;
  if (direction == LW_OUT) out.direction = runtime::Direction::Out;
  out.data = a.data;
  int64_t packed = size / unit;
  for (int32_t d = a.ndim - 1; d >= 0; --d) {
    size_t i = static_cast<size_t>(d);
    out.shape[i] = a.shape[d];
    out.strides[i] = a.strides ? a.strides[d] / unit : packed;
    packed *= a.shape[d];
  }
  return out;
}

// Strides of dimensions with one element do not matter; an empty array is contiguous in every order.
bool is_contiguous(const runtime::Argument& array, const ElementType& element, Layout layout) {
  size_t ndim = static_cast<size_t>(array.ndim);
  for (size_t d = 0; d < ndim; ++d)
    if (array.shape[d] == 0) return true;
  int64_t packed = element.is_place() ? element.size() : 1;
  for (size_t i = 0; i < ndim; ++i) {
    size_t d = layout == Layout::C ? ndim - 1 - i : i;
    if (array.shape[d] != 1 && array.strides[d] != packed) return false;
    packed *= array.shape[d];
  }
  return true;
}

Layout layout_of(const runtime::Argument& array, const ElementType& element) {
  if (is_contiguous(array, element, Layout::C)) return Layout::C;
  if (is_contiguous(array, element, Layout::F)) return Layout::F;
  return element.is_place() ? Layout::Bytes : Layout::Strided;
}

std::string describe(const lw_argument& a) {
  if (a.dtype == LW_NONE) return "None";
  ElementType element = element_of(a);
  if (a.ndim < 0) return "a " + to_string(ValueType::typed(element));
  unsigned ndim = static_cast<unsigned>(a.ndim);
  if (ndim == 0) return "an array of 0 dimensions of " + to_string(element);
  return "an array " + to_string(ValueType::array(element, ndim, layout_of(array_argument(a), element)));
}

std::string place(const lw_kernel::Shared& kernel, size_t index) {
  return "kernel `" + kernel.compiled->name + "`: argument `" + kernel.parameters[index].name + "`";
}

[[noreturn]] void mismatch(const lw_kernel::Shared& kernel, size_t index, const lw_argument& argument) {
  throw runtime::LaunchError(place(kernel, index) + " is " + describe(argument) + ", the parameter is " +
                             kernel.parameters[index].type);
}

// What is wrong with an argument whatever it is for; `what()` names it, only if needed.
template <class What>
void check_argument(const lw_argument& a, What what) {
  ElementType element = element_of(a);
  if (a.ndim > runtime::Argument::kMaxDims)
    throw runtime::LaunchError(what() + " has " + std::to_string(a.ndim) + " dimensions, 8 are the limit");
  if (a.ndim < -1) throw InvalidCall(what() + ": ndim is " + std::to_string(a.ndim));
  if (a.ndim < 0) {
    if (element.is_place()) throw InvalidCall(what() + ": one record is an array of 0 dimensions");
    if (!a.data) throw InvalidCall(what() + ": the scalar's data is NULL");
    return;
  }
  if (a.ndim > 0 && !a.shape) throw InvalidCall(what() + ": shape is NULL");
  bool empty = false;
  for (int32_t d = 0; d < a.ndim; ++d) {
    if (a.shape[d] < 0) throw InvalidCall(what() + ": extent " + std::to_string(d) + " is negative");
    empty |= a.shape[d] == 0;
    if (a.strides && !element.is_place() && a.strides[d] % static_cast<int64_t>(element.size()) != 0)
      throw runtime::LaunchError(what() + ": stride " + std::to_string(d) + " of " +
                                 std::to_string(a.strides[d]) +
                                 " bytes is no multiple of the element's size");
  }
  if (!empty && !a.data) throw InvalidCall(what() + ": data is NULL");
}

// A complex number's parts, of a real one and 0.
void convert_complex(const lw_kernel::Shared& kernel, size_t index, const lw_argument& a,
                     std::vector<runtime::Argument>& out) {
  if (a.ndim >= 0) mismatch(kernel, index, a);
  ElementType given = from_dtype(a.dtype);
  lw_argument part = a;
  if (given.is_complex()) part.dtype = to_dtype(given.scalar);
  Number numbers[] = {read_number(part), {.is_float = true}};
  if (given.is_complex()) {
    part.data = static_cast<char*>(a.data) + given.scalar.element_size();
    numbers[1] = read_number(part);
  }
  for (const Number& number : numbers)
    out.emplace_back().bits = *convert_number(number, kernel.parameters[index].value_type.scalar);
}

void convert_vector(const lw_kernel::Shared& kernel, size_t index, const lw_argument& a,
                    std::vector<runtime::Argument>& out) {
  const ValueType& type = kernel.parameters[index].value_type;
  if (a.ndim >= 0 || !(element_of(a) == type.element_type())) mismatch(kernel, index, a);
  lw_argument part = a;
  part.dtype = to_dtype(ElementType(type.scalar));
  for (unsigned i = 0; i < type.lanes; ++i) {
    part.data = static_cast<char*>(a.data) + i * type.scalar.element_size();
    out.emplace_back().bits = *convert_number(read_number(part), type.scalar);
  }
}

runtime::Argument convert_scalar(const lw_kernel::Shared& kernel, size_t index, const lw_argument& a) {
  const ValueType& type = kernel.parameters[index].value_type;
  if (a.ndim >= 0) mismatch(kernel, index, a);
  if (type.is_time() || element_of(a).is_time()) {
    if (!type.is_time() || !(element_of(a) == type.element_type())) mismatch(kernel, index, a);
    runtime::Argument out;
    out.bits = read<uint64_t>(a.data);
    return out;
  }
  if (!type.is_scalar() || !element_of(a).is_scalar()) mismatch(kernel, index, a);
  std::optional<uint64_t> bits = convert_number(read_number(a), type.scalar);
  if (!bits) {
    if (read_number(a).is_float) mismatch(kernel, index, a);
    throw runtime::LaunchError(place(kernel, index) + " has a value that does not fit into " +
                               kernel.parameters[index].type);
  }
  runtime::Argument out;
  out.bits = *bits;
  return out;
}

runtime::Argument convert_array(const lw_kernel::Shared& kernel, size_t index, const lw_argument& a) {
  const ValueType& type = kernel.parameters[index].value_type;
  if (a.ndim != type.ndim || !(element_of(a) == type.element)) mismatch(kernel, index, a);
  if (type.element.is_place() && !type.unaligned && is_unaligned(a))
    throw runtime::LaunchError(place(kernel, index) + " is not aligned to " +
                               std::to_string(type.element.alignment()) + " bytes");
  runtime::Argument out = array_argument(a);
  if (!type.has_strides() && !is_contiguous(out, type.element, type.layout)) mismatch(kernel, index, a);
  return out;
}

}  // namespace

lw_dtype to_dtype(const ValueType& type) {
  if (type.kind == ValueType::Kind::None) return LW_NONE;
  return to_dtype(type.is_array() ? type.element : type.element_type());
}

lw_dtype to_dtype(const ElementType& type) {
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i] == type) return static_cast<lw_dtype>(i) + LW_BOOL;
  return LW_NAMED;
}

ElementType from_dtype(lw_dtype dtype) {
  if (dtype < LW_BOOL || dtype > LW_BFLOAT16) throw InvalidCall("there is no dtype " + std::to_string(dtype));
  return kTypes[dtype - LW_BOOL];
}

ValueType type_of(const lw_argument& argument, const std::string& what, size_t depth) {
  if (argument.dtype == LW_NONE) return ValueType::none();
  if (argument.dtype == LW_TUPLE) {
    if (depth > kMaxNested) throw InvalidCall(what + ": tuples nest too deep");
    std::vector<ValueType> items;
    for (const lw_argument& item : items_of(argument, what))
      items.push_back(type_of(item, what + "[" + std::to_string(items.size()) + "]", depth + 1));
    frontend::TupleNames names;
    if (argument.element) names = named_fields(argument.element, what);
    if (names && names.fields().size() != items.size())
      throw InvalidCall(what + ": " + argument.element + " has " + std::to_string(items.size()) + " items");
    return ValueType::tuple(std::move(items), std::move(names));
  }
  check_argument(argument, [&] { return what; });
  ElementType element = element_of(argument);
  if (argument.ndim >= 0) {
    ValueType type = ValueType::array(element, static_cast<unsigned>(argument.ndim),
                                      layout_of(array_argument(argument), element), ir::Space::Global,
                                      !(argument.flags & LW_READ_ONLY));
    type.unaligned = element.is_place() && is_unaligned(argument);
    return type;
  }
  if (!(argument.flags & LW_PYTHON_NUMBER)) return ValueType::typed(element);
  ir::Type held = element.scalar;
  if (element == ElementType::complex(ir::kF64)) return ValueType::python_complex(held);
  if (element.is_complex()) held = ir::kVoid;
  if (held != ir::kBool && held != ir::kI64 && held != ir::kU64 && held != ir::kF64)
    throw InvalidCall(what + ": a Python number is a bool, int64, uint64, float64 or complex128");
  return ValueType::python_number(held);
}

void convert_arguments(const lw_kernel::Shared& kernel, const lw_argument* arguments, size_t count,
                       std::vector<runtime::Argument>& out) {
  const std::string& name = kernel.compiled->name;
  if (count) require(arguments, "arguments");
  std::span given(arguments, count);
  std::vector<lw_argument> opened;
  if (std::ranges::any_of(given, [](const lw_argument& a) { return a.dtype == LW_TUPLE; })) {
    flatten(given, name, 0, opened);
    arguments = opened.data();
    count = opened.size();
  }
  if (count != kernel.parameters.size())
    throw runtime::LaunchError("kernel `" + name + "` takes " + std::to_string(kernel.parameters.size()) +
                               " arguments, " + std::to_string(count) + " given");
  out.clear();
  for (size_t i = 0; i < count; ++i) {
    const ValueType& type = kernel.parameters[i].value_type;
    bool is_none = type.kind == ValueType::Kind::None;
    if (is_none != (arguments[i].dtype == LW_NONE)) mismatch(kernel, i, arguments[i]);
    if (is_none) continue;
    check_argument(arguments[i], [&] { return place(kernel, i); });
    if (type.is_complex())
      convert_complex(kernel, i, arguments[i], out);
    else if (type.is_vector())
      convert_vector(kernel, i, arguments[i], out);
    else
      out.push_back(type.is_array() ? convert_array(kernel, i, arguments[i])
                                    : convert_scalar(kernel, i, arguments[i]));
  }
}

}  // namespace lanewise::c_api
