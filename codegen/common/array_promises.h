// What the compilers may take for granted of the entry's array parameters.
#pragma once
#include <vector>

#include "ir/ir.h"
#include "ir/launch_variant.h"

namespace lanewise::codegen {

struct ArrayPromise {
  bool no_alias = false;  // no other pointer and no other thread writes what this one reads
  bool readonly = false;  // besides, nothing writes it
};

// By parameter of the entry.
std::vector<ArrayPromise> array_promises(const ir::Module& module, const ir::LaunchFacts& facts);

}  // namespace lanewise::codegen
