// What every scalar op computes, once for the interpreter and for constant folding.
// In: an op kind, types and operand bits. Out: result bits. No memory, no control flow, no state.
//
// A scalar is held as 64 bits: integers and bools sign- or zero-extended from their type, floats of every
// width as their own IEEE bits in the low bits (so that a NaN keeps its payload).
#pragma once
#include <cstdint>

#include "ir/function.h"
#include "ir/op.h"

namespace lanewise::ir {

using Bits = uint64_t;

// Whether evaluate_scalar knows the op: a pure function of its scalar operands.
bool is_scalar_op(OpKind kind);

// Value of the op; `operand` is the type of the operand that the signature calls T (Select: of the second,
// Cast and Bitcast: of the first), `result` the type of the result.
Bits evaluate_scalar(OpKind kind, Type operand, Type result, const Bits* operands);

// How often a For over type `type` turns: Python's len(range(lo, hi, step)), 0 for step 0.
uint64_t trip_count(Type type, Bits lo, Bits hi, Bits step);

// The bits of a type in its canonical form: sign- or zero-extended, a bool 0 or 1.
Bits canonical_bits(Type type, uint64_t raw);

Bits bits_of(const Immediate& immediate, Type type);
Immediate immediate_of(Bits bits, Type type);

// A float's value as a double, and the float nearest to a double (rounded once, halves to even).
double float_value(Bits bits, Type type);
Bits float_bits(double value, Type type);

double half_to_double(uint16_t half);
uint16_t double_to_half(double value);
double bfloat_to_double(uint16_t bfloat);
uint16_t double_to_bfloat(double value);

// The representation of ir.h's Scalar, where floats of every width are the double of equal value.
uint64_t scalar_from_bits(Bits bits, Type type);
Bits bits_from_scalar(uint64_t scalar, Type type);

// Elements in memory.
Bits load_bits(const void* address, Type type);
void store_bits(void* address, Type type, Bits bits);

}  // namespace lanewise::ir
