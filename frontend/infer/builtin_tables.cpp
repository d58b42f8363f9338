// The tables of builtins as maps, read from builtins.def and the PY column of ir/ops.def.
#include <unordered_map>

#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

// The PY column: only names matter here, operators are the compiler's syntax.
#define PY_NONE ""
#define PY_OPERATOR(text) ""
#define PY_NAME(text) text
constexpr std::string_view kOpNames[] = {
#define OP(Enum, text, sig, effect, regions, PY, NVVM, HOST, doc) PY,
#include "ir/ops.def"
};
#undef PY_NONE
#undef PY_OPERATOR
#undef PY_NAME

using OpMap = std::unordered_map<std::string_view, ir::OpKind>;

OpMap make_op_map() {
  OpMap map;
  for (size_t i = 0; i < std::size(kOpNames); ++i)
    for (std::string_view rest = kOpNames[i]; !rest.empty();) {
      size_t space = rest.find(' ');
      map.emplace(rest.substr(0, space), static_cast<ir::OpKind>(i));
      rest = space == rest.npos ? std::string_view{} : rest.substr(space + 1);
    }
  return map;
}

#define ANY SIZE_MAX
#define TAKES(least, most) \
  { true, least, most }
#define COUNTS \
  { false, 0, SIZE_MAX }
#define PLAIN false, false
#define EACH true, false
#define COMPLEX false, true
#define EACH_COMPLEX true, true
const std::unordered_map<std::string_view, Builtin> kBuiltins = {
#define BUILTIN(name, handler, arguments, of) {name, {Handler::handler, arguments, of}},
#define OPERATOR(name, op, unary)
#include "frontend/infer/builtins.def"
};
#undef ANY
#undef TAKES
#undef COUNTS
#undef PLAIN
#undef EACH
#undef COMPLEX
#undef EACH_COMPLEX

const std::unordered_map<std::string_view, NamedOperator> kOperators = {
#define BUILTIN(name, handler, arguments, of)
#define OPERATOR(name, op, unary) {name, {Operator::op, unary}},
#define INPLACE(name, op) {name, {Operator::op, false}},
#include "frontend/infer/builtins.def"
};

constexpr const char* kPythonNames[] = {
    "abs",       "all",    "any",    "bytes",  "callable",   "chr",        "dict",    "divmod",
    "enumerate", "eval",   "exec",   "filter", "format",     "frozenset",  "getattr", "globals",
    "hasattr",   "hash",   "id",     "input",  "isinstance", "issubclass", "iter",    "len",
    "list",      "locals", "map",    "max",    "min",        "next",       "object",  "open",
    "ord",       "pow",    "print",  "range",  "repr",       "reversed",   "round",   "set",
    "setattr",   "slice",  "sorted", "str",    "sum",        "super",      "tuple",   "type",
    "vars",      "zip"};

}  // namespace

const Builtin* builtin_of_name(std::string_view name) {
  auto found = kBuiltins.find(name);
  return found == kBuiltins.end() ? nullptr : &found->second;
}

std::optional<ir::OpKind> op_of_name(std::string_view name) {
  static const OpMap map = make_op_map();
  auto found = map.find(name);
  return found == map.end() ? std::nullopt : std::optional(found->second);
}

std::optional<NamedOperator> operator_of_name(std::string_view name) {
  for (std::string_view prefix : {"numpy.", "operator."}) {
    if (!name.starts_with(prefix)) continue;
    auto found = kOperators.find(name.substr(prefix.size()));
    if (found != kOperators.end()) return found->second;
  }
  return std::nullopt;
}

bool is_object(const HostValue& value) {
  return !is_number(value) && !is_complex(value) && !std::holds_alternative<HostValue::Tuple>(value.value);
}

std::optional<HostValue> python_builtin(const std::string& name) {
  if (name == "int") return HostValue{HostValue::DType{ir::kI64, true}};
  if (name == "float") return HostValue{HostValue::DType{ir::kF64, true}};
  if (name == "bool") return HostValue{HostValue::DType{ir::kBool, true}};
  if (name == "complex") return HostValue{HostValue::DType{ElementType::complex(ir::kF64), true}};
  for (const char* known : kPythonNames)
    if (name == known) return HostValue{HostValue::Builtin{name}};
  return std::nullopt;
}

std::vector<std::string> python_builtin_names() {
  std::vector<std::string> names;
  for (const char* name : kPythonNames)
    if (builtin_of_name(name) || op_of_name(name)) names.push_back(name);
  names.insert(names.end(), {"int", "float", "bool", "complex"});
  return names;
}

}  // namespace lanewise::frontend
