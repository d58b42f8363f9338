// Finds loops that may never end because a thread waits in them for another thread of its block.
#pragma once
#include "ir/diagnostics.h"
#include "ir/function.h"

namespace lanewise::ir {

// Of a module after the pipeline.
void find_waiting_loops(const Module& module, Diagnostics& diagnostics);

}  // namespace lanewise::ir
