// Control flow: joins at merges, loops until their types settle, names bound on some paths, evaluation order.
#include <ctime>

#include "ir/ir.h"
#include "tests/unit/frontend/infer_support.h"

namespace lanewise::frontend {
namespace {

TEST(InferFlow, ConditionsOnConstantsChooseOneArm) {
  Inferred k =
      infer_body("x: float32[:, :]", "if x.ndim == 2:\n    x[0, 0] = 1\nelse:\n    x[0] = no_such_name");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_FALSE(k.has("if "));
  // Names of the arm that is out do not count as assigned there.
  k = infer_body(
      "x: int32[:]",
      "size = 8\nif x.ndim == 2:\n    size = 16\nt = gpu.local.array(size, np.int32)\nt[0] = x[0]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("local_array<local int32[::1]>(8,)")) << k.tree;
}

TEST(InferFlow, ArmsJoin) {
  Inferred k = infer_body("x: float32[:], n: int", "if n > 0:\n    y = x[0]\nelse:\n    y = 0\nx[1] = y");
  EXPECT_TRUE(k.has("y: float32 = x[0]")) << k.tree;
  EXPECT_TRUE(k.has("y: float32 = float32(0.0)")) << k.tree;
  k = infer_body("x: float32[:], n: int", "y = 1\nif n > 0:\n    y = x[0]\nx[1] = y");
  EXPECT_TRUE(k.has("y.1: float32 = float32(1.0)")) << k.tree;
  EXPECT_EQ(k.diagnostics, "");
}

// A value that was a constant on the path is converted, but inside the loop the variable is a variable.
TEST(InferFlow, SumsOfBytesAreWide) {
  Inferred k =
      infer_body("x: uint8[:], out: int64[:]", "s = 0\nfor i in range(len(x)):\n    s += x[i]\nout[0] = s");
  EXPECT_TRUE(k.has("int64 = add(s.1, int64(x[i]))") || k.has("add(s.1, int64(x[i]))")) << k.tree;
  EXPECT_TRUE(k.has("out[0] = s.1")) << k.tree;
}

TEST(InferFlow, HashesWrapAt32Bits) {
  Inferred k = infer_body(
      "x: uint8[:], out: uint32[:]",
      "h = np.uint32(2166136261)\nfor i in range(len(x)):\n    h = (h ^ x[i]) * 16777619\nout[0] = h");
  EXPECT_TRUE(k.has("h: uint32 = mul(xor(h, uint32(x[i])), uint32(16777619))")) << k.tree;
}

TEST(InferFlow, HalfSumsInFloat32) {
  Inferred k = infer_body("h: float16[:], out: float32[:]",
                          "s = 0.0\nfor i in range(len(h)):\n    s += h[i]\nout[0] = s");
  EXPECT_TRUE(k.has("float32 = add(s.1, float32(h[i]))")) << k.tree;
}

TEST(InferFlow, LoopsNestAndSettle) {
  Inferred k = infer_body("x: float32[:], n: int",
                          "a = b = c = d = 0\n"
                          "for i in range(n):\n"
                          "    for j in range(n):\n"
                          "        for k in range(n):\n"
                          "            for l in range(n):\n"
                          "                d += x[l]\n"
                          "            c += d\n"
                          "        b += c\n"
                          "    a += b\n"
                          "x[0] = a");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("x[0] = a.1")) << k.tree;
  EXPECT_EQ(k.count("for "), 4u);
}

TEST(InferFlow, LoopVariablesKeepTheirLastValueAndShadowGlobals) {
  Inferred k = infer_text(
      "i = 5\n@gpu.jit\ndef k(x):\n    for i in range(3):\n        x[i] = i\n    x[4] = i\n", "float32[:]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("x[4] = float32(i)")) << k.tree;
}

TEST(InferFlow, NamesBoundOnSomePathsAreWarnedAboutOnce) {
  Inferred k = infer_body("x: float32[:], n: int", "if n > 3:\n    y = 10\nx[0] = y\nx[1] = y");
  EXPECT_EQ(k.diagnostics.find("[maybe-unbound]"), k.diagnostics.rfind("[maybe-unbound]")) << k.diagnostics;
  EXPECT_NE(k.diagnostics.find("[maybe-unbound]"), std::string::npos);
  EXPECT_TRUE(k.has("x[0] = float32(y)")) << "never the constant:\n" << k.tree;
  InferOptions quiet;
  quiet.warnings = false;
  EXPECT_EQ(infer_body("x: float32[:], n: int", "if n > 3:\n    y = 10\nx[0] = y", quiet).diagnostics, "");
}

TEST(InferFlow, BreaksCarryTheirOwnTypes) {
  Inferred k = infer_body(
      "x: float32[:], n: int",
      "y = 0\nwhile True:\n    if x[0] > 1:\n        y = x[0]\n        break\n    n += 1\nx[1] = y");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("x[1] = y")) << k.tree;
}

TEST(InferFlow, WhileAndForElse) {
  Inferred k = infer_body(
      "x: float32[:], n: int",
      "while n > 0:\n    n -= 1\n    if x[n] == 2:\n        break\nelse:\n    y = 3\n    x[0] = y\n"
      "for i in range(n):\n    if x[i] == 2:\n        break\nelse:\n    x[1] = 4");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_EQ(k.count("else:"), 2u) << k.tree;
}

TEST(InferFlow, CodeAfterReturnIsNotLookedAt) {
  Inferred k = infer_body("x: float32[:]", "x[0] = 1\nreturn\nx[1] = no_such_name");
  EXPECT_EQ(k.diagnostics, "");
  k = infer_body("x: float32[:]", "while True:\n    x[0] += 1\nx[1] = no_such_name");
  EXPECT_EQ(k.diagnostics, "");
}

TEST(InferFlow, RangesOfEveryKind) {
  auto counter = [](const std::string& bounds) {
    Inferred k = infer_body("x: float32[:], n: int, u: uint64, i: int32, v: uint32",
                            "for j in range(" + bounds + "):\n    x[j] = 1");
    size_t at = k.tree.find("for j: ");
    return at == k.tree.npos
               ? k.diagnostics
               : k.tree.substr(at + 7, k.tree.find(" in range", at) - at - 7) + (k.has("x[j~]") ? "~" : "");
  };
  EXPECT_EQ(counter("n"), "int");
  EXPECT_EQ(counter("i"), "int");
  EXPECT_EQ(counter("v"), "int");
  EXPECT_EQ(counter("u"), "unsigned int");
  EXPECT_EQ(counter("1, u"), "unsigned int");
  EXPECT_EQ(counter("1, u, 2"), "unsigned int");
  EXPECT_EQ(counter("n, u"), "int~");
  EXPECT_EQ(counter("u, 0, -1"), "int");
  EXPECT_EQ(counter("n, 0, -1"), "int");
  EXPECT_EQ(counter("n, -1, -1"), "int");
  EXPECT_EQ(counter("n, -2, -1"), "int~");
  EXPECT_EQ(counter("gpu.grid(1), n, gpu.gridsize(1)"), "int");
  EXPECT_EQ(counter("0, 10, n"), "int~");
  EXPECT_EQ(counter("math.ceil(n / 2)"), "int");
}

// The right side is evaluated once, and operands from left to right.
TEST(InferFlow, EvaluatesOnceAndInOrder) {
  Inferred k = infer_body("x: int32[:], c: int32[:]", "x[gpu.atomic.add(c, 0, 1)] += 5");
  EXPECT_EQ(k.count("atomic_add"), 1u) << k.tree;
  k = infer_body("x: int32[:], c: int32[:]", "if 0 < gpu.atomic.add(c, 0, 1) < 5:\n    x[0] = 1");
  EXPECT_EQ(k.count("atomic_add"), 1u) << k.tree;
  k = infer_body("x: int32[:], c: int32[:]",
                 "x[0] = gpu.atomic.add(c, 0, 1) - (0 < gpu.atomic.add(c, 1, 1) < 5)");
  EXPECT_LT(k.tree.find("atomic_add(c[0]"), k.tree.find("atomic_add(c[1]")) << k.tree;
  k = infer_body("x: int32[:], n: int", "y = n + (n := n + 1) * n\nx[0] = y");
  EXPECT_TRUE(k.has(".t: int = n")) << "the n on the left is the old one:\n" << k.tree;
}

// A middle operand that needs a temporary stays behind the condition that guards it.
TEST(InferFlow, GuardsGuardTemporaries) {
  Inferred k = infer_body("x: int32[:], i: int", "if i < len(x) and 0 < x[i] < 5:\n    x[i] = 1");
  EXPECT_LT(k.tree.find("if "), k.tree.find("= x[i~]")) << k.tree;
  k = infer_body("x: int32[:], i: int", "x[0] = x[i] ** 2 if i < len(x) else 7");
  EXPECT_LT(k.tree.find("if "), k.tree.find("x[i~]")) << k.tree;
}

TEST(InferFlow, SwapsGoThroughTemporaries) {
  Inferred k = infer_body("x: int32[:], n: int, m: int", "n, m = m, n\nx[0] = n\nx[n], x[m] = x[m], x[n]");
  EXPECT_TRUE(k.has(".t: int = m\n  .t.1: int = n\n  n: int = .t\n  m: int = .t.1")) << k.tree;
  EXPECT_LT(k.tree.find("= x[n~]"), k.tree.find("  x[n~] = ")) << k.tree;
}

TEST(InferFlow, TupleLoopsUnrollWithConstants) {
  Inferred k = infer_body("x: uint32[:]", "for d in (16, 8, 4):\n    x[0] ^= x[0] >> d");
  EXPECT_EQ(k.count("shr("), 3u) << k.tree;
  EXPECT_FALSE(k.has("for "));
  k = infer_body("x: uint32[:]",
                 "for d in (16, 8):\n    if x[d] == 3:\n        continue\n    if x[d] == 4:\n        break\n "
                 "   x[0] = d\nelse:\n    x[1] = 1");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_EQ(k.count("else:"), 1u) << k.tree;
}

// What a loop goes over is what it was before the loop.
TEST(InferFlow, LoopsKeepWhatTheyGoOver) {
  Inferred k = infer_body("x: float32[:], y: float32[:], n: int, m: int",
                          "for i in (1, n, m):\n    n = 7\n    m = i\n    x[i] = n");
  EXPECT_TRUE(k.has(".t: int = n\n  .t.1: int = m\n")) << k.tree;
  k = infer_body("x: float32[:], y: float32[:], n: int",
                 "for i, v in enumerate(x, n):\n    n = 3\n    x, y = y, x\n    y[i] = v");
  EXPECT_TRUE(k.has(".t: float32[:] = x")) << k.tree;
  k = infer_body("x: float32[:], n: int, m: int",
                 "if m + 1 in range(n):\n    x[0] = 1\nif m + 1 in (n, m):\n    x[1] = 1");
  EXPECT_LT(k.tree.find("= add(m, 1)"), k.tree.find("if and(ge(")) << k.tree;
}

TEST(InferFlow, IterationOverArraysZipEnumerateReversed) {
  Inferred k = infer_body("x: float32[:], m: float32[:, :]",
                          "for row in m:\n    for v in row:\n        x[0] += v\n"
                          "for i, v in enumerate(x, 1):\n    x[i] = v\n"
                          "for a, b in zip(x, range(5, 20, 2)):\n    x[0] = a * b\n"
                          "for i in reversed(range(3, 10)):\n    x[i] = i\n"
                          "for i, (a, b) in enumerate(((1, 2), (3, 4))):\n    x[i] = a + b");
  EXPECT_EQ(k.diagnostics, "");
}

TEST(InferFlow, ChoosingArrays) {
  Inferred k = infer_body("x: float32[::1], y: float32[:], flag: bool",
                          "if flag:\n    src = x\nelse:\n    src = y\ns = gpu.shared.array(4, np.float32)\n"
                          "if flag:\n    src = s\nx[0] = src[0]\nx, src = src, x\nx[1] = src[1]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("convert<float32[:]>(")) << k.tree;
  EXPECT_TRUE(k.has("generic float32[:]")) << k.tree;
}

// Loops and branches that bind names of their own cost no more for the names there are already.
TEST(InferFlow, ManyNamesTakeNoLonger) {
  std::string body;
  for (int i = 0; i < 2000; ++i) {
    std::string n = std::to_string(i);
    body += "for i" + n + " in range(n):\n    if n > " + n + ":\n        v" + n + " = i" + n +
            "\n    else:\n" + "        v" + n + " = 0.5\n    x[i" + n + "] += v" + n + "\n";
  }
  std::clock_t start = std::clock();
  Inferred k = infer_body("x: float32[:], n: int", body);
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 20);
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_EQ(k.count("for "), 2000u);
}

// What a name is no longer after `del` on one path, and what it is on the other.
TEST(InferFlow, DeletedOnOnePath) {
  Inferred k = infer_body("x: float32[:], n: int", "v = 1.5\nw = 2.5\nif n > 1:\n    del v\nx[0] = v + w");
  EXPECT_NE(k.diagnostics.find("`v` is assigned on some paths only"), std::string::npos) << k.diagnostics;
  EXPECT_EQ(k.diagnostics.find("`w`"), std::string::npos) << k.diagnostics;
  k = infer_body("x: float32[:], n: int", "v = 1.5\ndel v\nx[0] = v");
  EXPECT_NE(k.diagnostics.find("`v` is used before it is assigned"), std::string::npos) << k.diagnostics;
}

TEST(InferFlow, MatchOnIntegers) {
  Inferred k = infer_body("x: int32[:], n: int",
                          "match n:\n    case 1:\n        x[0] = 1\n    case 2 | -3:\n        x[0] = 2\n    "
                          "case _ if n > 9:\n        x[0] = n\n    case _:\n        x[0] = 3");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_EQ(k.count("if "), 3u) << k.tree;
}

}  // namespace
}  // namespace lanewise::frontend
