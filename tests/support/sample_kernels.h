// Kernels in IR text that between them use every op that is not scalar arithmetic: control flow, memory of
// every kind, barriers, atomics, calls. For tests of back ends and for the assemblers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ir/type.h"

namespace lanewise::test {

struct SampleKernel {
  std::string_view name;
  std::string text;
};
// All of the kernels below, with one choice of their parameters.
std::vector<SampleKernel> sample_kernels();

// Reports in the kernel, of three values, and in a function that it calls, of one; none of sample_kernels().
// Parameters: x[] (i32), limit
std::string failing_kernel();

// y = a * x + y. Parameters: n, a, x[], y[]
std::string saxpy_kernel();
// out[i] = a hash of the counters of `for` from lo[i] to hi[i] by step[i], at most 40 turns, and their
// number. `step` as text makes it a constant. Parameters: lo[], hi[], step[], out[] (u64)
std::string range_kernel(ir::Type type, std::string_view step = "");
// Nested loops with break, continue, return and leave; while loops with values. Parameters: n, x[] (i32),
// out[] (i64)
std::string control_kernel();
// Block sum by a tree in shared memory; threads beyond n return before nothing, all meet at the barriers.
// Parameters: n, x[] (f32), out[] (f32, one per block)
std::string block_sum_kernel();
// Threads whose x is negative return, the others rotate values through dynamic shared memory.
// Parameters: n, x[] (i32), out[] (i64)
std::string dynamic_shared_kernel();
// A table in local memory, indexed by data. Parameters: n, x[] (i32), out[] (f64)
std::string local_kernel();
// Values from two constant arrays, one chosen by data. Parameters: n, x[] (i32), out[] (f32)
std::string data_kernel();
// The atomic on out[x[i] % 4], old values are not kept: their order is open. Parameters: n, x[] (i32), v[]
// (T), out[] (T)
std::string atomic_kernel(std::string_view op, ir::Type type);
// One thread applies the atomic to out[0] for each v and keeps the old values. Parameters: n, v[] (T), old[]
// (T), out[] (T)
std::string atomic_old_kernel(std::string_view op, ir::Type type);
// Counts compare-and-swap wins. Parameters: n, out[] (i32)
std::string cas_kernel();
// Functions with several results, recursion, pointers of the generic space. Parameters: n, x[] (i32), out[]
// (i64)
std::string call_kernel();
// Every thread index, block index, dimension and the lane. Parameters: out[] (i32, 13 per thread)
std::string ids_kernel();
// Flags in memory. Parameters: flag, n, x[] (bool), out[] (bool)
std::string bool_kernel();
// out[r][c] = 10 * x[r][c] + 1 for two strided 2-D arrays of i32. Parameters: x[,], out[,] (strided)
std::string strided_kernel();
// Prints and reports, and sees integers as floats. Parameters: n, x[] (i32), out[] (f32)
std::string output_kernel();

}  // namespace lanewise::test
