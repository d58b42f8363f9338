// What PTX and CUDA C++ must agree on about a module, for both are launched in the same way.
#pragma once
#include "ir/ir.h"

namespace lanewise::codegen {

constexpr uint64_t kConstantAlignment = 16;  // of constant arrays

// Whether a launch can address the constant arrays as constant memory; else they are in global memory.
bool fits_constant_bank(const ir::Module& module);

// Whether threads can fail, so that a launch has a record for that (PtxHidden).
bool has_reports(const ir::Module& module);

}  // namespace lanewise::codegen
