// Assignments to a view of which only run time knows how it lies to what is read, such as `u[:] = v` where
// both are views of one array: addresses are compared, and the loops go in the direction in which nothing is
// read after it was written. Where there is none, that is reported and nothing is written.
#include <algorithm>

#include "frontend/infer/function_inference.h"
#include "frontend/library.h"

namespace lanewise::frontend::inference {

namespace {

const ValueType kInteger = ValueType::python_number(ir::kI64);

// What builtins._write_order says.
constexpr int64_t kDownwards = 2, kNoOrder = 3, kInsideOut = 4;

}  // namespace

Value FunctionInference::address(const Value& array, SourceRange range) {
  return scalar(kInteger,
                add({.kind = TExprKind::Address, .type = kInteger, .range = range, .children = {array.expr}}),
                range);
}

// Where the two lie, with the dimensions in the order of the loops; those that only one has come first.
Value FunctionInference::write_order(Value& target, const ArrayExpression::Leaf& leaf, const LoopPlan& plan,
                                     SourceRange range) {
  Value source = leaf.array;
  size_t ndim = std::max(target.type.ndim, source.type.ndim);
  size_t more = ndim - target.type.ndim;
  auto described = [&](Value& array) {
    std::vector<Value> extents, strides;
    for (size_t i = 0; i < ndim; ++i) {
      size_t d = i < more ? i : more + plan.order[i - more], missing = ndim - array.type.ndim;
      bool has_it = d >= missing;
      unsigned dimension = static_cast<unsigned>(d - missing);
      extents.push_back(has_it ? shape(array, dimension, range) : python_int(1, range));
      strides.push_back(has_it ? stride_in_bytes(array, dimension, range) : python_int(0, range));
    }
    return std::pair(tuple(std::move(extents), range), tuple(std::move(strides), range));
  };
  auto [extents, strides] = described(target);
  auto [source_extents, source_strides] = described(source);
  Value there = address(target, range), here = address(source, range);
  size_t size = std::max(target.type.element.size(), source.type.element.size());
  return invoke_library(
      library_function("builtins._write_order"),
      {binary(Operator::Sub, there, here, range, range), python_int(static_cast<int64_t>(size), range),
       extents, strides, source_extents, source_strides,
       converted(python_int(leaf.aligned, range), ValueType::typed(ir::kBool))},
      range);
}

void FunctionInference::where_ordered(Value& target, std::span<const ArrayExpression::Leaf> leaves,
                                      LoopPlan& plan, const std::function<void()>& body, SourceRange range) {
  if (leaves.empty()) return body();
  Value order;
  for (const ArrayExpression::Leaf& leaf : leaves) {
    Value one = write_order(target, leaf, plan, range);
    order = order.is_error() ? one : binary(Operator::BitOr, order, one, range, range);
  }
  stabilise(order);
  auto is = [&](int64_t which, int64_t among) {
    Value wanted = python_int(which, range);
    Value bits = binary(Operator::BitAnd, order, python_int(among, range), range, range);
    return compare(Operator::Eq, bits, wanted, range);
  };
  Value down = is(kDownwards, 3);
  stabilise(down);
  for (unsigned d = 0; d < target.type.ndim; ++d) {
    Value reversed = down;
    if (target.type.has_strides()) {
      Value stride = stride_in_bytes(target, d, range), zero = python_int(0, range);
      Value negative = compare(Operator::Lt, stride, zero, range);
      reversed = bool_op(ir::OpKind::Xor, reversed, negative, range);
    }
    Value step = op_value(ir::OpKind::Select, kInteger,
                          {convert(reversed, ValueType::typed(ir::kBool)), python_int(-1, range).expr,
                           python_int(1, range).expr},
                          range);
    stabilise(step);
    plan.steps.push_back(step);
  }
  std::vector<TStmtId> then, otherwise;
  if (target.type.ndim > 1) {
    plan.inside_out = is(kInsideOut, kInsideOut);
    stabilise(*plan.inside_out);
  }
  Value none = is(kNoOrder, 3);
  in_list(then, [&] {
    report_failure(
        "RuntimeError",
        "`" + text(range) + "`: what is read overlaps what is written; copy it into another array first", {},
        range);
  });
  in_list(otherwise, body);
  emit({.kind = TStmtKind::If,
        .range = range,
        .value = convert(none, ValueType::typed(ir::kBool)),
        .body = std::move(then),
        .orelse = std::move(otherwise)});
}

}  // namespace lanewise::frontend::inference
