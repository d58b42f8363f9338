// Reading, checking and rewriting golden files: see golden.h.
#include "tests/golden/golden.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lanewise::golden {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == text.npos ? "" : text.substr(end + 1);
  }
  return lines;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Blanks, tabs and newlines as one blank each run: PTX and LLVM IR align with tabs.
std::string squeeze(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

bool is_partial(const GoldenCase& golden) {
  return golden.has("contains") || golden.has("lacks") || golden.has("count");
}

// Every line of `wanted` and `got` from the first that differs on, a few of them.
std::string difference(const std::string& wanted, const std::string& got) {
  std::vector<std::string> a = lines_of(wanted), b = lines_of(got);
  size_t first = 0;
  while (first < a.size() && first < b.size() && a[first] == b[first]) ++first;
  std::string out = "differs from line " + std::to_string(first + 1) + " on\n";
  for (size_t i = first; i < std::min(first + 5, a.size()); ++i) out += "  wanted: " + a[i] + "\n";
  for (size_t i = first; i < std::min(first + 5, b.size()); ++i) out += "  got:    " + b[i] + "\n";
  return out + "whole output:\n" + got;
}

}  // namespace

std::optional<std::string> GoldenCase::option(std::string_view key) const {
  for (const auto& [k, value] : options)
    if (k == key) return value;
  return std::nullopt;
}

std::vector<std::string> GoldenCase::option_values(std::string_view key) const {
  std::vector<std::string> out;
  for (const auto& [k, value] : options)
    if (k == key) out.push_back(value);
  return out;
}

GoldenCase read_case(const std::filesystem::path& path) {
  GoldenCase golden;
  golden.path = path;
  golden.stage = path.parent_path().filename().string();
  golden.name = path.filename().string();
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.starts_with("#=")) {
      if (!golden.expected) golden.expected.emplace();
      *golden.expected += line.size() > 3 ? line.substr(3) : "";
      *golden.expected += '\n';
      continue;
    }
    golden.input += line + "\n";
    size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos || line.compare(begin, 2, "#:") != 0) continue;
    size_t key = line.find_first_not_of(' ', begin + 2);
    if (key == line.npos) continue;
    size_t key_end = std::min(line.find(' ', key), line.size());
    size_t value = line.find_first_not_of(' ', key_end);
    golden.options.emplace_back(line.substr(key, key_end - key),
                                value == line.npos ? "" : line.substr(value));
  }
  // The empty lines between input and expected output belong to neither.
  while (golden.input.ends_with("\n\n")) golden.input.pop_back();
  return golden;
}

std::vector<std::filesystem::path> all_cases() {
  std::vector<std::filesystem::path> out;
  for (const auto& folder : std::filesystem::directory_iterator(LANEWISE_SOURCE_DIR "/tests/golden")) {
    if (!folder.is_directory() || !find_stage(folder.path().filename().string())) continue;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      auto extension = file.path().extension();
      if (extension == ".py" || extension == ".ir") out.push_back(file.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

void bless(const GoldenCase& golden, const std::string& output) {
  if (is_partial(golden) || check(golden, output).empty()) return;
  std::string text = golden.input + "\n";
  for (const std::string& line : lines_of(output)) text += line.empty() ? "#=\n" : "#= " + line + "\n";
  if (output.empty()) text += "#=\n";
  if (text == read_file(golden.path)) return;
  std::ofstream(golden.path, std::ios::binary) << text;
}

std::string check(const GoldenCase& golden, const std::string& output) {
  if (!golden.expected && !is_partial(golden))
    return "has no expected output; LANEWISE_BLESS=1 writes it\n" + output;
  std::string wrong, squeezed = squeeze(output);
  for (const std::string& text : golden.option_values("contains"))
    if (squeezed.find(squeeze(text)) == squeezed.npos) wrong += "lacks `" + text + "`\n";
  for (const std::string& text : golden.option_values("lacks"))
    if (squeezed.find(squeeze(text)) != squeezed.npos) wrong += "contains `" + text + "`\n";
  for (const std::string& value : golden.option_values("count")) {
    std::istringstream words(value);
    size_t wanted = 0;
    std::string text;
    words >> wanted;
    std::getline(words >> std::ws, text);
    size_t got = text.empty() ? 0 : occurrences(squeezed, squeeze(text));
    if (text.empty() || got != wanted) wrong += "contains `" + text + "` " + std::to_string(got) + " times\n";
  }
  if (!wrong.empty()) return wrong + "whole output:\n" + output;
  if (!golden.expected) return "";
  std::string got = output;
  if (!got.ends_with('\n')) got += '\n';
  return got == *golden.expected ? "" : difference(*golden.expected, got);
}

}  // namespace lanewise::golden
