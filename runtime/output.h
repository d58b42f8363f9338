// What the threads of one launch print and fail with, on the CPU and in the interpreter. Texts are kept block
// by block, so that they come out in the order of blocks whichever thread of the pool ran them.
#pragma once
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/backend.h"

namespace lanewise::runtime {

// What a launch throws for a thread that came to a Report.
RaisedError raised_error(const KernelInfo& kernel, const ir::OutputSite& site, std::string text,
                         const std::array<int64_t, 3>& block, const std::array<int64_t, 3>& thread);

class LaunchOutput {
 public:
  LaunchOutput(const KernelInfo& kernel, const LaunchConfig& config) : kernel_(kernel), config_(config) {}
  LaunchOutput(const LaunchOutput&) = delete;

  // From any thread.
  void take(const ir::Output& output) noexcept;
  // Writes what is left. Then, if `may_raise`, throws: a RaisedError if a thread failed, else what the sink
  // threw.
  void finish(bool may_raise);

 private:
  struct Failure {
    std::pair<int64_t, int64_t> where;  // block, thread
    std::string text;
    ir::OutputSite site;
  };
  void print(int64_t block, const std::string& text);
  void write(bool unfinished_lines);

  const KernelInfo& kernel_;
  const LaunchConfig& config_;
  std::mutex mutex_;
  std::map<int64_t, std::string> texts_;  // by block
  size_t bytes_ = 0;
  std::optional<Failure> failure_;
  std::exception_ptr broken_;  // what the sink threw: nothing is printed any more
};

}  // namespace lanewise::runtime
