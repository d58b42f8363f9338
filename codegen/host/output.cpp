// Print and Report: a call of the launch's HostOutputFunction with the op's number and its operands in
// memory.
#include "codegen/host/function_emitter.h"
#include "ir/error.h"

namespace lanewise::codegen::host {

using llvm::Value;

// As ir::Scalar: integers extended, floats as doubles.
static Value* as_word(llvm::IRBuilder<>& b, Value* v, ir::Type type) {
  if (type.is_float()) return b.CreateBitCast(as_double(b, v, type), b.getInt64Ty());
  return type.is_signed() ? b.CreateSExt(v, b.getInt64Ty()) : b.CreateZExt(v, b.getInt64Ty());
}

void FunctionEmitter::emit_output(const ir::Op& op) {
  llvm::Type *i64 = b_.getInt64Ty(), *pointer = b_.getPtrTy();
  std::vector<Value*> words;
  for (ir::ValueId v : op.operands) words.push_back(as_word(b_, value(v), f_.type(v)));
  llvm::BasicBlock& first = fn_->getEntryBlock();
  llvm::IRBuilder<> entry(&first, first.getFirstInsertionPt());
  Value* values = entry.CreateAlloca(llvm::ArrayType::get(i64, std::max<size_t>(words.size(), 1)));
  for (size_t i = 0; i < words.size(); ++i)
    b_.CreateStore(words[i], b_.CreateConstInBoundsGEP1_64(i64, values, i));

  auto wide = [&](Value* v) { return b_.CreateZExt(v, i64); };
  const BlockEnvironment& env = block();
  Value* plane =
      b_.CreateAdd(b_.CreateMul(wide(env.block_id[2]), wide(env.grid_dim[1])), wide(env.block_id[1]));
  Value* linear_block = b_.CreateAdd(b_.CreateMul(plane, wide(env.grid_dim[0])), wide(env.block_id[0]));

  static_assert(offsetof(HostLaunch, output) == 40 && offsetof(HostLaunch, output_context) == 48);
  Value* described = launch();
  auto field = [&](uint64_t offset) {
    return b_.CreateLoad(pointer, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), described, offset));
  };
  auto* signature = llvm::FunctionType::get(b_.getVoidTy(), {pointer, i64, i64, i64, pointer}, false);
  size_t number = m_.outputs.size();
  m_.outputs.push_back(ir::output_site(f_, op));
  Value* site = b_.getInt64(m_.is_object ? m_.outputs.back().fails : number);
  Value *function = field(40), *context = field(48);
  b_.CreateCall(signature, function, {context, site, linear_block, linear_thread(), values})
      ->setDoesNotThrow();
}

}  // namespace lanewise::codegen::host
