#include "codegen/cuda_toolkit.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace lanewise::codegen {
namespace {

namespace fs = std::filesystem;

enum class Kind { Data, Library, Folder, Program };

// `files`: names, the newest first. `folders`: where they are below a toolkit's root, and below
// site-packages/nvidia/COMPONENT, which are laid out alike.
struct Row {
  ToolkitPieceInfo info;
  Kind kind;
  std::vector<std::string> files, folders;
};

const Row& row(ToolkitPiece piece) {
  const std::vector<std::string> libraries = {"lib64", "lib", "targets/x86_64-linux/lib",
                                              "targets/sbsa-linux/lib"};
  static const auto* rows = new std::vector<Row>{
      {{"libdevice", "mathematical functions of kernels", "LANEWISE_LIBDEVICE",
        "nvidia-cuda-nvcc-cu12, or nvidia-nvvm"},
       Kind::Data,
       {"libdevice.10.bc"},
       {"nvvm/libdevice"}},
      {{"NVRTC", "compiles CUDA C++", "LANEWISE_NVRTC", "nvidia-cuda-nvrtc, or nvidia-cuda-nvrtc-cu12"},
       Kind::Library,
       {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"},
       libraries},
      {{"nvJitLink", "links objects, cubins and LTO-IR", "LANEWISE_NVJITLINK",
        "nvidia-nvjitlink, or nvidia-nvjitlink-cu12"},
       Kind::Library,
       {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"},
       libraries},
      {{"the CUDA headers", "for CUDA C++ that includes cuda_fp16.h and others", "LANEWISE_CUDA_INCLUDE",
        "nvidia-cuda-runtime, or nvidia-cuda-runtime-cu12"},
       Kind::Folder,
       {"cuda_fp16.h"},
       {"include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"}},
      {{"ptxas", "assembles PTX", "LANEWISE_PTXAS", "nvidia-cuda-nvcc, or nvidia-cuda-nvcc-cu12"},
       Kind::Program,
       {"ptxas"},
       {"bin"}},
      {{"nvdisasm", "shows machine code", "LANEWISE_NVDISASM", "nvidia-cuda-nvdisasm, or the CUDA toolkit"},
       Kind::Program,
       {"nvdisasm"},
       {"bin"}},
      {{"cuobjdump", "shows what is in cubins and fatbins", "LANEWISE_CUOBJDUMP",
        "nvidia-cuda-cuobjdump, or the CUDA toolkit"},
       Kind::Program,
       {"cuobjdump"},
       {"bin"}},
      {{"fatbinary", "puts code for several GPUs into one file", "LANEWISE_FATBINARY",
        "nvidia-cuda-nvcc, or the CUDA toolkit"},
       Kind::Program,
       {"fatbinary"},
       {"bin"}},
  };
  return (*rows)[static_cast<size_t>(piece)];
}

std::mutex& package_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::vector<std::string>& package_folders() {
  static auto* folders = new std::vector<std::string>;
  return *folders;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Sorted entries of a folder, newest version names first; empty if there is no such folder.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.rbegin(), found.rend());
  return found;
}

class Search {
 public:
  Search(ToolkitPiece piece, std::vector<std::string>* searched) : row_(row(piece)), searched_(searched) {}

  std::vector<std::string> run() {
    if (std::string set = variable(std::string(row_.info.variable).c_str()); !set.empty()) {
      explicit_place(set);
      return found_;
    }
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
      if (std::string set = variable(name); !set.empty()) root(set);
    python_in_use();
    root("/usr/local/cuda");
    for (const fs::path& toolkit : entries("/usr/local"))
      if (toolkit.filename().string().starts_with("cuda-")) root(toolkit);
    root("/usr/lib/nvidia-cuda-toolkit");
    if (row_.kind == Kind::Data) folder("/usr/lib/nvidia-cuda-toolkit/libdevice");
    root("/opt/cuda");
    if (std::string home = variable("HOME"); !home.empty()) environment(fs::path(home) / ".local");
    environment("/usr/local");
    environment("/usr");
    if (row_.kind == Kind::Program) path();
    if (row_.kind == Kind::Library) loader();
    return found_;
  }

 private:
  void explicit_place(const fs::path& set) {
    std::error_code error;
    if (row_.kind == Kind::Folder) return folder(set);
    if (fs::is_directory(set, error)) return folder(set);
    file(set);
  }
  void python_in_use() {
    std::vector<std::string> folders;
    {
      std::scoped_lock lock(package_mutex());
      folders = package_folders();
    }
    for (const std::string& place : folders) packages(place);
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
      if (std::string set = variable(name); !set.empty()) {
        environment(set);
        root(set);
      }
  }
  // NVIDIA's wheels of one Python environment: lib/python3.x/site-packages/nvidia/COMPONENT.
  void environment(const fs::path& prefix) {
    for (const fs::path& python : entries(prefix / "lib"))
      if (python.filename().string().starts_with("python3"))
        for (const char* place : {"site-packages", "dist-packages"}) packages(python / place);
  }
  void packages(const fs::path& place) {
    for (const fs::path& component : entries(place / "nvidia")) root(component);
  }
  void root(const fs::path& place) {
    for (const std::string& below : row_.folders) folder(place / below);
  }
  void folder(const fs::path& place) {
    for (const std::string& name : row_.files) file(place / name);
  }
  void path() {
    std::string places = variable("PATH");
    for (size_t at = 0; at <= places.size();) {
      size_t end = std::min(places.find(':', at), places.size());
      if (end > at) folder(places.substr(at, end - at));
      at = end + 1;
    }
  }
  // What the loader finds by name: in LD_LIBRARY_PATH and its cache.
  void loader() {
    for (const std::string& name : row_.files) {
      if (searched_) searched_->push_back(name + " (the loader)");
      void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
      if (!library) continue;
      link_map* map = nullptr;
      if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name) add(map->l_name);
      dlclose(library);
    }
  }

  void file(const fs::path& place) {
    if (searched_) searched_->push_back(place.string());
    std::error_code error;
    if (!fs::is_regular_file(place, error)) return;
    if (row_.kind == Kind::Program && access(place.c_str(), X_OK) != 0) return;
    add(row_.kind == Kind::Folder ? place.parent_path() : place);
  }
  // Links to a file that is known already are passed over.
  void add(const fs::path& place) {
    std::error_code error;
    for (const std::string& known : found_)
      if (fs::equivalent(known, place, error) && !error) return;
    found_.push_back(place.string());
  }

  const Row& row_;
  std::vector<std::string>* searched_;
  std::vector<std::string> found_;
};

}  // namespace

const ToolkitPieceInfo& about(ToolkitPiece piece) { return row(piece).info; }

std::vector<std::string> find_all(ToolkitPiece piece, std::vector<std::string>* searched) {
  return Search(piece, searched).run();
}

std::string find(ToolkitPiece piece, std::vector<std::string>* searched) {
  std::vector<std::string> found = find_all(piece, searched);
  return found.empty() ? "" : found.front();
}

std::string missing_text(ToolkitPiece piece) {
  const ToolkitPieceInfo& info = about(piece);
  std::vector<std::string> searched;
  find(piece, &searched);
  std::string text =
      std::string(info.name) + " (" + std::string(info.what_for) + ") is not on this machine: `pip install " +
      std::string(info.wheels.substr(0, info.wheels.find(','))) + "`" +
      (info.wheels.find(',') == info.wheels.npos ? ""
                                                 : std::string(info.wheels.substr(info.wheels.find(',')))) +
      "; or say where it is in " + std::string(info.variable) + " or CUDA_HOME\n  looked for:";
  constexpr size_t kShown = 12;
  for (size_t i = 0; i < std::min(searched.size(), kShown); ++i) text += "\n    " + searched[i];
  if (searched.size() > kShown)
    text += "\n    and " + std::to_string(searched.size() - kShown) + " other places";
  return text;
}

void set_package_folders(std::vector<std::string> folders) {
  std::scoped_lock lock(package_mutex());
  package_folders() = std::move(folders);
}

}  // namespace lanewise::codegen
