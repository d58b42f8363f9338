// The interpreter's own form of a function: a compact list of steps on numbered registers with jumps, so that
// a thread is (step index, registers) and can stop at a barrier and go on later. Private to the interpreter.
// Made by flatten() from a verified function; the meaning of each step is in interpreter_thread.cpp.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/ir.h"
#include "ir/scalar_ops.h"

namespace lanewise::ir::interpreter {

enum class StepKind : uint8_t {
  Scalar,       // result = evaluate_scalar(op, operands)
  Constant,     // result = constant
  Copy,         // result = operand 0
  Offset,       // result = operand 0 + operand 1 * element size
  Load,         // result = element operand 1 of operand 0
  Store,        // element operand 1 of operand 0 = operand 2
  Atomic,       // result = element; element = combination with operand 2 (and 3)
  SharedArray,  // result = shared memory + constant
  LocalArray,   // result = the frame's local memory + constant
  Special,      // result = a thread index or the like
  Barrier,  // stop; `list` are the registers that count the turns of the enclosing loops; operand 0 to reduce
  Warp,     // the same for a warp op; result from what all lanes hand in
  Call,     // function `target`; `list` are argument registers, then result registers
  Output,   // print or report: output site number `constant`; `list` are the registers of its values
  Exit,     // the thread ends
  Return,   // `list` are the result registers
  Move,     // all (from, to) pairs of `moves` at once
  Jump,
  JumpIfFalse,  // on operand 0
  LoopStart,    // For, While: turn = 0; For: trips and counter from operands lo, hi, step
  ForHead,      // jump if no trips are left, else operand 0 = counter
  LoopNext,     // turn += 1, For: one trip less, counter += step; jump
  Unreachable,
};

struct Step {
  StepKind kind = StepKind::Unreachable;
  OpKind op = OpKind::Unreachable;
  Type type, result_type;  // as evaluate_scalar wants them; Load, Store, Atomic, Offset: the element type
  uint32_t result = 0;
  uint32_t operands[4] = {};
  uint32_t loop = 0;    // first of a loop's registers, see LoopRegister
  uint32_t target = 0;  // step to jump to, function to call
  uint32_t begin = 0,
           end = 0;        // Move: range of Code::moves; Call, Return, Barrier, Output: range of Code::lists
  uint32_t arguments = 0;  // Call: how many of the list are arguments
  uint64_t constant = 0;
  SourceRange range;
};

// Registers of one loop, after each other.
enum LoopRegister : uint32_t { kTurn, kTripsLeft, kCounter, kStep, kLoopRegisters };

struct Code {
  std::vector<Step> steps;
  std::vector<std::pair<uint32_t, uint32_t>> moves;  // from, to
  std::vector<uint32_t> lists;
  std::vector<uint32_t> params;
  std::vector<Type> param_types;
  uint32_t registers = 0;    // the first values.size() are the function's values
  uint64_t local_bytes = 0;  // of one frame
};

// Lays shared arrays out behind `shared_bytes`, which grows, and appends the function's output sites.
Code flatten(const Function& function, uint64_t& shared_bytes, std::vector<OutputSite>& sites);

}  // namespace lanewise::ir::interpreter
