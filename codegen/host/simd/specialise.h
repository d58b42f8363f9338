// A kernel as it is in blocks of one shape.
#pragma once
#include "codegen/codegen.h"

namespace lanewise::codegen::host {

// The module with the block's extents as constants in its kernel, small loops unrolled, and what follows from
// both.
ir::Module specialise(const ir::Module& module, const BlockShape& block);

}  // namespace lanewise::codegen::host
