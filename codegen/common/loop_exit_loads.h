// Which loads decide whether a loop goes on, from an address that the loop does not change: `while flag[0] ==
// 0`. Another thread may write there, so such a load must be made in every turn; LLVM would hoist a plain
// one.
#pragma once
#include <vector>

#include "ir/function.h"

namespace lanewise::codegen {

// By OpId; true for loads that must not be hoisted. Loads of memory that is the thread's own or constant are
// not.
std::vector<bool> loop_exit_loads(const ir::Function& function);

}  // namespace lanewise::codegen
