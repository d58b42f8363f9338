// Expressions: precedence, associativity and form, as in Python's reference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/frontend/frontend_support.h"

namespace lanewise::frontend {
namespace {

TEST(ParseExpression, Precedence) {
  EXPECT_EQ(parse_one("a + b * c - d"), "((a + (b * c)) - d)");
  EXPECT_EQ(parse_one("-a ** -b ** c"), "(- (a ** (- (b ** c))))");
  EXPECT_EQ(parse_one("a | b ^ c & d << e + f"), "(a | (b ^ (c & (d << (e + f)))))");
  EXPECT_EQ(parse_one("a << b >> c"), "((a << b) >> c)");
  EXPECT_EQ(parse_one("a // b % c @ d / e"), "((((a // b) % c) @ d) / e)");
  EXPECT_EQ(parse_one("not a or b and not c"), "((not a) or (b and (not c)))");
  EXPECT_EQ(parse_one("a or b or c"), "(a or b or c)");
  EXPECT_EQ(parse_one("~a.b[c](d)"), "(~ a.b[c](d))");
  EXPECT_EQ(parse_one("a if b else c if d else e"), "(a if b else (c if d else e))");
  EXPECT_EQ(parse_one("lambda x, y=1: x if y else z"), "(lambda x, y=1: (x if y else z))");
  EXPECT_EQ(parse_one("not a == b"), "(not (a == b))");
  EXPECT_EQ(parse_one("await a ** b"), "(await a ** b)");
}

TEST(ParseExpression, Comparisons) {
  EXPECT_EQ(parse_one("0 <= i < n"), "(0 <= i < n)");
  EXPECT_EQ(parse_one("a is not b is c"), "(a is not b is c)");
  EXPECT_EQ(parse_one("a not in b in c"), "(a not in b in c)");
  EXPECT_EQ(parse_one("a + 1 == b | c"), "((a + 1) == (b | c))");
}

TEST(ParseExpression, TuplesListsAndOthers) {
  EXPECT_EQ(parse_one("a, b"), "tuple(a, b)");
  EXPECT_EQ(parse_one("a,"), "tuple(a)");
  EXPECT_EQ(parse_one("()"), "tuple()");
  EXPECT_EQ(parse_one("(a)"), "a");
  EXPECT_EQ(parse_one("(a, *b)"), "tuple(a, *b)");
  EXPECT_EQ(parse_one("[a, b,]"), "list(a, b)");
  EXPECT_EQ(parse_one("{}"), "dict()");
  EXPECT_EQ(parse_one("{a: b, **c}"), "dict(a, b, **c)");
  EXPECT_EQ(parse_one("{a, *b}"), "set(a, *b)");
  EXPECT_EQ(parse_one("(y := f(x)) + y"), "((y := f(x)) + y)");
  EXPECT_EQ(parse_one("[x for x in a if x if y]"), "list-comprehension(x, x, a, (x and y))");
  EXPECT_EQ(parse_one("(x for x, in a for y in b)"), "generator-comprehension(x, tuple(x), a, , y, b, )");
  EXPECT_EQ(parse_one("{k: v for k, v in a}"), "dict-comprehension(tuple(k, v), tuple(k, v), a, )");
  EXPECT_EQ(parse_one("..."), "...");
}

TEST(ParseExpression, CallsAndSubscripts) {
  EXPECT_EQ(parse_one("f(a, *b, k=c, **d)"), "f(a, *b, **d, k=c)");
  EXPECT_EQ(parse_one("f(x for x in y)"), "f(generator-comprehension(x, x, y, ))");
  EXPECT_EQ(parse_one("a[i, j]"), "a[i, j]");
  EXPECT_EQ(parse_one("a[(i, j)]"), "a[tuple(i, j)]");
  EXPECT_EQ(parse_one("a[:, 1:, :-1, ::2, 1:2:3, ...]"), "a[::, 1::, :(- 1):, ::2, 1:2:3, ...]");
  EXPECT_EQ(parse_one("k[g, b](x)"), "k[g, b](x)");
  EXPECT_EQ(parse_one("f(a, k=1, k=2)"), "1:11 invalid-arguments");
  EXPECT_EQ(parse_one("f(k=1, a)"), "1:8 invalid-arguments");
  EXPECT_EQ(parse_one("a[]"), "1:3 syntax");
}

TEST(ParseExpression, Numbers) {
  EXPECT_EQ(parse_one("0xFF + 0b101 + 0o17 + 1_000"), "(((255 + 5) + 15) + 1000)");
  EXPECT_EQ(parse_one("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parse_one("18446744073709551616"), "overflow");
  EXPECT_EQ(parse_one("0x1_0000_0000_0000_0000"), "overflow");
  EXPECT_EQ(parse_one("1.5e3"), "float:1500.000000");
  EXPECT_EQ(parse_one("2.5j"), "imag:2.500000");
}

double float_of(const std::string& text) {
  Source source(text + "\n");
  Ast ast = parse(source.sources, source.file, ParseMode::Function, source.diagnostics);
  EXPECT_EQ(source.problems(), "") << text;
  return ast[ast[ast.body[0]].value].float_value;
}

TEST(ParseExpression, FloatsAreRoundedOnce) {
  EXPECT_EQ(float_of("0.1"), 0.1);
  EXPECT_EQ(float_of("1_0.2_5e1_0"), 10.25e10);
  EXPECT_EQ(float_of("2.2250738585072011e-308"), 2.2250738585072011e-308);
  EXPECT_EQ(float_of("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(float_of("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(float_of("1e-400"), 0.0);
  EXPECT_EQ(float_of("1" + std::string(400, '0') + "."), std::numeric_limits<double>::infinity());
  EXPECT_EQ(float_of("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(float_of("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_EQ(float_of("1e999999999999999999999"), std::numeric_limits<double>::infinity());
}

TEST(ParseExpression, Strings) {
  EXPECT_EQ(parse_one("'a' \"b\" r'\\n'"), "'ab\\n'");
  EXPECT_EQ(parse_one("'\\x41\\101\\u00e9\\U0001F600\\t'"), "'AAé😀\t'");
  EXPECT_EQ(parse_one("'a\\\nb'"), "'ab'");
  EXPECT_EQ(parse_one("'''a\r\nb'''"), "'a\nb'");
  EXPECT_EQ(parse_one("'\\d'"), "'\\d'");
  EXPECT_EQ(parse_one("b'\\xff' b'a'"),
            "b'\xFF"
            "a'");
  EXPECT_EQ(parse_one("b'a' 'b'"), "1:6 invalid-escape");
  EXPECT_EQ(parse_one("'ab\\x4'"), "1:4 invalid-escape");
  EXPECT_EQ(parse_one("'\\U00110000'"), "1:2 invalid-escape");
}

TEST(ParseExpression, FStrings) {
  EXPECT_EQ(parse_one("f'a{x}b{y + 1:>{w}}{{c}}'"), "f<'a' x{} 'b' (y + 1){:>{w}} '{c}'>");
  EXPECT_EQ(parse_one("f'{x!r:10}' 'tail'"), "f<x{!r:10} 'tail'>");
  EXPECT_EQ(parse_one("'head' f'{x}'"), "f<'head' x{}>");
  EXPECT_EQ(parse_one("f'{x = }'"), "f<'x = ' x{!r}>");
  EXPECT_EQ(parse_one("f'{x == y}'"), "f<(x == y){}>");
  EXPECT_EQ(parse_one("f'{d['k']}'"), "f<d['k']{}>");
  EXPECT_EQ(parse_one("f'{f'{x}'}'"), "f<f<x{}>{}>");
  EXPECT_EQ(parse_one("f'{a, b}'"), "f<tuple(a, b){}>");
  EXPECT_EQ(parse_one("f'{(lambda: 1)()}'"), "f<(lambda : 1)(){}>");
  EXPECT_EQ(parse_one("f'{ }'"), "1:3 invalid-f-string");
  EXPECT_EQ(parse_one("f'a}b'"), "1:4 invalid-f-string");
  EXPECT_EQ(parse_one("f'{a b}'"), "1:6 syntax");
}

TEST(ParseExpression, Errors) {
  EXPECT_EQ(parse_one("a +"), "1:4 syntax");
  EXPECT_EQ(parse_one("(a b)"), "1:4 syntax");
  EXPECT_EQ(parse_one("a b"), "1:3 syntax");
  EXPECT_EQ(parse_one("a if b"), "1:7 syntax");
  EXPECT_EQ(parse_one("a.1"), "1:2 syntax");
  EXPECT_EQ(parse_one("f(class=1)"), "1:3 syntax");
  EXPECT_EQ(parse_one("lambda x, x: 1"), "1:11 invalid-parameters");
  EXPECT_EQ(parse_one("a ++"), "1:5 syntax");
}

// Syntax nested without bound is refused, not followed; so are trees that are high because they are long.
TEST(ParseExpression, DepthIsBounded) {
  auto nested = [](const std::string& open, const std::string& close, size_t count) {
    std::string out;
    for (size_t i = 0; i < count; ++i) out += open;
    out += "x";
    for (size_t i = 0; i < count; ++i) out += close;
    return parse_one(out);
  };
  EXPECT_EQ(nested("-", "", 150).substr(0, 6), "(- (- ");
  EXPECT_NE(nested("-", "", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("not ", "", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("lambda: ", "", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("", " if x else x", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("", "**x", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("", "+x", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("", ".x", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_NE(nested("", "[0]", 100000).find("nesting-too-deep"), std::string::npos);
  // Each bracket counts once.
  EXPECT_EQ(nested("(", ")", 190), "x");
  EXPECT_EQ(nested("f(", ")", 190).find("nesting"), std::string::npos);
  EXPECT_EQ(nested("a[", "]", 190).find("nesting"), std::string::npos);
  EXPECT_NE(nested("[x for x in ", "]", 100000).find("too-many-brackets"), std::string::npos);
  EXPECT_NE(nested("(", ")", 100000).find("too-many-brackets"), std::string::npos);
  EXPECT_NE(nested("f'{", "}'", 100000).find("unterminated-string"), std::string::npos);
  EXPECT_EQ(nested("", " or x", 300).find("nesting"), std::string::npos);  // one node, but not without end
  EXPECT_NE(nested("", " or x", 100000).find("nesting-too-deep"), std::string::npos);
  EXPECT_EQ(nested("", ", x", 100000).find("nesting"), std::string::npos);
}

}  // namespace
}  // namespace lanewise::frontend
