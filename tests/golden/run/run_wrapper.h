// From a function to a kernel that any target can launch: scalar arguments are loaded from arrays, one
// element each, and the results stored to others, so that nothing is constant. Pointers to global memory are
// arrays.
#pragma once
#include <vector>

#include "frontend/value_type.h"
#include "ir/ir.h"
#include "ir/scalar_ops.h"

namespace lanewise::run_tests {

struct Wrapped {
  ir::Module module;               // kernel @run, then the functions of the original
  std::vector<ir::Type> elements;  // of the arrays: arguments, then results
  size_t argument_count = 0;
  // The kernel's parameters are those of 1-D contiguous arrays: pointer and extent each.
  std::vector<frontend::ValueType> array_types() const;
};
Wrapped wrap(const ir::Module& module, ir::FunctionId function);

// The module with a function @run without parameters in front that calls `function` on constants.
ir::Module call_on_constants(const ir::Module& module, ir::FunctionId function,
                             const std::vector<ir::Bits>& arguments);

}  // namespace lanewise::run_tests
