// Constant expressions in the text of another function: names are asked from its environment, nothing is
// reported.
#include "frontend/infer/constant_expr.h"

#include "frontend/builtin_names.h"
#include "frontend/infer/builtins.h"
#include "frontend/infer/constants.h"

namespace lanewise::frontend {
namespace {

std::optional<HostValue> attribute(const HostValue& base, const std::string& name) {
  if (auto* space = std::get_if<HostValue::Namespace>(&base.value))
    return space->environment ? space->environment->lookup(name) : std::nullopt;
  if (auto* builtin = std::get_if<HostValue::Builtin>(&base.value))
    return builtin_module_attribute(builtin->name, name);
  return std::nullopt;
}

std::optional<HostValue> cast(const HostValue& callee, const HostValue& argument) {
  auto* dtype = std::get_if<HostValue::DType>(&callee.value);
  if (!dtype || !dtype->type.is_scalar() || !is_number(argument)) return std::nullopt;
  ir::Type held = dtype->type.scalar;
  ValueType type = dtype->python ? ValueType::python_number(held) : ValueType::typed(held);
  return constant_of(type, convert_constant(argument, held));
}

}  // namespace

std::optional<HostValue> evaluate_constant(const Ast& ast, ExprId id, Environment* environment) {
  if (!id.valid()) return std::nullopt;
  const Expr& e = ast[id];
  auto child = [&](size_t i) { return evaluate_constant(ast, e.children[i], environment); };
  switch (e.kind) {
    case ExprKind::Int: return e.int_overflow ? std::nullopt : std::optional(make_int(Wide{e.int_value}));
    case ExprKind::Float: return HostValue{e.float_value};
    case ExprKind::Imaginary: return HostValue{HostValue::Complex{0, e.float_value, ir::kVoid}};
    case ExprKind::True: return HostValue{true};
    case ExprKind::False: return HostValue{false};
    case ExprKind::None: return HostValue{HostValue::None{}};
    case ExprKind::String: return HostValue{e.text};
    case ExprKind::Name: {
      std::optional<HostValue> found = environment ? environment->lookup(e.text) : std::nullopt;
      return found ? found : python_builtin(e.text);
    }
    case ExprKind::Attribute: {
      std::optional<HostValue> base = child(0);
      return base ? attribute(*base, e.text) : std::nullopt;
    }
    case ExprKind::Unary: {
      std::optional<HostValue> operand = child(0);
      return operand ? evaluate_unary(e.op, *operand) : std::nullopt;
    }
    case ExprKind::Binary: {
      std::optional<HostValue> left = child(0), right = child(1);
      return left && right ? evaluate_binary(e.op, *left, *right) : std::nullopt;
    }
    case ExprKind::Call: {
      if (e.children.size() != 2 || !e.keywords.empty()) return std::nullopt;
      std::optional<HostValue> callee = child(0), argument = child(1);
      return callee && argument ? cast(*callee, *argument) : std::nullopt;
    }
    case ExprKind::Tuple: {
      HostValue::Tuple tuple;
      for (size_t i = 0; i < e.children.size(); ++i) {
        std::optional<HostValue> item = child(i);
        if (!item) return std::nullopt;
        tuple.items.push_back(std::move(*item));
      }
      return HostValue{std::move(tuple)};
    }
    default: return std::nullopt;
  }
}

}  // namespace lanewise::frontend
