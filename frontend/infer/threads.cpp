// Threads that work together: barriers, warps, fences; and the small machine instructions that kernels call
// by name: bit counts, loads and stores with cache hints.
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

bool is_shuffle(OpKind op) { return op >= OpKind::ShflIdx && op <= OpKind::ShflXor; }
bool is_vote(OpKind op) { return op >= OpKind::VoteAll && op <= OpKind::Ballot; }

}  // namespace

// An integer argument as `type`, wrapped into it: masks may be written -1 or 0xFFFFFFFF.
TExprId FunctionInference::integer_argument(const std::string& name, size_t number, Value& value,
                                            ir::Type type) {
  if (value.is_error()) return {};
  if (value.is_scalar() && !value.type.scalar.is_float()) return convert(value, ValueType::typed(type));
  Report& r = report(DiagnosticId::ArgumentType, value.range,
                     {name, "argument " + std::to_string(number), "an integer", describe(value)});
  explain(r, value);
  return {};
}

// Where threads meet, what one of them does happens once and in the order of the text: the result is put into
// a temporary at once.
Value FunctionInference::meet(OpKind op, const ValueType& type, std::vector<TExprId> children,
                              SourceRange range) {
  Value v = scalar(type, op_expr(op, type, std::move(children), range), range);
  stabilise(v);
  return v;
}

void FunctionInference::emit_effect(OpKind op, std::vector<TExprId> children, SourceRange range) {
  emit({.kind = TStmtKind::Expr,
        .range = range,
        .value = op_expr(op, ValueType::none(), std::move(children), range)});
}

Value FunctionInference::call_thread_op(OpKind op, const std::string& name, CallArguments& call) {
  if (ir::is_warp_op(op)) return warp_op(op, name, call);
  size_t operands = ir::info(op).signature.operand_count;
  if (!arity(name, call, operands, operands)) return error(call.range);
  if (operands == 0) {  // a barrier or a fence
    emit_effect(op, {}, call.range);
    return none(call.range);
  }
  Value condition = to_bool(call.positional[0]);
  if (condition.is_error()) return error(call.range);
  TExprId predicate = convert(condition, ValueType::typed(ir::kBool));
  ir::Type given = op == OpKind::BarrierCount ? ir::kI32 : ir::kBool;
  Value v = converted(meet(op, ValueType::typed(given), {predicate}, call.range), ValueType::typed(ir::kI32));
  v.known.non_negative = true;
  return v;
}

Value FunctionInference::warp_op(OpKind op, const std::string& name, CallArguments& call) {
  SourceRange range = call.range;
  if (op == OpKind::ActiveMask) {
    if (!arity(name, call, 0, 0)) return error(range);
    return meet(op, ValueType::typed(ir::kU32), {}, range);
  }
  if (op == OpKind::SyncWarp) {
    if (!arity(name, call, 0, 1)) return error(range);
    if (call.positional.empty()) call.positional.push_back(python_int(0xFFFFFFFF, range));
    TExprId mask = integer_argument(name, 1, call.positional[0], ir::kU32);
    if (mask.valid()) emit_effect(op, {mask}, range);
    return none(range);
  }
  size_t count = is_shuffle(op) ? 3 : 2;
  if (!arity(name, call, count, count)) return error(range);
  TExprId mask = integer_argument(name, 1, call.positional[0], ir::kU32);
  if (!mask.valid()) return error(range);
  Value& value = call.positional[1];
  if (is_vote(op)) {
    Value condition = to_bool(value);
    if (condition.is_error()) return error(range);
    ValueType type = ValueType::typed(op == OpKind::Ballot ? ir::kU32 : ir::kBool);
    return meet(op, type, {mask, convert(condition, ValueType::typed(ir::kBool))}, range);
  }
  if (is_shuffle(op)) {
    TExprId lane = integer_argument(name, 3, call.positional[2], ir::kI32);
    if (!lane.valid()) return error(range);
    Value held_mask = scalar(ValueType::typed(ir::kU32), mask, range);
    Value held_lane = scalar(ValueType::typed(ir::kI32), lane, range);
    if (value.type.has_items()) stabilise(held_mask), stabilise(held_lane);
    return shuffle(op, name, held_mask.expr, value, held_lane.expr, range);
  }
  if (value.is_error() || !all_numbers(name, std::span(&value, 1))) return error(range);
  if (op == OpKind::MatchAny || op == OpKind::MatchAll) {
    Value lanes = meet(op, ValueType::typed(ir::kU32), {mask, value.expr}, range);
    if (op == OpKind::MatchAny) return lanes;
    Value zero = python_int(0, range);
    Value all = compare(Operator::Ne, lanes, zero, range);
    return tuple({lanes, all}, range);
  }
  return warp_reduce(op, name, mask, value, range);
}

// The value that another lane has; of a tuple each item, of a complex number or a vector each component.
Value FunctionInference::shuffle(OpKind op, const std::string& name, TExprId mask, Value& value, TExprId lane,
                                 SourceRange range) {
  if (value.type.has_items()) {
    stabilise(value);
    std::vector<Value> parts;
    for (Value& item : items(value)) parts.push_back(shuffle(op, name, mask, item, lane, range));
    return with_items_of(value.type, std::move(parts), range);
  }
  if (value.is_error() || !all_numbers(name, std::span(&value, 1))) return error(range);
  Value v = meet(op, value.type, {mask, value.expr, lane}, range);
  v.known.non_negative = value.known.non_negative;  // which holds in every thread
  return v;
}

Value FunctionInference::warp_reduce(OpKind op, const std::string& name, TExprId mask, Value& value,
                                     SourceRange range) {
  ir::Type held = value.type.scalar;
  if (held.is_float()) {
    Report& r =
        report(DiagnosticId::ArgumentType, value.range, {name, "argument 2", "an integer", describe(value)});
    r.with_hint(
        "floats depend on the order: add what `gpu.shfl_down_sync` brings, in a loop over 16, 8, 4, 2, 1");
    explain(r, value);
    return error(range);
  }
  ValueType type = value.type;
  type.scalar = type.python ? (held == ir::kU64 ? held : ir::kI64) : promoted(held);
  return meet(op, type, {mask, convert(value, type)}, range);
}

// popc, clz, ffs, brev: in the width of a typed integer, at least 32 bits; in 64 of a Python number.
Value FunctionInference::bit_op(OpKind op, const std::string& name, CallArguments& call) {
  if (!arity(name, call, 1, 1) || !all_numbers(name, call.positional)) return error(call.range);
  Value& value = call.positional[0];
  ir::Type held = value.type.scalar;
  ValueType type = value.type;
  type.scalar = type.python ? (held == ir::kU64 ? held : ir::kI64) : promoted(held);
  if (held.is_float()) {
    integer_argument(name, 1, value, ir::kI32);
    return error(call.range);
  }
  TExprId operand = convert(value, type);
  if (op == OpKind::Brev) return op_value(op, type, {operand}, call.range);
  Value count = op_value(op, ValueType::typed(ir::kI32), {operand}, call.range);
  if (type.python) count = converted(std::move(count), ValueType::python_number(ir::kI64));
  count.known.non_negative = true;
  return count;
}

// n.bit_count(): Python counts the bits of the magnitude.
Value FunctionInference::bit_count(Value number, CallArguments& call) {
  if (!arity("bit_count", call, 0, 0)) return error(call.range);
  call.positional.push_back(number.type.scalar.is_float() ? std::move(number) : absolute(number, call.range));
  return bit_op(OpKind::Popc, "int.bit_count", call);
}

// gpu.ldcg(array, index), gpu.stcg(array, index, value): an element, with a hint to the caches.
Value FunctionInference::cached_access(OpKind op, const std::string& name, CallArguments& call) {
  size_t count = ir::is_load(op) ? 2 : 3;
  if (!arity(name, call, count, count)) return error(call.range);
  Value& array = call.positional[0];
  if (!indexed_array(name, array, false)) return error(call.range);
  if (!array.type.element.is_scalar()) {
    Report& r = report(DiagnosticId::AtomicType, array.range, {name, describe(array)});
    r.with_hint("it works on arrays of numbers");
    explain(r, array);
    return error(call.range);
  }
  std::vector<TExprId> children = {array.expr};
  std::vector<bool> wrap;
  if (!atomic_indices(array, call.positional[1], children, wrap)) return error(call.range);
  ValueType type = ValueType::typed(array.type.element);
  if (ir::is_load(op))
    return scalar(type,
                  add({.kind = TExprKind::Element,
                       .type = type,
                       .range = call.range,
                       .op = op,
                       .children = std::move(children),
                       .wrap = std::move(wrap)}),
                  call.range);
  Value& value = call.positional[2];
  if (!check_writable(array, array.range) || !all_numbers(name, std::span(&value, 1)) ||
      !check_range(value, array.type.element.scalar, "an element of this array"))
    return error(call.range);
  emit({.kind = TStmtKind::StoreElement,
        .range = call.range,
        .op = op,
        .array = array.expr,
        .value = convert(value, type),
        .indices = {children.begin() + 1, children.end()},
        .wrap = std::move(wrap)});
  return none(call.range);
}

// gpu.lanemask_lt() and its kin: the lanes below this one, one bit each.
Value FunctionInference::lane_mask(const std::string& name, CallArguments& call) {
  SourceRange range = call.range;
  ValueType type = ValueType::typed(ir::kU32);
  TExprId lane = op_expr(OpKind::LaneId, ValueType::typed(ir::kI32), {}, range);
  auto constant = [&](int64_t n) { return const_expr(type, n, range); };
  auto combined = [&](OpKind op, TExprId a, TExprId b) { return op_expr(op, type, {a, b}, range); };
  TExprId own = combined(OpKind::Shl, constant(1), lane);
  TExprId below = combined(OpKind::Sub, own, constant(1));
  std::string_view which = std::string_view(name).substr(name.size() - 2);
  TExprId mask = own;
  if (which == "lt") mask = below;
  if (which == "le") mask = combined(OpKind::Or, below, own);
  if (which == "ge") mask = op_expr(OpKind::Not, type, {below}, range);
  if (which == "gt") mask = op_expr(OpKind::Not, type, {combined(OpKind::Or, below, own)}, range);
  return scalar(type, mask, range);
}

}  // namespace lanewise::frontend::inference
