// compile_host() and the texts on the way: IR to an LLVM module, its passes, machine code, the process.
#include "codegen/codegen.h"
#include "codegen/common/fork_guard.h"
#include "codegen/common/llvm_guard.h"
#include "codegen/host/jit.h"
#include "codegen/host/machine.h"
#include "codegen/host/module.h"
#include "codegen/host/object_file.h"
#include "codegen/host/plan.h"
#include "codegen/host/simd/prefetch.h"
#include "codegen/host/simd/shapes.h"
#include "codegen/host/simd/specialise.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "ir/error.h"

namespace lanewise::codegen {
namespace {

using namespace host;

void refuse_cuda_functions(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::CallExternal)
        throw TargetError("`" + module.entry().name +
                          "` calls a function in CUDA C++, which the CPU cannot run");
}

// One compile. LLVM reports what it cannot do by exceptions (llvm_guard.h) that pass through its own frames:
// what was at work then is left alone, never destroyed.
class HostCompile {
 public:
  HostCompile(const ir::Module& module, const HostTarget& target, bool optimized, bool is_object = false)
      : context_(std::make_unique<llvm::LLVMContext>()) {
    install_fatal_error_handler();
    machine_ = &machine_for(target);
    collector_.emplace(*context_);
    refuse_cuda_functions(module);
    guarded([&] {
      module_ = std::make_unique<llvm::Module>(module.entry().name, *context_);
      module_->setTargetTriple(machine_->getTargetTriple());
      module_->setDataLayout(machine_->createDataLayout());
      std::string refused = target.block ? refuses_gangs(module) : "";
      // 32 lanes are eight such vectors, and each masked access a branch for each lane: seconds of compiling.
      constexpr size_t kLongKernel = 200;  // ops
      if (target.block && refused.empty() && vector_bits(*machine_) < 256 &&
          module.entry().ops.size() > kLongKernel)
        refused = "the kernel is long for the short vectors of this machine";
      bool gangs = target.block && refused.empty();
      if (gangs) specialised_ = specialise(module, *target.block, target.facts);
      HostCode code{gangs ? target.block : std::nullopt,
                    vector_bits(*machine_),
                    divider_costs_of(*machine_),
                    has_gathers(*machine_),
                    exchanges_128(*machine_),
                    target.lines,
                    is_object,
                    gangs ? specialised_.facts : ir::LaunchFacts{}};
      emitted = emit_module(gangs ? specialised_.module : module, *module_, code);
      emitted.block = code.block;
      emitted.facts = code.facts;
      if (!refused.empty()) emitted.notes.push_back({{}, "threads run one after the other: " + refused});
      for (llvm::Function& function : *module_) {
        if (function.isDeclaration()) continue;
        function.addFnAttr("target-cpu", machine_->getTargetCPU());
        function.addFnAttr("target-features", machine_->getTargetFeatureString());
      }
      std::string problem;
      llvm::raw_string_ostream out(problem);
      if (llvm::verifyModule(*module_, &out))
        throw ir::InternalError("LLVM refuses the code of a kernel: " + problem);
      // Vector code gains nothing from the slower code generator.
      if (target.optimize == 2 && !emitted.scalar_loops) machine_ = &machine_for({target.cpu, 1, {}});
      if (optimized && target.optimize > 0) {
        optimize(*module_, *machine_, !emitted.scalar_loops);
        for (llvm::Function& function : *module_) insert_prefetches(function);
      }
      collector_->check();
    });
  }
  HostCompile(const HostCompile&) = delete;

  std::string text() {
    std::string result;
    llvm::raw_string_ostream out(result);
    module_->print(out, nullptr);
    return result;
  }
  llvm::SmallVector<char, 0> generate(llvm::CodeGenFileType type) {
    llvm::SmallVector<char, 0> result;
    guarded([&] {
      result = host::generate(*module_, *machine_, type);
      collector_->check();
    });
    return result;
  }

  // Gives the kernel the user's name, for texts.
  void take_name(const std::string& name) {
    if (is_free(name)) module_->getFunction(kEntryName)->setName(name);
  }
  // For become_object() of another compile.
  ShapeCode shape_code() const { return {*emitted.block, emitted.layout, bitcode(*module_)}; }
  // Makes an object file's module of it, with code for some shapes beside the code for any.
  void become_object(const std::string& name, const std::vector<ShapeCode>& shapes) {
    HostLayout layout = emitted.layout;
    guarded([&] {
      for (const ShapeCode& code : shapes) {
        link_shape(*module_, code);
        layout.shared_bytes = std::max(layout.shared_bytes, code.layout.shared_bytes);
        layout.context_bytes_per_thread =
            std::max(layout.context_bytes_per_thread, code.layout.context_bytes_per_thread);
      }
    });
    if (!is_free(name) || !is_free(name + "_layout"))
      throw TargetError("kernel `" + name +
                        "` has the name of a C function that its code calls: give it another name");
    add_entry(*module_, name, shapes);
    add_layout(*module_, name, layout);
  }

  // The symbol that load_object() is to look for: with line tables one that tells kernels apart, for
  // profilers.
  std::string symbol(const HostTarget& target) {
    if (!target.lines) return kEntryName;
    llvm::Function* entry = module_->getFunction(kEntryName);
    entry->setName("lanewise::" + module_->getModuleIdentifier());
    return entry->getName().str();
  }

  EmittedKernel emitted;

 private:
  // Whether the code calls no function of that name, nor may.
  bool is_free(const std::string& name) const {
    bool reserved =
        llvm::StringSwitch<bool>(name).Cases({"memcpy", "memmove", "memset", "memcmp"}, true).Default(false);
    return !reserved && !module_->getNamedValue(name);
  }

  ForkGuard no_fork_;
  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (...) {
      keep_for_good(module_.release());
      keep_for_good(context_.release());
      forget_machines();
      throw;
    }
  }

  std::unique_ptr<llvm::LLVMContext> context_;
  std::optional<DiagnosticCollector> collector_;
  std::unique_ptr<llvm::Module> module_;
  llvm::TargetMachine* machine_ = nullptr;
  Specialised specialised_;
};

class CompiledHostKernel : public HostKernel {
 public:
  CompiledHostKernel(std::unique_ptr<LoadedCode> code, EmittedKernel emitted) : code_(std::move(code)) {
    layout = emitted.layout;
    block = emitted.block;
    facts = emitted.facts;
    outputs = std::move(emitted.outputs);
    errors = std::move(emitted.errors);
    notes = std::move(emitted.notes);
  }
  HostKernelFunction function() const override {
    return reinterpret_cast<HostKernelFunction>(code_->address);
  }

 private:
  std::unique_ptr<LoadedCode> code_;
};

std::string as_string(const llvm::SmallVector<char, 0>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

void check_host(const ir::Module& module) { make_plan(module.entry()); }

ir::LaunchFacts used_facts(const ir::Module& module, const HostTarget& target) {
  if (!target.block || target.facts == ir::LaunchFacts{}) return {};
  return specialise(module, *target.block, target.facts).facts;
}

std::unique_ptr<HostKernel> compile_host(const ir::Module& module, const HostTarget& target) {
  if (target.cpu != "native")
    if (std::string missing = missing_instructions(machine_for(target)); !missing.empty())
      throw TargetError("this machine cannot run code for the CPU `" + target.cpu + "`: it lacks " + missing);
  HostCompile compile(module, target, true);
  std::string symbol = compile.symbol(target);
  std::unique_ptr<LoadedCode> code =
      load_object(compile.generate(llvm::CodeGenFileType::ObjectFile), symbol, target.lines != nullptr);
  return std::make_unique<CompiledHostKernel>(std::move(code), std::move(compile.emitted));
}

std::string host_llvm(const ir::Module& module, const HostTarget& target, bool optimized) {
  HostCompile compile(module, target, optimized);
  compile.take_name(module.entry().name);
  return compile.text();
}

std::string host_assembly(const ir::Module& module, const HostTarget& target) {
  HostCompile compile(module, target, true);
  compile.take_name(module.entry().name);
  return as_string(compile.generate(llvm::CodeGenFileType::AssemblyFile));
}

std::string host_object(const ir::Module& module, const HostTarget& target,
                        const std::vector<BlockShape>& shapes) {
  if (ir::waits_for_grid(module))
    throw TargetError(
        "kernel `" + module.entry().name +
        "` waits for the whole grid, for which an object file has no runtime: launch it from Python "
        "or C++");
  HostTarget one = target;
  std::vector<ShapeCode> codes;
  for (auto shape = shapes.begin(); shape != shapes.end(); ++shape) {
    if (std::find(shapes.begin(), shape, *shape) != shape) continue;  // given before
    one.block = *shape;
    HostCompile gangs(module, one, true, true);
    if (gangs.emitted.block) codes.push_back(gangs.shape_code());  // else one thread after the other
  }
  one.block = std::nullopt;
  HostCompile compile(module, one, true, true);
  compile.become_object(module.entry().name, codes);
  return as_string(compile.generate(llvm::CodeGenFileType::ObjectFile));
}

}  // namespace lanewise::codegen
