// The builder: what it makes prints as expected and is accepted by the verifier.
#include "ir/builder.h"

#include <gtest/gtest.h>

#include "ir/ir.h"

namespace lanewise::ir {
namespace {

TEST(Builder, MakesAFunctionWithControlFlow) {
  Module module;
  module.functions.resize(2);
  Function& helper = module.functions[1];
  helper.name = "twice";
  helper.results = {kF32};
  {
    Builder b(module, helper);
    ValueId x = b.param(kF32, "x");
    b.emit_void(OpKind::Return, {b.emit(OpKind::Add, {x, x})});
  }
  Function& kernel = module.functions[0];
  kernel.name = "k";
  kernel.is_kernel = true;
  Builder b(module, kernel);
  ValueId n = b.param(kI64, "n");
  ValueId y = b.param(kF32.pointer(Space::Global), "y");
  ValueId zero = b.const_int(kI64, 0), one = b.const_int(kI64, 1), start = b.const_float(kF32, 0.1);
  RegionId body = b.new_region({kI64, kF32}, {"i", "acc"});
  {
    Builder::Inside inside(b, body);
    EXPECT_FALSE(b.terminated());
    ValueId loaded = b.emit(OpKind::Load, {y, b.params(body)[0]});
    ValueId doubled = b.call(FunctionId{1}, {loaded})[0];
    b.emit_void(OpKind::Yield, {b.emit(OpKind::Add, {b.params(body)[1], doubled})});
    EXPECT_TRUE(b.terminated());
  }
  EXPECT_FALSE(b.terminated());
  ValueId sum = b.result(b.emit_control(OpKind::For, {zero, n, one, start}, {body}, {kF32}));
  ValueId slot = b.var(kI64, "slot");
  b.emit_void(OpKind::Set, {slot, zero});
  ValueId tile = b.emit_immediate(OpKind::SharedArray, 64, kF32.pointer(Space::Shared), "tile");
  b.emit_void(OpKind::Store, {tile, b.emit(OpKind::Get, {slot}), sum});
  b.emit_void(OpKind::Return);

  EXPECT_EQ(print(module), R"(kernel @k(%n: i64, %y: ptr<f32, global>) {
  %0 = const 0 : i64
  %1 = const 1 : i64
  %2 = const 0.1 : f32
  %3 = for %0, %n, %1, %2 : f32 do(%i: i64, %acc: f32) {
    %4 = load %y, %i : f32
    %5 = call @twice %4 : f32
    %6 = add %acc, %5 : f32
    yield %6
  }
  %slot = var : var<i64>
  set %slot, %0
  %tile = shared_array 64 : ptr<f32, shared>
  %7 = get %slot : i64
  store %tile, %7, %3
  return
}

function @twice(%x: f32) -> f32 {
  %0 = add %x, %x : f32
  return %0
}
)");
  std::optional<VerifyError> error = verify(module);
  EXPECT_FALSE(error) << error->message;
}

TEST(Builder, KeepsTheRangeAndCallSite) {
  Module module;
  module.functions.resize(1);
  Builder b(module, module.functions[0]);
  b.function().call_sites.push_back({{0, 1, 2}, "f"});
  b.set_range({0, 5, 9});
  b.set_call_site(0);
  OpId op = b.emit_void(OpKind::Barrier);
  EXPECT_EQ(b.function().ops[op].range, (SourceRange{0, 5, 9}));
  EXPECT_EQ(b.function().ops[op].call_site, 0u);
}

TEST(Builder, ResultTypesFromTheTable) {
  auto result = [](OpKind kind, std::vector<Type> operands) { return result_type(kind, operands); };
  Type shared = kF32.pointer(Space::Shared);
  EXPECT_EQ(result(OpKind::Add, {kI32, kI32}), kI32);
  EXPECT_EQ(result(OpKind::Add, {kI32, kI64}), std::nullopt);
  EXPECT_EQ(result(OpKind::Add, {kBool, kBool}), std::nullopt);
  EXPECT_EQ(result(OpKind::Add, {kI32}), std::nullopt);
  EXPECT_EQ(result(OpKind::Lt, {kF64, kF64}), kBool);
  EXPECT_EQ(result(OpKind::Shl, {kU8, kI64}), kU8);
  EXPECT_EQ(result(OpKind::Select, {kBool, shared, shared}), shared);
  EXPECT_EQ(result(OpKind::Offset, {shared, kI64}), shared);
  EXPECT_EQ(result(OpKind::SpaceCast, {shared}), kF32.pointer(Space::Generic));
  EXPECT_EQ(result(OpKind::Get, {shared.var()}), shared);
  EXPECT_EQ(result(OpKind::AtomicAdd, {shared, kI64, kF32}), kF32);
  EXPECT_EQ(result(OpKind::AtomicAdd, {shared, kI64, kF64}), std::nullopt);
  EXPECT_EQ(result(OpKind::Cast, {kI32}), std::nullopt);
  EXPECT_EQ(result(OpKind::Store, {shared, kI64, kF32}), std::nullopt);
  EXPECT_EQ(result(OpKind::ThreadIdX, {}), kI32);
}

}  // namespace
}  // namespace lanewise::ir
