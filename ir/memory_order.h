// The order and the scope of an atomic or a fence, which are its op's immediate; none means relaxed, of the
// device. In the text form one word: "acquire.system".
#pragma once
#include <string_view>

#include "ir/function.h"

namespace lanewise::ir {

enum class MemoryOrder : uint8_t { Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };
// Whom it concerns: the threads of the block, of the device, or also of the host and other devices.
enum class MemoryScope : uint8_t { Block, Device, System };

inline constexpr std::string_view kOrderNames[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
inline constexpr std::string_view kScopeNames[] = {"block", "device", "system"};

struct Ordering {
  MemoryOrder order = MemoryOrder::Relaxed;
  MemoryScope scope = MemoryScope::Device;
  // What this thread reads and writes after comes after; what it did before comes before.
  bool acquires() const { return order != MemoryOrder::Relaxed && order != MemoryOrder::Release; }
  bool releases() const { return order != MemoryOrder::Relaxed && order != MemoryOrder::Acquire; }
  bool is_total() const { return order == MemoryOrder::SequentiallyConsistent; }
  auto operator<=>(const Ordering&) const = default;
};

constexpr int64_t kOrderings = 15;

inline Ordering ordering_of(const Op& op) {
  const int64_t* packed = std::get_if<int64_t>(&op.immediate);
  if (!packed) return {};
  return {static_cast<MemoryOrder>(*packed / 3), static_cast<MemoryScope>(*packed % 3)};
}
inline Immediate immediate_of(Ordering ordering) {
  if (ordering == Ordering{}) return {};
  return static_cast<int64_t>(ordering.order) * 3 + static_cast<int64_t>(ordering.scope);
}

// Whether an op may have the order: a load does not release, a store does not acquire, a fence is not
// relaxed.
constexpr bool order_fits(OpKind kind, MemoryOrder order) {
  bool total = order == MemoryOrder::SequentiallyConsistent;
  switch (kind) {
    case OpKind::AtomicLoad: return order == MemoryOrder::Relaxed || order == MemoryOrder::Acquire || total;
    case OpKind::AtomicStore: return order == MemoryOrder::Relaxed || order == MemoryOrder::Release || total;
    case OpKind::Fence: return order != MemoryOrder::Relaxed;
    default: return true;
  }
}

}  // namespace lanewise::ir
