// Report: the thread's failure goes into the launch's record (codegen/ptx_abi.h), under a lock, if it is the
// first in the order of blocks and threads so far. Nothing is lowered where nobody wants to know.
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstddef>

#include "codegen/nvptx/lower.h"
#include "codegen/ptx_abi.h"

namespace lanewise::codegen {

using llvm::BasicBlock;
using llvm::Value;

namespace {

constexpr unsigned kWarp = 32;
constexpr const char* kName = "lanewise.report";

// void lanewise.report(record, i64 launch, i32 site, ptr values, i32 count), the same in every module.
class ReportFunction {
 public:
  explicit ReportFunction(ModuleLowering& m) : m_(m), b_(m.context) {
    llvm::Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    auto* type = llvm::FunctionType::get(
        b_.getVoidTy(),
        {llvm::PointerType::get(m.context, 1), i64, i32, llvm::PointerType::get(m.context, 0), i32}, false);
    fn_ = llvm::Function::Create(type, llvm::Function::InternalLinkage, kName, m.module);
    // Out of the way of what does not fail.
    for (auto kind : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
      fn_->addFnAttr(kind);
    record_ = fn_->getArg(0), launch_ = fn_->getArg(1), site_ = fn_->getArg(2);
    values_ = fn_->getArg(3), count_ = fn_->getArg(4);
  }

  // The lanes of a warp come one after the other: where lanes that part run in turn (before sm_70), one that
  // waits for the lock must not keep the one that holds it from going on.
  llvm::Function* make() {
    BasicBlock *entry = block("entry"), *turn = block("turn"), *acquire = block("acquire"),
               *locked = block("locked"), *write = block("write"), *release = block("release"),
               *next = block("next"), *end = block("end");
    b_.SetInsertPoint(entry);
    Value* key = own_key();
    Value* known = load(b_.getInt64Ty(), offsetof(PtxFailure, key));
    b_.CreateCondBr(b_.CreateICmpULE(known, key), end, turn);

    b_.SetInsertPoint(turn);
    llvm::PHINode* lane = b_.CreatePHI(b_.getInt32Ty(), 2);
    lane->addIncoming(b_.getInt32(0), entry);
    // Volatile: turns that are known to be another's must not be left out.
    auto* own_lane = llvm::InlineAsm::get(llvm::FunctionType::get(b_.getInt32Ty(), false),
                                          "mov.u32 $0, %laneid;", "=r", true);
    b_.CreateCondBr(b_.CreateICmpEQ(b_.CreateCall(own_lane), lane), acquire, next);

    b_.SetInsertPoint(acquire);
    Value* lock = address(offsetof(PtxFailure, lock));
    Value* taken = b_.CreateAtomicCmpXchg(lock, b_.getInt32(0), b_.getInt32(1), llvm::Align(4),
                                          llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
    b_.CreateCondBr(b_.CreateExtractValue(taken, 1), locked, acquire);

    b_.SetInsertPoint(locked);
    fence();
    Value* owner = load(b_.getInt64Ty(), offsetof(PtxFailure, launch));
    known = load(b_.getInt64Ty(), offsetof(PtxFailure, key));
    Value* first = b_.CreateICmpEQ(owner, b_.getInt64(0));
    Value* before = b_.CreateAnd(b_.CreateICmpEQ(owner, launch_), b_.CreateICmpULT(key, known));
    b_.CreateCondBr(b_.CreateOr(first, before), write, release);

    b_.SetInsertPoint(write);
    write_record(key);
    b_.CreateBr(release);

    b_.SetInsertPoint(release);
    fence();
    b_.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, lock, b_.getInt32(0), llvm::Align(4),
                       llvm::AtomicOrdering::Monotonic);
    b_.CreateBr(next);

    b_.SetInsertPoint(next);
    Value* following = b_.CreateAdd(lane, b_.getInt32(1));
    lane->addIncoming(following, next);
    b_.CreateCondBr(b_.CreateICmpEQ(following, b_.getInt32(kWarp)), end, turn);
    b_.SetInsertPoint(end);
    b_.CreateRetVoid();
    return fn_;
  }

 private:
  BasicBlock* block(const char* name) { return BasicBlock::Create(m_.context, name, fn_); }
  Value* address(size_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), record_, offset); }
  Value* load(llvm::Type* type, size_t offset) { return b_.CreateLoad(type, address(offset), true); }
  void store(Value* v, size_t offset) { b_.CreateStore(v, address(offset), true); }
  void fence() { special(llvm::Intrinsic::nvvm_membar_gl); }
  Value* special(llvm::Intrinsic::ID id) {
    return b_.CreateIntrinsic(id, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
  }

  Value* own_key() {
    using namespace llvm;
    auto linear = [&](Value* x, Value* y, Value* z, Value* width, Value* height) {
      auto wide = [&](Value* v) { return b_.CreateZExt(v, b_.getInt64Ty()); };
      Value* row = b_.CreateAdd(b_.CreateMul(wide(z), wide(height)), wide(y));
      return b_.CreateAdd(b_.CreateMul(row, wide(width)), wide(x));
    };
    grid_ = {special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x), special(Intrinsic::nvvm_read_ptx_sreg_nctaid_y),
             special(Intrinsic::nvvm_read_ptx_sreg_nctaid_z)};
    block_ = {special(Intrinsic::nvvm_read_ptx_sreg_ntid_x), special(Intrinsic::nvvm_read_ptx_sreg_ntid_y),
              special(Intrinsic::nvvm_read_ptx_sreg_ntid_z)};
    Value* block =
        linear(special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x), special(Intrinsic::nvvm_read_ptx_sreg_ctaid_y),
               special(Intrinsic::nvvm_read_ptx_sreg_ctaid_z), grid_[0], grid_[1]);
    Value* thread =
        linear(special(Intrinsic::nvvm_read_ptx_sreg_tid_x), special(Intrinsic::nvvm_read_ptx_sreg_tid_y),
               special(Intrinsic::nvvm_read_ptx_sreg_tid_z), block_[0], block_[1]);
    return b_.CreateOr(b_.CreateShl(block, PtxFailure::kThreadBits), thread);
  }

  void write_record(Value* key) {
    store(key, offsetof(PtxFailure, key));
    store(site_, offsetof(PtxFailure, site));
    for (size_t i = 0; i < 3; ++i) {
      store(grid_[i], offsetof(PtxFailure, grid) + 4 * i);
      store(block_[i], offsetof(PtxFailure, block) + 4 * i);
    }
    BasicBlock *before = b_.GetInsertBlock(), *loop = block("values"), *copy = block("copy"),
               *done = block("written");
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt32Ty(), 2);
    i->addIncoming(b_.getInt32(0), before);
    b_.CreateCondBr(b_.CreateICmpEQ(i, count_), done, copy);
    b_.SetInsertPoint(copy);
    Value* word = b_.CreateLoad(b_.getInt64Ty(), b_.CreateGEP(b_.getInt64Ty(), values_, i));
    Value* to = b_.CreateGEP(b_.getInt64Ty(), address(sizeof(PtxFailure)), i);
    b_.CreateStore(word, to, true);
    i->addIncoming(b_.CreateAdd(i, b_.getInt32(1)), copy);
    b_.CreateBr(loop);
    b_.SetInsertPoint(done);
    store(launch_, offsetof(PtxFailure, launch));
  }

  ModuleLowering& m_;
  llvm::IRBuilder<> b_;
  llvm::Function* fn_;
  Value *record_, *launch_, *site_, *values_, *count_;
  std::array<Value*, 3> grid_{}, block_{};
};

}  // namespace

void FunctionLowering::lower_report(const ir::Op& op) {
  if (!m_.hidden) return;  // the thread ends, and nobody is told
  llvm::Function* report = m_.module.getFunction(kName);
  if (!report) report = ReportFunction(m_).make();
  llvm::Type* i64 = b_.getInt64Ty();
  Value* words = llvm::Constant::getNullValue(llvm::PointerType::get(m_.context, 0));
  if (!op.operands.empty()) {
    llvm::BasicBlock& first = fn_->getEntryBlock();
    words =
        llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(llvm::ArrayType::get(i64, op.operands.size()));
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    ir::Type type = f_.type(op.operands[i]);
    Value* v = value(op.operands[i]);
    Value* word = type.is_float()    ? b_.CreateBitCast(as_double(b_, v, type), i64)
                  : type.is_signed() ? b_.CreateSExt(v, i64)
                                     : b_.CreateZExt(v, i64);
    b_.CreateStore(word, b_.CreateConstInBoundsGEP1_64(i64, words, i));
  }
  size_t record = m_.hidden->data.size();
  auto number = [&](size_t n) { return b_.getInt32(static_cast<uint32_t>(n)); };
  b_.CreateCall(report, {hidden_argument(record), hidden_argument(record + 1),
                         number(m_.hidden->failures.size()), words, number(op.operands.size())});
  m_.hidden->failures.push_back(ir::output_site(f_, op));
}

}  // namespace lanewise::codegen
