// What each target provides to compile.cpp and memory.cpp; private to runtime/.
#pragma once
#include <memory>

#include "runtime/runtime.h"

namespace lanewise::runtime {

std::shared_ptr<CompiledKernel> make_cpu_kernel(KernelInfo info);          // cpu/kernel.cpp
std::shared_ptr<CompiledKernel> make_interpreter_kernel(KernelInfo info);  // interpreter/kernel.cpp
std::shared_ptr<CompiledKernel> make_cuda_kernel(KernelInfo info);         // cuda/kernel.cpp

// 64-byte aligned, for free(); throws bad_alloc.
void* allocate_host_bytes(int64_t bytes);  // memory.cpp
// A device's memory on Cpu and Interpreter; `release` is called at its end.
std::shared_ptr<DeviceBuffer> wrap_host(Target target, void* data, int64_t bytes,
                                        std::function<void()> release);    // memory.cpp
std::shared_ptr<DeviceBuffer> allocate_cuda(int64_t bytes, void* stream);  // cuda/memory.cpp
void synchronize_cuda();                                                   // cuda/memory.cpp

// What code for the options is made for; sm 7.5 where they name none.
codegen::PtxTarget ptx_target(const CompileOptions& options);  // compile.cpp

constexpr int64_t kMaxClusterBlocks = 16;  // of which devices guarantee 8

// "(32, 8, 1)": of a grid, block or cluster.
template <class Number>
std::string shape_text(const std::array<Number, 3>& s) {
  return "(" + std::to_string(s[0]) + ", " + std::to_string(s[1]) + ", " + std::to_string(s[2]) + ")";
}
// Throws LaunchError unless grid, block and dynamic shared memory are within what both engines allow: up to
// 1024 threads a block (z up to 64), gridDim.x to 2**31 - 1, y and z to 65535. Zero-sized grids are legal.
void check_launch_config(const KernelInfo& kernel, const LaunchConfig& config);  // launch_check.cpp
// Throws LaunchError if the number of bytes is negative.
void check_dynamic_shared(const KernelInfo& kernel, int64_t bytes);  // launch_check.cpp
// Throws LaunchError if the kernel has elements in dynamic shared memory, is launched with none of it, and
// was compiled for debugging: the engines do not look at each access.
void check_shared_is_given(const KernelInfo& kernel, const LaunchConfig& config);  // launch_check.cpp
// Throws LaunchError if a kernel with a grid barrier is launched with more blocks than can live at once,
// `most`.
void check_cooperative_grid(const KernelInfo& kernel, const LaunchConfig& config, int64_t most,
                            const std::string& where);
// Throws LaunchError for a read-only array where the kernel writes; names the parameter.
void check_writable(const KernelInfo& kernel, std::span<const Argument> arguments);  // launch_check.cpp
// What a KernelError says: the kernel, what happened, file and line, the line itself.
std::string run_error_text(const KernelInfo& kernel, const ir::RunError& error);  // launch_check.cpp
// " (file, line 3)" and the line itself below, "" if the place is not known.
std::string place_text(const KernelInfo& kernel, const ir::SourceRange& range);  // launch_check.cpp
// "x", or "x[1]" for a leaf of a tuple.
std::string leaf_name(const KernelInfo& kernel, size_t leaf);  // launch_check.cpp

// The parameter slots of docs/language.md, "Kernel files": a scalar its bits, an array pointer, shape, and
// strides where its type is Strided. `data` overrides the arrays' own addresses (device copies) if not empty.
std::vector<uint64_t> pack_slots(const KernelInfo& kernel, std::span<const Argument> arguments,
                                 std::span<void* const> data = {});  // launch_check.cpp

// The same without allocation, for launches: the layout is worked out once for a kernel.
struct LeafLayout {
  int ndim = -1;  // -1: scalar
  bool strided = false;
};
std::vector<LeafLayout> leaf_layouts(const KernelInfo& kernel);
size_t slot_count(std::span<const LeafLayout> layouts);
void pack_slots(std::span<const LeafLayout> layouts, std::span<const Argument> arguments,
                std::span<void* const> data, uint64_t* slots);

}  // namespace lanewise::runtime
