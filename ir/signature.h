// Matching the types of one op against its signature in ops.def. Private to ir/.
#pragma once
#include <array>
#include <optional>

#include "ir/op.h"

namespace lanewise::ir {

// Binds the type variables of one signature. For ptr<T> and var<T>, T is the element or the held type.
class SignatureMatcher {
 public:
  // Whether a value of `type` may stand at `slot`; binds the slot's letter the first time it is met.
  bool match(const Slot& slot, Type type) {
    if (slot.letter == 0) return type == slot.fixed;
    if (slot.pointer != type.is_pointer() && (slot.pointer || slot.var)) return false;
    if (slot.var != type.is_var()) return false;
    if (slot.pointer) type = type.element();
    if (slot.var) type = type.value();
    Binding& binding = bindings_[static_cast<size_t>(slot.letter - 'A')];
    if (binding.bound) return binding.type == type;
    if (!in_class(type, slot.bound)) return false;
    binding = {true, type};
    return true;
  }

  // The type a slot stands for once its letter is bound; nullopt for a free letter and for ptr<T>, whose
  // space the letter does not say.
  std::optional<Type> type_of(const Slot& slot) const {
    if (slot.letter == 0) return slot.fixed;
    const Binding& binding = bindings_[static_cast<size_t>(slot.letter - 'A')];
    if (!binding.bound || slot.pointer) return std::nullopt;
    return slot.var ? binding.type.var() : binding.type;
  }

 private:
  struct Binding {
    bool bound = false;
    Type type;
  };
  std::array<Binding, 26> bindings_{};
};

}  // namespace lanewise::ir
