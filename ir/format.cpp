// Python's format mini-language for integers, bools, floats and texts; see format.h.
#include "ir/format.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "ir/ir.h"
#include "ir/literal.h"

namespace lanewise::ir {
namespace {

// Bytes of the UTF-8 character at the start of the text.
size_t character_length(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) ++length;
  return length;
}

size_t character_count(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool one_of(char c, std::string_view set) { return c != 0 && set.find(c) != set.npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number of at most kMaxFormatWidth; -1 if larger.
int read_number(std::string_view& text) {
  int value = 0;
  while (!text.empty() && is_digit(text[0])) {
    if (value >= 0) value = value * 10 + (text[0] - '0');
    if (value > kMaxFormatWidth) value = -1;
    text.remove_prefix(1);
  }
  return value;
}

std::string repeated(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

// Separators between groups of digits, counted from the right.
std::string grouped(std::string_view digits, char separator, size_t size) {
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % size == 0) out += separator;
    out += digits[i];
  }
  return out;
}

// Sign (or prefix) and digits, padded to the width; `group` digits between separators if there are any.
std::string padded(std::string_view sign, std::string digits, const FormatSpec& spec, char default_align,
                   size_t group = 3) {
  char align = spec.align ? spec.align : spec.zero ? '=' : default_align;
  std::string_view fill = spec.zero && !spec.align ? std::string_view("0") : std::string_view(spec.fill);
  size_t whole = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string rest = digits.substr(whole);
  std::string head = digits.substr(0, whole);
  auto width = static_cast<size_t>(spec.width);
  if (spec.grouping && !head.empty()) {
    // Zeros in front are grouped too, and never begin with a separator.
    std::string plain = head;
    head = grouped(plain, spec.grouping, group);
    while (align == '=' && fill == "0" && sign.size() + head.size() + rest.size() < width) {
      plain.insert(0, "0");
      head = grouped(plain, spec.grouping, group);
    }
  }
  std::string body = head + rest;
  size_t length = character_count(sign) + character_count(body);
  size_t missing = width > length ? width - length : 0;
  std::string out(sign);
  switch (align) {
    case '<': return out + body + repeated(fill, missing);
    case '^': return repeated(fill, missing / 2) + out + body + repeated(fill, missing - missing / 2);
    case '=': return out + repeated(fill, missing) + body;
    default: return repeated(fill, missing) + out + body;
  }
}

std::string sign_text(bool negative, char sign) {
  return negative ? "-" : sign == '-' ? "" : std::string(1, sign);
}

std::string format_int(bool negative, uint64_t magnitude, const FormatSpec& spec) {
  char type = spec.type ? spec.type : 'd';
  int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
  char buffer[65];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, magnitude, base).ptr);
  if (type == 'X')
    for (char& c : digits) c = static_cast<char>(c >= 'a' ? c - 32 : c);
  std::string sign = sign_text(negative, spec.sign);
  if (spec.alternate && base != 10) (sign += '0') += type;
  return padded(sign, std::move(digits), spec, '>', base == 10 ? 3 : 4);
}

std::string float_digits(double magnitude, const FormatSpec& spec, Type of) {
  if (!std::isfinite(magnitude))
    return std::string(std::isnan(magnitude) ? "nan" : "inf") + (spec.type == '%' ? "%" : "");
  char type = spec.type ? static_cast<char>(spec.type | 0x20) : 0;
  if (spec.type == '%') type = '%';
  int precision = spec.precision;
  if (type == 'r') {
    std::string shortest = shortest_decimal(magnitude, of);
    return shortest.ends_with(".0") ? shortest.substr(0, shortest.size() - 2) : shortest;
  }
  if (type == 0 && precision < 0) return shortest_decimal(magnitude, of);
  if (type == '%') magnitude *= 100;
  if (precision < 0) precision = 6;
  std::string out(static_cast<size_t>(precision) + 400, '\0');
  auto format = type == 'e'                  ? std::chars_format::scientific
                : type == 'f' || type == '%' ? std::chars_format::fixed
                                             : std::chars_format::general;
  if (format == std::chars_format::general) precision = std::max(precision, 1);
  char* end = std::to_chars(out.data(), out.data() + out.size(), magnitude, format, precision).ptr;
  out.resize(static_cast<size_t>(end - out.data()));
  if (type == '%') out += '%';
  if (type != 0) return out;
  // Without a type: as `g`, but a whole number shows that it is a float, or is given an exponent.
  if (out.find_first_of(".e") != out.npos) return out;
  if (static_cast<int>(out.size()) < precision) return out + ".0";
  out.resize(static_cast<size_t>(precision) + 400);
  end = std::to_chars(out.data(), out.data() + out.size(), magnitude, std::chars_format::scientific,
                      precision - 1)
            .ptr;
  out.resize(static_cast<size_t>(end - out.data()));
  size_t e = out.find('e'), last = out.find_last_not_of('0', e - 1);
  if (out.find('.') < e)
    out.erase(out[last] == '.' ? last : last + 1, e - (out[last] == '.' ? last : last + 1));
  return out;
}

std::string format_float(double value, const FormatSpec& spec, Type type) {
  bool negative = std::signbit(value) && !std::isnan(value);
  std::string digits = float_digits(std::fabs(value), spec, type);
  if (spec.type >= 'A' && spec.type <= 'Z')
    for (char& c : digits) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return padded(sign_text(negative, spec.sign), std::move(digits), spec, '>');
}

}  // namespace

std::optional<std::vector<FormatPiece>> split_format(std::string_view format) {
  std::vector<FormatPiece> pieces;
  auto text = [&](char c) {
    if (pieces.empty() || pieces.back().field) pieces.emplace_back();
    pieces.back().text += c;
  };
  for (size_t i = 0; i < format.size(); ++i) {
    char c = format[i];
    bool doubled = i + 1 < format.size() && format[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      text(c);
      ++i;
    } else if (c == '{') {
      size_t end = format.find('}', i);
      if (end == format.npos) return std::nullopt;
      pieces.push_back({true, "", std::string(format.substr(i + 1, end - i - 1))});
      i = end;
    } else if (c == '}') {
      return std::nullopt;
    } else {
      text(c);
    }
  }
  return pieces;
}

std::string escape_format(std::string_view text) {
  std::string out;
  for (char c : text) {
    out += c;
    if (c == '{' || c == '}') out += c;
  }
  return out;
}

bool FormatSpec::plain() const {
  return !align && sign == '-' && !alternate && !zero && width == 0 && !grouping && precision < 0 && !type;
}

std::optional<FormatSpec> parse_format_spec(std::string_view text) {
  FormatSpec spec;
  if (text.find_first_of("{}") != text.npos) return std::nullopt;
  size_t first = text.empty() ? 0 : character_length(text);
  if (first < text.size() && one_of(text[first], "<>^=")) {
    spec.fill = std::string(text.substr(0, first));
    spec.align = text[first];
    text.remove_prefix(first + 1);
  } else if (!text.empty() && one_of(text[0], "<>^=")) {
    spec.align = text[0];
    text.remove_prefix(1);
  }
  auto take = [&](std::string_view set) {
    char c = !text.empty() && one_of(text[0], set) ? text[0] : '\0';
    if (c) text.remove_prefix(1);
    return c;
  };
  if (char c = take("+- ")) spec.sign = c;
  spec.alternate = take("#") != 0;
  spec.zero = take("0") != 0;
  spec.width = read_number(text);
  spec.grouping = take(",_");
  if (take(".")) {
    if (text.empty() || !is_digit(text[0])) return std::nullopt;
    spec.precision = read_number(text);
    if (spec.precision < 0) return std::nullopt;
  }
  spec.type = take("bcdeEfFgGnorsxX%");
  if (spec.width < 0 || !text.empty()) return std::nullopt;
  return spec;
}

bool can_format(Type type, std::string_view text, std::string* why) {
  auto no = [&](const std::string& reason) {
    if (why) *why = reason;
    return false;
  };
  if (!type.is_scalar()) return no("is for numbers");
  std::optional<FormatSpec> spec = parse_format_spec(text);
  if (!spec) return no("is none that Python knows");
  if (spec->type == 'c' || spec->type == 's') return no("is for characters and strings, which kernels lack");
  bool as_float = type.is_float() || one_of(spec->type, "eEfFgG%");
  if (spec->type == 'r' && !type.is_float()) return no("is for floats");
  if (type.is_float() && one_of(spec->type, "bdoxX")) return no("is for integers, the value is a float");
  if (!as_float && spec->precision >= 0) return no("has a precision, which integers do not take");
  if (as_float && spec->alternate) return no("has a `#`, which is not supported for floats");
  if (spec->grouping == ',' && one_of(spec->type, "boxX"))
    return no("has a `,`, which is for decimal digits");
  return true;
}

std::string text_literal(std::string_view text) {
  char quote = text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out(1, quote);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n' || c == '\r' || c == '\t') {
      (out += '\\') += c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
    } else if (byte < 0x20 || byte == 0x7F) {
      ((out += "\\x") += kHex[byte >> 4]) += kHex[byte & 15];
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string format_text(std::string_view text, const FormatSpec& spec) {
  FormatSpec plain = spec;
  plain.grouping = 0;
  if (spec.precision >= 0) {
    size_t end = 0;
    for (int i = 0; i < spec.precision && end < text.size(); ++i) end += character_length(text.substr(end));
    text = text.substr(0, end);
  }
  return padded("", std::string(text), plain, '<');
}

std::string format_value(Type type, uint64_t scalar, const FormatSpec& spec) {
  if (type.is_bool() && spec.plain()) return scalar ? "True" : "False";
  if (type.is_float()) return format_float(std::bit_cast<double>(scalar), spec, type);
  bool negative = type.is_signed() && static_cast<int64_t>(scalar) < 0;
  uint64_t magnitude = negative ? 0 - scalar : scalar;
  if (!one_of(spec.type, "eEfFgG%")) return format_int(negative, magnitude, spec);
  auto value = static_cast<double>(magnitude);
  return format_float(negative ? -value : value, spec, kF64);
}

OutputSite output_site(const Function& function, const Op& op) {
  OutputSite site;
  site.fails = op.kind == OpKind::Report;
  site.message = static_cast<uint32_t>(std::get<int64_t>(op.immediate));
  for (ValueId v : op.operands) site.types.push_back(function.type(v));
  site.range = op.range;
  return site;
}

std::string output_text(const Module& module, const OutputSite& site, const Scalar* values) {
  std::string out;
  size_t next = 0;
  std::optional<std::vector<FormatPiece>> pieces = split_format(module.messages[site.message].format);
  LANEWISE_CHECK(pieces, "a message's format cannot be read");
  for (const FormatPiece& piece : *pieces) {
    if (piece.field) {
      std::optional<FormatSpec> spec = parse_format_spec(piece.spec);
      LANEWISE_CHECK(spec && next < site.types.size(), "a message's fields are not its values");
      out += format_value(site.types[next], values[next].bits, *spec);
      ++next;
    } else {
      out += piece.text;
    }
  }
  return out;
}

}  // namespace lanewise::ir
