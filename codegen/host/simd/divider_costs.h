// What divisions and roots of vectors cost on each kind of CPU, by the machine's instruction and by sequences
// of estimates and FMAs (vector_roots.cpp): the only place that knows CPUs by name. LLVM's scheduling models
// do not serve: that of recent Intel has all four 512-bit instructions wrong. tests/bench/divider.cpp
// measures a row.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace lanewise::codegen::host {

enum class DividerOp : uint8_t {
  Reciprocal,      // 1 / b
  Quotient,        // a / b
  KnownQuotient,   // a / b where 1 / b is known
  Root,            // sqrt(x)
  ReciprocalRoot,  // 1 / sqrt(x)
};
inline constexpr size_t kDividerOps = 5;

inline constexpr double kNoForm = std::numeric_limits<double>::infinity();

// Core cycles for a vector, one after the other without waiting for results.
struct DividerCost {
  double instruction = 0;  // that the divider is busy
  double exact = kNoForm;  // the sequence with the same bits, its guard included
  double fast = kNoForm;   // the sequence for fast math
};

struct DividerCosts {
  unsigned vector_bits = 0;  // of the vectors that the costs are of
  double other_ops = 2;      // further vector ops a cycle
  // Where divider and sequences work side by side, how much of the shorter is not hidden behind the longer.
  double clash = 0.4;
  double divisor_guard = 1;  // of a KnownQuotient by a divisor that varies, beyond its row
  std::array<DividerCost, kDividerOps> of_float32, of_float64;
  bool integers_by_estimate = false;  // integer quotients in float64 from an estimate rather than a division

  const DividerCost& of(DividerOp op, unsigned bits) const {
    return (bits == 32 ? of_float32 : of_float64)[static_cast<size_t>(op)];
  }
};

// `cpu`: LLVM's name of it. `vector_bits`: of its widest vectors. Of an unknown CPU by what it can do.
const DividerCosts& divider_costs(std::string_view cpu, unsigned vector_bits, bool has_fma);

}  // namespace lanewise::codegen::host
