// Barriers, fences, thread indices, warp ops.
#include "codegen/common/target_limits.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/memory_order.h"
#include "ir/warp_ops.h"

namespace lanewise::codegen::cuda_cpp {

using ir::OpKind;
using ir::Type;

Expr FunctionWriter::special(const ir::Op& op) {
  constexpr std::string_view kVariables[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  if (op.kind == OpKind::LaneId) {
    Expr lane = call(file_.helpers.use("lane_id"), ir::kI32);
    lane.not_negative = true;
    return lane;
  }
  if (op.kind == OpKind::DynamicSharedBytes) {
    Expr bytes = call(file_.helpers.use("dynamic_shared_bytes"), ir::kU32);
    bytes.not_negative = true;
    return bytes;
  }
  LANEWISE_CHECK(op.kind >= OpKind::ThreadIdX && op.kind <= OpKind::GridDimZ, "a thread index was expected");
  auto index = static_cast<size_t>(op.kind) - static_cast<size_t>(OpKind::ThreadIdX);
  Expr e = primary(std::string(kVariables[index / 3]) + "." + "xyz"[index % 3], ir::kU32);
  e.not_negative = true;
  return e;
}

Expr FunctionWriter::thread(const ir::Op& op) {
  auto with_condition = [&](const char* function) {
    return call(function, ir::kI32, expr(op.operands[0]).text);
  };
  auto truth = [&](const Expr& e) { return binary(e, "!=", int_literal(0), Binding::Equality, ir::kBool); };
  switch (op.kind) {
    case OpKind::Barrier: return call("__syncthreads", ir::kVoid);
    case OpKind::GridBarrier:
      check_grid_barrier(f_, file_.target);
      return call(file_.helpers.use("grid_barrier"), ir::kVoid, "grid_counter");
    case OpKind::BarrierCount: return with_condition("__syncthreads_count");
    case OpKind::BarrierAnd: return truth(with_condition("__syncthreads_and"));
    case OpKind::BarrierOr: return truth(with_condition("__syncthreads_or"));
    case OpKind::FenceBlock: return call("__threadfence_block", ir::kVoid);
    case OpKind::FenceDevice: return call("__threadfence", ir::kVoid);
    case OpKind::FenceSystem: return call("__threadfence_system", ir::kVoid);
    case OpKind::Fence: return call(fence_function(ir::ordering_of(op).scope), ir::kVoid);
    default: return warp(op);
  }
}

std::string FunctionWriter::fence_function(ir::MemoryScope scope) {
  switch (scope) {
    case ir::MemoryScope::Block: return "__threadfence_block";
    case ir::MemoryScope::Device: return "__threadfence";
    case ir::MemoryScope::System: return "__threadfence_system";
  }
  return "";
}

Expr FunctionWriter::machine(const ir::Op& op) {
  switch (op.kind) {
    case OpKind::Nanosleep: return call("__nanosleep", ir::kVoid, expr(op.operands[0]).text);
    case OpKind::Clock: return c_cast("unsigned", call("clock", ir::kI64), ir::kU32);
    case OpKind::Clock64: return call("clock64", ir::kI64);
    case OpKind::Breakpoint: return call("__brkpt", ir::kVoid);
    case OpKind::GlobalTimer:
    case OpKind::SmId:
    case OpKind::SmCount:
    case OpKind::WarpId: return call(file_.helpers.use(ir::info(op.kind).text), f_.type(op.results[0]));
    default: refuse(op);
  }
}

Expr FunctionWriter::warp(const ir::Op& op) {
  if (op.kind == OpKind::ActiveMask) return call("__activemask", ir::kU32);
  std::string mask = expr(op.operands[0]).text;
  auto vote = [&](const char* function) {
    Expr e = call(function, ir::kI32, mask, expr(op.operands[1]).text);
    return binary(e, "!=", int_literal(0), Binding::Equality, ir::kBool);
  };
  switch (op.kind) {
    case OpKind::SyncWarp: return call("__syncwarp", ir::kVoid, mask);
    case OpKind::VoteAll: return vote("__all_sync");
    case OpKind::VoteAny: return vote("__any_sync");
    case OpKind::VoteEq: return vote("__uni_sync");
    case OpKind::Ballot: return call("__ballot_sync", ir::kU32, mask, expr(op.operands[1]).text);
    case OpKind::MatchAny:
    case OpKind::MatchAll: {
      bool any = op.kind == OpKind::MatchAny, has = file_.target.sm >= 70;
      Type type = f_.type(op.operands[1]);
      Expr bits = to_bits(expr(op.operands[1]), type);
      if (bits.type.bits < 32) bits = c_cast("unsigned", bits, ir::kU32);
      std::string function = !has ? file_.helpers.use(any ? "match_any_by_shuffles" : "match_all_by_shuffles")
                             : any ? "__match_any_sync"
                                   : file_.helpers.use("match_all");
      return call(function, ir::kU32, mask, bits.text);
    }
    case OpKind::ShflIdx:
    case OpKind::ShflUp:
    case OpKind::ShflDown:
    case OpKind::ShflXor: return shuffle(op);
    default: return reduce(op);
  }
}

Expr FunctionWriter::shuffle(const ir::Op& op) {
  const char* function = op.kind == OpKind::ShflIdx    ? "__shfl_sync"
                         : op.kind == OpKind::ShflUp   ? "__shfl_up_sync"
                         : op.kind == OpKind::ShflDown ? "__shfl_down_sync"
                                                       : "__shfl_xor_sync";
  Type type = f_.type(op.results[0]);
  Expr value = expr(op.operands[1]);
  std::string mask = expr(op.operands[0]).text, lane = expr(op.operands[2]).text;
  bool short_float = type.is_float() && type.bits == 16;
  // CUDA shuffles 32 and 64 bits.
  Type moved = short_float ? ir::kU32 : promoted(type);
  value = short_float ? c_cast("unsigned", to_bits(value, type), ir::kU32) : as(value, moved);
  Expr e = call(function, moved, mask, value.text, lane);
  if (short_float) return from_bits(e, type);
  if (type.is_bool()) return binary(e, "!=", int_literal(0), Binding::Equality, type);
  return e;
}

Expr FunctionWriter::reduce(const ir::Op& op) {
  Type type = f_.type(op.results[0]);
  std::string mask = expr(op.operands[0]).text, name(ir::info(op.kind).text);
  Expr own = expr(op.operands[1]);
  bool bitwise = op.kind >= OpKind::ReduceAnd;
  if (file_.target.sm >= 80 && type.bits <= 32) {
    Type taken = bitwise ? ir::kU32 : type.is_signed() ? ir::kI32 : ir::kU32;
    Expr e = call("__" + name + "_sync", taken, mask, as(own, taken).text);
    return e.type == type ? e : c_cast(type_name(type), e, type);
  }
  Type held = promoted(type);
  auto [combine, bits_of_none] = ir::reduction_of(op.kind, type);
  std::string word = type_name(held), function = name + "_" + ir::to_string(type);
  std::string start = as(literal(static_cast<int64_t>(bits_of_none), type), held).text;
  Expr both = scalar_of(combine, type, type, {primary("known", held), primary("other", held)}, false, false);
  file_.helpers.use_own(
      function, "// Over the lanes of the mask that are here.\n__device__ " + word + " " + function +
                    "(unsigned mask, " + word + " x) {\n  " + word + " known = " + start +
                    ";\n  for (unsigned rest = __ballot_sync(mask, 1); rest != 0; rest &= rest - 1) {\n    " +
                    word + " other = __shfl_sync(mask, x, __ffs((int)rest) - 1);\n    known = " + both.text +
                    ";\n  }\n  return known;\n}");
  return call(function, held, mask, own.text);
}

}  // namespace lanewise::codegen::cuda_cpp
