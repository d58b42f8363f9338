// What the threads of one launch print and fail with, on the CPU and in the interpreter. Texts are kept block
// by block, so that they come out in the order of blocks whichever thread of the pool ran them.
#pragma once
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "runtime/backend.h"

namespace lanewise::runtime {

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
    uint32_t message = 0;
    ir::SourceRange range;
  };
  void print(int64_t block, const std::string& text);
  void write(bool unfinished_lines);
  [[noreturn]] void raise() const;

  const KernelInfo& kernel_;
  const LaunchConfig& config_;
  std::mutex mutex_;
  std::map<int64_t, std::string> texts_;  // by block
  size_t bytes_ = 0;
  std::optional<Failure> failure_;
  std::exception_ptr broken_;  // what the sink threw: nothing is printed any more
};

}  // namespace lanewise::runtime
