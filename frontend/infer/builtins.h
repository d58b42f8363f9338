// The names that the language knows: Python's builtins, and what `gpu`, `math`, `numpy` and `operator` hold.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/host_value.h"
#include "ir/op.h"

namespace lanewise::frontend {

// How a call of a builtin is treated: see builtins.def.
enum class Handler : uint8_t {
  Abs,
  All,
  Any,
  ArrayFunction,
  Clip,
  Contains,
  CompareAndSwap,
  ConstArray,
  DateTime,
  Degrees,
  Concat,
  DivMod,
  DTypeOf,
  FloatAbs,
  Float64Library,
  FloorOf,
  CeilOf,
  TruncOf,
  Frexp,
  GetItem,
  Callable,
  CharOf,
  IsInstance,
  IsNot,
  IsObject,
  IsSubtype,
  Limits,
  ListOf,
  NoObject,
  OrdOf,
  Product,
  SetItem,
  Sorted,
  TypeOf,
  Grid,
  GridSize,
  Group,
  Hypot,
  IsNat,
  LaneMask,
  Len,
  LocalArray,
  Log,
  LogicalAnd,
  LogicalNot,
  LogicalOr,
  LogicalXor,
  LoopOnly,
  Max,
  Min,
  Modf,
  NumpyRound,
  Power,
  Radians,
  Reciprocal,
  Round,
  SharedArray,
  Sign,
  SliceOf,
  Square,
  Sum,
  TimeDelta,
  Truth,
  TupleOf,
  Where,
  Angle,
  Conjugate,
  ImagOf,
  RealOf,
};

// A row of builtins.def.
struct Builtin {
  Handler handler;
  struct Arguments {
    bool counted;  // before the handler is called, which else looks after them
    size_t least, most;
  } arguments;
  bool each;     // computed for each element of whole arrays
  bool complex;  // takes complex numbers
};
// nullptr if there is none.
const Builtin* builtin_of_name(std::string_view name);

// A compile-time thing rather than a number or a tuple of numbers.
bool is_object(const HostValue& value);

// Python's own names: `range`, `abs`, `int`; known ones that kernels cannot use included.
std::optional<HostValue> python_builtin(const std::string& name);
std::vector<std::string> python_builtin_names();

// The op whose PY_NAME column of ops.def lists the canonical name.
std::optional<ir::OpKind> op_of_name(std::string_view name);

// "numpy.add", "operator.add" -> the operator.
struct NamedOperator {
  Operator op;
  bool unary;
};
std::optional<NamedOperator> operator_of_name(std::string_view name);

}  // namespace lanewise::frontend
