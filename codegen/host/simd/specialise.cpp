#include "codegen/host/simd/specialise.h"

#include <algorithm>

#include "codegen/host/simd/scalar_forms.h"

namespace lanewise::codegen::host {
namespace {

using ir::OpKind;

// BlockDim, and the thread indices along axes of extent 1.
std::optional<int64_t> known(OpKind kind, const BlockShape& block) {
  switch (kind) {
    case OpKind::BlockDimX: return block[0];
    case OpKind::BlockDimY: return block[1];
    case OpKind::BlockDimZ: return block[2];
    case OpKind::ThreadIdX: return block[0] == 1 ? std::optional<int64_t>(0) : std::nullopt;
    case OpKind::ThreadIdY: return block[1] == 1 ? std::optional<int64_t>(0) : std::nullopt;
    case OpKind::ThreadIdZ: return block[2] == 1 ? std::optional<int64_t>(0) : std::nullopt;
    default: return std::nullopt;
  }
}

void narrow(ir::Function& kernel, const BlockShape& block, const ir::LaunchFacts& facts) {
  if (facts.small && ir::fold_ranges(kernel, facts)) ir::fold_constants(kernel);
  if (!ir::narrow_integers(kernel, facts, scalar_forms(kernel, block))) return;
  ir::fold_constants(kernel);
  ir::eliminate_common_ops(kernel);
  ir::remove_dead_ops(kernel);
  ir::compact(kernel);
}

bool has_wide_integers(const ir::Function& kernel) {
  return std::any_of(kernel.values.begin(), kernel.values.end(),
                     [](const ir::Value& value) { return value.type.is_int() && value.type.bits == 64; });
}

}  // namespace

Specialised specialise(const ir::Module& module, const BlockShape& block, const ir::LaunchFacts& facts) {
  Specialised result{module, {}};
  ir::Function& kernel = result.module.entry();
  for (ir::Op& op : kernel.ops) {
    std::optional<int64_t> value = known(op.kind, block);
    if (!value) continue;
    op.kind = OpKind::Const;
    op.immediate = *value;
  }
  ir::fold_constants(kernel);
  ir::eliminate_common_ops(kernel);
  bool unrolled = ir::unroll_loops(kernel);
  ir::fold_ranges(kernel);
  if (unrolled) ir::fold_constants(kernel);
  ir::eliminate_common_ops(kernel);
  ir::remove_dead_ops(kernel);
  ir::compact(kernel);
  if (!has_wide_integers(kernel)) return result;
  // What is right for every launch comes first, where the others are no better.
  double least = vector_integer_cost(kernel, block);
  std::vector<ir::LaunchFacts> choices(1);
  if (facts.small) choices.push_back({.small = true});
  const ir::Function wide = kernel;
  for (const ir::LaunchFacts& known : choices) {
    if (least == 0) break;
    ir::Function narrowed = wide;
    narrow(narrowed, block, known);
    double cost = vector_integer_cost(narrowed, block);
    if (cost >= least) continue;
    kernel = std::move(narrowed);
    least = cost;
    result.facts = known;
  }
  return result;
}

}  // namespace lanewise::codegen::host
