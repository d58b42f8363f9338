#include "codegen/host/simd/specialise.h"

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

}  // namespace

ir::Module specialise(const ir::Module& module, const BlockShape& block) {
  ir::Module result = module;
  ir::Function& kernel = result.entry();
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
  return result;
}

}  // namespace lanewise::codegen::host
