// The pipeline as a whole: its list, its checks, and modules of a size and depth that a slow or recursing
// pass would not survive.
#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/ir.h"
#include "parse_text.h"

namespace lanewise::ir {
namespace {

TEST(Pipeline, CallsAfterPassForEachPass) {
  Module module = parse_text("kernel @k() {\n  return\n}\n");
  std::vector<std::string> names;
  PipelineOptions options;
  options.after_pass = [](std::string_view pass, const Module& m, void* context) {
    EXPECT_EQ(m.functions.size(), 1u);
    static_cast<std::vector<std::string>*>(context)->emplace_back(pass);
  };
  options.context = &names;
  run_pipeline(module, options);
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.front(), "promote_variables");
  EXPECT_EQ(names.back(), "compact");
}

TEST(Pipeline, RefusesABrokenModule) {
  Module module = parse_text("kernel @k(%a: i32) {\n  return\n}\n");
  module.entry().results.push_back(kI32);  // of a kernel
  EXPECT_THROW(run_pipeline(module), InternalError);
}

// A variable that is changed `depth` control ops deep.
Module nested(int depth, OpKind kind) {
  Module module;
  module.functions.resize(1);
  Function& function = module.functions[0];
  function.name = "f";
  function.results = {kI32};
  Builder b(module, function);
  ValueId condition = b.param(kBool), n = b.param(kI32);
  ValueId x = b.var(kI32, "x");
  b.emit_void(OpKind::Set, {x, n});
  RegionId top = b.region();
  struct Level {
    RegionId outside;
    std::vector<RegionId> regions;
  };
  std::vector<Level> levels;
  ValueId zero = b.const_int(kI32, 0), one = b.const_int(kI32, 1);
  for (int i = 0; i < depth; ++i) {
    Level level{b.region(), {}};
    if (kind == OpKind::For) level.regions = {b.new_region({kI32})};
    if (kind == OpKind::Scope) level.regions = {b.new_region()};
    if (kind == OpKind::If || kind == OpKind::While) level.regions = {b.new_region(), b.new_region()};
    levels.push_back(level);
    b.set_region(level.regions[kind == OpKind::While ? 1 : 0]);
    ValueId old = b.emit(OpKind::Get, {x}, kI32);
    b.emit_void(OpKind::Set, {x, b.emit(OpKind::Add, {old, one}, kI32)});
  }
  while (!levels.empty()) {
    Level level = levels.back();
    levels.pop_back();
    if (kind == OpKind::Scope)
      b.leave(0);
    else if (kind == OpKind::While)
      b.emit_void(OpKind::Break);
    else
      b.emit_void(OpKind::Yield);
    if (kind == OpKind::If) {
      Builder::Inside inside(b, level.regions[1]);
      b.emit_void(OpKind::Yield);
    }
    if (kind == OpKind::While) {
      Builder::Inside inside(b, level.regions[0]);
      b.emit_void(OpKind::Yield, {condition});
    }
    b.set_region(level.outside);
    std::vector<ValueId> operands;
    if (kind == OpKind::If) operands = {condition};
    if (kind == OpKind::For) operands = {zero, one, one};
    b.emit_control(kind, operands, level.regions);
  }
  EXPECT_EQ(b.region(), top);
  b.emit_void(OpKind::Return, {b.emit(OpKind::Get, {x}, kI32)});
  return module;
}

TEST(Pipeline, DeepNesting) {
  constexpr int kDepth = 990;
  for (OpKind kind : {OpKind::If, OpKind::For, OpKind::While, OpKind::Scope}) {
    Module module = nested(kDepth, kind);
    auto error = verify(module);
    ASSERT_FALSE(error) << error->message;
    run_pipeline(module);
    auto result = interpret_function(module, {{1}, {5}});
    ASSERT_TRUE(std::holds_alternative<std::vector<Scalar>>(result));
    EXPECT_EQ(std::get<0>(result)[0].bits, 5u + kDepth) << info(kind).text;
  }
}

// Many variables, many statements in a row; a pass that is quadratic in either would take minutes.
TEST(Pipeline, LongFunctions) {
  constexpr int kStatements = 20'000;
  Module module;
  module.functions.resize(1);
  Function& function = module.functions[0];
  function.name = "f";
  function.results = {kI32};
  Builder b(module, function);
  ValueId n = b.param(kI32);
  std::vector<ValueId> vars;
  for (int i = 0; i < 500; ++i) vars.push_back(b.var(kI32, "v"));
  for (int i = 0; i < kStatements; ++i) {
    ValueId var = vars[static_cast<size_t>(i) % vars.size()];
    if (i % 10 == 0) {
      RegionId then = b.new_region(), otherwise = b.new_region();
      ValueId c = b.emit(OpKind::Gt, {n, b.const_int(kI32, i)});
      for (RegionId arm : {then, otherwise}) {
        Builder::Inside inside(b, arm);
        if (arm == then) b.emit_void(OpKind::Set, {var, n});
        b.emit_void(OpKind::Yield);
      }
      b.emit_control(OpKind::If, {c}, {then, otherwise});
    } else {
      b.emit_void(OpKind::Set, {var, b.emit(OpKind::Add, {b.emit(OpKind::Get, {var}, kI32), n})});
    }
  }
  ValueId sum = b.const_int(kI32, 0);
  for (ValueId var : vars) sum = b.emit(OpKind::Add, {sum, b.emit(OpKind::Get, {var}, kI32)});
  b.emit_void(OpKind::Return, {sum});
  Module optimized = module;
  run_pipeline(optimized);
  for (uint64_t x : {uint64_t{0}, uint64_t{1}, uint64_t{100'000}}) {
    auto before = std::get<0>(interpret_function(module, {{x}}));
    auto after = std::get<0>(interpret_function(optimized, {{x}}));
    EXPECT_EQ(before[0].bits, after[0].bits);
  }
}

}  // namespace
}  // namespace lanewise::ir
