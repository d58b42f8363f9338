// print by the driver's vprintf: a format text (codegen/common/print_format.h) and the values in memory.
#include "codegen/common/print_format.h"

#include <cstdlib>

#include "codegen/nvptx/lower.h"
#include "ir/format.h"

namespace lanewise::codegen {

using llvm::Value;

void FunctionLowering::print_call(const std::string& format, llvm::ArrayRef<Value*> values) {
  llvm::Type* pointer = llvm::PointerType::get(m_.context, 0);
  llvm::FunctionCallee vprintf = m_.module.getOrInsertFunction(
      "vprintf", llvm::FunctionType::get(b_.getInt32Ty(), {pointer, pointer}, false));
  Value* buffer = llvm::Constant::getNullValue(pointer);
  if (!values.empty()) {
    auto* words = llvm::ArrayType::get(b_.getInt64Ty(), values.size());
    {
      llvm::IRBuilder<>::InsertPointGuard guard(b_);
      llvm::BasicBlock& entry = fn_->getEntryBlock();
      b_.SetInsertPoint(&entry, entry.begin());
      buffer = b_.CreateAlloca(words);
    }
    for (size_t i = 0; i < values.size(); ++i)
      b_.CreateStore(values[i], b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), buffer, i));
  }
  b_.CreateCall(vprintf, {m_.text_address(format), buffer});
}

// The parts of print calls that have not been made yet.
struct FunctionLowering::PrintParts {
  std::string text;
  llvm::SmallVector<Value*, 8> values;  // each eight bytes: integers, doubles, addresses of texts
};

void FunctionLowering::lower_print(const ir::Op& op) {
  auto pieces = ir::split_format(m_.ir.messages[static_cast<size_t>(std::get<int64_t>(op.immediate))].format);
  LANEWISE_CHECK(pieces, "a message's format cannot be read");
  PrintParts parts;
  auto flush = [&] {
    if (!parts.text.empty()) print_call(parts.text, parts.values);
    parts = {};
  };
  size_t next = 0;
  for (const ir::FormatPiece& piece : *pieces) {
    if (!piece.field) {
      parts.text += print_text(piece.text);
      continue;
    }
    if (parts.values.size() + 2 > kMostPrinted) flush();
    ir::ValueId id = op.operands[next++];
    ir::Type type = f_.type(id);
    PrintField field = print_field(f_.name, piece.spec, type);
    parts.text += field.format;
    if (field.kind == PrintField::Text)
      parts.values.push_back(b_.CreateSelect(value(id), m_.text_address("True"), m_.text_address("False")));
    else if (field.kind == PrintField::Integer)
      print_int(parts, value(id), type, field);
    else
      print_float(parts, value(id), type, field);
  }
  flush();
}

void FunctionLowering::print_int(PrintParts& parts, Value* v, ir::Type type, const PrintField& field) {
  Value* wide = type.is_signed() ? b_.CreateSExt(v, b_.getInt64Ty()) : b_.CreateZExt(v, b_.getInt64Ty());
  if (field.sign_apart) {
    Value* negative = b_.CreateICmpSLT(wide, b_.getInt64(0));
    parts.values.push_back(b_.CreateSelect(negative, m_.text_address("-"), m_.text_address("")));
    wide = b_.CreateSelect(negative, b_.CreateNeg(wide), wide);
  }
  parts.values.push_back(wide);
}

void FunctionLowering::print_float(PrintParts& parts, Value* v, ir::Type type, const PrintField& field) {
  llvm::Type* real = b_.getDoubleTy();
  Value* number = type.is_float()    ? as_double(b_, v, type)
                  : type.is_signed() ? b_.CreateSIToFP(v, real)
                                     : b_.CreateUIToFP(v, real);
  parts.values.push_back(number);
  if (field.kind != PrintField::BareFloat) return;
  Value* size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number);
  Value* below = llvm::ConstantFP::get(real, std::strtod(field.whole_below, nullptr));
  Value* whole =
      b_.CreateAnd(b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, number), number),
                   b_.CreateFCmpOLT(size, below));
  parts.values.push_back(b_.CreateSelect(whole, m_.text_address(".0"), m_.text_address("")));
}

}  // namespace lanewise::codegen
