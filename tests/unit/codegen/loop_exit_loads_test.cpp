// Which loads must be made in every turn of a loop.
#include "codegen/common/loop_exit_loads.h"

#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "tests/support/op_instances.h"

namespace lanewise::test {
namespace {

// The names of the loads that are found, in the order of the text.
std::string found_in(const std::string& body) {
  ir::Module module = module_from(
      "kernel @k(%n: i64, %flag: ptr<i32, global>, %flag.n: i64, %x: ptr<i32, global>, %x.n: i64) {\n"
      "  %z = const 0 : i64\n  %one = const 1 : i64\n  %z32 = const 0 : i32\n  %local = local_array 4 : "
      "ptr<i32, local>\n" +
      body + "  return\n}\n");
  const ir::Function& function = module.entry();
  std::vector<bool> found = codegen::loop_exit_loads(function);
  std::string names;
  for (uint32_t i = 0; i < found.size(); ++i)
    if (found[i]) names += function.values[function.ops[ir::OpId{i}].results[0]].name + " ";
  return names;
}

TEST(LoopExitLoads, ConditionOfAWhile) {
  EXPECT_EQ(found_in(R"(
  while cond() {
    %k = const 0 : i64
    %v = load %flag, %k : i32
    %go = eq %v, %z32 : bool
    yield %go
  } do() {
    %other = load %x, %z : i32
    store %x, %one, %other
    yield
  }
)"),
            "v ");
}

TEST(LoopExitLoads, CarriedFromTheTurnBefore) {
  EXPECT_EQ(found_in(R"(
  %first = load %flag, %z : i32
  %last = while %first : i32 cond(%seen: i32) {
    %go = eq %seen, %z32 : bool
    yield %go, %seen
  } do(%seen2: i32) {
    %next = load %flag, %z : i32
    yield %next
  }
)"),
            "next ");
}

// A helper with two returns, inlined: the condition is which of the two ways out was taken.
TEST(LoopExitLoads, WhatChoosesTheValueOfAScope) {
  EXPECT_EQ(found_in(R"(
  while cond() {
    %ready = scope : bool body {
      %v = load %flag, %z : i32
      %set = ne %v, %z32 : bool
      if %set then {
        %yes = const true : bool
        leave 0 %yes
      } else {
        yield
      }
      %no = const false : bool
      yield %no
    }
    %go = not %ready : bool
    yield %go
  } do() {
    yield
  }
)"),
            "v ");
}

TEST(LoopExitLoads, BreakUnderAnIfInAFor) {
  EXPECT_EQ(found_in(R"(
  for %z, %n, %one do(%i: i64) {
    %a = load %x, %i : i32
    %b = load %flag, %z : i32
    %hit = eq %a, %b : bool
    if %hit then {
      break
    } else {
      yield
    }
    %unused = load %flag, %one : i32
    store %x, %i, %unused
    yield
  }
)"),
            "b ");  // %a is at another address in each turn, %unused decides nothing
}

TEST(LoopExitLoads, LeaveAndReturnFromInnerLoops) {
  EXPECT_EQ(found_in(R"(
  scope body {
    for %z, %n, %one do(%i: i64) {
      for %z, %n, %one do(%j: i64) {
        %row = load %x, %i : i32
        %fixed = load %flag, %z : i32
        %sum = add %row, %fixed : i32
        %done = gt %sum, %z32 : bool
        if %done then {
          leave
        } else {
          yield
        }
        yield
      }
      yield
    }
    yield
  }
)"),
            "row fixed ");
}

TEST(LoopExitLoads, OwnMemoryAndLoopsThatOnlyCount) {
  EXPECT_EQ(found_in(R"(
  for %z, %n, %one do(%i: i64) {
    %v = load %flag, %z : i32
    store %x, %i, %v
    yield
  }
  while cond() {
    %mine = load %local, %z : i32
    %go = eq %mine, %z32 : bool
    yield %go
  } do() {
    yield
  }
)"),
            "");
}

TEST(LoopExitLoads, ThroughTheResultOfAnIf) {
  EXPECT_EQ(found_in(R"(
  while cond() {
    %some = gt %n, %one : bool
    %v = if %some : i32 then {
      %p = load %flag, %z : i32
      yield %p
    } else {
      yield %z32
    }
    %go = eq %v, %z32 : bool
    yield %go
  } do() {
    yield
  }
)"),
            "p ");
}

TEST(LoopExitLoads, ArePtxLoadsThatStayInTheLoop) {
  std::string text = R"(kernel @wait(%flag: ptr<i32, global>, %flag.n: i64) {
  %z = const 0 : i64
  %z32 = const 0 : i32
  while cond() {
    %v = load %flag, %z : i32
    %go = eq %v, %z32 : bool
    yield %go
  } do() {
    yield
  }
  return
}
)";
  for (int sm : {60, 80}) {
    codegen::PtxTarget target{.sm = sm};
    std::string ptx = codegen::emit_ptx(module_from(text), target);
    size_t label = ptx.find("$L__BB0_1:");
    std::string load = sm < 70 ? "ld.volatile.global.b32" : "ld.relaxed.gpu.global.b32";
    EXPECT_NE(ptx.find(load, label == ptx.npos ? ptx.size() : label), ptx.npos) << ptx;
  }
}

}  // namespace
}  // namespace lanewise::test
