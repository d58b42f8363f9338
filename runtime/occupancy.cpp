// How large a launch should be, as far as every target can say.
#include <algorithm>

#include "runtime/backend.h"

namespace lanewise::runtime {
namespace {

constexpr int64_t kUsualBlock = 128;

[[noreturn]] void refuse(const KernelInfo& kernel, const char* what) {
  throw LaunchError("kernel `" + kernel.name + "` is not compiled for CUDA: " + what);
}

}  // namespace

int64_t CompiledKernel::suggested_block(int64_t dynamic_shared_bytes) {
  check_dynamic_shared(*this, dynamic_shared_bytes);
  int most = options.cuda.max_threads;
  return most > 0 ? std::min<int64_t>(most, kUsualBlock) : kUsualBlock;
}

int64_t CompiledKernel::max_active_blocks(const std::array<int64_t, 3>&, int64_t) {
  refuse(*this, "only GPUs have multiprocessors that hold several blocks");
}

int64_t CompiledKernel::max_active_clusters(const LaunchConfig&) {
  refuse(*this, "only GPUs have clusters of blocks");
}

LaunchConfig CompiledKernel::sized(const LaunchConfig& config) {
  LaunchConfig out = config;
  int64_t block = config.block[0] > 0 ? config.block[0] : suggested_block(config.dynamic_shared_bytes);
  LANEWISE_CHECK(block > 0, "a block without threads was suggested");
  int64_t blocks = config.tasks / block + (config.tasks % block > 0);
  std::array<int64_t, 3> cluster = config.attributes.cluster;
  if (cluster[0] == 0) std::copy_n(options.cuda.cluster.begin(), 3, cluster.begin());
  if (cluster[1] > 1 || cluster[2] > 1)
    throw LaunchError("kernel `" + name + "`: the blocks of so many threads lie along x, clusters of " +
                      shape_text(cluster) + " blocks do not: launch it with a grid");
  // More than any grid has is refused as it is.
  if (cluster[0] > 1 && blocks <= ir::kMaxGridDim[0])
    blocks = (blocks + cluster[0] - 1) / cluster[0] * cluster[0];
  out.block = {block, 1, 1};
  out.grid = {blocks, 1, 1};
  out.tasks = -1;
  return out;
}

}  // namespace lanewise::runtime
