// Values of the IR to variables of C++: those that follow each other in a loop or an if share one, so that
// `acc = acc + x` is written to `acc`; where each is declared.
#pragma once
#include <string>
#include <vector>

#include "codegen/cuda_cpp/folding.h"

namespace lanewise::codegen::cuda_cpp {

struct Variable {
  std::string hint;  // of the source, or empty
  ir::Type type;
  ir::ValueId first;  // a value that it holds
  bool is_param = false, is_counter = false;
  bool assigned_once = false;
  ir::OpId declared_at;     // the op before whose statement, or as part of which, it is declared
  bool with_value = false;  // as part of it
};

struct Variables {
  static constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> of;  // by value; kNone of what is folded or never read
  std::vector<Variable> all;
};

// `written`: by value, of pointers that are written through: their variables are not shared with others'.
Variables assign_variables(const ir::Function& function, const Places& places, const Folding& folding,
                           const std::vector<bool>& written);

// The values with variables that an expression for `v`, or the statement of an op, reads.
void collect_reads(const ir::Function& function, const Places& places, const Folding& folding, ir::ValueId v,
                   std::vector<ir::ValueId>& reads);
void collect_op_reads(const ir::Function& function, const Places& places, const Folding& folding, ir::OpId op,
                      std::vector<ir::ValueId>& reads);

}  // namespace lanewise::codegen::cuda_cpp
