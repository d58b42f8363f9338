// What may be an argument of a launch: scalars, arrays of host and device memory, tuples. Part of lanewise.h.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "lanewise/elements.h"
#include "lanewise/errors.h"
#include "lanewise/lanewise_c.h"
#include "lanewise/memory.h"

namespace lanewise {

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

// A host array and what a launch copies of it; made by in() and out().
template <class T>
struct Directed {
  T array;
  uint32_t flag;
};
// The array is copied in, never back: what the kernel writes to it is lost, on every target.
template <class T>
Directed<T> in(T&& array) {
  return {std::forward<T>(array), LW_IN};
}
// The array is copied back, not in: elements that the kernel does not write are undefined after it.
template <class T>
Directed<T> out(T&& array) {
  return {std::forward<T>(array), LW_OUT};
}

namespace detail {

// An lw_argument and what it points to. complete() when it stays where it is.
struct Argument {
  lw_argument c{};
  int64_t extent = 0;           // the shape of a 1-D array
  uint64_t scalar[4] = {};      // the bytes of a scalar or vector
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
  a.c.element = element_name<T>();
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
struct IsDirected : std::false_type {};
template <class T>
struct IsDirected<Directed<T>> : std::true_type {};

template <class T>
struct IsOptional : std::is_same<T, std::nullopt_t> {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsNamedTuple : std::false_type {};
template <class... T>
struct IsNamedTuple<NamedTuple<T...>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T, size_t N>
struct IsVector<Vector<T, N>> : std::true_type {};
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
  } else if constexpr (IsVector<U>::value || (Element<U> && !kNamed<U>)) {
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
  } else if constexpr (IsDirected<U>::value) {
    Argument a = make_argument(std::forward<decltype(value.array)>(value.array));
    using Given = std::remove_cvref_t<decltype(value.array)>;
    static_assert(!Element<Given> && !IsTuple<Given>::value && !IsNamedTuple<Given>::value &&
                      !IsOptional<Given>::value && !IsNumber<Given>::value,
                  "in() and out() are for arrays");
    a.c.flags |= value.flag;
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
