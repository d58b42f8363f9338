// emit_cuda(): a module of IR that has been through the pipeline in, a file of CUDA C++ out: what to compile
// it with, the functions of the preamble that are called, constant arrays, device functions, the kernel.
#include <algorithm>

#include "codegen/common/array_promises.h"
#include "codegen/cuda_cpp/pointers.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/scalar_ops.h"

namespace lanewise::codegen {
namespace cuda_cpp {

using ir::Type;

namespace {

constexpr size_t kConstantBankBytes = 65536;  // what a launch can address as constant memory

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

FileText::FileText(const ir::Module& module, const PtxTarget& ptx_target, const ir::SourceMap* source_map)
    : ir(module),
      target(ptx_target),
      sources(source_map),
      written(written_pointers(module)),
      defined(module.functions.size()) {
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

std::string FileText::signature(ir::FunctionId id, Names& parameter_names,
                                std::vector<std::string>* given) const {
  const ir::Function& function = ir[id];
  bool entry = id.index == 0;
  std::string head = entry ? "extern \"C\" " : "static ";
  head += function.is_kernel ? "__global__ " : "__device__ ";
  head += result_types[id.index] + " ";
  if (function.is_kernel && target.max_threads > 0)
    head += "__launch_bounds__(" + std::to_string(target.max_threads) +
            (target.min_blocks > 0 ? ", " + std::to_string(target.min_blocks) : "") + ") ";
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

std::string emit_cuda(const ir::Module& general, const PtxTarget& target, const ir::SourceMap* sources) {
  using namespace cuda_cpp;
  ir::Module module = general;
  ir::specialize(module, target.facts);
  FileText file(module, target, sources);
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
  size_t bytes = 0;
  for (const ir::DataArray& array : module.data) bytes = (bytes + 15) / 16 * 16 + array.bytes.size();
  std::string arrays;
  for (size_t i = 0; i < module.data.size(); ++i)
    if (file.arrays[i].used)
      arrays += array_text(module.data[i], file.arrays[i].name, bytes <= kConstantBankBytes);
  std::string dynamic =
      file.uses_dynamic_shared ? "extern __shared__ __align__(16) unsigned char dynamic_shared[];\n\n" : "";
  std::string prototypes = file.prototypes.empty() ? "" : file.prototypes + "\n";
  return first_lines(file, cuda_options(module, target)) + "\n" + file.helpers.text() + dynamic + arrays +
         structs + prototypes + functions;
}

}  // namespace lanewise::codegen
