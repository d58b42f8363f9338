// What a name outside a kernel stands for: module constants, captured globals, types, builtins, helper
// functions. The three doors answer Environment::lookup with these; inference reads nothing else.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontend/ast.h"
#include "frontend/element_type.h"
#include "frontend/value_type.h"
#include "ir/function.h"
#include "ir/type.h"

namespace lanewise::frontend {

class Environment;
struct HostValue;

// A captured NumPy array, copied: C-contiguous elements.
struct HostArray {
  ElementType element;
  std::vector<int64_t> shape;
  std::string bytes;
};

// A function that kernels may call (or a kernel itself): its definition and the names it sees.
struct FunctionRef {
  std::string name;
  AstPtr ast;
  StmtId def;     // a FunctionDef of `ast`, or
  ExprId lambda;  // a Lambda of `ast`; exactly one is valid
  std::shared_ptr<Environment> environment;
  // Values of the parameters' defaults, by parameter index, where the door knows them (Python's
  // __defaults__); where it has none the default expression is evaluated in `environment`.
  std::vector<std::optional<HostValue>> defaults;
  // Two refs with the same non-null identity are the same function (specialisations are shared).
  const void* identity = nullptr;
  bool is_kernel = false;
  // A kernel's arguments that are functions, and tuples that hold some, by parameter index: what stands where
  // the type says None. Made by the door that launches.
  std::vector<std::optional<HostValue>> bound;
  // Options of the function's own decorator that change its meaning.
  std::optional<bool> fast_math, contract;
};

// A device function that is written in CUDA C++ (cuda_function.h makes it).
struct CudaFunction {
  std::string name;  // as the C++ text has it
  std::vector<ValueType> params;
  ValueType result = ValueType::none();
  ir::ExternalFunction code;
  std::shared_ptr<const HostValue> fallback;  // what other targets call; may be null
};

// Something that inference evaluates where it is used: an array expression, a slice with run-time bounds. It
// belongs to one inference of one function; `serial` tells those of one inference apart.
struct Deferred {
  virtual ~Deferred() = default;
  std::string description;  // "an array expression of float32[:]"
  uint64_t owner = 0;
  uint32_t serial = 0;
};

struct HostValue {
  struct None {};
  // A Python int that fits neither int64 nor uint64 is Unsupported.
  struct Int {
    int64_t value = 0;
    bool is_uint64 = false;  // value holds the bits of a number of 2**63 or more
  };
  // A NumPy scalar or a cast at module level: np.float32(3). Bits as in ir::Immediate.
  struct Typed {
    ir::Type type;
    ir::Immediate value;
  };
  struct Complex {
    double real = 0, imag = 0;
    ir::Type part;  // float32 or float64 of a typed number; void of a Python complex
  };
  // A date or duration.
  struct Time {
    TimeType type;
    int64_t value = 0;
  };
  struct DType {
    ElementType type;
    // The Python types `int`, `float`, `bool`, `complex`: as a cast they give a Python number, as a dtype
    // int64, float64, bool, complex128.
    bool python = false;
  };
  // Something the language knows, under its canonical dotted name: "math.sin", "numpy.sin", "gpu.grid",
  // "gpu.threadIdx", "range", "gpu.shared.array". Attributes of a Builtin are Builtins: "gpu" has "gpu.grid".
  // Canonical prefixes: "gpu", "math", "numpy", "operator", "" (Python's own).
  struct Builtin {
    std::string name;
  };
  struct Tuple {
    std::vector<HostValue> items;
    TupleNames names;
  };
  // The class of a named tuple: calling it makes one.
  struct TupleClass {
    TupleNames names;
    std::vector<HostValue> defaults;  // of the last fields
  };
  // functools.partial: a callable with arguments that come before and beside those of a call.
  struct Partial {
    std::shared_ptr<const HostValue> callee;
    std::vector<HostValue> arguments;
    std::vector<std::pair<std::string, HostValue>> keywords;
  };
  // A user's module, class or object: attributes are looked up in it.
  struct Namespace {
    std::shared_ptr<Environment> environment;
  };
  // slice(start, stop, step): numbers, or None where left out.
  struct Slice {
    std::vector<HostValue> bounds;
  };
  struct Unsupported {
    std::string what;  // "a dict", "an int of 70 bits": completes "`x` is ..."
    // A file's name whose line was skipped as host code: where it is, else the empty range.
    SourceRange range;
  };
  using Function = std::shared_ptr<const FunctionRef>;
  using Cuda = std::shared_ptr<const CudaFunction>;
  using Array = std::shared_ptr<const HostArray>;
  using Later = std::shared_ptr<const Deferred>;
  using Variant =
      std::variant<None, bool, Int, double, Typed, Time, std::string, DType, Builtin, Tuple, TupleClass,
                   Partial, Namespace, Function, Array, Slice, Later, Unsupported, Complex, Cuda>;
  Variant value;
};

// Names as one function sees them. Implementations: FileEnvironment (kernel files) and python/'s globals.
class Environment {
 public:
  virtual ~Environment() = default;
  // The value of a global name or attribute; nullopt if there is none. Python's own builtins (`range`,
  // `abs`, `int`) are not the environment's task: inference adds them below it.
  virtual std::optional<HostValue> lookup(const std::string& name) = 0;
  // All names there are, for "did you mean".
  virtual std::vector<std::string> names() const = 0;
};

// Python's arithmetic on constants (ints without overflow up to 64 bits signed or unsigned, floats, bools,
// Typed numbers by the rules of docs/language.md, "Numbers", tuples for + and comparison). nullopt where it
// is not defined, overflows 64 bits or divides by zero.
std::optional<HostValue> evaluate_binary(Operator op, const HostValue& left, const HostValue& right);
std::optional<HostValue> evaluate_unary(Operator op, const HostValue& operand);

}  // namespace lanewise::frontend
