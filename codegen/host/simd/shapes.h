// What differs between the lanes of a gang, found before code is made: values, and where lanes leave a
// construct on their own. Only segments' ops are looked at; what the block does as a whole is in the plan.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "codegen/host/placement.h"
#include "codegen/host/plan.h"

namespace lanewise::codegen::host {

// Why the kernel's threads must run one after the other, "" if they may run in step: none waits for what
// another lane of its warp does, and what they print is in the order of threads.
std::string refuses_gangs(const ir::Module& module);

// What a gang is of its block: a part of a row of threads along x, some rows, or neither.
enum class ThreadLayout { PartOfRow, Rows, Table };
ThreadLayout layout_of(const BlockShape& block);

struct Shapes {
  std::vector<bool> varying;  // by value, resolved
  // By value: numbers of threads, a multiple of 32 and the lane's number; lines, anything that is the same
  // for all lanes and the lane's number.
  std::vector<bool> numbers, lines;
  // By op. Some lanes leave the scope or loop (the turn of the loop) while others stay in it.
  std::vector<bool> ends_apart, turns_apart;
  // By op, loops: fewer lanes may make the next turn than made this one.
  std::vector<bool> loses_lanes;
};

// log2 of n if `number // n`, `% n`, `>> log2 n` or `& (n - 1)` with this constant take a thread's number
// apart into whole gangs and what is left.
std::optional<unsigned> whole_gangs(ir::OpKind kind, ir::Type type, int64_t constant);

// Of a launch with blocks of this shape.
Shapes find_shapes(const ir::Function& kernel, const Plan& plan, const Placement& placement, const Tree& tree,
                   const BlockShape& block);

}  // namespace lanewise::codegen::host
