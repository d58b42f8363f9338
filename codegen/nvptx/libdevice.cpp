#include "codegen/nvptx/libdevice.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "codegen/codegen.h"

namespace lanewise::codegen {
namespace {
namespace fs = std::filesystem;

constexpr const char* kFileName = "libdevice.10.bc";

// Sorted entries of a folder, newest version names last; empty if there is no such folder.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

// The wheels nvidia-cuda-nvcc and nvidia-nvvm of one Python environment put the file into
// lib/python3.x/site-packages/nvidia/<component>/nvvm/libdevice.
void add_environment(const fs::path& root, std::vector<std::string>& places) {
  for (const fs::path& python : entries(root / "lib")) {
    if (!python.filename().string().starts_with("python3")) continue;
    for (const char* packages : {"site-packages", "dist-packages"}) {
      std::vector<fs::path> components = entries(python / packages / "nvidia");
      std::reverse(components.begin(), components.end());
      for (const fs::path& component : components)
        places.push_back((component / "nvvm/libdevice" / kFileName).string());
    }
  }
}

std::vector<std::string> candidates() {
  std::vector<std::string> places;
  auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (std::string set = variable("LANEWISE_LIBDEVICE"); !set.empty()) {
    std::error_code error;
    places.push_back(fs::is_directory(set, error) ? (fs::path(set) / kFileName).string() : set);
  }
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string set = variable(name); !set.empty())
      places.push_back((fs::path(set) / "nvvm/libdevice" / kFileName).string());
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::string set = variable(name); !set.empty()) {
      add_environment(set, places);
      places.push_back((fs::path(set) / "nvvm/libdevice" / kFileName).string());
    }
  places.push_back((fs::path("/usr/local/cuda/nvvm/libdevice") / kFileName).string());
  std::vector<fs::path> toolkits = entries("/usr/local");
  std::reverse(toolkits.begin(), toolkits.end());
  for (const fs::path& toolkit : toolkits)
    if (toolkit.filename().string().starts_with("cuda-"))
      places.push_back((toolkit / "nvvm/libdevice" / kFileName).string());
  places.push_back((fs::path("/usr/lib/nvidia-cuda-toolkit/libdevice") / kFileName).string());
  places.push_back((fs::path("/opt/cuda/nvvm/libdevice") / kFileName).string());
  if (std::string home = variable("HOME"); !home.empty()) add_environment(fs::path(home) / ".local", places);
  add_environment("/usr/local", places);
  add_environment("/usr", places);
  return places;
}

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

std::string missing_libdevice() {
  std::vector<std::string> searched;
  find_libdevice(&searched);
  std::string text =
      "this kernel calls mathematical functions of libdevice.10.bc, which is not on this machine: install it "
      "with `pip install nvidia-cuda-nvcc-cu12` (or nvidia-nvvm), or say where it is in LANEWISE_LIBDEVICE\n"
      "  looked for:";
  for (const std::string& place : searched) text += "\n    " + place;
  return text;
}

}  // namespace

std::string find_libdevice(std::vector<std::string>* searched) {
  for (const std::string& place : candidates()) {
    if (searched) searched->push_back(place);
    std::error_code error;
    if (fs::is_regular_file(place, error)) return place;
  }
  return {};
}

void link_libdevice(llvm::Module& module, const std::string& path) {
  std::string file = path.empty() ? find_libdevice() : path;
  if (file.empty()) throw TargetError(missing_libdevice());
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
