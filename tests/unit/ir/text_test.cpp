// The text form: parse and print are inverse, names, numbers, errors, hostile input.
#include <cmath>
#include <limits>

#include "ir/builder.h"
#include "tests/unit/ir/parse_text.h"

namespace lanewise::ir {
namespace {

void expect_same(const std::string& text) { EXPECT_EQ(print(parse_text(text)), text); }

TEST(IrText, AllParts) {
  expect_same(R"(data 0 @lut : f32 {
  0000803f 00000040
}

data 1 : u8 {}

kernel @k(%n: i64, %go: bool) no_contract fast_math {
  %lut = data 0 : ptr<f32, const>
  %zero = const 0 : i64
  %sum, %count = while %zero, %n : i64, i64 cond(%a: i64, %b: i64) {
    %c = lt %a, %n : bool
    yield %c, %a, %b
  } do(%a.1: i64, %b.1: i64) {
    if %go then {
      break %a.1, %b.1
    } else {
      continue %b.1, %a.1
    }
    unreachable
  }
  barrier
  %v, %w = call @f %zero : f64, bool
  return
}

function @f(%x: i64) -> f64, bool {
  %y = cast %x : f64
  %r = scope : f64 body {
    leave 0 %y
  }
  %t = const true : bool
  return %r, %t
}
)");
}

TEST(IrText, LocationsAndCallSites) {
  std::string text = R"(function @f() {
  site 0 @"<lambda>" loc(0:10:20)
  site 1 @inner loc(1:30:40) at 0
  %a = const 1 : i32 loc(0:5:6) at 1
  scope loc(0:7:9) body {
    yield loc(0:8:8)
  }
  return loc(0:9:9)
}
)";
  Module module = parse_text(text);
  EXPECT_EQ(print(module, {.locations = true}), text);
  EXPECT_EQ(module.entry().call_sites[0].callee, "<lambda>");
  EXPECT_EQ(module.entry().call_sites[1], (CallSite{{1, 30, 40}, "inner", 0}));
}

TEST(IrText, AnOpWithoutALocationIsAtItsText) {
  Module module = parse_text("function @f() {\n  barrier\n  return\n}\n");
  EXPECT_EQ(module.entry().ops[OpId{0}].range, (SourceRange{0, 18, 25}));
}

TEST(IrText, NamesAreMadeUnique) {
  Module module;
  module.functions.resize(1);
  Builder b(module, module.functions[0]);
  b.function().name = "f";
  for (const char* hint : {"acc", "acc", "acc.1", "", "7", "a b", "acc", "\xCF\x80"}) b.param(kI32, hint);
  b.emit_void(OpKind::Return);
  std::string text = print(module);
  EXPECT_EQ(text,
            "function @f(%acc: i32, %acc.1: i32, %acc.2: i32, %0: i32, %1: i32, %a_b: i32, %acc.3: i32, "
            "%\xCF\x80: i32) {\n"
            "  return\n}\n");
  expect_same(text);
}

TEST(IrText, NamesOfFunctionsAreQuotedWhereNeeded) {
  expect_same("function @\"a \\\"b\\\" \\\\ \\x0a\"() {\n  return\n}\n");
}

TEST(IrText, NumbersRoundTrip) {
  expect_same(R"(function @f() {
  %0 = const -128 : i8
  %1 = const 18446744073709551615 : u64
  %2 = const -9223372036854775808 : i64
  %3 = const false : bool
  %4 = const 0.1 : f32
  %5 = const 0.1 : f64
  %6 = const -0.0 : f16
  %7 = const nan : f32
  %8 = const inf : f64
  %9 = const -inf : f16
  %10 = const 5e-324 : f64
  %11 = const 1.7976931348623157e+308 : f64
  %12 = const 1e-45 : f32
  %13 = const 16777216.0 : f32
  %14 = const 6e-08 : f16
  return
}
)");
}

TEST(IrText, FloatsOfEveryKindComeBackExactly) {
  Module module;
  module.functions.resize(1);
  Builder b(module, module.functions[0]);
  b.function().name = "f";
  std::vector<double> values;
  for (int exponent = -1074; exponent < 1024; exponent += 13)
    for (double m : {1.0, 1.1, 1.9999999999999998, -1.3}) values.push_back(std::ldexp(m, exponent));
  for (Type type : {kF16, kF32, kF64})
    for (double value : values) b.const_float(type, value);
  b.emit_void(OpKind::Return);
  Module again = parse_text(print(module));
  ASSERT_EQ(again.entry().ops.size(), module.entry().ops.size());
  for (uint32_t i = 0; i < module.entry().ops.size(); ++i)
    EXPECT_EQ(again.entry().ops[OpId{i}].immediate, module.entry().ops[OpId{i}].immediate) << i;
}

TEST(IrText, ConvenientForms) {
  Module module = parse_text("# comment\nfunction @f()->f32{%a=const 2:f32 # two\n\treturn %a}");
  EXPECT_EQ(print(module), "function @f() -> f32 {\n  %a = const 2.0 : f32\n  return %a\n}\n");
  EXPECT_EQ(print(parse_text("function @f() { scope body { leave } return }")),
            "function @f() {\n  scope body {\n    leave 0\n  }\n  return\n}\n");
}

TEST(IrText, AnOpTakesNothingFromTheNextLine) {
  Module module = parse_text("function @f(%a: i32) {\n  barrier\n  %b = add %a, %a : i32\n  return\n}\n");
  EXPECT_TRUE(module.entry().ops[OpId{0}].operands.empty());
}

TEST(IrText, Errors) {
  EXPECT_EQ(parse_error(""), "1:1 expected `kernel` or `function`");
  EXPECT_EQ(parse_error("function @f() {\n  return\n"), "3:1 expected `}`");
  EXPECT_EQ(parse_error("function @f() {\n  retrun\n}"), "2:3 unknown op `retrun`");
  EXPECT_EQ(parse_error("function @f() {\n  return %x\n}"), "2:11 `%x` is not defined before its use");
  EXPECT_EQ(parse_error("function @f(%x: i32, %x: i32) { return }"), "1:23 a second definition of `%x`");
  EXPECT_EQ(parse_error("function @f() { return }\nfunction @f() { return }"), "2:11 a second function `f`");
  EXPECT_EQ(parse_error("function @f() {\n  call @g\n  return\n}"), "2:9 no function `g`");
  EXPECT_EQ(parse_error("function @f() { %a = const 256 : u8 return }"),
            "1:28 the number does not fit the type");
  EXPECT_EQ(parse_error("function @f() { %a = const -1 : u64 return }"),
            "1:28 the number does not fit the type");
  EXPECT_EQ(parse_error("function @f() { %a = const 9223372036854775808 : i64 return }"),
            "1:28 the number does not fit the type");
  EXPECT_EQ(parse_error("function @f() { %a = const 18446744073709551616 : u64 return }"),
            "1:28 malformed number `18446744073709551616`");
  EXPECT_EQ(parse_error("function @f() { %a = const 1.5 : i32 return }"), "1:28 a float for an integer type");
  EXPECT_EQ(parse_error("function @f() { %a = const 1 : i33 return }"), "1:32 expected a type");
  EXPECT_EQ(parse_error("function @f() { barrier at 0 return }"), "1:28 no such call site before this");
  EXPECT_EQ(parse_error("data 1 : u8 {}\nfunction @f() { return }"),
            "1:7 data arrays are numbered 0, 1, ... in order");
  EXPECT_EQ(parse_error("data 0 : u8 { 0 }\nfunction @f() { return }"),
            "1:16 an odd number of hexadecimal digits");
}

TEST(IrText, NestingHasALimit) {
  std::string deep = "function @f() {";
  for (int i = 0; i < 100000; ++i) deep += " scope body {";
  EXPECT_NE(parse_error(deep).find("regions are nested too deep"), std::string::npos);

  std::string legal = "function @f() {";
  for (int i = 0; i < 999; ++i) legal += " scope body {";
  for (int i = 0; i < 999; ++i) legal += " yield }";
  Module module = parse_text(legal + " return }");
  EXPECT_FALSE(verify(module));
  EXPECT_EQ(print(parse_text(print(module))), print(module));

  std::string type = "function @f(%a: ";
  for (int i = 0; i < 100000; ++i) type += "var<";
  EXPECT_EQ(parse_error(type), "1:17 expected a type");
}

TEST(IrText, EveryOpHasItsOwnMnemonic) {
  for (size_t i = 0; i < kOpCount; ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_NE(kOps[i].text, kOps[j].text);
}

TEST(Reference, HasARowForEveryOp) {
  std::string text = reference_markdown();
  for (const OpInfo& op : kOps)
    EXPECT_NE(text.find("\n| `" + std::string(op.text) + "` |"), std::string::npos) << op.text;
  EXPECT_NE(text.find("### Atomics\n"), std::string::npos);
  EXPECT_NE(text.find("`math.sin`, `numpy.sin`"), std::string::npos);
  EXPECT_NE(text.find("| `or` | `(T:bits, T) -> T` | `\\|` |"), std::string::npos);
}

}  // namespace
}  // namespace lanewise::ir
