// nvJitLink: PTX, cubins, objects, archives and LTO-IR to one cubin. Opened when something is linked first.
#include <map>
#include <memory>
#include <mutex>

#include "codegen/cuda_toolkit.h"
#include "runtime/cuda/assembler_log.h"
#include "runtime/cuda/device_code.h"
#include "runtime/cuda/dynamic_library.h"

namespace lanewise::runtime::cuda {
namespace {

using Handle = struct nvJitLink*;
using Result = int;

struct NvJitLink {
  std::string path, problem;
  unsigned major = 0, minor = 0;
  Result (*create)(Handle*, uint32_t, const char**) = nullptr;
  Result (*destroy)(Handle*) = nullptr;
  Result (*add)(Handle, int, const void*, size_t, const char*) = nullptr;
  Result (*complete)(Handle) = nullptr;
  Result (*cubin_size)(Handle, size_t*) = nullptr;
  Result (*cubin)(Handle, void*) = nullptr;
  Result (*log_size)(Handle, size_t*) = nullptr;
  Result (*log)(Handle, char*) = nullptr;
};

std::unique_ptr<NvJitLink> open(const std::string& path) {
  auto made = std::make_unique<NvJitLink>();
  made->path = path;
  DynamicLibrary library(path);
  Result (*version)(unsigned*, unsigned*) = nullptr;
  library.find(made->create, "nvJitLinkCreate");
  library.find(made->destroy, "nvJitLinkDestroy");
  library.find(made->add, "nvJitLinkAddData");
  library.find(made->complete, "nvJitLinkComplete");
  library.find(made->cubin_size, "nvJitLinkGetLinkedCubinSize");
  library.find(made->cubin, "nvJitLinkGetLinkedCubin");
  library.find(made->log_size, "nvJitLinkGetErrorLogSize");
  library.find(made->log, "nvJitLinkGetErrorLog");
  made->problem = library.problem();
  library.find(version, "nvJitLinkVersion");  // since CUDA 12.3
  if (version) version(&made->major, &made->minor);
  return made;
}

const NvJitLink& library_at(const std::string& path) {
  static auto* mutex = new std::mutex;
  static auto* known = new std::map<std::string, std::unique_ptr<NvJitLink>>;
  std::scoped_lock lock(*mutex);
  std::unique_ptr<NvJitLink>& entry = (*known)[path];
  if (!entry) entry = open(path);
  return *entry;
}

const NvJitLink& choose() {
  std::vector<std::string> paths = codegen::find_all(codegen::ToolkitPiece::NvJitLink);
  if (paths.empty()) throw CudaError(codegen::missing_text(codegen::ToolkitPiece::NvJitLink), 0);
  std::string problems;
  for (const std::string& path : paths) {
    const NvJitLink& one = library_at(path);
    if (one.problem.empty()) return one;
    problems += "\n  " + path + ": " + one.problem;
  }
  throw CudaError("no nvJitLink here can be used" + problems, 0);
}

int input_type(LinkInput::Kind kind) {
  switch (kind) {
    case LinkInput::Kind::Cubin: return 1;
    case LinkInput::Kind::CudaSource:
    case LinkInput::Kind::Ptx: return 2;
    case LinkInput::Kind::LtoIr: return 3;
    case LinkInput::Kind::Fatbin: return 4;
    case LinkInput::Kind::Object: return 5;
    case LinkInput::Kind::Archive: return 6;
  }
  return 0;
}

class Link {
 public:
  Link(const NvJitLink& library, std::vector<const char*> options) : library_(library) {
    Result result = library.create(&handle_, static_cast<uint32_t>(options.size()), options.data());
    if (result != 0) fail(result, "nvJitLinkCreate", "");
  }
  ~Link() {
    if (handle_) library_.destroy(&handle_);
  }
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  void add(int type, const std::string& data, const std::string& name) {
    if (type == input_type(LinkInput::Kind::Ptx)) ptx_ = data;
    if (Result result = library_.add(handle_, type, data.data(), data.size(), name.c_str()))
      fail(result, "nvJitLinkAddData", name);
  }
  std::string finish() {
    if (Result result = library_.complete(handle_)) fail(result, "nvJitLinkComplete", "");
    size_t size = 0;
    Result result = library_.cubin_size(handle_, &size);
    std::string cubin(size, '\0');
    if (result == 0) result = library_.cubin(handle_, cubin.data());
    if (result != 0) fail(result, "nvJitLinkGetLinkedCubin", "");
    return cubin;
  }

 private:
  [[noreturn]] void fail(Result result, const std::string& call, const std::string& input) const {
    std::string log;
    size_t size = 0;
    if (handle_ && library_.log_size(handle_, &size) == 0 && size > 1) {
      log.resize(size);
      library_.log(handle_, log.data());
      log.resize(log.find('\0') == log.npos ? log.size() : log.find('\0'));
    }
    throw CudaError("linking device code failed: " + call + " gives " + std::to_string(result) +
                        (input.empty() ? "" : " for " + input) + " (" + library_.path + ")" +
                        (log.empty() ? "" : "\n  " + log) +
                        (log.find("line ") == log.npos ? "" : "\n  " + explain_assembler_log(ptx_, log)),
                    0);
  }

  const NvJitLink& library_;
  Handle handle_ = nullptr;
  std::string ptx_;
};

}  // namespace

std::string link_cubin(const std::string& ptx, int sm, const std::vector<LinkInput>& link, int max_registers,
                       bool line_info) {
  const NvJitLink& library = choose();
  std::string arch = "-arch=sm_" + std::to_string(sm),
              registers = "-maxrregcount=" + std::to_string(max_registers);
  std::vector<const char*> options = {arch.c_str()};
  if (max_registers > 0) options.push_back(registers.c_str());
  if (line_info) options.push_back("-lineinfo");
  bool lto = false;
  for (const LinkInput& input : link) lto |= input.kind == LinkInput::Kind::LtoIr;
  if (lto) options.push_back("-lto");
  Link linker(library, options);
  linker.add(input_type(LinkInput::Kind::Ptx), ptx, "kernel.ptx");
  for (const LinkInput& input : link)
    if (is_binary(input)) linker.add(input_type(input.kind), input.data, input.name);
  return linker.finish();
}

std::string nvjitlink_version(const std::string& path) {
  const NvJitLink& library = library_at(path);
  if (!library.problem.empty()) return "";
  return library.major == 0 ? "12" : std::to_string(library.major) + "." + std::to_string(library.minor);
}

}  // namespace lanewise::runtime::cuda
