// Operands to measure at: every exponent, and the neighbourhood of whatever is special.
#pragma once
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

namespace accuracy {

template <class F>
struct Samples {
  std::vector<F> x, y;
  std::vector<int32_t> n;
  size_t size() const { return x.size(); }
};

// About `count` operands of a function of one or two operands (`integer`: the second is n).
template <class F>
Samples<F> make_samples(int operands, bool integer, size_t count, uint64_t seed);

// `count` bit patterns, every `step`th from number `first` on, as operands of a function of one operand.
template <class F>
Samples<F> bit_patterns(uint64_t first, uint64_t step, size_t count);

}  // namespace accuracy
