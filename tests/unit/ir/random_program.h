// Random modules for differential tests: nested control flow of every kind, variables, memory, calls.
// In: a seed. Out: a verified module whose entry is
//   function @main(%memory: ptr<i32, global>, %a: i32, %b: i64, %x: f64) -> i64, f64, i32
// where %memory has kMemoryWords elements. Every program ends: loops are bounded.
#pragma once
#include <cstdint>

#include "ir/function.h"

namespace lanewise::ir {

inline constexpr int64_t kMemoryWords = 16;

Module random_program(uint64_t seed);

}  // namespace lanewise::ir
