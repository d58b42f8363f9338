// Kernels compiled for the types of a signature or of launch arguments, and their texts.
#include <cstring>

#include "codegen/codegen.h"
#include "runtime/backend.h"
#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

// Whether a signature names this kernel, or none: "saxpy(...)", "void(...)", "(...)".
bool applies(const std::string& signature, const std::string& kernel) {
  if (signature.empty()) return false;
  size_t first = std::min(signature.find_first_not_of(" \t\n"), signature.size());
  std::string name = signature.substr(first, signature.find('(') - first);
  name.erase(name.find_last_not_of(" \t\n") + 1);
  return name.empty() || name == "void" || name == kernel || frontend::parse_type_text(name);
}

std::vector<frontend::ValueType> types_by_declaration(const lw_module& module,
                                                      const frontend::KernelDeclaration& declaration,
                                                      const char* signature, ir::SourceMap& sources) {
  ir::Diagnostics diagnostics;
  std::string text = signature ? signature : "";
  if (text.empty() && applies(module.signature, declaration.function.name)) text = module.signature;
  auto types = runtime::declared_types(declaration, text, sources, diagnostics);
  if (!types && !diagnostics.has_errors())
    runtime::report_no_types(declaration,
                             "annotate its parameters (x: float32[::1]), decorate it with "
                             "@gpu.jit(\"void(float32[::1])\"), or compile it with a signature",
                             diagnostics);
  if (diagnostics.has_errors()) {
    keep_diagnostics(diagnostics, sources);
    throw runtime::CompileError(std::move(diagnostics), sources);
  }
  return std::move(*types);
}

// Runs `compile(warnings)` and keeps its diagnostics, of whichever outcome.
template <class Compile>
auto keeping_diagnostics(const ir::SourceMap& sources, Compile compile) {
  ir::Diagnostics warnings;
  try {
    auto result = compile(&warnings);
    keep_diagnostics(warnings, sources);
    return result;
  } catch (const runtime::CompileError& error) {
    keep_diagnostics(error.diagnostics, error.sources);
    throw;
  }
}

std::string ptx(lw_module& module, const char* name, const char* signature, int sm) {
  const frontend::KernelDeclaration& declaration = find_kernel(module, name);
  runtime::CompileOptions options = module.options;
  options.target = runtime::Target::Cuda;
  if (sm) options.cuda.sm = sm;
  ir::SourceMap sources = module.open->sources;
  std::vector<frontend::ValueType> types = types_by_declaration(module, declaration, signature, sources);
  ir::Module code = keeping_diagnostics(sources, [&](ir::Diagnostics* warnings) {
    return runtime::compile_to_ir(declaration.function, types, options, sources, warnings);
  });
  return keeping_diagnostics(sources, [&](ir::Diagnostics*) {
    return runtime::emit_cuda_ptx(code, runtime::ptx_target(options), &sources, options.link);
  });
}

std::string kernel_text(const runtime::CompiledKernel& kernel, lw_text kind) {
  switch (kind) {
    case LW_TEXT_IR: return kernel.ir_text();
    case LW_TEXT_LLVM: return kernel.llvm_text();
    case LW_TEXT_ASSEMBLY: return kernel.assembly_text();
    case LW_TEXT_PTX: return kernel.ptx_text();
    case LW_TEXT_REPORT: return kernel.report();
    case LW_TEXT_CUDA: return kernel.cuda_text();
    default: throw InvalidCall("there is no text of kind " + std::to_string(kind));
  }
}

}  // namespace

bool declares_types(const lw_module& module, const frontend::KernelDeclaration& declaration) {
  return declaration.signature || applies(module.signature, declaration.function.name) ||
         frontend::annotated_arguments(declaration.function);
}

namespace {

// Tuples are opened, complex numbers are not.
void add_parameters(const std::string& name, const frontend::ValueType& type, size_t& leaf,
                    std::vector<lw_kernel::Parameter>& out) {
  if (type.is_tuple()) {
    for (size_t i = 0; i < type.items.size(); ++i)
      add_parameters(name + "[" + std::to_string(i) + "]", type.items[i], leaf, out);
    return;
  }
  out.push_back({name, to_string(type), type, leaf});
  leaf += runtime::leaves(type).size();
}

}  // namespace

std::shared_ptr<lw_kernel::Shared> compile_kernel(lw_module& module,
                                                  const frontend::KernelDeclaration& declaration,
                                                  const char* signature,
                                                  const std::vector<frontend::ValueType>* types) {
  runtime::CompileOptions options = module.options;
  options.target = to_target(module.target);
  ir::SourceMap sources = module.open->sources;
  std::vector<frontend::ValueType> declared;
  if (!types) {
    declared = types_by_declaration(module, declaration, signature, sources);
    types = &declared;
  }
  auto compiled = keeping_diagnostics(sources, [&](ir::Diagnostics* warnings) {
    return runtime::compile(declaration.function, *types, options, sources, warnings);
  });
  auto shared = std::make_shared<lw_kernel::Shared>();
  size_t leaf = 0;
  for (size_t i = 0; i < compiled->argument_types.size(); ++i) {
    const auto& names = compiled->parameter_names;
    add_parameters(i < names.size() ? names[i] : std::to_string(i), compiled->argument_types[i], leaf,
                   shared->parameters);
  }
  shared->compiled = std::move(compiled);
  return shared;
}

}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

lw_status lw_compile(lw_module* module, const char* name, const char* signature, lw_kernel** kernel) {
  return guarded([&] {
    require(kernel, "kernel");
    const auto& declaration = find_kernel(require(module, "module"), name);
    *kernel = new lw_kernel{compile_kernel(*module, declaration, signature, nullptr)};
  });
}

lw_status lw_ptx(lw_module* module, const char* name, const char* signature, int32_t sm, lw_string** text) {
  return guarded([&] {
    require(text, "text");
    *text = new lw_string{ptx(require(module, "module"), name, signature, sm)};
  });
}

void lw_kernel_release(lw_kernel* kernel) { delete kernel; }

const char* lw_kernel_name(const lw_kernel* kernel) {
  return kernel ? kernel->shared->compiled->name.c_str() : nullptr;
}

size_t lw_kernel_parameter_count(const lw_kernel* kernel) {
  return kernel ? kernel->shared->parameters.size() : 0;
}

lw_status lw_kernel_parameter(const lw_kernel* kernel, size_t index, lw_parameter* out) {
  return guarded([&] {
    require(out, "out");
    const lw_kernel::Shared& shared = *require(kernel, "kernel").shared;
    if (index >= shared.parameters.size())
      throw InvalidCall("there is no parameter " + std::to_string(index));
    const lw_kernel::Parameter& parameter = shared.parameters[index];
    const frontend::ValueType& type = parameter.value_type;
    ir::Access access;
    if (type.is_array() && parameter.leaf < shared.compiled->leaf_access.size())
      access = shared.compiled->leaf_access[parameter.leaf];
    lw_parameter full{};
    full.struct_size = out->struct_size;
    full.name = parameter.name.c_str();
    full.type = parameter.type.c_str();
    full.dtype = to_dtype(type);
    full.ndim = type.is_array() ? type.ndim : -1;
    full.reads = access.read;
    full.writes = access.write;
    std::memcpy(out, &full, std::min(out->struct_size, sizeof full));
  });
}

lw_status lw_kernel_text(const lw_kernel* kernel, lw_text kind, lw_string** text) {
  return guarded([&] {
    require(text, "text");
    *text = new lw_string{kernel_text(*require(kernel, "kernel").shared->compiled, kind)};
  });
}

const char* lw_string_data(const lw_string* text) { return text ? text->text.c_str() : ""; }
size_t lw_string_size(const lw_string* text) { return text ? text->text.size() : 0; }
void lw_string_release(lw_string* text) { delete text; }
