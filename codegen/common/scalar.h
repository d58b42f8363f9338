// Emits the ops that compute scalars from scalars as LLVM IR: arithmetic, comparison, conversion, elementary
// functions. What they mean is ir/scalar_ops.cpp; both back ends emit them here, and override what their
// machine does better. No memory, no control flow of the IR, no thread indices. Operands may be vectors, with
// one lane for each of many threads: then so is the result.
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>

#include "ir/function.h"

namespace lanewise::codegen {

// The LLVM type of a scalar as an SSA value (a bool is i1) and as an element in memory (a bool is i8).
llvm::Type* scalar_type(llvm::LLVMContext& context, ir::Type type);
llvm::Type* element_type(llvm::LLVMContext& context, ir::Type type);
// `scalar`, or a vector of it with as many lanes as `like` has.
llvm::Type* shaped(llvm::Type* scalar, const llvm::Value* like);
// An integer constant of `bits` bits in that shape; of all lanes the same.
llvm::Constant* shaped_int(unsigned bits, uint64_t value, const llvm::Value* like);
llvm::Constant* scalar_constant(llvm::LLVMContext& context, const ir::Immediate& value, ir::Type type);
// A bfloat16 is an i16 in LLVM IR, converted with integer operations: all machines round alike, and those
// without instructions for it need no help. In: an i16. Out: a float of the same value.
llvm::Value* bfloat_to_float(llvm::IRBuilder<>& b, llvm::Value* value);
// In: a float or double. Out: the nearest bfloat16, halves to even.
llvm::Value* float_to_bfloat(llvm::IRBuilder<>& b, llvm::Value* value);
// A float of any type as a double of the same value.
llvm::Value* as_double(llvm::IRBuilder<>& b, llvm::Value* value, ir::Type type);

class ScalarEmitter {
 public:
  using Values = llvm::ArrayRef<llvm::Value*>;

  explicit ScalarEmitter(llvm::IRBuilder<>& builder) : b_(builder) {}
  virtual ~ScalarEmitter() = default;

  // How floats of the ops to come may be relaxed.
  void set_mode(ir::FloatMode mode);

  // Whether emit() knows the op: the same set as ir/scalar_ops.h's is_scalar_op.
  static bool knows(ir::OpKind kind);
  // The value of the op at the builder's place. `operand` is the type of the operand that the signature calls
  // T (Select: of the second, Cast and Bitcast: of the first), `result` the type of the result. May make new
  // functions in the module (integer power), never new blocks: code can be put anywhere.
  llvm::Value* emit(ir::OpKind kind, ir::Type operand, ir::Type result, Values operands);
  // What an atomic other than cas leaves in memory that holds `old`.
  llvm::Value* emit_atomic(ir::OpKind kind, ir::Type type, llvm::Value* old, llvm::Value* operand);

 protected:
  // An elementary function of float32 or float64: every op with LIBM, LIBDEVICE or INTRINSIC in its row, and
  // Rsqrt. Fmod is also what // and % of floats are made of.
  virtual llvm::Value* math(ir::OpKind kind, ir::Type type, Values operands) = 0;
  // Truncates, saturates, NaN gives 0. `from` is float32 or float64 (narrower ones arrive as float32).
  virtual llvm::Value* float_to_int(llvm::Value* value, ir::Type from, ir::Type to);
  // Of floats, with the builder's flags.
  virtual llvm::Value* divide(llvm::Value* a, llvm::Value* b) { return b_.CreateFDiv(a, b); }
  // Python's // and % of integers.
  virtual llvm::Value* floor_div_mod(bool want_quotient, ir::Type type, llvm::Value* a, llvm::Value* b);
  // The other operand where one is NaN, -0.0 below 0.0. Float32 and float64.
  virtual llvm::Value* float_min_max(bool is_min, llvm::Value* a, llvm::Value* b);

  llvm::IRBuilder<>& b_;
  ir::FloatMode mode_;

 private:
  llvm::Value* emit_int(ir::OpKind kind, ir::Type type, Values v);
  llvm::Value* emit_float(ir::OpKind kind, ir::Type type, Values v);
  llvm::Value* atomic_result(ir::OpKind kind, ir::Type type, llvm::Value* old, llvm::Value* operand);
  llvm::Value* bit_count(ir::OpKind kind, llvm::Value* x);
  llvm::Value* emit_narrow(ir::OpKind kind, ir::Type type, ir::Type result, Values v);
  llvm::Value* bfloat_sign(ir::OpKind kind, Values v);
  llvm::Value* bfloat_fma(Values v);
  llvm::Value* widened(llvm::Value* value, ir::Type from, ir::Type to);
  llvm::Value* narrowed(llvm::Value* value, ir::Type to);
  llvm::Value* int_to_bfloat(llvm::Value* value, ir::Type from);
  llvm::Value* cast(llvm::Value* value, ir::Type from, ir::Type to);
  llvm::Value* floor_div_mod_by(bool want_quotient, llvm::Value* a, const llvm::APInt& divisor);
  llvm::Value* float_floor_div_mod(bool want_quotient, ir::Type type, llvm::Value* a, llvm::Value* b);
  llvm::Value* shift(ir::OpKind kind, ir::Type type, llvm::Value* a, llvm::Value* count);
  llvm::Value* int_pow(ir::Type type, llvm::Value* base, llvm::Value* exponent);
  llvm::Value* frexp(ir::OpKind kind, llvm::Value* x);
  llvm::Value* next_narrow(ir::Type type, llvm::Value* x, llvm::Value* y);
  llvm::Value* float_class(ir::OpKind kind, llvm::Value* x);

  llvm::FastMathFlags arithmetic_flags_;  // for + - * and the elementary functions
};

}  // namespace lanewise::codegen
