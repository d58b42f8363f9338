// Signatures and types as text. A small reader of its own: the text is no statement of Python, and its
// mistakes are reported at the one range that the caller names.
//
//   signature: [NAME | type] '(' [type (',' type)*] ')'
//   scalar:    a name, also `S5`, `U5`, `datetime64[ms]`, or a record:
//              ['packed'] 'record' '(' NAME ':' type ['[' COUNT (',' COUNT)* ']'] ['@' OFFSET] ... [';' SIZE]
//              ')'
//   type:      scalar ['[' (':' | '::1') (',' ...)* ']'] | '(' type (',' type)* [','] ')'
//              | 'Tuple' '(' types ')' | 'UniTuple' '(' type ',' COUNT ')' | 'Array' '(' scalar ',' COUNT ','
//              LAYOUT ')'
#include <algorithm>
#include <charconv>

#include "frontend/builtin_names.h"
#include "frontend/frontend.h"
#include "frontend/record_type.h"

namespace lanewise::frontend {
namespace {

using Wide = __int128;

constexpr size_t kMaxTupleItems = 1024;  // of one tuple and all tuples inside
constexpr unsigned kMaxNested = 16;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Types of Numba and NumPy that kernels do not have.
bool is_foreign_type(std::string_view name) {
  static constexpr std::string_view kNames[] = {"Optional", "float128", "longdouble",
                                                "optional", "str",      "unicode_type"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

size_t count_items(const ValueType& type) {
  size_t count = 1;
  for (const ValueType& item : type.items) count += count_items(item);
  return count;
}

class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  std::optional<ParsedSignature> read_signature() {
    ParsedSignature out;
    skip_space();
    std::string name = at('(') ? std::string() : peek_name();
    bool is_type = at('(') ? has_two_lists() : is_type_name(name);
    if (is_type) {
      ValueType result = read_type(0);
      if (failed()) return std::nullopt;
      out.result = std::move(result);
    } else if (!name.empty()) {
      take_name();
      out.name = name == "none" ? "void" : name;
    }
    expect('(', "`(` and the arguments' types");
    while (!failed() && !at(')')) {
      out.arguments.push_back(read_type(0));
      if (!accept(',')) break;
    }
    expect(')', "`,` or `)`");
    if (!failed() && !at_end()) fail("nothing may follow the arguments' types");
    if (failed()) return std::nullopt;
    return out;
  }

  std::optional<ValueType> read_only_type() {
    skip_space();
    ValueType type = read_type(0);
    if (failed() || !at_end()) return std::nullopt;
    return type;
  }

  const std::string& problem() const { return problem_; }
  const std::string& hint() const { return hint_; }

 private:
  bool failed() const { return !problem_.empty(); }
  void fail(std::string problem) {
    if (!failed()) problem_ = std::move(problem);
  }
  bool at_end() const { return pos_ >= text_.size(); }
  bool at(char c) const { return !failed() && !at_end() && text_[pos_] == c; }
  void skip_space() {
    while (!at_end() &&
           (text_[pos_] == ' ' || text_[pos_] == '\t' || text_[pos_] == '\n' || text_[pos_] == '\r'))
      ++pos_;
  }
  bool accept(char c) {
    if (!at(c)) return false;
    ++pos_;
    skip_space();
    return true;
  }
  void expect(char c, const std::string& wanted) {
    if (!accept(c))
      fail("expected " + wanted +
           (at_end() ? " at its end" : " at \"" + std::string(text_.substr(pos_, 12)) + "\""));
  }

  // A name, its qualifying modules left out: "types.float32" is "float32".
  std::string take_name() {
    std::string name;
    for (;;) {
      size_t begin = pos_;
      while (!at_end() && (is_letter(text_[pos_]) || (pos_ > begin && is_digit(text_[pos_])))) ++pos_;
      name = std::string(text_.substr(begin, pos_ - begin));
      if (name.empty() || at_end() || text_[pos_] != '.') break;
      ++pos_;
    }
    skip_space();
    return name;
  }
  std::string peek_name() {
    size_t pos = pos_;
    std::string name = take_name();
    pos_ = pos;
    return name;
  }

  static bool is_type_name(const std::string& name) {
    return name == "int" || name == "float" || name == "bool" || name == "complex" || name == "Tuple" ||
           name == "UniTuple" || name == "Array" || type_of_name(name) || vector_type_of_name(name) ||
           is_foreign_type(name);
  }

  // "(int64, int64)(float32)": a tuple's types, then the arguments'.
  bool has_two_lists() const {
    int open = 0;
    for (size_t i = pos_; i < text_.size(); ++i) {
      if (text_[i] == '(' || text_[i] == '[') ++open;
      if (text_[i] == ')' || text_[i] == ']') --open;
      if (open == 0) return text_.find('(', i) != text_.npos;
    }
    return false;
  }

  ValueType read_type(unsigned depth) {
    if (depth > kMaxNested) fail("its tuples are nested too deep");
    if (failed()) return {};
    bool read_only = text_.substr(pos_).starts_with("read-only ");
    if (read_only) pos_ += 10, skip_space();
    ValueType type = accept('(') ? read_items(depth, true) : read_named(depth);
    if (at('[')) type = read_dimensions(type);
    if (read_only && !type.is_array()) fail("only arrays are read-only");
    type.writable = !read_only;
    return type;
  }

  ValueType read_named(unsigned depth) {
    std::string name = take_name();
    if (name.empty()) {
      std::string rest(text_.substr(std::min(pos_, text_.size()), 12));
      fail(at_end() ? "a type is missing at its end" : "expected a type at \"" + rest + "\"");
      return {};
    }
    bool packed = name == "packed" && peek_name() == "record";
    if (packed) name = take_name();
    if (name == "record") return read_record(depth, !packed);
    bool constructed = name == "Tuple" || name == "UniTuple" || name == "Array";
    return constructed ? read_constructed(name, depth) : read_scalar(name);
  }

  ValueType read_scalar(const std::string& name) {
    if (name == "int") return ValueType::python_number(ir::kI64);
    if (name == "float") return ValueType::python_number(ir::kF64);
    if (name == "bool") return ValueType::python_number(ir::kBool);
    if (name == "complex") return ValueType::python_complex(ir::kF64);
    if (std::optional<ElementType> type = type_of_name(name)) return ValueType::typed(*type);
    if (std::optional<ElementType> type = vector_type_of_name(name)) return ValueType::typed(*type);
    if (std::optional<TimeType> time = parse_time_type(name)) return read_time(name, *time);
    if (std::optional<ElementType> text = text_type(name)) return ValueType::typed(*text);
    if (is_foreign_type(name)) {
      fail("kernels have no type `" + name + "` in this version");
      return {};
    }
    fail("`" + name + "` is no type");
    std::string near = ir::nearest_name(name, type_names());
    if (!near.empty()) hint_ = "did you mean `" + near + "`?";
    return {};
  }

  // "S5", "U20": texts of as many characters.
  static std::optional<ElementType> text_type(const std::string& name) {
    uint32_t count = 0;
    if (name.size() < 2 || (name[0] != 'S' && name[0] != 'U')) return std::nullopt;
    auto result = std::from_chars(name.data() + 1, name.data() + name.size(), count);
    bool good = result.ec == std::errc() && result.ptr == name.data() + name.size() && count > 0;
    if (!good || count > (1u << 24)) return std::nullopt;
    return ElementType::text(name[0] == 'S' ? ir::kU8 : ir::kU32, count);
  }

  // "datetime64" has been read; "[ms]" is its unit, "[:]" are dimensions.
  ValueType read_time(const std::string& name, TimeType time) {
    if (at('[') && pos_ + 1 < text_.size() && text_[pos_ + 1] != ':') {
      size_t end = std::min(text_.find(']', pos_), text_.size());
      std::string_view unit = text_.substr(pos_ + 1, end - pos_ - 1);
      std::optional<TimeType> type = parse_time_unit(unit, time.is_date);
      if (!type) fail("`" + std::string(unit) + "` is no unit of `" + name + "`");
      pos_ = std::min(end + 1, text_.size());
      skip_space();
      if (type) time = *type;
    }
    return ValueType::typed(ElementType::of(time));
  }

  ValueType read_record(unsigned depth, bool aligned) {
    RecordType record;
    bool explicit_layout = false;
    expect('(', "`(` after `record`");
    do {
      RecordField& field = record.fields.emplace_back();
      field.name = take_name();
      expect(':', "`name: type`");
      ValueType type = read_named(depth + 1);
      if (type.is_error() || type.is_tuple() || (type.is_array() && !type.is_place()))
        fail("the type of a field is one of elements");
      if (failed()) return {};
      field.type = type.element_type();
      if (accept('[')) {
        do field.shape.push_back(read_count());
        while (accept(','));
        expect(']', "`,` or `]`");
      }
      explicit_layout |= at('@');
      if (accept('@')) field.offset = read_count();
    } while (accept(','));
    if (explicit_layout) expect(';', "`;` and the size of the record");
    if (explicit_layout) record.size = read_count();
    expect(')', "`,` or `)`");
    if (failed() || !check_record(record, explicit_layout, aligned)) return {};
    return ValueType::typed(ElementType::of(intern(std::move(record))));
  }

  bool check_record(RecordType& record, bool explicit_layout, bool aligned) {
    if (!explicit_layout && !arrange(record, aligned)) fail("its record is too large");
    for (const RecordField& field : record.fields) {
      Wide end = Wide{field.offset};
      Wide count = 1;
      for (int64_t extent : field.shape) count = std::min(count * extent, Wide{1} << 40);
      end += count * field.type.size();
      if (end > Wide{record.size})
        fail("the field `" + field.name + "` of its record ends beyond the record");
      if (record.find(field.name) != &field) fail("two fields of its record are called `" + field.name + "`");
    }
    return !failed();
  }

  // '[' has been seen: how many dimensions, and which of them is contiguous.
  ValueType read_dimensions(const ValueType& element) {
    accept('[');
    std::vector<bool> unit;
    do {
      expect(':', "`:` or `::1`");
      bool contiguous = accept(':');
      if (contiguous) expect('1', "`::1`");
      unit.push_back(contiguous);
    } while (accept(',') && unit.size() <= kMaxDimensions);
    expect(']', "`,` or `]`");
    if ((element.is_array() && !element.is_place()) || element.is_tuple()) fail("arrays hold numbers");
    if (unit.size() > kMaxDimensions) fail("an array has at most 8 dimensions");
    auto units = std::ranges::count(unit, true);
    if (units > 1 || (units == 1 && !unit.front() && !unit.back()))
      fail("`::1` stands for the first or the last dimension only");
    if (failed()) return {};
    Layout layout = unit.back() ? Layout::C : unit.front() ? Layout::F : Layout::Strided;
    if (layout == Layout::Strided && element.is_place()) layout = Layout::Bytes;
    return ValueType::array(element.element_type(), static_cast<unsigned>(unit.size()), layout);
  }

  // The items of a tuple up to ')'. One item without a comma is that item in parentheses.
  ValueType read_items(unsigned depth, bool parentheses) {
    std::vector<ValueType> items;
    bool comma = !parentheses;
    while (!failed() && !at(')')) {
      items.push_back(read_type(depth + 1));
      if (!accept(',')) break;
      comma = true;
    }
    expect(')', "`,` or `)`");
    if (items.size() == 1 && !comma) return items[0];
    return checked_tuple(std::move(items));
  }

  ValueType checked_tuple(std::vector<ValueType> items) {
    ValueType type = ValueType::tuple(std::move(items));
    if (count_items(type) > kMaxTupleItems) fail("its tuple has too many items");
    return type;
  }

  unsigned read_count() {
    unsigned count = 0;
    const char* first = text_.data() + pos_;
    auto result = std::from_chars(first, text_.data() + text_.size(), count);
    if (result.ec != std::errc()) fail("expected a count");
    pos_ += static_cast<size_t>(result.ptr - first);
    skip_space();
    return count;
  }

  ValueType read_constructed(const std::string& name, unsigned depth) {
    expect('(', "`(` after `" + name + "`");
    if (name == "Tuple") {
      // Tuple((a, b)) and Tuple(a, b)
      ValueType type = read_items(depth, false);
      return type.items.size() == 1 && type.items[0].is_tuple() ? type.items[0] : type;
    }
    ValueType item = read_type(depth + 1);
    expect(',', "`,`");
    unsigned count = read_count();
    if (name == "UniTuple") {
      expect(')', "`)`");
      if (count > kMaxTupleItems || count * count_items(item) > kMaxTupleItems)
        fail("its tuple has too many items");
      if (failed()) return {};
      return ValueType::tuple(std::vector<ValueType>(count, item));
    }
    expect(',', "`,`");
    bool quoted = accept('\'') || accept('"');
    std::string layout = take_name();
    if (quoted && !accept('\'') && !accept('"')) fail("the layout's quotes are not closed");
    expect(')', "`)`");
    if (layout != "C" && layout != "F" && layout != "A") fail("an array's layout is C, F or A");
    if ((item.is_array() && !item.is_place()) || item.is_tuple()) fail("arrays hold numbers");
    if (count > kMaxDimensions) fail("an array has at most 8 dimensions");
    if (failed()) return {};
    return ValueType::array(item.element_type(), count,
                            layout == "C"     ? Layout::C
                            : layout == "F"   ? Layout::F
                            : item.is_place() ? Layout::Bytes
                                              : Layout::Strided);
  }

  std::string_view text_;
  size_t pos_ = 0;
  std::string problem_, hint_;
};

// NumPy's codes: "<f4", "=i8", "|b1", "d". Big-endian ones are no type of ours.
std::optional<ElementType> numpy_code(std::string_view text) {
  if (text.size() == 1) {
    static constexpr std::string_view kLetters = "?bBhHiIlLqQefd";
    static constexpr ir::Type kTypes[] = {ir::kBool, ir::kI8,  ir::kU8,  ir::kI16, ir::kU16,
                                          ir::kI32,  ir::kU32, ir::kI64, ir::kU64, ir::kI64,
                                          ir::kU64,  ir::kF16, ir::kF32, ir::kF64};
    if (text == "F" || text == "D") return ElementType::complex(text == "F" ? ir::kF32 : ir::kF64);
    size_t found = kLetters.find(text[0]);
    return found == kLetters.npos ? std::nullopt : std::optional<ElementType>(kTypes[found]);
  }
  if (text.size() < 3 || std::string_view("<=|").find(text[0]) == std::string_view::npos) return std::nullopt;
  return type_of_name(text.substr(1));
}

}  // namespace

std::optional<ParsedSignature> parse_signature(std::string_view text, SourceRange range,
                                               ir::Diagnostics& diagnostics) {
  TypeReader reader(text);
  std::optional<ParsedSignature> out = reader.read_signature();
  if (out) return out;
  std::string shown(text.substr(0, 200));
  auto& diagnostic = diagnostics.report(ir::DiagnosticId::SignatureSyntax, range, {shown, reader.problem()});
  if (!reader.hint().empty()) diagnostic.with_hint(reader.hint());
  return std::nullopt;
}

std::optional<ValueType> parse_type_text(std::string_view text) {
  if (std::optional<ElementType> type = numpy_code(text)) return ValueType::typed(*type);
  if (std::optional<TimeType> time = parse_time_type(text)) return ValueType::typed(ElementType::of(*time));
  return TypeReader(text).read_only_type();
}

}  // namespace lanewise::frontend
