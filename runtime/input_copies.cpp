#include "runtime/input_copies.h"

#include <algorithm>

#include "runtime/host_view.h"

namespace lanewise::runtime {

void InputCopies::copy(const KernelInfo& kernel, size_t leaf) {
  std::vector<frontend::ValueType> types;
  for (const frontend::ValueType& type : kernel.argument_types)
    for (frontend::ValueType& item : leaves(type)) types.push_back(std::move(item));
  if (arguments_[leaf].ndim < 0 || arguments_[leaf].device) return;
  HostView view = host_view(arguments_[leaf], types[leaf]);
  if (view.empty) return;
  // The copy is as aligned as the array.
  constexpr size_t kAlignment = 64;
  std::vector<char>& memory =
      memory_.emplace_back(static_cast<size_t>(view.high - view.low) + 2 * kAlignment);
  auto misfit = [](const char* pointer) { return reinterpret_cast<uintptr_t>(pointer) % kAlignment; };
  char* low = memory.data() + (misfit(view.low) + kAlignment - misfit(memory.data())) % kAlignment;
  std::copy(view.low, view.high, low);
  if (changed_.empty()) changed_.assign(arguments_.begin(), arguments_.end());
  changed_[leaf].data = low + (view.first - view.low);
  arguments_ = changed_;
}

}  // namespace lanewise::runtime
