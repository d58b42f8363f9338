// What others wrote: inline PTX as an asm statement, calls of functions that are defined elsewhere.
#include "codegen/common/target_limits.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/inline_ptx.h"

namespace lanewise::codegen::cuda_cpp {

using ir::Type;

namespace {

bool is_short_float(Type type) { return type.is_float() && type.bits == 16; }

// What a register of PTX holds it as.
Type held_type(Type type) {
  if (type.is_float() && type.bits >= 32) return type;
  return {Type::Kind::UInt, type.bits};
}

std::string constraint(Type type) {
  if (type.is_float() && type.bits >= 32) return type.bits == 64 ? "d" : "f";
  return type.bits == 64 ? "l" : type.bits == 32 ? "r" : "h";
}

// In C's calling convention; see FunctionLowering::lower_call_external of codegen/nvptx/.
std::string abi_type(Type type) {
  if (type.is_pointer()) return "void *";
  if (type.is_bool()) return "unsigned char";
  return is_short_float(type) ? "unsigned short" : type_name(type);
}

}  // namespace

std::string external_result_name(const ir::ExternalFunction& external) { return external.symbol + "_values"; }

// The address in its own space, as PTX has it; local ones are generic there too.
Expr FunctionWriter::address_in_space(ir::ValueId pointer) {
  Type type = f_.type(pointer);
  const char* function = type.space == ir::Space::Global   ? "__cvta_generic_to_global"
                         : type.space == ir::Space::Shared ? "__cvta_generic_to_shared"
                         : type.space == ir::Space::Constant
                             ? file_.constant_bank ? "__cvta_generic_to_constant" : "__cvta_generic_to_global"
                             : "";
  Expr address = expr(pointer);
  if (*function) address = call(function, ir::kU64, address.text);
  return c_cast("unsigned long long", address, ir::kU64);
}

void FunctionWriter::write_inline_ptx(const ir::Op& op) {
  const ir::PtxText& ptx = file_.ir.ptx[static_cast<size_t>(std::get<int64_t>(op.immediate))];
  check_inline_ptx(f_, ptx, file_.target);
  auto pieces = ir::split_ptx(ptx.text, op.results.size() + op.operands.size());
  std::string text, outputs, inputs;
  for (const ir::PtxPiece& piece : std::get<std::vector<ir::PtxPiece>>(pieces)) {
    if (piece.value >= 0) text += "%" + std::to_string(piece.value);
    for (char c : piece.text) text += c == '%' ? "%%" : std::string(1, c);
  }
  std::vector<std::string> names;
  for (ir::ValueId v : op.results) {
    Type held = held_type(f_.type(v));
    names.push_back(names_.make("ptx_result"));
    line(type_name(held) + " " + names.back() + ";");
    outputs += (outputs.empty() ? "\"=" : ", \"=") + constraint(held) + "\"(" + names.back() + ")";
  }
  for (ir::ValueId v : op.operands) {
    Type type = f_.type(v);
    Expr value = type.is_pointer() ? address_in_space(v)
                 : held_type(type) == type
                     ? as(expr(v), type)
                     : as(to_bits(type.is_int() ? as(expr(v), type) : expr(v), type), held_type(type));
    inputs += (inputs.empty() ? "\"" : ", \"") + constraint(held_type(value.type)) + "\"(" + value.text + ")";
  }
  std::string statement = (ptx.pure ? "asm(\"" : "asm volatile(\"") + escaped(text) + "\" : " + outputs +
                          (outputs.empty() ? ": " : " : ") + inputs;
  line(statement + (ptx.pure ? ");" : inputs.empty() ? ": \"memory\");" : " : \"memory\");"));
  for (size_t i = 0; i < op.results.size(); ++i) {
    Type type = f_.type(op.results[i]);
    if (uint32_t variable = variables_.of[op.results[i].index]; variable != Variables::kNone)
      set(variable, held_type(type) == type ? primary(names[i], type)
                                            : from_bits(primary(names[i], held_type(type)), type));
  }
}

void FunctionWriter::write_call_external(const ir::Op& op) {
  const ir::ExternalFunction& external =
      file_.ir.externals[static_cast<size_t>(std::get<int64_t>(op.immediate))];
  std::string result = op.results.empty()       ? "void"
                       : op.results.size() == 1 ? abi_type(f_.type(op.results[0]))
                                                : external_result_name(external);
  std::string declaration;
  if (op.results.size() > 1) {
    declaration = "struct " + result + " {\n";
    for (size_t i = 0; i < op.results.size(); ++i)
      declaration += "  " + abi_type(f_.type(op.results[i])) + " r" + std::to_string(i) + ";\n";
    declaration += "};\n";
  }
  declaration += "extern \"C\" __device__ " + result + " " + external.symbol + "(";
  std::string arguments;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    Type type = f_.type(op.operands[i]);
    Expr value = expr(op.operands[i]);
    if (type.is_pointer())
      value = c_cast("void *", value, type);
    else if (is_short_float(type))
      value = to_bits(value, type);
    else if (!type.is_bool())
      value = as(value, type);
    declaration += (i > 0 ? ", " : "") + abi_type(type);
    arguments += (i > 0 ? ", " : "") + value.text;
  }
  declaration += ");  // " + (external.file.empty() ? "of what is linked" : "of " + external.file) + "\n";
  if (file_.prototypes.find(declaration) == std::string::npos) file_.prototypes += declaration;
  std::string value = external.symbol + "(" + arguments + ")";
  if (op.results.empty()) return line(value + ";");
  std::string name = value;
  if (op.results.size() > 1) {
    name = names_.make("results");
    line("const " + result + " " + name + " = " + value + ";");
  } else if (variables_.of[op.results[0].index] == Variables::kNone) {
    return line(value + ";");
  }
  for (size_t i = 0; i < op.results.size(); ++i) {
    Type type = f_.type(op.results[i]);
    std::string one = op.results.size() > 1 ? name + ".r" + std::to_string(i) : name;
    Expr held = primary(one, is_short_float(type) ? ir::kU16 : type.is_bool() ? ir::kU8 : type);
    if (type.is_bool()) held = binary(held, "!=", int_literal(0), Binding::Equality, type);
    if (uint32_t variable = variables_.of[op.results[i].index]; variable != Variables::kNone)
      set(variable, is_short_float(type) ? from_bits(held, type) : held);
  }
}

}  // namespace lanewise::codegen::cuda_cpp
