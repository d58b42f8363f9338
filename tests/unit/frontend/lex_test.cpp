// Tokens: what each piece of text is, and that bad text gives one diagnostic at the right place.
#include <gtest/gtest.h>

#include <ctime>

#include "tests/unit/frontend/frontend_support.h"

namespace lanewise::frontend {
namespace {

// "name:a operator:+ newline end"
std::string tokens_of(Source& source) {
  std::string out;
  for (const Token& token : lex(source.sources, source.file, source.diagnostics)) {
    static constexpr const char* kNames[] = {"name",   "keyword", "int",  "float",   "imaginary",
                                             "string", "fstring", "op",   "newline", "indent",
                                             "dedent", "end",     "error"};
    if (!out.empty()) out += ' ';
    out += kNames[static_cast<size_t>(token.kind)];
    bool layout = token.kind == TokenKind::Newline || token.kind == TokenKind::Indent ||
                  token.kind == TokenKind::Dedent || token.kind == TokenKind::End;
    if (!layout) out += ":" + std::string(source.sources.text(token.range));
  }
  return out;
}

std::string tokens(const std::string& text) {
  Source source(text);
  std::string out = tokens_of(source);
  return source.problems().empty() ? out : out + " | " + source.problems();
}

std::string problems(const std::string& text) {
  Source source(text);
  tokens_of(source);
  return source.problems();
}

TEST(Lex, NamesKeywordsOperators) {
  EXPECT_EQ(tokens("a = not b\n"), "name:a op:= keyword:not name:b newline end");
  EXPECT_EQ(tokens("match case type _"), "name:match name:case name:type name:_ newline end");
  EXPECT_EQ(tokens("a//=b**c->d:=e...f"),
            "name:a op://= name:b op:** name:c op:-> name:d op::= name:e op:... name:f newline end");
  EXPECT_EQ(tokens("x<<=1>>2!=3"), "name:x op:<<= int:1 op:>> int:2 op:!= int:3 newline end");
  EXPECT_EQ(tokens("a;b"), "name:a op:; name:b newline end");
  EXPECT_EQ(tokens(""), "end");
  EXPECT_EQ(tokens("# only a comment"), "end");
}

TEST(Lex, Numbers) {
  EXPECT_EQ(tokens("0 00 1_000 0xFF 0o17 0b1_0"),
            "int:0 int:00 int:1_000 int:0xFF int:0o17 int:0b1_0 newline end");
  EXPECT_EQ(tokens("1. .5 1e3 1.5e-3 1_0.2_5"),
            "float:1. float:.5 float:1e3 float:1.5e-3 float:1_0.2_5 newline end");
  EXPECT_EQ(tokens("1j 2.5J 1e3j"), "imaginary:1j imaginary:2.5J imaginary:1e3j newline end");
  EXPECT_EQ(tokens("1if x else 2"), "int:1 keyword:if name:x keyword:else int:2 newline end");
  EXPECT_EQ(tokens("0xfor x"), "int:0xf keyword:or name:x newline end");
  EXPECT_EQ(tokens("1..real"), "float:1. op:. name:real newline end");
  for (const char* bad : {"012", "1__0", "1_", "0x", "0b2", "0o8", "1e", "12abc", "1.5x"})
    EXPECT_EQ(problems(bad), "1:1 invalid-number") << bad;
}

TEST(Lex, Strings) {
  EXPECT_EQ(tokens("'a' \"b\" rb'\\\\' Br''"),
            "string:'a' string:\"b\" string:rb'\\\\' string:Br'' newline end");
  // A backslash keeps a quote from closing even a raw string.
  EXPECT_EQ(tokens("r'\\' a'"), "string:r'\\' a' newline end");
  EXPECT_EQ(tokens("'''a\n'b''' c"), "string:'''a\n'b''' name:c newline end");
  EXPECT_EQ(tokens("'a\\\nb'"), "string:'a\\\nb' newline end");
  EXPECT_EQ(tokens("u'x' bu'x'"), "string:u'x' name:bu string:'x' newline end");
  EXPECT_EQ(tokens("''''''"), "string:'''''' newline end");
  EXPECT_EQ(problems("x = 'abc\ny = 1\n"), "1:5 unterminated-string");
  EXPECT_EQ(problems("x = '''abc\ny = 1\n"), "1:5 unterminated-string");
}

TEST(Lex, FStrings) {
  EXPECT_EQ(tokens("f'{x}' b"), "fstring:f'{x}' name:b newline end");
  EXPECT_EQ(tokens("f'{d['k']}' b"), "fstring:f'{d['k']}' name:b newline end");
  EXPECT_EQ(tokens("f'{f'{f'{1}'}'}' b"), "fstring:f'{f'{f'{1}'}'}' name:b newline end");
  EXPECT_EQ(tokens("f'{x:>{w}.{p}f}}}' b"), "fstring:f'{x:>{w}.{p}f}}}' name:b newline end");
  EXPECT_EQ(tokens("f'{a != b!r:x}' b"), "fstring:f'{a != b!r:x}' name:b newline end");
  EXPECT_EQ(tokens("f'{{}}' rf\"\\{x}\" Fr'' b"),
            "fstring:f'{{}}' fstring:rf\"\\{x}\" fstring:Fr'' name:b newline end");
  EXPECT_EQ(tokens("f'{x +\n1}' b"), "fstring:f'{x +\n1}' name:b newline end");
  EXPECT_EQ(tokens("f'\\N{DEGREE SIGN}' b"), "fstring:f'\\N{DEGREE SIGN}' name:b newline end");
  EXPECT_EQ(tokens("f'''{x}\n''' t'{y}' b"), "fstring:f'''{x}\n''' fstring:t'{y}' name:b newline end");
  EXPECT_EQ(tokens("f'{(lambda x: x)(1)}' b"), "fstring:f'{(lambda x: x)(1)}' name:b newline end");
  EXPECT_EQ(problems("f'{x'\ny = 1\n"), "1:1 unterminated-string");
  EXPECT_EQ(problems("f'{x:'\ny = 1\n"), "1:1 unterminated-string");
}

TEST(Lex, Indentation) {
  EXPECT_EQ(tokens("if a:\n  b\n\n  # note\n  c\nd\n"),
            "keyword:if name:a op:: newline indent name:b newline name:c newline dedent name:d newline end");
  EXPECT_EQ(tokens("if a:\n  if b:\n    c"),
            "keyword:if name:a op:: newline indent keyword:if name:b op:: newline indent name:c newline "
            "dedent dedent end");
  EXPECT_EQ(tokens("if a:\n\tb\n\tc\n"),
            "keyword:if name:a op:: newline indent name:b newline name:c newline dedent end");
  EXPECT_EQ(problems("if a:\n        b\n\tc\n"), "3:1 inconsistent-tabs");
  EXPECT_EQ(problems("if a:\n    b\n  c\n"), "3:1 inconsistent-unindent");
  // A form feed starts the line's indentation anew.
  EXPECT_EQ(tokens("if a:\n  b\n  \f  c\n"),
            "keyword:if name:a op:: newline indent name:b newline name:c newline dedent end");
  std::string deep;
  for (int i = 0; i < 150; ++i) deep += std::string(static_cast<size_t>(i), ' ') + "if x:\n";
  EXPECT_EQ(problems(deep), "102:1 too-many-indents");
}

TEST(Lex, LinesAndBrackets) {
  EXPECT_EQ(tokens("f(a,\n  b)\nc"), "name:f op:( name:a op:, name:b op:) newline name:c newline end");
  EXPECT_EQ(tokens("a + \\\n  b"), "name:a op:+ name:b newline end");
  EXPECT_EQ(tokens("\xEF\xBB\xBF"
                   "a\r\nb\rc"),
            "name:a newline name:b newline name:c newline end");
  EXPECT_EQ(tokens("a \\ b\n"), "name:a error:\\ name:b newline end | 1:3 line-continuation");
  EXPECT_EQ(problems("f(a\n"), "1:2 unclosed-bracket");
  EXPECT_EQ(problems("a)\n"), "1:2 unmatched-bracket");
  EXPECT_EQ(problems("f(a]\n"), "1:4 mismatched-bracket");
  // A statement at the start of a line shows that the bracket was forgotten.
  EXPECT_EQ(tokens("x = f(a\nreturn b\n"),
            "name:x op:= name:f op:( name:a error: newline keyword:return name:b newline end | 1:6 "
            "unclosed-bracket");
  EXPECT_EQ(tokens("x = (a\n@ b)\n"), "name:x op:= op:( name:a op:@ name:b op:) newline end");
  EXPECT_EQ(problems("x = (a\n@gpu.jit\ndef f(): pass\n"), "1:5 unclosed-bracket");
}

TEST(Lex, Characters) {
  EXPECT_EQ(tokens("größe = π_2"), "name:größe op:= name:π_2 newline end");
  EXPECT_EQ(tokens("变量"), "name:变量 newline end");
  EXPECT_EQ(problems("a $ b ? c"), "1:3 unexpected-character; 1:7 unexpected-character");
  EXPECT_EQ(problems("a × b"), "1:3 unexpected-character");
  EXPECT_EQ(problems("“a”"), "1:1 unexpected-character; 1:3 unexpected-character");
  EXPECT_EQ(problems("a\xC2\xA0= 1"), "1:2 unexpected-character");
  EXPECT_EQ(problems("!a"), "1:1 unexpected-character");
  EXPECT_EQ(problems("🙂"), "1:1 unexpected-character");
  EXPECT_EQ(problems(std::string("a\0b\0", 4)), "1:2 nul-byte");
  EXPECT_EQ(problems("a = '\xFF'"), "1:6 invalid-utf8");
  EXPECT_EQ(problems("\xC0\x80"), "1:1 invalid-utf8");
  EXPECT_EQ(problems("\xED\xA0\x80"), "1:1 invalid-utf8");
}

// Hostile text: one or a few diagnostics, in time linear in its length.
TEST(Lex, HostileTextIsLinear) {
  auto repeat = [](const std::string& piece, size_t count) {
    std::string out;
    while (count-- > 0) out += piece;
    return out;
  };
  std::clock_t start = std::clock();
  EXPECT_EQ(problems(repeat("(", 10000)), "1:201 too-many-brackets; 1:10000 unclosed-bracket");
  EXPECT_EQ(problems(repeat("f'{", 200000)), "1:1 unterminated-string");
  problems(repeat("f'{'''\n", 200000));
  problems(repeat("x = f'{\n", 200000));
  problems(repeat("'\n", 200000));
  problems(repeat("$ ", 200000));
  problems(repeat("f(\nreturn\n", 100000));
  problems(std::string(1000000, '\\'));
  problems(std::string(1000000, '1'));
  problems(std::string(1000000, '\0'));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
            20);  // a quadratic step would take minutes
}

}  // namespace
}  // namespace lanewise::frontend
