// Where everything of a function stands: the region and owner of each op, what defines a value and who uses
// it.
#pragma once
#include <vector>

#include "ir/function.h"

namespace lanewise::codegen::cuda_cpp {

struct Places {
  explicit Places(const ir::Function& function);

  std::vector<ir::RegionId> region;          // by op
  std::vector<uint32_t> position;            // by op: in its region
  std::vector<uint32_t> begin, end;          // by op: it and what is inside it, as a stretch of `order`
  std::vector<ir::OpId> owner;               // by region; invalid for the body
  std::vector<uint32_t> depth;               // by region
  std::vector<ir::OpId> definition;          // by value: the op it is a result of; invalid for params
  std::vector<ir::RegionId> param_of;        // by value: the region it is a param of; invalid for results
  std::vector<std::vector<ir::OpId>> users;  // by value
  std::vector<ir::OpId> order;               // all ops, outer before inner, in program order

  // The op in region `outer` that holds the op, or is it.
  ir::OpId ancestor_in(ir::RegionId outer, ir::OpId op) const;
  ir::RegionId common_region(ir::RegionId a, ir::RegionId b) const;

 private:
  void visit(const ir::Function& function, ir::RegionId id, uint32_t nesting);
};

}  // namespace lanewise::codegen::cuda_cpp
