// Numbers known at compile time, held as HostValues: what they are worth, whether they fit a type, and
// their immediates. Nothing here reports; callers do.
#pragma once
#include <optional>
#include <string>

#include "frontend/host_value.h"
#include "frontend/value_type.h"

namespace lanewise::frontend {

// How the text of an Unsupported ends whose value host code may change after it was made.
inline constexpr const char* kHostChange = "changed by host code";

// Wide enough for every int64 and uint64.
using Wide = __int128;

// The integer (or bool) that a constant is; nullopt for floats and everything else.
std::optional<Wide> integer_value(const HostValue& value);
// The number that a constant is, as a double.
std::optional<double> float_value(const HostValue& value);
bool is_number(const HostValue& value);   // a real one
bool is_complex(const HostValue& value);  // host_value_complex.cpp
// An integer constant as an int64, nullopt if it is none or does not fit.
std::optional<int64_t> index_value(const HostValue& value);
// bool(value), where that is known: numbers, strings, tuples, None.
std::optional<bool> truth(const HostValue& value);

HostValue make_int(Wide value);
HostValue make_typed(ir::Type type, ir::Immediate value);

// The constant of a type with this immediate: a Python number or a typed one.
HostValue constant_of(const ValueType& type, const ir::Immediate& immediate);

// Whether an integer type can hold the value.
bool fits(Wide value, ir::Type type);
// The constant converted to a scalar type as language.md 4.5 says: integers wrap, floats truncate and
// saturate, floats are rounded to the type's width.
ir::Immediate convert_constant(const HostValue& number, ir::Type type);

// The type of a number: Python numbers as they are, Typed ones as they say.
ValueType type_of_number(const HostValue& number, ir::Type python_float);

// The same object or the same number of the same type.
bool same_constant(const HostValue& a, const HostValue& b);
bool same_constant(const std::optional<HostValue>& a, const std::optional<HostValue>& b);

// As it would be written: "3", "2.5", "True", "\"fast\"", "float32(3)".
std::string spell(const HostValue& value);
// What kind of thing an object is: "the function `f`", "the type float32", "`math.sin`", "None".
std::string describe_object(const HostValue& value);

}  // namespace lanewise::frontend
