// One op on constants or with an identity: what it could be instead. Private to ir/.
#pragma once
#include <optional>
#include <vector>

#include "ir/function.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir {

// The bits of a value that is a Const op's; nullopt of any other. `definition` is Tree::definition.
std::optional<Bits> constant_bits(const Function& function, const std::vector<OpId>& definition,
                                  ValueId value);

struct Simplified {
  bool changed = false;
  ValueId same_as;  // valid: the op's result is this value and the op may go
  OpId before;      // valid: a new constant that must stand before the op
};
// May rewrite the op in place, into a constant or into a simpler op on other operands.
Simplified simplify(Function& function, const std::vector<OpId>& definition, Op& op);

// Makes the op a Const of its result's type.
void become_constant(const Function& function, Op& op, Bits bits);

}  // namespace lanewise::ir
