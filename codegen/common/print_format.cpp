// Floats without a format have 15 digits of a float64, 7 of a float32, 4 of a float16, 3 of a bfloat16.
#include "codegen/common/print_format.h"

#include "codegen/codegen.h"
#include "ir/error.h"
#include "ir/format.h"

namespace lanewise::codegen {
namespace {

[[noreturn]] void refuse(const std::string& kernel, const std::string& spec) {
  throw TargetError(
      "`" + kernel + "` prints with the format `" + spec +
      "`, which CUDA's printf does not have: use a width, `<`, `+`, a leading `0`, a precision and "
      "one of d, x, o, e, f, g");
}

// The flags and the width of a C conversion, or a refusal.
std::string conversion(const std::string& kernel, const std::string& spec_text, const ir::FormatSpec& spec,
                       ir::Type type) {
  bool zeros = spec.zero && (spec.align == 0 || spec.align == '=');
  bool fill = spec.align == '=' && spec.fill == "0";
  if (spec.alternate || spec.grouping || spec.align == '^' || (spec.align == '=' && !zeros && !fill) ||
      (spec.align && spec.align != '=' && spec.fill != " ") || (spec.zero && spec.align == '>'))
    refuse(kernel, spec_text);
  bool is_signed_octal = type.is_signed() && (spec.type == 'x' || spec.type == 'X' || spec.type == 'o');
  if (spec.type == 'b' || spec.type == '%' || spec.type == 'n' || (is_signed_octal && spec.sign != '-'))
    refuse(kernel, spec_text);
  std::string out = "%";
  if (spec.sign != '-') out += spec.sign;
  if (spec.align == '<') out += '-';
  if ((zeros || fill) && spec.align != '<') out += '0';
  if (spec.width > 0) out += std::to_string(spec.width);
  return out;
}

PrintField bare_float(const std::string& start, const ir::FormatSpec& spec, ir::Type type) {
  constexpr struct {
    int digits;
    const char* below;
  } kDigits[] = {{15, "1e15"}, {7, "1e7"}, {4, "1e4"}, {3, "1e3"}};
  const auto& row = kDigits[type.bits == 64 ? 0 : type.bits == 32 ? 1 : type == ir::kBF16 ? 3 : 2];
  PrintField field{PrintField::Float, false, start + "." + std::to_string(row.digits) + "g", row.below};
  if (spec.width > 0 || spec.type == 'r') return field;  // what is added would not count, or is not wanted
  field.kind = PrintField::BareFloat;
  field.format += "%s";
  return field;
}

}  // namespace

std::string print_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\0') continue;  // it would end the format
    out += c;
    if (c == '%') out += c;
  }
  return out;
}

PrintField print_field(const std::string& kernel, const std::string& spec_text, ir::Type type) {
  auto spec = ir::parse_format_spec(spec_text);
  LANEWISE_CHECK(spec, "a message's format cannot be read");
  if (type.is_bool() && spec->plain()) return {PrintField::Text, false, "%s", ""};
  bool as_float = type.is_float() || std::string_view("eEfFgG").find(spec->type) != std::string_view::npos;
  std::string start = conversion(kernel, spec_text, *spec, type);
  if (as_float && spec->type != 0 && spec->type != 'r') {
    std::string precision = std::to_string(spec->precision < 0 ? 6 : spec->precision);
    return {PrintField::Float, false, start + "." + precision + spec->type, ""};
  }
  if (as_float) {
    if (spec->precision >= 0) refuse(kernel, spec_text);
    return bare_float(start, *spec, type);
  }
  bool hex = spec->type == 'x' || spec->type == 'X' || spec->type == 'o';
  // Python shows a sign and the magnitude.
  bool sign_apart = hex && type.is_signed();
  if (sign_apart && spec->width > 0) refuse(kernel, spec_text);
  return {PrintField::Integer, sign_apart,
          (sign_apart ? "%s" : "") + start + "ll" +
              (hex                ? spec->type
               : type.is_signed() ? 'd'
                                  : 'u'),
          ""};
}

}  // namespace lanewise::codegen
