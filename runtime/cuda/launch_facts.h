// Which variant of a kernel a launch may take: what is true of its arguments (ir/launch_variant.h).
#pragma once
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace lanewise::runtime::cuda {

class FactFinder {
 public:
  explicit FactFinder(const KernelInfo& kernel);
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
};

}  // namespace lanewise::runtime::cuda
