// Source text and places in it. A compile holds one SourceMap; every range in the AST, the IR and the
// diagnostics names a file of that map. In: text as the user wrote it. Out: lines and columns.
#pragma once
#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace lanewise::ir {

// A half-open range of byte offsets in file `file` of the SourceMap.
struct SourceRange {
  uint32_t file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  auto operator<=>(const SourceRange&) const = default;
};

struct SourceFile {
  std::string name;         // what the user calls it: a path, "<stdin>", "<string>"
  std::string text;         // UTF-8
  uint32_t first_line = 1;  // line number, in the user's file, of the text's first line
};

// One-based line (in the user's file) and one-based column, counted in code points.
struct SourcePosition {
  uint32_t line = 1;
  uint32_t column = 1;
};

// Where a range begins and ends, in the user's terms; the end is exclusive.
struct Place {
  std::string file;
  SourcePosition begin, end;
};

// All files of one compile. References to files stay valid while files are added.
class SourceMap {
 public:
  uint32_t add(SourceFile file);
  const SourceFile& file(uint32_t id) const { return files_[id]; }
  size_t size() const { return files_.size(); }

  std::string_view text(SourceRange range) const;
  SourcePosition position(SourceRange range) const;
  // nullopt if the range names no file of the map.
  std::optional<Place> place(SourceRange range) const;
  // The whole line that holds range.begin, without its line end.
  std::string_view line_text(SourceRange range) const;

 private:
  std::deque<SourceFile> files_;
};

}  // namespace lanewise::ir
