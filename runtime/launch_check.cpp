// What is checked before a launch on any target, and the parameter slots of docs/language.md, "Kernel files".
#include <algorithm>

#include "runtime/backend.h"

namespace lanewise::runtime {
namespace {

[[noreturn]] void refuse(const KernelInfo& kernel, const std::string& what) {
  throw LaunchError("kernel `" + kernel.name + "`: " + what);
}

void check_attributes(const KernelInfo& kernel, const LaunchAttributes& attributes) {
  const auto& cluster = attributes.cluster;
  const bool has_cluster = cluster != std::array<int64_t, 3>{};
  if (!has_cluster && !attributes.any()) return;
  if (kernel.options.target != Target::Cuda) {
    std::string what = has_cluster ? "clusters of " + shape_text(cluster) + " blocks were"
                       : attributes.priority
                           ? "a priority of " + std::to_string(*attributes.priority) + " was"
                           : "overlap with the previous launch was";
    refuse(kernel, what + " asked for; only CUDA devices have that");
  }
  if (!has_cluster) return;
  for (size_t i = 0; i < 3; ++i)
    if (cluster[i] < 1 || cluster[i] > kMaxClusterBlocks)
      refuse(kernel, "clusters of " + shape_text(cluster) +
                         " blocks were asked for; each of x, y, z may be 1 to " +
                         std::to_string(kMaxClusterBlocks));
  if (int64_t blocks = cluster[0] * cluster[1] * cluster[2]; blocks > kMaxClusterBlocks)
    refuse(kernel, "clusters of " + shape_text(cluster) + " blocks have " + std::to_string(blocks) + "; " +
                       std::to_string(kMaxClusterBlocks) + " is the limit");
}

}  // namespace

void check_launch_config(const KernelInfo& kernel, const LaunchConfig& config) {
  const auto& grid = config.grid;
  const auto& block = config.block;
  constexpr const char* kAxes[] = {"x", "y", "z"};
  for (size_t i = 0; i < 3; ++i) {
    if (grid[i] < 0 || grid[i] > ir::kMaxGridDim[i])
      refuse(kernel, "a grid of " + shape_text(grid) + " blocks was asked for; " + kAxes[i] +
                         " may be 0 to " + std::to_string(ir::kMaxGridDim[i]));
    if (block[i] < 1 || block[i] > ir::kMaxBlockDim[i])
      refuse(kernel, "a block of " + shape_text(block) + " threads was asked for; " + kAxes[i] +
                         " may be 1 to " + std::to_string(ir::kMaxBlockDim[i]));
  }
  if (int64_t threads = block[0] * block[1] * block[2]; threads > ir::kMaxThreadsPerBlock)
    refuse(kernel, "a block of " + shape_text(block) + " has " + std::to_string(threads) + " threads; " +
                       std::to_string(ir::kMaxThreadsPerBlock) + " is the limit");
  if (int64_t most = kernel.options.cuda.max_threads, threads = block[0] * block[1] * block[2];
      most > 0 && threads > most)
    refuse(kernel, "a block of " + shape_text(block) + " has " + std::to_string(threads) +
                       " threads; the kernel's launch_bounds allow " + std::to_string(most));
  check_dynamic_shared(kernel, config.dynamic_shared_bytes);
  check_attributes(kernel, config.attributes);
  if (kernel.options.cuda.cluster[0] > 0 && kernel.options.target != Target::Cuda)
    refuse(kernel, "clusters of " + shape_text(kernel.options.cuda.cluster) +
                       " blocks were asked for; only CUDA devices have them");
}

void check_dynamic_shared(const KernelInfo& kernel, int64_t bytes) {
  if (bytes < 0) refuse(kernel, std::to_string(bytes) + " bytes of dynamic shared memory were asked for");
}

void check_shared_is_given(const KernelInfo& kernel, const LaunchConfig& config) {
  if (!kernel.options.debug || config.dynamic_shared_bytes > 0) return;
  for (const ir::Function& function : kernel.module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::DynamicShared)
        refuse(kernel,
               "an array in dynamic shared memory is used, and the launch has 0 bytes of it: give their "
               "number at "
               "the launch, after the stream" +
                   place_text(kernel, op.range));
}

void check_cooperative_grid(const KernelInfo& kernel, const LaunchConfig& config, int64_t most,
                            const std::string& where) {
  const auto& grid = config.grid;
  const auto& block = config.block;
  int64_t blocks = 0;
  bool many = __builtin_mul_overflow(grid[0] * grid[1], grid[2], &blocks) || blocks > most;
  if (!many) return;
  throw LaunchError(
      "kernel `" + kernel.name +
      "` waits for all blocks of the grid, which must live at once: " + std::to_string(grid[0]) + " x " +
      std::to_string(grid[1]) + " x " + std::to_string(grid[2]) + " blocks were asked for; on " + where +
      " at most " + std::to_string(most) + " blocks of " + std::to_string(block[0] * block[1] * block[2]) +
      " threads fit: launch fewer, and let each do more in a loop");
}

void check_writable(const KernelInfo& kernel, std::span<const Argument> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].ndim >= 0 && !arguments[i].writable && kernel.leaf_access[i].write &&
        arguments[i].direction != Direction::In)
      refuse(kernel,
             "argument `" + leaf_name(kernel, i) + "` is a read-only array, but the kernel writes to it");
}

std::string run_error_text(const KernelInfo& kernel, const ir::RunError& error) {
  return "kernel `" + kernel.name + "`: " + error.message + place_text(kernel, error.range);
}

std::string place_text(const KernelInfo& kernel, const ir::SourceRange& range) {
  if (range == ir::SourceRange{} || range.file >= kernel.sources.size()) return "";
  const ir::SourceFile& file = kernel.sources.file(range.file);
  std::string text = " (" + file.name + ", line " + std::to_string(kernel.sources.position(range).line) + ")";
  std::string_view line = kernel.sources.line_text(range);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return text + "\n    " + std::string(line);
}

std::string leaf_name(const KernelInfo& kernel, size_t leaf) {
  // The item of a nested tuple that holds the leaf: "x[1][0]".
  auto find = [](auto& self, const frontend::ValueType& type, size_t& left, std::string name) -> std::string {
    if (!type.is_tuple()) {
      size_t here = leaves(type).size();
      if (left < here) return name;
      left -= here;
      return "";
    }
    for (size_t i = 0; i < type.items.size(); ++i) {
      std::string found = self(self, type.items[i], left, name + "[" + std::to_string(i) + "]");
      if (!found.empty()) return found;
    }
    return "";
  };
  for (size_t i = 0; i < kernel.argument_types.size(); ++i) {
    std::string name = i < kernel.parameter_names.size() ? kernel.parameter_names[i] : std::to_string(i);
    std::string found = find(find, kernel.argument_types[i], leaf, name);
    if (!found.empty()) return found;
  }
  return "?";
}

std::vector<LeafLayout> leaf_layouts(const KernelInfo& kernel) {
  std::vector<LeafLayout> result;
  for (const frontend::ValueType& argument : kernel.argument_types)
    for (const frontend::ValueType& leaf : leaves(argument))
      result.push_back(leaf.is_array() ? LeafLayout{leaf.ndim, leaf.has_strides()} : LeafLayout{});
  return result;
}

size_t slot_count(std::span<const LeafLayout> layouts) {
  size_t count = 0;
  for (const LeafLayout& leaf : layouts)
    count += leaf.ndim < 0 ? 1 : 1 + static_cast<size_t>(leaf.ndim) * (leaf.strided ? 2 : 1);
  return count;
}

void pack_slots(std::span<const LeafLayout> layouts, std::span<const Argument> arguments,
                std::span<void* const> data, uint64_t* slots) {
  LANEWISE_CHECK(layouts.size() == arguments.size(), "a launch with the wrong number of arguments");
  for (size_t i = 0; i < layouts.size(); ++i) {
    const Argument& argument = arguments[i];
    if (layouts[i].ndim < 0) {
      *slots++ = argument.bits;
      continue;
    }
    *slots++ = reinterpret_cast<uint64_t>(data.empty() ? argument.data : data[i]);
    auto ndim = static_cast<size_t>(layouts[i].ndim);
    for (size_t d = 0; d < ndim; ++d) {
      auto extent = static_cast<uint64_t>(argument.shape[d]);
      if (extent > static_cast<uint64_t>(ir::kMaxExtent))
        throw LaunchError("array argument " + std::to_string(i + 1) + " has an extent of " +
                          std::to_string(argument.shape[d]) + "; 2**47 is the limit");
      *slots++ = extent;
    }
    for (size_t d = 0; layouts[i].strided && d < ndim; ++d)
      *slots++ = static_cast<uint64_t>(argument.strides[d]);
  }
}

std::vector<uint64_t> pack_slots(const KernelInfo& kernel, std::span<const Argument> arguments,
                                 std::span<void* const> data) {
  std::vector<LeafLayout> layouts = leaf_layouts(kernel);
  std::vector<uint64_t> slots(slot_count(layouts));
  pack_slots(layouts, arguments, data, slots.data());
  return slots;
}

}  // namespace lanewise::runtime
