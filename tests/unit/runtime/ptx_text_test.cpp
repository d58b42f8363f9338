// PTX as text: what is taken over, renamed, refused.
#include "runtime/cuda/ptx_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/cuda/assembler_log.h"

namespace lanewise::runtime::cuda {
namespace {

constexpr const char* kHead = ".version 7.0\n.target sm_80\n.address_size 64\n";

std::string kernel_calling(const std::string& name, const std::string& more = "") {
  return std::string(kHead) + ".extern .func (.param .b32 r) " + name + "(.param .b32 a);\n" + more +
         ".visible .entry k(.param .u64 p) .maxntid 32, 1, 1\n{ call (r), " + name + ", (a); ret; }\n";
}

PtxUnit unit(const std::string& body, const std::string& name = "unit", bool isolated = false) {
  return {name, kHead + body, isolated};
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

std::string refusal(const std::string& kernel, const std::vector<PtxUnit>& units) {
  try {
    merge_ptx(kernel, units);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(PtxText, Statements) {
  PtxModule module = parse_ptx(
      "// made by hand\n.version 6.3\n.target sm_75, debug\n.address_size 64\n.file 1 \"a;b.cu\"\n"
      ".visible .const .align 4 .b8 table[8] = {1, 2};\n.global .u64 address = generic(table);\n"
      ".extern .shared .align 16 .b8 dynamic[];\n/* } */ .weak .func f(.param .b64 x)\n"
      "{\n .reg .b32 %r<2>; // }\n { ret; }\n}\n.section .debug_str { .b8 1 }\n");
  EXPECT_EQ(module.version, 63);
  EXPECT_EQ(module.target, "sm_75, debug");
  ASSERT_EQ(module.items.size(), 6u);
  EXPECT_EQ(module.items[1].name, "table");
  EXPECT_TRUE(module.items[1].visible);
  EXPECT_EQ(module.items[2].name, "address");
  EXPECT_EQ(module.items[2].mentions.back(), "table");
  EXPECT_EQ(module.items[3].name, "dynamic");
  EXPECT_TRUE(module.items[3].external);
  EXPECT_EQ(module.items[4].name, "f");
  EXPECT_EQ(module.items[4].kind, PtxItem::Kind::Function);
}

TEST(PtxText, Words) {
  std::string text =
      std::string(kHead) + ".global .align 4 .u32 a[3] = {1, 70000};\n.global .b8 b[9] = {1, 2, 3, 4, 5};\n";
  EXPECT_EQ(ptx_words(text, "a"), (std::vector<uint32_t>{1, 70000, 0}));
  EXPECT_EQ(ptx_words(text, "b"), (std::vector<uint32_t>{0x04030201, 5}));
  EXPECT_TRUE(ptx_words(text, "c").empty());
}

TEST(MergePtx, TakesWhatIsReached) {
  MergedPtx merged =
      merge_ptx(kernel_calling("f"),
                {unit(".global .u32 used;\n.global .u32 unused;\n.visible .func (.param .b32 r) f(.param "
                      ".b32 a) { ld.global.u32 "
                      "%r1, [used]; call g; ret; }\n.func g() { ret; }\n.visible .func h() { ret; }\n")});
  EXPECT_EQ(merged.text.find("unused"), std::string::npos);
  EXPECT_EQ(merged.text.find(" h()"), std::string::npos);
  EXPECT_EQ(merged.text.find(".visible .func"), std::string::npos);
  EXPECT_EQ(merged.text.find(".extern"), std::string::npos);
  EXPECT_NE(merged.text.find(".visible .entry k"), std::string::npos);
  EXPECT_TRUE(merged.unresolved.empty());
}

TEST(MergePtx, ErrorsInWhatIsLinkedAreThatFiles) {
  std::string text =
      merge_ptx(kernel_calling("f"),
                {unit(".global .u32 odd = nothing;\n.visible .func (.param .b32 r) f(.param .b32 a) {\n"
                      "// begin inline asm\nfrobnicate.u32 [odd];\n// end inline asm\nret; }\n",
                      "odd.cu\nline 2")})
          .text;
  auto said_of = [&](const std::string& part) {
    auto number = std::count(text.begin(), text.begin() + static_cast<long>(text.find(part)), '\n') + 1;
    return explain_assembler_log(text, "ptxas input, line " + std::to_string(number) + "; error : Odd");
  };
  EXPECT_EQ(said_of("frobnicate"), "in what is linked to the kernel, odd.cu line 2: `frobnicate.u32 [odd]`");
  EXPECT_EQ(said_of("= nothing"),
            "in what is linked to the kernel, odd.cu line 2: `.global .u32 odd = nothing`");
  EXPECT_EQ(said_of(".entry"), "this is code that lanewise made: please report it");
}

TEST(MergePtx, HighestVersionOfWhatIsTaken) {
  PtxUnit newer{"newer",
                ".version 9.0\n.target sm_80\n.visible .func (.param .b32 r) f(.param .b32 a) { ret; }",
                false};
  EXPECT_EQ(merge_ptx(kernel_calling("f"), {newer}).version, 90);
  EXPECT_TRUE(merge_ptx(kernel_calling("f"), {newer}).text.starts_with(".version 9.0\n.target sm_80\n"));
  EXPECT_EQ(merge_ptx(kernel_calling("other"), {newer}).version, 70);
}

TEST(MergePtx, NamesMakeWay) {
  std::string body =
      ".global .u32 k;\n.visible .func (.param .b32 r) f(.param .b32 a) { st.global.u32 [k], %k; ret; }\n";
  std::string text = merge_ptx(kernel_calling("f"), {unit(body)}).text;
  EXPECT_NE(text.find(".global .u32 k$1;"), std::string::npos);
  EXPECT_NE(text.find("st.global.u32 [k$1], %k;"), std::string::npos);
  EXPECT_NE(text.find(".visible .entry k("), std::string::npos);
}

TEST(MergePtx, UnitsOfTheirOwnNames) {
  auto source = [](const std::string& name) {
    return ".global .u32 state;\n.visible .func (.param .b32 r) " + name +
           "(.param .b32 a) { ld.global.u32 %r1, [state]; ret; }\n";
  };
  std::string kernel = kernel_calling("f", ".extern .func (.param .b32 r) g(.param .b32 a);\n");
  std::string text = merge_ptx(kernel, {unit(source("f"), "a", true), unit(source("g"), "b", true)}).text;
  EXPECT_EQ(count(text, ".global .u32 state;"), 1u);
  EXPECT_EQ(count(text, ".global .u32 state$1;"), 1u);
  EXPECT_EQ(count(text, "[state$1]"), 1u);
}

TEST(MergePtx, LinkedUnitsShareNames) {
  std::string first =
      ".extern .func inner();\n.extern .func vprintf();\n.visible .func (.param .b32 r) f(.param .b32 a) { "
      "call inner; call vprintf; ret; }\n";
  std::string second = ".visible .func inner() { ret; }\n";
  MergedPtx merged = merge_ptx(kernel_calling("f"), {unit(first, "first"), unit(second, "second")});
  EXPECT_TRUE(merged.unresolved.empty());
  EXPECT_EQ(count(merged.text, ".extern .func"), 1u);  // vprintf
  EXPECT_EQ(merge_ptx(kernel_calling("f"), {unit(first, "first")}).unresolved,
            std::vector<std::string>{"inner"});
  EXPECT_EQ(refusal(kernel_calling("f"), {unit(second, "a"), unit(second, "b")}),
            "`inner` is defined in a and in b");
}

TEST(MergePtx, Unresolved) {
  EXPECT_EQ(merge_ptx(kernel_calling("f"), {}).unresolved, std::vector<std::string>{"f"});
  EXPECT_TRUE(merge_ptx(kernel_calling("vprintf"), {}).unresolved.empty());
}

TEST(MergePtx, NamesThatInstructionsHaveToo) {
  std::string kernel =
      ".version 7.0\n.target sm_80\n.address_size 64\n.extern .func f();\n.visible .entry k() { .reg .b64 "
      "%r<3>; "
      "add.s64 %r1, %r2, 1; min.s64 %r1, %r2, 1; call.uni f, (); ret; }\n";
  std::string text =
      ".global .align 4 .f32 min;\n.func add() { ret; }\n.visible .func f() { .reg .f32 %f<3>;\n\t.loc 1 5 "
      "0\n"
      "ld.global.f32 %f1, [min]; min.f32 %f2, %f1, %f1; add.f32 %f2, %f1, %f1; call.uni add, (); ret; }\n";
  MergedPtx merged = merge_ptx(kernel, {unit(text, "names")});
  for (const char* kept : {"min.f32", "add.f32", "add.s64", "[min]", "call.uni add", ".func add()"})
    EXPECT_NE(merged.text.find(kept), std::string::npos) << kept << " in\n" << merged.text;
  EXPECT_EQ(count(merged.text, "$1"), 0u) << merged.text;
  EXPECT_EQ(count(merged.text, ".loc"), 0u) << merged.text;
  // A function that looks like the system's is not, where it is defined.
  std::string named = ".visible .func cuda_most() { ret; }\n";
  EXPECT_NE(
      merge_ptx(kernel_calling("cuda_most"), {unit(named, "named")}).text.find(".func cuda_most() { ret; }"),
      std::string::npos);
}

TEST(MergePtx, WhatIsNoPtx) {
  for (const char* text :
       {"", "hello", ".version 7.0", ".version 7.0\n.target sm_80\n.func f(", ".func f() {",
        ".version 7.0\n.target sm_80\n.global .u32 x = ", "\"", "/*", ".version 7.0\n.target sm_80\n{"}) {
    std::string said = refusal(kernel_calling("f"), {{"bad", text, false}});
    EXPECT_NE(said.find("bad: malformed PTX"), std::string::npos) << text << ": " << said;
  }
}

}  // namespace
}  // namespace lanewise::runtime::cuda
