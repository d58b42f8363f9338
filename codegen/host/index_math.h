// Small facts about integers in a kernel: what is a thread index plus something uniform, which values are
// bounded. For thread loops that are cut short and for strided loops; ir::fold_ranges does the general work.
#pragma once
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "codegen/host/plan.h"

namespace lanewise::codegen::host {

class IndexMath {
 public:
  // `resolve` finds the value behind another name, `uniform` says whether a value is the same for all
  // threads.
  IndexMath(const ir::Function& function, const Tree& tree, std::function<ir::ValueId(ir::ValueId)> resolve,
            std::function<bool(ir::ValueId)> uniform)
      : f_(function), tree_(tree), resolve_(std::move(resolve)), uniform_(std::move(uniform)) {}

  // A value that is a thread's index along an axis plus uniform offsets, none negative, without overflow.
  std::optional<ThreadIndex> thread_index(ir::ValueId v) const;
  // Bounds of a value that follow from the ops that make it.
  using Range = std::pair<int64_t, int64_t>;
  std::optional<Range> range(ir::ValueId v) const { return range(v, 0); }

 private:
  bool add_to(ThreadIndex& index, ir::ValueId v) const;
  std::optional<Range> range(ir::ValueId v, int depth) const;

  const ir::Function& f_;
  const Tree& tree_;
  std::function<ir::ValueId(ir::ValueId)> resolve_;
  std::function<bool(ir::ValueId)> uniform_;
};

}  // namespace lanewise::codegen::host
