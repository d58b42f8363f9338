// What an architecture must be for what a kernel asks of it; TargetError names both. The same for PTX and
// CUDA C++.
#pragma once
#include "codegen/codegen.h"

namespace lanewise::codegen {

constexpr int kClusterArchitecture = 90;  // the first that has clusters of blocks
constexpr int kMaxClusterBlocks = 16;     // of which devices guarantee 8

// The function has a grid barrier.
void check_grid_barrier(const ir::Function& function, const PtxTarget& target);
void check_clusters(const ir::Module& module, const PtxTarget& target);
// The function has this inline PTX.
void check_inline_ptx(const ir::Function& function, const ir::PtxText& ptx, const PtxTarget& target);

}  // namespace lanewise::codegen
