// Device functions: specialisation, parameters, results, recursion, closures; the program's bounds.
#include "ir/ir.h"
#include "tests/unit/frontend/infer_support.h"

namespace lanewise::frontend {
namespace {

constexpr const char* kDevice = "@gpu.jit(device=True)\n";

TEST(InferCalls, OneSpecialisationForEachSetOfTypes) {
  Inferred k = infer_text(std::string(kDevice) + "def twice(v):\n    return v + v\n" +
                              "@gpu.jit\ndef k(x, y):\n    x[0] = twice(x[0]) + twice(x[1]) + twice(y[0])\n",
                          "float32[:], int32[:]");
  EXPECT_EQ(k.module.functions.size(), 3u) << k.tree;
  EXPECT_TRUE(k.has("def twice(v: float32) -> float32"));
  EXPECT_TRUE(k.has("def twice.1(v: int32) -> int32"));
}

TEST(InferCalls, DefaultsAndKeywords) {
  Inferred k = infer_text(
      "GAIN = 4\n" + std::string(kDevice) + "def f(a, b=GAIN, *, c=np.float32(2)):\n    return a * b - c\n" +
          "@gpu.jit\ndef k(x):\n    x[0] = f(x[0])\n    x[1] = f(c=1, a=x[1])\n    x[2] = f(*(x[2], 3))\n",
      "float32[:]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("f(x[0], 4, float32(2.0))")) << k.tree;
  EXPECT_TRUE(k.has("(x[1], 4, 1)")) << k.tree;
  EXPECT_TRUE(k.has("f(x[2], 3, float32(2.0))")) << k.tree;
}

TEST(InferCalls, ReturnsJoin) {
  Inferred k = infer_text(std::string(kDevice) +
                              "def f(v, n):\n    if n > 2:\n        return v, 0\n    return 1.5, n\n" +
                              "@gpu.jit\ndef k(x, n):\n    a, b = f(x[0], n)\n    x[1] = a * b\n",
                          "float32[:], int32");
  EXPECT_TRUE(k.has("-> (float32, int32)")) << k.tree;
  EXPECT_TRUE(k.has("return (float32(1.5), n)")) << k.tree;
  EXPECT_TRUE(k.has("return (v, int32(0))")) << k.tree;
}

TEST(InferCalls, AnnotationsThatNameOurTypesDeclare) {
  Inferred k =
      infer_text(std::string(kDevice) +
                     "def f(v: np.float64, n: int, s: \"int8\", q: torch.Tensor):\n    return v * n\n" +
                     "@gpu.jit\ndef k(x):\n    x[0] = f(x[0], x[1], 3, x[2])\n    y: np.float64 = x[0]\n    "
                     "z: float = x[1]\n"
                     "    x[1] = y\n    x[2] = z\n",
                 "float32[:]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("-> float64")) << k.tree;
  EXPECT_TRUE(k.has("y: float64 = float64(x[0])")) << k.tree;
  EXPECT_TRUE(k.has("z: float32 = x[1]")) << k.tree;
}

TEST(InferCalls, ArraysAndViewsGoInAndOut) {
  Inferred k = infer_text(
      std::string(kDevice) + "def first(a, n):\n    if n > 2:\n        return a[1:]\n    return a[::2]\n" +
          std::string(kDevice) + "def clear(a):\n    for i in range(len(a)):\n        a[i] = 0\n" +
          "@gpu.jit\ndef k(m, n):\n    r = first(m[0], n)\n    clear(r)\n    clear(m[:, 1])\n    "
          "clear(m[2])\n",
      "float32[:, ::1], int");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("-> float32[:]")) << k.tree;
}

TEST(InferCalls, FunctionsAreValues) {
  Inferred k = infer_text(std::string(kDevice) + "def square(v):\n    return v * v\n" + std::string(kDevice) +
                              "def apply(f, v):\n    return f(v)\n" +
                              "@gpu.jit\ndef k(x):\n    g = square\n    x[0] = apply(g, x[0]) + "
                              "apply(math.sqrt, x[1]) + apply(np.float32, 3)\n",
                          "float32[:]");
  EXPECT_EQ(k.diagnostics, "");
}

TEST(InferCalls, NestedFunctionsSeeConstants) {
  Inferred k = infer_body("x: float32[:]",
                          "scale = 3\nadd = lambda v, w=2: v * scale + w\ndef neg(v):\n    return -v\nx[0] = "
                          "add(x[0]) + neg(x[1])");
  EXPECT_EQ(k.diagnostics, "");
  // Variables as they are at the call, arrays too.
  k = infer_body(
      "x: float32[:], n: int",
      "def f(v):\n    x[1] = later\n    return v * n\nlater = n + 1\nx[0] = f(x[0])\nn += 2\nx[2] = f(1)");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("def f(v: float32, later: int, n: int, x: float32[:]) -> float32")) << k.tree;
  k = infer_body("x: float32[:], n: int",
                 "def fact(v):\n    return 1 if v < 2 else v * fact(v - 1) + n\nx[0] = fact(5)");
  EXPECT_EQ(k.diagnostics, "");
  k = infer_text(std::string(kDevice) + "def apply(f, v):\n    return f(v)\n" +
                     "@gpu.jit\ndef k(x, n):\n    x[0] = apply(lambda v: v * n, x[0])\n",
                 "float32[:], int");
  EXPECT_NE(k.diagnostics.find("kernels cannot use `n`: it is a variable of the enclosing function"),
            std::string::npos)
      << k.diagnostics;
}

TEST(InferCalls, RecursionSettles) {
  Inferred k = infer_text(
      std::string(kDevice) + "def fact(n):\n    if n <= 1:\n        return 1\n    return n * fact(n - 1)\n" +
          std::string(kDevice) + "def fib(n):\n    return fib(n - 1) + fib(n - 2) if n > 1 else n\n" +
          "@gpu.jit\ndef k(x):\n    x[0] = fact(5) + fib(6)\n",
      "int64[:]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_TRUE(k.has("def fact(n: int) -> int")) << k.tree;
}

TEST(InferCalls, MutualRecursionSettles) {
  Inferred k = infer_text(std::string(kDevice) +
                              "def even(n):\n    if n == 0:\n        return True\n    return odd(n - 1)\n" +
                              std::string(kDevice) +
                              "def odd(n):\n    if n == 0:\n        return False\n    return even(n - 1)\n" +
                              "@gpu.jit\ndef k(x):\n    x[0] = even(10)\n",
                          "int64[:]");
  EXPECT_EQ(k.diagnostics, "");
  EXPECT_EQ(k.module.functions.size(), 3u) << k.tree;
}

TEST(InferCalls, ErrorsInsideAreReportedOnceWithTheirCallers) {
  Inferred k =
      infer_text(std::string(kDevice) + "def f(v):\n    return v & 1\n" +
                     "@gpu.jit\ndef k(x):\n    for i in range(3):\n        x[i] = f(x[0]) + f(x[1])\n",
                 "float32[:]");
  size_t at = k.diagnostics.find("[operand-types]");
  EXPECT_NE(at, std::string::npos);
  EXPECT_EQ(k.diagnostics.find("[operand-types]", at + 1), std::string::npos) << k.diagnostics;
  EXPECT_NE(k.diagnostics.find("`f` is called here"), std::string::npos);
}

// Everything a program can do to the compiler's time and stack ends in a diagnostic.
TEST(InferCalls, HostileProgramsEnd) {
  std::string chain;
  for (int i = 0; i < 500; ++i)
    chain += std::string(kDevice) + "def f" + std::to_string(i) + "(x):\n    return f" +
             std::to_string(i + 1) + "(x) + 1\n";
  chain += std::string(kDevice) + "def f500(x):\n    return x\n";
  Inferred k = infer_text(chain + "@gpu.jit\ndef k(x):\n    x[0] = f0(1)\n", "int64[:]");
  EXPECT_NE(k.diagnostics.find("[too-deep]"), std::string::npos);

  std::string nest = "@gpu.jit\ndef k(x):\n";
  for (int i = 0; i < 60; ++i)
    nest += std::string(4 + 1u * i, ' ') + "for a" + std::to_string(i) + " in range(3):\n";
  k = infer_text(nest + std::string(64, ' ') + "x[0] += a0\n", "float32[:]");
  EXPECT_EQ(k.diagnostics, "");

  std::string wide = "@gpu.jit\ndef k(x):\n    t = (1, 2)\n";
  for (int i = 0; i < 40; ++i) wide += "    t = (t, t)\n";
  k = infer_text(wide + "    x[0] = 1\n", "float32[:]");
  EXPECT_FALSE(k.diagnostics.empty());
}

}  // namespace
}  // namespace lanewise::frontend
