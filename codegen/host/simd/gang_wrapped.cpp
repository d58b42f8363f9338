// Indices that count from the end where they are negative. `x[i + k]` becomes a select between i + k and
// i + k + n for each lane; yet nearly always all lanes of a gang lie on one side of 0, and then the index is
// a line again. What is computed from such a select keeps that line beside its vector, with the condition
// under which it is wrong; loads and stores ask for the condition once and then read rows.
#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::Value;

std::optional<GangEmitter::Wrapped> GangEmitter::wrapped_select(const ir::Op& op) {
  // select(number < 0, number + n, number)
  auto definition = [&](ValueId v) -> const ir::Op* {
    ir::OpId id = tree_.definition(plan_.resolve(v));
    return id.valid() ? &f_.ops[id] : nullptr;
  };
  // Only the select's own operands are sure to be there: what these are made of may lie before a barrier.
  ValueId number = plan_.resolve(op.operands[2]);
  const ir::Op *test = definition(op.operands[0]), *added = definition(op.operands[1]);
  if (!test || test->kind != OpKind::Lt || plan_.resolve(test->operands[0]) != number) return std::nullopt;
  const ir::Op* bound = definition(test->operands[1]);
  if (!bound || bound->kind != OpKind::Const || std::get<int64_t>(bound->immediate) != 0) return std::nullopt;
  if (!added || added->kind != OpKind::Add ||
      (plan_.resolve(added->operands[0]) != number && plan_.resolve(added->operands[1]) != number))
    return std::nullopt;
  Lanes line = lanes(number), from_behind = lanes(op.operands[1]);
  if (!line.is_line() || !from_behind.is_line() || line.terms[0].pattern != from_behind.terms[0].pattern)
    return std::nullopt;
  const Pattern& pattern = line.terms[0].pattern;
  auto [low, high] = std::minmax_element(pattern.begin(), pattern.end());
  auto constant = [&](int64_t value) {
    return llvm::ConstantInt::get(line.base->getType(), static_cast<uint64_t>(value), true);
  };
  Value* from_start = b_.CreateICmpSGE(line.base, constant(-*low));
  Value* from_end = b_.CreateICmpSLT(line.base, constant(-*high));
  line.base = b_.CreateSelect(from_start, line.base, from_behind.base);
  line.exact = false;
  line.forget();
  return Wrapped{line, b_.CreateNot(b_.CreateOr(from_start, from_end))};
}

std::optional<GangEmitter::Wrapped> GangEmitter::wrapped_form(const ir::Op& op) {
  if (op.results.size() != 1 || f_.type(op.results[0]) != ir::kI64) return std::nullopt;
  if (op.kind == OpKind::Select) return wrapped_select(op);
  if (op.kind != OpKind::Add && op.kind != OpKind::Sub && op.kind != OpKind::Mul && op.kind != OpKind::Shl)
    return std::nullopt;
  Values forms;
  Value* mixed = nullptr;
  for (ValueId v : op.operands) {
    const std::optional<Wrapped>& wrapped = wrapped_[plan_.resolve(v).index];
    forms.push_back(wrapped ? wrapped->line : lanes(v));
    if (wrapped) mixed = mixed ? b_.CreateOr(mixed, wrapped->mixed) : wrapped->mixed;
  }
  if (!mixed) return std::nullopt;
  std::optional<Lanes> line = linear_op(op, forms);
  return line ? std::optional(Wrapped{*line, mixed}) : std::nullopt;
}

// Rows where the index is a line, else element by element. False if it is not done: the index is no such one.
bool GangEmitter::emit_wrapped_memory(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  const std::optional<Wrapped>& index = wrapped_[plan_.resolve(op.operands[1]).index];
  if (!index || !lanes(op.operands[0]).linear()) return false;
  Lanes line = address(op, index->line);
  std::optional<Rows> found = rows(line, f_.type(op.operands[0]).element_size());
  if (!found || found->step == 0) return false;
  llvm::BasicBlock *apart = new_block("apart"), *side_by_side = new_block("rows");
  Join end = new_join("wrapped.end", op.results);
  b_.CreateCondBr(index->mixed, apart, side_by_side);
  auto access = [&](llvm::BasicBlock* block, const Lanes& where) {
    b_.SetInsertPoint(block);
    Values values;
    if (ir::is_load(op.kind))
      values.push_back(load_lanes_at(op, where));
    else
      store_lanes_at(op, where);
    go_to(end, values);
  };
  access(side_by_side, line);
  b_.SetInsertPoint(apart);
  is_rare_ = true;
  access(apart, address(op, lanes(op.operands[1])));
  is_rare_ = false;
  define_results(op, start(end));
  return true;
}

}  // namespace lanewise::codegen::host
