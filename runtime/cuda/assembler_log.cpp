#include "runtime/cuda/assembler_log.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "runtime/cuda/ptx_text.h"

namespace lanewise::runtime::cuda {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string stripped(const std::string& line) {
  size_t first = line.find_first_not_of(" \t");
  return first == line.npos ? std::string{} : line.substr(first, line.find_last_not_of(" \t;") + 1 - first);
}

// "ptxas application ptx input, line 42; error : ...", "line 42: ..."
std::set<size_t> named_lines(const std::string& log) {
  std::set<size_t> lines;
  for (const std::string& entry : lines_of(log)) {
    size_t at = entry.find("line ");
    if (at == entry.npos || entry.find("warning") != entry.npos) continue;
    if (size_t number = std::strtoul(entry.c_str() + at + 5, nullptr, 10); number > 0) lines.insert(number);
  }
  return lines;
}

// LLVM and NVRTC mark asm statements with these.
bool is_marker(const std::string& line, const char* which) {
  return line.find("//") != line.npos && line.find(which) != line.npos;
}

// Whose code line `number` (from 1) is, "" if lanewise made it for the kernel itself.
std::string unit_of(const std::vector<std::string>& lines, size_t number) {
  for (; number > 0 && !lines[number - 1].starts_with(kEndLinked); --number)
    if (lines[number - 1].starts_with(kBeginLinked)) return lines[number - 1].substr(kBeginLinked.size());
  return {};
}

void add_once(std::string& found, const std::string& one) {
  if (found.find(one) == found.npos) found += (found.empty() ? "" : "\n  ") + one;
}

}  // namespace

std::string explain_assembler_log(const std::string& ptx, const std::string& log) {
  std::vector<std::string> lines = lines_of(ptx);
  std::string found;
  for (size_t number : named_lines(log)) {
    if (number > lines.size()) continue;
    if (std::string unit = unit_of(lines, number); !unit.empty()) {
      add_once(found, "in what is linked to the kernel, " + unit + ": `" + stripped(lines[number - 1]) + "`");
      continue;
    }
    size_t begin = number;  // of the line after the marker
    while (begin > 0 && !is_marker(lines[begin - 1], "begin inline asm") &&
           !is_marker(lines[begin - 1], "end inline asm"))
      --begin;
    if (begin == 0 || !is_marker(lines[begin - 1], "begin inline asm")) continue;
    // What codegen/nvptx/ writes above an asm statement that it does not merge.
    std::string place = begin < lines.size() ? stripped(lines[begin]) : std::string{};
    place = place.starts_with("// ") ? " (" + place.substr(3) + ")" : std::string{};
    add_once(found, "in the kernel's own inline PTX" + place + ": `" + stripped(lines[number - 1]) + "`");
  }
  if (found.empty()) return "this is code that lanewise made: please report it";
  return found;
}

}  // namespace lanewise::runtime::cuda
