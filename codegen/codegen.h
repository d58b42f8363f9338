// The umbrella header of codegen/: IR that has been through ir::run_pipeline in, PTX or machine code out.
// No LLVM in here. All functions may be called from several threads at once.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/host_abi.h"
#include "codegen/ptx_abi.h"
#include "ir/function.h"
#include "ir/ir.h"
#include "ir/launch_variant.h"

namespace lanewise::codegen {

// The target cannot have what the module needs (an unknown architecture, no libdevice); says the way out.
// Faults of the compiler or of LLVM are ir::InternalError.
class TargetError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// --- CPU
using BlockShape = std::array<int64_t, 3>;  // threads of a block, x y z

struct HostTarget {
  std::string cpu = "native";  // an LLVM CPU name: "native", "haswell", "x86-64"
  unsigned optimize = 2;       // 0: little, 2: all; 1: as 2, with a quicker code generator
  // Code for blocks of this shape only, which runs 32 threads at a time; without it code for all shapes,
  // which runs one after the other.
  std::optional<BlockShape> block;
  ir::LaunchFacts facts;  // what launches of this code are checked for; only used with a block
  // Line tables of these sources, and the code told to gdb; they outlive the compile. nullptr: none.
  const ir::SourceMap* lines = nullptr;
};

// What the engine made of a place of a kernel, for people.
struct HostNote {
  ir::SourceRange range;  // of no file: of the kernel
  std::string text;
};

// Machine code of one kernel in this process, with what the runtime must know to call it.
class HostKernel {
 public:
  virtual ~HostKernel() = default;
  virtual HostKernelFunction function() const = 0;
  std::optional<BlockShape> block;  // what it may be launched with; none: any
  ir::LaunchFacts facts;            // what must be true of a launch, of those that it was made for
  HostLayout layout;
  std::vector<ir::OutputSite> outputs;  // what is printed and reported; see HostOutputFunction
  std::vector<ir::RunError> errors;     // what the function's result says, minus 1
  std::vector<HostNote> notes;
};

// Throws ir::ProgramTooLarge for a kernel that compile_host() would refuse.
void check_host(const ir::Module& module);
std::unique_ptr<HostKernel> compile_host(const ir::Module& module, const HostTarget& target);
// Those of the target's facts that code for its block would make use of, HostKernel::facts, without
// compiling.
ir::LaunchFacts used_facts(const ir::Module& module, const HostTarget& target);
std::string host_llvm(const ir::Module& module, const HostTarget& target, bool optimized);
std::string host_assembly(const ir::Module& module, const HostTarget& target);
// A relocatable object file; the kernel is the C function `name` with HostKernelFunction's signature.
// It has vector code for blocks of these shapes, and for all others code for one thread after the other.
std::string host_object(const ir::Module& module, const HostTarget& target,
                        const std::vector<BlockShape>& shapes = {});

// --- CUDA
struct PtxTarget {
  int sm = 75;          // compute capability: 35 .. 121
  int ptx_version = 0;  // 10 * major + minor; 0: the lowest that the code and the architecture need
  bool line_info = false;
  bool ftz = false;                                        // flush float32 denormals (fast math does)
  int max_threads = 0, min_blocks = 0, max_registers = 0;  // launch bounds; 0: none
  std::array<int, 3> cluster{};                            // blocks of a cluster, x y z; 0: launches say
  int max_cluster_blocks = 0;                              // of which a cluster has at most; 0: no bound
  ir::LaunchFacts facts;                                   // what launches of this code are checked for
  std::string libdevice;                                   // path; "": search (codegen/README.md)
};

// Compute capabilities that can be named, ascending.
const std::vector<int>& ptx_architectures();
// What a launch hands over beyond a kernel's own parameters, after them and in this order; and last, of a
// kernel that waits for the grid, the address of a 32-bit counter.
struct PtxHidden {
  std::vector<size_t> data;              // by index into Module::data: addresses of copies of large ones
  bool record = false;                   // the two parameters of codegen/ptx_abi.h
  std::vector<ir::OutputSite> failures;  // where threads may fail; emit_ptx() appends
};

// Without `hidden` the code stands alone: all data is in its text, and a thread that fails just ends.
std::string emit_ptx(const ir::Module& module, const PtxTarget& target,
                     const ir::SourceMap* sources = nullptr, PtxHidden* hidden = nullptr);
// The same kernel as CUDA C++ (codegen/cuda_cpp/), for people, nvcc and NVRTC: entry and parameters are those
// of the PTX, with `hidden` of the one that reports; constant arrays are always in the text. ptx_version,
// line_info and libdevice do not matter.
std::string emit_cuda(const ir::Module& module, const PtxTarget& target,
                      const ir::SourceMap* sources = nullptr, PtxHidden* hidden = nullptr);
// What NVRTC must be told so that it means the same.
std::vector<std::string> cuda_options(const ir::Module& module, const PtxTarget& target);
// The name of the entry in CUDA C++: that of the PTX, unless it means something there.
std::string cuda_name(std::string_view function_name);
std::string ptx_llvm(const ir::Module& module, const PtxTarget& target, bool optimized);
// The name of a function's entry in PTX: its own; characters that PTX does not take become _uXXXX.
std::string ptx_name(std::string_view function_name);
// Where libdevice.10.bc was found, "" if nowhere; `searched` gets the places tried.
std::string find_libdevice(std::vector<std::string>* searched = nullptr);

// --- about LLVM
std::string llvm_version();
std::string host_cpu_name();
std::string host_cpu_features();

}  // namespace lanewise::codegen
