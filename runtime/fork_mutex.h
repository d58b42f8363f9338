// A mutex that the child of a fork finds free, whoever held it in the parent: there it is another one.
#pragma once
#include <memory>
#include <mutex>

#include "runtime/cpu/thread_pool.h"

namespace lanewise::runtime {

class ForkMutex {
 public:
  // To be kept while it is locked: a fork in between makes another one.
  std::shared_ptr<std::recursive_mutex> get() {
    std::lock_guard lock(guard_);
    if (!mutex_ || forks_ != fork_count()) mutex_ = std::make_shared<std::recursive_mutex>();
    forks_ = fork_count();
    return mutex_;
  }

 private:
  std::mutex guard_;  // of the two below, never held for long
  std::shared_ptr<std::recursive_mutex> mutex_;
  unsigned forks_ = 0;
};

}  // namespace lanewise::runtime
