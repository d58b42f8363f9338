// emit_cuda(): a module of IR that has been through the pipeline in, a file of CUDA C++ out: what to compile
// it with, the functions of the preamble that are called, constant arrays, device functions, the kernel.
#include <algorithm>

#include "codegen/common/array_promises.h"
#include "codegen/common/gpu_module.h"
#include "codegen/common/target_limits.h"
#include "codegen/cuda_cpp/pointers.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/scalar_ops.h"

namespace lanewise::codegen {
namespace cuda_cpp {

using ir::Type;

namespace {

std::string element_text(const ir::DataArray& array, size_t index) {
  unsigned size = array.element.element_size();
  ir::Bits bits = ir::load_bits(array.bytes.data() + index * size, array.element);
  if (array.element.is_float() && array.element.bits == 16) {
    char text[16];
    std::snprintf(text, sizeof text, "{0x%04x}", static_cast<unsigned>(bits & 0xffff));
    return text;
  }
  if (array.element.is_bool()) return bits ? "1" : "0";
  return literal(ir::immediate_of(bits, array.element), array.element).text;
}

std::string array_text(const ir::DataArray& array, const std::string& name, bool constant) {
  size_t size = array.element.element_size(), count = array.bytes.size() / size;
  std::string out = std::string(constant ? "__constant__ " : "__device__ const ") + "__align__(16) " +
                    element_name(array.element) + " " + name + "[" +
                    std::to_string(std::max<size_t>(count, 1)) + "] = {";
  size_t column = 0;
  for (size_t i = 0; i < count; ++i) {
    std::string text = element_text(array, i) + (i + 1 < count ? "," : "");
    if (column == 0 || column + text.size() > 100) out += "\n   ", column = 4;
    out += " " + text;
    column += text.size() + 1;
  }
  return out + "};\n\n";
}

}  // namespace

// Names of hidden parameters: of no variable.
constexpr const char *kRecord = "failure_record", *kLaunch = "launch_number", *kCounter = "grid_counter";

FileText::FileText(const ir::Module& module, const PtxTarget& ptx_target, const ir::SourceMap* source_map,
                   PtxHidden* hidden_parameters)
    : ir(module),
      target(ptx_target),
      sources(source_map),
      hidden(hidden_parameters),
      constant_bank(fits_constant_bank(module)),
      grid_barrier(ir::waits_for_grid(module)),
      written(written_pointers(module)),
      defined(module.functions.size()) {
  if (hidden) {
    hidden->data.clear();
    hidden->record = has_reports(module);
  }
  for (const char* name : {kRecord, kLaunch, kCounter}) names.take(name);
  for (const ir::ExternalFunction& external : module.externals) {
    names.take(external.symbol);
    names.take(external_result_name(external));
  }
  for (size_t i = 0; i < module.functions.size(); ++i) {
    const ir::Function& function = module.functions[i];
    functions.push_back(i == 0 ? names.take(cuda_name(function.name)) : names.make(function.name));
    std::string type = function.results.empty()       ? "void"
                       : function.results.size() == 1 ? type_name(function.results[0])
                                                      : names.make(functions.back() + "_values");
    result_types.push_back(type);
  }
  for (const ir::DataArray& array : module.data)
    arrays.push_back({names.make(array.name.empty() ? "table" : array.name), false});
}

std::string FileText::use_array(size_t index) {
  LANEWISE_CHECK(index < arrays.size(), "a constant array that is not in the module");
  Type element = ir.data[index].element;
  if (element.is_float() && element.bits == 16) helpers.use(type_name(element));
  arrays[index].used = true;
  return arrays[index].name;
}

// What the runtime hands over beyond the function's own parameters (PtxHidden): of all functions, for what is
// raised in them; the counter of the kernel alone.
std::string FileText::hidden_parameters(ir::FunctionId id) const {
  std::string out;
  if (reports()) out = std::string("Failure *") + kRecord + ", unsigned long long " + kLaunch;
  if (ir[id].is_kernel && grid_barrier) out += std::string(out.empty() ? "" : ", ") + "unsigned *" + kCounter;
  return out;
}

std::string FileText::hidden_arguments() const {
  return reports() ? std::string(kRecord) + ", " + kLaunch : std::string{};
}

std::string FileText::signature(ir::FunctionId id, Names& parameter_names,
                                std::vector<std::string>* given) const {
  const ir::Function& function = ir[id];
  bool entry = id.index == 0;
  std::string head = entry ? "extern \"C\" " : "static ";
  head += function.is_kernel ? "__global__ " : "__device__ ";
  head += result_types[id.index] + " ";
  if (function.is_kernel && target.max_threads > 0)
    head += "__launch_bounds__(" + std::to_string(target.max_threads) +
            (target.min_blocks > 0 || target.max_cluster_blocks > 0 ? ", " + std::to_string(target.min_blocks)
                                                                    : "") +
            (target.max_cluster_blocks > 0 ? ", " + std::to_string(target.max_cluster_blocks) : "") + ") ";
  if (const auto& [x, y, z] = target.cluster; function.is_kernel && x > 0)
    head +=
        "__cluster_dims__(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ") ";
  head += functions[id.index] + "(";
  std::vector<ArrayPromise> promises = entry ? array_promises(ir, target.facts) : std::vector<ArrayPromise>{};
  size_t column = head.size(), indent = head.size();
  for (size_t i = 0; i < function.params().size(); ++i) {
    ir::ValueId param = function.params()[i];
    Type type = function.type(param);
    const std::string& hint = function.values[param].name;
    std::string name = parameter_names.make(hint.empty() ? "p" + std::to_string(i) : hint);
    if (given) given->push_back(name);
    std::string one;
    if (type.is_pointer()) {
      bool is_const = type.space == ir::Space::Constant || !written[id.index][param.index];
      one = pointer_name(type, is_const) + (entry && promises[i].no_alias ? "__restrict__ " : "") + name;
    } else {
      one = type_name(type) + " " + name;
    }
    if (i > 0) head += ",", ++column;
    if (i > 0 && column + one.size() > 108) {
      head += "\n" + std::string(std::min<size_t>(indent, 60), ' ');
      column = std::min<size_t>(indent, 60);
    } else if (i > 0) {
      head += " ", ++column;
    }
    head += one;
    column += one.size();
  }
  std::string more = hidden_parameters(id);
  if (!more.empty()) head += (function.params().empty() ? "" : ", ") + more;
  return head + ")";
}

namespace {

std::string result_struct(const FileText& file, ir::FunctionId id) {
  const ir::Function& function = file.ir[id];
  if (function.results.size() < 2) return {};
  std::string out = "struct " + file.result_types[id.index] + " {\n";
  for (size_t i = 0; i < function.results.size(); ++i) {
    Type type = function.results[i];
    out += "  " + type_name(type) + (type.is_pointer() ? "" : " ") + "r" + std::to_string(i) + ";\n";
  }
  return out + "};\n\n";
}

std::string first_lines(const FileText& file, const std::vector<std::string>& options) {
  const ir::Function& entry = file.ir.entry();
  std::string out = "// " + entry.name + ": CUDA C++ by Lanewise. Compile with";
  for (const std::string& option : options) out += " " + option;
  return out + "\n";
}

}  // namespace
}  // namespace cuda_cpp

std::vector<std::string> cuda_options(const ir::Module& module, const PtxTarget& target) {
  std::vector<std::string> options{"-arch=compute_" + std::to_string(target.sm)};
  if (target.ftz || module.entry().float_mode.fast_math) options.push_back("-ftz=true");
  if (target.max_registers > 0) options.push_back("-maxrregcount=" + std::to_string(target.max_registers));
  return options;
}

std::string emit_cuda(const ir::Module& general, const PtxTarget& target, const ir::SourceMap* sources,
                      PtxHidden* hidden) {
  using namespace cuda_cpp;
  ir::Module module = general;
  ir::specialize(module, target.facts);
  check_clusters(module, target);
  FileText file(module, target, sources, hidden);
  if (file.reports()) file.helpers.use("Failure");
  for (const ir::Function& function : module.functions) {
    for (ir::ValueId param : function.params())
      if (ir::Type type = function.type(param).element(); (type.is_float() && type.bits == 16))
        file.helpers.use(type_name(type));
    for (ir::Type type : function.results)
      if (ir::Type element = type.element(); element.is_float() && element.bits == 16)
        file.helpers.use(type_name(element));
  }
  std::string functions, structs;
  for (size_t i = module.functions.size(); i-- > 0;) {
    ir::FunctionId id{static_cast<uint32_t>(i)};
    file.defined[i] = true;
    structs += result_struct(file, id);
    functions += FunctionWriter(file, id).run() + (i > 0 ? "\n" : "");
  }
  std::string arrays;
  for (size_t i = 0; i < module.data.size(); ++i)
    if (file.arrays[i].used) arrays += array_text(module.data[i], file.arrays[i].name, file.constant_bank);
  std::string dynamic =
      file.uses_dynamic_shared ? "extern __shared__ __align__(16) unsigned char dynamic_shared[];\n\n" : "";
  std::string prototypes = file.prototypes.empty() ? "" : file.prototypes + "\n";
  return first_lines(file, cuda_options(module, target)) + "\n" + file.helpers.text() + dynamic + arrays +
         structs + prototypes + functions;
}

}  // namespace lanewise::codegen
