// Imports: of the modules that the language knows, and of the user's kernel modules, which are read once each
// through FileOptions::read_module.
#include "frontend/builtin_names.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

constexpr unsigned kMaxImportDepth = 32;

HostValue unsupported(std::string what, SourceRange range) {
  return {HostValue::Unsupported{std::move(what), range}};
}

std::string unknown_module(const std::string& module, bool too_deep) {
  if (too_deep) return "imported through more than " + std::to_string(kMaxImportDepth) + " other modules";
  return "imported from `" + module + "`, a module neither known nor found";
}

}  // namespace

// `optional`: inside host code, where an import may not be run at all.
void ModuleReader::import(ModuleIndex index, const Stmt& stmt, bool optional) {
  for (const ImportName& name : stmt.imports) {
    if (stmt.kind == StmtKind::Import) {
      import_module(index, name, optional);
    } else {
      import_from(index, stmt, name, optional);
    }
  }
}

void ModuleReader::bind_import(ModuleIndex index, const std::string& name, Binding binding, bool optional) {
  binding.origin = Binding::Origin::Import;
  const ModuleData& module = set_->modules[index];
  auto old = module.bindings.find(name);
  bool unknown = !binding.module && as_unsupported(binding.value);
  // An unknown module in one branch of host code does not take a known one's place.
  if (optional && unknown && old != module.bindings.end()) return;
  bind(index, name, std::move(binding));
}

// import a.b as c: `c` is a.b; import a.b: `a` is a, and has b.
void ModuleReader::import_module(ModuleIndex index, const ImportName& name, bool optional) {
  std::string root = name.name.substr(0, name.name.find('.'));
  bool whole = name.alias != root || name.name == root;
  Binding binding{.range = name.range};
  if (std::optional<HostValue> known = builtin_module(whole ? name.name : root)) {
    binding.value = *std::move(known);
    return bind_import(index, name.alias, std::move(binding), optional);
  }
  if (whole) {
    binding.module = kernel_module(name.name);
  } else if (kernel_module(name.name)) {
    // The packages on the way exist, whether or not they have a text of their own.
    std::string path;
    std::optional<ModuleIndex> parent;
    for (size_t begin = 0; begin < name.name.size();) {
      size_t end = std::min(name.name.find('.', begin), name.name.size());
      path = name.name.substr(0, end);
      std::optional<ModuleIndex> module = kernel_module(path);
      if (!module) {
        module = static_cast<ModuleIndex>(set_->modules.size());
        set_->modules.emplace_back();
        set_->modules.back().ast = std::make_shared<const Ast>();
        set_->by_name[path] = *module;
      }
      std::string part = name.name.substr(begin, end - begin);
      if (parent) {
        set_->modules[*parent].bindings.try_emplace(
            part, Binding{.origin = Binding::Origin::Import, .range = name.range, .module = module});
      } else {
        binding.module = module;
      }
      parent = module;
      begin = end + 1;
    }
  }
  if (!binding.module) binding.value = unsupported(unknown_module(name.name, too_deep_), name.range);
  bind_import(index, name.alias, std::move(binding), optional);
}

void ModuleReader::import_from(ModuleIndex index, const Stmt& stmt, const ImportName& name, bool optional) {
  if (stmt.level == 0 && stmt.name == "__future__") return;
  std::string module = std::string(stmt.level, '.') + stmt.name;
  if (name.name != "*") return bind_import(index, name.alias, imported_member(module, name), optional);
  if (std::optional<HostValue> known = builtin_module(module)) {
    set_->modules[index].star_builtins.push_back(std::get<HostValue::Builtin>(known->value).name);
  } else if (std::optional<ModuleIndex> kernels = kernel_module(module)) {
    if (*kernels != index) set_->modules[index].star_modules.push_back(*kernels);
  }
}

// What `from module import name` binds.
Binding ModuleReader::imported_member(const std::string& module, const ImportName& name) {
  Binding out{.range = name.range};
  if (std::optional<HostValue> known = builtin_module(module)) {
    std::optional<HostValue> value = attribute_of(*known, name.name);
    out.value = value ? *std::move(value)
                      : unsupported("`" + module + "." + name.name + "`, a name unknown here", name.range);
    return out;
  }
  std::optional<ModuleIndex> kernels = kernel_module(module);
  if (kernels) {
    if (const Binding* binding = FileEnvironment::find(*set_, *kernels, name.name)) {
      out.value = binding->conflict ? HostValue{*binding->conflict} : binding->value;
      out.module = binding->module;
      out.changeable = binding->changeable;
      out.imported = {*kernels, name.name};
      return out;
    }
    if (std::optional<HostValue> value = FileEnvironment::find_builtin(*set_, *kernels, name.name)) {
      out.value = *std::move(value);
      return out;
    }
  }
  std::string separator = module.empty() || module.ends_with('.') ? "" : ".";
  out.module = kernel_module(module + separator + name.name);
  if (out.module) return out;
  out.value = kernels ? unsupported("a name that the module `" + module + "` does not have", name.range)
                      : unsupported(unknown_module(module, too_deep_), name.range);
  return out;
}

// The module of that name, read now if it was not yet; nullopt if there is none.
std::optional<ModuleIndex> ModuleReader::kernel_module(const std::string& name) {
  if (auto known = set_->by_name.find(name); known != set_->by_name.end()) return known->second;
  if (!options_.read_module) return std::nullopt;
  std::optional<uint32_t> file = options_.read_module(name, options_.context);
  if (!file) return std::nullopt;
  if (auto known = set_->by_file.find(*file); known != set_->by_file.end())
    return set_->by_name[name] = known->second;
  if (depth_ >= kMaxImportDepth) {
    too_deep_ = true;
    return std::nullopt;
  }
  // Its index is known before it is read, for modules that import each other.
  set_->by_name[name] = static_cast<ModuleIndex>(set_->modules.size());
  ++depth_;
  ModuleIndex index = read(*file, {});
  --depth_;
  return index;
}

}  // namespace lanewise::frontend
