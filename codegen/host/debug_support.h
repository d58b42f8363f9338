// What debuggers and profilers are told of compiled kernels: gdb by its JIT interface, perf by a jitdump
// file.
#pragma once
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>

#include <memory>
#include <vector>

namespace lanewise::codegen::host {

// This process, with gdb's registration function where the plugin looks for it: it would ask the dynamic
// linker, but this library shows none of LLVM's symbols.
class DebuggableProcess : public llvm::orc::SelfExecutorProcessControl {
 public:
  DebuggableProcess();
};

// Tells gdb of each object with line tables.
std::unique_ptr<llvm::orc::ObjectLinkingLayer::Plugin> gdb_plugin(llvm::orc::ExecutionSession& session);

// Whether LANEWISE_PERF asks for it.
bool perf_is_asked_for();
// Writes each object to ~/.debug/jit/*/jit-PID.dump (or below JITDUMPDIR), for `perf inject --jit`.
std::vector<std::shared_ptr<llvm::orc::ObjectLinkingLayer::Plugin>> perf_plugins(
    llvm::orc::ExecutionSession& session);

}  // namespace lanewise::codegen::host
