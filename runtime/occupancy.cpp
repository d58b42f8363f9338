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

int64_t CompiledKernel::suggested_block(int64_t) {
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
  int64_t block = suggested_block(config.dynamic_shared_bytes);
  out.block = {block, 1, 1};
  out.grid = {config.tasks / block + (config.tasks % block > 0), 1, 1};
  out.tasks = -1;
  return out;
}

}  // namespace lanewise::runtime
