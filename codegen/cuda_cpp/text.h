// What the text is made of: names of types, literals, expressions with as few parentheses as C++ needs.
#pragma once
#include <string>
#include <string_view>

#include "ir/function.h"

namespace lanewise::codegen::cuda_cpp {

// How tightly an expression binds, loosest first.
enum class Binding {
  Conditional,
  LogicalOr,
  LogicalAnd,
  Or,
  Xor,
  And,
  Equality,
  Relational,
  Shift,
  Sum,
  Product,
  Unary,
  Postfix,
  Primary
};

// A C++ expression. Of an integer the value is that of the IR's value; its C++ type may be another one that
// holds it (`threadIdx.x` is unsigned, `a + b` of two chars is an int), which is what `type` says.
struct Expr {
  std::string text;
  Binding binding = Binding::Primary;
  ir::Type type;
  bool literal = false;       // of an integer: its type follows that of the other operand
  bool not_negative = false;  // known, whatever the type says
  // Of a binary operator that computes in the type of its left operand: for `left op= right`.
  std::string left, op, right;
};

std::string type_name(ir::Type type);  // of a scalar; of a pointer to what may be written
// Of an element in memory: as of a scalar, but a bool is a byte that is not zero.
std::string element_name(ir::Type element);
std::string pointer_name(ir::Type pointer, bool is_const);

// Of a float16 and bfloat16: the struct of the preamble.
std::string float_literal(double value, ir::Type type);
Expr literal(const ir::Immediate& value, ir::Type type);
Expr int_literal(int64_t value);  // an int or, if it must be, a long long

std::string escaped(const std::string& text);  // in a string literal

Expr primary(std::string text, ir::Type type);
// In parentheses unless it binds at least so tightly.
std::string within(const Expr& e, Binding binding);
Expr binary(const Expr& left, std::string_view op, const Expr& right, Binding binding, ir::Type type);
Expr unary(std::string_view op, const Expr& operand, ir::Type type);
Expr c_cast(const std::string& type, const Expr& operand, ir::Type result);
Expr conditional(const Expr& condition, const Expr& yes, const Expr& no, ir::Type type);
template <class... Text>
Expr call(std::string_view function, ir::Type type, const Text&... arguments) {
  std::string text(function);
  text += '(';
  bool first = true;
  ((text += (first ? "" : ", "), text += arguments, first = false), ...);
  return primary(text + ")", type);
}

// What C++ computes in if the operands of an arithmetic operator are integers of these types.
ir::Type common_type(ir::Type a, ir::Type b);
ir::Type promoted(ir::Type type);

}  // namespace lanewise::codegen::cuda_cpp
