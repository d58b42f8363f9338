// What an IR value is: a scalar, a pointer to scalars in one address space, or a variable slot.
// Four bytes, compared with ==, made without any context. Tuples, records and arrays do not exist here:
// the front end flattens them.
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanewise::ir {

// Where a pointer points. None: the type is not a pointer. Generic: any of the others, known at run time
// only.
enum class Space : uint8_t { None, Generic, Global, Shared, Local, Constant };

struct Type {
  // BFloat: 16 bits, the upper half of a float32.
  enum class Kind : uint8_t { Void, Bool, Int, UInt, Float, BFloat };
  Kind kind = Kind::Void;
  uint8_t bits = 0;
  Space space = Space::None;
  bool slot = false;  // not a value but a named slot that holds one; promote_variables removes all slots

  auto operator<=>(const Type&) const = default;

  constexpr bool is_void() const { return kind == Kind::Void; }
  constexpr bool is_var() const { return slot; }
  constexpr bool is_pointer() const { return space != Space::None && !slot; }
  constexpr bool is_scalar() const { return space == Space::None && kind != Kind::Void && !slot; }
  constexpr bool is_bool() const { return is_scalar() && kind == Kind::Bool; }
  constexpr bool is_signed() const { return is_scalar() && kind == Kind::Int; }
  constexpr bool is_unsigned() const { return is_scalar() && kind == Kind::UInt; }
  constexpr bool is_int() const { return is_signed() || is_unsigned(); }
  constexpr bool is_float() const { return is_scalar() && (kind == Kind::Float || kind == Kind::BFloat); }
  // Bytes in memory: bool is one byte that holds 0 or 1; a pointer is eight.
  constexpr unsigned size() const { return is_pointer() ? 8u : element_size(); }
  constexpr unsigned element_size() const { return kind == Kind::Bool ? 1u : bits / 8u; }
  constexpr Type element() const { return {kind, bits, Space::None, false}; }  // what a pointer points to
  constexpr Type pointer(Space s) const { return {kind, bits, s, false}; }
  constexpr Type var() const { return {kind, bits, space, true}; }
  constexpr Type value() const { return {kind, bits, space, false}; }  // what a var holds
};

inline constexpr Type kVoid{};
inline constexpr Type kBool{Type::Kind::Bool, 1};
inline constexpr Type kI8{Type::Kind::Int, 8}, kI16{Type::Kind::Int, 16};
inline constexpr Type kI32{Type::Kind::Int, 32}, kI64{Type::Kind::Int, 64};
inline constexpr Type kU8{Type::Kind::UInt, 8}, kU16{Type::Kind::UInt, 16};
inline constexpr Type kU32{Type::Kind::UInt, 32}, kU64{Type::Kind::UInt, 64};
inline constexpr Type kF16{Type::Kind::Float, 16}, kF32{Type::Kind::Float, 32}, kF64{Type::Kind::Float, 64};
inline constexpr Type kBF16{Type::Kind::BFloat, 16};

// "generic", "global", "shared", "local", "const"; "" for None.
std::string_view to_string(Space space);
// "f32", "i64", "bool", "ptr<f32, global>", "var<f32>", "var<ptr<f32, global>>", "void".
std::string to_string(Type type);
// The inverse of to_string; Void if the text is no type.
constexpr Type parse_type(std::string_view s);

namespace detail {
constexpr Type parse_scalar(std::string_view s) {
  if (s == "bool") return kBool;
  constexpr struct {
    std::string_view name;
    Type type;
  } kScalars[] = {{"i8", kI8},   {"i16", kI16}, {"i32", kI32}, {"i64", kI64}, {"u8", kU8},   {"u16", kU16},
                  {"u32", kU32}, {"u64", kU64}, {"f16", kF16}, {"f32", kF32}, {"f64", kF64}, {"bf16", kBF16}};
  for (auto& scalar : kScalars)
    if (s == scalar.name) return scalar.type;
  return {};
}
}  // namespace detail

constexpr Type parse_type(std::string_view s) {
  if (s.ends_with(">")) {
    if (s.starts_with("var<")) {
      Type element = parse_type(s.substr(4, s.size() - 5));
      return element.is_void() || element.is_var() ? kVoid : element.var();
    }
    if (!s.starts_with("ptr<")) return {};
    std::string_view inner = s.substr(4, s.size() - 5);
    size_t comma = inner.find(", ");
    if (comma == inner.npos) return {};
    Type element = detail::parse_scalar(inner.substr(0, comma));
    std::string_view space = inner.substr(comma + 2);
    if (element.is_void()) return {};
    if (space == "generic") return element.pointer(Space::Generic);
    if (space == "global") return element.pointer(Space::Global);
    if (space == "shared") return element.pointer(Space::Shared);
    if (space == "local") return element.pointer(Space::Local);
    if (space == "const") return element.pointer(Space::Constant);
    return {};
  }
  return detail::parse_scalar(s);
}

}  // namespace lanewise::ir
