// A shared library that is opened when it is needed, and its functions by name.
#pragma once
#include <dlfcn.h>

#include <string>

namespace lanewise::runtime::cuda {

// Stays open until the process ends: these libraries have threads and destructors of their own.
class DynamicLibrary {
 public:
  explicit DynamicLibrary(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) problem_ = dlerror();
  }
  const std::string& problem() const { return problem_; }
  // Finds `name`; notes it as missing if the library has none.
  template <class Function>
  void find(Function& function, const char* name) {
    if (!handle_) return;
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (!function && problem_.empty()) problem_ = std::string("it has no ") + name;
  }

 private:
  void* handle_;
  std::string problem_;
};

}  // namespace lanewise::runtime::cuda
