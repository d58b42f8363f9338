#include "codegen/nvptx/target.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>

#include <algorithm>
#include <map>
#include <memory>

#include "codegen/common/llvm_guard.h"

namespace lanewise::codegen {
namespace {

// The PTX version is the first whose ISA has the architecture, but never below 3.2, LLVM's oldest.
constexpr struct {
  int sm, ptx_version;
} kArchitectures[] = {{35, 32}, {37, 41}, {50, 40},  {52, 41},  {53, 42},  {60, 50},  {61, 50},
                      {62, 50}, {70, 60}, {72, 61},  {75, 63},  {80, 70},  {86, 71},  {87, 74},
                      {89, 78}, {90, 78}, {100, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};

// What LLVM 22 can write.
constexpr int kPtxVersions[] = {32, 40, 41, 42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73,
                                74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};

std::string version_text(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

using Machines = std::map<std::pair<int, int>, std::unique_ptr<llvm::TargetMachine>>;
Machines& machines() {
  thread_local Machines the_machines;
  return the_machines;
}

// Pointers into shared, constant and local memory have 32 bits, as nvcc's: LLVM has this as an option of its
// command line only, which no other target reads.
void use_short_pointers() {
  llvm::cl::Option* option = llvm::cl::getRegisteredOptions().lookup("nvptx-short-ptr");
  LANEWISE_CHECK(option, "LLVM has no option for short pointers");
  option->addOccurrence(0, "nvptx-short-ptr", "true");
}

const llvm::Target& nvptx_target() {
  static const llvm::Target* target = [] {
    initialize_targets();
    std::string error;
    const llvm::Target* found =
        llvm::TargetRegistry::lookupTarget(llvm::Triple("nvptx64-nvidia-cuda"), error);
    LANEWISE_CHECK(found, error);
    use_short_pointers();
    return found;
  }();
  return *target;
}

}  // namespace

const std::vector<int>& ptx_architectures() {
  static const auto* list = [] {
    auto* made = new std::vector<int>;
    for (const auto& architecture : kArchitectures) made->push_back(architecture.sm);
    return made;
  }();
  return *list;
}

int minimum_ptx_version(int sm) {
  for (const auto& architecture : kArchitectures)
    if (architecture.sm == sm) return architecture.ptx_version;
  std::string known;
  for (int one : ptx_architectures()) known += (known.empty() ? "sm_" : ", sm_") + std::to_string(one);
  throw TargetError("sm_" + std::to_string(sm) +
                    " is not an architecture that code can be made for; these are: " + known);
}

int choose_ptx_version(const PtxTarget& target, int needed) {
  int lowest = std::max(minimum_ptx_version(target.sm), needed);
  if (target.ptx_version == 0) return lowest;
  if (std::find(std::begin(kPtxVersions), std::end(kPtxVersions), target.ptx_version) ==
      std::end(kPtxVersions))
    throw TargetError("PTX " + version_text(target.ptx_version) +
                      " is not a version that can be written; the newest is " +
                      version_text(*std::rbegin(kPtxVersions)));
  if (target.ptx_version < lowest)
    throw TargetError("PTX " + version_text(target.ptx_version) + " is too old for this code and sm_" +
                      std::to_string(target.sm) + ": " + version_text(lowest) + " is needed");
  return target.ptx_version;
}

llvm::TargetMachine& ptx_target_machine(int sm, int ptx_version) {
  auto& machine = machines()[{sm, ptx_version}];
  if (!machine) {
    // The feature is left off where it says nothing new: then LLVM writes the architecture's own minimum.
    std::string features = ptx_version == minimum_ptx_version(sm) ? "" : "+ptx" + std::to_string(ptx_version);
    machine.reset(nvptx_target().createTargetMachine(
        llvm::Triple("nvptx64-nvidia-cuda"), "sm_" + std::to_string(sm), features, llvm::TargetOptions(),
        std::nullopt, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
    LANEWISE_CHECK(machine, "no target machine for sm_" + std::to_string(sm));
  }
  return *machine;
}

void drop_ptx_target_machines() { machines().clear(); }

}  // namespace lanewise::codegen
