// Launches that cuLaunchKernel cannot do: clusters of blocks, priorities, overlap with the work in front.
#pragma once
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// What cuLaunchKernelEx is told; points into itself.
class ExtendedLaunch {
 public:
  ExtendedLaunch(const LaunchConfig& config, const std::array<int64_t, 3>& cluster, bool cooperative);
  ExtendedLaunch(const ExtendedLaunch&) = delete;
  const CUlaunchConfig* config() const { return &config_; }

 private:
  CUlaunchAttribute& add(LaunchAttributeId id);

  CUlaunchConfig config_{};
  CUlaunchAttribute attributes_[4]{};
};

// The blocks of a cluster in a launch, {0, 0, 0} for none: as the launch asks, else as the kernel is
// compiled. LaunchError for what the device or the kernel cannot have; more than 8 blocks are looked up in
// the device, and `function` is told that it may have them.
std::array<int64_t, 3> cluster_of(const KernelInfo& kernel, const Device& gpu, CUfunction function,
                                  const LaunchConfig& config);

// LaunchError if the device, which guarantees 8 blocks, cannot have a cluster of that many.
void check_fits(const KernelInfo& kernel, const Device& gpu, CUfunction function, const LaunchConfig& config,
                const std::array<int64_t, 3>& cluster);

// How many clusters the device does at once.
int64_t active_clusters(const KernelInfo& kernel, CUfunction function, const LaunchConfig& config,
                        const std::array<int64_t, 3>& cluster);

}  // namespace lanewise::runtime::cuda
