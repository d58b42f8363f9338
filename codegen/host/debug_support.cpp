#include "codegen/host/debug_support.h"

#include <llvm/ExecutionEngine/Orc/Debugging/DebugInfoSupport.h>
#include <llvm/ExecutionEngine/Orc/Debugging/ELFDebugObjectPlugin.h>
#include <llvm/ExecutionEngine/Orc/Debugging/PerfSupportPlugin.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h>
#include <llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderPerf.h>
#include <llvm/Support/Process.h>
#include <llvm/TargetParser/Host.h>

#include <cstdlib>

#include "ir/error.h"

namespace lanewise::codegen::host {

namespace orc = llvm::orc;

DebuggableProcess::DebuggableProcess()
    : SelfExecutorProcessControl(
          std::make_shared<orc::SymbolStringPool>(), std::make_unique<orc::InPlaceTaskDispatcher>(),
          llvm::Triple(llvm::sys::getProcessTriple()), llvm::sys::Process::getPageSizeEstimate(), nullptr) {
  BootstrapSymbols["llvm_orc_registerJITLoaderGDBAllocAction"] =
      orc::ExecutorAddr::fromPtr(&llvm_orc_registerJITLoaderGDBAllocAction);
}

std::unique_ptr<orc::ObjectLinkingLayer::Plugin> gdb_plugin(orc::ExecutionSession& session) {
  llvm::Error error = llvm::Error::success();
  auto plugin = std::make_unique<orc::ELFDebugObjectPlugin>(session, true, true, error);
  if (error) throw ir::InternalError("the JIT's support for gdb: " + llvm::toString(std::move(error)));
  return plugin;
}

bool perf_is_asked_for() {
  const char* asked = std::getenv("LANEWISE_PERF");
  return asked && *asked && *asked != '0';
}

std::vector<std::shared_ptr<orc::ObjectLinkingLayer::Plugin>> perf_plugins(orc::ExecutionSession& session) {
  auto address = [](auto* function) { return orc::ExecutorAddr::fromPtr(function); };
  auto writer = std::make_shared<orc::PerfSupportPlugin>(
      session.getExecutorProcessControl(), address(&llvm_orc_registerJITLoaderPerfStart),
      address(&llvm_orc_registerJITLoaderPerfEnd), address(&llvm_orc_registerJITLoaderPerfImpl), true, true);
  // The writer reads line tables from what is linked, where they are no longer unless they are kept.
  return {std::make_shared<orc::DebugInfoPreservationPlugin>(), std::move(writer)};
}

}  // namespace lanewise::codegen::host
