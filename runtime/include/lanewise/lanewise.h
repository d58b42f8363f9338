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
//   bool, integers, float, double    scalars of that type; lanewise::number(v) is a plain Python number
//   std::span<T>, std::vector<T>,    1-D arrays in host memory; const elements, or a const or temporary
//   container: std::array<T, N>                 read-only, a kernel that writes them is refused
//   lanewise::array(p, {h, w})       n-D arrays in host memory: pointer, shape and, if not in C order,
//   strides
//                                    in elements
//   lanewise::Buffer<T>              1-D arrays in device memory; buffer.array({h, w}) is n-D
// Host arrays hold the results when launch() returns.
#pragma once
#include <array>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanewise/errors.h"
#include "lanewise/lanewise_c.h"

namespace lanewise {

// The element type of a struct of yours, as lw_argument::element spells it. Specialise it to pass arrays:
//   template <> struct lanewise::ElementName<Particle> {
//     static constexpr const char* value = "record(x: float32, n: int32)";
//   };
template <class T>
struct ElementName {};

// A bfloat16 as it lies in memory: the upper half of a float.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  // Rounded to nearest, halves to even.
  explicit BFloat16(float value) {
    auto whole = std::bit_cast<uint32_t>(value);
    bool is_nan = (whole & 0x7FFFFFFFu) > 0x7F800000u;
    bits = static_cast<uint16_t>(is_nan ? whole >> 16 | 0x40u : (whole + 0x7FFFu + (whole >> 16 & 1u)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
};

namespace detail {

template <auto release>
struct Release {
  template <class Handle>
  void operator()(Handle* handle) const {
    release(handle);
  }
};

inline std::string take(lw_string* text) {
  std::unique_ptr<lw_string, Release<lw_string_release>> owned(text);
  return std::string(lw_string_data(text), lw_string_size(text));
}

template <class T>
inline constexpr bool kNamed = requires {
  ElementName<std::remove_cv_t<T>>::value;
};

template <class T>
constexpr const char* element_name() {
  if constexpr (kNamed<T>)
    return ElementName<std::remove_cv_t<T>>::value;
  else
    return nullptr;
}

template <class T>
constexpr lw_dtype dtype_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (kNamed<T>)
    return LW_NAMED;
  else if constexpr (std::is_same_v<U, bool>)
    return LW_BOOL;
#ifdef __FLT16_MAX__
  else if constexpr (std::is_same_v<U, _Float16>)
    return LW_FLOAT16;
#endif
  else if constexpr (std::is_same_v<U, BFloat16>)
    return LW_BFLOAT16;
  else if constexpr (std::is_same_v<U, float>)
    return LW_FLOAT32;
  else if constexpr (std::is_same_v<U, double>)
    return LW_FLOAT64;
  else if constexpr (std::is_same_v<U, std::complex<float>>)
    return LW_COMPLEX64;
  else if constexpr (std::is_same_v<U, std::complex<double>>)
    return LW_COMPLEX128;
  else if constexpr (std::is_integral_v<U> && sizeof(U) <= 8) {
    constexpr int kWidth = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 1 : sizeof(U) == 4 ? 2 : 3;
    return (std::is_signed_v<U> ? LW_INT8 : LW_UINT8) + kWidth;
  } else {
    return 0;
  }
}

}  // namespace detail

// Types of scalars and array elements: bool, the integer types, float, double, std::complex of these,
// BFloat16, _Float16 where there is one, and structs with an ElementName (array elements only).
template <class T>
concept Element = detail::dtype_of<T>()
!= 0;

// ---- arguments

// An n-dimensional array in host or device memory that somebody else owns. `const T`: read-only.
template <Element T>
struct Array {
  T* data = nullptr;
  std::vector<int64_t> shape;         // elements
  std::vector<int64_t> byte_strides;  // empty: C order without gaps
  bool device = false;
};

template <Element T>
Array<T> array(T* data, std::vector<int64_t> shape) {
  return {data, std::move(shape), {}, false};
}
// Strides count elements and may be negative or zero: array(p, {h, w}, {1, h}) is in Fortran's order.
template <Element T>
Array<T> array(T* data, std::vector<int64_t> shape, std::vector<int64_t> strides) {
  if (strides.size() != shape.size())
    throw InvalidArgument(LW_ERROR_INVALID, "array: as many strides as extents are needed");
  for (int64_t& stride : strides) stride *= static_cast<int64_t>(sizeof(T));
  return {data, std::move(shape), std::move(strides), false};
}

// A scalar that is a plain Python number: it never widens what it is combined with.
template <class T>
struct Number {
  T value;
};
inline Number<bool> number(bool value) { return {value}; }
template <std::integral T>
Number<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>> number(T value) {
  return {value};
}
inline Number<double> number(double value) { return {value}; }
inline Number<double> number(float value) { return {static_cast<double>(value)}; }

// Which device runs the kernels.
enum class Target {
  Default =
      LW_TARGET_DEFAULT,  // LANEWISE_TARGET if set, else CUDA where a usable device is found, else the CPU
  Cpu = LW_TARGET_CPU,
  Cuda = LW_TARGET_CUDA,
  Interpreter = LW_TARGET_INTERPRETER,
};

// Memory of a target's device; moves, does not copy.
template <Element T>
class Buffer {
 public:
  explicit Buffer(size_t count, Target target = Target::Default) : count_(count) {
    if (count > static_cast<size_t>(INT64_MAX) / sizeof(T)) throw std::bad_alloc();
    lw_buffer* made = nullptr;
    detail::check(
        lw_buffer_create(static_cast<lw_target>(target), static_cast<int64_t>(count * sizeof(T)), &made));
    handle_.reset(made);
  }
  explicit Buffer(std::span<const T> values, Target target = Target::Default)
      : Buffer(values.size(), target) {
    write(values);
  }

  size_t size() const { return count_; }
  T* data() const { return static_cast<T*>(lw_buffer_data(handle_.get())); }  // an address of the device
  void write(std::span<const T> values, size_t first = 0) {
    detail::check(lw_buffer_write(handle_.get(), values.data(), bytes(values.size()), bytes(first)));
  }
  void read(std::span<T> values, size_t first = 0) const {
    detail::check(lw_buffer_read(handle_.get(), values.data(), bytes(values.size()), bytes(first)));
  }
  std::vector<T> to_host() const requires(!std::is_same_v<T, bool>) {
    std::vector<T> values(count_);
    read(values);
    return values;
  }
  // The buffer, or its beginning, seen as an n-dimensional array in C order.
  Array<T> array(std::vector<int64_t> shape) const {
    size_t left = count_;
    for (int64_t extent : shape)
      if (extent < 0 || (extent > 0 && (left /= static_cast<size_t>(extent)) == 0))
        throw InvalidArgument(LW_ERROR_INVALID, "Buffer::array: the shape has more elements than the buffer");
    return {data(), std::move(shape), {}, true};
  }

 private:
  static int64_t bytes(size_t count) { return static_cast<int64_t>(count * sizeof(T)); }
  std::unique_ptr<lw_buffer, detail::Release<lw_buffer_release>> handle_;
  size_t count_ = 0;
};

// Waits for all work of the target; throws what went wrong in it.
inline void synchronize(Target target = Target::Default) {
  detail::check(lw_synchronize(static_cast<lw_target>(target)));
}

namespace detail {

// An lw_argument and what it points to.
struct Argument {
  lw_argument c{};
  int64_t extent = 0;       // the shape of a 1-D array
  uint64_t scalar[2] = {};  // a scalar's bytes
};

constexpr uint32_t flag(bool on, uint32_t value) { return on ? value : 0; }

template <class T>
Argument scalar_argument(const T& value, uint32_t flags) {
  Argument a;
  a.c.dtype = dtype_of<T>();
  a.c.ndim = -1;
  a.c.flags = flags;
  static_assert(sizeof(T) <= sizeof a.scalar);
  __builtin_memcpy(&a.scalar, &value, sizeof value);
  return a;
}

template <class T>
Argument span_argument(T* data, size_t count, uint32_t flags) {
  Argument a;
  a.c.dtype = dtype_of<T>();
  a.c.element = element_name<T>();
  a.c.ndim = 1;
  a.c.flags = flags | flag(std::is_const_v<T>, LW_READ_ONLY);
  a.c.data = const_cast<std::remove_const_t<T>*>(data);
  a.extent = static_cast<int64_t>(count);
  return a;
}

template <class T>
struct IsNumber : std::false_type {};
template <class T>
struct IsNumber<Number<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T>
struct IsArray<Array<T>> : std::true_type {};
template <class T>
struct IsBuffer : std::false_type {};
template <class T>
struct IsBuffer<Buffer<T>> : std::true_type {};

template <class T>
inline constexpr bool kNoArgument = false;

// `T` is deduced as for a forwarding reference: a temporary container is read-only.
template <class T>
Argument make_argument(T&& value) {
  using U = std::remove_cvref_t<T>;
  if constexpr (IsNumber<U>::value) {
    return scalar_argument(value.value, LW_PYTHON_NUMBER);
  } else if constexpr (Element<U> && !kNamed<U>) {
    return scalar_argument(value, 0);
  } else if constexpr (IsArray<U>::value) {
    using E = std::remove_pointer_t<decltype(value.data)>;
    Argument a;
    a.c.dtype = dtype_of<E>();
    a.c.element = element_name<E>();
    a.c.ndim = static_cast<int32_t>(value.shape.size());
    a.c.flags = flag(std::is_const_v<E>, LW_READ_ONLY) | flag(value.device, LW_DEVICE);
    a.c.data = const_cast<std::remove_const_t<E>*>(value.data);
    a.c.shape = value.shape.data();
    a.c.strides = value.byte_strides.empty() ? nullptr : value.byte_strides.data();
    return a;
  } else if constexpr (IsBuffer<U>::value) {
    return span_argument(value.data(), value.size(), LW_DEVICE);
  } else if constexpr (requires { std::span(value); }) {
    auto span = std::span(value);
    using E = typename decltype(span)::element_type;
    static_assert(Element<E>, "an array argument's elements are bool, integers, float or double");
    constexpr bool kView = std::is_same_v<U, std::span<E, decltype(span)::extent>>;
    constexpr bool kTemporary = !std::is_lvalue_reference_v<T> && !kView;
    return span_argument(span.data(), span.size(), flag(kTemporary, LW_READ_ONLY));
  } else {
    static_assert(kNoArgument<T>,
                  "no kernel argument: pass a scalar, std::span, std::vector, lanewise::array(pointer, "
                  "shape) or a Buffer");
  }
}

// All arguments of one launch as the C interface takes them.
template <size_t N>
class Arguments {
 public:
  template <class... Args>
  explicit Arguments(Args&&... args) : made_{make_argument(std::forward<Args>(args))...} {
    for (size_t i = 0; i < N; ++i) {
      lw_argument& c = list_[i] = made_[i].c;
      if (c.ndim < 0) c.data = made_[i].scalar;
      if (c.ndim == 1 && !c.shape) c.shape = &made_[i].extent;
    }
  }
  Arguments(const Arguments&) = delete;
  const lw_argument* data() const { return list_.data(); }

 private:
  std::array<Argument, N> made_;
  std::array<lw_argument, N> list_{};
};

}  // namespace detail

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
  void* stream = nullptr;  // a CUstream
};

namespace detail {
inline lw_launch_config to_c(const Launch& l) {
  return {sizeof(lw_launch_config),
          {l.grid.x, l.grid.y, l.grid.z},
          {l.block.x, l.block.y, l.block.z},
          l.dynamic_shared_bytes,
          l.stream};
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
  detail::check(lw_set_print(call, new std::function<void(std::string_view)>(std::move(print))));
}

// ---- kernels and modules

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
  std::string ir() const { return text(LW_TEXT_IR); }
  std::string llvm() const { return text(LW_TEXT_LLVM); }
  std::string assembly() const { return text(LW_TEXT_ASSEMBLY); }
  std::string ptx() const { return text(LW_TEXT_PTX); }

 private:
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
  std::vector<const char*> folders;
  for (const std::string& folder : options.include_dirs) folders.push_back(folder.c_str());
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
