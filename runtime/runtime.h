// The umbrella header of runtime/: compile a kernel for a target, launch it, own device memory. What the
// three doors (python/, the C API, tools/kc) call. No LLVM, CUDA or Python in here.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/codegen.h"
#include "frontend/frontend.h"
#include "ir/ir.h"

namespace lanewise::runtime {

// --- errors; thrown at the API edge only. ir::InternalError is a fault of ours.
// The user's program is wrong. what() is the rendered diagnostics.
class CompileError : public std::runtime_error {
 public:
  CompileError(ir::Diagnostics diagnostics, const ir::SourceMap& sources);
  ir::Diagnostics diagnostics;
  ir::SourceMap sources;  // of the diagnostics: the kernel's, or CUDA C++ that it calls
};
// A launch that cannot be: wrong configuration, argument count, type, rank, read-only output. Names kernel
// and parameter; nothing has run.
class LaunchError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The kernel ended early while it ran (divergent barrier). what() has the kernel's name and line.
class KernelError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
// A thread of the kernel ended with `raise` or a failed `assert`: of all that did, the first one in the order
// of blocks and threads. The other threads went on. what() has all of it. A launch on CUDA that nobody waited
// for is reported by the next launch of the kernel, copy of a DeviceBuffer, or synchronize().
class RaisedError : public KernelError {
 public:
  struct Place {
    std::string exception, text;  // "ValueError", what the kernel said
    std::string kernel, file;
    uint32_t line = 0;                         // 0: not known
    std::array<int64_t, 3> block{}, thread{};  // indices
    std::shared_ptr<void> owner;               // KernelInfo's
  };
  RaisedError(Place where, std::string report);
  Place place;
  std::string report;  // what() without the exception's name
};
// A driver call failed, or there is no driver or device: call, code, kernel, what to do.
class CudaError : public std::runtime_error {
 public:
  CudaError(const std::string& message, int result) : std::runtime_error(message), code(result) {}
  int code;  // CUresult, 0 if no call was made
};
// The target cannot have what the kernel needs: an unknown architecture, no libdevice.
using codegen::TargetError;

// --- targets
enum class Target : uint8_t { Cpu, Cuda, Interpreter };
std::optional<Target> parse_target(std::string_view name);  // "cpu", "cuda", "interpreter"
// LANEWISE_TARGET if set (LaunchError if it names no target), else Cuda where a usable device is found, else
// Cpu.
Target default_target();

// --- compile
// Device code that kernels call functions of.
struct LinkInput {
  enum class Kind : uint8_t { CudaSource, Ptx, Cubin, Fatbin, Archive, Object, LtoIr };
  Kind kind = Kind::Ptx;
  std::string name, data;            // what errors call it: its path; its contents
  std::vector<std::string> options;  // of NVRTC, for CUDA C++
};
// By the end of its name, ".cu", ".ptx", ".cubin", ".fatbin", ".a", ".o", ".ltoir"; LaunchError if it has no
// such, or cannot be read.
LinkInput read_link_input(const std::string& path);

struct CompileOptions {
  Target target = Target::Cpu;
  ir::FloatMode float_mode;
  bool python_float32 = false;
  bool performance_notes = false;  // among the warnings of compile()
  bool debug = false;              // launches are checked for arrays in dynamic shared memory without bytes
  std::string cpu = "native";      // Cpu: LLVM's CPU name; LANEWISE_CPU overrides "native"
  // Cuda: how its code is made; sm 0 is the current device's. Of the CPU only the launch bounds matter.
  codegen::PtxTarget cuda{.sm = 0};
  std::vector<LinkInput> link;  // Cuda: what is linked to the kernel
  // Functions in CUDA C++ may be called although the target is not Cuda: for looking at the PTX.
  bool cuda_functions = false;
};

// The front end and the passes only: text to optimised IR, and where that is going (--emit, tests).
// Throws CompileError; warnings are appended to `warnings` if given.
ir::Module compile_to_ir(const frontend::FunctionRef& function,
                         const std::vector<frontend::ValueType>& arguments, const CompileOptions& options,
                         const ir::SourceMap& sources, ir::Diagnostics* warnings = nullptr);

// Throws CompileError for what a target cannot run: inline PTX anywhere but on CUDA.
void check_target(const ir::Module& module, Target target, const ir::SourceMap& sources);

// What only the driver of CUDA can be asked for; LaunchError on other targets.
struct LaunchAttributes {
  std::array<int64_t, 3> cluster{};  // blocks of a cluster, x y z; 0: as the kernel is compiled, else none
  std::optional<int> priority;       // as that of streams (priority_range)
  // May start before the work in front of it on the stream has ended, and waits for that where the kernel
  // says so (griddepcontrol.wait): CUDA's programmatic stream serialization.
  bool overlaps_previous = false;
  bool any() const { return cluster[0] != 0 || priority || overlaps_previous; }
};

struct LaunchConfig {
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t dynamic_shared_bytes = 0;
  void* stream = nullptr;  // CUstream; ignored on the CPU
  LaunchAttributes attributes;
  // If not negative: so many threads along x, in blocks of block[0] threads, 0: of suggested_block(); the
  // rest of grid and block is not looked at.
  int64_t tasks = -1;
};

// What a launch does with a host array on a device of its own memory: InOut copies it in, and back if the
// kernel writes it. In: never back; its kernel's writes are lost on every target. Out: not in; elements that
// the kernel does not write are then undefined.
enum class Direction : uint8_t { InOut, In, Out };

// A leaf argument: a scalar, or an array (tuples are handed over item by item).
struct Argument {
  static constexpr int kMaxDims = 8;
  int ndim = -1;         // -1: scalar
  bool writable = true;  // array: false if the memory must not be written
  bool device = false;   // array: `data` is memory of the target's device, not host memory
  int16_t ordinal = -1;  // device array: which device's (DeviceBuffer::device); -1: not known, is looked up
  Direction direction = Direction::InOut;
  uint64_t bits = 0;     // scalar: the value, already of the parameter's type, in the low bytes
  void* data = nullptr;  // array: the first element
  std::array<int64_t, kMaxDims> shape{},
      strides{};  // in elements, or bytes where the type's layout is; ignored where it is contiguous
};

// What is known of a kernel specialised on argument types, before its target's back end makes it run.
struct KernelInfo {
  std::string name;
  std::vector<frontend::ValueType> argument_types;
  std::vector<std::string> parameter_names;  // one per argument (not leaf)
  std::vector<ir::Access> leaf_access;       // one per leaf: does the kernel read / write the array
  ir::Module module;                         // after the pipeline
  CompileOptions options;
  ir::SourceMap sources;        // for ranges in run-time errors and line info
  std::shared_ptr<void> owner;  // whatever the door that compiled it wants to find again
};

// A kernel compiled for one target. Immutable; launch from any thread.
class CompiledKernel : public KernelInfo {
 public:
  explicit CompiledKernel(KernelInfo info) : KernelInfo(std::move(info)) {}
  virtual ~CompiledKernel() = default;
  // Arguments are the leaves of argument_types in order; their number, ranks and element types are the
  // caller's promise. Checked here: grid and block limits, writability. Returns when host arrays hold the
  // results; a launch with only device arrays on CUDA is asynchronous on the stream.
  virtual void launch(const LaunchConfig& config, std::span<const Argument> arguments) = 0;

  // How many blocks of that many threads a launch of a kernel with a grid barrier can have.
  virtual int64_t max_cooperative_blocks(const std::array<int64_t, 3>& block,
                                         int64_t dynamic_shared_bytes) = 0;
  // Threads of a block that make the most of the device, as the driver has it; elsewhere a usual number.
  virtual int64_t suggested_block(int64_t dynamic_shared_bytes);
  // Cuda: how many blocks of that many threads a multiprocessor holds at once, and how many clusters of the
  // launch's shape the device does. LaunchError elsewhere.
  virtual int64_t max_active_blocks(const std::array<int64_t, 3>& block, int64_t dynamic_shared_bytes);
  virtual int64_t max_active_clusters(const LaunchConfig& config);
  // The configuration with grid and block in place of `tasks`.
  LaunchConfig sized(const LaunchConfig& config);

  // Cpu: what the code of the last launch was made for; it is what the texts show.
  struct Variant {
    std::optional<codegen::BlockShape> block;
    ir::LaunchFacts facts;
  };
  virtual Variant launched_variant() const { return {}; }

  // In words, what the engine made of the kernel: how many threads run at once, and what is slower than it
  // looks.
  virtual std::string report() const;

  // Cuda: what the driver says of the code that launches on the current device usually take. LaunchError
  // elsewhere.
  struct Resources {
    int max_threads = 0, registers = 0, ptx_version = 0, binary_version = 0;  // versions: 10 * major + minor
    int shared_bytes = 0, constant_bytes = 0, local_bytes = 0;  // static shared; local of a thread
  };
  virtual Resources resources();

  std::string sass_text() const;  // machine code for the options' sm, or 7.5
  std::string ir_text() const;
  std::string llvm_text() const;      // of the target (Interpreter: LaunchError)
  std::string assembly_text() const;  // Cpu
  std::string cuda_text() const;      // CUDA C++ of the same kernel as ptx_text()
  std::string ptx_text() const;       // of any target: for the options' sm, or 7.5
};

std::shared_ptr<CompiledKernel> compile(const frontend::FunctionRef& function,
                                        const std::vector<frontend::ValueType>& arguments,
                                        const CompileOptions& options, const ir::SourceMap& sources,
                                        ir::Diagnostics* warnings = nullptr);

// PTX of a module after the pipeline, with what it calls of its CUDA C++ and of the PTX and CUDA C++ among
// `link` merged into it; what is called of the other kinds stays `.extern`. `newest_ptx`: what should be
// taken if there is a choice, 10 * major + minor, 0 for any. `hidden`: as in codegen::emit_ptx. TargetError
// for calls of what nobody defines, CompileError for errors in CUDA C++, CudaError without an NVRTC that can
// be used.
std::string emit_cuda_ptx(const ir::Module& module, const codegen::PtxTarget& target,
                          const ir::SourceMap* sources, const std::vector<LinkInput>& link = {},
                          int newest_ptx = 0, codegen::PtxHidden* hidden = nullptr);
// PTX assembled, and linked with those of `link` that cannot be merged as text, for exactly sm: by nvJitLink,
// or by ptxas where nothing is linked. CudaError if it cannot be.
std::string make_cubin(const std::string& ptx, int sm, const std::vector<LinkInput>& link = {},
                       int max_registers = 0, bool line_info = false);

// Several cubins, {sm, cubin}, and PTX for later devices, {sm, PTX}, as one fatbin; by fatbinary of the
// toolkit.
std::string make_fatbin(const std::vector<std::pair<int, std::string>>& cubins,
                        const std::pair<int, std::string>& ptx);
// What the assembler says that a kernel takes; by ptxas.
struct AssembledResources {
  int registers = 0;  // of a thread
  int64_t shared_bytes = 0, stack_bytes = 0, spill_stores = 0, spill_loads = 0, constant_bytes = 0;
};
AssembledResources measure_ptx(const std::string& ptx, int sm, int max_registers = 0);
// A cubin's machine code as text, by nvdisasm or cuobjdump; CudaError without them.
std::string sass_text(const std::string& cubin);

// The scalars and arrays an argument type is made of, tuples opened.
std::vector<frontend::ValueType> leaves(const frontend::ValueType& type);

// --- memory of a target's device: on Cpu and Interpreter host memory (64-byte aligned), on Cuda the current
// device's. `stream` is a CUstream. Without one copies are done when they return, and come after all work of
// the default streams of their devices; with one they are ordered on it, and those between devices, to and
// from pinned memory go on meanwhile.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  // Whether `count` bytes from byte `offset` on are all inside.
  bool contains(int64_t offset, int64_t count) const {
    return offset >= 0 && count >= 0 && count <= bytes && offset <= bytes - count;
  }
  virtual void copy_from_host(const void* source, int64_t bytes, int64_t offset, void* stream = nullptr) = 0;
  virtual void copy_to_host(void* destination, int64_t bytes, int64_t offset,
                            void* stream = nullptr) const = 0;
  // From memory of the same target, on any of its devices.
  virtual void copy_from_device(const DeviceBuffer& source, int64_t bytes, int64_t source_offset,
                                int64_t offset, void* stream = nullptr) = 0;
  void* data = nullptr;
  int64_t bytes = 0;
  Target target = Target::Cpu;
  int device = 0;  // which of the target's
};
// Memory for work on a stream is on its device; the driver's pools, if any, give it without waiting.
std::shared_ptr<DeviceBuffer> allocate(Target target, int64_t bytes, void* stream = nullptr);
// Waits for all work of the target, on Cuda of the current device; throws what went wrong in it.
void synchronize(Target target);

// --- what kernels print, on Cpu and Interpreter; on Cuda the driver writes to C's stdout
// Gets whole lines, block after block, from the thread that launches once the kernel has run; from any thread
// of the engine, one at a time, while it runs if it prints a lot. What it throws ends the printing, and the
// launch throws it when the kernel has run. An empty sink: C's stdout.
using PrintSink = std::function<void(std::string_view text)>;
void set_print_sink(PrintSink sink);

// --- CPU engine settings. Threads: LANEWISE_NUM_THREADS, else the affinity mask and the cgroup quota.
int num_threads();
// Asked now and then, by the thread that launched, while a grid runs on the CPU: true ends the launch between
// two blocks, with Interrupted. Nothing is asked at first.
using InterruptCheck = bool (*)();
void set_interrupt_check(InterruptCheck check);
class Interrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

void set_num_threads(int n);  // LaunchError unless 1 <= n <= 1024

// --- CUDA
struct CudaStatus {
  bool usable = false;
  std::string report;  // one or more lines: driver, devices, or what is missing and the way out
  int sm = 0;          // of the current device
  int driver_version = 0;
};
// Opens the driver the first time it is called; never throws.
const CudaStatus& cuda_status();
// A piece of NVIDIA's toolkit as found on this machine.
struct ToolkitEntry {
  std::string name, what_for, path, version, wheels;  // no path: not found; version: of libraries, "13.0"
};
std::vector<ToolkitEntry> toolkit();
// The folders in which the Python in use has its packages: NVIDIA's wheels are looked for there too.
void set_package_folders(std::vector<std::string> folders);
// cuda_status(), the toolkit and the versions of drivers and PTX, for people.
std::string devices_report();

// --- kernel files: what the C API and kc start from (docs/language.md, "Kernel files")
struct FileRequest {
  std::vector<std::pair<std::string, std::string>> constants;  // NAME, Python text of the value
  std::vector<std::string> include_dirs;                       // where imported kernel modules are looked for
};
struct OpenFile {
  ir::SourceMap sources;
  frontend::KernelFile file;
  // The kernel called `name`, or the only one if `name` is empty; nullptr if there is none.
  const frontend::KernelDeclaration* kernel(std::string_view name) const;
  std::vector<const frontend::KernelDeclaration*> kernels() const;
};
// Reads the file's declarations; errors and warnings go to `diagnostics`, with ranges in `sources` of the
// result.
std::unique_ptr<OpenFile> open_file(ir::SourceFile source, const FileRequest& request,
                                    ir::Diagnostics& diagnostics);
// The argument types of a kernel: from `signature` (which may name the kernel), else the decorator's string,
// else the annotations. nullopt if there is none of these, or with an error reported. `sources` gets the
// signature's text.
std::optional<std::vector<frontend::ValueType>> declared_types(const frontend::KernelDeclaration& kernel,
                                                               std::string_view signature,
                                                               ir::SourceMap& sources,
                                                               ir::Diagnostics& diagnostics);
// Reports that a kernel has no argument types; `way_out` is the hint.
void report_no_types(const frontend::KernelDeclaration& kernel, const std::string& way_out,
                     ir::Diagnostics& diagnostics);
// The text of a file; nullopt if it cannot be read.
std::optional<std::string> read_text_file(const std::string& path);

std::string version();  // "0.1.0"

}  // namespace lanewise::runtime
