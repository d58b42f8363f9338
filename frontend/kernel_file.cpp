// Kernel files as a whole: open_kernel_file(), and the environment that its functions see.
#include "frontend/kernel_file.h"

#include "frontend/builtin_names.h"

namespace lanewise::frontend {
namespace {

constexpr unsigned kMaxStarDepth = 32;

}  // namespace

const Binding* FileEnvironment::find(const ModuleSet& set, ModuleIndex index, const std::string& name,
                                     unsigned depth) {
  const ModuleData& module = set.modules[index];
  auto found = module.bindings.find(name);
  if (found != module.bindings.end()) return &found->second;
  // Star imports leave out names with a leading underscore; modules may star-import each other.
  if (name.starts_with('_') || depth > kMaxStarDepth) return nullptr;
  for (auto it = module.star_modules.rbegin(); it != module.star_modules.rend(); ++it)
    if (const Binding* binding = find(set, *it, name, depth + 1)) return binding;
  return nullptr;
}

std::optional<HostValue> FileEnvironment::find_builtin(const ModuleSet& set, ModuleIndex index,
                                                       const std::string& name) {
  const std::vector<std::string>& modules = set.modules[index].star_builtins;
  for (auto it = modules.rbegin(); it != modules.rend(); ++it)
    if (std::optional<HostValue> value = builtin_module_attribute(*it, name)) return value;
  return std::nullopt;
}

HostValue FileEnvironment::with_environment(const HostValue& value) const {
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value)) {
    HostValue::Tuple out;
    out.names = tuple->names;
    for (const HostValue& item : tuple->items) out.items.push_back(with_environment(item));
    return {std::move(out)};
  }
  if (auto* cuda = std::get_if<HostValue::Cuda>(&value.value); cuda && (*cuda)->fallback) {
    auto made = std::make_shared<CudaFunction>(**cuda);
    made->fallback = std::make_shared<HostValue>(with_environment(*made->fallback));
    return {HostValue::Cuda(std::move(made))};
  }
  if (auto* partial = std::get_if<HostValue::Partial>(&value.value))
    return partial_of(*partial, [this](const HostValue& part) { return with_environment(part); });
  auto* function = std::get_if<HostValue::Function>(&value.value);
  if (!function) return value;
  auto module = set_->function_modules.find((*function)->identity);
  auto out = std::make_shared<FunctionRef>(**function);
  out->environment = std::make_shared<FileEnvironment>(
      set_, module == set_->function_modules.end() ? index_ : module->second);
  return {HostValue::Function(std::move(out))};
}

std::optional<HostValue> FileEnvironment::lookup(const std::string& name) {
  const Binding* binding = find(*set_, index_, name);
  if (!binding) return find_builtin(*set_, index_, name);
  if (binding->conflict) return HostValue{*binding->conflict};
  if (binding->module)
    return HostValue{HostValue::Namespace{std::make_shared<FileEnvironment>(set_, *binding->module)}};
  return with_environment(binding->value);
}

std::vector<std::string> FileEnvironment::names() const {
  std::vector<std::string> out;
  for (const auto& [name, binding] : set_->modules[index_].bindings) out.push_back(name);
  for (ModuleIndex module : set_->modules[index_].star_modules)
    for (const auto& [name, binding] : set_->modules[module].bindings) out.push_back(name);
  return out;
}

KernelFile open_kernel_file(ir::SourceMap& sources, uint32_t file, const FileOptions& options,
                            ir::Diagnostics& diagnostics) {
  auto set = std::make_shared<ModuleSet>();
  ModuleReader reader(sources, options, set, diagnostics);
  ModuleIndex index = reader.read(file, options.constants);
  mark_host_changes(sources, *set);
  KernelFile out;
  out.ast = set->modules[index].ast;
  out.environment = std::make_shared<FileEnvironment>(set, index);
  out.declarations = reader.declarations(index);
  return out;
}

}  // namespace lanewise::frontend
