// One ORC session with JITLink; the kernels are JITDylibs that link against the absolute symbols of
// symbols.cpp.
#include "codegen/host/jit.h"

#include "codegen/host/debug_support.h"

#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <atomic>

#include "codegen/host/simd/vector_functions.h"
#include "ir/error.h"

namespace lanewise::codegen::host {
namespace {

namespace orc = llvm::orc;

[[noreturn]] void fail(llvm::Error error) {
  throw ir::InternalError("the JIT linker: " + llvm::toString(std::move(error)));
}
template <class T>
T get(llvm::Expected<T> value) {
  if (!value) fail(value.takeError());
  return std::move(*value);
}

// Symbols of libmvec, defined when a kernel first names them.
class VectorFunctions : public orc::DefinitionGenerator {
 public:
  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& dylib,
                            orc::JITDylibLookupFlags, const orc::SymbolLookupSet& names) override {
    orc::SymbolMap symbols;
    for (const auto& [name, flags] : names)
      if (void* address = vector_function_address((*name).str().c_str()))
        symbols[name] = {orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
    return symbols.empty() ? llvm::Error::success() : dylib.define(orc::absoluteSymbols(std::move(symbols)));
  }
};

// Never destroyed: kernels may be freed by destructors of static objects.
struct Session {
  orc::ExecutionSession session{std::make_unique<DebuggableProcess>()};
  orc::ObjectLinkingLayer layer{session, session.getExecutorProcessControl().getMemMgr()};
  // The same, telling gdb of what it links.
  orc::ObjectLinkingLayer debug_layer{session, session.getExecutorProcessControl().getMemMgr()};
  orc::JITDylib& runtime{session.createBareJITDylib("runtime")};
  std::atomic<uint64_t> kernels{0};

  Session() {
    session.setErrorReporter([](llvm::Error error) { llvm::consumeError(std::move(error)); });
    orc::SymbolMap symbols;
    for (size_t i = 0; i < kRuntimeSymbolCount; ++i)
      symbols[session.intern(kRuntimeSymbols[i].name)] = {
          orc::ExecutorAddr::fromPtr(kRuntimeSymbols[i].address), llvm::JITSymbolFlags::Exported};
    runtime.addGenerator(std::make_unique<VectorFunctions>());
    if (llvm::Error error = runtime.define(orc::absoluteSymbols(std::move(symbols)))) fail(std::move(error));
    if (perf_is_asked_for()) {
      for (std::shared_ptr<orc::ObjectLinkingLayer::Plugin> plugin : perf_plugins(session)) {
        layer.addPlugin(plugin);
        debug_layer.addPlugin(plugin);
      }
    }
    debug_layer.addPlugin(gdb_plugin(session));
  }
  static Session& instance() {
    static Session* made = new Session;
    return *made;
  }
};

class LoadedObject : public LoadedCode {
 public:
  explicit LoadedObject(orc::JITDylib& dylib) : dylib_(&dylib) {}
  ~LoadedObject() override { llvm::consumeError(Session::instance().session.removeJITDylib(*dylib_)); }

 private:
  orc::JITDylib* dylib_;
};

}  // namespace

std::unique_ptr<LoadedCode> load_object(llvm::SmallVector<char, 0> object, const std::string& symbol,
                                        bool debug) {
  Session& s = Session::instance();
  std::string name = "kernel" + std::to_string(s.kernels.fetch_add(1));
  orc::JITDylib& dylib = s.session.createBareJITDylib(name);
  auto loaded = std::make_unique<LoadedObject>(dylib);
  dylib.addToLinkOrder(s.runtime);
  auto buffer = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object), name, false);
  if (llvm::Error error = (debug ? s.debug_layer : s.layer).add(dylib, std::move(buffer)))
    fail(std::move(error));
  loaded->address = get(s.session.lookup({&dylib}, s.session.intern(symbol))).getAddress().toPtr<void*>();
  return loaded;
}

}  // namespace lanewise::codegen::host
