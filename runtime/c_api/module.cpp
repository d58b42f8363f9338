// lw_module: a kernel file read from text or disk, with the options its kernels are compiled with.
#include <algorithm>
#include <filesystem>

#include "runtime/c_api/api.h"

namespace lanewise::c_api {
namespace {

void check_list(const void* list, size_t count, const char* what) {
  if (count && !list) throw InvalidCall(std::string("lw_options::") + what + " is NULL");
}

int checked_count(int32_t value, int32_t most, const char* what) {
  if (value >= 0 && value <= most) return value;
  throw InvalidCall(std::string("lw_options::") + what + " is " + std::to_string(value) + ", not 0 to " +
                    std::to_string(most));
}

std::unique_ptr<lw_module> make_module(std::string name, std::string text, const lw_options& options,
                                       const std::string& own_folder) {
  auto module = std::make_unique<lw_module>();
  module->target = options.target;
  if (options.target != LW_TARGET_DEFAULT) to_target(options.target);  // a wrong one is refused here
  if (options.signature) module->signature = options.signature;
  module->options.cuda.sm = options.sm;
  module->options.float_mode.fast_math = options.fast_math != 0;
  module->options.float_mode.contract = options.no_fma == 0;
  module->options.python_float32 = options.python_float32 != 0;
  module->options.performance_notes = options.performance_notes != 0;
  if (options.cpu) module->options.cpu = options.cpu;
  codegen::PtxTarget& cuda = module->options.cuda;
  cuda.max_threads = checked_count(options.max_threads, 1024, "max_threads");
  cuda.min_blocks = checked_count(options.min_blocks, 32, "min_blocks");
  if (cuda.min_blocks > 0 && cuda.max_threads == 0)
    throw InvalidCall("lw_options::min_blocks needs max_threads");
  cuda.max_registers = checked_count(options.max_registers, 255, "max_registers");
  if (options.cluster[0] || options.cluster[1] || options.cluster[2])
    for (size_t i = 0; i < 3; ++i)
      cuda.cluster[i] = std::max(checked_count(options.cluster[i], 16, "cluster"), 1);
  cuda.line_info = options.line_info != 0;
  cuda.ftz = options.ftz != 0;

  check_list(options.link_files, options.link_file_count, "link_files");
  for (size_t i = 0; i < options.link_file_count; ++i)
    module->options.link.push_back(
        runtime::read_link_input(&require(options.link_files[i], "a file to link")));

  runtime::FileRequest request;
  if (!own_folder.empty()) request.include_dirs.push_back(own_folder);
  check_list(options.include_dirs, options.include_dir_count, "include_dirs");
  for (size_t i = 0; i < options.include_dir_count; ++i)
    request.include_dirs.emplace_back(&require(options.include_dirs[i], "an include folder"));
  check_list(options.constants, options.constant_count, "constants");
  for (size_t i = 0; i < options.constant_count; ++i)
    request.constants.emplace_back(&require(options.constants[i].name, "a constant's name"),
                                   &require(options.constants[i].value, "a constant's value"));
  ir::Diagnostics diagnostics;
  if (text.size() >= UINT32_MAX) throw InvalidCall("the source is larger than 4 GiB");
  module->open = runtime::open_file({std::move(name), std::move(text)}, request, diagnostics);
  keep_diagnostics(diagnostics, module->open->sources);
  if (diagnostics.has_errors()) throw runtime::CompileError(std::move(diagnostics), module->open->sources);
  for (const frontend::KernelDeclaration* kernel : module->open->kernels()) {
    module->kernel_names.push_back(kernel->function.name);
    if (!declares_types(*module, *kernel)) module->untyped.insert(kernel);
  }
  return module;
}

}  // namespace

const frontend::KernelDeclaration& find_kernel(const lw_module& module, const char* name) {
  if (const auto* found = module.open->kernel(name ? name : "")) return *found;
  std::string all;
  for (const std::string& kernel : module.kernel_names) all += (all.empty() ? "`" : ", `") + kernel + "`";
  if (all.empty()) throw InvalidCall("the file has no kernel: a top-level function decorated with @gpu.jit");
  if (!name || !*name) throw InvalidCall("the file has several kernels, a name is needed: " + all);
  throw InvalidCall("there is no kernel `" + std::string(name) + "`; the file has " + all);
}

}  // namespace lanewise::c_api

using namespace lanewise;
using namespace lanewise::c_api;

lw_status lw_module_create(const char* source, size_t length, const lw_options* options, lw_module** module) {
  return guarded([&] {
    require(module, "module");
    if (length) require(source, "source");
    lw_options full = full_struct(options);
    std::string name = full.file_name ? full.file_name : "<string>";
    *module = make_module(std::move(name), std::string(source ? source : "", length), full, "").release();
  });
}

lw_status lw_module_load(const char* path, const lw_options* options, lw_module** module) {
  return guarded([&] {
    require(module, "module");
    require(path, "path");
    lw_options full = full_struct(options);
    std::optional<std::string> text = runtime::read_text_file(path);
    if (!text) throw InvalidCall("cannot read " + std::string(path));
    std::string folder = std::filesystem::path(path).parent_path().string();
    if (folder.empty()) folder = ".";
    std::string name = full.file_name ? full.file_name : path;
    *module = make_module(std::move(name), std::move(*text), full, folder).release();
  });
}

void lw_module_release(lw_module* module) { delete module; }

size_t lw_module_kernel_count(const lw_module* module) { return module ? module->kernel_names.size() : 0; }

const char* lw_module_kernel_name(const lw_module* module, size_t index) {
  return module && index < module->kernel_names.size() ? module->kernel_names[index].c_str() : nullptr;
}
