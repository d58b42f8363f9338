#include "codegen/cuda_cpp/places.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpId;
using ir::RegionId;

Places::Places(const ir::Function& function)
    : region(function.ops.size()),
      position(function.ops.size()),
      begin(function.ops.size()),
      end(function.ops.size()),
      owner(function.regions.size()),
      depth(function.regions.size()),
      definition(function.values.size()),
      param_of(function.values.size()),
      users(function.values.size()) {
  visit(function, function.body, 0);
}

void Places::visit(const ir::Function& function, RegionId id, uint32_t nesting) {
  const ir::Region& r = function.regions[id];
  depth[id.index] = nesting;
  for (ir::ValueId v : r.params) param_of[v.index] = id;
  for (uint32_t i = 0; i < r.ops.size(); ++i) {
    OpId op_id = r.ops[i];
    const ir::Op& op = function.ops[op_id];
    region[op_id.index] = id;
    position[op_id.index] = i;
    begin[op_id.index] = static_cast<uint32_t>(order.size());
    order.push_back(op_id);
    for (ir::ValueId v : op.operands) users[v.index].push_back(op_id);
    for (ir::ValueId v : op.results) definition[v.index] = op_id;
    for (RegionId inner : op.regions) {
      owner[inner.index] = op_id;
      visit(function, inner, nesting + 1);
    }
    end[op_id.index] = static_cast<uint32_t>(order.size());
  }
}

OpId Places::ancestor_in(RegionId outer, OpId op) const {
  while (region[op.index] != outer) op = owner[region[op.index].index];
  return op;
}

RegionId Places::common_region(RegionId a, RegionId b) const {
  auto out = [&](RegionId& r) { r = region[owner[r.index].index]; };
  while (a != b)
    if (depth[a.index] >= depth[b.index])
      out(a);
    else
      out(b);
  return a;
}

}  // namespace lanewise::codegen::cuda_cpp
