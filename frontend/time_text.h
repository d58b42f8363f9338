// Dates as text.
#pragma once
#include "frontend/time_type.h"

namespace lanewise::frontend {

// The count that a date's text is worth, "2024-02-29T12:30". A type without a unit takes the text's; nullopt
// where the text is no date, has parts finer than the unit, or does not fit 64 bits.
std::optional<int64_t> parse_date(std::string_view text, TimeType& type);

}  // namespace lanewise::frontend
