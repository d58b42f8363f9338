// Loads, stores and atomics of one thread. One OS thread owns a block, so atomics on shared and local memory
// are plain; on other memory they are relaxed machine atomics.
#include <llvm/IR/IntrinsicsX86.h>
#include <time.h>

#include "codegen/host/atomics.h"
#include "codegen/host/function_emitter.h"
#include "ir/error.h"
#include "ir/memory_order.h"

namespace lanewise::codegen::host {

using ir::OpKind;
using llvm::Value;

llvm::AtomicOrdering llvm_order(const ir::Op& op) {
  switch (ir::ordering_of(op).order) {
    case ir::MemoryOrder::Relaxed: return llvm::AtomicOrdering::Monotonic;
    case ir::MemoryOrder::Acquire: return llvm::AtomicOrdering::Acquire;
    case ir::MemoryOrder::Release: return llvm::AtomicOrdering::Release;
    case ir::MemoryOrder::AcquireRelease: return llvm::AtomicOrdering::AcquireRelease;
    case ir::MemoryOrder::SequentiallyConsistent: break;
  }
  return llvm::AtomicOrdering::SequentiallyConsistent;
}

namespace {

// Memory that only the block's own OS thread touches.
bool is_own(ir::Space space) {
  return space == ir::Space::Shared || space == ir::Space::Local || space == ir::Space::Constant;
}

}  // namespace

Value* FunctionEmitter::load(ir::Type element, Value* address, ir::Space space,
                             llvm::AtomicOrdering ordering) {
  llvm::LoadInst* loaded =
      b_.CreateAlignedLoad(element_type(m_.context, element), address, llvm::Align(element.element_size()));
  loaded->setAtomic(ordering);
  scopes().mark(loaded, space);
  if (element.kind != ir::Type::Kind::Bool) return loaded;
  return b_.CreateICmpNE(loaded, b_.getInt8(0));
}

void FunctionEmitter::store(ir::Type element, Value* v, Value* address, ir::Space space,
                            llvm::AtomicOrdering ordering) {
  if (element.kind == ir::Type::Kind::Bool) v = b_.CreateZExt(v, b_.getInt8Ty());
  llvm::StoreInst* stored = b_.CreateAlignedStore(v, address, llvm::Align(element.element_size()));
  stored->setAtomic(ordering);
  scopes().mark(stored, space);
}

Value* FunctionEmitter::emit_memory(ir::OpId id) {
  const ir::Op& op = f_.ops[id];
  if (ir::is_load(op.kind) || ir::is_store(op.kind)) {
    ir::Type pointer = f_.type(op.operands[0]);
    Value* base = value(op.operands[0]);
    Value* address = b_.CreateGEP(element_type(m_.context, pointer), base, value(op.operands[1]));
    // Another block may change what a loop waits for; shared memory only changes at this thread's own hand.
    bool every_turn = exit_loads_[id.index] && pointer.space != ir::Space::Shared;
    every_turn |= op.kind == OpKind::LoadCv;
    auto ordering = every_turn ? llvm::AtomicOrdering::Monotonic : llvm::AtomicOrdering::NotAtomic;
    bool ordered = op.kind == OpKind::AtomicLoad || op.kind == OpKind::AtomicStore;
    if (ordered && !is_own(pointer.space)) ordering = llvm_order(op);
    if (ir::is_load(op.kind)) return load(pointer.element(), address, pointer.space, ordering);
    store(pointer.element(), value(op.operands[2]), address, pointer.space, ordering);
    return nullptr;
  }
  if (ir::is_fence(op.kind)) return emit_fence(op);
  if (ir::is_machine_op(op.kind)) return machine_op(op.kind);
  LANEWISE_CHECK(ir::is_atomic(op.kind), "no lowering for `" + std::string(ir::info(op.kind).text) + "`");
  return atomic(op);
}

// One OS thread runs a block, so what its threads see of each other needs no instruction.
Value* FunctionEmitter::emit_fence(const ir::Op& op) {
  bool in_block = op.kind == OpKind::FenceBlock ||
                  (op.kind == OpKind::Fence && ir::ordering_of(op).scope == ir::MemoryScope::Block);
  auto ordering = op.kind == OpKind::Fence ? llvm_order(op) : llvm::AtomicOrdering::SequentiallyConsistent;
  b_.CreateFence(ordering, in_block ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
  return nullptr;
}

// Clocks and what stands for a GPU's registers.
Value* FunctionEmitter::machine_op(OpKind kind) {
  auto call = [&](const char* name, llvm::ArrayRef<Value*> operands = {}) {
    llvm::SmallVector<llvm::Type*, 2> types;
    for (Value* operand : operands) types.push_back(operand->getType());
    return b_.CreateCall(
        m_.module.getOrInsertFunction(name, llvm::FunctionType::get(b_.getInt32Ty(), types, false)),
        operands);
  };
  switch (kind) {
    case OpKind::Nanosleep:
      if (m_.module.getTargetTriple().isX86())
        b_.CreateIntrinsic(llvm::Intrinsic::x86_sse2_pause, llvm::ArrayRef<Value*>());
      return nullptr;
    case OpKind::Clock:
    case OpKind::Clock64: {
      Value* count = b_.CreateIntrinsic(llvm::Intrinsic::readcyclecounter, llvm::ArrayRef<Value*>());
      return kind == OpKind::Clock ? b_.CreateTrunc(count, b_.getInt32Ty()) : count;
    }
    case OpKind::GlobalTimer: {
      llvm::Type* i64 = b_.getInt64Ty();
      llvm::BasicBlock& entry = b_.GetInsertBlock()->getParent()->getEntryBlock();
      llvm::IRBuilder<> before(&entry, entry.getFirstInsertionPt());
      Value* time = before.CreateAlloca(llvm::ArrayType::get(i64, 2));
      call("clock_gettime", {b_.getInt32(CLOCK_MONOTONIC), time});
      Value* seconds = b_.CreateLoad(i64, time);
      Value* rest = b_.CreateLoad(i64, b_.CreateConstInBoundsGEP1_64(i64, time, 1));
      return b_.CreateAdd(b_.CreateMul(seconds, b_.getInt64(1'000'000'000)), rest);
    }
    case OpKind::SmId: return call("sched_getcpu");
    case OpKind::SmCount: return call("get_nprocs_conf");
    case OpKind::WarpId: return b_.CreateTrunc(b_.CreateLShr(linear_thread(), 5), b_.getInt32Ty());
    default: return nullptr;  // a breakpoint: debuggers stop at source lines
  }
}

std::optional<llvm::AtomicRMWInst::BinOp> machine_atomic(OpKind kind, ir::Type type) {
  using Rmw = llvm::AtomicRMWInst;
  if (type.bits < 32) return std::nullopt;
  switch (kind) {
    case OpKind::AtomicAdd: return type.is_float() ? Rmw::FAdd : Rmw::Add;
    case OpKind::AtomicSub: return type.is_float() ? Rmw::FSub : Rmw::Sub;
    case OpKind::AtomicAnd: return Rmw::And;
    case OpKind::AtomicOr: return Rmw::Or;
    case OpKind::AtomicXor: return Rmw::Xor;
    case OpKind::AtomicExch: return Rmw::Xchg;
    case OpKind::AtomicInc: return Rmw::UIncWrap;
    case OpKind::AtomicDec: return Rmw::UDecWrap;
    case OpKind::AtomicNanMin:
    case OpKind::AtomicMin:
      if (type.is_float()) return std::nullopt;
      return type.is_signed() ? Rmw::Min : Rmw::UMin;
    case OpKind::AtomicNanMax:
    case OpKind::AtomicMax:
      if (type.is_float()) return std::nullopt;
      return type.is_signed() ? Rmw::Max : Rmw::UMax;
    default: return std::nullopt;
  }
}

Value* FunctionEmitter::atomic(const ir::Op& op) {
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  Value* base = value(op.operands[0]);
  Value* address = b_.CreateGEP(element_type(m_.context, type), base, value(op.operands[1]));
  bool plain = pointer.space == ir::Space::Shared || pointer.space == ir::Space::Local;
  if (plain) {
    Value* old = load(type, address, pointer.space);
    if (op.kind == OpKind::AtomicCas) {
      llvm::Type* bits = b_.getIntNTy(old->getType()->getScalarSizeInBits());
      Value* same =
          b_.CreateICmpEQ(b_.CreateBitCast(old, bits), b_.CreateBitCast(value(op.operands[2]), bits));
      store(type, b_.CreateSelect(same, value(op.operands[3]), old), address, pointer.space);
    } else {
      store(type, scalar_.emit_atomic(op.kind, type, old, value(op.operands[2])), address, pointer.space);
    }
    return old;
  }
  auto machine = machine_atomic(op.kind, type);
  if (!machine) return atomic_by_exchange(op, type, address);
  auto* instruction = b_.CreateAtomicRMW(*machine, address, value(op.operands[2]),
                                         llvm::Align(type.element_size()), llvm_order(op));
  scopes().mark(instruction, pointer.space);
  return instruction;
}

// By compare-and-exchange on the bits, in a loop unless it is a cas itself.
Value* FunctionEmitter::atomic_by_exchange(const ir::Op& op, ir::Type type, Value* address) {
  llvm::Type* stored = element_type(m_.context, type);
  auto from_memory = [&](Value* v) { return type.is_bool() ? b_.CreateICmpNE(v, b_.getInt8(0)) : v; };
  auto to_memory = [&](Value* v) { return type.is_bool() ? b_.CreateZExt(v, stored) : v; };
  Value* operand = value(op.operands[2]);
  if (op.kind == OpKind::AtomicCas) {
    llvm::Type* bits = b_.getIntNTy(8 * type.element_size());
    auto to_bits = [&](Value* v) { return b_.CreateBitCast(to_memory(v), bits); };
    Value* found = exchange(op, address, to_bits(operand), to_bits(value(op.operands[3])));
    return from_memory(b_.CreateBitCast(b_.CreateExtractValue(found, 0), stored));
  }
  return from_memory(exchange_loop(op, address, stored, [&](Value* old) {
    return to_memory(scalar_.emit_atomic(op.kind, type, from_memory(old), operand));
  }));
}

// Of integers: what was there, and whether it was what was expected.
Value* FunctionEmitter::exchange(const ir::Op& op, Value* address, Value* expected, Value* wanted) {
  llvm::AtomicOrdering order = llvm_order(op);
  auto* exchange = b_.CreateAtomicCmpXchg(address, expected, wanted,
                                          llvm::Align(wanted->getType()->getIntegerBitWidth() / 8), order,
                                          llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order));
  scopes().mark(exchange, f_.type(op.operands[0]).space);
  return exchange;
}

// Replaces what is at the address by its update, until nobody else has changed it meanwhile; the old value.
Value* FunctionEmitter::exchange_loop(const ir::Op& op, Value* address, llvm::Type* type,
                                      const std::function<Value*(Value*)>& update) {
  unsigned size = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  llvm::Type *bits = b_.getIntNTy(size), *word = b_.getIntNTy(std::min(size, 64u));
  auto loaded = [&](uint64_t byte) {
    Value* place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), address, byte);
    llvm::LoadInst* load = b_.CreateAlignedLoad(word, place, llvm::Align(std::min(size, 64u) / 8));
    load->setAtomic(llvm::AtomicOrdering::Monotonic);
    scopes().mark(load, f_.type(op.operands[0]).space);
    return load;
  };
  // In two words where the machine has no such load: torn values are not exchanged.
  Value* first = loaded(0);
  if (size > 64)
    first = b_.CreateOr(b_.CreateZExt(first, bits), b_.CreateShl(b_.CreateZExt(loaded(8), bits), 64));
  llvm::BasicBlock *before = b_.GetInsertBlock(), *loop = new_block("atomic"), *end = new_block("atomic.end");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  llvm::PHINode* expected = b_.CreatePHI(bits, 2);
  expected->addIncoming(first, before);
  Value* old = b_.CreateBitCast(expected, type);
  Value* result = exchange(op, address, expected, b_.CreateBitCast(update(old), bits));
  expected->addIncoming(b_.CreateExtractValue(result, 0), b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateExtractValue(result, 1), end, loop);
  b_.SetInsertPoint(end);
  return old;
}

}  // namespace lanewise::codegen::host
