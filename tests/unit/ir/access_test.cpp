// Which parameters a kernel reads and writes, followed through everything that hands pointers on.
#include <gtest/gtest.h>

#include "ir/ir.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

// "r", "w", "rw" or "-" for each parameter.
std::string access(const std::string& text) {
  Module module = parse_text(text);
  std::string out;
  for (Access a : parameter_access(module)) {
    if (!out.empty()) out += " ";
    out += a.read && a.write ? "rw" : a.read ? "r" : a.write ? "w" : "-";
  }
  return out;
}

TEST(ParameterAccess, LoadsStoresAndAtomics) {
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %c: ptr<i32, global>, %d: ptr<i32, global>, %n: i64) {
  %v = load %a, %n : i32
  store %b, %n, %v
  %old = atomic_exch %c, %n, %v : i32
  return
}
)"),
            "r w rw - -");
}

TEST(ParameterAccess, OffsetsSelectsAndVariables) {
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %c: ptr<i32, global>, %d: ptr<i32, global>, %n: i64, %w: bool) {
  %row = offset %a, %n : ptr<i32, global>
  %g = space_cast %row : ptr<i32, generic>
  %v = load %g, %n : i32
  %one = select %w, %b, %c : ptr<i32, global>
  store %one, %n, %v
  %back = load %c, %n : i32
  %x = var : var<ptr<i32, global>>
  set %x, %d
  %p = get %x : ptr<i32, global>
  store %p, %n, %back
  return
}
)"),
            "r w rw w - -");
}

// Reading one of two arrays does not make the other written.
TEST(ParameterAccess, FlowHasADirection) {
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %n: i64, %w: bool) {
  %one = select %w, %a, %b : ptr<i32, global>
  %v = load %one, %n : i32
  store %a, %n, %v
  return
}
)"),
            "rw r - -");
}

TEST(ParameterAccess, ControlHandsPointersOn) {
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %c: ptr<i32, global>, %d: ptr<i32, global>, %e: ptr<i32, global>, %n: i64, %w: bool) {
  %zero = const 0 : i64
  %one = const 1 : i64
  %x = if %w : ptr<i32, global> then {
    yield %a
  } else {
    yield %b
  }
  %v = load %x, %n : i32
  %last = for %zero, %n, %one, %c : ptr<i32, global> do(%i: i64, %p: ptr<i32, global>) {
    store %p, %i, %v
    if %w then {
      break %e
    } else {
      yield
    }
    yield %d
  }
  %u = load %last, %n : i32
  return
}
)"),
            "r r rw rw r - -");
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %c: ptr<i32, global>, %n: i64, %w: bool) {
  %s = scope : ptr<i32, global> body {
    if %w then {
      leave 0 %a
    } else {
      yield
    }
    yield %b
  }
  %v = load %s, %n : i32
  %r = while %c : ptr<i32, global> cond(%p: ptr<i32, global>) {
    %more = lt %n, %n : bool
    yield %more, %p
  } do(%q: ptr<i32, global>) {
    store %q, %n, %v
    yield %q
  }
  return
}
)"),
            "r r w - -");
}

TEST(ParameterAccess, CallsHandPointersOnAndBack) {
  EXPECT_EQ(access(R"(
kernel @k(%a: ptr<i32, global>, %b: ptr<i32, global>, %c: ptr<i32, global>, %n: i64) {
  call @fill %a, %n
  %p = call @same %b : ptr<i32, global>
  %v = load %p, %n : i32
  call @nothing %c
  return
}
function @fill(%x: ptr<i32, global>, %n: i64) {
  %seven = const 7 : i32
  store %x, %n, %seven
  %zero = const 0 : i64
  %more = gt %n, %zero : bool
  if %more then {
    call @fill %x, %zero
    yield
  } else {
    yield
  }
  return
}
function @same(%x: ptr<i32, global>) -> ptr<i32, global> {
  return %x
}
function @nothing(%x: ptr<i32, global>) {
  return
}
)"),
            "w r - -");
}

}  // namespace
}  // namespace lanewise::ir
