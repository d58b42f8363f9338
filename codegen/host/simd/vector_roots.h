// Division and roots of vectors by the machine's estimates and FMAs: the exact forms give IEEE's results bit
// by bit for operands in range, which the caller has asked about (in_range()); the fast ones are for fast
// math. All of one machine vector: estimates are of 512 bits, quotients by a known reciprocal of any length.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include "codegen/host/simd/divider_costs.h"

namespace lanewise::codegen::host {

// What is known of a divisor before: nothing; it is the same in all lanes, or a root of what was in range.
enum class Divisor : uint8_t { Any, Uniform, Root };
// Which lanes (of i1) have operands from which the exact sequence of the op may start. `a`: of a Quotient and
// KnownQuotient, which do not look at a `d` that is known.
llvm::Value* in_range(llvm::IRBuilderBase& b, DividerOp op, llvm::Value* a, llvm::Value* d,
                      Divisor divisor = Divisor::Any);
// The same of the scalar that divides all lanes, which is to be positive or a negative constant.
llvm::Value* divisor_in_range(llvm::IRBuilderBase& b, llvm::Value* d);

llvm::Value* exact_reciprocal(llvm::IRBuilderBase& b, llvm::Value* d);
// `reciprocal`: 1 / d, rounded.
enum class DivisorSign : uint8_t { Any, Positive, Negative };
llvm::Value* exact_quotient(llvm::IRBuilderBase& b, llvm::Value* a, llvm::Value* d, llvm::Value* reciprocal,
                            DivisorSign sign = DivisorSign::Any);
struct RootAndReciprocal {
  llvm::Value *root, *reciprocal;  // each is rounded on its own
};
RootAndReciprocal exact_reciprocal_root(llvm::IRBuilderBase& b, llvm::Value* x);
llvm::Value* exact_root(llvm::IRBuilderBase& b, llvm::Value* x);

// Of float64. Errors below 0.6 (quotient), 0.8 (root) and 1.3 (1 / root) units in the last place; 0 and
// infinity come out as they should.
llvm::Value* fast_quotient(llvm::IRBuilderBase& b, llvm::Value* a, llvm::Value* d);
llvm::Value* fast_root(llvm::IRBuilderBase& b, llvm::Value* x);
llvm::Value* fast_reciprocal_root(llvm::IRBuilderBase& b, llvm::Value* x);

// 1 / d of float64 with an error below 2**-40, for integers.
llvm::Value* rough_reciprocal(llvm::IRBuilderBase& b, llvm::Value* d);

// The part of a vector that begins at a lane.
llvm::Value* part_of(llvm::IRBuilderBase& b, llvm::Value* v, unsigned first, unsigned lanes);

}  // namespace lanewise::codegen::host
