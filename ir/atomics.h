// Which atomics work on which element types: one rule for the verifier, inference and the docs.
#pragma once
#include "ir/op.h"

namespace lanewise::ir {

// Integers have atomics from 32 bits up; a compare-and-swap of fewer bits would touch its neighbours. Floats
// of every width have those that are not about bits or counting.
constexpr bool atomic_works_on(OpKind kind, Type element) {
  if (element.is_int()) return element.bits >= 32;
  if (!element.is_float()) return false;
  switch (kind) {
    case OpKind::AtomicAnd:
    case OpKind::AtomicOr:
    case OpKind::AtomicXor:
    case OpKind::AtomicInc:
    case OpKind::AtomicDec: return false;
    default: return true;
  }
}

}  // namespace lanewise::ir
