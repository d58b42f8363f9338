// What threads say: `print`, `assert`, `raise`. A text is built at compile time, with fields for the values
// of run time: ir::Message. Constants are written into it here.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "frontend/infer/builtins.h"
#include "frontend/infer/function_inference.h"
#include "ir/format.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;

// A text in the making: pieces of text (escaped as in a Message), and values with their spec. The values stay
// as they were evaluated until all of them are.
struct FunctionInference::Text {
  struct Piece {
    std::string text, spec;
    std::optional<Value> value;
  };
  std::vector<Piece> pieces;

  void add(std::string_view text) {
    if (pieces.empty() || pieces.back().value) pieces.emplace_back();
    pieces.back().text += ir::escape_format(text);
  }
  std::vector<Value*> values() {
    std::vector<Value*> all;
    for (Piece& piece : pieces)
      if (piece.value) all.push_back(&*piece.value);
    return all;
  }
};

namespace {

// The exceptions that Python has without an import.
constexpr std::string_view kExceptions[] = {"ArithmeticError",
                                            "AssertionError",
                                            "AttributeError",
                                            "BaseException",
                                            "BufferError",
                                            "EOFError",
                                            "Exception",
                                            "FloatingPointError",
                                            "IOError",
                                            "ImportError",
                                            "IndexError",
                                            "KeyError",
                                            "KeyboardInterrupt",
                                            "LookupError",
                                            "MemoryError",
                                            "NameError",
                                            "NotImplementedError",
                                            "OSError",
                                            "OverflowError",
                                            "RecursionError",
                                            "ReferenceError",
                                            "RuntimeError",
                                            "RuntimeWarning",
                                            "StopIteration",
                                            "SystemError",
                                            "SystemExit",
                                            "TimeoutError",
                                            "TypeError",
                                            "UnboundLocalError",
                                            "UserWarning",
                                            "ValueError",
                                            "Warning",
                                            "ZeroDivisionError"};

bool is_builtin_exception(std::string_view name) {
  return std::ranges::find(kExceptions, name) != std::end(kExceptions);
}

// "!r:>8" -> 'r' and ">8".
std::pair<char, std::string> split_conversion(const std::string& written) {
  if (written.starts_with('!')) return {written[1], written.size() > 2 ? written.substr(3) : ""};
  return {0, written.starts_with(':') ? written.substr(1) : written};
}

// The spec that pads a number as the spec of a string would pad its text; nullopt if it does more than that.
std::optional<std::string> spec_of_text(const std::string& text) {
  std::optional<ir::FormatSpec> spec = ir::parse_format_spec(text);
  bool pads = spec && spec->align != '=' && spec->sign == '-' && !spec->alternate && !spec->zero &&
              !spec->grouping && spec->precision < 0 && (spec->type == 0 || spec->type == 's');
  if (!pads) return std::nullopt;
  if (spec->width == 0) return "";
  return spec->fill + (spec->align ? spec->align : '<') + std::to_string(spec->width);
}

}  // namespace

void FunctionInference::keep_order(Text& text, size_t position) {
  std::vector<Value*> values = text.values();
  keep_order(values, position);
}

// print(*values, sep=" ", end="\n")
Value FunctionInference::infer_print(const Expr& e) {
  std::string separator = " ", end = "\n";
  size_t first_keyword = e.children.size() - e.keywords.size();
  for (size_t i = 0; i < e.keywords.size(); ++i) {
    const std::string& name = e.keywords[i];
    ExprId id = e.children[first_keyword + i];
    bool good = print_option(name, id, name == "sep" ? separator : end);
    if (!good) return error(e.range);
  }
  Text text;
  bool good = true, first = true;
  for (size_t i = 1; i < first_keyword && good; ++i) {
    const Expr& a = ast_[e.children[i]];
    if (a.kind == ExprKind::DoubleStarred) return not_supported(a.range, "`**` in a call");
    if (a.kind != ExprKind::Starred) {
      if (!std::exchange(first, false)) text.add(separator);
      good = add_argument(e.children[i], text, false);
      continue;
    }
    size_t position = out_->size();
    Value values = infer(a.children[0]);
    keep_order(text, position);
    if (!values.is_tuple()) {
      if (!values.is_error()) report(DiagnosticId::UnpackType, values.range, {describe(values)});
      return error(e.range);
    }
    for (Value& item : items(values)) {
      if (!std::exchange(first, false)) text.add(separator);
      good = good && add_value(std::move(item), text, false, "");
    }
  }
  if (!good) return error(e.range);
  text.add(end);
  TStmt stmt{.kind = TStmtKind::Print, .range = e.range};
  stmt.message = finish(text, "", stmt.indices);
  if (!stmt.message->format.empty()) emit(std::move(stmt));
  return none(e.range);
}

// The constant of `sep`, `end` or `flush`; nothing else is known.
bool FunctionInference::print_option(const std::string& name, ExprId id, std::string& text) {
  SourceRange range = ast_[id].range;
  if (name != "sep" && name != "end" && name != "flush") {
    Report& r = report(DiagnosticId::UnknownKeyword, range, {"print", name});
    r.with_hint("there are `sep`, `end` and `flush`");
    return false;
  }
  Value value = infer(id);
  if (value.is_error() || name == "flush") return !value.is_error();
  if (value.object<HostValue::None>()) return true;
  auto* constant = value.object<std::string>();
  if (constant) text = *constant;
  if (!constant)
    report(DiagnosticId::ArgumentType, range,
           {"print", "`" + name + "`", "a string constant", describe(value)});
  return constant != nullptr;
}

// An argument as it is written: an f-string, or any expression.
bool FunctionInference::add_argument(ExprId id, Text& text, bool quoted) {
  const Expr& e = ast_[id];
  if (e.kind == ExprKind::FString && !quoted) return add_fstring(e, text);
  size_t position = out_->size();
  Value value = infer(id);
  keep_order(text, position);
  return add_value(std::move(value), text, quoted, "");
}

bool FunctionInference::add_fstring(const Expr& e, Text& text) {
  if (!e.text.empty()) {
    not_supported(e.range, "template strings", "write an f-string: `f\"...\"`");
    return false;
  }
  for (size_t i = 0; i < e.children.size(); ++i) {
    const Expr& child = ast_[e.children[i]];
    if (e.keywords[i] == "text") {
      text.add(child.text);
      continue;
    }
    auto [conversion, spec] = split_conversion(e.keywords[i]);
    if (spec.find('{') != spec.npos) {
      not_yet(child.range, "a format that holds values", "write the width and the precision as numbers");
      return false;
    }
    if (conversion == 0 && spec.empty()) {
      if (!add_argument(e.children[i], text, false)) return false;
      continue;
    }
    size_t position = out_->size();
    Value value = infer(e.children[i]);
    keep_order(text, position);
    if (conversion != 0 && !spec.empty() && value.is_scalar()) {
      std::optional<std::string> padding = spec_of_text(spec);
      if (!padding) {
        not_yet(child.range, "the format `" + spec + "` after `!" + conversion + "`",
                "leave the conversion out: `{x:" + spec + "}`");
        return false;
      }
      spec = *padding;
    }
    if (!add_value(std::move(value), text, conversion == 'r' || conversion == 'a', spec)) return false;
  }
  return true;
}

// str(value), or repr(value) if `quoted`, or format(value, spec).
bool FunctionInference::add_value(Value value, Text& text, bool quoted, const std::string& spec) {
  if (value.is_error()) return false;
  if (value.is_object()) return add_object(value, text, quoted, spec);
  if (value.is_array()) {
    Report& r = report(DiagnosticId::NotYet, value.range, {"printing a whole array"});
    r.with_hint("print its elements: `print(a[0], a[1])`, or loop over them");
    explain(r, value);
    return false;
  }
  if (value.is_tuple()) {
    if (!spec.empty()) {
      report(DiagnosticId::OperandTypes, value.range, {"format", describe(value), "`" + spec + "`"});
      return false;
    }
    const TupleNames names = value.type.names;
    text.add(value.is_list ? "[" : names ? names.name() + "(" : "(");
    std::vector<Value> all = items(value);
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) text.add(", ");
      if (names) text.add(names.fields()[i] + "=");
      if (!add_value(std::move(all[i]), text, true, "")) return false;
    }
    text.add(value.is_list ? "]" : all.size() == 1 && !names ? ",)" : ")");
    return true;
  }
  if (value.is_complex()) return add_complex(value, text, spec);
  if (value.is_vector()) {
    text.add(to_string(value.type.element_type()) + "(");
    std::vector<Value> all = items(value);
    for (size_t i = 0; i < all.size(); ++i) {
      if (i > 0) text.add(", ");
      if (!add_value(std::move(all[i]), text, true, spec)) return false;
    }
    text.add(")");
    return true;
  }
  if (!value.is_scalar()) {
    not_yet(value.range, "printing " + describe(value), "print its parts");
    return false;
  }
  ir::Type type = value.type.scalar;
  std::string why = "is none that Python knows";
  if (spec.ends_with('r') || !ir::can_format(type, spec, &why)) {
    not_supported(value.range, "the format `" + spec + "` for " + describe(value) + ": it " + why);
    return false;
  }
  add_number(std::move(value), text, spec);
  return true;
}

// A number with a spec that fits it; a constant becomes text at once.
void FunctionInference::add_number(Value value, Text& text, const std::string& spec) {
  const TExpr& e = exprs_[value.expr.index];
  if (e.kind != TExprKind::Const) {
    text.pieces.push_back({"", spec, std::move(value)});
    return;
  }
  auto* number = std::get_if<double>(&e.immediate);
  uint64_t bits =
      number ? std::bit_cast<uint64_t>(*number) : static_cast<uint64_t>(std::get<int64_t>(e.immediate));
  text.add(ir::format_value(value.type.scalar, bits, *ir::parse_format_spec(spec)));
}

// (1+2j); with a spec both parts without parentheses, as format() has it. Python leaves a real part away that
// is 0; here only where it is known to be.
bool FunctionInference::add_complex(Value& value, Text& text, const std::string& spec) {
  std::optional<ir::FormatSpec> parsed = ir::parse_format_spec(spec);
  bool simple = parsed && !parsed->align && !parsed->alternate && !parsed->zero && parsed->width == 0 &&
                (spec.empty() || std::string_view("eEfFgG").find(parsed->type) != std::string_view::npos);
  if (!simple || (!spec.empty() && parsed->type == 0)) {
    not_supported(value.range, "the format `" + spec + "` for " + describe(value),
                  "format the parts: `{z.real:" + spec + "}`");
    return false;
  }
  std::vector<Value> parts = items(value);
  auto* constant = value.object<HostValue::Complex>();
  bool bare = spec.empty() && constant && constant->real == 0 && !std::signbit(constant->real);
  std::string real = spec.empty() ? "r" : spec;
  bool with_sign = real[0] == '+' || real[0] == '-' || real[0] == ' ';
  std::string imag = bare ? "r" : "+" + real.substr(with_sign ? 1 : 0);
  if (spec.empty() && !bare) text.add("(");
  if (!bare) add_number(std::move(parts[0]), text, real);
  add_number(std::move(parts[1]), text, imag);
  text.add(spec.empty() && !bare ? "j)" : "j");
  return true;
}

// Strings, None, and what is three numbers to threads.
bool FunctionInference::add_object(const Value& value, Text& text, bool quoted, const std::string& spec) {
  auto* string = value.object<std::string>();
  auto* builtin = value.object<HostValue::Builtin>();
  if (string || value.object<HostValue::None>()) {
    std::string shown = !string ? "None" : quoted ? ir::text_literal(*string) : *string;
    std::optional<ir::FormatSpec> parsed = ir::parse_format_spec(spec);
    bool fits = parsed && parsed->align != '=' && parsed->sign == '-' && !parsed->alternate &&
                !parsed->zero && !parsed->grouping && (parsed->type == 0 || parsed->type == 's');
    if (!fits || (!string && !quoted && !spec.empty())) {
      not_supported(value.range, "the format `" + spec + "` for " + (string ? "a string" : "None"));
      return false;
    }
    text.add(ir::format_text(shown, *parsed));
    return true;
  }
  if (builtin && special_register(builtin->name + ".x", value.range)) {
    text.add("(");
    for (const char* axis : {".x", ".y", ".z"}) {
      if (axis[1] != 'x') text.add(", ");
      add_value(*special_register(builtin->name + axis, value.range), text, true, spec);
    }
    text.add(")");
    return true;
  }
  Report& r = report(DiagnosticId::NotYet, value.range,
                     {value.known.constant ? "printing " + describe(value) : "a string chosen at run time"});
  r.with_hint(value.known.constant ? "numbers, tuples of them and string constants can be printed"
                                   : "print in both arms of an `if`");
  return false;
}

std::shared_ptr<const ir::Message> FunctionInference::finish(Text& text, std::string exception,
                                                             std::vector<TExprId>& values) {
  ir::Message message;
  message.exception = std::move(exception);
  for (Text::Piece& piece : text.pieces) {
    message.format += piece.text;
    if (!piece.value) continue;
    ((message.format += '{') += piece.spec) += '}';
    values.push_back(node(*piece.value));
  }
  return std::make_shared<const ir::Message>(std::move(message));
}

void FunctionInference::fail(std::string exception, Text text, SourceRange range) {
  TStmt stmt{.kind = TStmtKind::Fail, .range = range};
  stmt.message = finish(text, std::move(exception), stmt.indices);
  emit(std::move(stmt));
  state_.reachable = false;
}

// That the thread failed, which goes on. `text` has a {} for each value.
void FunctionInference::report_failure(std::string exception, std::string_view text,
                                       std::vector<Value> values, SourceRange range) {
  Text message;
  for (Value& value : values) {
    size_t field = text.find("{}");
    message.add(text.substr(0, field));
    text.remove_prefix(field + 2);
    add_number(std::move(value), message, "");
  }
  message.add(text);
  TStmt stmt{.kind = TStmtKind::Report, .range = range};
  stmt.message = finish(message, std::move(exception), stmt.indices);
  emit(std::move(stmt));
}

// assert condition, message
void FunctionInference::infer_assert(const Stmt& s) {
  Value condition = infer_condition(s.value);
  auto failed = [&] {
    Text text;
    bool good = !s.extra.valid() || add_argument(s.extra, text, false);
    fail("AssertionError", good ? std::move(text) : Text{}, s.range);
  };
  if (!condition.is_error() && condition.known.constant) {
    if (!*truth(*condition.known.constant)) failed();
    return;
  }
  infer_branches(
      condition, s.range, [] {}, failed);
}

// raise; raise Exception; raise Exception(values...) [from cause]
void FunctionInference::infer_raise(const Stmt& s) {
  if (!s.value.valid()) {
    Text text;
    text.add("No active exception to reraise");
    return fail("RuntimeError", std::move(text), s.range);
  }
  const Expr& e = ast_[s.value];
  bool call = e.kind == ExprKind::Call;
  std::optional<std::string> name = exception_name(call ? e.children[0] : s.value);
  Text text;
  bool good = name.has_value();
  if (good && call && !e.keywords.empty()) {
    report(DiagnosticId::UnknownKeyword, ast_[e.children.back()].range, {*name, e.keywords.back()});
    good = false;
  }
  // str() of an exception: of its only argument, or of the tuple of all.
  size_t count = call ? e.children.size() - 1 : 0;
  if (good && count > 1) text.add("(");
  for (size_t i = 1; i <= count && good; ++i) {
    if (i > 1) text.add(", ");
    good = add_argument(e.children[i], text, count > 1);
  }
  if (good && count > 1) text.add(")");
  fail(good ? std::move(*name) : "RuntimeError", good ? std::move(text) : Text{}, s.range);
}

// "ValueError", "errors.Overflow": the name as it is written, if it is one of an exception as far as is
// known.
std::optional<std::string> FunctionInference::exception_name(ExprId id) {
  const Expr& e = ast_[id];
  auto refuse = [&](const std::string& what) {
    not_supported(e.range, "raising " + what, "name an exception: `raise ValueError(\"...\")`");
    return std::nullopt;
  };
  if (e.kind == ExprKind::Attribute) {
    ExprId base = id;
    while (ast_[base].kind == ExprKind::Attribute) base = ast_[base].children[0];
    if (ast_[base].kind != ExprKind::Name) return refuse("anything but an exception by its name");
    return text(e.range);
  }
  if (e.kind != ExprKind::Name) return refuse("anything but an exception by its name");
  if (const BoundName* bound = state_.names.find(e.text); bound && !bound->type.is_error())
    return refuse("`" + e.text + "`, a variable");
  if (is_builtin_exception(e.text)) return e.text;
  std::optional<HostValue> known = fn_.environment ? fn_.environment->lookup(e.text) : std::nullopt;
  if (!known) {
    Report& r = report(DiagnosticId::UnknownName, e.range, {e.text});
    std::vector<std::string> names(std::begin(kExceptions), std::end(kExceptions));
    std::string near = ir::nearest_name(e.text, names);
    if (!near.empty()) r.with_hint("did you mean `" + near + "`?");
    return std::nullopt;
  }
  bool object = std::holds_alternative<HostValue::Namespace>(known->value) ||
                std::holds_alternative<HostValue::Unsupported>(known->value);
  if (!object) return refuse(describe_object(*known));
  return e.text;
}

}  // namespace lanewise::frontend::inference
