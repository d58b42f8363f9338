// Forks and LLVM: a child of a process in which another thread was inside LLVM would wait forever for what
// that thread holds (locks, tables being made). A fork waits until nobody is.
#pragma once

namespace lanewise::codegen {

// While it lives the process is not forked. Not nested, and never while waiting for another thread.
class ForkGuard {
 public:
  ForkGuard();
  ~ForkGuard();
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;
};

}  // namespace lanewise::codegen
