// Arguments against an explicit signature: which conversions they need, or what does not fit.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "argument_reader.h"
#include "frontend/value_type.h"

namespace lanewise::python {

// What a leaf needs to become the signature's type; nothing if from == to.
struct Conversion {
  ir::Type from, to;
  size_t parameter = 0;
  bool inserted = false;  // a leaf that the argument does not have: the imaginary part of a real number, 0
  int lanes = 0;          // an array whose last dimension becomes the components of vectors
  bool needed() const { return from != to || inserted || lanes > 0; }
};

struct SignatureMatch {
  std::vector<Conversion> conversions;  // one per leaf; empty if no leaf needs one
  // Whether all arguments of these types match. If not, the shapes of these ones made it match.
  bool by_types_alone = true;
};
struct SignatureMismatch {
  size_t parameter = 0;
  std::string expected, given;
};

// Arrays must have the element type, the rank and (unless the signature takes any) the layout; a scalar may
// convert from bool to int to float, and between widths. Where a vector is wanted a tuple of as many numbers
// does, where an array of vectors, one of numbers with a last dimension of as many next to each other.
std::optional<SignatureMatch> match_signature(const std::vector<frontend::ValueType>& expected,
                                              const std::vector<frontend::ValueType>& given,
                                              const std::vector<runtime::Argument>& leaves,
                                              SignatureMismatch& mismatch);

// The bits of a scalar in another type. Throws BadArgument if an integer does not fit.
uint64_t convert_scalar(uint64_t bits, const Conversion& conversion);
// Makes an array of numbers one of vectors.
void fold_last_dimension(runtime::Argument& array, int lanes);

}  // namespace lanewise::python
