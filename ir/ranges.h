// Integer ranges: what is known of integer and bool values at one place of a walk over a function's tree,
// from constants, thread indices, array shapes, arithmetic and the conditions that hold there. In: a function
// and, from the walk, facts in program order. Out: ranges, decided comparisons. Private to ir/. Sound for
// wrapping arithmetic: a result that may wrap has the full range of its type.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/launch_variant.h"
#include "ir/passes/tree.h"

namespace lanewise::ir {

using Wide = __int128;  // holds the values of every integer type

// All values from lo to hi; empty if lo > hi.
struct Range {
  Wide lo = 0, hi = -1;
  bool empty() const { return lo > hi; }
  bool single() const { return lo == hi; }
  bool within(const Range& other) const { return lo >= other.lo && hi <= other.hi; }
  bool operator==(const Range&) const = default;
};
Range full_range(Type type);  // of an integer type or bool
Range hull(const Range& a, const Range& b);
Range intersection(const Range& a, const Range& b);

// The result of a scalar op on operands in these ranges. Operands that are no integers have any range.
Range result_range(OpKind kind, Type operand, Type result, const Range* operands);
// What the hardware and the launch checks promise of a thread index, grid or block size.
std::optional<Range> special_range(OpKind kind);
// "x.shape0": the front end's name of a kernel parameter that is an array's extent, 0 .. 2**47.
bool is_shape_parameter(std::string_view name);
// The comparison's value if the ranges decide it.
std::optional<bool> decide(OpKind compare, const Range& a, const Range& b);

class Ranges {
 public:
  // Keeps the references.
  Ranges(const Function& function, const Tree& tree, const LaunchFacts& facts = {});

  static bool tracks(Type type) { return type.is_int() || type.is_bool(); }

  // What is known of a value: stored facts, narrowed by computing it anew from its operands' facts `depth`
  // ops deep.
  Range of(ValueId v, int depth = 0) const;
  // States a fact; facts only narrow. Facts stated after mark() are forgotten by undo_to().
  void narrow(ValueId v, const Range& range);
  // A value that the function got after this was made.
  void define(ValueId v, const Range& range);
  // The condition has this value here: narrows what it compares.
  void assume(ValueId condition, bool truth);
  // The comparison of two integers is true.
  void assume_compare(OpKind compare, ValueId a, ValueId b);
  // The two are the same value wherever the first is visible.
  void alias(ValueId v, ValueId same_as);

  size_t mark() const { return undo_.size(); }
  void undo_to(size_t mark);

 private:
  struct Undo {
    ValueId value;  // invalid: drop the last difference
    Range before;
  };
  // A fact about two values that neither's range can say: a - b >= least.
  struct Difference {
    ValueId a, b;
    Wide least;
  };
  // base + offset
  struct Sum {
    ValueId base;
    Wide offset;
  };

  const Op* definition(ValueId v) const { return definition_of(function_, tree_.definition, v); }
  Range computed(const Op& op, ValueId v, int depth) const;
  bool counts_threads(const Op& product) const;
  void assume(ValueId condition, bool truth, int depth);
  void assume_compare(OpKind kind, ValueId a, ValueId b, int depth);
  void assume_difference(ValueId a, ValueId b, Wide least);
  Sum without_offset(ValueId v) const;
  Range difference(ValueId a, ValueId b) const;
  void assume_if(const Op& op, size_t result, bool truth, int depth);
  void narrow(ValueId v, const Range& range, int depth);
  void narrow_operands(const Op& op, const Range& range, int depth);

  const Function& function_;
  const Tree& tree_;
  const bool small_;
  std::vector<Range> known_;  // by value
  std::vector<Difference> differences_;
  std::vector<Undo> undo_;
  std::vector<ValueId> aliases_;  // by value; invalid if it has none
  mutable int budget_ = 0;        // evaluations left to a query
};

}  // namespace lanewise::ir
