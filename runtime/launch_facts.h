// Which variant of a kernel a launch may take: what is true of its arguments (ir/launch_variant.h).
#pragma once
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace lanewise::runtime {

class FactFinder {
 public:
  // `general`: an environment variable that, being 1, has all launches take the code that is right for every
  // launch, for tests.
  FactFinder(const KernelInfo& kernel, const char* general);
  ir::LaunchFacts find(const LaunchConfig& config, std::span<const Argument> arguments) const;

 private:
  // What the check needs to know of a leaf of the arguments.
  struct Leaf {
    bool is_array = false, written = false;
    bool signed_64 = false;                     // an int64 scalar
    int64_t element_bytes = 0, unit_bytes = 0;  // an index counts units
    frontend::Layout layout = frontend::Layout::C;
  };
  // Bytes from the lowest to past the highest one. Host and device share one space of addresses.
  struct Span {
    uintptr_t low = 0, high = 0;
    bool written = false;
  };
  static bool span_of(const Leaf& leaf, const Argument& argument, Span& span);

  std::vector<Leaf> leaves_;
  bool no_facts_ = false;
};

}  // namespace lanewise::runtime
