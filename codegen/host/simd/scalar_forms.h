// What integers of 64 bits cost when gangs run them: as much as those of 32 where they stay scalars, twice as
// much or more where they are vectors.
#pragma once
#include <vector>

#include "codegen/host/simd/shapes.h"

namespace lanewise::codegen::host {

// By value: the same for all lanes, or something of that kind and a constant for each lane; and all that it
// is made of is so too.
std::vector<bool> scalar_forms(const ir::Function& kernel, const BlockShape& block);

// About how many instructions the vectors of integers take that depend on their width, and what turns one
// width into the other; for comparing forms of one kernel.
double vector_integer_cost(const ir::Function& kernel, const BlockShape& block);

}  // namespace lanewise::codegen::host
