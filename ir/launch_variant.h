// Variants of a kernel for launches of which more is known than the limits say. The runtime checks the facts
// before it launches a variant that was compiled for them; LaunchFacts{} holds for every launch.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace lanewise::ir {

// "Small" is up to this. Sums of two such numbers fit 32 bits, and so does where an element is.
inline constexpr int64_t kSmall = int64_t{1} << 30;

inline constexpr unsigned kVectorBytes = 16;

struct LaunchFacts {
  // Extents, strides and numbers of elements of all arrays (of bytes, where the strides count these), int64
  // scalars and the threads of the grid along each axis are small.
  bool small = false;
  // No array that is written shares memory with another one.
  bool distinct = false;
  // The first element of every array is at a multiple of kVectorBytes: neighbouring elements can be read at
  // once.
  bool aligned = false;
  auto operator<=>(const LaunchFacts&) const = default;
};

// Makes the variant of a module that has been through the pipeline: folds what the facts decide and computes
// in 32 bits what is the same there.
void specialize(Module& module, const LaunchFacts& facts);

// The pass of it: 64-bit integers whose ranges fit 32 bits become 32-bit ones. In a small launch this goes
// for indices made of + - * too, whatever is between: an element that is there has a small index. By ValueId
// in `leave`: what stays as it is, and everything that it is made of too.
bool narrow_integers(Function& function, const LaunchFacts& facts, const std::vector<bool>& leave = {});
// fold_ranges() with the facts.
bool fold_ranges(Function& function, const LaunchFacts& facts);

// By OpId, of a `for` whose step is never zero and always of one sign, and whose counter does not wrap when
// the step is added in the last turn: 1 if it counts up, -1 if down; else 0.
std::vector<int8_t> steady_counters(const Function& function, const LaunchFacts& facts);

// By OpId, of an integer op: whether C's operator does the same. Of + - * neg and abs the exact result fits
// the type; of // and % neither operand is negative and the divisor is not zero; of << and >> the count is
// below the width, and << of a signed type shifts no bit out of a value that is not negative.
std::vector<bool> plain_integer_ops(const Function& function, const LaunchFacts& facts);

}  // namespace lanewise::ir
