// Argument types from a kernel's annotations: `x: float32[:, ::1]`, `n: np.int64`, `t: "Tuple(int64,
// int64)"`.
#include <algorithm>

#include "frontend/builtin_names.h"
#include "frontend/frontend.h"
#include "frontend/infer/builtins.h"
#include "frontend/kernel_file.h"

namespace lanewise::frontend {
namespace {

class AnnotationReader {
 public:
  explicit AnnotationReader(const FunctionRef& function)
      : ast_(*function.ast), environment_(function.environment.get()) {}

  std::optional<ValueType> read(ExprId id) {
    const Expr& expr = ast_[id];
    switch (expr.kind) {
      case ExprKind::String: return parse_type_text(expr.text);
      case ExprKind::Name:
      case ExprKind::Attribute: return read_scalar(id);
      case ExprKind::Subscript: return read_subscript(expr);
      case ExprKind::Tuple: return read_tuple(expr.children, 0);
      default: return std::nullopt;
    }
  }

 private:
  std::optional<HostValue> lookup(const std::string& name) {
    return environment_ ? environment_->lookup(name) : std::nullopt;
  }

  std::optional<ValueType> read_scalar(ExprId id) {
    const Expr& expr = ast_[id];
    // `from __future__ import annotations` lets annotations use names that nothing defines.
    if (expr.kind == ExprKind::Name && !lookup(expr.text) && !python_builtin(expr.text))
      return parse_type_text(expr.text);
    uint64_t work = 0;
    HostValue value = Evaluator(
                          ast_, [this](const std::string& name) { return lookup(name); }, work)
                          .evaluate(id);
    if (auto* text = std::get_if<std::string>(&value.value)) return parse_type_text(*text);
    auto* type = std::get_if<HostValue::DType>(&value.value);
    if (!type) return std::nullopt;
    return type->python ? ValueType::python_number(type->type.scalar) : ValueType::typed(type->type);
  }

  std::optional<ValueType> read_tuple(const std::vector<ExprId>& children, size_t first) {
    std::vector<ValueType> items;
    for (size_t i = first; i < children.size(); ++i) {
      std::optional<ValueType> item = children[i].valid() ? read(children[i]) : std::nullopt;
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    return ValueType::tuple(std::move(items));
  }

  // float32[:, ::1], tuple[int, float]
  std::optional<ValueType> read_subscript(const Expr& expr) {
    const Expr& base = ast_[expr.children[0]];
    if (base.kind == ExprKind::Name && base.text == "tuple" && !lookup("tuple"))
      return read_tuple(expr.children, 1);
    std::optional<ValueType> element = read(expr.children[0]);
    if (!element || element->is_tuple() || (element->is_array() && !element->is_place())) return std::nullopt;
    // The dimensions are read as the text of a signature is.
    std::string text = "float32[";
    for (size_t i = 1; i < expr.children.size(); ++i) {
      const Expr& slice = ast_[expr.children[i]];
      if (slice.kind != ExprKind::Slice || slice.children[0].valid() || slice.children[1].valid())
        return std::nullopt;
      bool unit = slice.children[2].valid();
      if (unit && (ast_[slice.children[2]].kind != ExprKind::Int || ast_[slice.children[2]].int_value != 1))
        return std::nullopt;
      text += std::string(i > 1 ? ", " : "") + (unit ? "::1" : ":");
    }
    std::optional<ValueType> array = parse_type_text(text + "]");
    if (array) array->element = element->element_type();
    if (array && array->layout == Layout::Strided && element->is_place()) array->layout = Layout::Bytes;
    return array;
  }

  const Ast& ast_;
  Environment* environment_;
};

}  // namespace

std::optional<std::vector<ValueType>> annotated_arguments(const FunctionRef& function) {
  std::vector<ValueType> out;
  if (!function.ast || !function.def.valid()) return std::nullopt;
  AnnotationReader reader(function);
  for (const Parameter& param : (*function.ast)[function.def].params) {
    bool plain = param.kind != Parameter::Kind::Star && param.kind != Parameter::Kind::DoubleStar;
    std::optional<ValueType> type =
        plain && param.annotation.valid() ? reader.read(param.annotation) : std::nullopt;
    if (!type) return std::nullopt;
    out.push_back(*std::move(type));
  }
  return out;
}

}  // namespace lanewise::frontend
