#include "ir/source.h"

#include <algorithm>

namespace lanewise::ir {

uint32_t SourceMap::add(SourceFile file) {
  files_.push_back(std::move(file));
  return static_cast<uint32_t>(files_.size() - 1);
}

std::string_view SourceMap::text(SourceRange range) const {
  std::string_view all = files_[range.file].text;
  size_t begin = std::min<size_t>(range.begin, all.size());
  size_t end = std::clamp<size_t>(range.end, begin, all.size());
  return all.substr(begin, end - begin);
}

SourcePosition SourceMap::position(SourceRange range) const {
  const SourceFile& file = files_[range.file];
  std::string_view before = std::string_view(file.text).substr(0, range.begin);
  auto lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  std::string_view line = before.substr(before.rfind('\n') + 1);
  // UTF-8 continuation bytes are 10xxxxxx: counting the others counts code points.
  auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return {file.first_line + lines, static_cast<uint32_t>(columns) + 1};
}

std::optional<Place> SourceMap::place(SourceRange range) const {
  if (range.file >= files_.size()) return std::nullopt;
  SourceRange end{range.file, std::max(range.begin, range.end), range.end};
  return Place{files_[range.file].name, position(range), position(end)};
}

std::string_view SourceMap::line_text(SourceRange range) const {
  std::string_view all = files_[range.file].text;
  size_t at = std::min<size_t>(range.begin, all.size());
  size_t begin = at == 0 ? 0 : all.rfind('\n', at - 1) + 1;
  std::string_view line = all.substr(begin, all.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace lanewise::ir
