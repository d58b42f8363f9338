// Atomics of a gang on one address or on elements side by side: one exchange with memory does many lanes'.
// The result is that of one lane after the other, with nobody else in between.
#include "codegen/host/atomics.h"
#include "codegen/host/simd/gang_emitter.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr int64_t kExchanged = 16;  // bytes that are exchanged at once

// The reduction of what lanes bring, where their order makes no difference.
std::optional<OpKind> combination(OpKind kind, ir::Type type) {
  if (!type.is_int()) return std::nullopt;
  switch (kind) {
    case OpKind::AtomicAdd:
    case OpKind::AtomicSub: return OpKind::ReduceAdd;
    case OpKind::AtomicAnd: return OpKind::ReduceAnd;
    case OpKind::AtomicOr: return OpKind::ReduceOr;
    case OpKind::AtomicXor: return OpKind::ReduceXor;
    case OpKind::AtomicMin:
    case OpKind::AtomicNanMin: return OpKind::ReduceMin;
    case OpKind::AtomicMax:
    case OpKind::AtomicNanMax: return OpKind::ReduceMax;
    default: return std::nullopt;
  }
}

// What changes nothing.
llvm::APInt identity(OpKind kind, ir::Type type) {
  switch (kind) {
    case OpKind::AtomicAnd: return llvm::APInt::getAllOnes(type.bits);
    case OpKind::AtomicMin:
    case OpKind::AtomicNanMin:
      return type.is_signed() ? llvm::APInt::getSignedMaxValue(type.bits)
                              : llvm::APInt::getMaxValue(type.bits);
    case OpKind::AtomicMax:
    case OpKind::AtomicNanMax:
      return type.is_signed() ? llvm::APInt::getSignedMinValue(type.bits) : llvm::APInt::getZero(type.bits);
    default: return llvm::APInt::getZero(type.bits);
  }
}

}  // namespace

bool GangEmitter::emit_atomics_together(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  bool own = pointer.space == ir::Space::Shared || pointer.space == ir::Space::Local;
  if (op.kind == OpKind::AtomicCas || type.is_bool() || type.bits < 32 ||
      (!own && pointer.space != ir::Space::Global))
    return false;
  Address at = address(op);
  if (!at.pointer.linear()) return false;
  if (at.uniform()) {
    if (own) return false;
    if (!emit_atomics_as_one(id, at.pointer.base)) emit_atomics_in_turn(id, at.pointer.base);
    return true;
  }
  std::optional<Rows> found = rows(at, type.element_size());
  if (!found || found->length != kGang || found->step != 1) return false;
  Value* row = row_address(at, *found, 0);
  if (own)
    emit_atomics_in_own_row(id, row);
  else if (m_.exchanges_128)
    emit_atomics_in_row(id, row);
  else
    return false;
  return true;
}

void GangEmitter::emit_atomics_in_own_row(ir::OpId id, Value* row) {
  const ir::Op& op = f_.ops[id];
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  llvm::Align align(type.element_size());
  llvm::LoadInst* old = b_.CreateAlignedLoad(vector_type(type), row, align);
  scopes_.mark(old, pointer.space);
  Value* updated = scalar_.emit_atomic(op.kind, type, old, vector(op.operands[2]));
  if (!is_all(exec_)) updated = b_.CreateSelect(exec_, updated, old);
  scopes_.mark(b_.CreateAlignedStore(updated, row, align), pointer.space);
  define(op.results[0], Lanes::of_vector(old));
}

// 16 bytes after the other, where the row is aligned and all lanes take part.
void GangEmitter::emit_atomics_in_row(ir::OpId id, Value* row) {
  const ir::Op& op = f_.ops[id];
  ir::Type type = f_.type(op.operands[2]);
  int64_t size = type.element_size(), bytes = kGang * size;
  Value* place = b_.CreatePtrToInt(row, b_.getInt64Ty());
  Value* aligned = b_.CreateIsNull(b_.CreateAnd(place, b_.getInt64(kExchanged - 1)));
  bool used = used_[op.results[0].index];
  emit_if_all(id, aligned, [&]() -> Value* {
    Value* operands = spill(vector(op.operands[2]), type);
    Value* results = used ? spill(nullptr, type) : nullptr;
    auto* part = llvm::FixedVectorType::get(m_.type(type), static_cast<unsigned>(kExchanged / size));
    BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("atomics"), *end = new_block("atomics.out");
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    llvm::PHINode* offset = b_.CreatePHI(b_.getInt64Ty(), 2);
    offset->addIncoming(b_.getInt64(0), before);
    Value* operand = b_.CreateAlignedLoad(part, b_.CreatePtrAdd(operands, offset), llvm::Align(kExchanged));
    Value* old = exchange_loop(op, b_.CreatePtrAdd(row, offset), part,
                               [&](Value* now) { return scalar_.emit_atomic(op.kind, type, now, operand); });
    if (used) b_.CreateAlignedStore(old, b_.CreatePtrAdd(results, offset), llvm::Align(kExchanged));
    Value* next = b_.CreateAdd(offset, b_.getInt64(kExchanged));
    offset->addIncoming(next, b_.GetInsertBlock());
    mark_loop(b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(static_cast<uint64_t>(bytes))), loop, end),
              0);
    b_.SetInsertPoint(end);
    return used ? b_.CreateAlignedLoad(vector_type(type), results, llvm::Align(64)) : nullptr;
  });
}

// What the lanes add, combined first.
bool GangEmitter::emit_atomics_as_one(ir::OpId id, Value* address) {
  const ir::Op& op = f_.ops[id];
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  std::optional<OpKind> combine = combination(op.kind, type);
  if (!combine || used_[op.results[0].index]) return false;
  define(op.results[0], nothing(op.results[0]));
  BasicBlock* end = nullptr;
  if (!is_all(exec_)) {
    BasicBlock* some = new_block("atomic");
    end = new_block("atomic.end");
    b_.CreateCondBr(any(exec_), some, end);
    b_.SetInsertPoint(some);
  }
  Lanes own = lanes(op.operands[2]);
  Value* all = nullptr;
  if (own.uniform() && combine == OpKind::ReduceAdd) {
    Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits(exec_));
    all = b_.CreateMul(own.base, b_.CreateZExtOrTrunc(count, m_.type(type)));
  } else {
    Value* operands = vector(own, type);
    if (!is_all(exec_))
      operands = b_.CreateSelect(exec_, operands,
                                 llvm::ConstantInt::get(vector_type(type), identity(op.kind, type)));
    all = b_.CreateUnaryIntrinsic(reduction(*combine, type), operands);
  }
  scopes_.mark(b_.CreateAtomicRMW(*machine_atomic(op.kind, type), address, all,
                                  llvm::Align(type.element_size()), llvm_order(op)),
               pointer.space);
  if (!end) return true;
  b_.CreateBr(end);
  b_.SetInsertPoint(end);
  return true;
}

// One lane's result after the other's, exchanged with memory at the end.
void GangEmitter::emit_atomics_in_turn(ir::OpId id, Value* address) {
  const ir::Op& op = f_.ops[id];
  ir::Type type = f_.type(op.operands[2]);
  bool used = used_[op.results[0].index];
  emit_if_all(id, nullptr, [&]() -> Value* {
    Lanes own = lanes(op.operands[2]);
    Value *operands = own.uniform() ? nullptr : vector(own, type), *results = nullptr;
    exchange_loop(op, address, m_.type(type), [&](Value* value) {
      results = llvm::PoisonValue::get(vector_type(type));
      for (uint64_t lane = 0; lane < kGang; ++lane) {
        if (used) results = b_.CreateInsertElement(results, value, lane);
        Value* operand = operands ? b_.CreateExtractElement(operands, lane) : own.base;
        value = scalar_.emit_atomic(op.kind, type, value, operand);
      }
      return value;
    });
    return used ? results : nullptr;
  });
}

// What `together` makes where all lanes take part and the condition (null: true) holds; else one lane after
// the other.
void GangEmitter::emit_if_all(ir::OpId id, Value* condition, const std::function<Value*()>& together) {
  const ir::Op& op = f_.ops[id];
  ir::ValueId result = op.results[0];
  Value* whole = is_all(exec_) ? condition : all(exec_);
  if (condition && !is_all(exec_)) whole = b_.CreateAnd(whole, condition);
  auto lanes_of = [&](Value* v) { return v ? Lanes::of_vector(v) : nothing(result); };
  if (!whole) return define(result, lanes_of(together()));
  Join end = new_join("atomics.end", op.results);
  BasicBlock *quick = new_block("together"), *slow = new_block("each");
  b_.CreateCondBr(whole, quick, slow);
  b_.SetInsertPoint(slow);
  emit_per_lane({id});
  go_to(end, Values{lanes(result)});
  b_.SetInsertPoint(quick);
  go_to(end, Values{lanes_of(together())});
  Values results = start(end);
  define(result, results[0]);
}

}  // namespace lanewise::codegen::host
