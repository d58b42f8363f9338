// Types of array elements, and arrays of them that somebody else owns. Part of lanewise.h.
#pragma once
#include <array>
#include <bit>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
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

// `float32x4` and its like: a launch argument, and an array element. In kernels its components are x, y, z,
// w.
template <class T, size_t N>
struct Vector {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && N >= 1 && N <= 4);
  T items[N];
  T& operator[](size_t i) { return items[i]; }
  const T& operator[](size_t i) const { return items[i]; }
  bool operator==(const Vector&) const = default;
};
template <class T, size_t N>
struct ElementName<Vector<T, N>> {
  // "uint16x3"
  static constexpr std::array<char, 16> text = [] {
    std::array<char, 16> out{};
    size_t at = 0;
    auto add = [&](const char* part) {
      while (*part) out[at++] = *part++;
    };
    add(std::is_floating_point_v<T> ? "float" : std::is_signed_v<T> ? "int" : "uint");
    add(sizeof(T) == 1 ? "8x" : sizeof(T) == 2 ? "16x" : sizeof(T) == 4 ? "32x" : "64x");
    out[at] = static_cast<char>('0' + N);
    return out;
  }();
  static constexpr const char* value = text.data();
};

namespace detail {

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
// BFloat16, _Float16 where there is one, Vector, and structs with an ElementName (array elements only).
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

}  // namespace lanewise
