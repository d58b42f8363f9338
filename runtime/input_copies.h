// Host arrays of Direction::In on the targets that use host memory in place: the kernel gets copies of those
// that it writes.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "runtime/runtime.h"

namespace lanewise::runtime {

class InputCopies {
 public:
  InputCopies(const KernelInfo& kernel, std::span<const Argument> arguments) : arguments_(arguments) {
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].direction == Direction::In && kernel.leaf_access[i].write) copy(kernel, i);
  }
  // The launch's, with copies in the place of such arrays.
  std::span<const Argument> arguments() const { return arguments_; }

 private:
  void copy(const KernelInfo& kernel, size_t leaf);

  std::span<const Argument> arguments_;
  std::vector<Argument> changed_;  // all of them, once one has a copy
  std::vector<std::vector<char>> memory_;
};

}  // namespace lanewise::runtime
