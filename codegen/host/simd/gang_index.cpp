// Indices that are lines for a gang though their values are vectors, kept beside these (IndexForm):
//
// - those that count from the end where they are negative. `x[i + k]` becomes a select between i + k and
//   i + k + n for each lane; yet nearly always all lanes of a gang lie on one side of 0, and then the index
//   is a line again. What is computed from such a select keeps that line, with the condition under which it
//   is wrong; loads and stores ask for the condition once and then read rows.
// - those of 32 bits in a small launch (ir/launch_variant.h). The lanes that take part have small indices, so
//   that what is near them does not wrap, and a row's first index may be widened alone. Other lanes have
//   anything.
#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using ir::ValueId;
using llvm::Value;

namespace {

constexpr int64_t kNear = int64_t{1} << 28;  // of a lane's index from the first one's

bool is_near(const Pattern& pattern) {
  auto [low, high] = std::minmax_element(pattern.begin(), pattern.end());
  return *low >= -kNear && *high <= kNear;
}

}  // namespace

// The line in 64 bits, of an index of 32. None if its lanes may lie so far apart that only rows can be
// widened.
std::optional<Lanes> GangEmitter::widened(const Lanes& index) {
  if (!index.is_line() || !is_near(index.terms[0].pattern)) return std::nullopt;
  Lanes line = index;
  line.base = b_.CreateSExt(index.base, b_.getInt64Ty());
  line.forget();
  return line;
}

bool GangEmitter::is_small_index(ir::Type narrow, ir::Type wide) const {
  return m_.facts.small && narrow == ir::kI32 && wide == ir::kI64;
}

std::optional<GangEmitter::IndexForm> GangEmitter::wrapped_select(const ir::Op& op) {
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
  if (!is_near(pattern)) return std::nullopt;
  auto [low, high] = std::minmax_element(pattern.begin(), pattern.end());
  auto constant = [&](int64_t value) {
    return llvm::ConstantInt::get(line.base->getType(), static_cast<uint64_t>(value), true);
  };
  Value *from_start = nullptr, *from_end = nullptr;
  if (line.base->getType()->isIntegerTy(64)) {
    from_start = b_.CreateICmpSGE(line.base, constant(-*low));
    from_end = b_.CreateICmpSLT(line.base, constant(-*high));
  } else {  // the first lane may not take part, and have wrapped
    constexpr int64_t kFar = (int64_t{1} << 31) - 2 * kNear;
    from_start = b_.CreateICmpULT(b_.CreateAdd(line.base, constant(*low)), constant(kFar));
    from_end = b_.CreateICmpUGT(b_.CreateAdd(line.base, constant(*high)), constant(-kFar));
  }
  line.base = b_.CreateSelect(from_start, line.base, from_behind.base);
  line.exact = false;
  line.forget();
  return IndexForm{line, b_.CreateNot(b_.CreateOr(from_start, from_end))};
}

std::optional<GangEmitter::IndexForm> GangEmitter::index_form(const ir::Op& op) {
  if (op.results.size() != 1) return std::nullopt;
  ir::Type type = f_.type(op.results[0]);
  if (op.kind == OpKind::Cast && is_small_index(f_.type(op.operands[0]), type)) {
    if (const auto& narrow = index_forms_[plan_.resolve(op.operands[0]).index]) return narrow;
    Lanes line = lanes(op.operands[0]);
    return line.linear() && !line.uniform() ? std::optional(IndexForm{line, nullptr}) : std::nullopt;
  }
  if (type != ir::kI64 && !is_small_index(type, ir::kI64)) return std::nullopt;
  if (op.kind == OpKind::Select) return wrapped_select(op);
  if (op.kind != OpKind::Add && op.kind != OpKind::Sub && op.kind != OpKind::Mul && op.kind != OpKind::Shl)
    return std::nullopt;
  Values forms;
  Value* mixed = nullptr;
  for (ValueId v : op.operands) {
    const std::optional<IndexForm>& form = index_forms_[plan_.resolve(v).index];
    if (form && form->line.base->getType() != m_.type(type)) return std::nullopt;
    forms.push_back(form ? form->line : lanes(v));
    if (form && form->mixed) mixed = mixed ? b_.CreateOr(mixed, form->mixed) : form->mixed;
  }
  if (!mixed) return std::nullopt;
  std::optional<Lanes> line = linear_op(op, forms);
  return line ? std::optional(IndexForm{*line, mixed}) : std::nullopt;
}

// Rows where the index is a line, else element by element. False if it is not done: the index is no such one.
bool GangEmitter::emit_wrapped_memory(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  const std::optional<IndexForm>& index = index_forms_[plan_.resolve(op.operands[1]).index];
  if (!index || !index->mixed || !lanes(op.operands[0]).linear()) return false;
  Address line = address(op, index->line);
  std::optional<Rows> found = rows(line, f_.type(op.operands[0]).element_size());
  if (!found || found->step == 0) return false;
  llvm::BasicBlock *apart = new_block("apart"), *side_by_side = new_block("rows");
  Join end = new_join("wrapped.end", op.results);
  b_.CreateCondBr(index->mixed, apart, side_by_side);
  auto access = [&](llvm::BasicBlock* block, const Address& where) {
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
