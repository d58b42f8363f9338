// Copies regions of one function into another (or the same one's fresh tables). Private to ir/.
#pragma once
#include <vector>

#include "ir/function.h"

namespace lanewise::ir {

class Cloner {
 public:
  Cloner(const Function& from, Function& to) : from_(from), to_(to), values_(from.values.size()) {}

  // Uses of `from` become uses of `to`.
  void map(ValueId from, ValueId to) { values_[from.index] = to; }
  // The copied ops were called at `site` of the target: their call sites hang below it.
  void called_at(uint32_t site);
  // Return becomes a leave of the scope that the copied region is the body of, or a yield at its end.
  void return_to_scope() { return_to_scope_ = true; }

  // A copy of the region and all inside. `params`: false if they are mapped already.
  RegionId region(RegionId id, bool params = true);

 private:
  OpId op(OpId id, bool at_end);
  ValueId define(ValueId id);

  const Function& from_;
  Function& to_;
  std::vector<ValueId> values_;
  bool return_to_scope_ = false;
  bool called_ = false;
  uint32_t site_ = kNoCallSite, first_site_ = 0;
  int64_t scopes_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace lanewise::ir
