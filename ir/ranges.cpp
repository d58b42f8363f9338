// Range arithmetic: one op at a time. Everything is computed in 128 bits; what does not fit the result's type
// may wrap and has the full range.
#include "ir/ranges.h"

#include <algorithm>
#include <initializer_list>

#include "ir/ir.h"

namespace lanewise::ir {
namespace {

constexpr Wide kMaxShape = kMaxExtent;

Range fit(const Range& range, Type type) {
  Range full = full_range(type);
  return range.within(full) ? range : full;
}

Range corners(std::initializer_list<Wide> values) { return {std::min(values), std::max(values)}; }

// Empty if a product does not fit 128 bits.
Range product(const Range& a, const Range& b) {
  Wide corner[4];
  if (__builtin_mul_overflow(a.lo, b.lo, &corner[0]) || __builtin_mul_overflow(a.lo, b.hi, &corner[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &corner[2]) || __builtin_mul_overflow(a.hi, b.hi, &corner[3]))
    return {};
  return corners({corner[0], corner[1], corner[2], corner[3]});
}

Wide floor_div(Wide a, Wide b) {
  Wide quotient = a / b;
  return quotient - ((a % b != 0) && ((a < 0) != (b < 0)));
}

Range quotient(const Range& a, const Range& b, Type type) {
  if (b.lo >= 1)
    return corners(
        {floor_div(a.lo, b.lo), floor_div(a.lo, b.hi), floor_div(a.hi, b.lo), floor_div(a.hi, b.hi)});
  if (a.lo >= 0 && b.lo >= 0) return {0, a.hi};  // x // 0 is 0
  return full_range(type);
}

Range remainder(const Range& a, const Range& b, Type type) {
  if (b.lo >= 1 && a.lo >= 0 && a.hi < b.lo) return a;
  if (b.lo >= 0) return {0, std::max<Wide>(0, a.lo >= 0 ? std::min(a.hi, b.hi - 1) : b.hi - 1)};
  if (b.hi <= 0) return {std::min<Wide>(0, b.lo + 1), 0};
  return full_range(type);
}

// The least 2**n - 1 that is not below x.
Wide all_ones(Wide x) {
  Wide ones = 0;
  while (ones < x) ones = ones * 2 + 1;
  return ones;
}

Range bitwise(OpKind kind, const Range& a, const Range& b, Type type) {
  if (type.is_bool()) {
    if (kind == OpKind::And) return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    if (kind == OpKind::Or) return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    return a.single() && b.single() ? Range{a.lo ^ b.lo, a.lo ^ b.lo} : Range{0, 1};
  }
  bool a_positive = a.lo >= 0, b_positive = b.lo >= 0;
  if (kind == OpKind::And) {
    if (a_positive && b_positive) return {0, std::min(a.hi, b.hi)};
    if (a_positive || b_positive) return {0, a_positive ? a.hi : b.hi};
    return full_range(type);
  }
  if (!a_positive || !b_positive) return full_range(type);
  return {kind == OpKind::Or ? std::max(a.lo, b.lo) : 0, all_ones(std::max(a.hi, b.hi))};
}

Range shift(OpKind kind, const Range& a, const Range& count, Type type) {
  bool in_width = count.lo >= 0 && count.hi < type.bits;
  if (kind == OpKind::Shl) {
    Range scaled = in_width ? product(a, {Wide{1} << count.lo, Wide{1} << count.hi}) : Range{};
    return scaled.empty() ? full_range(type) : scaled;
  }
  // towards 0, or -1 of a negative value, whatever the count
  if (!in_width) return {std::min<Wide>(a.lo, 0), std::max<Wide>(a.hi, 0)};
  return corners({a.lo >> count.lo, a.lo >> count.hi, a.hi >> count.lo, a.hi >> count.hi});
}

Range magnitude(const Range& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return {-a.hi, -a.lo};
  return {0, std::max(-a.lo, a.hi)};
}

Range converted(const Range& a, Type from, Type to) {
  if (!Ranges::tracks(from)) return full_range(to);
  if (!to.is_bool()) return fit(a, to);
  if (a.lo > 0 || a.hi < 0) return {1, 1};
  return a.single() ? Range{0, 0} : Range{0, 1};
}

}  // namespace

Range full_range(Type type) {
  if (type.is_bool()) return {0, 1};
  if (type.is_unsigned()) return {0, (Wide{1} << type.bits) - 1};
  return {-(Wide{1} << (type.bits - 1)), (Wide{1} << (type.bits - 1)) - 1};
}

Range hull(const Range& a, const Range& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Range intersection(const Range& a, const Range& b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

std::optional<bool> decide(OpKind compare, const Range& a, const Range& b) {
  switch (compare) {
    case OpKind::Lt:
      if (a.hi < b.lo) return true;
      if (a.lo >= b.hi) return false;
      return std::nullopt;
    case OpKind::Le:
      if (a.hi <= b.lo) return true;
      if (a.lo > b.hi) return false;
      return std::nullopt;
    case OpKind::Gt: return decide(OpKind::Lt, b, a);
    case OpKind::Ge: return decide(OpKind::Le, b, a);
    case OpKind::Eq:
      if (a.hi < b.lo || b.hi < a.lo) return false;
      if (a.single() && a == b) return true;
      return std::nullopt;
    default: {
      auto equal = decide(OpKind::Eq, a, b);
      if (equal) return !*equal;
      return std::nullopt;
    }
  }
}

Range result_range(OpKind kind, Type operand, Type result, const Range* v) {
  if (kind == OpKind::Cast) return converted(v[0], operand, result);
  if (kind == OpKind::Select) return v[0].single() ? v[v[0].lo ? 1 : 2] : hull(v[1], v[2]);
  if (!Ranges::tracks(operand) || kind == OpKind::Bitcast) return full_range(result);
  switch (kind) {
    case OpKind::Add: return fit({v[0].lo + v[1].lo, v[0].hi + v[1].hi}, result);
    case OpKind::Sub: return fit({v[0].lo - v[1].hi, v[0].hi - v[1].lo}, result);
    case OpKind::Mul: {
      Range range = product(v[0], v[1]);
      return range.empty() ? full_range(result) : fit(range, result);
    }
    case OpKind::FloorDiv: return fit(quotient(v[0], v[1], result), result);
    case OpKind::FloorMod: return remainder(v[0], v[1], result);
    case OpKind::Neg: return fit({-v[0].hi, -v[0].lo}, result);
    case OpKind::Abs: return fit(magnitude(v[0]), result);
    case OpKind::Min: return {std::min(v[0].lo, v[1].lo), std::min(v[0].hi, v[1].hi)};
    case OpKind::Max: return {std::max(v[0].lo, v[1].lo), std::max(v[0].hi, v[1].hi)};
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor: return bitwise(kind, v[0], v[1], result);
    case OpKind::Not: {
      Range full = full_range(result);  // ~x is max - x unsigned, -1 - x signed
      return {full.lo + full.hi - v[0].hi, full.lo + full.hi - v[0].lo};
    }
    case OpKind::Shl: return fit(shift(kind, v[0], v[1], result), result);
    case OpKind::Shr: return shift(kind, v[0], v[1], result);
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge: {
      auto decided = decide(kind, v[0], v[1]);
      return decided ? Range{*decided, *decided} : Range{0, 1};
    }
    default: return full_range(result);
  }
}

std::optional<Range> special_range(OpKind kind) {
  if (auto bounds = launch_bounds(kind)) return Range{bounds->least, bounds->most};
  if (kind == OpKind::DynamicSharedBytes) return Range{0, kMaxShape};
  return std::nullopt;
}

bool is_shape_parameter(std::string_view name) {
  size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  return digits < name.size() && name.substr(0, digits).ends_with(".shape");
}

}  // namespace lanewise::ir
