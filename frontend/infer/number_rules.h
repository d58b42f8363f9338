// The rules of docs/language.md, "Numbers" that say which type a result has, as pure functions of the
// operands' types and constants.
#pragma once
#include <optional>

#include "frontend/host_value.h"
#include "ir/type.h"

namespace lanewise::frontend {

struct Number {
  ir::Type type;
  bool python = false;
  const HostValue* constant = nullptr;  // a constant in the sense of section 4 if python is true as well

  bool is_constant() const { return python && constant; }
};

struct NumberType {
  ir::Type type;
  bool python = false;
  // What users may want to know: a non-constant Python number widened a uint32; signed and unsigned 64-bit
  // integers met.
  bool widened_u32 = false, mixed_64 = false;
};

// Bool, 8- and 16-bit integers become int32; all else stays.
ir::Type promoted(ir::Type type);

// 4.1 and 4.2: the type of a + b. `python_float` is the type that holds a Python float.
NumberType arithmetic_type(const Number& a, const Number& b, ir::Type python_float);

// 4.6: the type of a value that is a or b.
NumberType joined_type(const Number& a, const Number& b, ir::Type python_float);

// 4.1 for functions of floats: the widest float of the operands, float64 if there is none.
NumberType float_type(const Number* operands, size_t count, ir::Type python_float);

// 4.4: how two numbers are compared.
struct Comparison {
  enum class Kind {
    Common,      // both converted to `type`
    Mixed,       // int64 with uint64: `a_is_signed` says which is which
    LeftIsLess,  // decided: a constant outside of the other's range
    LeftIsGreater,
  };
  Kind kind = Kind::Common;
  ir::Type type;
  bool a_is_signed = false;
};
Comparison comparison_type(const Number& a, const Number& b, ir::Type python_float);

}  // namespace lanewise::frontend
