// Private to c_api/: the handles, and how exceptions become status codes.
#pragma once
#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "lanewise/lanewise_c.h"
#include "runtime/device.h"
#include "runtime/runtime.h"

// A compiled kernel is shared by its handles and the module's table of specialisations.
struct lw_kernel {
  // A part of the kernel's parameters, as the caller sees it: an array, a real or complex number, or None.
  struct Parameter {
    std::string name, type;
    lanewise::frontend::ValueType value_type;
    size_t leaf = 0;  // its first one
  };
  struct Shared {
    std::shared_ptr<lanewise::runtime::CompiledKernel> compiled;
    std::vector<Parameter> parameters;
  };
  std::shared_ptr<Shared> shared;
};

struct lw_module {
  std::unique_ptr<lanewise::runtime::OpenFile> open;
  lanewise::runtime::CompileOptions options;
  lw_target target = LW_TARGET_DEFAULT;
  std::string signature;  // lw_options::signature
  std::vector<std::string> kernel_names;
  // Kernels that no signature, decorator or annotation gives types: launches specialise them.
  std::set<const lanewise::frontend::KernelDeclaration*> untyped;

  // Kernels that launches by name have asked for: by kernel name and argument types.
  std::shared_mutex mutex;
  std::map<std::string, std::shared_ptr<lw_kernel::Shared>, std::less<>> specialized;
};

struct lw_buffer {
  std::shared_ptr<lanewise::runtime::DeviceBuffer> buffer;
};

struct lw_stream {
  std::shared_ptr<lanewise::runtime::Stream> stream;
};

struct lw_event {
  std::shared_ptr<lanewise::runtime::Event> event;
};

struct lw_graph {
  std::shared_ptr<lanewise::runtime::Graph> graph;
};

struct lw_host_memory {
  std::shared_ptr<lanewise::runtime::HostMemory> memory;
};

struct lw_string {
  std::string text;
};

namespace lanewise::c_api {

// A wrong call: becomes LW_ERROR_INVALID.
class InvalidCall : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Keeps the diagnostics of this thread's call; `sources` is only read now. errors.cpp
void keep_diagnostics(const ir::Diagnostics& diagnostics, const ir::SourceMap& sources);
void clear_errors();
// The status of the exception in flight; keeps its message. errors.cpp
lw_status status_of_exception() noexcept;

// The body of every entry point: no exception gets out.
template <class Body>
lw_status guarded(Body body) noexcept {
  try {
    clear_errors();
    body();
    return LW_OK;
  } catch (...) {
    return status_of_exception();
  }
}

template <class T>
T& require(T* pointer, const char* what) {
  if (!pointer) throw InvalidCall(std::string(what) + " is NULL");
  return *pointer;
}

// What a caller's struct says, of whatever size his header had; what it lacks is zero.
template <class T>
T full_struct(const T* given) {
  T full{};
  if (given) std::memcpy(&full, given, std::min(given->struct_size, sizeof full));
  return full;
}

runtime::Target to_target(lw_target target);  // device.cpp
// The CUstream of a stream, NULL: the default one. InvalidCall if its target is another. streams.cpp
void* handle_of(const lw_stream* stream, runtime::Target target);
lw_dtype to_dtype(const frontend::ElementType& type);  // arguments.cpp
lw_dtype to_dtype(const frontend::ValueType& type);    // of the scalar or of the array's elements
frontend::ElementType from_dtype(lw_dtype dtype);      // arguments.cpp; InvalidCall if it is none
// The type an argument has by itself: what a launch without a signature specialises on. arguments.cpp
frontend::ValueType type_of(const lw_argument& argument, const std::string& what, size_t depth = 0);
// The arguments as the runtime takes them, checked against the kernel's parameters. arguments.cpp
void convert_arguments(const lw_kernel::Shared& kernel, const lw_argument* arguments, size_t count,
                       std::vector<runtime::Argument>& out);

// The kernel declaration by name, the only one for NULL. InvalidCall says which names there are. module.cpp
const frontend::KernelDeclaration& find_kernel(const lw_module& module, const char* name);
// Whether a signature, the decorator or annotations say the kernel's types. compile.cpp
bool declares_types(const lw_module& module, const frontend::KernelDeclaration& declaration);
// Compiles for the given types, or for the declared ones if `types` is null. compile.cpp
std::shared_ptr<lw_kernel::Shared> compile_kernel(lw_module& module,
                                                  const frontend::KernelDeclaration& declaration,
                                                  const char* signature,
                                                  const std::vector<frontend::ValueType>* types);

}  // namespace lanewise::c_api
