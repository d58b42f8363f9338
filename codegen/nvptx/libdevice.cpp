#include "codegen/nvptx/libdevice.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <map>
#include <mutex>

#include "codegen/codegen.h"
#include "codegen/cuda_toolkit.h"

namespace lanewise::codegen {
namespace {
// The file's bytes, read once and kept: compiles read functions out of them lazily.
llvm::MemoryBufferRef contents(const std::string& path) {
  static auto* mutex = new std::mutex;
  static auto* files = new std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>>;
  std::scoped_lock lock(*mutex);
  auto& buffer = (*files)[path];
  if (!buffer) {
    auto read = llvm::MemoryBuffer::getFile(path);
    if (!read) throw TargetError("libdevice cannot be read: " + path + ": " + read.getError().message());
    buffer = std::move(*read);
  }
  return buffer->getMemBufferRef();
}

}  // namespace

std::string find_libdevice(std::vector<std::string>* searched) {
  return find(ToolkitPiece::Libdevice, searched);
}

void link_libdevice(llvm::Module& module, const std::string& path) {
  std::string file = path.empty() ? find_libdevice() : path;
  if (file.empty())
    throw TargetError("this kernel calls mathematical functions: " + missing_text(ToolkitPiece::Libdevice));
  auto library = llvm::getLazyBitcodeModule(contents(file), module.getContext());
  if (!library)
    throw TargetError("libdevice is damaged: " + file + ": " + llvm::toString(library.takeError()));
  // The library is written for any NVPTX target and says so with a triple of its own.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool failed =
      llvm::Linker::linkModules(module, std::move(*library), llvm::Linker::LinkOnlyNeeded,
                                [](llvm::Module& linked, const llvm::StringSet<>& names) {
                                  llvm::internalizeModule(linked, [&](const llvm::GlobalValue& value) {
                                    return !value.hasName() || names.count(value.getName()) == 0;
                                  });
                                });
  LANEWISE_CHECK(!failed, "libdevice does not link: " + file);
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      throw TargetError("libdevice has no " + function.getName().str() + ": " + file);
}

}  // namespace lanewise::codegen
