// Expressions of the typed tree -> IR values. And, or and the ternary become `if` ops with results, or one
// op where evaluating both sides is cheap and cannot be noticed: guards such as `0 < x and x < w` stay one
// condition.
#include <algorithm>

#include "frontend/lower.h"

namespace lanewise::frontend {

using ir::OpKind;
using ir::RegionId;
using ir::ValueId;

namespace {

constexpr int kTooCostly = 1000;
constexpr int kCheapCondition = 12;  // nodes of an and/or operand that is evaluated without need
constexpr int kCheapArm = 4;         // the same of both arms of a ternary

// Ops of one or two machine instructions that have no effect and never trap. Division is in none of the
// classes: it is slow.
bool is_cheap(OpKind kind) {
  switch (kind) {
    case OpKind::Add:
    case OpKind::Sub:
    case OpKind::Mul:
    case OpKind::Neg:
    case OpKind::Abs:
    case OpKind::Min:
    case OpKind::Max:
    case OpKind::And:
    case OpKind::Or:
    case OpKind::Xor:
    case OpKind::Not:
    case OpKind::Shl:
    case OpKind::Shr:
    case OpKind::Eq:
    case OpKind::Ne:
    case OpKind::Lt:
    case OpKind::Le:
    case OpKind::Gt:
    case OpKind::Ge:
    case OpKind::Select:
    case OpKind::IsNan:
    case OpKind::IsInf:
    case OpKind::IsFinite:
    case OpKind::SignBit:
    case OpKind::ThreadIdX:
    case OpKind::ThreadIdY:
    case OpKind::ThreadIdZ:
    case OpKind::BlockIdX:
    case OpKind::BlockIdY:
    case OpKind::BlockIdZ:
    case OpKind::BlockDimX:
    case OpKind::BlockDimY:
    case OpKind::BlockDimZ:
    case OpKind::GridDimX:
    case OpKind::GridDimY:
    case OpKind::GridDimZ:
    case OpKind::LaneId: return true;
    default: return false;  // an allow-list: a new op is not cheap until somebody says so
  }
}

}  // namespace

int FunctionLowering::speculation_cost(TExprId id) const {
  const TExpr& e = fn_.exprs[id];
  int cost = 0;
  switch (e.kind) {
    case TExprKind::Const:
    case TExprKind::Local: return e.type.is_scalar() || e.kind == TExprKind::Local ? 0 : kTooCostly;
    case TExprKind::Op:
      if (!is_cheap(e.op)) return kTooCostly;
      cost = 1;
      break;
    case TExprKind::Convert:
      if (!e.type.is_scalar()) return kTooCostly;
      cost = 1;
      break;
    case TExprKind::And:
    case TExprKind::Or:
    case TExprKind::Ternary:
    case TExprKind::Size: cost = 1; break;
    case TExprKind::TupleItem:
    case TExprKind::Shape:
    case TExprKind::Stride: break;
    case TExprKind::Address:
    case TExprKind::Tuple:
    case TExprKind::Element:
    case TExprKind::Atomic:
    case TExprKind::View:
    case TExprKind::Component:
    case TExprKind::Field:
    case TExprKind::Reinterpret:
    case TExprKind::Transpose:
    case TExprKind::Reshape:
    case TExprKind::SharedArray:
    case TExprKind::LocalArray:
    case TExprKind::DynamicShared:
    case TExprKind::Data:
    case TExprKind::Call:
    case TExprKind::External: return kTooCostly;
  }
  for (TExprId child : e.children) {
    cost += speculation_cost(child);
    if (cost >= kTooCostly) return kTooCostly;
  }
  return cost;
}

Values FunctionLowering::expr(TExprId id) {
  const TExpr& e = fn_.exprs[id];
  SourceRange outer = build_.range();
  build_.set_range(e.range);
  Values values = expr_of(e);
  build_.set_range(outer);
  return values;
}

ValueId FunctionLowering::scalar(TExprId id) {
  Values values = expr(id);
  LANEWISE_CHECK(values.size() == 1, "a scalar was wanted");
  return values[0];
}

Values FunctionLowering::expr_of(const TExpr& e) {
  switch (e.kind) {
    case TExprKind::Const: {
      const int64_t* integer = std::get_if<int64_t>(&e.immediate);
      if (integer && e.type.scalar == ir::kI64) return {i64(*integer)};
      return {build_.constant(e.type.scalar, e.immediate)};
    }
    case TExprKind::Local: {
      if (!in_slots_[e.local.index]) return locals_[e.local.index];
      Values values;
      for (ValueId slot : locals_[e.local.index]) values.push_back(op(OpKind::Get, {slot}));
      return values;
    }
    case TExprKind::Convert: return convert(expr(e.children[0]), fn_.exprs[e.children[0]].type, e.type);
    case TExprKind::Op: {
      if (e.op == OpKind::InlinePtx) return inline_ptx(e);
      Values operands;
      for (TExprId child : e.children) operands.push_back(scalar(child));
      if (e.op == OpKind::Fence) return build_.emit_many(e.op, {}, {}, e.immediate);
      if (e.type.is_scalar()) return {build_.emit(e.op, std::move(operands), e.type.scalar)};
      build_.emit_void(e.op, std::move(operands));
      return {};
    }
    case TExprKind::And:
    case TExprKind::Or: return logical(e);
    case TExprKind::Ternary: return ternary(e);
    case TExprKind::Tuple: {
      Values values;
      for (TExprId child : e.children) std::ranges::copy(expr(child), std::back_inserter(values));
      return values;
    }
    case TExprKind::TupleItem: {
      Values tuple = expr(e.children[0]);
      const ValueType& type = fn_.exprs[e.children[0]].type;
      size_t first = 0;
      for (uint32_t i = 0; i < e.index; ++i) first += flatten(type.item(i)).size();
      size_t count = flatten(type.item(e.index)).size();
      return Values(tuple.begin() + static_cast<ptrdiff_t>(first),
                    tuple.begin() + static_cast<ptrdiff_t>(first + count));
    }
    case TExprKind::Element: return element(e);
    case TExprKind::Atomic: return atomic(e);
    case TExprKind::View: return view(e);
    case TExprKind::Field: return field(e);
    case TExprKind::Reinterpret: return reinterpret(e);
    case TExprKind::Component: return component(e);
    case TExprKind::Transpose: return transpose(e);
    case TExprKind::Reshape: {
      Values values = {array(expr(e.children[0]), fn_.exprs[e.children[0]].type).pointer};
      for (size_t i = 1; i < e.children.size(); ++i) values.push_back(scalar(e.children[i]));
      return values;
    }
    case TExprKind::Shape: return {array(expr(e.children[0]), fn_.exprs[e.children[0]].type).shape[e.index]};
    case TExprKind::Stride:
      return {array(expr(e.children[0]), fn_.exprs[e.children[0]].type).strides[e.index]};
    case TExprKind::Address: {
      ValueId pointer = array(expr(e.children[0]), fn_.exprs[e.children[0]].type).pointer;
      if (build_.type(pointer).space != ir::Space::Generic) pointer = op(OpKind::SpaceCast, {pointer});
      return {op(OpKind::Address, {pointer})};
    }
    case TExprKind::Size: {
      ValueId size = i64(1);
      for (ValueId extent : array(expr(e.children[0]), fn_.exprs[e.children[0]].type).shape)
        size = mul(size, extent);
      return {size};
    }
    case TExprKind::SharedArray:
    case TExprKind::LocalArray:
    case TExprKind::DynamicShared:
    case TExprKind::Data: return new_array(e);
    case TExprKind::Call: return call(e);
    case TExprKind::External: return call_external(e);
  }
  return {};
}

Values FunctionLowering::inline_ptx(const TExpr& e) {
  Values operands;
  for (TExprId child : e.children) {
    const ValueType& type = fn_.exprs[child].type;
    operands.push_back(type.is_array() ? array(expr(child), type).pointer : scalar(child));
  }
  std::vector<ir::PtxText>& texts = build_.module().ptx;
  auto found = std::ranges::find(texts, *e.ptx);
  int64_t index = found - texts.begin();
  if (found == texts.end()) texts.push_back(*e.ptx);
  return build_.emit_many(OpKind::InlinePtx, std::move(operands), flatten(e.type), index);
}

Values FunctionLowering::call(const TExpr& e) {
  Values arguments;
  for (TExprId child : e.children) std::ranges::copy(expr(child), std::back_inserter(arguments));
  return build_.call(ir::FunctionId{e.index}, std::move(arguments));
}

Values FunctionLowering::call_external(const TExpr& e) {
  Values arguments;
  for (TExprId child : e.children) {
    Values leaves = expr(child);
    const ValueType& type = fn_.exprs[child].type;
    if (type.is_array()) leaves = {array(leaves, type).pointer};
    std::ranges::copy(leaves, std::back_inserter(arguments));
  }
  return build_.call_external(e.index, std::move(arguments), flatten(e.type));
}

Values FunctionLowering::choose(ValueId condition, const std::vector<ir::Type>& types, const Arm& if_true,
                                const Arm& if_false) {
  RegionId then = build_.new_region(), otherwise = build_.new_region();
  auto fill = [&](RegionId region, const Arm& arm) {
    ir::Builder::Inside inside(build_, region);
    end(OpKind::Yield, arm.value ? *arm.value : expr(arm.expr));
  };
  fill(then, if_true);
  fill(otherwise, if_false);
  return build_.results(build_.emit_control(OpKind::If, {condition}, {then, otherwise}, types));
}

Values FunctionLowering::logical(const TExpr& e) {
  bool is_and = e.kind == TExprKind::And;
  Values left = expr(e.children[0]);
  ValueId truth = build_.cast(left.at(0), ir::kBool);
  if (speculation_cost(e.children[1]) <= kCheapCondition) {
    ValueId right = scalar(e.children[1]);
    if (e.type.scalar == ir::kBool) return {op(is_and ? OpKind::And : OpKind::Or, {truth, right})};
    return {op(OpKind::Select, is_and ? Values{truth, right, left[0]} : Values{truth, left[0], right})};
  }
  Arm keep{.value = &left, .expr = {}}, other{.value = nullptr, .expr = e.children[1]};
  return choose(truth, flatten(e.type), is_and ? other : keep, is_and ? keep : other);
}

Values FunctionLowering::ternary(const TExpr& e) {
  ValueId condition = scalar(e.children[0]);
  if (e.type.is_scalar() && speculation_cost(e.children[1]) + speculation_cost(e.children[2]) <= kCheapArm) {
    ValueId if_true = scalar(e.children[1]), if_false = scalar(e.children[2]);
    return {op(OpKind::Select, {condition, if_true, if_false})};
  }
  return choose(condition, flatten(e.type), {nullptr, e.children[1]}, {nullptr, e.children[2]});
}

Values FunctionLowering::convert(const Values& from, const ValueType& source, const ValueType& target) {
  switch (target.kind) {
    case ValueType::Kind::Error:
    case ValueType::Kind::None: return {};
    case ValueType::Kind::Scalar: return {build_.cast(from.at(0), target.scalar)};
    case ValueType::Kind::Array: {
      ArrayView view = array(from, source);
      if (target.in_bytes() && !source.in_bytes()) {
        view.pointer = in_bytes(view.pointer);
        for (ValueId& stride : view.strides) stride = mul(stride, i64(source.element.size()));
      }
      if (source.space != target.space) view.pointer = op(OpKind::SpaceCast, {view.pointer});
      return flatten_array(view, target);
    }
    case ValueType::Kind::Time: return from;
    case ValueType::Kind::Complex:
    case ValueType::Kind::Vector:
    case ValueType::Kind::Tuple: break;
  }
  Values values;
  auto next = from.begin();
  for (size_t i = 0; i < target.item_count(); ++i) {
    ValueType item = source.item(i);
    auto last = next + static_cast<ptrdiff_t>(flatten(item).size());
    std::ranges::copy(convert(Values(next, last), item, target.item(i)), std::back_inserter(values));
    next = last;
  }
  return values;
}

}  // namespace lanewise::frontend
