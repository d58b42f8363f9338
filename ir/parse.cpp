// Text -> IR: the inverse of print.cpp; the grammar is in ir/README.md. Recursive descent, one function
// per rule, each under its production. Checks only what it needs to build a Module (names, numbers, types);
// the verifier checks the rest. Any bytes are legal input. The first error ends it.
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/ir.h"
#include "ir/literal.h"
#include "ir/memory_order.h"
#include "ir/text.h"

namespace lanewise::ir {
namespace {

constexpr size_t kMaxTypeLength = 60;  // parse_type() recurses

const std::unordered_map<std::string_view, OpKind>& mnemonics() {
  static const auto* table = [] {
    auto* made = new std::unordered_map<std::string_view, OpKind>;
    for (size_t i = 0; i < kOpCount; ++i) made->emplace(kOps[i].text, static_cast<OpKind>(i));
    return made;
  }();
  return *table;
}

class Parser {
 public:
  Parser(std::string_view text, uint32_t file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  // module = {data} {message} {external} {ptx} function {function}
  std::optional<Module> run() {
    while (!failed_ && accept_word("data")) data();
    while (!failed_ && accept_word("message")) message();
    while (!failed_ && accept_word("external")) external();
    while (!failed_ && accept_word("ptx")) ptx();
    do {
      function();
    } while (!failed_ && !at_end());
    for (const PendingCall& call : calls_) resolve(call);
    if (failed_) return std::nullopt;
    return std::move(module_);
  }

 private:
  // A call whose callee may be defined further down.
  struct PendingCall {
    size_t function;
    OpId op;
    std::string callee;
    size_t position;
  };
  // A number as written; its type is known only later.
  struct Number {
    size_t position = 0;
    bool present = false, is_float = false, negative = false;
    uint64_t magnitude = 0;
    double value = 0;
  };

  Function& fn() { return module_.functions.back(); }

  // data = "data" number ["@" name] ":" type "{" {hex} "}"
  void data() {
    DataArray array;
    if (number32() != module_.data.size()) return fail("data arrays are numbered 0, 1, ... in order");
    if (accept('@')) array.name = name();
    expect(':');
    size_t position = here();
    array.element = type();
    if (!array.element.is_scalar()) fail("a data array has scalar elements", position);
    expect('{');
    while (!failed_ && !accept('}')) hex(array.bytes);
    module_.data.push_back(std::move(array));
  }

  // message = "message" number ["@" name] ":" name
  void message() {
    Message message;
    if (number32() != module_.messages.size()) return fail("messages are numbered 0, 1, ... in order");
    if (accept('@')) message.exception = name();
    expect(':');
    message.format = name();
    module_.messages.push_back(std::move(message));
  }

  // external = "external" number "@" name "line" number ["file" name] ["source" name] ["bridge" name]
  //            {"option" name} {"read_only" number}
  void external() {
    ExternalFunction external;
    if (number32() != module_.externals.size()) return fail("externals are numbered 0, 1, ... in order");
    expect('@');
    external.symbol = name();
    if (!accept_word("line")) return fail("expected `line`");
    external.first_line = number32();
    if (accept_word("file")) external.file = name();
    if (accept_word("source")) external.source = name();
    if (accept_word("bridge")) external.bridge = name();
    while (!failed_ && accept_word("option")) external.options.push_back(name());
    while (!failed_ && accept_word("read_only")) external.read_only.push_back(number32());
    module_.externals.push_back(std::move(external));
  }

  // ptx = "ptx" number ["pure"] ["version" number] ":" name
  void ptx() {
    PtxText ptx;
    if (number32() != module_.ptx.size()) return fail("PTX texts are numbered 0, 1, ... in order");
    ptx.pure = accept_word("pure");
    if (accept_word("version")) ptx.version = static_cast<int>(std::min(number32(), 1000u));
    if (accept_word("sm")) ptx.sm = static_cast<int>(std::min(number32(), 1000u));
    expect(':');
    ptx.text = name();
    module_.ptx.push_back(std::move(ptx));
  }

  // hex = two hexadecimal digits for each byte
  void hex(std::string& bytes) {
    std::string_view digits = word("hexadecimal digits");
    auto digit = [](char c) {
      return c >= '0' && c <= '9'   ? c - '0'
             : c >= 'a' && c <= 'f' ? c - 'a' + 10
             : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                    : -1;
    };
    if (digits.size() % 2 != 0) return fail("an odd number of hexadecimal digits");
    for (size_t i = 0; i < digits.size(); i += 2) {
      int high = digit(digits[i]), low = digit(digits[i + 1]);
      if (high < 0 || low < 0) return fail("expected hexadecimal digits");
      bytes += static_cast<char>(high * 16 + low);
    }
  }

  // function = ("kernel" | "function") "@" name params ["->" types] {flag} "{" {site} {op} "}"
  // flag     = "no_contract" | "fast_math"
  void function() {
    bool is_kernel = accept_word("kernel");
    if (!is_kernel && !accept_word("function")) return fail("expected `kernel` or `function`");
    expect('@');
    size_t position = here();
    module_.functions.emplace_back();
    values_.clear();
    fn().is_kernel = is_kernel;
    fn().name = name();
    auto index = static_cast<uint32_t>(module_.functions.size() - 1);
    if (!failed_ && !functions_.emplace(fn().name, FunctionId{index}).second)
      fail("a second function `" + fn().name + "`", position);
    fn().body = fn().regions.add({});
    params(fn().body);
    if (accept_arrow()) fn().results = types();
    fn().float_mode = float_mode();
    expect('{');
    while (!failed_ && accept_word("site")) site();
    ops(fn().body, 1);
  }

  // {flag}
  FloatMode float_mode() {
    FloatMode mode;
    for (;;) {
      if (accept_word("no_contract"))
        mode.contract = false;
      else if (accept_word("fast_math"))
        mode.fast_math = true;
      else
        return mode;
    }
  }

  // site = "site" number "@" name location ["at" number] {flag}
  void site() {
    CallSite site;
    if (number32() != fn().call_sites.size()) return fail("call sites are numbered 0, 1, ... in order");
    expect('@');
    site.callee = name();
    if (!accept_word("loc")) return fail("expected `loc`");
    site.range = location();
    if (accept_word("at")) site.parent = site_number();
    site.float_mode = float_mode();
    fn().call_sites.push_back(std::move(site));
  }

  // location = "loc" "(" file ":" begin ":" end ")"
  SourceRange location() {
    SourceRange range;
    expect('(');
    range.file = number32();
    expect(':');
    range.begin = number32();
    expect(':');
    range.end = number32();
    expect(')');
    return range;
  }

  uint32_t site_number() {
    size_t position = here();
    uint32_t number = number32();
    if (!failed_ && number >= fn().call_sites.size()) fail("no such call site before this", position);
    return number;
  }

  // params = "(" [value ":" type {"," value ":" type}] ")"
  void params(RegionId region) {
    expect('(');
    if (failed_ || accept(')')) return;
    do {
      expect('%');
      size_t position = here();
      std::string name(word("a value name"));
      expect(':');
      Type of = type();
      ValueId value = define(std::move(name), of, position);
      fn().regions[region].params.push_back(value);
    } while (!failed_ && accept(','));
    expect(')');
  }

  // region = "{" {op} "}", the brace already read.
  // op     = op_line {label [params] region}
  void ops(RegionId region, unsigned depth) {
    if (depth > kMaxRegionDepth) return fail("regions are nested too deep");
    while (!failed_ && !accept('}')) {
      if (at_end()) return fail("expected `}`");
      OpId op = op_line();
      fn().regions[region].ops.push_back(op);
      std::string_view labels = failed_ ? "" : info(fn().ops[op].kind).regions;
      while (!failed_ && !labels.empty()) {
        RegionId nested = region_head(op, labels);
        ops(nested, depth + 1);
      }
    }
  }

  // The label, params and brace of the next region of `op`; takes the label off `labels`.
  RegionId region_head(OpId op, std::string_view& labels) {
    size_t comma = labels.find(',');
    std::string_view label = labels.substr(0, comma);
    labels = comma == labels.npos ? "" : labels.substr(comma + 1);
    if (!accept_word(label)) fail("expected `" + std::string(label) + "`");
    RegionId nested = fn().regions.add({});
    fn().ops[op].regions.push_back(nested);
    if (peek('(')) params(nested);
    expect('{');
    return nested;
  }

  // op_line = [value {"," value} "="] mnemonic ["@" name] [immediate] [value {"," value}] [":" types]
  //           [location] ["at" number]
  // Up to its first operand an op stands on one line: `barrier` takes nothing from the next.
  OpId op_line() {
    Op op;
    size_t begin = here();
    std::vector<std::pair<std::string, size_t>> results;
    if (peek('%')) {
      do {
        expect('%');
        size_t position = here();
        results.emplace_back(word("a value name"), position);
      } while (!failed_ && accept(','));
      expect('=');
    }
    size_t mnemonic_at = here();
    std::string_view mnemonic = word("an op");
    auto known = mnemonics().find(mnemonic);
    if (!failed_ && known == mnemonics().end())
      fail("unknown op `" + std::string(mnemonic) + "`", mnemonic_at);
    op.kind = failed_ ? OpKind::Unreachable : known->second;
    if (op.kind == OpKind::Call && !failed_) {
      expect('@');
      size_t position = here();
      calls_.push_back(
          {module_.functions.size() - 1, OpId{static_cast<uint32_t>(fn().ops.size())}, name(), position});
    }
    Number immediate;
    if (!failed_ && has_order(op.kind))
      order_on_line(op);
    else if (!failed_)
      immediate = immediate_on_line();
    if (!failed_ && peek_on_line('%')) operands(op);
    if (!results.empty()) {
      expect(':');
      for (auto& [name, position] : results) {
        if (failed_) break;
        if (&name != &results.front().first) expect(',');
        Type of = type();
        op.results.push_back(define(std::move(name), of, position));
      }
    }
    op.range = {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(position_)};
    if (accept_word("loc")) op.range = location();
    if (accept_word("at")) op.call_site = site_number();
    if (!failed_) set_immediate(op, immediate);
    return fn().ops.add(std::move(op));
  }

  void operands(Op& op) {
    do {
      expect('%');
      size_t position = here();
      std::string_view name = word("a value name");
      if (failed_) return;
      auto value = values_.find(std::string(name));
      if (value == values_.end())
        return fail("`%" + std::string(name) + "` is not defined before its use", position);
      op.operands.push_back(value->second);
    } while (!failed_ && accept(','));
  }

  // order = ("relaxed" | "acquire" | ...) "." ("block" | "device" | "system")
  void order_on_line(Op& op) {
    skip_blanks();
    std::string_view rest = text_.substr(position_);
    for (size_t order = 0; order < std::size(kOrderNames); ++order) {
      if (!rest.starts_with(kOrderNames[order])) continue;
      std::string_view word = peek_word(),
                       scope = word.substr(std::min(kOrderNames[order].size(), word.size()));
      for (size_t s = 0; s < std::size(kScopeNames); ++s)
        if (scope.starts_with('.') && scope.substr(1) == kScopeNames[s]) {
          position_ += word.size();
          op.immediate = immediate_of({static_cast<MemoryOrder>(order), static_cast<MemoryScope>(s)});
          return;
        }
      return fail("expected an order and a scope, as in `acquire.device`");
    }
  }

  // immediate = ["-"] digits | ["-"] decimal float | ["-"] "inf" | "nan" | "true" | "false"
  Number immediate_on_line() {
    skip_blanks();
    Number number;
    number.position = position_;
    std::string_view rest = text_.substr(position_);
    number.negative = rest.starts_with('-');
    size_t length = number.negative ? 1 : 0;
    auto digit = [&](size_t i) { return i < rest.size() && rest[i] >= '0' && rest[i] <= '9'; };
    bool is_word = length < rest.size() &&
                   (rest[length] == 'i' || rest[length] == 'n' || rest[length] == 't' || rest[length] == 'f');
    if (!digit(length) && !is_word) {
      if (number.negative) fail("expected a number");
      return number;
    }
    while (length < rest.size() &&
           (is_name_char(rest[length]) ||
            ((rest[length] == '-' || rest[length] == '+') && rest[length - 1] == 'e')))
      ++length;
    std::string_view token = rest.substr(0, length);
    if (!read_number(token, number)) {
      if (is_word && !number.negative) return {};  // some other word: a label, `loc`
      fail("malformed number `" + std::string(token.substr(0, 40)) + "`");
      return {};
    }
    number.present = true;
    position_ += length;
    return number;
  }

  static bool read_number(std::string_view token, Number& number) {
    std::string_view magnitude = token.substr(number.negative ? 1 : 0);
    if (token == "true" || token == "false") {
      number.magnitude = token == "true";
      return true;
    }
    if (token == "nan" || magnitude == "inf") {
      number.is_float = true;
      number.value =
          token == "nan" ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      if (number.negative) number.value = -number.value;
      return true;
    }
    const char* end = token.data() + token.size();
    if (magnitude.find_first_not_of("0123456789") == magnitude.npos) {
      auto [stop, error] = std::from_chars(magnitude.data(), end, number.magnitude);
      return stop == end && error == std::errc{};
    }
    if (magnitude.find_first_not_of("0123456789.e+-") != magnitude.npos) return false;
    number.is_float = true;
    auto [stop, error] = std::from_chars(token.data(), end, number.value);
    return stop == end && error == std::errc{};
  }

  // The number in the form that the op's result type wants.
  void set_immediate(Op& op, const Number& number) {
    if (!number.present) {
      if (op.kind == OpKind::Leave) op.immediate = int64_t{0};
      return;
    }
    Type type = op.kind == OpKind::Const && op.results.size() == 1 ? fn().type(op.results[0]) : kVoid;
    if (number.is_float) {
      if (type.is_int() || type.is_bool()) return fail("a float for an integer type", number.position);
      op.immediate = type.is_float() ? round_float(type, number.value) : number.value;
      return;
    }
    if (type.is_float()) {
      auto magnitude = static_cast<double>(number.magnitude);
      op.immediate = round_float(type, number.negative ? -magnitude : magnitude);
      return;
    }
    constexpr auto kMin = uint64_t{1} << 63;
    bool fits = number.negative ? number.magnitude <= kMin : number.magnitude < kMin || type == kU64;
    int64_t value = static_cast<int64_t>(number.negative ? 0 - number.magnitude : number.magnitude);
    if (type.is_unsigned() && number.negative) fits = fits && number.magnitude == 0;
    if (type.is_int() || type.is_bool()) fits = fits && wrap_int(type, value) == value;
    if (!fits) return fail("the number does not fit the type", number.position);
    op.immediate = value;
  }

  // types = type {"," type}
  std::vector<Type> types() {
    std::vector<Type> out;
    do {
      out.push_back(type());
    } while (!failed_ && accept(','));
    return out;
  }

  // type = "f32" | "ptr<f32, global>" | "var<f32>" | ...: see ir/type.h
  Type type() {
    skip();
    size_t end = position_, open = 0;
    while (end < text_.size() && end - position_ < kMaxTypeLength) {
      char c = text_[end];
      if (c == '<') ++open;
      if (c == '>' && open > 0 && --open == 0) {
        ++end;
        break;
      }
      bool inside = open > 0 && (c == ',' || c == ' ' || c == '<' || c == '>');
      if (!is_name_char(c) && !inside) break;
      ++end;
    }
    Type type = parse_type(text_.substr(position_, end - position_));
    if (type.is_void())
      fail("expected a type");
    else
      position_ = end;
    return type;
  }

  // name = word | string; string = '"' {character | "\" ('"' | "\") | "\x" hex hex} '"'
  std::string name() {
    if (!accept('"')) return std::string(word("a name"));
    std::string out;
    while (position_ < text_.size() && text_[position_] != '"') {
      char c = text_[position_++];
      if (c != '\\') {
        out += c;
      } else if (text_.substr(position_).starts_with('x') && position_ + 3 <= text_.size()) {
        unsigned byte = 0;
        const char* digits = text_.data() + position_ + 1;
        if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) fail("malformed escape");
        if (failed_) return out;
        out += static_cast<char>(byte);
        position_ += 3;
      } else if (position_ < text_.size()) {
        out += text_[position_++];
      }
    }
    expect('"');
    return out;
  }

  uint32_t number32() {
    size_t position = here();
    std::string_view digits = word("a number");
    uint32_t value = 0;
    auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (!failed_ && (stop != digits.data() + digits.size() || error != std::errc{}))
      fail("expected a number", position);
    return value;
  }

  ValueId define(std::string name, Type type, size_t position) {
    ValueId value = fn().values.add({name, type});
    if (!failed_ && !values_.emplace(name, value).second)
      fail("a second definition of `%" + name + "`", position);
    return value;
  }

  void resolve(const PendingCall& call) {
    auto callee = functions_.find(call.callee);
    if (callee == functions_.end()) {
      if (!failed_) fail("no function `" + call.callee + "`", call.position);
      return;
    }
    module_.functions[call.function].ops[call.op].callee = callee->second;
  }

  // --- characters. After a failure the position is the end of the text: nothing more is accepted.
  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  // Skips white space and comments.
  void skip() {
    while (position_ < text_.size()) {
      char c = text_[position_];
      if (c == '#')
        position_ = std::min(text_.find('\n', position_), text_.size());
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        ++position_;
      else
        return;
    }
  }
  size_t here() {
    skip();
    return position_;
  }
  bool at_end() { return here() == text_.size(); }
  bool peek(char c) { return here() < text_.size() && text_[position_] == c; }
  bool peek_on_line(char c) {
    skip_blanks();
    return position_ < text_.size() && text_[position_] == c;
  }
  bool accept(char c) {
    if (!peek(c)) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!failed_ && !accept(c)) fail(std::string("expected `") + c + "`");
  }
  bool accept_arrow() {
    skip();
    if (!text_.substr(position_).starts_with("->")) return false;
    position_ += 2;
    return true;
  }
  std::string_view peek_word() {
    skip();
    size_t end = position_;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    return text_.substr(position_, end - position_);
  }
  bool accept_word(std::string_view wanted) {
    if (peek_word() != wanted) return false;
    position_ += wanted.size();
    return true;
  }
  std::string_view word(std::string_view what) {
    std::string_view found = peek_word();
    if (found.empty() && !failed_) fail("expected " + std::string(what));
    position_ = std::min(position_ + found.size(), text_.size());
    return failed_ ? std::string_view{} : found;
  }

  void fail(std::string message) { fail(std::move(message), position_); }
  void fail(std::string message, size_t position) {
    if (failed_) return;
    failed_ = true;
    // The caret is under the whole word, if there is one.
    size_t end = position;
    while (end < text_.size() && is_name_char(text_[end])) ++end;
    end = std::min(std::max(end, position + 1), std::max(text_.size(), position));
    diagnostics_.report(DiagnosticId::IrSyntax,
                        {file_, static_cast<uint32_t>(position), static_cast<uint32_t>(end)},
                        {std::move(message)});
    position_ = text_.size();
  }

  std::string_view text_;
  uint32_t file_;
  Diagnostics& diagnostics_;
  size_t position_ = 0;
  bool failed_ = false;
  Module module_;
  std::unordered_map<std::string, FunctionId> functions_;
  std::unordered_map<std::string, ValueId> values_;  // of the current function
  std::vector<PendingCall> calls_;
};

}  // namespace

std::optional<Module> parse(const SourceMap& sources, uint32_t file, Diagnostics& diagnostics) {
  return Parser(sources.file(file).text, file, diagnostics).run();
}

}  // namespace lanewise::ir
