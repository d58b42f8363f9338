// Arithmetic on constants, split by kind of operand; evaluate_binary() and evaluate_unary() choose.
#pragma once
#include <optional>

#include "frontend/host_value.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {

// host_value_python.cpp: Python's bool, int and float, exactly as Python computes them. nullopt where Python
// raises, or an int leaves 64 bits.
std::optional<HostValue> python_binary(Operator op, const HostValue& left, const HostValue& right);
std::optional<HostValue> python_unary(Operator op, const HostValue& operand);
// Integers whose steps between leave 64 bits, as in `2**64 - 1`; nullopt past about 127 bits, and where the
// result is no integer.
std::optional<Wide> wide_binary(Operator op, Wide a, Wide b);
// -1, 0, 1, or 2 where a NaN makes them unordered; ints and floats are compared by their exact values.
int compare_python(const HostValue& left, const HostValue& right);

// host_value_typed.cpp: at least one operand is a typed number; the rules of docs/language.md, "Numbers".
std::optional<HostValue> typed_binary(Operator op, const HostValue& left, const HostValue& right);
std::optional<HostValue> typed_unary(Operator op, const HostValue& operand);
int compare_typed(const HostValue& left, const HostValue& right);

// Whether `order`, as compare_*() gives it, satisfies the comparison.
bool holds(Operator comparison, int order);

// A number as a cast to the type gives it (`np.float32(3)`, `int(2.5)`); nullopt for what cannot be
// converted: an integer out of range, a NaN or infinity to an int.
// One operand at least is complex.
std::optional<HostValue> complex_binary(Operator op, const HostValue& left, const HostValue& right);
std::optional<HostValue> complex_unary(Operator op, const HostValue& operand);
std::optional<bool> complex_equal(const HostValue& left, const HostValue& right);
std::optional<HostValue> complex_cast(const HostValue::DType& type, const HostValue& value);

std::optional<HostValue> evaluate_cast(const HostValue::DType& type, const HostValue& value);

}  // namespace lanewise::frontend
