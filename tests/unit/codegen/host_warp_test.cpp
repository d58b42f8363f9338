// Warp ops by fission: what the planner cuts, and every op on the interpreter and the CPU engine alike, with
// masks and lanes that are the same for all and that differ, under control flow that lets lanes part.
#include "codegen/host/plan.h"

#include <span>

#include "host_run.h"

namespace lanewise::test {
namespace {

using A = HostArgument;

constexpr int32_t kFewBlocks[][3] = {{32, 1, 1}, {33, 1, 1}, {3, 5, 7}};
constexpr int32_t kBlocks[][3] = {{1, 1, 1}, {31, 1, 1}, {32, 1, 1}, {33, 1, 1},  {8, 8, 1},
                                  {3, 5, 7}, {1, 96, 1}, {2, 2, 2},  {1024, 1, 1}};

// %t: the linear index as i64; %v the thread's value; %full, %lane; constants.
std::string kernel(const std::string& body) {
  return R"(
kernel @k(%out: ptr<i64, global>, %in: ptr<i64, global>) {
  %x0 = thread_id_x : i32
  %y0 = thread_id_y : i32
  %z0 = thread_id_z : i32
  %dx0 = block_dim_x : i32
  %dy0 = block_dim_y : i32
  %zy = mul %z0, %dy0 : i32
  %rows = add %zy, %y0 : i32
  %rx = mul %rows, %dx0 : i32
  %t0 = add %rx, %x0 : i32
  %t = cast %t0 : i64
  %lane = lane_id : i32
  %full = const 4294967295 : u32
  %k0 = const 0 : i32
  %k1 = const 1 : i32
  %k5 = const 5 : i32
  %k32 = const 32 : i32
  %v = load %in, %t : i64
  %vf = cast %v : f32
  %small = cast %v : i8
  %by = cast %v : i32
  %bit = and %by, %k1 : i32
  %p = ne %bit, %k0 : bool
  %some0 = cast %v : u32
  %own0 = cast %lane : u32
  %one = const 1 : u32
  %own = shl %one, %lane : u32
  %some = or %some0, %own : u32
  %none = const 0 : u32
)" + body +
         "\n  return\n}\n";
}

void on_blocks(std::span<const int32_t[3]> blocks, const std::string& body) {
  for (const auto& block : blocks) {
    SCOPED_TRACE("block " + std::to_string(block[0]) + "," + std::to_string(block[1]) + "," +
                 std::to_string(block[2]));
    size_t threads =
        static_cast<size_t>(block[0]) * static_cast<size_t>(block[1]) * static_cast<size_t>(block[2]);
    std::vector<int64_t> out(threads, -1), in(threads);
    for (size_t k = 0; k < in.size(); ++k) in[k] = static_cast<int64_t>(k * 2654435761u >> 3);
    HostResult result =
        run_both(kernel(body), {A::array(out), A::array(in)}, {{1, 1, 1}, {block[0], block[1], block[2]}});
    EXPECT_EQ(result.error, "");
  }
}

std::string store(const std::string& type, const std::string& op) {
  return "  %r = " + op + " : " + type + "\n  %w = cast %r : i64\n  store %out, %t, %w\n";
}

void on_all_blocks(const std::string& body) { on_blocks(kBlocks, body); }

TEST(HostWarp, Shuffles) {
  for (const char* op : {"shfl_idx", "shfl_up", "shfl_down", "shfl_xor"})
    for (const char* mask : {"%full", "%some"})
      for (const char* lane : {"%k5", "%by"})
        for (auto [type, value] :
             {std::pair{"i64", "%v"}, {"f32", "%vf"}, {"i8", "%small"}, {"bool", "%p"}}) {
          std::string text = std::string(op) + " " + mask + ", " + value + ", " + lane;
          SCOPED_TRACE(text);
          on_blocks(kFewBlocks, store(type, text));
        }
}

TEST(HostWarp, VotesMatchesAndReductions) {
  for (const char* mask : {"%full", "%some0"}) {
    for (const char* op : {"vote_all", "vote_any", "vote_eq", "ballot"})
      on_blocks(kFewBlocks,
                store(std::string(op) == "ballot" ? "u32" : "bool", std::string(op) + " " + mask + ", %p"));
    for (const char* op : {"match_any", "match_all"})
      for (const char* value : {"%bit", "%small", "%p", "%vf", "%k5"})
        on_blocks(kFewBlocks, store("u32", std::string(op) + " " + mask + ", " + value));
    for (const char* op : {"add", "min", "max", "and", "or", "xor"})
      for (auto [type, value] : {std::pair{"i64", "%v"}, {"i8", "%small"}, {"u32", "%some0"}})
        on_blocks(kFewBlocks, store(type, std::string("reduce_") + op + " " + mask + ", " + value));
  }
  on_blocks(kFewBlocks, store("u32", "active_mask"));
}

// CUDA leaves open what a lane gets that its mask does not name.
TEST(HostWarp, OfNoMembers) {
  constexpr std::pair<const char*, int64_t> kExpected[] = {{"reduce_add %none, %small : i8", 0},
                                                           {"reduce_min %none, %small : i8", 127},
                                                           {"reduce_max %none, %small : i8", -128},
                                                           {"reduce_and %none, %small : i8", -1},
                                                           {"reduce_or %none, %small : i8", 0},
                                                           {"reduce_xor %none, %small : i8", 0},
                                                           {"reduce_min %none, %some : u32", 0xFFFFFFFF},
                                                           {"reduce_max %none, %some : u32", 0},
                                                           {"reduce_min %none, %v : i64", INT64_MAX},
                                                           {"reduce_max %none, %v : i64", INT64_MIN},
                                                           {"shfl_idx %none, %t, %k5 : i64", 0},
                                                           {"vote_all %none, %p : bool", 1},
                                                           {"vote_any %none, %p : bool", 0},
                                                           {"vote_eq %none, %p : bool", 1},
                                                           {"match_all %none, %v : u32", 0}};
  for (auto [op, expected] : kExpected) {
    SCOPED_TRACE(op);
    std::string body = "  %r = " + std::string(op) + "\n  %w = cast %r : i64\n  store %out, %t, %w\n";
    HostResult result =
        run_both(kernel(body), {A::array(std::vector<int64_t>{9}), A::array(std::vector<int64_t>{5})},
                 {{1, 1, 1}, {1, 1, 1}});
    EXPECT_EQ(result.arguments[0].as<int64_t>()[0], expected);
  }
}

TEST(HostWarp, LanesThatPart) {
  on_all_blocks(R"(
  %r = if %p : i64 then {
    %a = shfl_down %full, %v, %k1 : i64
    yield %a
  } else {
    %b = reduce_add %full, %v : i64
    yield %b
  }
  %m = active_mask : u32
  %m64 = cast %m : i64
  %w = add %r, %m64 : i64
  store %out, %t, %w)");
}

TEST(HostWarp, LoopsOfDifferentLength) {
  on_all_blocks(R"(
  %turns = floor_mod %lane, %k5 : i32
  %r = for %k0, %turns, %k1, %v : i64 do(%i: i32, %acc: i64) {
    %a = shfl_xor %full, %acc, %k1 : i64
    %odd = eq %i, %bit : bool
    if %odd then {
      continue %a
    } else {
      yield
    }
    %b = reduce_max %full, %a : i64
    yield %b
  }
  store %out, %t, %r)");
}

// Where all threads have left by an outer exit, nobody evaluates the condition any more.
TEST(HostWarp, WhatAConditionMadeAfterTheLoop) {
  on_all_blocks(R"(
  scope body {
    %c, %u = while %k5, %k0 : i32, i32 cond(%c0: i32, %u0: i32) {
      %u1 = add %c0, %k1 : i32
      %go = gt %c0, %k0 : bool
      yield %go, %c0, %u1
    } do(%c1: i32, %u2: i32) {
      if %p then {
        leave 0
      } else {
        yield
      }
      %s = shfl_xor %full, %v, %k1 : i64
      store %out, %t, %s
      %c2 = sub %c1, %k1 : i32
      yield %c2, %u2
    }
    %w = cast %u : i64
    store %out, %t, %w
    yield
  })");
}

TEST(HostWarp, ReturnedLanesAndBarriersThatReduce) {
  on_all_blocks(R"(
  %leaves = eq %lane, %k5 : bool
  if %leaves then {
    return
  } else {
    yield
  }
  %n = barrier_count %p : i32
  %all = barrier_and %p : bool
  %any = barrier_or %p : bool
  %b = ballot %full, %any : u32
  %n64 = cast %n : i64
  %b64 = cast %b : i64
  %a64 = cast %all : i64
  %s = add %n64, %b64 : i64
  %w = add %s, %a64 : i64
  store %out, %t, %w)");
}

TEST(HostWarp, APlanCutsAtAWarpOp) {
  ir::Module module = parse_ir(kernel(store("i64", "shfl_down %full, %v, %k1")));
  std::string text = codegen::host::print(codegen::host::make_plan(module.entry()), module.entry());
  size_t give = text.find("give "), meeting = text.find("meeting "), take = text.find("take ");
  EXPECT_LT(give, meeting) << text;
  EXPECT_LT(meeting, take) << text;
  EXPECT_EQ(text.find("check"), std::string::npos) << text;  // no lane can be elsewhere
}

}  // namespace
}  // namespace lanewise::test
