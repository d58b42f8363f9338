// What the walk of fold_ranges knows, for passes that need more than its folding. Private to ir/.
#pragma once
#include <vector>

#include "ir/ranges.h"

namespace lanewise::ir {

struct FoundRanges {
  std::vector<Range> defined;  // by value: what holds where it is defined; empty if nothing is known
  std::vector<int8_t> counts;  // by op: see steady_counters
  std::vector<bool> plain;     // by op: see plain_integer_ops
};

bool fold_ranges(Function& function, const LaunchFacts& facts, FoundRanges* found);

}  // namespace lanewise::ir
