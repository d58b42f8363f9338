// Modules that the text form cannot express; the other rules of the verifier have their golden files in
// tests/golden/verify.
#include "ir/builder.h"
#include "ir/ir.h"
#include "tests/unit/ir/parse_text.h"

namespace lanewise::ir {
namespace {

class Broken : public ::testing::Test {
 protected:
  Broken()
      : module_(parse_text(
            "function @f(%a: i32) -> i32 {\n  %b = add %a, %a : i32\n  scope body {\n    yield\n  }\n"
            "  return %b\n}\n")) {}
  Function& fn() { return module_.entry(); }
  Region& body() { return fn().regions[fn().body]; }
  Op& op(size_t i) { return fn().ops[body().ops[i]]; }
  std::string error() {
    std::optional<VerifyError> found = verify(module_);
    (void)print(module_);  // printing must bear what the verifier refuses
    return found ? found->message : "";
  }
  Module module_;
};

TEST_F(Broken, NotYet) { EXPECT_EQ(error(), ""); }

TEST_F(Broken, NoFunction) { EXPECT_EQ(verify(Module{})->message, "the module has no function"); }

TEST_F(Broken, NoBody) {
  fn().body = {};
  EXPECT_EQ(error(), "@f: has no body");
}

TEST_F(Broken, IdsBeyondTheTables) {
  op(0).operands[1] = ValueId{99};
  EXPECT_EQ(error(), "@f: `%b = add %a, %? : i32`: uses a value that is in no table");
}

TEST_F(Broken, ResultBeyondTheTable) {
  op(0).results[0] = ValueId{99};
  EXPECT_EQ(error(), "@f: `%? = add %a, %a : void`: defines a value that is in no table");
}

TEST_F(Broken, OpBeyondTheTable) {
  body().ops.insert(body().ops.begin(), OpId{77});
  EXPECT_EQ(error(), "@f: an op is in no table");
}

TEST_F(Broken, RegionBeyondTheTable) {
  op(1).regions[0] = RegionId{77};
  EXPECT_EQ(error(), "@f: `scope`: a region is in no table");
}

TEST_F(Broken, OpTwice) {
  body().ops.insert(body().ops.begin(), body().ops[0]);
  EXPECT_EQ(error(), "@f: `%b = add %a, %a : i32`: stands in two places");
}

TEST_F(Broken, RegionTwice) {
  op(1).regions[0] = fn().body;
  EXPECT_EQ(error(), "@f: `scope`: a region takes (i32) instead of ()");
  body().params.clear();
  op(0).operands.clear();
  op(0).kind = OpKind::ThreadIdX;
  EXPECT_EQ(error(), "@f: a region is owned twice");
}

TEST_F(Broken, ValueTwice) {
  op(0).results[0] = body().params[0];
  op(2).operands[0] = body().params[0];
  EXPECT_EQ(error(), "@f: a second definition of value %a");
}

TEST_F(Broken, EmptyRegion) {
  fn().regions[op(1).regions[0]].ops.clear();
  EXPECT_EQ(error(), "@f: a region is empty");
}

TEST_F(Broken, MissingRegion) {
  op(1).regions.clear();
  EXPECT_EQ(error(), "@f: `scope`: has 0 regions");
}

TEST_F(Broken, StrayImmediateAndCallee) {
  op(0).immediate = int64_t{1};
  EXPECT_EQ(error(), "@f: `%b = add 1 %a, %a : i32`: has an immediate");
  op(0).immediate = {};
  op(0).callee = FunctionId{0};
  EXPECT_EQ(error(), "@f: `%b = add %a, %a : i32`: a callee goes with a call and nothing else");
}

TEST_F(Broken, CalleeBeyondTheModule) {
  op(0).kind = OpKind::Call;
  op(0).callee = FunctionId{9};
  EXPECT_EQ(error(), "@f: `%b = call @? %a, %a : i32`: calls a function that is not in the module");
}

TEST_F(Broken, UnknownWidths) {
  fn().values[body().params[0]].type = {Type::Kind::Int, 7};
  EXPECT_EQ(error(), "@f: a region param has type i7");
}

TEST_F(Broken, ImmediateThatIsNotCanonical) {
  op(0).kind = OpKind::Const;
  op(0).operands.clear();
  op(0).immediate = int64_t{1} << 40;
  EXPECT_EQ(error(), "@f: `%b = const 1099511627776 : i32`: the immediate is no literal of the type");
  op(0).immediate = 1.5;
  EXPECT_EQ(error(), "@f: `%b = const 1.5 : i32`: the immediate is no literal of the type");
}

TEST_F(Broken, CallSites) {
  op(0).call_site = 0;
  EXPECT_EQ(error(), "@f: `%b = add %a, %a : i32`: has a call site that does not exist");
  fn().call_sites = {{{0, 0, 1}, "g", 0}};
  EXPECT_EQ(error(), "@f: call site 0 comes before its parent");
}

TEST_F(Broken, NamesOfFunctions) {
  module_.functions.push_back(module_.functions[0]);
  EXPECT_EQ(error(), "two functions are called @f");
  module_.functions[1].name.clear();
  EXPECT_EQ(error(), "a function has no name");
}

TEST_F(Broken, DataThatEndsWithinAnElement) {
  module_.data.push_back({"t", kI32, "12345"});
  EXPECT_EQ(error(), "a data array ends in the middle of an element");
  module_.data[0].element = kI32.pointer(Space::Global);
  EXPECT_EQ(error(), "a data array has elements of type ptr<i32, global>");
}

TEST(Verify, WhatPassesLeaveBehindIsNotLookedAt) {
  Module module = parse_text("function @f() {\n  barrier\n  return\n}\n");
  Function& fn = module.entry();
  fn.ops.add({.kind = OpKind::Add});
  fn.regions.add({});
  fn.regions[fn.body].ops.erase(fn.regions[fn.body].ops.begin());
  EXPECT_FALSE(verify(module));
}

}  // namespace
}  // namespace lanewise::ir
