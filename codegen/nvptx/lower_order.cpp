// Atomics, loads, stores and fences with an order or a scope other than the usual. From sm_70 on PTX has
// them; below, fences stand before and after. LLVM's own atomicrmw has neither: these are written as PTX.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/nvptx/lower.h"

namespace lanewise::codegen {

using ir::MemoryOrder;
using ir::MemoryScope;
using ir::OpKind;
using llvm::Value;

namespace {

constexpr int kOrderVersion = 60;  // PTX of the memory model

const char* ptx_scope(MemoryScope scope) {
  switch (scope) {
    case MemoryScope::Block: return "cta";
    case MemoryScope::Device: return "gpu";
    case MemoryScope::System: break;
  }
  return "sys";
}

const char* ptx_order(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::Relaxed: return "relaxed";
    case MemoryOrder::Acquire: return "acquire";
    case MemoryOrder::Release: return "release";
    case MemoryOrder::AcquireRelease:
    case MemoryOrder::SequentiallyConsistent: break;  // with a fence before
  }
  return "acq_rel";
}

const char* ptx_space(ir::Space space) {
  return space == ir::Space::Global ? ".global" : space == ir::Space::Shared ? ".shared" : "";
}

// "add.u32" and the like; "" if there is no such instruction.
std::string instruction(OpKind kind, ir::Type type, int sm) {
  std::string bits = std::to_string(type.bits);
  std::string number = (type.is_signed() ? "s" : "u") + bits;
  if (type.is_float()) {
    if (kind == OpKind::AtomicAdd || kind == OpKind::AtomicSub)
      return type == ir::kF32 ? "add.f32" : type == ir::kF64 && sm >= 60 ? "add.f64" : "";
    bool by_bits = kind == OpKind::AtomicExch || kind == OpKind::AtomicCas;
    if (!by_bits || type.bits < 32) return "";
  }
  switch (kind) {
    case OpKind::AtomicAdd:
    case OpKind::AtomicSub: return "add.u" + bits;
    case OpKind::AtomicNanMin:
    case OpKind::AtomicMin: return "min." + number;
    case OpKind::AtomicNanMax:
    case OpKind::AtomicMax: return "max." + number;
    case OpKind::AtomicAnd: return "and.b" + bits;
    case OpKind::AtomicOr: return "or.b" + bits;
    case OpKind::AtomicXor: return "xor.b" + bits;
    case OpKind::AtomicInc: return type.bits == 32 ? "inc.u32" : "";
    case OpKind::AtomicDec: return type.bits == 32 ? "dec.u32" : "";
    case OpKind::AtomicExch: return "exch.b" + bits;
    case OpKind::AtomicCas: return "cas.b" + bits;
    default: return "";
  }
}

}  // namespace

llvm::SyncScope::ID FunctionLowering::sync_scope(MemoryScope scope) {
  const char* name = scope == MemoryScope::Block ? "block" : scope == MemoryScope::Device ? "device" : "";
  return m_.context.getOrInsertSyncScopeID(name);
}

// fence.sc or fence.acq_rel; below sm_70 there is one kind, which is the stronger.
void FunctionLowering::fence(MemoryScope scope, bool total) {
  if (m_.target.sm < 70) {
    llvm::Intrinsic::ID id = scope == MemoryScope::Block    ? llvm::Intrinsic::nvvm_membar_cta
                             : scope == MemoryScope::Device ? llvm::Intrinsic::nvvm_membar_gl
                                                            : llvm::Intrinsic::nvvm_membar_sys;
    b_.CreateIntrinsic(id, llvm::ArrayRef<llvm::Type*>(), {});
    return;
  }
  m_.require_ptx(kOrderVersion);
  b_.CreateFence(total ? llvm::AtomicOrdering::SequentiallyConsistent : llvm::AtomicOrdering::AcquireRelease,
                 sync_scope(scope));
}

// An atomic load or store.
Value* FunctionLowering::lower_ordered_access(const ir::Op& op) {
  ir::Type pointer = f_.type(op.operands[0]), element = pointer.element();
  ir::Ordering ordering = ir::ordering_of(op);
  llvm::Align align(element.element_size());
  llvm::Type* bits = b_.getIntNTy(8 * element.element_size());
  Value* address = element_address(op);
  bool own = pointer.space == ir::Space::Local || pointer.space == ir::Space::Constant,
       loads = ir::is_load(op.kind);
  bool model = m_.target.sm >= 70;
  bool before = !own && (ordering.is_total() || (!model && ordering.releases() && !loads));
  bool after = !own && !model && ordering.acquires() && loads;
  if (before) fence(ordering.scope, ordering.is_total());
  if (model && !own) m_.require_ptx(kOrderVersion);
  auto order = llvm::AtomicOrdering::Monotonic;
  if (model && ordering.acquires() && loads) order = llvm::AtomicOrdering::Acquire;
  if (model && ordering.releases() && !loads) order = llvm::AtomicOrdering::Release;
  Value* result = nullptr;
  if (loads) {
    llvm::LoadInst* loaded = b_.CreateAlignedLoad(bits, address, align);
    if (!own) loaded->setAtomic(order, sync_scope(ordering.scope));
    result = element.is_bool() ? b_.CreateIsNotNull(loaded)
                               : b_.CreateBitCast(loaded, scalar_type(m_.context, element));
  } else {
    Value* value_bits = value(op.operands[2]);
    value_bits = element.is_bool() ? b_.CreateZExt(value_bits, bits) : b_.CreateBitCast(value_bits, bits);
    llvm::StoreInst* stored = b_.CreateAlignedStore(value_bits, address, align);
    if (!own) stored->setAtomic(order, sync_scope(ordering.scope));
  }
  if (after) fence(ordering.scope, ordering.is_total());
  return result;
}

// Of global, shared and generic memory.
Value* FunctionLowering::lower_ordered_atomic(const ir::Op& op, Value* address) {
  ir::Type pointer = f_.type(op.operands[0]), type = pointer.element();
  ir::Ordering ordering = ir::ordering_of(op);
  int sm = m_.target.sm;
  if (ordering.scope == MemoryScope::System && sm < 60)
    throw TargetError("`" + f_.name + "` has an atomic of system scope, which sm_" + std::to_string(sm) +
                      " does not have: sm_60 and newer do; leave out `scope=\"system\"` where no other "
                      "device and no host thread uses the memory meanwhile");
  std::string name = instruction(op.kind, type, sm);
  bool model = sm >= 70, in_ptx = model && !name.empty();
  // Fences order what the instruction itself cannot.
  if (ordering.is_total() || (!in_ptx && ordering.releases())) fence(ordering.scope, ordering.is_total());
  Value* old = nullptr;
  if (name.empty() && op.kind == OpKind::AtomicCas) {  // of 16 bits
    llvm::Type* bits = b_.getIntNTy(type.bits);
    auto as_bits = [&](size_t i) { return b_.CreateBitCast(value(op.operands[i]), bits); };
    Value* pair = b_.CreateAtomicCmpXchg(address, as_bits(2), as_bits(3), llvm::Align(type.element_size()),
                                         llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic,
                                         sync_scope(ordering.scope));
    old = b_.CreateBitCast(b_.CreateExtractValue(pair, 0), scalar_type(m_.context, type));
  } else if (name.empty()) {
    old = atomic_by_exchange(op.kind, address, value(op.operands[2]), type, ordering.scope);
  } else {
    std::string text = "atom";
    if (model) text += "." + std::string(ptx_order(ordering.order));
    bool names_scope = model || ordering.scope == MemoryScope::System;
    if (names_scope) text += "." + std::string(ptx_scope(ordering.scope));
    text += ptx_space(pointer.space) + ("." + name);
    m_.require_ptx(model ? kOrderVersion : 50);
    old = ptx_atomic(op, text, address);
  }
  if (!in_ptx && ordering.acquires()) fence(ordering.scope, ordering.is_total());
  return old;
}

Value* FunctionLowering::ptx_atomic(const ir::Op& op, std::string text, Value* address) {
  ir::Type type = f_.type(op.operands[0]).element();
  bool floating = type.is_float() && (op.kind == OpKind::AtomicAdd || op.kind == OpKind::AtomicSub);
  llvm::Type* held = floating ? scalar_type(m_.context, type) : b_.getIntNTy(type.bits);
  std::string letter = floating ? (type.bits == 64 ? "d" : "f") : type.bits == 64 ? "l" : "r";
  llvm::SmallVector<Value*, 3> operands{b_.CreatePtrToInt(address, b_.getInt64Ty())};
  llvm::SmallVector<llvm::Type*, 3> types{b_.getInt64Ty()};
  std::string constraints = "=" + letter + ",l";
  text += " $0, [$1]";
  for (size_t i = 2; i < op.operands.size(); ++i) {
    Value* operand = b_.CreateBitCast(value(op.operands[i]), held);
    if (op.kind == OpKind::AtomicSub) operand = floating ? b_.CreateFNeg(operand) : b_.CreateNeg(operand);
    operands.push_back(operand);
    types.push_back(held);
    constraints += "," + letter;
    text += ", $" + std::to_string(i);
  }
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(held, types, false), text + ";",
                                    constraints + ",~{memory}", true);
  llvm::CallInst* old = b_.CreateCall(code, operands);
  old->setDoesNotThrow();
  return b_.CreateBitCast(old, scalar_type(m_.context, type));
}

}  // namespace lanewise::codegen
