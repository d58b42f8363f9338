// Every scalar op of ops.def on every type that its signature allows, and kernels that apply them element by
// element: what tests of back ends go through, so that a new row is tested without anybody remembering it.
#pragma once
#include <string>
#include <vector>

#include "ir/ir.h"

namespace lanewise::test {

struct OpInstance {
  ir::OpKind kind;
  std::vector<ir::Type> operands;
  ir::Type result;
};

// "add i32 i32 -> i32"
std::string to_string(const OpInstance& instance);
std::vector<OpInstance> scalar_op_instances();

// kernel @each(n: i64, one pointer and one length per operand, the same for the result):
//   out[i] = op(a[i], b[i], ...) for i < n, one thread an element
std::string elementwise_kernel(const OpInstance& instance);

// kernel @all(one pointer per scalar type and its length): applies every instance to the elements at the
// thread's index, each result stored to the array of its type. For assemblers: nobody looks at the values.
std::string combined_kernel(const std::vector<OpInstance>& instances);

// Reads a module from IR text and verifies it; throws std::runtime_error saying what is wrong.
ir::Module module_from(const std::string& text);

// Values of a type worth trying: zeros, ones, extremes, NaNs, denormals, halves. As in memory, canonical
// bits.
std::vector<uint64_t> interesting_bits(ir::Type type);

}  // namespace lanewise::test
