// Statements: their parts, recovery after errors, kernel files and the blocks that Python hands over.
#include <gtest/gtest.h>

#include "tests/unit/frontend/frontend_support.h"

namespace lanewise::frontend {
namespace {

struct Parsed : Source {
  Parsed(std::string text, ParseMode mode)
      : Source(std::move(text)), ast(parse(sources, file, mode, diagnostics)) {}
  const Stmt& stmt(size_t i) const { return ast[ast.body.at(i)]; }
  std::string target(const Stmt& s, size_t i = 0) const { return show(ast, s.targets.at(i)); }
  std::string value(const Stmt& s) const { return show(ast, s.value); }
  Ast ast;
};

Parsed block(std::string text) { return {std::move(text), ParseMode::Function}; }
Parsed file(std::string text) { return {std::move(text), ParseMode::KernelFile}; }

TEST(ParseStatement, Assignments) {
  Parsed p = block("a = b = c, d\na[i], (b, *c) = x\na.b += 1\nx: int = 3\ny: float32[:]\na @= b\n");
  ASSERT_EQ(p.problems(), "");
  EXPECT_EQ(p.stmt(0).targets.size(), 2u);
  EXPECT_EQ(p.value(p.stmt(0)), "tuple(c, d)");
  EXPECT_EQ(p.target(p.stmt(1)), "tuple(a[i], tuple(b, *c))");
  EXPECT_EQ(p.stmt(2).kind, StmtKind::AugAssign);
  EXPECT_EQ(p.stmt(2).op, Operator::Add);
  EXPECT_EQ(show(p.ast, p.stmt(3).annotation), "int");
  EXPECT_EQ(p.value(p.stmt(3)), "3");
  EXPECT_FALSE(p.stmt(4).value.valid());
  EXPECT_EQ(p.stmt(5).op, Operator::MatMul);
}

TEST(ParseStatement, InvalidTargets) {
  for (const char* bad : {"1 = x", "f() = x", "a + b = x", "(a, 1) = x", "a < b = x", "None = x", "a, b += 1",
                          "for 1 in x: pass", "del f()", "'s' = x", "x = 1 = y"})
    EXPECT_NE(block(std::string(bad) + "\n").problems().find("invalid-target"), std::string::npos) << bad;
}

TEST(ParseStatement, ControlFlow) {
  Parsed p =
      block("if a:\n  pass\nelif b: c\nelse:\n  d\nfor i, j in x:\n  break\nelse: e\nwhile a: continue\n");
  ASSERT_EQ(p.problems(), "");
  ASSERT_EQ(p.ast.body.size(), 3u);
  const Stmt& elif = p.ast[p.stmt(0).orelse.at(0)];
  EXPECT_EQ(elif.kind, StmtKind::If);
  EXPECT_EQ(p.value(elif), "b");
  EXPECT_EQ(elif.orelse.size(), 1u);
  EXPECT_EQ(p.target(p.stmt(1)), "tuple(i, j)");
  EXPECT_EQ(p.stmt(1).orelse.size(), 1u);
  EXPECT_EQ(p.stmt(2).body.size(), 1u);
  EXPECT_EQ(block("break\n").problems(), "1:1 misplaced-statement");
  EXPECT_EQ(block("while a:\n  def f(): continue\n").problems(), "2:12 misplaced-statement");
  EXPECT_EQ(block("while a:\n  pass\nelse:\n  break\n").problems(), "4:3 misplaced-statement");
}

TEST(ParseStatement, SimpleOnes) {
  Parsed p = block(
      "return\nreturn a, b\nraise E from x\nassert a, 'm'\ndel a, b[0]\nglobal a, b\nnonlocal c\npass; a; "
      "b;\n");
  ASSERT_EQ(p.problems(), "");
  EXPECT_FALSE(p.stmt(0).value.valid());
  EXPECT_EQ(p.value(p.stmt(1)), "tuple(a, b)");
  EXPECT_EQ(show(p.ast, p.stmt(2).extra), "x");
  EXPECT_EQ(show(p.ast, p.stmt(3).extra), "'m'");
  EXPECT_EQ(p.stmt(4).targets.size(), 2u);
  EXPECT_EQ(p.stmt(5).names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(p.ast.body.size(), 10u);
}

TEST(ParseStatement, Imports) {
  Parsed p = file("import a.b, c as d\nfrom ..e.f import (g, h as i,)\nfrom . import j\nfrom k import *\n");
  ASSERT_EQ(p.problems(), "");
  EXPECT_EQ(p.stmt(0).imports[0].name, "a.b");
  EXPECT_EQ(p.stmt(0).imports[0].alias, "a");
  EXPECT_EQ(p.stmt(0).imports[1].alias, "d");
  EXPECT_EQ(p.stmt(1).name, "e.f");
  EXPECT_EQ(p.stmt(1).level, 2u);
  EXPECT_EQ(p.stmt(1).imports[1].alias, "i");
  EXPECT_EQ(p.stmt(2).level, 1u);
  EXPECT_EQ(p.stmt(3).imports[0].name, "*");
}

TEST(ParseStatement, Functions) {
  Parsed p = block("@a.b(1)\n@c\ndef f[T](a, b: int = 1, /, c=2, *d: x, e, g=3, **h) -> y:\n  return a\n");
  ASSERT_EQ(p.problems(), "");
  const Stmt& f = p.stmt(0);
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(p.sources.text(f.name_range), "f");
  EXPECT_EQ(f.decorators.size(), 2u);
  EXPECT_EQ(show(p.ast, f.annotation), "y");
  std::string kinds;
  for (const Parameter& param : f.params) kinds += param.name + std::to_string(static_cast<int>(param.kind));
  EXPECT_EQ(kinds, "a1b1c0d3e2g2h4");
  EXPECT_EQ(show(p.ast, f.params[1].annotation), "int");
  EXPECT_TRUE(f.params[2].default_value.valid());
  EXPECT_EQ(block("def f(a=1, b): pass\n").problems(), "1:12 invalid-parameters");
  EXPECT_EQ(block("def f(a, a): pass\n").problems(), "1:10 invalid-parameters");
  EXPECT_EQ(block("def f(*a, *b): pass\n").problems(), "1:11 invalid-parameters");
  EXPECT_EQ(block("def f(**a, b): pass\n").problems(), "1:12 invalid-parameters");
  EXPECT_EQ(block("def f(/, b): pass\n").problems(), "1:7 invalid-parameters");
}

TEST(ParseStatement, Match) {
  Parsed p = block(
      "match x:\n  case 1 | -2: a\n  case m.K if c: b\n  case [a, *_] | {'k': v, **r} | P(x=1) as q: c\n  "
      "case _: d\n");
  ASSERT_EQ(p.problems(), "");
  const Stmt& m = p.stmt(0);
  ASSERT_EQ(m.cases.size(), 4u);
  EXPECT_EQ(show(p.ast, m.cases[0].pattern), "(1 or (- 2))");
  EXPECT_EQ(show(p.ast, m.cases[1].guard), "c");
  EXPECT_EQ(show(p.ast, m.cases[2].pattern), "(q := (list(a, *_) or dict('k', v, **r) or P(x=1)))");
  EXPECT_EQ(show(p.ast, m.cases[3].pattern), "_");
  // `match` and `case` are names everywhere else.
  EXPECT_EQ(block("match = case\nmatch(x)\nmatch[1]: int\nmatch.a = 1\nprint(match, case)\n").problems(), "");
}

TEST(ParseStatement, RefusedStatementsAreReadOver) {
  Parsed p = block(
      "with a as b, c:\n  x = [\n1]\ntry:\n  a\nexcept E as e:\n  b\nfinally:\n  c\nclass C(D):\n  def "
      "f(self): pass\n"
      "async def g(): pass\nasync for x in y:\n  pass\ntype A[T] = b\nz = 1\n");
  ASSERT_EQ(p.problems(), "");
  ASSERT_EQ(p.ast.body.size(), 7u);
  EXPECT_EQ(p.stmt(0).kind, StmtKind::With);
  EXPECT_EQ(p.stmt(1).kind, StmtKind::Try);
  EXPECT_EQ(p.stmt(2).kind, StmtKind::ClassDef);
  EXPECT_EQ(p.stmt(2).name, "C");
  EXPECT_EQ(p.stmt(3).kind, StmtKind::With);
  EXPECT_EQ(p.stmt(6).kind, StmtKind::Assign);
}

TEST(ParseRecovery, OneReportForEachMistake) {
  // The tokenizer's reports come first.
  EXPECT_EQ(block("def f(x):\n  a = = 1\n  b = 2\n  c = )\n  d = (1,\n  return d\n").problems(),
            "4:7 unmatched-bracket; 5:7 unclosed-bracket; 2:7 syntax");
  // A header's mistake does not hide those of its block, nor the block's lines.
  EXPECT_EQ(block("if x = 1:\n  y = = 2\nelse:\n  z = 3 4\nw = 1\n").problems(),
            "1:6 syntax; 2:7 syntax; 4:9 syntax");
  EXPECT_EQ(block("for x y:\n  break\n").problems(), "1:7 syntax");
  EXPECT_EQ(block("def f(:\n  return 1\nx = 1\n").problems(), "1:6 unclosed-bracket");
  EXPECT_EQ(block("if a:\npass\n").problems(), "2:1 expected-block");
  EXPECT_EQ(block("if a:\n  b\n    c\n  d\n").problems(), "3:5 unexpected-indent");
  EXPECT_EQ(block("else:\n  b\nc = 1\n").problems(), "1:1 syntax");
  EXPECT_EQ(block("if a\n  b\nc = 1\n").problems(), "1:5 syntax");
  EXPECT_EQ(block("match x:\n  case 1 +: a\n  case 2: b\nc = 1\n").problems(), "2:11 syntax");
  EXPECT_EQ(block("a = $\nb = 1 1\n").problems(), "1:5 unexpected-character; 2:7 syntax");
}

TEST(ParseRecovery, GoodStatementsSurvive) {
  Parsed p = block("a = 1\nb = = 2\nc = 3\n");
  ASSERT_EQ(p.ast.body.size(), 3u);
  EXPECT_EQ(p.stmt(1).kind, StmtKind::Error);
  EXPECT_EQ(p.value(p.stmt(2)), "3");
}

TEST(ParseBlock, IndentedText) {
  Parsed p = block(
      "    @gpu.jit\n    def f(x):\n        if x:\n            return '''\nleft of it'''\n        y = "
      "[\n1]\n\n# note\n        return y\nz = 1\n");
  ASSERT_EQ(p.problems(), "");
  ASSERT_EQ(p.ast.body.size(), 1u);
  EXPECT_EQ(p.stmt(0).body.size(), 3u);
  EXPECT_EQ(block("\tdef f():\n\t\treturn 1\n").problems(), "");
  Parsed lambda = block("  k = gpu.jit(lambda x, i: x[i])\n");
  EXPECT_EQ(lambda.value(lambda.stmt(0)), "gpu.jit((lambda x, i: x[i]))");
}

std::string bound(const Parsed& p, size_t i) {
  std::string out;
  for (ExprId id : p.stmt(i).targets) out += (out.empty() ? "" : " ") + show(p.ast, id);
  return out;
}

TEST(ParseFile, HostCodeIsSkipped) {
  Parsed p = file(
      "print(f'{x!r:>{w}}', {1: 2})\n"
      "class A(B):\n  def m(self): return [\n 1]\n"
      "def host(a): yield a\n"
      "for i, (j, k) in z: a = b = 1; c += 2\n"
      "with open(p) as f, q as (g): d: int = 3\n"
      "if x:\n  import m.n as o\n  def inner(): hidden = 1\nelse:\n  e, f[i], g.h = 1, 2, 3\n"
      "try:\n  from m import n\nexcept ImportError as err:\n  n = None\n"
      "a[0] = 1\n");
  ASSERT_EQ(p.problems(), "");
  ASSERT_EQ(p.ast.body.size(), 8u);
  for (size_t i = 0; i < 8; ++i) EXPECT_EQ(p.stmt(i).kind, StmtKind::Skipped) << i;
  EXPECT_EQ(bound(p, 0), "");
  EXPECT_EQ(bound(p, 1), "A");
  EXPECT_EQ(bound(p, 2), "host");
  EXPECT_EQ(bound(p, 3), "i j k a b c");
  EXPECT_EQ(bound(p, 4), "f d");
  EXPECT_EQ(bound(p, 5), "inner e");
  ASSERT_EQ(p.stmt(5).body.size(), 1u);
  EXPECT_EQ(p.ast[p.stmt(5).body[0]].imports[0].alias, "o");
  EXPECT_EQ(bound(p, 6), "err n");
  EXPECT_EQ(p.ast[p.stmt(6).body[0]].kind, StmtKind::ImportFrom);
}

TEST(ParseFile, WhatIsParsed) {
  Parsed p = file(
      "A = 1; B: int = 2; print(A)\n(C, [D, *E]) = F = x\nA += 1\n@d\ndef f(): pass\n@d\nclass G: "
      "pass\n@d\nasync def h(): pass\n");
  ASSERT_EQ(p.problems(), "");
  std::string kinds;
  for (StmtId id : p.ast.body) kinds += std::to_string(static_cast<int>(p.ast[id].kind)) + " ";
  auto n = [](StmtKind k) { return std::to_string(static_cast<int>(k)) + " "; };
  EXPECT_EQ(kinds, n(StmtKind::Assign) + n(StmtKind::AnnAssign) + n(StmtKind::Skipped) + n(StmtKind::Assign) +
                       n(StmtKind::AugAssign) + n(StmtKind::FunctionDef) + n(StmtKind::Skipped) +
                       n(StmtKind::Skipped));
}

TEST(ParseFile, MistakesInHostCodeAreTheHosts) {
  EXPECT_EQ(file("print(1 2)\nif x = 1:\n  y = = 2\ndef f(a b): pass\nimport math\n").problems(), "");
  EXPECT_EQ(file("N = 1 2\nM = 3\n").problems(), "1:7 syntax");
  EXPECT_EQ(file("  x = 1\ny = 2\n").problems(), "1:3 unexpected-indent");
}

TEST(ParseLimits, LongElifChains) {
  std::string text = "if x == 0: y\n";
  for (int i = 1; i <= 250; ++i) text += "elif x == " + std::to_string(i) + ": y\n";
  EXPECT_EQ(block(text).problems(), "");
  for (int i = 0; i < 100000; ++i) text += "elif x: y\n";
  EXPECT_EQ(block(text).problems(), "302:1 nesting-too-deep");
}

}  // namespace
}  // namespace lanewise::frontend
