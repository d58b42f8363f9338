// Dates and durations: a 64-bit count of a unit, as NumPy's datetime64 (since 1970) and timedelta64.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise::frontend {

struct TimeType {
  // In NumPy's order. Generic: no unit yet, takes any other.
  enum class Unit : uint8_t {
    Year,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
    Milli,
    Micro,
    Nano,
    Pico,
    Femto,
    Atto,
    Generic
  };
  bool is_date = false;  // datetime64, else timedelta64
  Unit unit = Unit::Generic;
  int32_t count = 1;  // of units a step has: "datetime64[25us]"

  bool operator==(const TimeType&) const = default;
  bool is_calendar() const { return unit == Unit::Year || unit == Unit::Month; }
};

inline constexpr int64_t kNotATime = INT64_MIN;  // NumPy's NaT

// "datetime64[ms]", "timedelta64[25us]", "timedelta64" without a unit.
std::string to_string(const TimeType& type);
// The same as text of NumPy and Numba: "datetime64[ms]", "timedelta64", "<M8[ns]", "m8[D]".
std::optional<TimeType> parse_time_type(std::string_view text);
// "s", "25us", "generic".
std::optional<TimeType> parse_time_unit(std::string_view text, bool is_date);

// The finest unit that both are whole multiples of; nullopt where calendar units meet others.
std::optional<TimeType> common_time_type(const TimeType& a, const TimeType& b);
// How many steps of `to` are one of `from`: an integer, or one over an integer; nullopt where the ratio is
// neither, not constant or beyond 64 bits.
struct TimeRatio {
  int64_t multiply = 1, divide = 1;
};
std::optional<TimeRatio> time_ratio(const TimeType& from, const TimeType& to);

}  // namespace lanewise::frontend
