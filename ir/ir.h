// The umbrella header of ir/: what other folders may use. Everything is a free function over values.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/diagnostics.h"
#include "ir/error.h"
#include "ir/function.h"
#include "ir/launch_limits.h"
#include "ir/op.h"
#include "ir/source.h"
#include "ir/type.h"

namespace lanewise::ir {

// --- text form (grammar in ir/README.md): parse(print(m)) prints the same text again
struct PrintOptions {
  bool locations = false;  // with source ranges and call sites
};
std::string print(const Module& module, const PrintOptions& options = {});
std::string print(const Function& function, const Module& module, const PrintOptions& options = {});
// Reads a module. Errors go to `diagnostics` with ranges in file `file` of `sources`; empty then.
std::optional<Module> parse(const SourceMap& sources, uint32_t file, Diagnostics& diagnostics);

// --- verifier: the list of invariants is in ir/verify.cpp. An error means a fault of the compiler.
struct VerifyError {
  std::string message;  // names the function and op, prints the op
};
std::optional<VerifyError> verify(const Module& module);

// --- documentation: every op of ops.def as Markdown tables under "###" headings, in the table's order
std::string reference_markdown();
// Every diagnostic: id, severity, message.
std::string diagnostics_markdown();

// --- passes: each returns whether it changed something. One file each in ir/passes/.
bool promote_variables(Function& function);  // var/get/set -> SSA values
bool inline_calls(Module& module);           // always where a barrier or shared array is inside, else by size
bool lower_exits(Module& module);            // exit -> return, through the calls that were not inlined
bool fold_constants(Function& function);     // ops on constants, algebraic identities, branches on constants
bool fold_ranges(Function& function);        // comparisons and wraps decided by value ranges (thread ids,
                                             // loop counters, enclosing conditions)
bool eliminate_common_ops(Function& function);  // one op for equal ops without effect
bool split_loops(Function& function);           // at zero, where the counter may be negative as an index
bool unroll_loops(Function& function);          // with few turns, of a known number; not in the pipeline
bool remove_dead_ops(Function& function);  // unused results of ops without effect, values carried for nobody
bool remove_dead_functions(Module& module);  // that the entry does not reach
void compact(Function& function);            // tables without what the passes left behind

struct PipelineOptions {
  bool verify_each = false;  // after every pass
  // Called after every pass with its name; for dumps and for the pass-by-pass differential test.
  void (*after_pass)(std::string_view pass, const Module& module, void* context) = nullptr;
  void* context = nullptr;
};
// The pipeline every back end gets: after it there are no var ops and calls only where not inlined.
// Throws InternalError (ir/error.h) if the verifier refuses a result.
void run_pipeline(Module& module, const PipelineOptions& options = {});

// --- analyses
// For each parameter of the entry that is a pointer: does any path read or write through it (through
// calls, offsets and selects too)? Entries of other parameters are {false, false}.
struct Access {
  bool read = false, write = false;
};
std::vector<Access> parameter_access(const Module& module);

// --- interpreter: the definition of every op
struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
};
struct Launch {
  Dim3 grid, block;
  int64_t dynamic_shared_bytes = 0;
};
// A parameter or result: integers, bools as their two's complement bits in `bits` (sign- or zero-extended),
// floats as the double's bits of equal value, pointers as the address.
struct Scalar {
  uint64_t bits = 0;
};

// A Print or Report op as whoever runs the code knows it.
struct OutputSite {
  bool fails = false;  // Report
  uint32_t message = 0;
  std::vector<Type> types;  // of the operands
  SourceRange range;
};
OutputSite output_site(const Function& function, const Op& op);
// What it says with these operands, one for each of its types.
std::string output_text(const Module& module, const OutputSite& site, const Scalar* values);
// One thread came to one: linear indices of its block and of the thread in it.
struct Output {
  const OutputSite& site;
  int64_t block = 0, thread = 0;
  const Scalar* values = nullptr;
};
using OutputHandler = std::function<void(const Output&)>;

// Runs every thread of the grid: blocks in linear order, threads of a block between barriers in
// linear order. Any memory the kernel addresses must be valid. Returns the error that ended the launch
// (divergent barrier, step limit), empty if none.
struct RunError {
  std::string message;
  SourceRange range;
};
// Of a launch whose blocks did not all come to a grid barrier.
inline constexpr std::string_view kDivergentGridBarrier =
    "divergent grid barrier: other blocks of the grid have ended and do not come to this one";
// Whether the module holds a grid barrier: all blocks of a launch must live at once.
bool waits_for_grid(const Module& module);
std::optional<RunError> interpret_kernel(const Module& module, const std::vector<Scalar>& arguments,
                                         const Launch& launch, uint64_t step_limit = UINT64_MAX,
                                         const OutputHandler& output = {});
// Calls function `entry()` of the module as one thread and returns its results.
std::variant<std::vector<Scalar>, RunError> interpret_function(const Module& module,
                                                               const std::vector<Scalar>& arguments,
                                                               uint64_t step_limit = UINT64_MAX);

}  // namespace lanewise::ir
