// Rules 4.1 to 4.8 of the language page, expression by expression: the type of the result, and what is
// computed at compile time.
#include "ir/ir.h"
#include "tests/unit/frontend/infer_support.h"

namespace lanewise::frontend {
namespace {

// Variables of every type, named after it; n, x, p, w are Python's int, float, bool and an unsigned int.
constexpr const char* kNames = "b, i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, n, x, p, a, m, bf16";
constexpr const char* kTypes =
    "bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, int, float, "
    "bool, "
    "float32[::1], int32[:, :], bfloat16";

Inferred infer_expression(const std::string& expression, InferOptions options = {}) {
  std::string text = "N = 3\nBIG = 2**63\nTAU = 2 * math.pi\nF = np.float32(0.5)\n";
  text += "@gpu.jit(device=True)\ndef f(" + std::string(kNames) + "):\n    return " + expression + "\n";
  return infer_text(text, kTypes, options);
}

// What stands behind `return` in the tree.
std::string returned(const Inferred& inferred) {
  size_t at = inferred.tree.find("  return ");
  return at == inferred.tree.npos ? inferred.diagnostics
                                  : inferred.tree.substr(at + 9, inferred.tree.find('\n', at) - at - 9);
}

struct Row {
  const char* expression;
  const char* type;
};

class Types : public ::testing::TestWithParam<Row> {};
TEST_P(Types, Result) {
  Inferred inferred = infer_expression(GetParam().expression);
  EXPECT_EQ(inferred.result(), GetParam().type) << GetParam().expression << "\n"
                                                << inferred.diagnostics << inferred.tree;
}

// 4.1: the widest typed float decides; Python numbers and integers never widen it.
INSTANTIATE_TEST_SUITE_P(
    Floats, Types,
    ::testing::Values(
        Row{"0.5 * f32", "float32"}, Row{"f32 * x", "float32"}, Row{"n * f32", "float32"},
        Row{"i32 * f32", "float32"}, Row{"i64 * f32", "float32"}, Row{"u64 * f32", "float32"},
        Row{"b * f32", "float32"}, Row{"f32 + f64", "float64"}, Row{"f16 + f32", "float32"},
        Row{"f16 + f16", "float16"}, Row{"f16 * 2", "float16"}, Row{"f16 * 0.5", "float16"},
        Row{"f16 * x", "float32"}, Row{"f16 * n", "float32"}, Row{"f16 * i32", "float32"},
        Row{"f16 * u8", "float32"}, Row{"f16 * b", "float16"}, Row{"f16 + f64", "float64"},
        Row{"bf16 + 1", "bfloat16"}, Row{"bf16 + bf16", "bfloat16"}, Row{"bf16 * 0.5", "bfloat16"},
        Row{"bf16 * x", "float32"}, Row{"bf16 * n", "float32"}, Row{"bf16 + f16", "float32"},
        Row{"bf16 + f32", "float32"}, Row{"math.sqrt(bf16)", "bfloat16"}, Row{"bf16 // 2", "bfloat16"},
        Row{"bf16 * b", "bfloat16"}, Row{"bf16 + f64", "float64"}, Row{"-bf16", "bfloat16"},
        Row{"n * x", "float"}, Row{"n / n", "float"}, Row{"i32 * x", "float64"}, Row{"i32 / 2", "float64"},
        Row{"u8 / u8", "float64"}, Row{"i32 / f32", "float32"}, Row{"f32 ** 2", "float32"},
        Row{"f32 ** n", "float32"}, Row{"f32 ** x", "float32"}, Row{"f32 // 2", "float32"},
        Row{"f32 % n", "float32"}, Row{"math.sqrt(f32)", "float32"}, Row{"math.sqrt(i32)", "float64"},
        Row{"math.sqrt(n)", "float"}, Row{"np.sqrt(u8)", "float64"}, Row{"math.sin(n * 0.1)", "float"},
        Row{"math.atan2(f32, x)", "float32"}, Row{"math.atan2(f32, f64)", "float64"},
        Row{"math.hypot(i32, f32)", "float32"}, Row{"math.sqrt(f16)", "float16"},
        Row{"math.atan2(f16, x)", "float32"}, Row{"F * f64", "float64"}, Row{"F * 2", "float32"},
        Row{"TAU * f32", "float32"}, Row{"-f16", "float16"}, Row{"abs(f32)", "float32"},
        Row{"math.fabs(i32)", "float64"}, Row{"gpu.fma(f32, 2, n)", "float32"}));

// 4.2: integers.
INSTANTIATE_TEST_SUITE_P(
    Integers, Types,
    ::testing::Values(Row{"u8 - u8", "int32"}, Row{"b + b", "int32"}, Row{"i8 * i16", "int32"},
                      Row{"u8 + i8", "int32"}, Row{"u16 + u16", "int32"}, Row{"u16 + u32", "uint32"},
                      Row{"u8 + u32", "uint32"}, Row{"b + u32", "uint32"}, Row{"i8 + u32", "int64"},
                      Row{"i32 + u32", "int64"}, Row{"i32 + u16", "int32"}, Row{"i32 + i64", "int64"},
                      Row{"u32 + i64", "int64"}, Row{"u64 + i64", "uint64"}, Row{"u64 + i8", "uint64"},
                      Row{"u64 + u8", "uint64"}, Row{"u8 + 1", "int32"}, Row{"b + 1", "int32"},
                      Row{"i16 * 300", "int32"}, Row{"i32 + 1", "int32"}, Row{"i32 + 3000000000", "int64"},
                      Row{"i32 - -1", "int32"}, Row{"u32 + 1", "uint32"}, Row{"u32 + -1", "int64"},
                      Row{"u32 * 4000000000", "uint32"}, Row{"u64 + 1", "uint64"}, Row{"u64 - 1", "uint64"},
                      Row{"u64 + -1", "uint64"}, Row{"i32 + True", "int32"}, Row{"u64 * BIG", "uint64"},
                      Row{"i32 + N", "int32"}, Row{"u8 + n", "int64"}, Row{"i32 + n", "int64"},
                      Row{"u32 ^ n", "int64"}, Row{"u64 + n", "uint64"}, Row{"i64 + n", "int64"},
                      Row{"n + n", "int"}, Row{"n + p", "int"}, Row{"p + p", "int"}, Row{"i32 * p", "int64"},
                      Row{"n & 7", "int"}, Row{"b & b", "bool"}, Row{"b | p", "bool"}, Row{"p ^ p", "bool"},
                      Row{"b & 1", "int32"}, Row{"u8 & 15", "int32"}, Row{"u32 & 15", "uint32"},
                      Row{"-u8", "int32"}, Row{"~u8", "int32"}, Row{"~u32", "uint32"}, Row{"-u32", "uint32"},
                      Row{"~b", "bool"}, Row{"-b", "int32"}, Row{"~p", "bool"}, Row{"-p", "int"},
                      Row{"abs(i8)", "int32"}, Row{"abs(u64)", "uint64"}, Row{"+i16", "int32"},
                      Row{"not n", "bool"}, Row{"not f32", "bool"}));

// 4.3 division and powers, 4.4 shifts and comparisons, 4.5 conversions.
INSTANTIATE_TEST_SUITE_P(
    Operators, Types,
    ::testing::Values(
        Row{"i32 // 2", "int32"}, Row{"u64 // 3", "uint64"}, Row{"n // 2", "int"}, Row{"i32 % u8", "int32"},
        Row{"divmod(i32, 3)", "(int32, int32)"}, Row{"divmod(n, 3)", "(int, int)"}, Row{"i32 ** 3", "int32"},
        Row{"u8 ** 2", "int32"}, Row{"i32 ** i32", "int32"}, Row{"2 ** i32", "int32"}, Row{"2 ** n", "int"},
        Row{"n ** n", "int"}, Row{"i32 ** 0.5", "float64"}, Row{"i32 ** f32", "float32"},
        Row{"pow(i32, 2)", "int32"}, Row{"math.pow(i32, 2)", "float64"}, Row{"u8 << 4", "uint32"},
        Row{"u16 >> 2", "uint32"}, Row{"i8 << 1", "int32"}, Row{"b << 1", "int32"}, Row{"u64 >> 3", "uint64"},
        Row{"i32 << n", "int32"}, Row{"n << 3", "int"}, Row{"1 << i32", "int64"}, Row{"1 << n", "int"},
        Row{"i32 < n", "bool"}, Row{"n < 3", "bool"}, Row{"u64 < i64", "bool"}, Row{"b == p", "bool"},
        Row{"int(f32)", "int"}, Row{"int(u64)", "unsigned int"}, Row{"int(u8)", "int"},
        Row{"float(f32)", "float"}, Row{"bool(n)", "bool"}, Row{"round(f32)", "int"},
        Row{"round(f32, 2)", "float32"}, Row{"round(n)", "int"}, Row{"np.float32(n)", "float32"},
        Row{"gpu.int8(n)", "int8"}, Row{"a.dtype.type(n)", "float32"}, Row{"np.bool_(f32)", "bool"},
        Row{"math.floor(f32)", "float32"}, Row{"math.floor(n)", "int"}, Row{"np.floor(n)", "float"},
        Row{"math.isnan(f32)", "bool"}, Row{"math.frexp(f32)", "(float32, int)"},
        Row{"math.modf(f32)", "(float32, float32)"}, Row{"math.ldexp(f32, n)", "float32"},
        Row{"math.log(f32, 2)", "float32"}, Row{"math.degrees(f32)", "float32"},
        Row{"np.deg2rad(i32)", "float64"}));

// 4.6: joins.
INSTANTIATE_TEST_SUITE_P(
    Joins, Types,
    ::testing::Values(
        Row{"f32 if p else 0", "float32"}, Row{"f32 if p else 0.0", "float32"},
        Row{"0 if p else f32", "float32"}, Row{"u8 if p else 0", "uint8"}, Row{"u8 if p else 255", "uint8"},
        Row{"u8 if p else 256", "int32"}, Row{"u8 if p else -1", "int32"}, Row{"u8 if p else n", "int64"},
        Row{"i32 if p else u32", "int64"}, Row{"u8 if p else u8", "uint8"}, Row{"i64 if p else n", "int64"},
        Row{"f64 if p else x", "float64"}, Row{"f32 if p else x", "float32"},
        Row{"f16 if p else x", "float32"}, Row{"f16 if p else 1", "float16"}, Row{"1 if p else 2.5", "float"},
        Row{"n if p else 2.5", "float"}, Row{"True if p else 2", "int"}, Row{"b if p else True", "bool"},
        Row{"b if p else 1", "int32"}, Row{"b if p else p", "bool"}, Row{"i32 if p else 0.5", "float64"},
        Row{"(n, f32) if p else (1, 2)", "(int, float32)"}, Row{"a if p else a[1:]", "float32[::1]"},
        Row{"a if p else a[::2]", "float32[:]"}, Row{"f32 and n", "float32"}, Row{"n or 3", "int"},
        Row{"u8 or 0", "uint8"}, Row{"f32 and f64", "float64"}, Row{"min(u8, 200)", "uint8"},
        Row{"min(i32, n)", "int64"}, Row{"max(f32, 0, n)", "float32"}, Row{"min(n, 3)", "int"},
        Row{"max((i32, 3, i8))", "int32"}, Row{"np.maximum(u8, u8)", "uint8"}, Row{"max(b, b)", "bool"},
        Row{"np.where(b, f32, 0)", "float32"}, Row{"np.clip(f32, 0, 1)", "float32"},
        Row{"sum((i32, 2, 3))", "int32"}));

INSTANTIATE_TEST_SUITE_P(
    Arrays, Types,
    ::testing::Values(Row{"a[0]", "float32"}, Row{"a[n]", "float32"}, Row{"m[0]", "int32[:]"},
                      Row{"m[0][1]", "int32"}, Row{"m[:, 0]", "int32[:]"}, Row{"m[0, ...]", "int32[:]"},
                      Row{"m[...]", "int32[:, :]"}, Row{"a[:3]", "float32[::1]"}, Row{"a[::2]", "float32[:]"},
                      Row{"a[::-1]", "float32[:]"}, Row{"a.shape", "(int,)"}, Row{"m.shape", "(int, int)"},
                      Row{"m.strides", "(int, int)"}, Row{"a.size", "int"}, Row{"len(m)", "int"},
                      Row{"m.T", "int32[:, :]"}, Row{"m[u8, i64]", "int32"},
                      Row{"a[math.floor(f32)]", "float32"}, Row{"a[(n,)]", "float32"},
                      Row{"m[(n, 0)]", "int32"}, Row{"(n, f32, 3)[1]", "float32"},
                      Row{"(1, 2, 3)[-1]", "int"}, Row{"(1, f32)[n]", "float32"},
                      Row{"(1, 2, 3)[1:]", "(int, int)"}, Row{"(1, 2) + (x,)", "(int, int, float)"}));

TEST(InferNumbers, PythonFloat32HoldsPythonFloatsIn32Bits) {
  InferOptions options;
  options.python_float32 = true;
  EXPECT_EQ(infer_expression("n / 3", options).result(), "short float");
  EXPECT_EQ(infer_expression("n * 0.5", options).result(), "short float");
  EXPECT_EQ(infer_expression("f64 * 0.5", options).result(), "float64");
  EXPECT_EQ(infer_expression("i32 / 2", options).result(), "float64");
  EXPECT_EQ(infer_expression("math.sqrt(n)", options).result(), "short float");
  EXPECT_EQ(returned(infer_expression("0.1", options)), "0.10000000149011612");
}

// Exactly what Python computes.
TEST(InferNumbers, ConstantsAreComputed) {
  for (auto [expression, value] : std::initializer_list<std::pair<const char*, const char*>>{
           {"2 ** 10 + N", "1027"},
           {"BIG", "9223372036854775808"},
           {"-BIG", "-9223372036854775808"},
           {"2 ** 64 - 1", "expected an error"},
           {"BIG - 1 + BIG", "18446744073709551615"},
           {"7 // -2", "-4"},
           {"-7 % 3", "2"},
           {"(-5.0) % 3.0", "1.0"},
           {"1 / 4", "0.25"},
           {"N == 3 and 5 or 6", "5"},
           {"0 and undefined_name", "0"},
           {"1 if N > 2 else undefined_name", "1"},
           {"round(2.5)", "2"},
           {"round(3.5)", "4"},
           {"int(-2.7)", "-2"},
           {"abs(-3)", "3"},
           {"min(3, 2.5)", "2.5"},
           {"min(1, 2)", "1"},
           {"max(1, 2, 3)", "3"},
           {"len((1, 2, 3))", "3"},
           {"math.sqrt(16.0)", "4.0"},
           {"F", "float32(0.5)"},
           {"np.uint8(200) + np.uint8(100)", "int32(300)"},
           {"np.uint32(4294967295) + np.uint32(1)", "uint32(0)"},
           {"np.uint32(1) << 31", "uint32(2147483648)"},
           {"np.uint16(65535) >> 2", "uint32(16383)"},
           {"~np.uint32(0)", "uint32(4294967295)"},
           {"~True", "False"},
           {"3 in (1, 2, 3)", "True"},
           {"4 not in range(0, 10, 2)", "False"},
           {"a.ndim", "1"},
           {"m.dtype == np.int32", "True"},
           {"m.dtype is np.float32", "False"},
           {"\"fast\" == \"slow\"", "False"},
           {"None is None", "True"},
           {"n is None", "False"},
           {"(1, 2) == (1, 2)", "True"},
           {"gpu.warpsize", "32"},
           {"u8 < 300", "lt(int32(u8), int32(300))"},
           {"-1 > u64", "False"},
           {"i32 != 3000000000", "True"}}) {
    std::string got = returned(infer_expression(expression));
    if (std::string(value) == "expected an error")
      EXPECT_NE(got.find("[constant-overflow]"), got.npos) << expression << " gave " << got;
    else
      EXPECT_EQ(got, value) << expression;
  }
}

TEST(InferNumbers, ConstantExponentsMultiplyOut) {
  EXPECT_EQ(returned(infer_expression("f32 ** 1")), "f32");
  EXPECT_EQ(returned(infer_expression("f32 ** 2")), "mul(f32, f32)");
  EXPECT_EQ(returned(infer_expression("f32 ** 3")), "mul(f32, mul(f32, f32))");
  EXPECT_EQ(returned(infer_expression("f32 ** -1")), "div(float32(1.0), f32)");
  EXPECT_EQ(returned(infer_expression("f32 ** 0")), "pow(f32, float32(0.0))");  // no constant
  EXPECT_EQ(returned(infer_expression("i32 ** 2")), "mul(i32, i32)");
  EXPECT_EQ(returned(infer_expression("i32 ** -2")), "int_pow(i32, int32(-2))");
  EXPECT_EQ(returned(infer_expression("f32 ** 0.5")), "pow(f32, float32(0.5))");
  Inferred eighth = infer_expression("f32 ** 8");  // three squarings
  EXPECT_EQ(eighth.count("mul("), 3u) << eighth.tree;
}

// Rules 3 and 4, where Python raises or leaves the integers.
TEST(InferNumbers, NegativeCountsOfConstants) {
  for (auto [expression, value] : std::vector<std::pair<const char*, const char*>>{{"1 << -1", "0"},
                                                                                   {"5 >> -1", "0"},
                                                                                   {"-5 >> -1", "-1"},
                                                                                   {"-5 << -2", "0"},
                                                                                   {"0 ** -1", "0"},
                                                                                   {"2 ** -1", "0"},
                                                                                   {"1 ** -3", "1"},
                                                                                   {"(-1) ** -3", "-1"},
                                                                                   {"(-1) ** -4", "1"},
                                                                                   {"2.0 ** -1", "0.5"}})
    EXPECT_EQ(returned(infer_expression(expression)), value) << expression;
}

TEST(InferNumbers, ComparisonsAreExact) {
  EXPECT_EQ(returned(infer_expression("i32 < u32")), "lt(int64(i32), int64(u32))");
  EXPECT_EQ(returned(infer_expression("u8 < u8")), "lt(u8, u8)");
  EXPECT_EQ(returned(infer_expression("u8 < 200")), "lt(u8, uint8(200))");
  EXPECT_EQ(returned(infer_expression("f32 > 4.0")), "gt(f32, float32(4.0))");
  EXPECT_EQ(returned(infer_expression("i64 < f32")), "lt(float32(i64), f32)");
  EXPECT_EQ(returned(infer_expression("i64 < u64")), "or(lt(i64, int64(0)), lt(uint64(i64), u64))");
  EXPECT_EQ(returned(infer_expression("u64 < i64")), "and(ge(i64, int64(0)), lt(u64, uint64(i64)))");
  EXPECT_EQ(returned(infer_expression("i64 == u64")), "and(ge(i64, int64(0)), eq(uint64(i64), u64))");
  EXPECT_EQ(returned(infer_expression("i64 != u64")), "or(lt(i64, int64(0)), ne(uint64(i64), u64))");
  EXPECT_EQ(returned(infer_expression("len(a) < u64")), "lt(uint64(a.shape0), u64)");
  EXPECT_EQ(returned(infer_expression("b < p")), "lt(b, p)");
}

// What cannot be negative does not count from the end.
TEST(InferNumbers, WrapsOnlyWhatMayBeNegative) {
  for (const char* index :
       {"0", "gpu.threadIdx.x", "gpu.grid(1)", "u8", "len(a) // 2", "gpu.grid(1) * 4 + 3", "abs(n)", "n % 8",
        "n & 15", "max(n, 0)", "b", "u32 + 1", "min(u8, gpu.grid(1))", "gpu.grid(1) >> 1"})
    EXPECT_EQ(infer_expression("a[" + std::string(index) + "]").count("~"), 0u) << index;
  for (const char* index :
       {"-1", "n", "i32", "gpu.threadIdx.x - 1", "n % -8", "u8 - 1", "~u8", "max(n, -1)", "int(f32)"})
    EXPECT_EQ(infer_expression("a[" + std::string(index) + "]").count("~"), 1u) << index;
}

}  // namespace
}  // namespace lanewise::frontend
