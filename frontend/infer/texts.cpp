// Texts of fixed length, NumPy's S and U: places that hold characters, padded with zeros. They are compared
// with literals and with each other, and assigned.
#include <algorithm>

#include "frontend/infer/function_inference.h"

namespace lanewise::frontend::inference {

using ir::DiagnosticId;
using ir::OpKind;

namespace {

constexpr uint32_t kMaxCompared = 256;

// The characters of a literal; the lexer has checked its UTF-8.
std::vector<uint32_t> code_points(const std::string& text) {
  std::vector<uint32_t> out;
  for (unsigned char c : text) {
    if (c < 0x80)
      out.push_back(c);
    else if (c >= 0xC0)
      out.push_back(c & (c >= 0xF0 ? 0x07 : c >= 0xE0 ? 0x0F : 0x1F));
    else if (!out.empty())
      out.back() = out.back() << 6 | (c & 0x3F);
  }
  return out;
}

}  // namespace

// The characters of a text in memory as an array of numbers.
Value FunctionInference::characters(Value& text) {
  const ElementType& element = text.type.element;
  Value v;
  v.range = text.range;
  v.type = text.type;
  v.type.element = element.scalar;
  v.type.ndim = 1;
  v.type.unaligned = text.type.unaligned && element.scalar.element_size() > 1;
  v.type.layout = v.type.unaligned ? Layout::Bytes : Layout::C;
  v.expr = add({.kind = TExprKind::Field,
                .type = v.type,
                .range = text.range,
                .children = {text.expr},
                .shape = {element.characters}});
  return v;
}

Value FunctionInference::character(Value& all, uint32_t index, uint32_t length, SourceRange range) {
  if (index >= length) return converted(python_int(0, range), ValueType::typed(ir::kU32));
  Value v = row(all, python_int(index, range).expr, false, range);
  return converted(std::move(v), ValueType::typed(ir::kU32));
}

Value FunctionInference::compare_texts(Operator op, Value& left, Value& right, SourceRange range) {
  bool equality = op == Operator::Eq || op == Operator::Ne;
  auto usable = [](const Value& v) {
    return (v.is_place() && v.type.element.is_text()) || v.object<std::string>();
  };
  if (!equality || !usable(left) || !usable(right))
    return refuse_operands(op, left, right, range,
                           "texts are compared with `==` and `!=`, with each other or with a literal");
  if (!left.is_place()) std::swap(left, right);
  stabilise(left);
  Value all = characters(left);
  stabilise(all);
  uint32_t length = left.type.element.characters, count = length;
  std::vector<uint32_t> literal;
  Value others;
  uint32_t other_length = 0;
  if (auto* text = right.object<std::string>()) {
    literal = code_points(*text);
    while (!literal.empty() && literal.back() == 0) literal.pop_back();
    if (literal.size() > length) return number({op == Operator::Ne}, range);
  } else {
    stabilise(right);
    others = characters(right);
    stabilise(others);
    other_length = right.type.element.characters;
    count = std::max(length, other_length);
  }
  if (count > kMaxCompared) return not_supported(range, "comparing texts of more than 256 characters");
  Value same = number({true}, range);
  for (uint32_t i = 0; i < count; ++i) {
    Value a = character(all, i, length, range);
    Value b = others.expr.valid() ? character(others, i, other_length, range)
                                  : converted(python_int(i < literal.size() ? literal[i] : 0, range),
                                              ValueType::typed(ir::kU32));
    Value one = compare_numbers(Operator::Eq, a, b, range);
    same = bool_op(OpKind::And, same, one, range);
  }
  return op == Operator::Ne ? unary(Operator::Not, std::move(same), range) : same;
}

// Into one text or into each of a view: cut or padded with zeros, as NumPy does.
void FunctionInference::store_text(Value& target, Value value, SourceRange range) {
  const ElementType element = target.type.element;
  bool same = value.is_place() && value.type.element == element;
  auto* literal = value.object<std::string>();
  bool other =
      value.is_place() && value.type.element.is_text() && value.type.element.scalar == element.scalar;
  if (same || (!literal && !other)) return store_record(target, std::move(value), range);
  if (target.type.ndim > 0) {
    not_yet(range, "such a text for all elements", "loop over the elements");
    return;
  }
  stabilise(target);
  Value to = characters(target);
  stabilise(to);
  std::vector<Value> parts;
  if (literal) {
    std::vector<uint32_t> points = code_points(*literal);
    bool ascii = std::ranges::all_of(points, [](uint32_t c) { return c < 0x80; });
    if (!ascii && element.scalar == ir::kU8) {
      report(DiagnosticId::StoreType, value.range, {spell({*literal}), to_string(element)})
          .with_hint("S texts hold ASCII; a U dtype holds all characters");
      return;
    }
    for (uint32_t i = 0; i < element.characters; ++i)
      parts.push_back(python_int(i < points.size() ? points[i] : 0, range));
  } else {
    stabilise(value);
    Value from = characters(value);
    stabilise(from);
    for (uint32_t i = 0; i < element.characters; ++i) {
      Value one = character(from, i, value.type.element.characters, range);
      stabilise(one);
      parts.push_back(std::move(one));
    }
  }
  for (uint32_t i = 0; i < element.characters; ++i) {
    Subscripts at;
    at.list.push_back({.kind = TSubscript::Kind::Index,
                       .lower = python_int(i, range).expr,
                       .upper = {},
                       .step = {},
                       .wrap = false});
    at.all_indices = true;
    store(to, at, converted(parts[i], ValueType::typed(element.scalar)), range);
  }
}

}  // namespace lanewise::frontend::inference
