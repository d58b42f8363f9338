#include "codegen/common/target_limits.h"

namespace lanewise::codegen {
namespace {

std::string architecture(int sm) { return "sm_" + std::to_string(sm); }

}  // namespace

void check_grid_barrier(const ir::Function& function, const PtxTarget& target) {
  if (!function.is_kernel)
    throw TargetError("`" + function.name +
                      "` waits for the whole grid, for which it needs a kernel around it");
  if (target.sm < 60)
    throw TargetError(
        "`" + function.name + "` waits for the whole grid, which " + architecture(target.sm) +
        " cannot: sm_60 and newer can; end the kernel there and launch a second one for the rest");
}

void check_clusters(const ir::Module& module, const PtxTarget& target) {
  const auto& [x, y, z] = target.cluster;
  if (x == 0 && target.max_cluster_blocks == 0) return;
  std::string what = x == 0 ? "clusters of up to " + std::to_string(target.max_cluster_blocks) + " blocks"
                            : "clusters of (" + std::to_string(x) + ", " + std::to_string(y) + ", " +
                                  std::to_string(z) + ") blocks";
  if (target.sm < kClusterArchitecture)
    throw TargetError("`" + module.entry().name + "` asks for " + what + ", which " +
                      architecture(target.sm) + " does not have: " + architecture(kClusterArchitecture) +
                      " and newer do");
  if (x * y * z > kMaxClusterBlocks)
    throw TargetError("`" + module.entry().name + "` asks for " + what + ": " +
                      std::to_string(kMaxClusterBlocks) + " blocks is the limit");
}

void check_inline_ptx(const ir::Function& function, const ir::PtxText& ptx, const PtxTarget& target) {
  constexpr size_t kShown = 60;
  if (ptx.sm <= target.sm) return;
  std::string shown = ptx.text.substr(0, kShown) + (ptx.text.size() > kShown ? "..." : "");
  throw TargetError("`" + function.name + "` has instructions that need " + architecture(ptx.sm) +
                    " or newer, and the code is made for " + architecture(target.sm) + ": `" + shown + "`");
}

}  // namespace lanewise::codegen
