// Launches of the C interface: of a compiled kernel, and by name with kernels specialised on their arguments.
#include <cstring>

#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

runtime::LaunchConfig to_config(const lw_launch_config* config) {
  lw_launch_config full{sizeof full, {1, 1, 1}, {1, 1, 1}, 0, nullptr, {0, 0, 0}, 0, 0, 0};
  std::memcpy(&full, &require(config, "config"), std::min(config->struct_size, sizeof full));
  runtime::LaunchConfig out;
  for (size_t i = 0; i < 3; ++i) {
    out.grid[i] = full.grid[i];
    out.block[i] = full.block[i];
  }
  out.dynamic_shared_bytes = full.dynamic_shared_bytes;
  out.stream = full.stream;
  std::copy(std::begin(full.cluster), std::end(full.cluster), out.attributes.cluster.begin());
  if (full.has_priority) out.attributes.priority = full.priority;
  out.attributes.overlaps_previous = full.overlaps_previous != 0;
  return out;
}

void launch(const lw_kernel::Shared& kernel, const lw_launch_config* config, const lw_argument* arguments,
            size_t count) {
  // Kept between launches for its memory only; a launch does not start another one on its own thread.
  thread_local std::vector<runtime::Argument> converted;
  convert_arguments(kernel, arguments, count, converted);
  kernel.compiled->launch(to_config(config), converted);
}

void add_to_key(const frontend::ValueType& type, std::string& key) {
  if (type.is_tuple()) {
    key += {'\0', 't'};
    key += std::to_string(type.items.size());
    if (type.names) key += to_string(type);
    for (const frontend::ValueType& item : type.items) add_to_key(item, key);
    return;
  }
  if (type.kind == frontend::ValueType::Kind::None) {
    key += {'\0', 'n'};
    return;
  }
  frontend::ElementType element = type.is_array() ? type.element : type.element_type();
  key += {'\0',
          static_cast<char>(element.kind),
          static_cast<char>(element.lanes),
          static_cast<char>(element.scalar.kind),
          static_cast<char>(element.scalar.bits),
          static_cast<char>(type.is_array() ? type.ndim : 100),
          static_cast<char>(type.layout),
          static_cast<char>(type.python),
          static_cast<char>(type.writable),
          static_cast<char>(type.unaligned)};
  if (element.is_place() || element.is_time()) key += to_string(element);
}

// The table's key: the kernel's name, and for kernels without types of their own the arguments' types.
std::string specialization_key(const std::string& name, const std::vector<frontend::ValueType>& types) {
  std::string key = name;
  for (const frontend::ValueType& type : types) add_to_key(type, key);
  return key;
}

std::shared_ptr<lw_kernel::Shared> specialize(lw_module& module, const char* name,
                                              const lw_argument* arguments, size_t count) {
  const frontend::KernelDeclaration& declaration = find_kernel(module, name);
  const std::string& kernel = declaration.function.name;
  auto find = [&](const std::string& key) -> std::shared_ptr<lw_kernel::Shared> {
    std::shared_lock lock(module.mutex);
    auto found = module.specialized.find(key);
    return found == module.specialized.end() ? nullptr : found->second;
  };
  // A kernel with types of its own is kept under its name alone.
  if (auto found = find(kernel)) return found;
  std::vector<frontend::ValueType> types;
  bool declared = !module.untyped.contains(&declaration);
  if (!declared) {
    if (count) require(arguments, "arguments");
    for (size_t i = 0; i < count; ++i)
      types.push_back(type_of(arguments[i], "kernel `" + kernel + "`: argument " + std::to_string(i)));
  }
  std::string key = specialization_key(kernel, types);
  if (auto found = find(key)) return found;
  auto compiled = compile_kernel(module, declaration, nullptr, declared ? nullptr : &types);
  // Two threads may have compiled the same at once: the first one stays.
  std::unique_lock lock(module.mutex);
  return module.specialized.try_emplace(std::move(key), std::move(compiled)).first->second;
}

}  // namespace
}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

lw_status lw_kernel_launch(lw_kernel* kernel, const lw_launch_config* config, const lw_argument* arguments,
                           size_t argument_count) {
  return guarded([&] { launch(*require(kernel, "kernel").shared, config, arguments, argument_count); });
}

lw_status lw_module_launch(lw_module* module, const char* name, const lw_launch_config* config,
                           const lw_argument* arguments, size_t argument_count) {
  return guarded([&] {
    auto kernel = specialize(require(module, "module"), name, arguments, argument_count);
    launch(*kernel, config, arguments, argument_count);
  });
}

lw_status lw_kernel_max_cooperative_blocks(const lw_kernel* kernel, const lw_launch_config* config,
                                           int64_t* blocks) {
  return guarded([&] {
    require(blocks, "blocks");
    runtime::LaunchConfig c = to_config(config);
    *blocks =
        require(kernel, "kernel").shared->compiled->max_cooperative_blocks(c.block, c.dynamic_shared_bytes);
  });
}

lw_status lw_kernel_max_active_blocks(const lw_kernel* kernel, const lw_launch_config* config,
                                      int64_t* blocks) {
  return guarded([&] {
    require(blocks, "blocks");
    runtime::LaunchConfig c = to_config(config);
    *blocks = require(kernel, "kernel").shared->compiled->max_active_blocks(c.block, c.dynamic_shared_bytes);
  });
}

lw_status lw_kernel_max_active_clusters(const lw_kernel* kernel, const lw_launch_config* config,
                                        int64_t* clusters) {
  return guarded([&] {
    require(clusters, "clusters");
    *clusters = require(kernel, "kernel").shared->compiled->max_active_clusters(to_config(config));
  });
}

lw_status lw_kernel_suggested_block(const lw_kernel* kernel, int64_t dynamic_shared_bytes, int64_t* threads) {
  return guarded([&] {
    require(threads, "threads");
    *threads = require(kernel, "kernel").shared->compiled->suggested_block(dynamic_shared_bytes);
  });
}

lw_status lw_module_specialize(lw_module* module, const char* name, const lw_argument* arguments,
                               size_t argument_count, lw_kernel** kernel) {
  return guarded([&] {
    require(kernel, "kernel");
    *kernel = new lw_kernel{specialize(require(module, "module"), name, arguments, argument_count)};
  });
}
