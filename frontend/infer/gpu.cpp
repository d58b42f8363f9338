// What is special to GPUs: thread indices, barriers, shared and local arrays, atomics.
#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "frontend/infer/machine.h"
#include "ir/atomics.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

// Registers are held in 32 bits; as Python numbers they have 64, so that index arithmetic never overflows.
Value FunctionInference::thread_op(OpKind op, SourceRange range) {
  TExprId id = op_expr(op, ValueType::typed(ir::kI32), {}, range);
  ValueType type = ValueType::python_number(ir::kI64);
  Value v =
      scalar(type, add({.kind = TExprKind::Convert, .type = type, .range = range, .children = {id}}), range);
  v.known.non_negative = true;
  return v;
}

// A builtin that is a value: `gpu.threadIdx.x`, `gpu.laneid`, `gpu.warpsize`.
std::optional<Value> FunctionInference::special_register(const std::string& name, SourceRange range) {
  if (name == "gpu.warpsize") return python_int(32, range);
  std::optional<OpKind> op = op_of_name(name);
  if (!op || *op < OpKind::ThreadIdX || *op > OpKind::LaneId) return std::nullopt;
  return thread_op(*op, range);
}

Value FunctionInference::call_gpu(Handler handler, const std::string& name, CallArguments& call) {
  switch (handler) {
    case Handler::SharedArray: return new_array(ir::Space::Shared, name, call);
    case Handler::LocalArray: return new_array(ir::Space::Local, name, call);
    case Handler::Grid:
    case Handler::GridSize: return grid(handler, name, call);
    case Handler::LaneMask: return lane_mask(name, call);
    case Handler::CompareAndSwap:
      call.positional.insert(call.positional.begin() + 1, python_int(0, call.range));
      return atomic(OpKind::AtomicCas, name, call);
    case Handler::Group: return MachineCalls(*this).group(name, call);
    case Handler::ConstArray:
      if (call.positional[0].is_array() && call.positional[0].type.space == ir::Space::Constant)
        return call.positional[0];
      report(DiagnosticId::ArgumentType, call.positional[0].range,
             {name, "argument 1", "a NumPy array that the kernel captures", describe(call.positional[0])});
      return error(call.range);
    default: return error(call.range);
  }
}

// Each axis: block index * block size + thread index, or block size * grid size, in 64 bits.
Value FunctionInference::grid(Handler handler, const std::string& name, CallArguments& call) {
  const Value& dims = call.positional[0];
  std::optional<int64_t> count = dims.known.constant ? index_value(*dims.known.constant) : std::nullopt;
  if (!count || *count < 1 || *count > 3) {
    report(
        DiagnosticId::ArgumentType, dims.range,
        {name, "the number of dimensions", "1, 2 or 3", count ? spell(*dims.known.constant) : "a variable"});
    return error(call.range);
  }
  static constexpr OpKind kThread[] = {OpKind::ThreadIdX, OpKind::ThreadIdY, OpKind::ThreadIdZ};
  static constexpr OpKind kBlock[] = {OpKind::BlockIdX, OpKind::BlockIdY, OpKind::BlockIdZ};
  static constexpr OpKind kSize[] = {OpKind::BlockDimX, OpKind::BlockDimY, OpKind::BlockDimZ};
  static constexpr OpKind kGrid[] = {OpKind::GridDimX, OpKind::GridDimY, OpKind::GridDimZ};
  std::vector<Value> axes;
  for (int64_t axis = 0; axis < *count; ++axis) {
    SourceRange range = call.range;
    if (handler == Handler::GridSize) {
      axes.push_back(
          binary(Operator::Mul, thread_op(kGrid[axis], range), thread_op(kSize[axis], range), range, range));
      continue;
    }
    Value start =
        binary(Operator::Mul, thread_op(kBlock[axis], range), thread_op(kSize[axis], range), range, range);
    axes.push_back(binary(Operator::Add, start, thread_op(kThread[axis], range), range, range));
  }
  return *count == 1 ? axes[0] : tuple(std::move(axes), call.range);
}

// atomic.op(array, index, value) -> the old value; cas has two values, load none; store gives nothing.
Value FunctionInference::atomic(OpKind op, const std::string& name, CallArguments& call) {
  size_t operands = op == OpKind::AtomicCas ? 2 : op == OpKind::AtomicLoad ? 0 : 1;
  bool stores = op != OpKind::AtomicLoad, whole = op == OpKind::AtomicLoad || op == OpKind::AtomicStore;
  std::optional<ir::Ordering> order = MachineCalls(*this).ordering(op, name, call);
  if (!order) return error(call.range);
  if (!arity(name, call, 2 + operands, 2 + operands)) return error(call.range);
  Value& array = call.positional[0];
  if (!indexed_array(name, array, stores)) return error(call.range);
  ir::Type element = array.type.element.scalar;
  if (!array.type.element.is_scalar() || (!whole && !ir::atomic_works_on(op, element))) {
    Report& r = report(DiagnosticId::AtomicType, array.range, {name, describe(array)});
    if (array.type.element.is_complex())
      r.with_hint("its parts can be: `" + name + (stores ? "(z.real, i, value)`" : "(z.real, i)`") +
                  ", `z.imag`");
    else if (whole)
      r.with_hint("it works on arrays of numbers");
    else
      r.with_hint(element.is_float()
                      ? "it works on 32- and 64-bit integers"
                      : "integers of fewer than 32 bits have no atomics: collect in an int32 array");
    explain(r, array);
    return error(call.range);
  }
  if (array.type.unaligned) {
    Report& r = report(DiagnosticId::AtomicType, array.range, {name, describe(array)});
    r.with_hint("its elements are not aligned: make the dtype with align=True, or pass a copy of the array");
    explain(r, array);
    return error(call.range);
  }
  if (stores && !check_writable(array, array.range)) return error(call.range);
  std::vector<TExprId> children = {array.expr};
  std::vector<bool> wrap;
  if (!atomic_indices(array, call.positional[1], children, wrap)) return error(call.range);
  ValueType type = ValueType::typed(element);
  for (size_t i = 2; i < call.positional.size(); ++i) {
    Value& operand = call.positional[i];
    if (!all_numbers(name, std::span(&operand, 1)) ||
        !check_range(operand, element, "an element of this array"))
      return error(call.range);
    children.push_back(convert(operand, type));
  }
  TExprId e = add({.kind = TExprKind::Atomic,
                   .type = op == OpKind::AtomicStore ? ValueType::none() : type,
                   .range = call.range,
                   .op = op,
                   .immediate = ir::immediate_of(*order),
                   .children = std::move(children),
                   .wrap = std::move(wrap)});
  if (op != OpKind::AtomicStore) return scalar(type, e, call.range);
  emit({.kind = TStmtKind::Expr, .range = call.range, .value = e});
  return none(call.range);
}

// Whether the first argument of name(a, i) or name(a, i, value) is an array.
bool FunctionInference::indexed_array(const std::string& name, const Value& array, bool with_value) {
  if (array.is_array()) return true;
  Report& r =
      report(DiagnosticId::ArgumentType, array.range, {name, "argument 1", "an array", describe(array)});
  if (array.is_scalar())
    r.with_hint("pass the array and the index apart: `" + name + (with_value ? "(a, i, value)`" : "(a, i)`"));
  explain(r, array);
  return false;
}

bool FunctionInference::atomic_indices(const Value& array, Value& index, std::vector<TExprId>& children,
                                       std::vector<bool>& wrap) {
  std::vector<Value> indices = index.is_tuple() ? items(index) : std::vector<Value>{index};
  if (indices.size() != array.type.ndim) {
    Report& r =
        report(DiagnosticId::IndexCount, index.range,
               {describe(array), counted(array.type.ndim, "dimension"), std::to_string(indices.size())});
    explain(r, array);
    return false;
  }
  for (size_t d = 0; d < indices.size(); ++d) {
    TSubscript s;
    if (!index_subscript(array, indices[d], d, s)) return false;
    children.push_back(s.lower);
    wrap.push_back(s.wrap);
  }
  return true;
}

}  // namespace lanewise::frontend::inference
