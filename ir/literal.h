// The one form in which an Immediate holds a number of a given type, and the rounding into it. Used by
// whoever makes constants: the builder, the parser, the folder, the verifier.
#pragma once
#include <cstdint>
#include <string>

#include "ir/function.h"

namespace lanewise::ir {

// The low bits of `value`, sign- or zero-extended as `type` (an integer or bool) says. A bool is its low bit.
int64_t wrap_int(Type type, int64_t value);
// `value` rounded to nearest even to a float of `type`; overflow gives infinity.
double round_float(Type type, double value);
// The shortest decimal that rounds to this value of `type` (0.1 rather than 0.10000000149011612), in the
// notation that Python would choose; "nan", "inf", "-inf".
std::string shortest_decimal(double value, Type type);
// The immediate of a scalar type: integers wrapped, floats rounded, an integer given for a float type
// converted. A float given for an integer type is an InternalError.
Immediate literal(Type type, Immediate value);
// Whether `value` is what literal() would make of it.
bool is_literal(Type type, const Immediate& value);

}  // namespace lanewise::ir
