// What may be an argument of a launch: scalars, arrays of host and device memory, tuples. Part of lanewise.h.
#pragma once
#include <array>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
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

// A named tuple: its class's name, those of its fields, the items. Made by named_tuple().
template <class... Items>
struct NamedTuple {
  const char* names;
  std::tuple<Items...> items;
};
// Containers that are not temporaries are referred to: the kernel may write to them.
template <class T>
using NamedItem = std::conditional_t<Element<std::remove_cvref_t<T>>, std::remove_cvref_t<T>, T>;
template <class... Items>
NamedTuple<NamedItem<Items>...> named_tuple(const char* names, Items&&... items) {
  return {names, std::tuple<NamedItem<Items>...>(std::forward<Items>(items)...)};
}

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

// An lw_argument and what it points to. complete() when it stays where it is.
struct Argument {
  lw_argument c{};
  int64_t extent = 0;           // the shape of a 1-D array
  uint64_t scalar[2] = {};      // a scalar's bytes
  std::vector<Argument> items;  // a tuple's
  std::vector<lw_argument> item_list;

  void complete() {
    if (c.dtype == LW_TUPLE) {
      for (Argument& item : items) {
        item.complete();
        item_list.push_back(item.c);
      }
      c.data = item_list.data();
    } else if (c.ndim < 0) {
      c.data = scalar;
    } else if (c.ndim == 1 && !c.shape) {
      c.shape = &extent;
    }
  }
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
struct IsOptional : std::is_same<T, std::nullopt_t> {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsNamedTuple : std::false_type {};
template <class... T>
struct IsNamedTuple<NamedTuple<T...>> : std::true_type {};
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct IsTuple<std::pair<A, B>> : std::true_type {};

template <class T>
Argument make_argument(T&& value);

template <class T>
Argument tuple_argument(T&& items, const char* names) {
  Argument a;
  a.c.dtype = LW_TUPLE;
  a.c.element = names;
  a.c.ndim = static_cast<int32_t>(std::tuple_size_v<std::remove_cvref_t<T>>);
  auto add = [&](auto&&... each) {
    (a.items.push_back(make_argument(std::forward<decltype(each)>(each))), ...);
  };
  std::apply(add, std::forward<T>(items));
  return a;
}

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
  } else if constexpr (IsOptional<U>::value) {
    if constexpr (!std::is_same_v<U, std::nullopt_t>)
      if (value) return make_argument(*std::forward<T>(value));
    Argument a;
    a.c.dtype = LW_NONE;
    return a;
  } else if constexpr (IsTuple<U>::value) {
    return tuple_argument(std::forward<T>(value), nullptr);
  } else if constexpr (IsNamedTuple<U>::value) {
    return tuple_argument(std::forward<T>(value).items, value.names);
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
                  "shape), a Buffer, or a std::tuple or std::optional of these");
  }
}

// All arguments of one launch as the C interface takes them.
template <size_t N>
class Arguments {
 public:
  template <class... Args>
  explicit Arguments(Args&&... args) : made_{make_argument(std::forward<Args>(args))...} {
    for (size_t i = 0; i < N; ++i) {
      made_[i].complete();
      list_[i] = made_[i].c;
    }
  }
  Arguments(const Arguments&) = delete;
  const lw_argument* data() const { return list_.data(); }

 private:
  std::array<Argument, N> made_;
  std::array<lw_argument, N> list_{};
};

}  // namespace detail

}  // namespace lanewise
