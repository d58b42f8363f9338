// Array expressions: `a[i, :] * b + 1` is no array but a thing that inference keeps and evaluates, element by
// element, where it is used: in an assignment to a view, in a reduction, at an index. In: frozen operands.
// Out: for given indices, the element's value by the rules for numbers.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "frontend/infer/value.h"

namespace lanewise::frontend::inference {

using Indices = std::vector<Value>;  // i64 Python numbers, not negative

using ExtentPair = std::pair<Value, Value>;

struct ArrayExpression : Deferred {
  // An array that is read.
  struct Leaf {
    Value array;
    TExprId node;          // as it was written: the view that array.expr holds now
    bool aligned = false;  // element i of the expression reads element i of it, and no other
    bool fixed = true;     // what the node names has not changed since
    // By dimension of the array: the expression's whose index it has, -1: any part of it may be read.
    std::vector<int> axes;
    // By dimension of the expression: whether what the array is a part of, and is evaluated at once, has
    // other values along it. Not known: nothing.
    std::optional<std::vector<bool>> turns;
  };
  Value sample;              // an element's type and what is known of it, without a node
  std::vector<Value> shape;  // extents, each usable any number of times
  std::function<Value(std::span<const Value> indices)> element;
  std::vector<Leaf> leaves;
  std::vector<ExtentPair> equal;  // what only run time knows to be the same
  size_t stored = 0;              // stores inferred before
  uint32_t memory = 0;            // State::memory where the operands were read
  unsigned weight = 1;            // operations in an element
  bool loops = false;             // an element is a loop of its own
  std::vector<bool> repeats;      // by dimension: what is a loop of its own is the same along it
  size_t ndim() const { return shape.size(); }
};
using ArrayExpressionPtr = std::shared_ptr<const ArrayExpression>;

// How loops go over elements: dimensions from the outermost to the innermost, and which of them downwards.
struct LoopPlan {
  std::vector<unsigned> order;
  std::vector<bool> backwards;  // by dimension
  // Where only run time knows: 1 or -1 by dimension, and whether the loops are nested the other way round.
  std::vector<Value> steps;
  std::optional<Value> inside_out;
  // What stays the same in the inner loops is read before them, for they write where it is read.
  bool ahead = false;
};

// Of the leaf of an expression that became another one of `ndim` dimensions: `to` says what became of each
// dimension, -1 of those that it has no more.
void renumber(ArrayExpression::Leaf& leaf, std::span<const int> to, size_t ndim);

// slice(start, stop, step) with run-time bounds.
struct SliceValue : Deferred {
  Value bounds[3];
  bool given[3] = {false, false, false};
};

// A view as it was written: one subscript for each dimension of the array `base`, a local, then for those of
// the fields of its elements.
struct ViewPath {
  LocalId base;
  bool known = false;  // else it is some view of base
  std::vector<TSubscript> subscripts;
  uint64_t first = 0, size = 0;  // bytes of an element of base that an element is, where fields start
  uint64_t begin = 0, end = 0;   // bytes of an element of base that all of the field is
  bool same_elements(const ViewPath& other) const {
    return first == other.first && size == other.size && subscripts.size() == other.subscripts.size();
  }
  bool apart(const ViewPath& other) const { return end <= other.begin || other.end <= begin; }
};

// How what is read in a dimension lies to what is written: the same place or (of indices) another one
// altogether; `shift` places ahead, if not 0; nowhere near; or nobody knows.
struct DimensionRelation {
  enum class Kind { Same, Shifted, Disjoint, Unknown } kind = Kind::Unknown;
  int64_t shift = 0;
};

enum class Reduction : uint8_t { Sum, Prod, Min, Max, NanMin, NanMax, Any, All, Mean, ArgMin, ArgMax };

}  // namespace lanewise::frontend::inference
