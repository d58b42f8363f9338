// What the threads of a kernel's launches fail with (`raise`, a failed `assert`), told to the host. Each
// launch has a record in memory that host and device see (codegen/ptx_abi.h), so that nothing is copied and a
// launch that fails nowhere costs two parameters. A launch that is waited for has a record of its own; those
// that are not share one on each stream, which is looked at by the next launch of the kernel and by
// raise_failures().
#pragma once
#include <map>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "codegen/codegen.h"
#include "runtime/backend.h"
#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {

// Throws the RaisedError of the earliest launch that was not waited for and of which a thread failed; those
// of later ones are forgotten. For places that have waited for the device, or are about to use what it made.
void raise_failures();

class LaunchErrors {
 public:
  // The kernel outlives the object.
  explicit LaunchErrors(const KernelInfo& kernel);
  // When no launch runs any more; what failed is kept for raise_failures().
  ~LaunchErrors();
  LaunchErrors(const LaunchErrors&) = delete;

  // Where threads fail, for emit_ptx(); records name them by index, so that it may only grow.
  std::vector<ir::OutputSite> sites() const;
  void set_sites(std::vector<ir::OutputSite> sites);

  // The hidden parameters of a launch, in order.
  struct Parameters {
    uint64_t record = 0, launch = 0;
  };

  // Of a launch that is waited for, from before it starts until then.
  class Waited {
   public:
    // `reports`: whether the code has the parameters; else nothing is done.
    Waited(LaunchErrors& errors, bool reports);
    ~Waited();
    Waited(const Waited&) = delete;
    const Parameters& parameters() const { return parameters_; }
    // The launch has run: throws a RaisedError if a thread failed.
    void check() const;

   private:
    LaunchErrors& errors_;
    Parameters parameters_;
  };

  // Of a launch that goes on when the object does: keep it until the launch has been given to the driver.
  class Unwaited {
   public:
    // Throws what an earlier one failed with.
    Unwaited(LaunchErrors& errors, bool reports, const Device& device, CUstream stream);
    const Parameters& parameters() const { return parameters_; }

   private:
    std::shared_lock<std::shared_mutex> lock_;  // so that nobody takes the record for one that is not in use
    Parameters parameters_;
  };

 private:
  friend void raise_failures();
  using StreamKey = std::pair<CUcontext, CUstream>;
  RaisedError error_of(const codegen::PtxFailure& record) const;

  const KernelInfo& kernel_;
  size_t record_bytes_;
  mutable std::mutex mutex_;  // of sites_
  std::vector<ir::OutputSite> sites_;
  std::map<StreamKey, codegen::PtxFailure*> shared_;  // with the registry's mutex
};

}  // namespace lanewise::runtime::cuda
