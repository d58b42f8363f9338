// Types, functions and module-wide memory.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstdio>

#include "codegen/common/gpu_module.h"
#include "codegen/common/target_limits.h"
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {
namespace {

// Larger arrays that are not in constant memory do not go into the text, where a byte takes four.
constexpr size_t kTextBytes = 4096;
// What arrays of fixed size may take; more needs dynamic shared memory.
constexpr int64_t kStaticSharedBytes = 49152;
// Local memory of a thread.
constexpr int64_t kLocalBytes = 512 * 1024;

llvm::FunctionType* function_type(ModuleLowering& m, const ir::Function& function) {
  llvm::SmallVector<llvm::Type*, 16> params;
  for (ir::ValueId id : function.params()) {
    ir::Type type = function.type(id);
    params.push_back(function.is_kernel && type.is_bool() ? element_type(m.context, type) : m.type(type));
  }
  for (llvm::Type* hidden : m.hidden_types()) params.push_back(hidden);
  llvm::SmallVector<llvm::Type*, 4> results;
  for (ir::Type type : function.results) results.push_back(m.type(type));
  llvm::Type* result = results.empty()       ? llvm::Type::getVoidTy(m.context)
                       : results.size() == 1 ? results[0]
                                             : llvm::StructType::get(m.context, results);
  return llvm::FunctionType::get(result, params, false);
}

void set_launch_bounds(llvm::Function* kernel, const PtxTarget& target) {
  if (target.max_threads > 0) kernel->addFnAttr("nvvm.maxntid", std::to_string(target.max_threads));
  if (target.min_blocks > 0) kernel->addFnAttr("nvvm.minctasm", std::to_string(target.min_blocks));
  if (const auto& [x, y, z] = target.cluster; x > 0)
    kernel->addFnAttr("nvvm.cluster_dim",
                      std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z));
  if (target.max_cluster_blocks > 0)
    kernel->addFnAttr("nvvm.maxclusterrank", std::to_string(target.max_cluster_blocks));
  if (target.max_registers > 0) kernel->addFnAttr("nvvm.maxnreg", std::to_string(target.max_registers));
}

llvm::Function* declare(ModuleLowering& m, const ir::Function& function, bool is_entry) {
  auto linkage = is_entry ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
  // Names with a dot cannot meet a user's or libdevice's; emit.cpp names the entry when all is linked.
  auto* made = llvm::Function::Create(function_type(m, function), linkage,
                                      is_entry ? "lanewise.entry" : "lanewise.fn." + ptx_name(function.name),
                                      m.module);
  if (function.is_kernel) {
    made->setCallingConv(llvm::CallingConv::PTX_Kernel);
    set_launch_bounds(made, m.target);
  }
  made->addFnAttr(llvm::Attribute::NoUnwind);
  // Threads may wait for each other in loops that LLVM cannot see an effect of.
  if (m.target.ftz || m.ir.entry().float_mode.fast_math)
    made->addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  for (size_t i = 0; i < function.params().size(); ++i) {
    const std::string& name = function.values[function.params()[i]].name;
    made->getArg(static_cast<unsigned>(i))->setName(name);
  }
  return made;
}

}  // namespace

ModuleLowering::ModuleLowering(const ir::Module& ir_module, const PtxTarget& ptx_target,
                               llvm::Module& llvm_module, PtxHidden* hidden_parameters)
    : ir(ir_module),
      target(ptx_target),
      module(llvm_module),
      context(llvm_module.getContext()),
      data(ir_module.data.size()),
      hidden(hidden_parameters),
      grid_barrier(ir::waits_for_grid(ir_module)) {
  if (!fits_constant_bank(ir)) constant_space = 1;
  if (!hidden) return;
  hidden->data.clear();
  for (size_t i = 0; i < ir.data.size(); ++i)
    if (constant_space == 1 && ir.data[i].bytes.size() > kTextBytes) hidden->data.push_back(i);
  hidden->record = has_reports(ir);
}

std::vector<llvm::Type*> ModuleLowering::hidden_types() const {
  llvm::Type* pointer = llvm::PointerType::get(context, 1);
  std::vector<llvm::Type*> types(hidden ? hidden->data.size() : 0, pointer);
  if (hidden && hidden->record) types.insert(types.end(), {pointer, llvm::Type::getInt64Ty(context)});
  if (grid_barrier) types.push_back(pointer);
  return types;
}

llvm::Type* ModuleLowering::type(ir::Type type) const {
  return type.is_pointer() ? llvm::PointerType::get(context, address_space(type.space))
                           : scalar_type(context, type);
}

// Local pointers stay generic: they come from allocas, which LLVM's own passes take to local memory, or away.
unsigned ModuleLowering::address_space(ir::Space space) const {
  switch (space) {
    case ir::Space::Global: return 1;
    case ir::Space::Shared: return 3;
    case ir::Space::Constant: return constant_space;
    case ir::Space::Local:
    case ir::Space::Generic:
    case ir::Space::None: break;
  }
  return 0;
}

llvm::Constant* ModuleLowering::data_address(size_t index) {
  LANEWISE_CHECK(index < data.size(), "a constant array that is not in the module");
  llvm::GlobalVariable*& global = data[index];
  if (!global) {
    const ir::DataArray& array = ir.data[index];
    // As typed elements PTX would carry decimal floats; bytes are exact and short enough.
    llvm::Constant* bytes = llvm::ConstantDataArray::getString(
        context, array.bytes.empty() ? std::string(1, '\0') : array.bytes, false);
    global = new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::InternalLinkage,
                                      bytes, "lanewise_data_" + std::to_string(index), nullptr,
                                      llvm::GlobalValue::NotThreadLocal, constant_space);
    global->setAlignment(llvm::Align(kConstantAlignment));
  }
  return global;
}

llvm::Constant* ModuleLowering::dynamic_shared_address() {
  if (!dynamic_shared) {
    auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), 0);
    dynamic_shared =
        new llvm::GlobalVariable(module, bytes, false, llvm::GlobalValue::ExternalLinkage, nullptr,
                                 "lanewise_dynamic_shared", nullptr, llvm::GlobalValue::NotThreadLocal, 3);
    dynamic_shared->setAlignment(llvm::Align(16));
  }
  return dynamic_shared;
}

llvm::Constant* ModuleLowering::text_address(const std::string& text) {
  llvm::Constant*& known = texts[text];
  if (known) return known;
  llvm::Constant* bytes = llvm::ConstantDataArray::getString(context, text, true);
  auto* global =
      new llvm::GlobalVariable(module, bytes->getType(), true, llvm::GlobalValue::InternalLinkage, bytes,
                               "lanewise_text", nullptr, llvm::GlobalValue::NotThreadLocal, 1);
  global->setAlignment(llvm::Align(1));
  return known = llvm::ConstantExpr::getAddrSpaceCast(global, llvm::PointerType::get(context, 0));
}

llvm::Constant* ModuleLowering::new_shared_array(ir::Type element, int64_t count) {
  auto* type = llvm::ArrayType::get(element_type(context, element),
                                    static_cast<uint64_t>(std::max<int64_t>(count, 1)));
  auto* array = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                         llvm::PoisonValue::get(type), "lanewise_shared", nullptr,
                                         llvm::GlobalValue::NotThreadLocal, 3);
  shared_bytes += static_cast<int64_t>(type->getNumElements()) * element.element_size();
  // Room for vector loads; shared memory is handed out in bigger pieces anyway. Bytes may be records.
  bool wide = static_cast<uint64_t>(count) * element.element_size() >= 16 || element == ir::kU8;
  array->setAlignment(llvm::Align(wide ? 16 : element.element_size()));
  return array;
}

void ModuleLowering::check_memory() const {
  const std::string& name = ir.entry().name;
  if (shared_bytes > kStaticSharedBytes)
    throw TargetError(
        "the shared arrays of `" + name + "` take " + std::to_string(shared_bytes) +
        " bytes; CUDA has room for " + std::to_string(kStaticSharedBytes) +
        " in arrays of fixed size: make them smaller, or use dynamic shared memory (a shape of 0 and the "
        "number of bytes at the launch)");
  if (local_bytes > kLocalBytes)
    throw TargetError("the local arrays of `" + name + "` take " + std::to_string(local_bytes) +
                      " bytes; a thread has " + std::to_string(kLocalBytes));
}

std::string ptx_name(std::string_view name) {
  std::string out;
  for (size_t i = 0; i < name.size();) {
    auto c = static_cast<unsigned char>(name[i]);
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
    bool digit = c >= '0' && c <= '9';
    if (c < 128 && (letter || (digit && i > 0))) {
      out += name[i++];
      continue;
    }
    size_t length = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? c : c & (0xFFu >> (length + 1));
    for (size_t k = 1; k < length && i + k < name.size(); ++k)
      point = point << 6 | (static_cast<unsigned char>(name[i + k]) & 0x3Fu);
    char text[16];
    std::snprintf(text, sizeof text, "_u%04X", point);
    out += text;
    i += length;
  }
  return out.empty() ? "kernel" : out;
}

// Copies of data are never written, and nothing else points to them.
static void describe_hidden(ModuleLowering& m) {
  for (size_t i = 0; m.hidden && i < m.hidden->data.size(); ++i)
    for (size_t k = 0; k < m.functions.size(); ++k) {
      auto index = static_cast<unsigned>(m.ir.functions[k].params().size() + i);
      m.functions[k]->addParamAttr(index, llvm::Attribute::NoAlias);
      m.functions[k]->addParamAttr(index, llvm::Attribute::ReadOnly);
      m.functions[k]->addParamAttr(
          index, llvm::Attribute::getWithAlignment(m.context, llvm::Align(kConstantAlignment)));
    }
}

// For who reads what an assembler says of inline PTX; the line above the user's.
std::string ModuleLowering::place_comment(const ir::Op& op) const {
  if (!sources || op.range.file >= sources->size() || op.range == ir::SourceRange{}) return {};
  std::string out;
  for (char c : sources->file(op.range.file).name) {
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
    out += c == '$' ? "$$" : std::string(1, c);
  }
  return "// " + out + ", line " + std::to_string(sources->position(op.range).line) + "\n\t";
}

void lower_module(ModuleLowering& m) {
  check_clusters(m.ir, m.target);
  for (size_t i = 0; i < m.ir.functions.size(); ++i)
    m.functions.push_back(declare(m, m.ir.functions[i], i == 0));
  describe_arrays(m);
  describe_hidden(m);
  for (size_t i = 0; i < m.ir.functions.size(); ++i)
    FunctionLowering(m, m.ir.functions[i], m.functions[i]).run();
  m.check_memory();
}

}  // namespace lanewise::codegen
