// A kernel as it is in blocks of one shape.
#pragma once
#include "codegen/codegen.h"

namespace lanewise::codegen::host {

struct Specialised {
  ir::Module module;
  ir::LaunchFacts facts;  // of those that were given: what it holds for only
};

// The module with the block's extents as constants in its kernel, small loops unrolled, and what follows from
// both; vectors of integers are of 32 bits where that is the same.
Specialised specialise(const ir::Module& module, const BlockShape& block, const ir::LaunchFacts& facts);

}  // namespace lanewise::codegen::host
