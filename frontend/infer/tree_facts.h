// What the nodes made so far say of numbers, views and addresses: whether two are the same, how far apart
// they are, what divides them.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "frontend/infer/array_expression.h"
#include "frontend/infer/tree_builder.h"

namespace lanewise::frontend::inference {

class TreeFacts : protected TreeBuilder {
 protected:
  bool bound_once(const std::string& name) const;
  // An array's node, past temporaries that only hold it.
  TExprId through_temporaries(TExprId node) const;

  // --- view_paths.cpp: views as they were written
  ViewPath path_of(TExprId node) const;
  // Whether two views have no element in common.
  bool are_disjoint(TExprId a, TExprId b) const;
  bool same_value(TExprId a, TExprId b) const;
  // a - b, where that is known.
  std::optional<int64_t> difference(TExprId a, TExprId b) const;
  DimensionRelation relate(const TSubscript& target, const TSubscript& leaf) const;

  // --- array_extents.cpp
  std::optional<int64_t> known_extent(const Value& extent) const;
  bool is_repeated(const Value& extent) const;  // where another is longer
  std::vector<int> broadcast_dimensions(const ArrayExpression& part, std::span<const Value> shape) const;
  bool same_extent(const Value& a, const Value& b) const;
  // Notes that they must be, unless they are for sure.
  void must_equal(std::vector<ExtentPair>& equal, const Value& a, const Value& b) const;

  std::string spell_extents(std::span<const Value> shape) const;

  // --- array_expression.cpp, array_loops.cpp
  // The array expression among the items of a tuple, in words.
  std::optional<std::string> contained_expression(const Value& tuple) const;
  LoopPlan contiguous_order(const Value* target, const ArrayExpression& source, size_t ndim) const;

  // --- subscript.cpp: of slices
  Known slice_extent(const TSubscript& s, const Known& extent) const;

  // --- array_overlap.cpp
  enum class LeafOrder { Fits, Unknown, Conflict };
  bool reads_own_turns(const ViewPath& target, const ArrayExpression::Leaf& leaf) const;
  LeafOrder plan_leaf(const ViewPath& target, TExprId target_node, const ArrayExpression::Leaf& leaf,
                      std::vector<int>& directions, const LoopPlan& plan) const;
  bool may_share_memory(const Value& a, const Value& b) const;

  // --- assign.cpp: whether a value changes when one of the names, or memory, is assigned to
  bool depends_on(const Value& value, const std::set<std::string>& names, bool memory) const;
  bool depends_on(TExprId id, const std::set<std::string>& names, bool memory) const;

  // --- alignment.cpp: what is known of addresses
  unsigned alignment_of(TExprId array, unsigned depth = 0) const;

  std::vector<LocalId> params_;
  std::map<std::string, int> binding_counts_;  // names that the function assigns, and how often it says so

 private:
  bool is_one_long(const TSubscript& s) const;
  DimensionRelation relate_slices(const TSubscript& target, const TSubscript& leaf) const;
  bool same_end(TExprId a, bool a_wraps, TExprId b, bool b_wraps) const;
  bool starts_after(const TSubscript& a, const TSubscript& b) const;
  bool same_dimension(TExprId a, unsigned a_dimension, TExprId b, unsigned b_dimension) const;
  bool same_length(const TSubscript& a, const TSubscript& b) const;
  const TExpr& origin_of(TExprId node) const;
  unsigned divisor_of(TExprId number, unsigned depth = 0) const;
};

}  // namespace lanewise::frontend::inference
