// Taking PTX apart: statements of the module's level end in a semicolon, a closing brace or the line's end.
#include "runtime/cuda/ptx_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace lanewise::runtime::cuda {

bool is_name_start(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}
bool is_name_char(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)); }

bool is_opcode(std::string_view word, char next) {
  constexpr std::string_view kBare[] = {"bra", "brkpt", "call", "exit", "ret", "trap"};
  return next == '.' || std::find(std::begin(kBare), std::end(kBare), word) != std::end(kBare);
}

namespace {

// Walks over one text, past comments and strings.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  size_t position() const { return at_; }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return text_[at_]; }

  // Past blanks and comments.
  void skip() {
    while (!at_end()) {
      if (std::isspace(static_cast<unsigned char>(peek())))
        ++at_;
      else if (text_.substr(at_).starts_with("//"))
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (text_.substr(at_).starts_with("/*"))
        at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
      else
        return;
    }
  }
  // A name, a directive (".func"), a string, or one character.
  std::string_view next() {
    skip();
    if (at_end()) return {};
    size_t begin = at_;
    char c = text_[at_++];
    if (c == '"') {
      while (!at_end() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
      at_ = std::min(at_ + 1, text_.size());
    } else if (is_name_start(c) || c == '.' || std::isdigit(static_cast<unsigned char>(c))) {
      while (!at_end() && is_name_char(text_[at_])) ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }
  void to_line_end() { at_ = std::min(text_.find('\n', at_), text_.size()); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

[[noreturn]] void malformed(const std::string& what) {
  throw std::invalid_argument("malformed PTX: " + what);
}

bool is_space_directive(std::string_view word) {
  return word == ".global" || word == ".const" || word == ".shared" || word == ".local" || word == ".tex";
}

// One statement whose first word is `word`; the scanner is behind it.
PtxItem read_item(Scanner& scanner, std::string_view word) {
  PtxItem item;
  bool function = false, entry = false, variable = false, initialiser = false;
  int round = 0, square = 0;
  for (;; word = scanner.next()) {
    if (word.empty()) malformed("a statement is not ended");
    if (word == ".visible") item.visible = true;
    if (word == ".extern") item.external = true;
    if (word == ".weak" || word == ".common") item.weak = true;
    if (word == ".func") function = true;
    if (word == ".entry") entry = true;
    if (is_space_directive(word) && round == 0) variable = true;
    if (word == "=" && round == 0) initialiser = true;
    if (word == "(") ++round;
    if (word == ")") --round;
    if (word == "[") ++square;
    if (word == "]") --square;
    bool is_name = is_name_start(word[0]) && word[0] != '%';
    if (is_name) {
      // Of a function the first name that is in no parentheses, of a variable the last before its value.
      bool its_own = round == 0 && square == 0 && !initialiser && (item.name.empty() || variable);
      if (its_own) item.name = word;
      item.mentions.emplace_back(word);
    }
    if (word == ";" && round == 0) break;
    if (word == "{" && !initialiser) {
      for (int depth = 1; depth > 0;) {
        word = scanner.next();
        if (word.empty()) malformed("`{` is never closed");
        if (word == "{") ++depth;
        if (word == "}") --depth;
        if (is_name_start(word[0]) && word[0] != '%' &&
            !is_opcode(word, scanner.at_end() ? ' ' : scanner.peek()))
          item.mentions.emplace_back(word);
      }
      if (function) item.kind = PtxItem::Kind::Function;
      break;
    }
  }
  if (entry)
    item.kind = PtxItem::Kind::Entry;
  else if (function && item.kind != PtxItem::Kind::Function)
    item.kind = PtxItem::Kind::Prototype;
  else if (variable)
    item.kind = PtxItem::Kind::Variable;
  return item;
}

// "6.3" as 63.
int version_number(std::string_view text) {
  std::string copy(text);
  char* end = nullptr;
  long major = std::strtol(copy.c_str(), &end, 10);
  long minor = *end == '.' ? std::strtol(end + 1, nullptr, 10) : 0;
  return static_cast<int>(10 * major + minor);
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

PtxModule parse_ptx(std::string_view text) {
  PtxModule module;
  Scanner scanner(text);
  for (;;) {
    scanner.skip();
    if (scanner.at_end()) break;
    size_t begin = scanner.position();
    if (scanner.peek() == '\0') break;
    std::string_view word = scanner.next();
    if (word[0] != '.' && word[0] != '@') malformed("unexpected `" + std::string(word.substr(0, 20)) + "`");
    bool line = word == ".version" || word == ".target" || word == ".address_size" || word == ".file" ||
                word == ".loc";
    if (!line) {
      PtxItem item = read_item(scanner, word);
      item.text = text.substr(begin, scanner.position() - begin);
      module.items.push_back(std::move(item));
      continue;
    }
    size_t value = scanner.position();
    scanner.to_line_end();
    std::string_view rest = text.substr(value, scanner.position() - value);
    rest = trimmed(rest.substr(0, rest.find("//")));
    if (word == ".version")
      module.version = version_number(rest);
    else if (word == ".target")
      module.target = rest;
    else if (word == ".address_size")
      module.address_size = rest;
    else
      module.items.push_back(
          {PtxItem::Kind::Directive, std::string(trimmed(text.substr(begin, scanner.position() - begin)))});
  }
  if (module.version == 0 || module.target.empty()) malformed("it has no .version or no .target");
  return module;
}

std::vector<uint32_t> ptx_words(std::string_view text, std::string_view name) {
  PtxModule module = parse_ptx(text);
  for (const PtxItem& item : module.items) {
    if (item.kind != PtxItem::Kind::Variable || item.name != name) continue;
    size_t equals = item.text.find('=');
    size_t open = item.text.find('[');
    bool bytes = item.text.find(".b8") < open;
    std::vector<uint32_t> values;
    for (size_t at = equals; at != item.text.npos && at < item.text.size();) {
      at = item.text.find_first_of("0123456789", at);
      if (at == item.text.npos) break;
      char* end = nullptr;
      values.push_back(static_cast<uint32_t>(std::strtoul(item.text.c_str() + at, &end, 10)));
      at = static_cast<size_t>(end - item.text.c_str());
    }
    // Trailing zeros may be left out.
    size_t count = open == item.text.npos ? 1 : std::strtoul(item.text.c_str() + open + 1, nullptr, 10);
    if (count < 1 << 20) values.resize(std::max(count, values.size()));
    if (!bytes) return values;
    std::vector<uint32_t> words(values.size() / 4);
    for (size_t i = 0; i < words.size() * 4; ++i) words[i / 4] |= (values[i] & 255) << (8 * (i % 4));
    return words;
  }
  return {};
}

int ptx_version_of(std::string_view text) {
  size_t at = text.find(".version ");
  return at == text.npos ? 0 : version_number(trimmed(text.substr(at + 9, 16)));
}

}  // namespace lanewise::runtime::cuda
