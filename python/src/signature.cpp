// Matching and converting arguments of kernels with explicit signatures.
#include "signature.h"

#include <cstring>

#include "device_array.h"
#include "ir/scalar_ops.h"

namespace lanewise::python {

using frontend::Layout;
using frontend::ValueType;
using runtime::Argument;

namespace {

class Matcher {
 public:
  Matcher(const std::vector<Argument>& leaves, SignatureMatch& match) : leaves_(leaves), match_(match) {}

  bool matches(const ValueType& expected, const ValueType& given, size_t parameter) {
    if (expected.is_complex()) return complex_matches(expected, given, parameter);
    if (expected.is_vector()) return vector_matches(expected, given, parameter);
    if (expected.kind != given.kind) return false;
    switch (expected.kind) {
      case ValueType::Kind::Complex:
      case ValueType::Kind::Vector: return false;
      case ValueType::Kind::Scalar: return scalar_matches(expected, given, parameter);
      case ValueType::Kind::Time:
        match_.conversions.push_back({{}, {}, parameter});
        ++leaf_;
        return expected == given;
      case ValueType::Kind::Array: return array_matches(expected, given, parameter);
      case ValueType::Kind::Tuple:
        if (expected.items.size() != given.items.size()) return false;
        for (size_t i = 0; i < expected.items.size(); ++i)
          if (!matches(expected.items[i], given.items[i], parameter)) return false;
        return true;
      case ValueType::Kind::Error:
      case ValueType::Kind::None: return false;
    }
    return false;
  }

 private:
  bool complex_matches(const ValueType& expected, const ValueType& given, size_t parameter) {
    if (!given.is_number()) return false;
    match_.conversions.push_back({given.scalar, expected.scalar, parameter});
    ++leaf_;
    match_.conversions.push_back({given.scalar, expected.scalar, parameter, given.is_scalar()});
    if (given.is_complex()) ++leaf_;
    return true;
  }

  bool vector_matches(const ValueType& expected, const ValueType& given, size_t parameter) {
    if (!(given.is_vector() || given.is_tuple()) || given.item_count() != expected.lanes) return false;
    for (size_t i = 0; i < expected.lanes; ++i)
      if (!given.item(i).is_scalar() || !scalar_matches(expected.item(i), given.item(i), parameter))
        return false;
    return true;
  }

  // The last dimension has the components, next to each other, of elements that lie as the signature says.
  bool array_of_vectors(const ValueType& expected, const ValueType& given, const Argument& leaf,
                        Conversion& conversion) {
    const frontend::ElementType& element = expected.element;
    auto last = static_cast<size_t>(expected.ndim);
    bool fits = given.element == frontend::ElementType(element.scalar) && given.ndim == last + 1 &&
                (given.layout == Layout::C || given.layout == Layout::Strided) && !given.unaligned &&
                (expected.layout == Layout::Strided || expected.layout == given.layout);
    if (!fits) return false;
    match_.by_types_alone = false;
    if (leaf.shape[last] != element.lanes || (element.lanes > 1 && leaf.strides[last] != 1)) return false;
    for (size_t d = 0; d < last; ++d)
      if (leaf.shape[d] > 1 && leaf.strides[d] % element.lanes != 0) return false;
    conversion.lanes = element.lanes;
    return true;
  }

  bool scalar_matches(const ValueType& expected, const ValueType& given, size_t parameter) {
    auto rank = [](ir::Type t) { return t.is_bool() ? 0 : t.is_int() ? 1 : 2; };
    if (rank(given.scalar) > rank(expected.scalar)) return false;
    match_.conversions.push_back({given.scalar, expected.scalar, parameter});
    ++leaf_;
    return true;
  }

  bool array_matches(const ValueType& expected, const ValueType& given, size_t parameter) {
    const Argument& leaf = leaves_[leaf_++];
    match_.conversions.push_back({{}, {}, parameter});
    if (expected.element.is_vector() && given.element.is_scalar())
      return array_of_vectors(expected, given, leaf, match_.conversions.back());
    if (expected.element != given.element || expected.ndim != given.ndim) return false;
    if (given.unaligned && !expected.unaligned) return false;
    if ((expected.layout == Layout::Strided && given.layout != Layout::Bytes) ||
        expected.layout == Layout::Bytes || expected.layout == given.layout)
      return true;
    // An array may be contiguous both ways: with one dimension, one row or one column, or no elements.
    if (expected.layout != Layout::F || given.layout != Layout::C) return false;
    match_.by_types_alone = false;
    int64_t running = 1;
    for (size_t i = 0; i < static_cast<size_t>(leaf.ndim); ++i) {
      if (leaf.shape[i] == 0) return true;
      if (leaf.shape[i] > 1 && leaf.strides[i] != running) return false;
      running *= leaf.shape[i];
    }
    return true;
  }

  const std::vector<Argument>& leaves_;
  SignatureMatch& match_;
  size_t leaf_ = 0;
};

double to_double(uint64_t bits, ir::Type type) {
  if (type.is_bool() || type.is_unsigned()) return static_cast<double>(bits);
  if (type.is_signed()) {
    unsigned unused = 64u - type.bits;
    return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
  }
  return ir::float_value(bits, type);
}

}  // namespace

std::optional<SignatureMatch> match_signature(const std::vector<ValueType>& expected,
                                              const std::vector<ValueType>& given,
                                              const std::vector<Argument>& leaves,
                                              SignatureMismatch& mismatch) {
  SignatureMatch match;
  Matcher matcher(leaves, match);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (matcher.matches(expected[i], given[i], i)) continue;
    mismatch = {i, frontend::to_string(expected[i]), frontend::to_string(given[i])};
    return std::nullopt;
  }
  bool needed = false;
  for (const Conversion& conversion : match.conversions) needed |= conversion.needed();
  if (!needed) match.conversions.clear();
  return match;
}

uint64_t convert_scalar(uint64_t bits, const Conversion& conversion) {
  ir::Type from = conversion.from, to = conversion.to;
  if (to.is_float()) return ir::float_bits(to_double(bits, from), to);
  if (from.is_bool()) return bits;
  unsigned from_unused = 64u - from.bits, to_unused = 64u - to.bits;
  // As the 64-bit integer the source says, and whether that has a sign.
  auto wide = from.is_signed() ? static_cast<int64_t>(bits << from_unused) >> from_unused
                               : static_cast<int64_t>(bits);
  bool negative = from.is_signed() && wide < 0;
  bool fits = to.is_signed()
                  ? (negative || wide >= 0) &&
                        (static_cast<int64_t>(static_cast<uint64_t>(wide) << to_unused) >> to_unused) == wide
                  : !negative && (static_cast<uint64_t>(wide) << to_unused >> to_unused) ==
                                     static_cast<uint64_t>(wide);
  if (fits) return static_cast<uint64_t>(wide);
  std::string value = negative ? std::to_string(wide) : std::to_string(static_cast<uint64_t>(wide));
  throw BadArgument{"the value " + value + " does not fit " + numpy_name(to), true};
}

void fold_last_dimension(Argument& array, int lanes) {
  --array.ndim;
  for (size_t d = 0; d < static_cast<size_t>(array.ndim); ++d) array.strides[d] /= lanes;
}

}  // namespace lanewise::python
