// Lanewise for C++20: compile GPU kernels written in Python syntax and launch them on the CPU or on CUDA.
// Header-only over the C interface (lanewise_c.h) of one shared library; errors are thrown in the caller's
// own translation unit.
//
//   lanewise::Module module = lanewise::compile(R"(
//   from lanewise import gpu
//
//   @gpu.jit
//   def saxpy(a, x, y):
//       i = gpu.grid(1)
//       if i < y.size:
//           y[i] += a * x[i]
//   )");
//   module.launch("saxpy", {4}, {256}, 2.0f, std::span<const float>(x), std::span<float>(y));
//
// Arguments of a launch:
//   bool, integers, float, double,     scalars of that type, and elements of arrays; lanewise::number(v) is a
//   std::complex, lanewise::BFloat16   plain Python number
//   std::span<T>, std::vector<T>,      1-D arrays in host memory; const elements, or a const or temporary
//   std::array<T, N>                   container: read-only, a kernel that writes them is refused
//   lanewise::array(p, {h, w})         n-D arrays in host memory: pointer, shape and, if not in C order,
//                                      strides in elements
//   lanewise::Buffer<T>                1-D arrays in device memory; buffer.array({h, w}) is n-D
//   lanewise::HostArray<T>             1-D arrays in pinned, mapped or managed host memory
//   lanewise::in(x), lanewise::out(y)  a host array that is only copied to the device, or only back
//   lanewise::Vector<float, 4>         float32x4, and elements of arrays of it
//   std::tuple, std::pair              tuples of these; lanewise::named_tuple("Point(x, y)", 1, 2) has fields
//   std::optional, std::nullopt        the value, or None
// Elements may also be structs with an ElementName: records. Functions and types are no arguments here: name
// them in the kernel's text. Host arrays hold the results when launch() returns.
#pragma once
#include <atomic>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lanewise/arguments.h"
#include "lanewise/device.h"
#include "lanewise/errors.h"
#include "lanewise/lanewise_c.h"
#include "lanewise/memory.h"

namespace lanewise {

// ---- launches

// Up to three extents: {n}, {x, y}, {x, y, z} of any integer type.
struct Dim3 {
  int64_t x = 1, y = 1, z = 1;
  template <std::integral X, std::integral Y = int, std::integral Z = int>
  constexpr Dim3(X x_, Y y_ = 1, Z z_ = 1)
      : x(static_cast<int64_t>(x_)), y(static_cast<int64_t>(y_)), z(static_cast<int64_t>(z_)) {}
};

struct Launch {
  Dim3 grid{1}, block{1};
  int64_t dynamic_shared_bytes = 0;
  StreamHandle stream = {};  // a Stream, or another library's CUstream; not kept alive
  // Of CUDA; an error elsewhere.
  Dim3 cluster{0, 0, 0};  // blocks of a cluster, on sm_90 and newer; zeros: as the kernel is compiled
  std::optional<int> priority = {};  // as that of streams
  bool overlaps_previous = false;    // may start before the work in front of it on the stream has ended
};

namespace detail {
// What is out of range stays so.
inline int32_t extent(int64_t n) { return static_cast<int32_t>(n < -1 ? -1 : n > 1000 ? 1000 : n); }
inline lw_launch_config to_c(const Launch& l) {
  return {sizeof(lw_launch_config),
          {l.grid.x, l.grid.y, l.grid.z},
          {l.block.x, l.block.y, l.block.z},
          l.dynamic_shared_bytes,
          l.stream.get(),
          {extent(l.cluster.x), extent(l.cluster.y), extent(l.cluster.z)},
          l.priority.has_value(),
          l.priority.value_or(0),
          l.overlaps_previous};
}
}  // namespace detail

// Where kernels print to, on the CPU and in the interpreter; see lw_print_function. An empty function: C's
// stdout. What it throws is dropped. Functions set before stay alive: a launch may still print to them.
inline void set_print(std::function<void(std::string_view)> print) {
  if (!print) return detail::check(lw_set_print(nullptr, nullptr));
  auto call = [](void* context, const char* text, size_t length) {
    try {
      (*static_cast<std::function<void(std::string_view)>*>(context))({text, length});
    } catch (...) {
    }
  };
  struct Kept {
    std::function<void(std::string_view)> function;
    Kept* before;
  };
  static std::atomic<Kept*> last{nullptr};  // leak checkers find the earlier ones through it
  auto* kept = new Kept{std::move(print), last.load()};
  while (!last.compare_exchange_weak(kept->before, kept)) {
  }
  detail::check(lw_set_print(call, &kept->function));
}

// ---- kernels and modules

namespace detail {

inline std::string take(lw_string* text) {
  std::unique_ptr<lw_string, Release<lw_string_release>> owned(text);
  return std::string(lw_string_data(text), lw_string_size(text));
}

}  // namespace detail

struct Parameter {
  std::string name, type;  // "x", "float32[:, ::1]"
  lw_dtype dtype = 0;
  int ndim = -1;  // -1: a scalar
  bool reads = false, writes = false;
};

// A kernel compiled for its types. Copies share it; launch from any thread.
class Kernel {
 public:
  explicit Kernel(lw_kernel* owned) : handle_(owned, lw_kernel_release) {}

  template <class... Args>
  void launch(const Launch& how, Args&&... args) const {
    detail::Arguments<sizeof...(Args)> arguments(std::forward<Args>(args)...);
    lw_launch_config config = detail::to_c(how);
    detail::check(lw_kernel_launch(handle_.get(), &config, arguments.data(), sizeof...(Args)));
  }
  template <class... Args>
  void launch(Dim3 grid, Dim3 block, Args&&... args) const {
    launch(Launch{grid, block}, std::forward<Args>(args)...);
  }

  std::string name() const { return lw_kernel_name(handle_.get()); }
  std::vector<Parameter> parameters() const {
    std::vector<Parameter> all;
    for (size_t i = 0; i < lw_kernel_parameter_count(handle_.get()); ++i) {
      lw_parameter p{};
      p.struct_size = sizeof p;
      detail::check(lw_kernel_parameter(handle_.get(), i, &p));
      all.push_back({p.name, p.type, p.dtype, p.ndim, p.reads != 0, p.writes != 0});
    }
    return all;
  }
  // How many blocks of a kernel with a grid barrier can be launched together.
  int64_t max_cooperative_blocks(Dim3 block, int64_t dynamic_shared_bytes = 0) const {
    return ask(lw_kernel_max_cooperative_blocks,
               {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
  }
  // CUDA: how many blocks a multiprocessor holds at once.
  int64_t max_active_blocks(Dim3 block, int64_t dynamic_shared_bytes = 0) const {
    return ask(lw_kernel_max_active_blocks, {.block = block, .dynamic_shared_bytes = dynamic_shared_bytes});
  }
  // CUDA: how many clusters of `how.cluster` blocks the device does at once; 0 if not even one fits.
  int64_t max_active_clusters(const Launch& how) const { return ask(lw_kernel_max_active_clusters, how); }
  // Threads of a block with which the device is filled best; on the CPU any number will do.
  int64_t suggested_block(int64_t dynamic_shared_bytes = 0) const {
    int64_t threads = 0;
    detail::check(lw_kernel_suggested_block(handle_.get(), dynamic_shared_bytes, &threads));
    return threads;
  }
  std::string ir() const { return text(LW_TEXT_IR); }
  std::string llvm() const { return text(LW_TEXT_LLVM); }
  std::string assembly() const { return text(LW_TEXT_ASSEMBLY); }
  std::string ptx() const { return text(LW_TEXT_PTX); }
  // In words, what the CPU engine made of the kernel, and what is slower than it looks; see LW_TEXT_REPORT.
  std::string report() const { return text(LW_TEXT_REPORT); }
  std::string cuda() const { return text(LW_TEXT_CUDA); }

 private:
  int64_t ask(lw_status (*question)(const lw_kernel*, const lw_launch_config*, int64_t*),
              const Launch& how) const {
    lw_launch_config config = detail::to_c(how);
    int64_t answer = 0;
    detail::check(question(handle_.get(), &config, &answer));
    return answer;
  }
  std::string text(lw_text kind) const {
    lw_string* made = nullptr;
    detail::check(lw_kernel_text(handle_.get(), kind, &made));
    return detail::take(made);
  }
  std::shared_ptr<lw_kernel> handle_;
};

struct Options {
  Target target = Target::Default;
  int sm = 0;                      // CUDA: compute capability such as 80; 0: the device's
  bool fast_math = false;          // reassociation, approximate functions, no NaN or infinity
  bool fma = true;                 // a * b + c may be rounded once
  bool python_float32 = false;     // Python floats are held in 32 bits
  bool performance_notes = false;  // diagnostics of Severity::Performance too
  std::string cpu = {};            // CPU: an LLVM CPU name; "": this machine's
  std::string file_name = {};      // what diagnostics call the text; "": "<string>", or the path
  std::string signature = {};      // types of the kernel it names
  std::vector<std::pair<std::string, std::string>> constants = {};  // module-level constants: {"TILE", "16"}
  std::vector<std::string> include_dirs = {};  // where imported kernel modules are looked for
  std::vector<std::string> link =
      {};  // CUDA: files with device code that the kernels call: .cu, .ptx, .o, ...
  // Code for CUDA; of the CPU only max_threads matters. 0: none.
  int max_threads = 0, min_blocks = 0;  // launch bounds: of a block; blocks that shall fit a multiprocessor
  int max_registers = 0;                // of a thread
  Dim3 cluster{0, 0, 0};                // blocks of a cluster, on sm_90 and newer
  bool line_info = false;               // source lines for profilers
  bool ftz = false;                     // float32 denormals become zero
};

// A kernel file. Copies share it; use it from any thread.
class Module {
 public:
  explicit Module(lw_module* owned) : handle_(owned, lw_module_release) {}

  std::vector<std::string> kernels() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < lw_module_kernel_count(handle_.get()); ++i)
      names.emplace_back(lw_module_kernel_name(handle_.get(), i));
    return names;
  }

  // Compiles for the types of `signature`, "saxpy(float32, float32[::1], float32[::1])"; "": those that the
  // options, the decorator or the annotations give.
  Kernel kernel(const std::string& name, const std::string& signature = {}) const {
    lw_kernel* made = nullptr;
    detail::check(lw_compile(handle_.get(), name.c_str(), text_or_null(signature), &made));
    return Kernel(made);
  }
  // The kernel that launch() would run for these arguments.
  template <class... Args>
  Kernel specialize(const std::string& name, Args&&... args) const {
    detail::Arguments<sizeof...(Args)> arguments(std::forward<Args>(args)...);
    lw_kernel* made = nullptr;
    detail::check(
        lw_module_specialize(handle_.get(), name.c_str(), arguments.data(), sizeof...(Args), &made));
    return Kernel(made);
  }
  // Launches by name. A kernel without types of its own is specialised on the arguments' types, once for
  // each.
  template <class... Args>
  void launch(const std::string& name, const Launch& how, Args&&... args) const {
    detail::Arguments<sizeof...(Args)> arguments(std::forward<Args>(args)...);
    lw_launch_config config = detail::to_c(how);
    detail::check(lw_module_launch(handle_.get(), name.c_str(), &config, arguments.data(), sizeof...(Args)));
  }
  template <class... Args>
  void launch(const std::string& name, Dim3 grid, Dim3 block, Args&&... args) const {
    launch(name, Launch{grid, block}, std::forward<Args>(args)...);
  }
  // PTX for a compute capability such as 80 (0: the options', else 75); needs no GPU.
  std::string ptx(const std::string& name, const std::string& signature = {}, int sm = 0) const {
    lw_string* made = nullptr;
    detail::check(lw_ptx(handle_.get(), name.c_str(), text_or_null(signature), sm, &made));
    return detail::take(made);
  }

 private:
  static const char* text_or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }
  std::shared_ptr<lw_module> handle_;
};

namespace detail {

inline Module open(const Options& options, auto create) {
  auto text_or_null = [](const std::string& text) { return text.empty() ? nullptr : text.c_str(); };
  std::vector<lw_constant> constants;
  for (const auto& [name, value] : options.constants) constants.push_back({name.c_str(), value.c_str()});
  std::vector<const char*> folders, files;
  for (const std::string& folder : options.include_dirs) folders.push_back(folder.c_str());
  for (const std::string& file : options.link) files.push_back(file.c_str());
  lw_options c{};
  c.struct_size = sizeof c;
  c.target = static_cast<lw_target>(options.target);
  c.sm = options.sm;
  c.fast_math = options.fast_math;
  c.no_fma = !options.fma;
  c.python_float32 = options.python_float32;
  c.performance_notes = options.performance_notes;
  c.cpu = text_or_null(options.cpu);
  c.file_name = text_or_null(options.file_name);
  c.signature = text_or_null(options.signature);
  c.constants = constants.data();
  c.constant_count = constants.size();
  c.max_threads = options.max_threads;
  c.min_blocks = options.min_blocks;
  c.max_registers = options.max_registers;
  c.cluster[0] = extent(options.cluster.x);
  c.cluster[1] = extent(options.cluster.y);
  c.cluster[2] = extent(options.cluster.z);
  c.line_info = options.line_info;
  c.ftz = options.ftz;
  c.link_files = files.data();
  c.link_file_count = files.size();
  c.include_dirs = folders.data();
  c.include_dir_count = folders.size();
  lw_module* made = nullptr;
  check(create(&c, &made));
  return Module(made);
}

}  // namespace detail

// Reads kernels from a text; CompileError if it is no kernel file. Types are checked when a kernel is
// compiled.
inline Module compile(std::string_view source, const Options& options = {}) {
  return detail::open(options, [&](const lw_options* c, lw_module** made) {
    return lw_module_create(source.data(), source.size(), c, made);
  });
}

// The same from a file.
inline Module load(const std::string& path, const Options& options = {}) {
  return detail::open(
      options, [&](const lw_options* c, lw_module** made) { return lw_module_load(path.c_str(), c, made); });
}

// Warnings of this thread's last compile.
inline std::vector<Diagnostic> warnings() { return detail::diagnostics(); }

inline std::string version() { return lw_version(); }
inline std::string cuda_report() { return lw_cuda_report(); }
inline Target default_target() {
  lw_target target = LW_TARGET_DEFAULT;
  detail::check(lw_default_target(&target));
  return static_cast<Target>(target);
}

}  // namespace lanewise
