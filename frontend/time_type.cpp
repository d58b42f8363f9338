// Units of time: their texts and the ratios between them.
#include "frontend/time_type.h"

#include <charconv>
#include <numeric>

namespace lanewise::frontend {
namespace {

using Unit = TimeType::Unit;

constexpr std::string_view kUnits[] = {"Y",  "M",  "W",  "D",  "h",  "m",  "s",
                                       "ms", "us", "ns", "ps", "fs", "as", "generic"};

// How many of the next finer unit one is.
constexpr int64_t kFactors[] = {12, 0, 7, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000};

// How many of the finer unit the coarser one is.
std::optional<int64_t> factor(Unit coarse, Unit fine) {
  int64_t product = 1;
  for (auto unit = static_cast<size_t>(coarse); unit < static_cast<size_t>(fine); ++unit)
    if (kFactors[unit] == 0 || __builtin_mul_overflow(product, kFactors[unit], &product)) return std::nullopt;
  return product;
}

}  // namespace

std::string to_string(const TimeType& type) {
  std::string out = type.is_date ? "datetime64" : "timedelta64";
  if (type.unit == Unit::Generic) return out;
  return out + "[" + (type.count == 1 ? "" : std::to_string(type.count)) +
         std::string(kUnits[static_cast<size_t>(type.unit)]) + "]";
}

std::optional<TimeType> parse_time_unit(std::string_view text, bool is_date) {
  TimeType type{.is_date = is_date};
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, type.count);
  if (error != std::errc()) rest = text.data(), type.count = 1;
  if (type.count < 1) return std::nullopt;
  std::string_view name(rest, static_cast<size_t>(end - rest));
  if (name == "\u03bcs") name = "us";
  for (size_t i = 0; i < std::size(kUnits); ++i)
    if (name == kUnits[i]) {
      type.unit = static_cast<Unit>(i);
      return type;
    }
  return std::nullopt;
}

std::optional<TimeType> parse_time_type(std::string_view text) {
  if (text.starts_with('<') || text.starts_with('=')) text.remove_prefix(1);
  for (auto [name, is_date] : {std::pair<std::string_view, bool>{"datetime64", true},
                               {"M8", true},
                               {"timedelta64", false},
                               {"m8", false}}) {
    if (!text.starts_with(name)) continue;
    std::string_view rest = text.substr(name.size());
    if (rest.empty()) return TimeType{.is_date = is_date};
    if (!rest.starts_with('[') || !rest.ends_with(']')) return std::nullopt;
    return parse_time_unit(rest.substr(1, rest.size() - 2), is_date);
  }
  return std::nullopt;
}

std::optional<TimeType> common_time_type(const TimeType& a, const TimeType& b) {
  TimeType out = a;
  out.is_date = a.is_date || b.is_date;
  if (b.unit == Unit::Generic) return out;
  if (a.unit == Unit::Generic) {
    out.unit = b.unit, out.count = b.count;
    return out;
  }
  if (a.is_calendar() != b.is_calendar()) return std::nullopt;
  out.unit = std::max(a.unit, b.unit);
  auto steps = [&](const TimeType& type) -> std::optional<int64_t> {
    std::optional<int64_t> one = factor(type.unit, out.unit);
    int64_t all = 0;
    if (!one || __builtin_mul_overflow(*one, int64_t{type.count}, &all)) return std::nullopt;
    return all;
  };
  std::optional<int64_t> x = steps(a), y = steps(b);
  if (!x || !y) return std::nullopt;
  int64_t count = std::gcd(*x, *y);
  if (count > INT32_MAX) return std::nullopt;
  out.count = static_cast<int32_t>(count);
  return out;
}

std::optional<TimeRatio> time_ratio(const TimeType& from, const TimeType& to) {
  if (from.unit == Unit::Generic || to.unit == Unit::Generic ||
      (from.unit == to.unit && from.count == to.count))
    return TimeRatio{};
  if (from.is_calendar() != to.is_calendar()) return std::nullopt;
  bool finer = to.unit >= from.unit;
  std::optional<int64_t> steps = finer ? factor(from.unit, to.unit) : factor(to.unit, from.unit);
  if (!steps) return std::nullopt;
  TimeRatio out{from.count, to.count};
  int64_t& side = finer ? out.multiply : out.divide;
  if (__builtin_mul_overflow(side, *steps, &side)) return std::nullopt;
  int64_t common = std::gcd(out.multiply, out.divide);
  out.multiply /= common, out.divide /= common;
  if (out.multiply != 1 && out.divide != 1) return std::nullopt;
  return out;
}

}  // namespace lanewise::frontend
