// Diagnostics as text for people: compiler style, the source line under each place, a caret under each
// range. In: a Diagnostic and its SourceMap. Robust against any range, any bytes and any line length.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostics.h"

namespace lanewise::ir {
namespace {

constexpr size_t kTab = 8;           // tab stops of the source line
constexpr size_t kMaxWidth = 120;    // columns of a source line that are shown
constexpr size_t kLeftContext = 40;  // columns shown before the caret when a line is clipped
constexpr std::string_view kClip = "...";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

enum class Paint { Place, Error, Warning, Performance, Note, Hint, Caret };

std::string_view escape_code(Paint paint) {
  switch (paint) {
    case Paint::Place: return "\x1b[1m";
    case Paint::Error: return "\x1b[1;31m";
    case Paint::Warning: return "\x1b[1;35m";
    case Paint::Performance: return "\x1b[1;34m";
    case Paint::Note: return "\x1b[1;36m";
    case Paint::Hint: return "\x1b[1;32m";
    case Paint::Caret: return "\x1b[32m";
  }
  return "";
}

// One character of a source line as it is shown.
struct Cell {
  std::string_view text;
  size_t byte;    // where it starts in the line
  size_t column;  // where it starts on the screen
  size_t width;
};

struct CodePoint {
  uint32_t value;
  size_t bytes;  // 1 for a byte that is no UTF-8
  bool valid;
};

CodePoint decode(std::string_view s) {
  auto byte = [&](size_t i) { return i < s.size() ? static_cast<uint8_t>(s[i]) : uint8_t{0}; };
  uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                  : lead >= 0xE0 && lead < 0xF0 ? 3
                  : lead >= 0xC2 && lead < 0xE0 ? 2
                                                : 0;
  if (length == 0) return {0, 1, false};
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0, 1, false};
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  bool surrogate = value >= 0xD800 && value < 0xE000;
  if (overlong || surrogate || value > 0x10FFFF) return {0, 1, false};
  return {value, length, true};
}

struct Interval {
  uint32_t first, last;
};
constexpr Interval kZeroWidth[] = {{0x300, 0x36F},   {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F},
                                   {0x202A, 0x202E}, {0x2060, 0x2064}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F},
                                   {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}};
constexpr Interval kDoubleWidth[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},
                                     {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F},
                                     {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

size_t width_of(uint32_t code_point) {
  auto in = [&](const Interval& i) { return code_point >= i.first && code_point <= i.last; };
  if (std::any_of(std::begin(kZeroWidth), std::end(kZeroWidth), in)) return 0;
  return std::any_of(std::begin(kDoubleWidth), std::end(kDoubleWidth), in) ? 2 : 1;
}

// Direction marks would reorder what the terminal shows; control characters would command it.
bool is_printable(const CodePoint& c) {
  if (!c.valid || c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0)) return false;
  return !(c.value >= 0x202A && c.value <= 0x202E) && !(c.value >= 0x2066 && c.value <= 0x2069);
}

std::vector<Cell> cells_of(std::string_view line) {
  static constexpr std::string_view kSpaces = "        ";
  std::vector<Cell> cells;
  size_t column = 0;
  for (size_t at = 0; at < line.size();) {
    CodePoint c = decode(line.substr(at));
    Cell cell{line.substr(at, c.bytes), at, column, 1};
    if (c.valid && c.value == '\t') {
      cell.width = kTab - column % kTab;
      cell.text = kSpaces.substr(0, cell.width);
    } else if (is_printable(c)) {
      cell.width = width_of(c.value);
    } else {
      cell.text = kReplacement;
    }
    column += cell.width;
    at += c.bytes;
    cells.push_back(cell);
  }
  return cells;
}

// Text of a message: as it is, but for what a terminal would obey.
std::string printable(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode(text.substr(at));
    if (text[at] == '\n' || text[at] == '\t' || is_printable(c))
      out += text.substr(at, c.bytes);
    else
      out += kReplacement;
    at += c.bytes;
  }
  return out;
}

class Renderer {
 public:
  Renderer(const SourceMap& sources, bool color) : sources_(sources), color_(color) {}

  std::string run(const Diagnostic& d) {
    const DiagnosticInfo& about = info(d.id);
    place(d.range);
    constexpr Paint kPaints[] = {Paint::Error, Paint::Warning, Paint::Performance};
    paint(kPaints[static_cast<size_t>(about.severity)], std::string(to_string(about.severity)) + ": ");
    paint(Paint::Place, printable(d.message));
    out_ += " [" + std::string(about.text_id) + "]\n";
    snippet(d.range);
    for (const Label& label : d.labels) note(label);
    for (const Label& call : d.call_chain) note(call);
    if (!d.hint.empty()) {
      paint(Paint::Hint, "hint: ");
      out_ += printable(d.hint) + "\n";
    }
    return std::move(out_);
  }

 private:
  void paint(Paint paint, std::string_view text) {
    if (color_) out_ += escape_code(paint);
    out_ += text;
    if (color_) out_ += "\x1b[0m";
  }

  void note(const Label& label) {
    place(label.range);
    paint(Paint::Note, "note: ");
    out_ += printable(label.text) + "\n";
    snippet(label.range);
  }

  // A range at the very end of a text that ends in a newline is shown at the end of its last line.
  SourceRange visible(SourceRange range) const {
    std::string_view text = sources_.file(range.file).text;
    range.begin = static_cast<uint32_t>(std::min<size_t>(range.begin, text.size()));
    if (range.begin == text.size() && text.ends_with('\n')) {
      --range.begin;
      if (range.begin > 0 && text[range.begin - 1] == '\r') --range.begin;
    }
    range.end = std::max(range.begin, range.end);
    return range;
  }

  // "file:line:column: ", nothing for a range that names no file of the map.
  void place(SourceRange range) {
    if (range.file >= sources_.size()) return;
    SourcePosition at = sources_.position(visible(range));
    paint(Paint::Place, printable(sources_.file(range.file).name) + ":" + std::to_string(at.line) + ":" +
                            std::to_string(at.column) + ":");
    out_ += " ";
  }

  // The line of the range with its number, and the caret below it.
  void snippet(SourceRange range) {
    if (range.file >= sources_.size() || sources_.file(range.file).text.empty()) return;
    range = visible(range);
    std::string_view line = sources_.line_text(range);
    std::string_view text = sources_.file(range.file).text;
    size_t line_begin = range.begin == 0 ? 0 : text.rfind('\n', range.begin - 1) + 1;
    size_t begin = std::min<size_t>(range.begin - line_begin, line.size());
    size_t end = std::clamp<size_t>(range.end - line_begin, begin, line.size());

    std::vector<Cell> cells = cells_of(line);
    size_t total = cells.empty() ? 0 : cells.back().column + cells.back().width;
    auto column_at = [&](size_t byte) {
      auto cell =
          std::partition_point(cells.begin(), cells.end(), [&](const Cell& c) { return c.byte < byte; });
      return cell == cells.end() ? total : cell->column;
    };
    size_t from = column_at(begin), to = std::max(column_at(end), from + 1);

    // The window [first, last) of columns that are shown.
    size_t first = 0, last = total;
    if (total > kMaxWidth) {
      first = from > kLeftContext ? std::min(from - kLeftContext, total - kMaxWidth) : 0;
      last = first + kMaxWidth;
    }
    std::string shown, under;
    if (first > 0) shown = kClip, under = std::string(kClip.size(), ' ');
    for (const Cell& cell : cells)
      if (cell.column >= first && cell.column + cell.width <= last) shown += cell.text;
    if (last < total) shown += kClip;
    // A double-width character that straddles the window's edge is left out; `skipped` is its second half.
    size_t skipped = 0;
    for (const Cell& cell : cells)
      if (cell.column < first && cell.column + cell.width > first) skipped = cell.column + cell.width - first;
    under += std::string(from - std::min(from, first + skipped), ' ') + "^";
    to = std::min(to, std::max(last, from + 1));
    under += std::string(to - from - 1, '~');

    std::string number = std::to_string(sources_.position(range).line);
    if (number.size() < 5) number.insert(0, 5 - number.size(), ' ');
    while (shown.ends_with(' ')) shown.pop_back();
    out_ += number + " |" + (shown.empty() ? "" : " ") + shown + "\n";
    out_ += std::string(number.size(), ' ') + " | ";
    paint(Paint::Caret, under);
    out_ += "\n";
  }

  const SourceMap& sources_;
  bool color_;
  std::string out_;
};

}  // namespace

std::string render(const Diagnostic& diagnostic, const SourceMap& sources, bool color) {
  return Renderer(sources, color).run(diagnostic);
}

std::string render(const Diagnostics& diagnostics, const SourceMap& sources, bool color) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += render(d, sources, color);
  if (diagnostics.error_count() >= Diagnostics::kMaxErrors)
    out += "further errors after the first " + std::to_string(Diagnostics::kMaxErrors) + " are not shown\n";
  return out;
}

}  // namespace lanewise::ir
