// What a value is for the lanes of a gang: 32 consecutive threads of a block, which are a warp too.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include <array>
#include <cstdint>

namespace lanewise::codegen::host {

inline constexpr unsigned kGang = 32;
using Pattern = std::array<int64_t, kGang>;  // a constant for each lane

// A value in one of three forms: the same in all lanes (`base` alone), linear (base + the sum of the terms,
// modulo its type's size; of a pointer the terms are bytes), or anything (`vector`).
struct Lanes {
  struct Term {
    llvm::Value* scale = nullptr;  // scalar, of the value's type (of a pointer's: i64); null: 1
    Pattern pattern{};
  };
  llvm::Value* base = nullptr;
  llvm::SmallVector<Term, 2> terms;
  llvm::Value* vector = nullptr;
  bool exact = true;                            // base + the terms does not wrap, as signed integers
  int64_t least = INT64_MIN, most = INT64_MAX;  // of the base, where known
  int64_t align = 1;  // a power of two that the base is a multiple of, where it is not negative

  // What was known of another base.
  void forget() {
    least = INT64_MIN, most = INT64_MAX;
    align = 1;
  }
  bool known() const { return base || vector; }
  bool uniform() const { return base && terms.empty(); }
  bool linear() const { return base; }
  // Linear by constants alone.
  bool constant_pattern() const { return base && (terms.empty() || (terms.size() == 1 && !terms[0].scale)); }

  // Differs between the lanes by constants alone.
  bool is_line() const { return constant_pattern() && !uniform(); }

  static Lanes of_uniform(llvm::Value* value) {
    Lanes lanes;
    lanes.base = value;
    return lanes;
  }
  static Lanes of_vector(llvm::Value* value) {
    Lanes lanes;
    lanes.vector = value;
    return lanes;
  }
};

inline Pattern iota() {
  Pattern pattern{};
  for (unsigned i = 0; i < kGang; ++i) pattern[i] = i;
  return pattern;
}

}  // namespace lanewise::codegen::host
