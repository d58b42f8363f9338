// What inlining makes of calls, and what it leaves. That results stay is random_program_test.cpp's.
#include <gtest/gtest.h>

#include "ir/ir.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

std::string inlined(const std::string& text, bool expect_change = true) {
  Module module = parse_text(text);
  EXPECT_EQ(inline_calls(module), expect_change);
  auto error = verify(module);
  EXPECT_FALSE(error) << error->message << "\n" << print(module);
  return print(module);
}

const char* const kHelper = R"(
function @helper(%a: i32) -> i32 {
  %zero = const 0 : i32
  %c = lt %a, %zero : bool
  if %c then {
    %b = neg %a : i32
    return %b
  } else {
    yield
  }
  return %a
}
)";

TEST(InlineCalls, ReturnsLeaveTheScope) {
  std::string text = inlined(std::string(R"(
function @f(%x: i32) -> i32 {
  %y = call @helper %x : i32
  %z = call @helper %y : i32
  return %z
}
)") + kHelper);
  EXPECT_FALSE(has(text, "call"));
  EXPECT_FALSE(has(text, "@helper(")) << "what nothing calls goes";
  EXPECT_EQ(count(text, "scope"), 2u);
  EXPECT_EQ(count(text, "leave 0"), 2u);
  EXPECT_EQ(count(text, "return"), 1u);
}

TEST(InlineCalls, KeepsTheChainOfCalls) {
  Module module = parse_text(R"(
function @f(%x: i32) -> i32 {
  %y = call @outer %x : i32
  return %y
}
function @outer(%x: i32) -> i32 {
  %one = const 1 : i32
  %y = call @inner %x : i32
  %z = add %y, %one : i32
  return %z
}
function @inner(%x: i32) -> i32 {
  %y = mul %x, %x : i32
  return %y
}
)");
  inline_calls(module);
  const Function& f = module.entry();
  ASSERT_EQ(f.call_sites.size(), 2u);
  for (const Op& op : f.ops) {
    if (op.kind == OpKind::Add) {
      EXPECT_EQ(f.call_sites[op.call_site].callee, "outer");
    }
    if (op.kind != OpKind::Mul || op.call_site == kNoCallSite) continue;
    const CallSite& site = f.call_sites[op.call_site];
    EXPECT_EQ(site.callee, "inner");
    ASSERT_NE(site.parent, kNoCallSite);
    EXPECT_EQ(f.call_sites[site.parent].callee, "outer");
    EXPECT_EQ(f.call_sites[site.parent].parent, kNoCallSite);
  }
}

TEST(InlineCalls, RecursionStaysACall) {
  std::string text = inlined(R"(
function @f(%n: i32) -> i32 {
  %r = call @even %n : i32
  return %r
}
function @even(%n: i32) -> i32 {
  %r = call @odd %n : i32
  return %r
}
function @odd(%n: i32) -> i32 {
  %r = call @even %n : i32
  return %r
}
)",
                             false);
  EXPECT_EQ(count(text, "call"), 3u);
}

std::string large_helper(const std::string& extra) {
  std::string text = "function @large(%a: i32) -> i32 {\n  %x0 = add %a, %a : i32\n" + extra;
  for (int i = 1; i < 400; ++i)
    text += "  %x" + std::to_string(i) + " = add %x" + std::to_string(i - 1) + ", %a : i32\n";
  return text + "  return %x399\n}\n";
}

TEST(InlineCalls, LargeHelpersStayUnlessCalledOnceOrWithABarrier) {
  std::string once = "function @f(%x: i32) -> i32 {\n  %y = call @large %x : i32\n  return %y\n}\n";
  std::string twice =
      "function @f(%x: i32) -> i32 {\n  %y = call @large %x : i32\n  %z = call @large %y : i32\n  return "
      "%z\n}\n";
  EXPECT_FALSE(has(inlined(once + large_helper("")), "call"));
  EXPECT_TRUE(has(inlined(twice + large_helper(""), false), "call"));
  EXPECT_FALSE(has(inlined(twice + large_helper("  barrier\n")), "call"));
  EXPECT_FALSE(has(inlined(twice + large_helper("  %s = shared_array 4 : ptr<i32, shared>\n")), "call"));
}

// The ops keep their mode: the call site has it.
TEST(InlineCalls, AnotherFloatModeStaysAtTheCallSite) {
  std::string caller =
      "function @f(%x: f32) -> f32 {\n  %y = call @g %x : f32\n  %z = mul %y, %x : f32\n  return %z\n}\n";
  std::string callee = "function @g(%x: f32) -> f32 no_contract {\n  %y = mul %x, %x : f32\n  return %y\n}\n";
  Module module = parse_text(caller + callee);
  EXPECT_TRUE(inline_calls(module));
  int exact = 0, fused = 0;
  for (const Op& op : module.entry().ops)
    if (op.kind == OpKind::Mul) (module.entry().float_mode_of(op).contract ? fused : exact) += 1;
  EXPECT_EQ(exact, 1);
  EXPECT_EQ(fused, 1);
  Module again = parse_text(print(module, {.locations = true}));
  ASSERT_EQ(again.entry().call_sites.size(), 1u);
  EXPECT_FALSE(again.entry().call_sites[0].float_mode.contract);
}

// Each helper of the chain calls the next four ifs deep: inlined to the end it would be deeper than regions
// may be.
TEST(InlineCalls, StopsBeforeRegionsAreTooDeep) {
  constexpr int kHelpers = 300;
  std::string chain = "kernel @k(%x: bool) {\n  call @f0 %x\n  return\n}\n";
  for (int i = 0; i < kHelpers; ++i) {
    std::string call = i + 1 < kHelpers ? "call @f" + std::to_string(i + 1) + " %x\n" : "";
    std::string body = call + "yield\n";
    for (int depth = 0; depth < 4; ++depth)
      body = "if %x then {\n" + body + "} else {\nyield\n}\n" + (depth < 3 ? "yield\n" : "return\n");
    chain += "function @f" + std::to_string(i) + "(%x: bool) {\n" + body + "}\n";
  }
  Module module = parse_text(chain);
  EXPECT_NO_THROW(run_pipeline(module));
  EXPECT_FALSE(verify(module));
}

// --- compact
TEST(Compact, LeavesOnlyTheTree) {
  Module module = parse_text(
      std::string("function @f(%x: i32) -> i32 {\n  %y = call @helper %x : i32\n  return %y\n}\n") + kHelper);
  run_pipeline(module);
  Function& f = module.entry();
  std::string before = print(module);
  size_t ops = f.ops.size();
  compact(f);
  EXPECT_EQ(f.ops.size(), ops);
  EXPECT_EQ(print(module), before);
  fold_constants(f);
  Module garbage = module;
  garbage.entry().values.add({"nobody", kI32});
  compact(garbage.entry());
  EXPECT_EQ(garbage.entry().values.size(), module.entry().values.size());
}

}  // namespace
}  // namespace lanewise::ir
