// print by printf, with the formats of codegen/nvptx/lower_output.cpp; raise into the launch's record
// (codegen/ptx_abi.h), as a comment where there is none.
#include "codegen/common/print_format.h"
#include "codegen/cuda_cpp/writer.h"
#include "ir/error.h"
#include "ir/format.h"

namespace lanewise::codegen::cuda_cpp {

using ir::Type;

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    char octal[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 32 || byte == 127) {
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      out += octal;
    } else {
      out += c;
    }
  }
  return out;
}

void FunctionWriter::print(const ir::Op& op) {
  auto pieces =
      ir::split_format(file_.ir.messages[static_cast<size_t>(std::get<int64_t>(op.immediate))].format);
  LANEWISE_CHECK(pieces, "a message's format cannot be read");
  std::string format;
  std::vector<std::string> arguments;
  auto flush = [&] {
    if (format.empty()) return;
    std::string text = "printf(\"" + escaped(format) + "\"";
    for (const std::string& argument : arguments) text += ", " + argument;
    line(text + ");");
    format.clear();
    arguments.clear();
  };
  size_t next = 0;
  for (const ir::FormatPiece& piece : *pieces) {
    if (!piece.field) {
      format += print_text(piece.text);
      continue;
    }
    if (arguments.size() + 2 > kMostPrinted) flush();
    ir::ValueId id = op.operands[next++];
    Type type = f_.type(id);
    Expr value = expr(id);
    PrintField field = print_field(f_.name, piece.spec, type);
    bool twice = field.kind == PrintField::BareFloat || field.sign_apart;
    if (twice && value.binding != Binding::Primary) {
      std::string name = names_.make("printed");
      line("const " + type_name(value.type) + " " + name + " = " + value.text + ";");
      value = primary(name, value.type);
    }
    if (field.kind == PrintField::Text) {
      arguments.push_back(conditional(value, primary("\"True\"", {}), primary("\"False\"", {}), {}).text);
    } else if (field.kind == PrintField::Integer) {
      Type wide = type.is_signed() ? ir::kI64 : ir::kU64;
      if (type.is_bool()) value = cast(value, type, ir::kI32);
      if (field.sign_apart) {
        std::string negative = within(value, Binding::Relational) + " < 0";
        arguments.push_back(negative + " ? \"-\" : \"\"");
        Expr all = as(value, ir::kI64);
        value = primary(file_.helpers.use("wrap_abs", 64) + "(" + all.text + ")", ir::kI64);
      }
      arguments.push_back(as(value, wide).text);
    } else {
      Expr number =
          type.is_float() ? as(value, type.bits == 16 ? ir::kF32 : type) : c_cast("double", value, ir::kF64);
      if (type.is_float() && type.bits == 16) number = c_cast("float", value, ir::kF32);
      arguments.push_back(number.text);
      if (field.kind == PrintField::BareFloat) {
        std::string x = type.bits == 64 ? number.text : within(number, Binding::Conditional);
        std::string wide = type.bits == 64 ? x : c_cast("double", number, ir::kF64).text;
        arguments.push_back("trunc(" + wide + ") == " + wide + " && fabs(" + wide + ") < " +
                            field.whole_below + " ? \".0\" : \"\"");
      }
    }
    format += field.format;
  }
  flush();
}

void FunctionWriter::report(const ir::Op& op) {
  const ir::Message& message = file_.ir.messages[static_cast<size_t>(std::get<int64_t>(op.immediate))];
  std::string text = message.exception + (message.format.empty() ? "" : ": " + message.format);
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\\') c = ' ';
  line("// raise " + text);
  if (!file_.reports()) return;
  std::string values;
  for (ir::ValueId v : op.operands) {
    Type type = f_.type(v);
    Expr value = expr(v);
    if (type.is_float() && type.bits == 16) value = c_cast("float", value, ir::kF32);
    if (type.is_float())
      value = call("__double_as_longlong", ir::kI64, c_cast("double", value, ir::kF64).text);
    else if (!type.is_bool())
      value = as(as(value, type), type.is_signed() ? ir::kI64 : ir::kU64);
    values += (values.empty() ? "" : ", ") + c_cast("unsigned long long", value, ir::kU64).text;
  }
  std::string name = "nullptr";
  if (!values.empty()) {
    name = names_.make("said");
    line("const unsigned long long " + name + "[] = {" + values + "};");
  }
  line(file_.helpers.use("report_failure") + "(" + file_.hidden_arguments() + ", " +
       std::to_string(file_.hidden->failures.size()) + ", " + name + ", " +
       std::to_string(op.operands.size()) + ");");
  file_.hidden->failures.push_back(ir::output_site(f_, op));
}

}  // namespace lanewise::codegen::cuda_cpp
