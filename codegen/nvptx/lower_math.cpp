// Ops without effects: what codegen/common/ emits, with NVPTX's own way for elementary functions (libdevice)
// and conversions that saturate; addresses; special registers. Reads the NVVM column of ops.def.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/nvptx/lower.h"
#include "ir/launch_limits.h"

namespace lanewise::codegen {

using ir::OpKind;
using llvm::Value;
using llvm::Intrinsic::ID;

namespace {

struct Nvvm {
  enum Kind { Custom, Intrinsic, Libdevice } kind = Custom;
  ID intrinsic = llvm::Intrinsic::not_intrinsic;
  std::string_view stem;
};

constexpr Nvvm kNvvm[] = {
#define CUSTOM \
  Nvvm {}
#define INTRINSIC(name)                        \
  Nvvm {                                       \
    Nvvm::Intrinsic, llvm::Intrinsic::name, {} \
  }
#define LIBDEVICE(stem) \
  Nvvm { Nvvm::Libdevice, llvm::Intrinsic::not_intrinsic, stem }
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) NVVM,
#include "ir/ops.def"
#undef CUSTOM
#undef INTRINSIC
#undef LIBDEVICE
};

// libdevice's approximate forms, for fast math in float32. (tanh's is an instruction.)
bool has_fast_form(std::string_view stem) {
  for (std::string_view fast : {"sin", "cos", "tan", "exp", "log", "log2", "log10", "pow"})
    if (fast == stem) return true;
  return false;
}

}  // namespace

// sin -> __nv_sin or __nv_sinf.
Value* NvptxScalars::math(OpKind kind, ir::Type type, Values operands) {
  const Nvvm& nvvm = kNvvm[static_cast<size_t>(kind)];
  if (nvvm.kind == Nvvm::Intrinsic) return b_.CreateIntrinsic(nvvm.intrinsic, {m_.type(type)}, operands);
  LANEWISE_CHECK(nvvm.kind == Nvvm::Libdevice, "no lowering of `" + std::string(ir::info(kind).text) + "`");
  bool approximate = mode_.fast_math && type.bits == 32;
  if (approximate && kind == OpKind::Tanh && m_.target.sm >= 75) {
    m_.require_ptx(70);
    return b_.CreateUnaryIntrinsic(llvm::Intrinsic::tanh, operands[0]);  // with fast math: tanh.approx
  }
  bool fast = approximate && has_fast_form(nvvm.stem);
  llvm::SmallVector<Value*, 2> order_first{operands.begin(), operands.end()};
  if (kind == OpKind::BesselJn || kind == OpKind::BesselYn) std::swap(order_first[0], order_first[1]);
  operands = order_first;
  llvm::SmallVector<llvm::Type*, 4> types;
  for (Value* operand : operands) types.push_back(operand->getType());
  std::string name = (fast ? "__nv_fast_" : "__nv_") + std::string(nvvm.stem) + (type.bits == 64 ? "" : "f");
  m_.uses_libdevice = true;
  return b_.CreateCall(
      m_.module.getOrInsertFunction(name, llvm::FunctionType::get(m_.type(type), types, false)), operands);
}

// PTX's cvt saturates by itself. A NaN gives 0 only from float32 to 32 bits: elsewhere it is selected.
Value* NvptxScalars::float_to_int(Value* value, ir::Type from, ir::Type to) {
  bool is_double = from.bits == 64, is_signed = to.is_signed(), wide = to.bits == 64;
  ID id = is_double ? (wide ? (is_signed ? llvm::Intrinsic::nvvm_d2ll_rz : llvm::Intrinsic::nvvm_d2ull_rz)
                            : (is_signed ? llvm::Intrinsic::nvvm_d2i_rz : llvm::Intrinsic::nvvm_d2ui_rz))
                    : (wide ? (is_signed ? llvm::Intrinsic::nvvm_f2ll_rz : llvm::Intrinsic::nvvm_f2ull_rz)
                            : (is_signed ? llvm::Intrinsic::nvvm_f2i_rz : llvm::Intrinsic::nvvm_f2ui_rz));
  Value* converted = b_.CreateIntrinsic(id, {}, {value});
  if (is_double || wide) {
    llvm::IRBuilder<>::FastMathFlagGuard guard(b_);
    b_.clearFastMathFlags();
    Value* is_nan = b_.CreateFCmpUNO(value, value);
    converted = b_.CreateSelect(is_nan, llvm::ConstantInt::get(converted->getType(), 0), converted);
  }
  if (to.bits >= 32) return converted;
  auto* type = b_.getInt32Ty();
  auto bound = [&](int64_t v) { return llvm::ConstantInt::getSigned(type, v); };
  if (is_signed) {
    int64_t max = (int64_t{1} << (to.bits - 1)) - 1;
    converted = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, converted, bound(max));
    converted = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, converted, bound(-max - 1));
  } else {
    converted =
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, converted, bound((int64_t{1} << to.bits) - 1));
  }
  return b_.CreateTrunc(converted, scalar_type(m_.context, to));
}

// The type that an op's row calls T.
ir::Type FunctionLowering::operand_type(const ir::Op& op) const {
  return f_.type(op.operands[op.kind == OpKind::Select ? 1 : 0]);
}

Value* FunctionLowering::lower_pure(const ir::Op& op) {
  if (ScalarEmitter::knows(op.kind)) {
    llvm::SmallVector<Value*, 4> operands;
    for (ir::ValueId id : op.operands) operands.push_back(value(id));
    scalars_.set_mode(f_.float_mode_of(op));
    return scalars_.emit(op.kind, operand_type(op), f_.type(op.results[0]), operands);
  }
  switch (op.kind) {
    case OpKind::Const: return scalar_constant(m_.context, op.immediate, f_.type(op.results[0]));
    case OpKind::Data: return data_address(static_cast<size_t>(std::get<int64_t>(op.immediate)));
    case OpKind::SharedArray:
      return m_.new_shared_array(f_.type(op.results[0]).element(), std::get<int64_t>(op.immediate));
    case OpKind::DynamicShared: return m_.dynamic_shared_address();
    case OpKind::DynamicSharedBytes:
      m_.require_ptx(41);
      return b_.CreateZExt(
          b_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, llvm::ArrayRef<Value*>()),
          b_.getInt64Ty());
    case OpKind::LocalArray: return local_array(op);
    case OpKind::Offset: return element_address(op);
    case OpKind::PtrCast: return value(op.operands[0]);
    case OpKind::Address: return b_.CreatePtrToInt(value(op.operands[0]), b_.getInt64Ty());
    case OpKind::SpaceCast:
      return b_.CreateAddrSpaceCast(value(op.operands[0]), m_.type(f_.type(op.results[0])));
    default: return special_register(op);
  }
}

Value* FunctionLowering::special_register(const ir::Op& op) {
  const Nvvm& nvvm = kNvvm[static_cast<size_t>(op.kind)];
  LANEWISE_CHECK(nvvm.kind == Nvvm::Intrinsic && op.operands.empty(),
                 "no lowering of `" + std::string(ir::info(op.kind).text) + "`");
  llvm::CallInst* call = b_.CreateIntrinsic(nvvm.intrinsic, llvm::ArrayRef<Value*>());
  unsigned bits = call->getType()->getIntegerBitWidth();
  if (auto bounds = ir::launch_bounds(op.kind))
    call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(bits, static_cast<uint64_t>(bounds->least)),
                                              llvm::APInt(bits, static_cast<uint64_t>(bounds->most) + 1)));
  return call;
}

}  // namespace lanewise::codegen
