// Loads, stores and atomics. Elements are reached by 64-bit byte-exact addresses; a bool in memory is a byte
// that holds 0 or 1.
#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;

namespace {

llvm::AtomicRMWInst::BinOp integer_operation(OpKind kind, bool is_signed) {
  using Rmw = llvm::AtomicRMWInst;
  switch (kind) {
    case OpKind::AtomicAdd: return Rmw::Add;
    case OpKind::AtomicSub: return Rmw::Sub;
    case OpKind::AtomicInc: return Rmw::UIncWrap;
    case OpKind::AtomicDec: return Rmw::UDecWrap;
    case OpKind::AtomicNanMin:
    case OpKind::AtomicMin: return is_signed ? Rmw::Min : Rmw::UMin;
    case OpKind::AtomicNanMax:
    case OpKind::AtomicMax: return is_signed ? Rmw::Max : Rmw::UMax;
    case OpKind::AtomicAnd: return Rmw::And;
    case OpKind::AtomicOr: return Rmw::Or;
    case OpKind::AtomicXor: return Rmw::Xor;
    case OpKind::AtomicExch: return Rmw::Xchg;
    default: break;
  }
  throw ir::InternalError("`" + std::string(ir::info(kind).text) + "` is not an atomic of integers");
}

}  // namespace

Value* FunctionLowering::element_address(const ir::Op& op) {
  llvm::Type* element = element_type(m_.context, f_.type(op.operands[0]).element());
  Value *base = value(op.operands[0]), *index = value(op.operands[1]);
  if (auto [rest, constant] = constant_offset(index); constant)
    return b_.CreateGEP(element, b_.CreateGEP(element, base, rest), constant);
  return b_.CreateGEP(element, base, index);
}

// An index i + c of a small launch in 32 bits: an element that is there has a small index, so i + c does not
// wrap and the constant can be part of the instruction's address.
std::pair<Value*, Value*> FunctionLowering::constant_offset(Value* index) {
  auto* extended = llvm::dyn_cast<llvm::SExtInst>(index);
  if (!m_.target.facts.small || !extended) return {};
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(extended->getOperand(0));
  if (!sum || !sum->getType()->isIntegerTy(32)) return {};
  bool adds = sum->getOpcode() == llvm::Instruction::Add;
  if (!adds && sum->getOpcode() != llvm::Instruction::Sub) return {};
  Value *rest = sum->getOperand(0), *other = sum->getOperand(1);
  if (adds && llvm::isa<llvm::ConstantInt>(rest)) std::swap(rest, other);
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(other);
  if (!constant || constant->getValue().abs().ugt(ir::kSmall)) return {};
  int64_t offset = adds ? constant->getSExtValue() : -constant->getSExtValue();
  return {b_.CreateSExt(rest, b_.getInt64Ty()), llvm::ConstantInt::getSigned(b_.getInt64Ty(), offset)};
}

Value* FunctionLowering::lower_memory(const ir::Op& op) {
  ir::Type element = f_.type(op.operands[0]).element();
  llvm::Align align(element.element_size());
  if (op.kind == OpKind::AtomicLoad || op.kind == OpKind::AtomicStore) return lower_ordered_access(op);
  bool hinted = op.kind != OpKind::Load && op.kind != OpKind::Store && !ir::is_atomic(op.kind);
  ir::Space space = f_.type(op.operands[0]).space;
  if (hinted && (space == ir::Space::Global || space == ir::Space::Generic)) return lower_hinted(op);
  if (ir::is_load(op.kind)) {
    Value* loaded = b_.CreateAlignedLoad(element_type(m_.context, element), element_address(op), align);
    return element.is_bool() ? b_.CreateIsNotNull(loaded) : loaded;
  }
  if (ir::is_store(op.kind)) {
    Value* stored = value(op.operands[2]);
    if (element.is_bool()) stored = b_.CreateZExt(stored, b_.getInt8Ty());
    b_.CreateAlignedStore(stored, element_address(op), align);
    return nullptr;
  }
  return lower_atomic(op);
}

// A load that decides whether a loop goes on: atomic, so that it is made in every turn and sees what other
// threads write.
Value* FunctionLowering::lower_exit_load(const ir::Op& op) {
  ir::Type element = f_.type(op.operands[0]).element();
  llvm::Align align(element.element_size());
  llvm::LoadInst* loaded =
      b_.CreateAlignedLoad(b_.getIntNTy(8 * element.element_size()), element_address(op), align);
  loaded->setAtomic(llvm::AtomicOrdering::Monotonic, m_.context.getOrInsertSyncScopeID("device"));
  if (element.is_bool()) return b_.CreateIsNotNull(loaded);
  return b_.CreateBitCast(loaded, scalar_type(m_.context, element));
}

// Relaxed and of device scope, unless lower_order.cpp. Local memory belongs to one thread and has no atomic
// instructions.
Value* FunctionLowering::lower_atomic(const ir::Op& op) {
  ir::Type pointer = f_.type(op.operands[0]), element = pointer.element();
  Value* address = element_address(op);
  if (pointer.space == ir::Space::Local) return local_atomic(op, address);
  ir::Ordering ordering = ir::ordering_of(op);
  bool usual = ordering.order == ir::MemoryOrder::Relaxed && ordering.scope == ir::MemoryScope::Device;
  if (!usual) return lower_ordered_atomic(op, address);
  llvm::Align align(element.element_size());
  auto scope = m_.context.getOrInsertSyncScopeID("device");
  auto relaxed = llvm::AtomicOrdering::Monotonic;
  llvm::Type* bits = b_.getIntNTy(8 * element.element_size());
  auto as_bits = [&](Value* v) { return b_.CreateBitCast(v, bits); };
  auto from_bits = [&](Value* v) { return b_.CreateBitCast(v, scalar_type(m_.context, element)); };
  Value* operand = value(op.operands[2]);
  if (op.kind == OpKind::AtomicCas) {
    Value* pair = b_.CreateAtomicCmpXchg(address, as_bits(operand), as_bits(value(op.operands[3])), align,
                                         relaxed, relaxed, scope);
    return from_bits(b_.CreateExtractValue(pair, 0));
  }
  bool min_or_max = op.kind >= OpKind::AtomicMin && op.kind <= OpKind::AtomicNanMax;
  bool sum = op.kind == OpKind::AtomicAdd || op.kind == OpKind::AtomicSub;
  if (element.is_float() && (min_or_max || (sum && element == ir::kBF16)))
    return atomic_by_exchange(op.kind, address, operand, element, ir::MemoryScope::Device);
  if (element.is_float() && sum) {
    // old - x is old + (-x), which is an instruction.
    if (op.kind == OpKind::AtomicSub) operand = b_.CreateFNeg(operand);
    return b_.CreateAtomicRMW(llvm::AtomicRMWInst::FAdd, address, operand, align, relaxed, scope);
  }
  auto operation = integer_operation(op.kind, element.is_signed());
  return from_bits(b_.CreateAtomicRMW(operation, address, as_bits(operand), align, relaxed, scope));
}

// Local memory has no atomic instructions and needs none.
Value* FunctionLowering::local_atomic(const ir::Op& op, Value* address) {
  ir::Type element = f_.type(op.operands[0]).element();
  llvm::Align align(element.element_size());
  Value* old = b_.CreateAlignedLoad(element_type(m_.context, element), address, align);
  Value* operand = value(op.operands[2]);
  Value* left = nullptr;
  if (op.kind == OpKind::AtomicCas) {
    llvm::Type* bits = b_.getIntNTy(element.bits);
    Value* same = b_.CreateICmpEQ(b_.CreateBitCast(old, bits), b_.CreateBitCast(operand, bits));
    left = b_.CreateSelect(same, value(op.operands[3]), old);
  } else {
    left = scalars_.emit_atomic(op.kind, element, old, operand);
  }
  b_.CreateAlignedStore(left, address, align);
  return old;
}

// A NaN operand changes nothing; a NaN in memory stays, or is replaced by the nan forms; -0.0 is below 0.0.
// There is nothing to write if the result has the bits that are there.
Value* FunctionLowering::atomic_by_exchange(OpKind kind, Value* address, Value* operand, ir::Type type,
                                            ir::MemoryScope memory_scope) {
  llvm::Type* bits = b_.getIntNTy(type.bits);
  llvm::Type* floating = scalar_type(m_.context, type);
  llvm::Align align(type.element_size());
  auto scope = sync_scope(memory_scope);
  auto relaxed = llvm::AtomicOrdering::Monotonic;
  llvm::BasicBlock *loop = new_block("exchange"), *write = new_block("exchange_write"),
                   *done = new_block("exchange_done");

  llvm::LoadInst* first = b_.CreateAlignedLoad(bits, address, align);
  first->setAtomic(relaxed, scope);
  llvm::BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(loop);

  b_.SetInsertPoint(loop);
  llvm::PHINode* old_bits = b_.CreatePHI(bits, 2);
  old_bits->addIncoming(first, before);
  Value* old = b_.CreateBitCast(old_bits, floating);
  Value* wanted = b_.CreateBitCast(scalars_.emit_atomic(kind, type, old, operand), bits);
  Value* changes = b_.CreateICmpNE(wanted, old_bits);
  b_.CreateCondBr(changes, write, done);

  b_.SetInsertPoint(write);
  Value* pair = b_.CreateAtomicCmpXchg(address, old_bits, wanted, align, relaxed, relaxed, scope);
  old_bits->addIncoming(b_.CreateExtractValue(pair, 0), write);
  b_.CreateCondBr(b_.CreateExtractValue(pair, 1), done, loop);

  b_.SetInsertPoint(done);
  return b_.CreateBitCast(old_bits, floating);
}

// One slot however often the op runs: in the entry block, where LLVM can take it apart into registers.
Value* FunctionLowering::data_address(size_t index) {
  if (m_.hidden) {
    auto found = std::find(m_.hidden->data.begin(), m_.hidden->data.end(), index);
    if (found != m_.hidden->data.end())
      return hidden_argument(static_cast<size_t>(found - m_.hidden->data.begin()));
  }
  return m_.data_address(index);
}

Value* FunctionLowering::local_array(const ir::Op& op) {
  ir::Type element = f_.type(op.results[0]).element();
  int64_t count = std::max<int64_t>(std::get<int64_t>(op.immediate), 1);
  auto* type = llvm::ArrayType::get(element_type(m_.context, element), static_cast<uint64_t>(count));
  m_.local_bytes += count * element.element_size();
  llvm::IRBuilder<>::InsertPointGuard guard(b_);
  llvm::BasicBlock& entry = fn_->getEntryBlock();
  b_.SetInsertPoint(&entry, entry.begin());
  llvm::AllocaInst* slot = b_.CreateAlloca(type);
  slot->setAlignment(llvm::Align(std::max<unsigned>(element.element_size(), 16)));
  return slot;
}

}  // namespace lanewise::codegen
