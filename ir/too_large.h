// What a pass throws when it cannot keep a program within the compiler's bounds. A fault of the program, not
// of the compiler: runtime::compile_to_ir makes a diagnostic of it.
#pragma once
#include <stdexcept>
#include <string>

#include "ir/source.h"

namespace lanewise::ir {

class ProgramTooLarge : public std::runtime_error {
 public:
  ProgramTooLarge(std::string name, SourceRange where)
      : std::runtime_error("`" + name + "` is too large"), function(std::move(name)), range(where) {}
  std::string function;
  SourceRange range;  // of the call that made it so, if there is one
};

}  // namespace lanewise::ir
