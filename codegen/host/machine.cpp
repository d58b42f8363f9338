// TargetMachines, one for each thread and target, and the legacy pass manager that generates code with them.
#include "codegen/host/machine.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <map>

#include "codegen/common/llvm_guard.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

using Machines = std::map<std::pair<std::string, unsigned>, std::unique_ptr<llvm::TargetMachine>>;
thread_local Machines machines;

std::unique_ptr<llvm::TargetMachine> make_machine(const HostTarget& target) {
  initialize_targets();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target* found = llvm::TargetRegistry::lookupTarget(triple, error);
  LANEWISE_CHECK(found, "LLVM does not know this machine: " + error);
  static const std::string native_cpu = host_cpu_name(), native_features = host_cpu_features();
  bool native = target.cpu == "native";
  // Asked before: createTargetMachine would print what it does not know, and go on.
  std::unique_ptr<llvm::MCSubtargetInfo> any(found->createMCSubtargetInfo(triple, "", ""));
  if (!native && !any->isCPUStringValid(target.cpu))
    throw TargetError("LLVM " + llvm_version() + " knows no CPU `" + target.cpu +
                      "`; say native, or a name such as x86-64, haswell, skylake-avx512, znver4");
  if (triple.isX86() && !native &&
      !std::unique_ptr<llvm::MCSubtargetInfo>(found->createMCSubtargetInfo(triple, target.cpu, ""))
           ->checkFeatures("+64bit"))
    throw TargetError("the CPU `" + target.cpu +
                      "` runs no code of 64 bits; say native, or a name such as x86-64");
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  constexpr llvm::CodeGenOptLevel kLevels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                               llvm::CodeGenOptLevel::Default};
  llvm::CodeGenOptLevel level = kLevels[std::min(target.optimize, 2u)];
  std::unique_ptr<llvm::TargetMachine> machine(
      found->createTargetMachine(triple, native ? native_cpu : target.cpu, native ? native_features : "",
                                 options, llvm::Reloc::PIC_, llvm::CodeModel::Small, level, true));
  LANEWISE_CHECK(machine, "LLVM makes no code for this machine");
  return machine;
}

// Whether it is an x86 with the feature.
bool has(const llvm::TargetMachine& machine, const char* feature) {
  return machine.getTargetTriple().isX86() && machine.getMCSubtargetInfo()->checkFeatures(feature);
}

}  // namespace

llvm::TargetMachine& machine_for(const HostTarget& target) {
  std::unique_ptr<llvm::TargetMachine>& machine = machines[{target.cpu, target.optimize}];
  if (!machine) machine = make_machine(target);
  return *machine;
}

std::string missing_instructions(const llvm::TargetMachine& machine) {
  constexpr std::string_view kUsed[] = {"avx",   "bmi",   "cx16",   "f16c", "fma",  "gfni",
                                        "lzcnt", "movbe", "popcnt", "sse",  "ssse3"};
  std::vector<std::string> missing;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    llvm::StringRef name = feature.first();
    bool is_used = llvm::any_of(kUsed, [&](std::string_view start) { return name.starts_with(start); });
    if (is_used && !feature.second && machine.getMCSubtargetInfo()->checkFeatures(("+" + name).str()))
      missing.push_back(name.str());
  }
  std::ranges::sort(missing);
  return llvm::join(missing, ", ");
}

unsigned vector_bits(const llvm::TargetMachine& machine) {
  if (has(machine, "+avx512f") && has(machine, "+avx512dq")) return 512;
  return has(machine, "+avx2") ? 256 : 128;
}

bool exchanges_128(const llvm::TargetMachine& machine) { return has(machine, "+cx16"); }

bool has_gathers(const llvm::TargetMachine& machine) {
  return vector_bits(machine) == 512 || has(machine, "+fast-gather");
}

const DividerCosts& divider_costs_of(const llvm::TargetMachine& machine) {
  llvm::StringRef cpu = machine.getTargetCPU();
  return divider_costs({cpu.data(), cpu.size()}, vector_bits(machine), has(machine, "+fma"));
}

void forget_machines() {
  for (auto& [key, machine] : machines) keep_for_good(machine.release());
  machines.clear();
}

llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine,
                                    llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream out(result);
  llvm::legacy::PassManager passes;
  bool refused = machine.addPassesToEmitFile(passes, out, nullptr, type);
  LANEWISE_CHECK(!refused, "LLVM cannot write this kind of file");
  passes.run(module);
  return result;
}

}  // namespace lanewise::codegen::host
