// What each pass does on small functions. That they keep meaning is random_program_test.cpp's.
#include <gtest/gtest.h>

#include "ir/ir.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

using FunctionPass = bool (*)(Function&);

// The text after the pass on every function; checks that the pass says whether it changed something and that
// a second run does not.
std::string after(FunctionPass pass, const std::string& text, bool expect_change = true) {
  Module module = parse_text(text);
  bool changed = false, again = false;
  for (Function& function : module.functions) changed = pass(function) || changed;
  EXPECT_EQ(changed, expect_change) << text;
  auto error = verify(module);
  EXPECT_FALSE(error) << error->message << "\n" << print(module);
  std::string out = print(module);
  for (Function& function : module.functions) again = pass(function) || again;
  EXPECT_EQ(print(module), out) << "a second run changes more";
  EXPECT_FALSE(again);
  return out;
}

// --- fold_constants
// The function's result as an op of %a (and %b), after folding.
std::string folded(const std::string& body, const std::string& params, const std::string& result,
                   bool change = true) {
  return after(fold_constants,
               "function @f(" + params + ") -> " + result + " {\n" + body + "  return %r\n}\n", change);
}

TEST(FoldConstants, ComputesOnConstants) {
  EXPECT_TRUE(
      has(folded("  %x = const 7 : i32\n  %y = const -2 : i32\n  %r = floor_div %x, %y : i32\n", "", "i32"),
          "%r = const -4 : i32"));
  EXPECT_TRUE(
      has(folded("  %x = const 0.1 : f32\n  %y = const 0.2 : f32\n  %r = add %x, %y : f32\n", "", "f32"),
          "%r = const 0.3 : f32"));
  EXPECT_TRUE(has(folded("  %x = const 300 : i32\n  %r = cast %x : u8\n", "", "u8"), "%r = const 44 : u8"));
}

TEST(FoldConstants, LeavesANaNToRunTime) {
  folded("  %x = const inf : f64\n  %r = sub %x, %x : f64\n", "", "f64", false);
}

TEST(FoldConstants, IntegerIdentities) {
  for (const char* op : {"add %a, %zero", "add %zero, %a", "sub %a, %zero", "mul %a, %one", "mul %one, %a",
                         "floor_div %a, %one", "or %a, %zero", "and %a, %ones", "and %a, %a", "xor %zero, %a",
                         "min %a, %a", "shl %a, %zero", "int_pow %a, %one"}) {
    std::string text =
        folded("  %zero = const 0 : i32\n  %one = const 1 : i32\n  %ones = const -1 : i32\n  %r = " +
                   std::string(op) + " : i32\n",
               "%a: i32", "i32");
    EXPECT_TRUE(has(text, "return %a")) << op;
  }
  for (const char* op : {"mul %a, %zero", "sub %a, %a", "xor %a, %a", "and %zero, %a", "floor_mod %a, %one",
                         "floor_mod %a, %ones", "floor_div %a, %zero", "floor_div %zero, %a"}) {
    std::string text =
        folded("  %zero = const 0 : i32\n  %one = const 1 : i32\n  %ones = const -1 : i32\n  %r = " +
                   std::string(op) + " : i32\n",
               "%a: i32", "i32");
    EXPECT_TRUE(has(text, "%r = const 0 : i32")) << op;
  }
}

TEST(FoldConstants, DivisionByAPowerOfTwo) {
  auto text = [](const char* type, const char* op, const char* by) {
    return folded(
        std::string("  %n = const ") + by + " : " + type + "\n  %r = " + op + " %a, %n : " + type + "\n",
        std::string("%a: ") + type, type);
  };
  EXPECT_TRUE(has(text("i32", "floor_div", "8"), "%0 = const 3 : i32\n  %r = shr %a, %0"));
  EXPECT_TRUE(has(text("i64", "floor_mod", "32"), "%0 = const 31 : i64\n  %r = and %a, %0"));
  EXPECT_TRUE(has(text("u8", "floor_div", "128"), "%0 = const 7 : u8\n  %r = shr %a, %0"));
  folded("  %n = const -128 : i8\n  %r = floor_div %a, %n : i8\n", "%a: i8", "i8", false);
  folded("  %n = const 6 : i32\n  %r = floor_mod %a, %n : i32\n", "%a: i32", "i32", false);
}

TEST(FoldConstants, FloatResultsDoNotChange) {
  for (const char* op : {"mul %a, %one", "div %a, %one", "sub %a, %zero", "add %a, %minus"})
    EXPECT_TRUE(has(
        folded("  %zero = const 0.0 : f64\n  %minus = const -0.0 : f64\n  %one = const 1.0 : f64\n  %r = " +
                   std::string(op) + " : f64\n",
               "%a: f64", "f64"),
        "return %a"))
        << op;
  // -0.0 + 0.0 is 0.0, NaN * 0.0 is NaN, -0.0 - -0.0 is 0.0
  for (const char* op :
       {"add %a, %zero", "mul %a, %zero", "sub %a, %minus", "sub %a, %a", "div %zero, %a", "min %a, %zero"})
    folded("  %zero = const 0.0 : f64\n  %minus = const -0.0 : f64\n  %r = " + std::string(op) + " : f64\n",
           "%a: f64", "f64", false);
  folded("  %r = eq %a, %a : bool\n", "%a: f64", "bool", false);
}

TEST(FoldConstants, CastsInARow) {
  EXPECT_TRUE(has(folded("  %w = cast %a : i64\n  %r = cast %w : i32\n", "%a: i32", "i32"), "return %a"));
  EXPECT_TRUE(
      has(folded("  %w = cast %a : i64\n  %r = cast %w : f64\n", "%a: i32", "f64"), "%r = cast %a : f64"));
  EXPECT_TRUE(
      has(folded("  %w = cast %a : i32\n  %r = cast %w : i8\n", "%a: i64", "i8"), "%r = cast %a : i8"));
  EXPECT_TRUE(has(folded("  %w = cast %a : f64\n  %r = cast %w : f32\n", "%a: f32", "f32"), "return %a"));
  EXPECT_TRUE(has(folded("  %w = cast %a : i32\n  %r = cast %w : bool\n", "%a: bool", "bool"), "return %a"));
  // an i32 above 127 saturates on its way back from float, but wraps as an integer
  folded("  %w = cast %a : f64\n  %r = cast %w : i8\n", "%a: i32", "i8", false);
  folded("  %w = cast %a : i8\n  %r = cast %w : i32\n", "%a: i32", "i32", false);
  folded("  %w = cast %a : f32\n  %r = cast %w : i32\n", "%a: i32", "i32", false);
  folded("  %w = cast %a : f32\n  %r = cast %w : f16\n", "%a: f64", "f16", false);  // two roundings
}

TEST(FoldConstants, NotOfAComparison) {
  EXPECT_TRUE(has(folded("  %c = lt %a, %b : bool\n  %r = not %c : bool\n", "%a: i32, %b: i32", "bool"),
                  "%r = ge %a, %b"));
  EXPECT_TRUE(has(folded("  %c = eq %a, %b : bool\n  %r = not %c : bool\n", "%a: f32, %b: f32", "bool"),
                  "%r = ne %a, %b"));
  folded("  %c = lt %a, %b : bool\n  %r = not %c : bool\n", "%a: f32, %b: f32", "bool", false);  // NaN
  EXPECT_TRUE(has(folded("  %c = not %a : bool\n  %r = not %c : bool\n", "%a: bool", "bool"), "return %a"));
}

TEST(FoldConstants, SelectAndBools) {
  EXPECT_TRUE(
      has(folded("  %t = const true : bool\n  %r = select %t, %a, %b : i32\n", "%a: i32, %b: i32", "i32"),
          "return %a"));
  EXPECT_TRUE(has(folded("  %r = select %c, %a, %a : i32\n", "%c: bool, %a: i32", "i32"), "return %a"));
  EXPECT_TRUE(
      has(folded("  %t = const true : bool\n  %f = const false : bool\n  %r = select %c, %t, %f : bool\n",
                 "%c: bool", "bool"),
          "return %c"));
  EXPECT_TRUE(
      has(folded("  %t = const true : bool\n  %f = const false : bool\n  %r = select %c, %f, %t : bool\n",
                 "%c: bool", "bool"),
          "%r = not %c"));
  EXPECT_TRUE(
      has(folded("  %t = const true : bool\n  %r = and %c, %t : bool\n", "%c: bool", "bool"), "return %c"));
  EXPECT_TRUE(has(folded("  %t = const true : bool\n  %r = or %c, %t : bool\n", "%c: bool", "bool"),
                  "%r = const true"));
  EXPECT_TRUE(
      has(folded("  %f = const false : bool\n  %r = eq %c, %f : bool\n", "%c: bool", "bool"), "%r = not %c"));
  EXPECT_TRUE(
      has(folded("  %f = const false : bool\n  %r = ne %c, %f : bool\n", "%c: bool", "bool"), "return %c"));
}

TEST(FoldConstants, TakesTheBranchThatIsKnown) {
  std::string text = folded(R"(
  %yes = const true : bool
  %r = if %yes : i32 then {
    %b = add %a, %a : i32
    yield %b
  } else {
    yield %a
  }
)",
                            "%a: i32", "i32");
  EXPECT_TRUE(has(text, "return %b"));
  EXPECT_FALSE(has(text, "if"));
}

TEST(FoldConstants, WhatFollowsATakenExitGoes) {
  std::string text = folded(R"(
  %yes = const true : bool
  if %yes then {
    return %a
  } else {
    yield
  }
  %r = add %a, %a : i32
)",
                            "%a: i32", "i32");
  EXPECT_TRUE(has(text, "return %a"));
  EXPECT_FALSE(has(text, "add"));
}

TEST(FoldConstants, AScopeThatNothingLeavesIsItsBody) {
  std::string text = folded(R"(
  %r = scope : i32 body {
    %x = scope : i32 body {
      %c = lt %a, %a2 : bool
      if %c then {
        leave 1 %a
      } else {
        yield
      }
      %y = scope : i32 body {
        %d = add %a, %a2 : i32
        if %c then {
          leave 2 %d
        } else {
          yield
        }
        leave 0 %d
      }
      yield %y
    }
    yield %x
  }
)",
                            "%a: i32, %a2: i32", "i32");
  EXPECT_EQ(count(text, "scope"), 1u) << text;
  EXPECT_EQ(count(text, "leave 0"), 2u) << text;  // the scopes between are gone
  EXPECT_EQ(count(text, "leave"), 2u) << text;
}

TEST(FoldConstants, ALoopWithoutATurnIsWhatItStartsWith) {
  std::string text = folded(R"(
  %five = const 5 : i64
  %one = const 1 : i64
  %r = for %five, %one, %one, %a : i32 do(%k: i64, %x: i32) {
    %y = add %x, %x : i32
    yield %y
  }
)",
                            "%a: i32", "i32");
  EXPECT_FALSE(has(text, "for"));
  EXPECT_TRUE(has(text, "return %a"));
}

TEST(FoldConstants, ResultsThatBothArmsGiveAlike) {
  std::string text = folded(R"(
  %r, %s = if %c : i32, bool then {
    %yes = const true : bool
    yield %a, %yes
  } else {
    %no = const false : bool
    yield %a, %no
  }
)",
                            "%c: bool, %a: i32", "i32");
  EXPECT_TRUE(has(text, "return %a"));
  EXPECT_TRUE(has(text, "  if %c then"));
}

// --- eliminate_common_ops
TEST(EliminateCommonOps, SharesWhatIsVisible) {
  std::string text = after(eliminate_common_ops, R"(
function @f(%c: bool, %a: i32, %b: i32) -> i32 {
  %x = mul %a, %b : i32
  %r = if %c : i32 then {
    %y = mul %b, %a : i32
    %t = thread_id_x : i32
    %s = add %y, %t : i32
    yield %s
  } else {
    %t2 = thread_id_x : i32
    yield %t2
  }
  %z = sub %a, %b : i32
  %w = sub %b, %a : i32
  %u = add %z, %w : i32
  %v = add %u, %x : i32
  return %v
}
)");
  EXPECT_EQ(count(text, " mul "), 1u);
  EXPECT_EQ(count(text, "thread_id_x"), 2u);  // neither arm sees the other
  EXPECT_EQ(count(text, " sub "), 2u);        // the order matters
}

TEST(EliminateCommonOps, KeepsLoadsArraysAndUnequalConstants) {
  after(eliminate_common_ops, R"(
function @f(%p: ptr<i32, global>) -> i32, f64, f64, f32, i64 {
  %i = const 0 : i64
  %a = load %p, %i : i32
  %one = const 1 : i32
  store %p, %i, %one
  %b = load %p, %i : i32
  %s = shared_array 4 : ptr<i32, shared>
  %t = shared_array 4 : ptr<i32, shared>
  %l = local_array 4 : ptr<i32, local>
  %m = local_array 4 : ptr<i32, local>
  store %s, %i, %a
  store %t, %i, %b
  store %l, %i, %a
  store %m, %i, %b
  %zero = const 0.0 : f64
  %minus = const -0.0 : f64
  %zero32 = const 0.0 : f32
  return %a, %zero, %minus, %zero32, %i
}
)",
        false);
}

// --- remove_dead_ops
TEST(RemoveDeadOps, DropsWhatNothingNeeds) {
  std::string text = after(remove_dead_ops, R"(
function @f(%p: ptr<f32, global>, %n: i64, %a: f32, %b: f32) -> f32 {
  %zero = const 0 : i64
  %one = const 1 : i64
  %unused = load %p, %zero : f32
  %s, %t = for %zero, %n, %one, %a, %b : f32, f32 do(%i: i64, %x: f32, %y: f32) {
    %z = mul %x, %x : f32
    %q = add %y, %z : f32
    yield %z, %q
  }
  for %zero, %n, %one do(%i2: i64) {
    %w = load %p, %i2 : f32
    %c = lt %w, %a : bool
    if %c then {
      break
    } else {
      yield
    }
    yield
  }
  return %s
}
)");
  EXPECT_EQ(count(text, "for "), 1u);
  EXPECT_FALSE(has(text, "load"));
  EXPECT_FALSE(has(text, "%q"));
  EXPECT_TRUE(has(text, "do(%i: i64, %x: f32)")) << text;
}

TEST(RemoveDeadOps, ADeadCarriedValueThatFeedsItselfGoes) {
  std::string text = after(remove_dead_ops, R"(
function @f(%n: u32) -> u32 {
  %one = const 1 : u32
  %r, %s = while %n, %n : u32, u32 cond(%x: u32, %y: u32) {
    %c = gt %x, %one : bool
    %y2 = add %y, %one : u32
    yield %c, %x, %y2
  } do(%x2: u32, %y3: u32) {
    %x3 = sub %x2, %one : u32
    %y4 = mul %y3, %y3 : u32
    yield %x3, %y4
  }
  return %r
}
)");
  EXPECT_FALSE(has(text, "%y"));
}

TEST(RemoveDeadOps, KeepsEffectsAndWaysOut) {
  after(remove_dead_ops, R"(
kernel @k(%p: ptr<i32, global>, %c: bool, %n: i64) {
  %zero = const 0 : i64
  %one = const 1 : i64
  %x = const 7 : i32
  for %zero, %n, %one do(%i: i64) {
    if %c then {
      continue
    } else {
      yield
    }
    scope body {
      if %c then {
        leave 0
      } else {
        yield
      }
      %old = atomic_add %p, %i, %x : i32
      yield
    }
    barrier
    yield
  }
  if %c then {
    return
  } else {
    yield
  }
  store %p, %zero, %x
  while cond {
    %w = load %p, %zero : i32
    %more = ne %w, %x : bool
    yield %more
  } do {
    yield
  }
  return
}
)",
        false);
}

TEST(RemoveDeadOps, AnExitMattersOnlyIfWhatItEndsDoes) {
  std::string text = after(remove_dead_ops, R"(
function @f(%c: bool, %a: i32) -> i32 {
  %r = scope : i32 body {
    if %c then {
      leave 0 %a
    } else {
      yield
    }
    %b = add %a, %a : i32
    yield %b
  }
  return %a
}
)");
  EXPECT_FALSE(has(text, "scope"));
}

// --- promote_variables; results are checked by tests/golden/run/variables.ir
TEST(PromoteVariables, CarriesOnlyWhatIsReadLater) {
  std::string text = after(promote_variables, R"(
kernel @k(%p: ptr<i32, global>, %n: i64) {
  %zero = const 0 : i64
  %one = const 1 : i64
  %sum = var : var<i32>
  %scratch = var : var<i32>
  for %zero, %n, %one do(%i: i64) {
    %v = load %p, %i : i32
    set %scratch, %v
    %w = get %scratch : i32
    %old = get %sum : i32
    %new = add %old, %w : i32
    set %sum, %new
    yield
  }
  %s = get %sum : i32
  store %p, %zero, %s
  return
}
)");
  EXPECT_FALSE(has(text, "var"));
  EXPECT_TRUE(has(text, "do(%i: i64, %sum.1: i32)") || has(text, "do(%i: i64, %sum: i32)")) << text;
  EXPECT_EQ(count(text, "yield %"), 1u);
}

TEST(PromoteVariables, AVariableOfOneTurnStaysInIt) {
  std::string text = after(promote_variables, R"(
kernel @k(%p: ptr<i32, global>, %n: i64, %c: bool) {
  %zero = const 0 : i64
  %one = const 1 : i64
  %two = const 2 : i32
  %x = var : var<i32>
  for %zero, %n, %one do(%i: i64) {
    set %x, %two
    if %c then {
      %v = load %p, %i : i32
      set %x, %v
      yield
    } else {
      yield
    }
    %w = get %x : i32
    store %p, %i, %w
    yield
  }
  return
}
)");
  EXPECT_TRUE(has(text, "do(%i: i64) {")) << text;
  EXPECT_TRUE(has(text, "if %c : i32")) << text;
}

TEST(PromoteVariables, PointersChangePlaces) {
  std::string text = after(promote_variables, R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %n: i64) {
  %zero = const 0 : i64
  %one = const 1 : i64
  %from = var : var<ptr<i32, global>>
  %to = var : var<ptr<i32, global>>
  set %from, %a
  set %to, %b
  for %zero, %n, %one do(%i: i64) {
    %p = get %from : ptr<i32, global>
    %q = get %to : ptr<i32, global>
    %v = load %p, %i : i32
    store %q, %i, %v
    set %from, %q
    set %to, %p
    yield
  }
  return
}
)");
  EXPECT_TRUE(has(text, "yield %to, %from") || has(text, "yield %to.1, %from.1")) << text;
}

TEST(PromoteVariables, WhatNoThreadComesToIsUnreachable) {
  std::string text = after(promote_variables, R"(
function @f(%c: bool, %a: i32, %b: i32) -> i32 {
  %x = var : var<i32>
  if %c then {
    return %a
  } else {
    return %b
  }
  %y = get %x : i32
  return %y
}
)");
  EXPECT_TRUE(has(text, "unreachable"));
  EXPECT_FALSE(has(text, "const"));
}

}  // namespace
}  // namespace lanewise::ir
