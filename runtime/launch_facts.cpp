#include "runtime/launch_facts.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace lanewise::runtime {
namespace {

// Views of another element type index the same memory in other units.
bool looks_at_bytes(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::PtrCast) return true;
  return false;
}

bool is_small(int64_t number) { return number >= -ir::kSmall && number <= ir::kSmall; }

}  // namespace

FactFinder::FactFinder(const KernelInfo& kernel, const char* general) {
  const char* set = std::getenv(general);
  no_facts_ = set && std::string_view(set) == "1";
  bool bytes = looks_at_bytes(kernel.module);
  size_t next = 0;
  for (const frontend::ValueType& argument : kernel.argument_types)
    for (const frontend::ValueType& type : leaves(argument)) {
      Leaf& leaf = leaves_.emplace_back();
      std::vector<ir::Type> slots = frontend::flatten(type);
      leaf.is_array = type.is_array();
      leaf.written = kernel.leaf_access.at(next++).write;
      leaf.signed_64 = !slots.empty() && slots.front() == ir::kI64;
      if (!leaf.is_array) continue;
      leaf.layout = type.layout;
      leaf.element_bytes = type.element.size();
      leaf.unit_bytes = bytes || type.in_bytes() ? 1 : slots.front().element_size();
    }
}

// Whether all numbers of the array are small.
bool FactFinder::span_of(const Leaf& leaf, const Argument& argument, Span& span) {
  auto ndim = static_cast<size_t>(argument.ndim);
  span.low = span.high = reinterpret_cast<uintptr_t>(argument.data);
  bool small = true, empty = false;
  for (size_t d = 0; d < ndim; ++d) {
    small &= is_small(argument.shape[d]);
    empty |= argument.shape[d] == 0;
  }
  bool strided = leaf.layout == frontend::Layout::Strided || leaf.layout == frontend::Layout::Bytes;
  int64_t scale = leaf.layout == frontend::Layout::Strided ? leaf.element_bytes : 1;
  // As a double: it cannot overflow, and 2**30 units are far below where it is not exact.
  double below = 0, above = 0, elements = 1;
  for (size_t d = 0; d < ndim; ++d) {
    elements *= static_cast<double>(argument.shape[d]);
    if (!strided) continue;
    small &= is_small(argument.strides[d]);
    double reach = static_cast<double>(argument.shape[d] - 1) * static_cast<double>(argument.strides[d]) *
                   static_cast<double>(scale);
    (reach < 0 ? below : above) += reach;
  }
  if (empty) return small;
  double bytes = static_cast<double>(leaf.element_bytes);
  bytes = strided ? above - below + bytes : elements * bytes;
  span.low += static_cast<uintptr_t>(static_cast<int64_t>(below));
  span.high = span.low + static_cast<uintptr_t>(bytes);
  return small && bytes <= static_cast<double>(ir::kSmall) * static_cast<double>(leaf.unit_bytes);
}

ir::LaunchFacts FactFinder::find(const LaunchConfig& config, std::span<const Argument> arguments) const {
  if (no_facts_) return {};
  ir::LaunchFacts facts{.small = true, .distinct = true, .aligned = true};
  for (size_t axis = 0; axis < 3; ++axis) facts.small &= config.grid[axis] * config.block[axis] <= ir::kSmall;
  constexpr size_t kMany = 64;
  Span spans[kMany];
  size_t count = 0;
  for (size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (!leaf.is_array) {
      if (leaf.signed_64) facts.small &= is_small(static_cast<int64_t>(arguments[i].bits));
      continue;
    }
    if (count == kMany) return {};
    Span& span = spans[count++];
    facts.small &= span_of(leaf, arguments[i], span);
    facts.aligned &= reinterpret_cast<uintptr_t>(arguments[i].data) % ir::kVectorBytes == 0;
    span.written = leaf.written;
  }
  for (size_t a = 0; a < count; ++a)
    for (size_t b = 0; spans[a].written && b < count; ++b)
      if (a != b && spans[a].low < spans[b].high && spans[b].low < spans[a].high) facts.distinct = false;
  return facts;
}

}  // namespace lanewise::runtime
