// Which values are written where they are used, as parts of a larger expression, and which get a name.
#pragma once
#include <vector>

#include "codegen/cuda_cpp/places.h"

namespace lanewise::codegen::cuda_cpp {

struct Folding {
  std::vector<bool> folded;       // by op: has no statement; its value is written where it is used
  std::vector<bool> conditional;  // by op, of an If: an expression `c ? a : b`
};

// A value is folded into its only use if it has no name in the source, nothing in between could change it and
// no loop would compute it anew; constants, thread indices and conversions that C++ makes by itself always.
Folding fold_expressions(const ir::Function& function, const Places& places);

// Always folded: constants, thread indices, arrays by name.
bool is_leaf(ir::OpKind kind);

}  // namespace lanewise::codegen::cuda_cpp
