// How a kernel file's host code uses the names of its module, as far as its tokens say: what may change a
// list, an array or a class that kernels take for a constant.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "frontend/ast.h"
#include "ir/source.h"

namespace lanewise::frontend {

// One mention of a name, with what is written behind it: `T[0].real`, `C.TABLE`.
struct HostUse {
  enum class Kind : uint8_t {
    Shape,     // asks for the shape or the type: `T.shape`, `len(T)`
    Read,      // reads numbers: `print(T)`, `x[T]`
    Operand,   // `T + x`: a new list holds the same items, a new array does not
    Bound,     // named again, as a whole or in part: `x = T`, `for row in T`
    Passed,    // goes where the text does not say what happens to it: `f(T)`, `return T`
    Changed,   // `T[0] = 1`, `del T[0]`, `T.fill(0)`; the path is what is before the last step
    Reshaped,  // `T.shape = 2, 2`
    Rebound,   // assigned inside a function that declares it global, or as an attribute of its module
  };
  enum class Step : uint8_t { Attribute, Index, Call };
  struct Part {
    Step step;
    std::string attribute;
    size_t indices = 0;  // of an Index; 0 if one may be a slice
  };
  Kind kind = Kind::Read;
  std::string name;  // a function's local name has the function's place behind an `@`
  std::vector<Part> path;
  SourceRange range;
  // Plain names that the statement assigns, or the loop that goes over it.
  std::vector<std::string> targets;
};

// All of the file but its kernels, in order.
using IsKernel = std::function<bool(const Stmt&)>;
std::vector<HostUse> find_host_uses(const ir::SourceMap& sources, const Ast& ast, const IsKernel& is_kernel);

}  // namespace lanewise::frontend
