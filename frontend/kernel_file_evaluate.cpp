// The value of a module constant's expression. What has none is Unsupported, which says in a few words what
// it is instead; the recursion is bounded by the height of the syntax tree.
#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/host_numbers.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

HostValue unsupported(std::string what, SourceRange range) {
  return {HostValue::Unsupported{std::move(what), range}};
}

HostValue host_computed(const Expr& expr) { return unsupported("computed by host code", expr.range); }

// Functions of NumPy that modules may call, and kernels may not.
constexpr std::string_view kArrayMakers[] = {"array", "asarray", "arange", "linspace"};

constexpr const char* kTooWide = "an int of more than 64 bits";

bool is_too_wide(const HostValue& value) {
  const HostValue::Unsupported* reason = as_unsupported(value);
  return reason && reason->what == kTooWide;
}

uint64_t weight(const HostValue& value) {
  uint64_t out = 1;
  if (auto* tuple = std::get_if<HostValue::Tuple>(&value.value))
    for (const HostValue& item : tuple->items) out += weight(item);
  if (auto* text = std::get_if<std::string>(&value.value)) out += text->size() / 16;
  if (auto* array = std::get_if<HostValue::Array>(&value.value)) out += (*array)->bytes.size() / 16;
  return out;
}

// What an expression that is never a constant makes.
const char* foreign_kind(ExprKind kind) {
  switch (kind) {
    case ExprKind::Bytes: return "a bytes object";
    case ExprKind::FString: return "a string made at run time";
    case ExprKind::Lambda: return "a plain Python function, not wrapped in gpu.jit(device=True)";
    case ExprKind::Set: return "a set";
    case ExprKind::Dict: return "a dict";
    default: return "computed by host code";
  }
}

}  // namespace

std::optional<HostValue> attribute_of(const HostValue& base, const std::string& name) {
  if (auto* builtin = std::get_if<HostValue::Builtin>(&base.value)) {
    std::optional<HostValue> known = builtin_module_attribute(builtin->name, name);
    bool makes_arrays = builtin->name == "numpy" && std::ranges::count(kArrayMakers, name) > 0;
    return known || !makes_arrays ? known : std::optional(HostValue{HostValue::Builtin{"numpy." + name}});
  }
  if (auto* names = std::get_if<HostValue::Namespace>(&base.value))
    return names->environment ? names->environment->lookup(name) : std::nullopt;
  if (auto* tuple = std::get_if<HostValue::Tuple>(&base.value))
    if (std::optional<size_t> index = tuple->names.index_of(name)) return tuple->items[*index];
  if (auto* array = std::get_if<HostValue::Array>(&base.value)) return array_attribute(**array, name);
  if (name == "value" && is_number(base)) return base;  // of an enum's member, which is its value
  return std::nullopt;
}

HostValue Evaluator::counted(HostValue value) {
  uint64_t size = weight(value);
  if (size == 1) return value;
  if (work_ + size > kMaxWork) return unsupported("too large to be a constant", {});
  work_ += size;
  return value;
}

HostValue Evaluator::evaluate(ExprId id) {
  if (!id.valid()) return unsupported("nothing", {});
  const Expr& expr = ast_[id];
  switch (expr.kind) {
    case ExprKind::Int:
      if (expr.int_overflow) return unsupported(kTooWide, expr.range);
      return make_int(Wide{expr.int_value});
    case ExprKind::Float: return {expr.float_value};
    case ExprKind::Imaginary: return {HostValue::Complex{0, expr.float_value, ir::kVoid}};
    case ExprKind::String: return counted({expr.text});
    case ExprKind::True: return {true};
    case ExprKind::False: return {false};
    case ExprKind::None: return {HostValue::None{}};
    case ExprKind::Name: return evaluate_name(expr);
    case ExprKind::Attribute: return evaluate_attribute(expr);
    case ExprKind::Tuple:
    case ExprKind::List: return evaluate_items(expr);
    case ExprKind::Unary:
    case ExprKind::Binary: return evaluate_operator(expr);
    case ExprKind::BoolOp: return evaluate_logic(expr);
    case ExprKind::Compare: return evaluate_compare(expr);
    case ExprKind::Ternary: {
      HostValue condition = evaluate(expr.children[0]);
      if (as_unsupported(condition)) return condition;
      std::optional<bool> decided = truth(condition);
      return decided ? evaluate(expr.children[*decided ? 1 : 2]) : host_computed(expr);
    }
    case ExprKind::Subscript: return evaluate_subscript(expr);
    case ExprKind::Comprehension: return evaluate_comprehension(expr);
    case ExprKind::Call: return evaluate_call(expr);
    case ExprKind::Bytes:
    case ExprKind::FString:
    case ExprKind::Ellipsis:
    case ExprKind::Slice:
    case ExprKind::Starred:
    case ExprKind::DoubleStarred:
    case ExprKind::Lambda:
    case ExprKind::NamedExpr:
    case ExprKind::Set:
    case ExprKind::Dict:
    case ExprKind::Await:
    case ExprKind::Yield:
    case ExprKind::Error: return unsupported(foreign_kind(expr.kind), expr.range);
  }
  return host_computed(expr);
}

HostValue Evaluator::evaluate_operator(const Expr& expr) {
  HostValue left = evaluate(expr.children[0]);
  HostValue right =
      expr.kind == ExprKind::Binary && !is_too_wide(left) ? evaluate(expr.children[1]) : HostValue{};
  if (is_too_wide(left) || is_too_wide(right)) return evaluate_wide_again(expr);
  if (as_unsupported(left)) return left;
  if (as_unsupported(right)) return right;
  std::optional<HostValue> value =
      expr.kind == ExprKind::Binary ? evaluate_binary(expr.op, left, right) : evaluate_unary(expr.op, left);
  if (value) return counted(*std::move(value));
  bool integers = integer_value(left) && (expr.kind == ExprKind::Unary || integer_value(right));
  return integers ? evaluate_wide_again(expr) : host_computed(expr);
}

// Integers that left 64 bits on the way may come back: `2**64 - 1`.
HostValue Evaluator::evaluate_wide_again(const Expr& expr) {
  std::optional<Wide> value = evaluate_wide(expr);
  bool grows = expr.op == Operator::Add || expr.op == Operator::Sub || expr.op == Operator::Mul ||
               expr.op == Operator::Pow || expr.op == Operator::Shl;
  if (!value) return grows ? unsupported(kTooWide, expr.range) : host_computed(expr);
  if (fits(*value, ir::kI64) || fits(*value, ir::kU64)) return make_int(*value);
  return unsupported(kTooWide, expr.range);
}

std::optional<Wide> Evaluator::evaluate_wide(const Expr& expr) {
  if (++work_ > kMaxWork) return std::nullopt;
  if (expr.kind == ExprKind::Binary) {
    std::optional<Wide> left = evaluate_wide(ast_[expr.children[0]]),
                        right = evaluate_wide(ast_[expr.children[1]]);
    return left && right ? wide_binary(expr.op, *left, *right) : std::nullopt;
  }
  if (expr.kind == ExprKind::Unary) {
    std::optional<Wide> operand = evaluate_wide(ast_[expr.children[0]]);
    if (!operand) return std::nullopt;
    if (expr.op == Operator::Neg) return wide_binary(Operator::Sub, 0, *operand);
    if (expr.op == Operator::Invert) return wide_binary(Operator::Sub, -1, *operand);
    return expr.op == Operator::Pos ? operand : std::nullopt;
  }
  if (expr.kind == ExprKind::Int)
    return expr.int_overflow ? std::nullopt : std::optional(Wide{expr.int_value});
  if (expr.kind != ExprKind::Name) return std::nullopt;
  HostValue value = evaluate_name(expr);
  bool python =
      std::holds_alternative<bool>(value.value) || std::holds_alternative<HostValue::Int>(value.value);
  return python ? integer_value(value) : std::nullopt;
}

HostValue Evaluator::evaluate_name(const Expr& expr) {
  auto local =
      std::ranges::find(locals_.rbegin(), locals_.rend(), expr.text, [](const auto& l) { return l.first; });
  if (local != locals_.rend()) return counted(local->second);
  std::optional<HostValue> value = lookup_(expr.text);
  if (!value) value = python_builtin(expr.text);
  if (!value) return unsupported("computed from `" + expr.text + "`, which is not defined here", expr.range);
  return counted(*std::move(value));
}

HostValue Evaluator::evaluate_attribute(const Expr& expr) {
  HostValue base = evaluate(expr.children[0]);
  if (as_unsupported(base)) return base;
  std::optional<HostValue> value = attribute_of(base, expr.text);
  return value ? counted(*std::move(value)) : host_computed(expr);
}

HostValue Evaluator::evaluate_items(const Expr& expr) {
  HostValue::Tuple out;
  for (ExprId id : expr.children) {
    bool starred = ast_[id].kind == ExprKind::Starred;
    HostValue item = evaluate(starred ? ast_[id].children[0] : id);
    if (as_unsupported(item)) return item;
    auto* items = std::get_if<HostValue::Tuple>(&item.value);
    if (starred && !items) return host_computed(expr);
    if (std::holds_alternative<HostValue::Namespace>(item.value))
      return unsupported("a tuple of modules", expr.range);
    if (starred) {
      out.items.insert(out.items.end(), items->items.begin(), items->items.end());
    } else {
      out.items.push_back(std::move(item));
    }
  }
  return counted({std::move(out)});
}

HostValue Evaluator::evaluate_logic(const Expr& expr) {
  HostValue value = evaluate(expr.children[0]);
  for (size_t i = 1; i < expr.children.size(); ++i) {
    if (as_unsupported(value)) return value;
    std::optional<bool> decided = truth(value);
    if (!decided) return host_computed(expr);
    if (*decided != (expr.op == Operator::And)) return value;
    value = evaluate(expr.children[i]);
  }
  return value;
}

HostValue Evaluator::evaluate_compare(const Expr& expr) {
  HostValue left = evaluate(expr.children[0]);
  HostValue result{true};
  for (size_t i = 0; i < expr.compare_ops.size(); ++i) {
    if (as_unsupported(left)) return left;
    HostValue right = evaluate(expr.children[i + 1]);
    if (as_unsupported(right)) return right;
    std::optional<HostValue> holds = evaluate_binary(expr.compare_ops[i], left, right);
    if (!holds || !truth(*holds)) return host_computed(expr);
    result = *std::move(holds);
    if (!*truth(result)) return result;
    left = std::move(right);
  }
  return result;
}

HostValue Evaluator::evaluate_call(const Expr& expr) {
  if (std::optional<HostValue> array = evaluate_method(expr)) return *std::move(array);
  HostValue callee = evaluate(expr.children[0]);
  if (as_unsupported(callee)) return callee;
  auto* builtin = std::get_if<HostValue::Builtin>(&callee.value);
  std::vector<HostValue> arguments;
  for (size_t i = 1; i < expr.children.size(); ++i) {
    ExprKind kind = ast_[expr.children[i]].kind;
    if (kind == ExprKind::Starred || kind == ExprKind::DoubleStarred) return host_computed(expr);
    bool whole = builtin && takes_sequence(builtin->name);
    arguments.push_back(whole ? evaluate_iterable(expr.children[i]) : evaluate(expr.children[i]));
    if (as_unsupported(arguments.back())) return arguments.back();
  }
  std::vector<HostValue> named;
  if (!expr.keywords.empty()) {
    auto first = arguments.end() - static_cast<ptrdiff_t>(expr.keywords.size());
    named.assign(first, arguments.end());
    arguments.erase(first, arguments.end());
  }
  std::optional<HostValue> value;
  if (auto* type = std::get_if<HostValue::DType>(&callee.value)) {
    if (!named.empty()) return host_computed(expr);
    if (arguments.empty()) arguments.push_back(make_int(0));
    if (arguments.size() == 1) value = evaluate_cast(*type, arguments[0]);
    if (arguments.size() == 2 && type->type.is_complex() && is_number(arguments[0]) &&
        is_number(arguments[1]))
      value = evaluate_cast(
          *type, {HostValue::Complex{*float_value(arguments[0]), *float_value(arguments[1]), ir::kVoid}});
  } else if (builtin) {
    value = call_builtin(builtin->name, std::move(arguments), expr.keywords, std::move(named));
  } else if (auto* names = std::get_if<HostValue::TupleClass>(&callee.value)) {
    value = make_tuple_of(*names, std::move(arguments), expr.keywords, std::move(named));
  }
  return value ? counted(*std::move(value)) : host_computed(expr);
}

// `array.astype(dtype)`; nothing for calls that are no methods of arrays.
std::optional<HostValue> Evaluator::evaluate_method(const Expr& expr) {
  const Expr& method = ast_[expr.children[0]];
  if (method.kind != ExprKind::Attribute || method.text != "astype" || expr.children.size() != 2 ||
      !expr.keywords.empty())
    return std::nullopt;
  HostValue base = evaluate(method.children[0]);
  auto* array = std::get_if<HostValue::Array>(&base.value);
  if (!array) return as_unsupported(base) ? std::optional(base) : std::nullopt;
  HostValue dtype = evaluate(expr.children[1]);
  if (as_unsupported(dtype)) return dtype;
  std::optional<HostValue> cast = cast_array(**array, dtype);
  return cast ? counted(*std::move(cast)) : host_computed(expr);
}

}  // namespace lanewise::frontend
