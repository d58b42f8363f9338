// Dates written as NumPy reads them: "2024", "2024-02", "2024-02-29", "2024-02-29T12:30:15.250", the T also a
// blank.
#include "frontend/time_text.h"

namespace lanewise::frontend {
namespace {

using Unit = TimeType::Unit;
using Wide = __int128;

struct Fields {
  int64_t year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
  int64_t fraction = 0;  // of a second, in 1e-18
  Unit unit = Unit::Year;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool at_end() const { return at_ == text_.size(); }
  bool accept(char c) {
    bool found = at_ < text_.size() && text_[at_] == c;
    at_ += found;
    return found;
  }
  // A number of this many digits in a range.
  bool number(unsigned digits, int64_t least, int64_t most, int64_t& out) {
    out = 0;
    for (unsigned i = 0; i < digits; ++i, ++at_) {
      if (at_ >= text_.size() || !is_digit(text_[at_])) return false;
      out = out * 10 + (text_[at_] - '0');
    }
    return out >= least && out <= most;
  }
  // The digits after a point, as many as there are up to 18.
  unsigned fraction(int64_t& out) {
    unsigned digits = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]) && digits < 18; ++digits, ++at_)
      out = out * 10 + (text_[at_] - '0');
    for (unsigned i = digits; i < 18; ++i) out *= 10;
    return digits;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::string_view text_;
  size_t at_ = 0;
};

bool is_leap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int64_t days_of_month(int64_t year, int64_t month) {
  constexpr int64_t kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Since 1970-01-01, in the calendar that Gregory's rules give for all years.
int64_t days_of(const Fields& f) {
  int64_t before = f.year - 1;  // whole years from year 1 on; 0 and more here
  int64_t days = before * 365 + before / 4 - before / 100 + before / 400 - 719162;
  if (f.year == 0) days = -719528;
  for (int64_t month = 1; month < f.month; ++month) days += days_of_month(f.year, month);
  return days + f.day - 1;
}

std::optional<Fields> read(std::string_view text) {
  Reader in(text);
  Fields f;
  if (!in.number(4, 0, 9999, f.year)) return std::nullopt;
  if (in.at_end()) return f;
  f.unit = Unit::Month;
  if (!in.accept('-') || !in.number(2, 1, 12, f.month)) return std::nullopt;
  if (in.at_end()) return f;
  f.unit = Unit::Day;
  if (!in.accept('-') || !in.number(2, 1, days_of_month(f.year, f.month), f.day)) return std::nullopt;
  if (in.at_end()) return f;
  f.unit = Unit::Hour;
  if (!(in.accept('T') || in.accept(' ')) || !in.number(2, 0, 23, f.hour)) return std::nullopt;
  if (in.at_end()) return f;
  f.unit = Unit::Minute;
  if (!in.accept(':') || !in.number(2, 0, 59, f.minute)) return std::nullopt;
  if (in.at_end()) return f;
  f.unit = Unit::Second;
  if (!in.accept(':') || !in.number(2, 0, 59, f.second)) return std::nullopt;
  if (in.at_end()) return f;
  unsigned digits = in.accept('.') ? in.fraction(f.fraction) : 0;
  if (digits == 0 || !in.at_end()) return std::nullopt;
  f.unit = static_cast<Unit>(static_cast<unsigned>(Unit::Second) + (digits + 2) / 3);
  return f;
}

}  // namespace

std::optional<int64_t> parse_date(std::string_view text, TimeType& type) {
  std::optional<Fields> fields = read(text);
  if (!fields) return std::nullopt;
  if (type.unit == Unit::Generic) type.unit = fields->unit, type.count = 1;
  if (type.unit < fields->unit || type.unit == Unit::Week || type.count != 1) return std::nullopt;
  if (type.unit == Unit::Year) return fields->year - 1970;
  if (type.unit == Unit::Month) return (fields->year - 1970) * 12 + fields->month - 1;
  Wide count = days_of(*fields);
  if (type.unit >= Unit::Hour) count = count * 24 + fields->hour;
  if (type.unit >= Unit::Minute) count = count * 60 + fields->minute;
  if (type.unit >= Unit::Second) count = count * 60 + fields->second;
  Wide parts = 1;
  for (auto unit = static_cast<unsigned>(Unit::Second); unit < static_cast<unsigned>(type.unit); ++unit)
    parts *= 1000;
  if (type.unit > Unit::Second)
    count = count * parts + fields->fraction / (Wide{1'000'000'000'000'000'000} / parts);
  if (count <= INT64_MIN || count > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(count);
}

}  // namespace lanewise::frontend
