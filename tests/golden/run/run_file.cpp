// See run_file.h.
#include "tests/golden/run/run_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lanewise::run_tests {
namespace {

constexpr double kDefaultUlp = 4;

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> out;
  while (!trimmed(list).empty()) {
    size_t comma = list.find(',');
    out.push_back(trimmed(list.substr(0, comma)));
    list = comma == list.npos ? std::string_view{} : list.substr(comma + 1);
  }
  return out;
}

double parse_float(std::string_view text) {
  double value = 0;
  bool negative = text.starts_with('-');
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.substr(negative).starts_with("0x")) {
    text.remove_prefix(negative ? 3 : 2);
    auto hex = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::hex);
    end = hex.ptr;
    error = hex.ec;
    if (negative) value = -value;
  }
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("no float: " + std::string(text));
  return value;
}

ir::Bits parse_number(std::string_view text, ir::Type type) {
  if (type.is_bool()) {
    if (text != "true" && text != "false") throw std::runtime_error("no bool: " + std::string(text));
    return text == "true";
  }
  if (type.is_float()) return ir::float_bits(parse_float(text), type);
  bool negative = text.starts_with('-');
  std::string_view digits = text.substr(negative);
  int base = digits.starts_with("0x") ? 16 : 10;
  if (base == 16) digits.remove_prefix(2);
  uint64_t magnitude = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw std::runtime_error("no integer: " + std::string(text));
  uint64_t value = negative ? 0 - magnitude : magnitude;
  // a hexadecimal number is a pattern of the type's width; a decimal one must be a value of it
  if (base == 10 && ir::canonical_bits(type, value) != value)
    throw std::runtime_error("out of range: " + std::string(text));
  return ir::canonical_bits(type, value);
}

std::vector<ir::Bits> parse_numbers(std::string_view list, const std::vector<ir::Type>& types) {
  std::vector<std::string_view> parts = split(list);
  if (parts.size() != types.size()) throw std::runtime_error("wrong number of values: " + std::string(list));
  std::vector<ir::Bits> out;
  for (size_t i = 0; i < parts.size(); ++i) out.push_back(parse_number(parts[i], types[i]));
  return out;
}

RunLine parse_line(std::string_view text, const ir::Module& module) {
  RunLine line;
  line.text = text;
  size_t open = text.find('('), close = text.find(')');
  if (!text.starts_with('@') || open == text.npos || close == text.npos)
    throw std::runtime_error("no call: " + line.text);
  std::string_view name = text.substr(1, open - 1), rest = trimmed(text.substr(close + 1));
  for (uint32_t f = 0; f < module.functions.size(); ++f)
    if (module.functions[f].name == name) line.function = {f};
  if (!line.function.valid()) throw std::runtime_error("no function @" + std::string(name));
  const ir::Function& function = module[line.function];
  std::vector<ir::Type> params;
  for (ir::ValueId param : function.params()) params.push_back(function.type(param));
  line.arguments = parse_numbers(text.substr(open + 1, close - open - 1), params);
  if (rest.starts_with("~=")) {
    line.ulp = kDefaultUlp;
    if (size_t at = rest.find("ulp"); at != rest.npos) {
      line.ulp = parse_float(trimmed(rest.substr(at + 3)));
      rest = rest.substr(0, at);
    }
  } else if (!rest.starts_with("==")) {
    throw std::runtime_error("neither == nor ~=: " + line.text);
  }
  line.results = parse_numbers(rest.substr(2), function.results);
  return line;
}

// Distance in units of the last place of the expected value.
double ulps_between(ir::Bits expected, ir::Bits actual, ir::Type type) {
  double a = ir::float_value(expected, type), b = ir::float_value(actual, type);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : INFINITY;
  if (a == b) return std::signbit(a) == std::signbit(b) ? 0 : INFINITY;
  if (std::isinf(a) || std::isinf(b)) return INFINITY;
  int digits = type.bits == 64 ? 53 : type.bits == 32 ? 24 : 11;
  int least = type.bits == 64 ? -1074 : type.bits == 32 ? -149 : -24;
  int exponent = a == 0 ? least : std::max(std::ilogb(a) - digits + 1, least);
  return std::fabs(b - a) / std::ldexp(1.0, exponent);
}

std::string shown(ir::Bits bits, ir::Type type) {
  std::ostringstream out;
  if (type.is_float()) {
    out.precision(17);
    out << ir::float_value(bits, type);
  } else if (type.is_signed()) {
    out << static_cast<int64_t>(bits);
  } else {
    out << bits;
  }
  return out.str();
}

}  // namespace

RunFile read_run_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  ir::SourceMap sources;
  ir::Diagnostics diagnostics;
  uint32_t file = sources.add({path.filename().string(), text});
  auto module = ir::parse(sources, file, diagnostics);
  if (!module) throw std::runtime_error(ir::render(diagnostics, sources));
  if (auto error = ir::verify(*module))
    throw std::runtime_error(path.filename().string() + ": " + error->message);
  RunFile out{path.stem().string(), std::move(*module), {}};
  std::istringstream lines(text);
  size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    constexpr std::string_view kMark = "# run: ";
    if (!line.starts_with(kMark)) continue;
    try {
      out.lines.push_back(parse_line(trimmed(std::string_view(line).substr(kMark.size())), out.module));
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(path.filename().string() + ":" + std::to_string(number) + ": " + error.what());
    }
    out.lines.back().line = number;
  }
  if (out.lines.empty()) throw std::runtime_error(path.filename().string() + " has no `# run:` line");
  return out;
}

std::vector<std::filesystem::path> all_run_files() {
  std::vector<std::filesystem::path> out;
  for (const auto& file : std::filesystem::directory_iterator(LANEWISE_SOURCE_DIR "/tests/golden/run"))
    if (file.path().extension() == ".ir") out.push_back(file.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string compare(const RunLine& line, const std::vector<ir::Type>& types,
                    const std::vector<ir::Bits>& actual) {
  for (size_t i = 0; i < types.size(); ++i) {
    ir::Bits expected = line.results[i];
    bool same = expected == actual[i];
    if (types[i].is_float()) same = ulps_between(expected, actual[i], types[i]) <= line.ulp;
    if (!same)
      return "result " + std::to_string(i) + " is " + shown(actual[i], types[i]) + " instead of " +
             shown(expected, types[i]);
  }
  return {};
}

}  // namespace lanewise::run_tests
