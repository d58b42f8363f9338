// emit_ptx(): a module of IR that has been through the pipeline in, PTX text out. Lowering to LLVM IR,
// libdevice, LLVM's O3 pipeline, its PTX printer.
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>

#include "codegen/codegen.h"
#include "codegen/common/fork_guard.h"
#include "codegen/common/line_info.h"
#include "codegen/common/llvm_guard.h"
#include "codegen/nvptx/chain_conditions.h"
#include "codegen/nvptx/libdevice.h"
#include "codegen/nvptx/lower.h"
#include "codegen/nvptx/pin_counters.h"
#include "codegen/nvptx/target.h"
#include "codegen/nvptx/widen_shift_guards.h"

namespace lanewise::codegen {
namespace {

// Kernel parameters beyond this many bytes need PTX 8.1 and sm_70; beyond the last number there is no way.
constexpr uint64_t kSmallParameterBytes = 4352, kMaxParameterBytes = 32764;

// libdevice has instructions that are younger than sm_35: rsqrt.approx.ftz.f64.
constexpr int kLibdeviceVersion = 40;

int parameters_ptx_version(const ir::Module& module, const PtxTarget& target, size_t hidden_count) {
  const ir::Function& entry = module.entry();
  uint64_t bytes = 8 * hidden_count;
  for (ir::ValueId id : entry.params()) {
    uint64_t size = entry.type(id).size();
    bytes = (bytes + size - 1) / size * size + size;
  }
  if (!entry.is_kernel || bytes <= kSmallParameterBytes) return 0;
  if (bytes > kMaxParameterBytes || target.sm < 70)
    throw TargetError("the parameters of `" + entry.name + "` take " + std::to_string(bytes) +
                      " bytes, and sm_" + std::to_string(target.sm) + " has room for " +
                      std::to_string(target.sm < 70 ? kSmallParameterBytes : kMaxParameterBytes));
  return 81;
}

void verify(const llvm::Module& module) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (llvm::verifyModule(module, &out)) throw ir::InternalError("malformed LLVM IR for PTX: " + message);
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  // O3: at O2 local arrays stay in local memory. The machine's callbacks resolve libdevice's __nvvm_reflect.
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  widen_shift_guards(module);
  pin_counters(module);
  chain_conditions(module);
}

// The entry gets the user's name last, when nothing of libdevice or ours can be meant by it any more.
void name_entry(llvm::Module& module, llvm::Function* entry, const std::string& name) {
  std::string wanted = ptx_name(name);
  if (llvm::GlobalValue* other = module.getNamedValue(wanted); other && other != entry)
    other->setName(wanted + ".internal");
  entry->setName(wanted);
}

// Builds and optimises; the caller's context and module hold the result.
llvm::TargetMachine& build(const ir::Module& ir, const PtxTarget& target, const ir::SourceMap* sources,
                           bool optimized, llvm::Module& module, PtxHidden* hidden = nullptr) {
  // The data layout is the same for every version; which one is needed is known when all is lowered.
  llvm::TargetMachine& any_machine = ptx_target_machine(target.sm, minimum_ptx_version(target.sm));
  module.setTargetTriple(any_machine.getTargetTriple());
  module.setDataLayout(any_machine.createDataLayout());
  bool ftz = target.ftz || ir.entry().float_mode.fast_math;
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", ftz ? 1 : 0);
  ModuleLowering lowering(ir, target, module, hidden);
  lowering.sources = sources;
  std::unique_ptr<LineInfo> lines;
  if (target.line_info && sources && sources->size() > 0) {
    lines = std::make_unique<LineInfo>(module, *sources, LineInfo::Kind::Directives);
    lowering.lines = lines.get();
  }
  lower_module(lowering);
  if (lines) lines->finish();
  verify(module);
  if (lowering.uses_libdevice) lowering.require_ptx(kLibdeviceVersion);
  int needed =
      std::max(lowering.needed_ptx_version, parameters_ptx_version(ir, target, lowering.hidden_count()));
  llvm::TargetMachine& machine = ptx_target_machine(target.sm, choose_ptx_version(target, needed));
  if (optimized && lowering.uses_libdevice) link_libdevice(module, target.libdevice);
  name_entry(module, lowering.functions.front(), ir.entry().name);
  if (optimized) optimize(module, machine);
  return machine;
}

// Runs `work` so that LLVM's fatal errors arrive as exceptions, after which its machines are not used again.
template <class Work>
std::string guarded(const std::string& name, Work work) {
  ForkGuard no_fork;
  install_fatal_error_handler();
  llvm::LLVMContext context;
  DiagnosticCollector diagnostics(context);
  llvm::Module module(name, context);
  try {
    std::string text = work(module);
    diagnostics.check();
    return text;
  } catch (const TargetError&) {
    throw;  // of our own, not through LLVM
  } catch (...) {
    drop_ptx_target_machines();
    throw;
  }
}

}  // namespace

std::string emit_ptx(const ir::Module& general, const PtxTarget& target, const ir::SourceMap* sources,
                     PtxHidden* hidden) {
  ir::Module ir = general;
  ir::specialize(ir, target.facts);
  return guarded(ir.entry().name, [&](llvm::Module& module) {
    llvm::TargetMachine& machine = build(ir, target, sources, true, module, hidden);
    llvm::SmallString<0> text;
    llvm::raw_svector_ostream out(text);
    llvm::legacy::PassManager passes;
    bool refused = machine.addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile);
    LANEWISE_CHECK(!refused, "LLVM cannot print PTX");
    passes.run(module);
    return std::string(text);
  });
}

std::string ptx_llvm(const ir::Module& general, const PtxTarget& target, bool optimized) {
  ir::Module ir = general;
  ir::specialize(ir, target.facts);
  return guarded(ir.entry().name, [&](llvm::Module& module) {
    build(ir, target, nullptr, optimized, module);
    std::string text;
    llvm::raw_string_ostream out(text);
    module.print(out, nullptr);
    return text;
  });
}

}  // namespace lanewise::codegen
