#include "runtime/cuda/launch_attributes.h"

#include <algorithm>

#include "codegen/codegen.h"
#include "runtime/backend.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr int64_t kPortableBlocks = 8;  // of a cluster, that every device can have
constexpr int kFirstArchitecture = 90;

using Shape = std::array<int64_t, 3>;

[[noreturn]] void refuse(const KernelInfo& kernel, const Shape& cluster, const std::string& why) {
  throw LaunchError("kernel `" + kernel.name + "`: clusters of " + shape_text(cluster) + " blocks: " + why);
}

Shape compiled_shape(const KernelInfo& kernel) {
  const std::array<int, 3>& s = kernel.options.cuda.cluster;
  return {s[0], s[1], s[2]};
}

}  // namespace

CUlaunchAttribute& ExtendedLaunch::add(LaunchAttributeId id) {
  CUlaunchAttribute& attribute = attributes_[config_.attribute_count++];
  attribute.id = id;
  return attribute;
}

ExtendedLaunch::ExtendedLaunch(const LaunchConfig& config, const Shape& cluster, bool cooperative) {
  for (size_t i = 0; i < 3; ++i) {
    config_.grid[i] = static_cast<unsigned>(config.grid[i]);
    config_.block[i] = static_cast<unsigned>(config.block[i]);
  }
  config_.dynamic_shared_bytes = static_cast<unsigned>(config.dynamic_shared_bytes);
  config_.stream = static_cast<CUstream>(config.stream);
  config_.attributes = attributes_;
  if (cooperative) add(kAttributeCooperative).value.number = 1;
  if (cluster[0] > 0) {
    auto& dimension = add(kAttributeClusterDimension).value.dimension;
    for (size_t i = 0; i < 3; ++i) dimension[i] = static_cast<unsigned>(cluster[i]);
  }
  if (config.attributes.overlaps_previous) add(kAttributeProgrammaticSerialization).value.number = 1;
  if (config.attributes.priority) add(kAttributePriority).value.number = *config.attributes.priority;
}

Shape cluster_of(const KernelInfo& kernel, const Device& gpu, CUfunction function,
                 const LaunchConfig& config) {
  const Shape compiled = compiled_shape(kernel);
  const bool is_asked = config.attributes.cluster[0] > 0;
  const Shape cluster = is_asked ? config.attributes.cluster : compiled;
  if (cluster[0] == 0) return cluster;
  if (is_asked && compiled[0] > 0 && compiled != cluster)
    refuse(kernel, cluster, "the kernel is compiled for clusters of " + shape_text(compiled));
  const int64_t blocks = cluster[0] * cluster[1] * cluster[2];
  if (int most = kernel.options.cuda.max_cluster_blocks; most > 0 && blocks > most)
    refuse(kernel, cluster,
           std::to_string(blocks) + " blocks, and the kernel's launch_bounds allow " + std::to_string(most));
  if (gpu.sm < kFirstArchitecture)
    refuse(kernel, cluster,
           gpu.name + " is sm_" + std::to_string(gpu.sm) + " and has none; sm_" +
               std::to_string(kFirstArchitecture) + " and newer do");
  for (size_t i = 0; i < 3; ++i)
    if (config.grid[i] % cluster[i] != 0)
      refuse(kernel, cluster,
             "a grid of " + shape_text(config.grid) + " blocks was asked for; along " + "xyz"[i] +
                 " it must be a multiple of " + std::to_string(cluster[i]));
  if (blocks > kPortableBlocks)
    CUDA_CALL_FOR(kernel.name, cuFuncSetAttribute, (function, kFunctionNonPortableCluster, 1));
  return cluster;
}

void check_fits(const KernelInfo& kernel, const Device& gpu, CUfunction function, const LaunchConfig& config,
                const Shape& cluster) {
  const int64_t blocks = cluster[0] * cluster[1] * cluster[2];
  if (blocks <= kPortableBlocks || active_clusters(kernel, function, config, cluster) > 0) return;
  refuse(kernel, cluster,
         std::to_string(blocks) + " blocks of " +
             std::to_string(config.block[0] * config.block[1] * config.block[2]) + " threads do not fit " +
             gpu.name + " together; " + std::to_string(kPortableBlocks) + " blocks fit every device");
}

int64_t active_clusters(const KernelInfo& kernel, CUfunction function, const LaunchConfig& config,
                        const Shape& cluster) {
  ExtendedLaunch launch(config, cluster, false);
  int clusters = 0;
  CUDA_CALL_FOR(kernel.name, cuOccupancyMaxActiveClusters, (&clusters, function, launch.config()));
  return clusters;
}

}  // namespace lanewise::runtime::cuda
