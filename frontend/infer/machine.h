// Calls of what is near the machine: orders and scopes of atomics and fences, clocks, inline PTX, groups.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "frontend/infer/function_inference.h"
#include "ir/memory_order.h"

namespace lanewise::frontend::inference {

class MachineCalls {
 public:
  explicit MachineCalls(FunctionInference& inference) : in_(inference) {}
  // Takes the keywords `order` and `scope` out of the call; nullopt with an error reported.
  std::optional<ir::Ordering> ordering(ir::OpKind op, const std::string& name, CallArguments& call);
  // A fence, inline PTX, or an is_machine_op().
  Value call_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value group(const std::string& name, CallArguments& call);

 private:
  Value fence(const std::string& name, CallArguments& call);
  Value machine_op(ir::OpKind op, const std::string& name, CallArguments& call);
  Value inline_ptx(const std::string& name, CallArguments& call);
  bool ptx_options(const std::string& name, CallArguments& call, ir::PtxText& ptx);
  std::optional<std::vector<ir::Type>> ptx_results(const std::string& name, Value& results);
  bool ptx_operand(const std::string& name, size_t number, Value& value);

  FunctionInference& in_;
};

}  // namespace lanewise::frontend::inference
