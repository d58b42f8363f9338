// Random kernels with barriers for differential tests. In: a seed. Out: a verified module whose entry is
//   kernel @main(%out: ptr<i64, global>, %opaque: ptr<i64, global>)
// Each thread writes only its own kWordsPerThread words of `out`; `opaque` holds kOpaqueWords small numbers
// and then a zero for each thread of a block, so that a compiler cannot see what agrees. There are no races,
// every loop ends, and all threads that still run meet at each barrier, unless `divergent`: then some kernels
// have one where they may not.
#pragma once
#include <cstdint>

#include "ir/function.h"

namespace lanewise::fuzz {

inline constexpr int64_t kWordsPerThread = 8, kOpaqueWords = 16, kMaxThreads = 64;

ir::Module random_kernel(uint64_t seed, bool divergent);

}  // namespace lanewise::fuzz
