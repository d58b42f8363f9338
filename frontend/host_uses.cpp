// A reading by tokens. What is not known to leave a value as it is counts as a change.
#include "frontend/host_uses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frontend/lexer.h"

namespace lanewise::frontend {
namespace {

using Kind = HostUse::Kind;
using Step = HostUse::Step;
using Words = std::set<std::string_view>;

const Words kShapeAttributes = {"shape", "size", "ndim", "dtype", "nbytes", "itemsize"};
const Words kPureMethods = {"sum",    "mean", "min",    "max",     "std",     "var",   "any",   "all",
                            "prod",   "item", "argmax", "argmin",  "copy",    "dot",   "round", "cumsum",
                            "tolist", "ptp",  "trace",  "tobytes", "nonzero", "index", "count", "flatten"};
const Words kPureFunctions = {"print", "abs", "round",  "float",      "int",    "bool", "str",
                              "repr",  "any", "all",    "type",       "hash",   "id",   "len",
                              "range", "pow", "format", "isinstance", "complex"};
const Words kIterators = {"min", "max",       "sum", "list",     "tuple", "sorted",
                          "set", "enumerate", "zip", "reversed", "iter",  "frozenset"};
// Functions of NumPy, by how many positional arguments they only read: one further may be where they write.
const Words kNumpyOne = {"array",  "copy",     "sum",        "mean",      "std",        "var",     "prod",
                         "min",    "max",      "amin",       "amax",      "argmin",     "argmax",  "median",
                         "cumsum", "sqrt",     "exp",        "log",       "sin",        "cos",     "tan",
                         "tanh",   "abs",      "absolute",   "floor",     "ceil",       "sort",    "unique",
                         "isnan",  "isfinite", "zeros_like", "ones_like", "empty_like", "size",    "shape",
                         "ndim",   "negative", "sign",       "square",    "conj",       "bincount"};
const Words kNumpyTwo = {"allclose", "array_equal", "isclose",  "dot",          "matmul",
                         "outer",    "add",         "subtract", "multiply",     "divide",
                         "power",    "maximum",     "minimum",  "convolve",     "inner",
                         "vdot",     "full_like",   "interp",   "searchsorted", "tensordot",
                         "equal",    "not_equal",   "less",     "greater",      "mod"};
const Words kOperators = {"+",  "-", "*", "/",  "//", "%",  "**", "@",  "&",  "|",   "^", "<<",
                          ">>", "<", ">", "<=", ">=", "==", "!=", "in", "is", "not", "~"};
const Words kAugmented = {"+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", "<<=", ">>="};
const Words kHeaders = {"if",     "elif",    "else", "for",   "while", "with",  "try",
                        "except", "finally", "def",  "class", "async", "match", "case"};
// Where they are, an index may be a slice though it has no colon.
const Words kSliceWords = {"slice", "Ellipsis", "newaxis", "s_", "index_exp", "..."};

constexpr unsigned kMaxFields = 8;  // f-strings inside each other

constexpr size_t kMaxTargets = 32;

// What a call does with its arguments.
enum class Callee : uint8_t { Unknown, Pure, Length, Iterator };

class UseFinder {
 public:
  UseFinder(const ir::SourceMap& sources, const Ast& ast, const IsKernel& is_kernel)
      : sources_(sources), ast_(ast), is_kernel_(is_kernel) {
    ir::Diagnostics ignored;
    for (const Token& token : lex(sources, ast.file, ignored)) take(token);
    for (std::string_view text : texts_) slices_ = slices_ || kSliceWords.contains(text);
    match_brackets();
    for (StmtId id : ast.body) note_statement(ast[id]);
  }

  std::vector<HostUse> run() {
    std::ranges::sort(kernels_, {}, &SourceRange::begin);
    size_t kernel = 0;
    for (size_t at = 0; at < tokens_.size();) {
      while (kernel < kernels_.size() && kernels_[kernel].end <= begin_of(at)) ++kernel;
      bool inside = kernel < kernels_.size() && kernels_[kernel].begin <= begin_of(at);
      while (!scopes_.empty() && at >= scopes_.back().end) scopes_.pop_back();
      at = inside || is_blank(at) ? at + 1 : statement(at);
    }
    return std::move(uses_);
  }

 private:
  // A function or class: its names are its own.
  struct Scope {
    size_t begin, end;
    bool function;
    std::set<std::string> own, global;
  };
  struct Frame {
    enum class Kind : uint8_t { Group, Call, Index } kind = Kind::Group;
    size_t open = 0;  // the bracket's place, plus 1
    Callee callee = Callee::Unknown;
    size_t reads = SIZE_MAX;  // positional arguments that a pure callee only reads
    size_t argument = 0;
    std::string_view keyword;
    bool loop = false;  // between `for` and `in`
    std::vector<std::string> targets;
  };
  struct Statement {
    size_t begin, colon, end, last_equal;  // `last_equal`: begin if it assigns nothing
    size_t equals = 0;
    size_t escape = SIZE_MAX;  // of the first `lambda` or `yield`
    bool augmented = false;
    std::vector<std::string> targets;
  };

  // An f-string is a call of str() with its fields.
  void take(const Token& token, unsigned depth = 0) {
    auto push = [&](TokenKind kind, std::string_view text) {
      tokens_.push_back({kind, token.range});
      texts_.push_back(text);
    };
    push(token.kind, sources_.text(token.range));
    if (token.kind != TokenKind::FString || depth > kMaxFields) return;
    std::vector<FStringPiece> pieces;
    std::string_view all = sources_.file(token.range.file).text;
    uint32_t quote = token.range.begin;
    while (quote < all.size() && all[quote] != '"' && all[quote] != '\'') ++quote;
    scan_fstring(all, quote, false, &pieces);
    ir::Diagnostics ignored;
    for (const FStringPiece& piece : pieces) {
      if (!piece.field) continue;
      push(TokenKind::Name, "str");
      push(TokenKind::Operator, "(");
      Lexer fields(sources_, token.range.file, piece.begin, piece.end, LexMode::Field, ignored);
      for (const Token& inner : fields.run())
        if (inner.kind != TokenKind::End && inner.kind != TokenKind::Newline) take(inner, depth + 1);
      push(TokenKind::Operator, ")");
    }
  }

  uint32_t begin_of(size_t at) const { return tokens_[at].range.begin; }
  bool is_name(size_t at) const { return at < tokens_.size() && tokens_[at].kind == TokenKind::Name; }
  std::string_view text(size_t at) const {
    if (at >= texts_.size()) return "";
    TokenKind kind = tokens_[at].kind;
    bool code = kind == TokenKind::Name || kind == TokenKind::Keyword || kind == TokenKind::Operator;
    return code ? texts_[at] : std::string_view();
  }
  bool is_blank(size_t at) const {
    TokenKind kind = tokens_[at].kind;
    return kind == TokenKind::Newline || kind == TokenKind::Indent || kind == TokenKind::Dedent ||
           kind == TokenKind::End || text(at) == ";" || text(at) == ":";
  }

  void match_brackets() {
    match_.assign(tokens_.size(), tokens_.size());
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      std::string_view s = text(i);
      if (s == "(" || s == "[" || s == "{") open.push_back(i);
      if ((s == ")" || s == "]" || s == "}") && !open.empty()) {
        match_[open.back()] = i;
        open.pop_back();
      }
    }
  }

  void note_statement(const Stmt& stmt) {
    if (stmt.kind == StmtKind::FunctionDef && is_kernel_(stmt)) kernels_.push_back(stmt.range);
    bool imports = stmt.kind == StmtKind::Import || stmt.kind == StmtKind::ImportFrom;
    for (const ImportName& name : stmt.imports) {
      if (stmt.kind == StmtKind::Import) modules_[name.alias] = name.name;
      if (stmt.kind == StmtKind::ImportFrom && stmt.level == 0)
        modules_[name.alias] = stmt.name + "." + name.name;
      if (stmt.kind == StmtKind::Import) whole_modules_.insert(name.alias);
    }
    if (!imports)
      for (StmtId id : stmt.body) note_statement(ast_[id]);
    for (ExprId target : stmt.targets)
      if (stmt.kind != StmtKind::ClassDef && ast_[target].kind == ExprKind::Name)
        bound_.insert(ast_[target].text);
  }

  size_t line_end(size_t at) const {
    while (at < tokens_.size() && tokens_[at].kind != TokenKind::Newline) ++at;
    return at;
  }
  size_t block_end(size_t at) const {
    size_t end = line_end(at) + 1;
    if (end >= tokens_.size() || tokens_[end].kind != TokenKind::Indent) return end;
    for (size_t depth = 0; end < tokens_.size(); ++end) {
      if (tokens_[end].kind == TokenKind::Indent) ++depth;
      if (tokens_[end].kind == TokenKind::Dedent && --depth == 0) return end;
    }
    return end;
  }

  std::string key(size_t at) const {
    std::string name(texts_[at]);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (!scope->function && scope != scopes_.rbegin()) continue;  // methods do not see a class's names
      if (scope->global.contains(name)) return name;
      if (scope->own.contains(name)) return name + "@" + std::to_string(scope->begin);
    }
    return name;
  }

  // The simple statement, or the header of a compound one, that begins here.
  Statement find_statement(size_t begin) const {
    bool header = kHeaders.contains(text(begin));
    Statement out{begin, 0, begin, begin, 0, SIZE_MAX, false, {}};
    size_t lambdas = 0;
    for (size_t i = begin; i < tokens_.size(); ++i) {
      TokenKind kind = tokens_[i].kind;
      if (kind == TokenKind::Newline || kind == TokenKind::End || text(i) == ";") return out;
      out.end = i + 1;
      std::string_view s = text(i);
      if (s == "lambda") ++lambdas;
      if (s == ":" && lambdas > 0) {
        --lambdas;
      } else if (s == ":" && header) {
        return out;
      } else if (s == ":" && out.colon == 0) {
        out.colon = i;
      } else if (!header && (s == "=" || kAugmented.contains(s))) {
        out.last_equal = i;
        ++out.equals;
        out.augmented = s != "=";
      }
      if (match_[i] < tokens_.size()) i = match_[i] - 1;
      out.end = i + 1;
      if (out.end < tokens_.size() && i >= begin && is_close(i + 1)) out.end = ++i + 1;
    }
    return out;
  }
  bool is_close(size_t at) const {
    std::string_view s = text(at);
    return s == ")" || s == "]" || s == "}";
  }

  // The names that a statement binds, whose places are added to `out`.
  void bound_names(const Statement& s, std::vector<size_t>& out) const {
    std::string_view first = text(s.begin);
    size_t at = s.begin + (first == "async" ? 1 : 0);
    if (text(at) == "def" || text(at) == "class") return out.push_back(at + 1);
    if (first == "import" || first == "from") {
      for (size_t i = at + 1; i < s.end; ++i)
        if (is_name(i) && text(i - 1) != "." && text(i + 1) != "as") out.push_back(i);
      return;
    }
    for (size_t i = s.begin; i < s.end; ++i) {
      bool plain =
          is_name(i) && text(i - 1) != "." && text(i + 1) != "." && text(i + 1) != "[" && text(i + 1) != "(";
      bool target = i < s.last_equal || text(i + 1) == ":=" || text(i - 1) == "as" || text(at) == "for";
      if (text(at) == "for" && text(i) == "in") at = i;  // the rest is the iterable
      if (plain && target && (s.colon == 0 || i < s.colon)) out.push_back(i);
      if (i < s.last_equal && (text(i) == "[" || text(i) == "(") && (is_name(i - 1) || is_close(i - 1)) &&
          match_[i] < s.end)
        i = match_[i];
    }
  }

  void open_scope(const Statement& s) {
    size_t def = s.begin + (text(s.begin) == "async" ? 1 : 0);
    if (text(def) != "def" && text(def) != "class") return;
    bool function = text(def) == "def";
    Scope scope{s.begin, block_end(s.begin), function, {}, {}};
    if (function)
      for (size_t i = def + 2; i < s.end; ++i)
        if (is_name(i) &&
            (text(i - 1) == "(" || text(i - 1) == "," || text(i - 1) == "*" || text(i - 1) == "**"))
          scope.own.insert(std::string(texts_[i]));
    for (size_t i = s.end; i < scope.end;) {
      if (is_blank(i)) {
        ++i;
        continue;
      }
      Statement inner = find_statement(i);
      if (text(i) == "global" || text(i) == "nonlocal")
        for (size_t n = i + 1; n < inner.end; ++n)
          if (is_name(n)) scope.global.insert(std::string(texts_[n]));
      std::vector<size_t> names;
      bound_names(inner, names);
      for (size_t n : names)
        if (is_name(n)) scope.own.insert(std::string(texts_[n]));
      bool nested = text(i) == "def" || text(i) == "class" || text(i) == "async";
      i = nested ? block_end(i) : std::max(inner.end, i + 1);
    }
    // What is assigned under a `global` belongs to the module.
    for (size_t i = s.end; i < scope.end && !scope.global.empty(); ++i)
      if (is_name(i) && scope.global.contains(std::string(texts_[i])) && text(i - 1) != "." &&
          (text(i + 1) == "=" || kAugmented.contains(text(i + 1))))
        uses_.push_back({Kind::Rebound, std::string(texts_[i]), {}, tokens_[i].range, {}});
    scopes_.push_back(std::move(scope));
  }

  size_t statement(size_t begin) {
    Statement s = find_statement(begin);
    std::string_view first = text(begin);
    size_t keyword = begin + (first == "async" ? 1 : 0);
    std::vector<size_t> names;
    bound_names(s, names);
    for (size_t i = begin; i < s.end && s.escape == SIZE_MAX; ++i)
      if (text(i) == "lambda" || text(i) == "yield") s.escape = i;
    for (size_t n : names)
      if (is_name(n)) s.targets.push_back(key(n));
    if (s.targets.size() > kMaxTargets) {  // one name stands for all, so that time stays linear
      std::string all = "=" + std::to_string(begin);
      uses_.push_back({Kind::Bound, all, {}, tokens_[begin].range, std::exchange(s.targets, {})});
      s.targets.push_back(std::move(all));
    }
    if (s.equals > 1 && s.targets.size() > 1)  // `A = B = value`: two names for one thing
      uses_.push_back({Kind::Bound, s.targets[0], {}, tokens_[begin].range, s.targets});
    bool defines = text(keyword) == "def" || text(keyword) == "class";
    if (first != "import" && first != "from" && first != "global" && first != "nonlocal") scan(s);
    if (defines) open_scope(s);
    return std::max(s.end, begin + 1);
  }

  Callee callee_of(size_t paren, size_t& reads) const {
    // The dotted name before the parenthesis.
    size_t from = paren;
    while (from > 0 && (is_name(from - 1) || text(from - 1) == ".")) --from;
    if (from == paren) return Callee::Unknown;
    std::string dotted;
    for (size_t i = from; i < paren; ++i) dotted += texts_[i];
    std::string root = dotted.substr(0, dotted.find('.'));
    auto module = modules_.find(root);
    if (module == modules_.end()) {
      bool builtin = !bound_.contains(root) && key(from) == root;
      if (builtin && dotted == "len") return Callee::Length;
      if (builtin && kIterators.contains(dotted)) return Callee::Iterator;
      return builtin && kPureFunctions.contains(dotted) ? Callee::Pure : Callee::Unknown;
    }
    if (key(from) != root) return Callee::Unknown;
    std::string full = module->second + dotted.substr(root.size());
    if (full.starts_with("math.") || full.starts_with("numpy.testing.assert_") || full == "copy.deepcopy")
      return Callee::Pure;
    reads = 1;
    if (full == "lanewise.gpu.to_device") return Callee::Pure;
    if (!full.starts_with("numpy.")) return Callee::Unknown;
    std::string name = full.substr(6);
    if (name == "array" && !copies(paren)) return Callee::Unknown;
    reads = kNumpyTwo.contains(name) ? 2 : 1;
    return kNumpyOne.contains(name) || kNumpyTwo.contains(name) ? Callee::Pure : Callee::Unknown;
  }

  void scan(const Statement& s) {
    frames_.assign(1, {});
    for (size_t i = s.begin; i < s.end; ++i) {
      std::string_view t = text(i);
      if (t == "(" || t == "[" || t == "{") {
        bool after =
            i > s.begin && (is_name(i - 1) || is_close(i - 1) || tokens_[i - 1].kind == TokenKind::String);
        Frame frame;
        frame.open = i + 1;
        if (after && t == "(") frame.kind = Frame::Kind::Call;
        if (after && t == "[") frame.kind = Frame::Kind::Index;
        if (frame.kind == Frame::Kind::Call) frame.callee = callee_of(i, frame.reads);
        frames_.push_back(std::move(frame));
      } else if (is_close(i) && frames_.size() > 1) {
        frames_.pop_back();
      } else if (t == "," && frames_.back().kind == Frame::Kind::Call) {
        ++frames_.back().argument;
        frames_.back().keyword = {};
      } else if (t == "for") {
        frames_.back().loop = true;
        frames_.back().targets.clear();
      } else if (t == "in") {
        frames_.back().loop = false;
      } else if (is_name(i) && text(i - 1) != ".") {
        if (frames_.back().kind == Frame::Kind::Call && text(i + 1) == "=") {
          frames_.back().keyword = texts_[i];
        } else {
          mention(s, i);
        }
      }
    }
  }

  void mention(const Statement& s, size_t at) {
    HostUse use{.name = key(at), .range = tokens_[at].range};
    if (frames_.back().loop) {
      frames_.back().targets.push_back(use.name);
      use.kind = Kind::Bound;
      size_t next = at + 1;
      if (text(next) == "[" || text(next) == ".") add(use, Kind::Changed, s);
      return;
    }
    bool target = at < s.last_equal &&
                  std::ranges::all_of(frames_, [](const Frame& f) { return f.kind == Frame::Kind::Group; });
    bool deleted = text(s.begin) == "del" &&
                   std::ranges::all_of(frames_, [](const Frame& f) { return f.kind == Frame::Kind::Group; });
    size_t end = at + 1;
    for (;;) {
      if (text(end) == "." && is_name(end + 1)) {
        std::string attribute(texts_[end + 1]);
        bool call = text(end + 2) == "(";
        use.range.end = tokens_[end + 1].range.end;
        if (call && !(use.path.empty() && whole_modules_.contains(use.name))) {
          if (kPureMethods.contains(attribute) || (attribute == "astype" && copies(end + 2)))
            return add(use, Kind::Operand, s);
          return add(use, attribute == "resize" ? Kind::Reshaped : Kind::Changed, s);
        }
        bool stored = text(end + 2) == "=" || kAugmented.contains(text(end + 2));
        if (kShapeAttributes.contains(attribute)) {
          bool writes = (target || deleted) && (stored || text(end + 2) == "," || text(end + 2) == ")");
          return add(use, writes ? Kind::Reshaped : Kind::Shape, s);
        }
        use.path.push_back({Step::Attribute, std::move(attribute), 0});
        end += 2;
      } else if (text(end) == "[" && match_[end] < tokens_.size()) {
        use.path.push_back({Step::Index, {}, count_indices(end)});
        end = match_[end] + 1;
      } else if (text(end) == "(" && match_[end] < tokens_.size()) {
        use.path.push_back({Step::Call, {}, 0});
        end = match_[end] + 1;
      } else {
        break;
      }
    }
    use.range.end = tokens_[end - 1].range.end;
    if (text(end) == ":=") return;
    if ((target || deleted || text(at - 1) == "as") && !use.path.empty()) {
      if (use.path.back().step == Step::Attribute)
        uses_.push_back({Kind::Rebound, use.name, use.path, use.range, {}});
      use.path.pop_back();
      return add(use, Kind::Changed, s);
    }
    bool operand = kOperators.contains(text(at - 1)) || kOperators.contains(text(end));  // `in` is one, too
    if (!operand && is_group_stepped()) return add(use, Kind::Changed, s);
    if (target) {
      if (s.augmented) add(use, Kind::Changed, s);
      return;
    }
    if (text(s.begin) == "class" && frames_.size() == 2) {  // a derived class shares what its base holds
      use.path.push_back({Step::Call, {}, 0});
      use.targets = {key(s.begin + 1)};
      return add(use, Kind::Bound, s);
    }
    if (text(s.begin) == "class") return;
    bool defines = text(s.begin) == "def" || text(s.begin) == "async";
    if (defines && frames_.back().keyword.empty() && text(at - 1) != "=")
      return;  // a parameter, an annotation
    context(s, use, at, end);
  }

  // Whether the call, of what copies unless it is told not to, is not told so.
  bool copies(size_t paren) const {
    if (match_[paren] >= tokens_.size()) return false;
    for (size_t i = paren + 1; i < match_[paren]; ++i)
      if (text(i) == "copy" || text(i) == "*" || text(i) == "**") return false;
    return true;
  }

  size_t count_indices(size_t open) const {
    if (slices_) return 0;
    size_t count = 1;
    for (size_t i = open + 1; i < match_[open]; ++i) {
      if (text(i) == ":" || text(i) == "None" || text(i) == "...") return 0;
      if (text(i) == "," && i + 1 < match_[open]) ++count;
      if (match_[i] < match_[open]) i = match_[i];
    }
    return count;
  }

  // `(T)[0]`, `[T, U][0]`: something is done with a part of what stands in brackets.
  bool is_group_stepped() const {
    return std::ranges::any_of(frames_, [&](const Frame& f) {
      if (f.kind != Frame::Kind::Group || f.open == 0) return false;
      std::string_view next = match_[f.open - 1] < tokens_.size() ? text(match_[f.open - 1] + 1) : "";
      return next == "[" || next == "." || next == "(";
    });
  }

  // What surrounds the mention [at, end) decides what becomes of it.
  void context(const Statement& s, HostUse& use, size_t at, size_t end) {
    std::string_view before = at > s.begin ? text(at - 1) : "", after = text(end);
    if (end >= s.end) after = "";
    if (before == ":=") return add(use, Kind::Passed, s);
    if (after == "for" || before == "for") after = "";
    for (size_t f = frames_.size(); f-- > 0;) {
      const Frame& frame = frames_[f];
      bool innermost = f + 1 == frames_.size();
      bool loops = innermost && before == "in" && !frame.targets.empty();
      if (loops) {
        use.path.push_back({Step::Index, {}, 1});
        use.targets.insert(use.targets.end(), frame.targets.begin(), frame.targets.end());
        return add(use, Kind::Bound, s);
      }
      if (innermost && (kOperators.contains(before) || (kOperators.contains(after))))
        return add(use, Kind::Operand, s);
      if (frame.kind == Frame::Kind::Index) return add(use, Kind::Read, s);
      if (frame.kind == Frame::Kind::Group) {
        bool looped = f > 0 && text(frame.open - 2) == "in" && !frames_[f - 1].targets.empty();
        if (!looped) continue;
        use.targets = frames_[f - 1].targets;
        return add(use, Kind::Bound, s);
      }
      if (frame.callee == Callee::Length) return add(use, Kind::Shape, s);
      bool read = frame.keyword.empty() ? frame.argument < frame.reads : frame.keyword != "out";
      if (frame.callee == Callee::Pure && read) return add(use, Kind::Read, s);
      if (frame.callee != Callee::Iterator) return add(use, Kind::Passed, s);
      use.path.push_back({Step::Index, {}, 1});
      if (f > 0 && !frames_[f - 1].targets.empty()) {
        use.targets = frames_[f - 1].targets;
        return add(use, Kind::Bound, s);
      }
    }
    std::string_view first = text(s.begin);
    if (s.augmented) return add(use, Kind::Operand, s);
    if (s.last_equal > s.begin) {
      bool plain = plain_targets(s);
      use.targets = s.targets;
      return add(use, plain ? Kind::Bound : Kind::Passed, s);
    }
    if (first == "with") {
      use.targets = s.targets;
      return add(use, Kind::Bound, s);
    }
    bool escapes =
        first == "return" || first == "yield" || first == "raise" || first == "match" || before == "lambda";
    add(use, escapes || s.escape < at ? Kind::Passed : Kind::Read, s);
  }

  // Whether the statement assigns to names only.
  bool plain_targets(const Statement& s) const {
    for (size_t i = s.begin; i < s.last_equal; ++i) {
      if (s.colon != 0 && i >= s.colon) return true;
      bool step = text(i) == "." ||
                  ((text(i) == "[" || text(i) == "(") && i > s.begin && (is_name(i - 1) || is_close(i - 1)));
      if (step) return false;
    }
    return true;
  }

  void add(HostUse& use, Kind kind, const Statement& s) {
    use.kind = kind;
    if (use.targets.empty() && s.last_equal > s.begin) use.targets = s.targets;
    uses_.push_back(std::move(use));
  }

  const ir::SourceMap& sources_;
  const Ast& ast_;
  const IsKernel& is_kernel_;
  std::vector<Token> tokens_;
  std::vector<std::string_view> texts_;
  std::vector<size_t> match_;
  std::vector<SourceRange> kernels_;
  std::map<std::string, std::string> modules_;  // names of imported modules and of their members
  std::set<std::string> bound_, whole_modules_;
  std::vector<Scope> scopes_;
  std::vector<Frame> frames_;
  std::vector<HostUse> uses_;
  bool slices_ = false;
};

}  // namespace

std::vector<HostUse> find_host_uses(const ir::SourceMap& sources, const Ast& ast, const IsKernel& is_kernel) {
  return UseFinder(sources, ast, is_kernel).run();
}

}  // namespace lanewise::frontend
