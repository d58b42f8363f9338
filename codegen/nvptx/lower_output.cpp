// print by the driver's vprintf: a format text and the values in memory. What Python's format() has and C's
// printf has not is refused. Floats without a format have as many digits as survive any rounding: 15 of a
// float64, 7 of a float32, 4 of a float16, 3 of a bfloat16, and `.0` if they are whole.
#include "codegen/nvptx/lower.h"
#include "ir/format.h"

namespace lanewise::codegen {

using llvm::Value;

namespace {

constexpr size_t kMaxValues = 32;  // of one vprintf

// Text in a format: `%` doubled. A NUL would end it.
std::string quoted(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '\0') continue;
    out += c;
    if (c == '%') out += c;
  }
  return out;
}

[[noreturn]] void refuse(const ir::Function& function, const std::string& spec) {
  throw TargetError(
      "`" + function.name + "` prints with the format `" + spec +
      "`, which CUDA's printf does not have: use a width, `<`, `+`, a leading `0`, a precision and "
      "one of d, x, o, e, f, g");
}

// The flags and the width of a C conversion, or a refusal.
std::string conversion(const ir::Function& function, const std::string& spec_text, const ir::FormatSpec& spec,
                       ir::Type type) {
  bool zeros = spec.zero && (spec.align == 0 || spec.align == '=');
  bool fill = spec.align == '=' && spec.fill == "0";
  if (spec.alternate || spec.grouping || spec.align == '^' || (spec.align == '=' && !zeros && !fill) ||
      (spec.align && spec.align != '=' && spec.fill != " ") || (spec.zero && spec.align == '>'))
    refuse(function, spec_text);
  bool is_signed_octal = type.is_signed() && (spec.type == 'x' || spec.type == 'X' || spec.type == 'o');
  if (spec.type == 'b' || spec.type == '%' || spec.type == 'n' || (is_signed_octal && spec.sign != '-'))
    refuse(function, spec_text);
  std::string out = "%";
  if (spec.sign != '-') out += spec.sign;
  if (spec.align == '<') out += '-';
  if ((zeros || fill) && spec.align != '<') out += '0';
  if (spec.width > 0) out += std::to_string(spec.width);
  return out;
}

}  // namespace

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
  void add(const std::string& format, Value* v) {
    text += format;
    values.push_back(v);
  }
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
      parts.text += quoted(piece.text);
      continue;
    }
    if (parts.values.size() + 2 > kMaxValues) flush();
    ir::ValueId id = op.operands[next++];
    auto spec = ir::parse_format_spec(piece.spec);
    LANEWISE_CHECK(spec, "a message's format cannot be read");
    bool as_float =
        f_.type(id).is_float() || std::string_view("eEfFgG").find(spec->type) != std::string_view::npos;
    if (f_.type(id).is_bool() && spec->plain())
      parts.add("%s", b_.CreateSelect(value(id), m_.text_address("True"), m_.text_address("False")));
    else if (as_float && spec->type != 0 && spec->type != 'r')
      print_float(parts, value(id), f_.type(id), piece.spec, *spec);
    else if (as_float)
      print_bare_float(parts, value(id), f_.type(id), piece.spec, *spec);
    else
      print_int(parts, value(id), f_.type(id), piece.spec, *spec);
  }
  flush();
}

void FunctionLowering::print_int(PrintParts& parts, Value* v, ir::Type type, const std::string& spec_text,
                                 const ir::FormatSpec& spec) {
  std::string start = conversion(f_, spec_text, spec, type);
  bool hex = spec.type == 'x' || spec.type == 'X' || spec.type == 'o';
  Value* wide = type.is_signed() ? b_.CreateSExt(v, b_.getInt64Ty()) : b_.CreateZExt(v, b_.getInt64Ty());
  if (hex && type.is_signed()) {  // Python shows a sign and the magnitude
    if (spec.width > 0) refuse(f_, spec_text);
    Value* negative = b_.CreateICmpSLT(wide, b_.getInt64(0));
    parts.add("%s", b_.CreateSelect(negative, m_.text_address("-"), m_.text_address("")));
    wide = b_.CreateSelect(negative, b_.CreateNeg(wide), wide);
  }
  parts.add(start + "ll" + (hex ? spec.type : type.is_signed() ? 'd' : 'u'), wide);
}

void FunctionLowering::print_float(PrintParts& parts, Value* v, ir::Type type, const std::string& spec_text,
                                   const ir::FormatSpec& spec) {
  std::string start = conversion(f_, spec_text, spec, type);
  llvm::Type* real = b_.getDoubleTy();
  Value* number = type.is_float()    ? as_double(b_, v, type)
                  : type.is_signed() ? b_.CreateSIToFP(v, real)
                                     : b_.CreateUIToFP(v, real);
  parts.add(start + "." + std::to_string(spec.precision < 0 ? 6 : spec.precision) + spec.type, number);
}

void FunctionLowering::print_bare_float(PrintParts& parts, Value* v, ir::Type type,
                                        const std::string& spec_text, const ir::FormatSpec& spec) {
  if (spec.precision >= 0) refuse(f_, spec_text);
  llvm::Type* real = b_.getDoubleTy();
  Value* number = as_double(b_, v, type);
  int digits = type.bits == 64 ? 15 : type.bits == 32 ? 7 : type == ir::kBF16 ? 3 : 4;
  parts.add(conversion(f_, spec_text, spec, type) + "." + std::to_string(digits) + "g", number);
  if (spec.width > 0 || spec.type == 'r') return;  // what is added would not count, or is not wanted
  Value* size = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number);
  Value* below = llvm::ConstantFP::get(real, digits == 15  ? 1e15
                                             : digits == 7 ? 1e7
                                             : digits == 4 ? 1e4
                                                           : 1e3);
  Value* whole =
      b_.CreateAnd(b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, number), number),
                   b_.CreateFCmpOLT(size, below));
  parts.add("%s", b_.CreateSelect(whole, m_.text_address(".0"), m_.text_address("")));
}

}  // namespace lanewise::codegen
