#include "runtime/cuda/via_cuda_cpp.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "runtime/cuda/driver.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr int kOldestArchitecture = 75;  // of the NVRTC of CUDA 13

struct Nvrtc {
  using Program = void*;
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Program, int, const char* const*);
  int (*log_size)(Program, size_t*);
  int (*log)(Program, char*);
  int (*ptx_size)(Program, size_t*);
  int (*ptx)(Program, char*);
  int (*destroy)(Program*);
};

template <class Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!function) throw CudaError(std::string("NVRTC has no ") + name, 0);
}

const Nvrtc& nvrtc() {
  static const Nvrtc* the_nvrtc = [] {
    const char* set = std::getenv("LANEWISE_NVRTC");
    std::string path = set ? set : "libnvrtc.so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw CudaError("LANEWISE_CUDA_VIA=nvrtc: " + std::string(dlerror()), 0);
    auto* made = new Nvrtc;
    find(library, "nvrtcCreateProgram", made->create);
    find(library, "nvrtcCompileProgram", made->compile);
    find(library, "nvrtcGetProgramLogSize", made->log_size);
    find(library, "nvrtcGetProgramLog", made->log);
    find(library, "nvrtcGetPTXSize", made->ptx_size);
    find(library, "nvrtcGetPTX", made->ptx);
    find(library, "nvrtcDestroyProgram", made->destroy);
    return made;
  }();
  return *the_nvrtc;
}

std::string text_of(Nvrtc::Program program, int (*size_of)(Nvrtc::Program, size_t*),
                    int (*get)(Nvrtc::Program, char*)) {
  size_t size = 0;
  size_of(program, &size);
  std::string text(size, '\0');
  get(program, text.data());
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

}  // namespace

bool by_way_of_cuda_cpp() {
  static const bool chosen = [] {
    const char* set = std::getenv("LANEWISE_CUDA_VIA");
    return set && std::string(set) == "nvrtc";
  }();
  return chosen;
}

std::string ptx_by_way_of_cuda_cpp(const KernelInfo& kernel, const codegen::PtxTarget& target) {
  codegen::PtxTarget newer = target;
  newer.sm = std::max(target.sm, kOldestArchitecture);
  newer.ftz |= kernel.options.float_mode.fast_math;
  std::string text = codegen::emit_cuda(kernel.module, newer, &kernel.sources);
  std::vector<const char*> options;
  std::vector<std::string> texts = codegen::cuda_options(kernel.module, newer);
  for (const std::string& option : texts) options.push_back(option.c_str());
  const Nvrtc& compiler = nvrtc();
  Nvrtc::Program program = nullptr;
  compiler.create(&program, text.c_str(), (kernel.name + ".cu").c_str(), 0, nullptr, nullptr);
  int result = compiler.compile(program, static_cast<int>(options.size()), options.data());
  if (result != 0) {
    std::string log = text_of(program, compiler.log_size, compiler.log);
    compiler.destroy(&program);
    throw CudaError("NVRTC refuses the CUDA C++ of `" + kernel.name + "`:\n" + log + "\n" + text, 0);
  }
  std::string ptx = text_of(program, compiler.ptx_size, compiler.ptx);
  compiler.destroy(&program);
  return ptx;
}

}  // namespace lanewise::runtime::cuda
