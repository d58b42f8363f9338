// The text of CUDA C++: every op has one, parameters and names, what may be promised of arrays, what is
// refused. That it compiles and means the same as the PTX is shown by the runtime tests called nvrtc/ and by
// the conformance test of that name.
#include <gtest/gtest.h>

#include <set>

#include "codegen/codegen.h"
#include "tests/support/op_instances.h"
#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

using codegen::PtxTarget;

std::string cuda(const std::string& text, const PtxTarget& target = {}) {
  return codegen::emit_cuda(module_from(text), target);
}

#define EXPECT_HAS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "no " << (part) << " in:\n" << (text)
#define EXPECT_LACKS(text, part) \
  EXPECT_EQ((text).find(part), std::string::npos) << (part) << " in:\n" << (text)

// Needs a newer architecture.
bool is_refused(ir::OpKind kind, int sm) { return kind == ir::OpKind::GridBarrier && sm < 60; }

// What others wrote: tests/golden/cuda/written_by_others.py.
bool is_text_of_others(ir::OpKind kind) {
  return kind == ir::OpKind::InlinePtx || kind == ir::OpKind::CallExternal;
}

TEST(CudaCpp, EveryOpIsWritten) {
  std::set<ir::OpKind> seen;
  for (int sm : {35, 75, 90}) {
    for (const OpInstance& instance : scalar_op_instances()) {
      seen.insert(instance.kind);
      EXPECT_NO_THROW(cuda(elementwise_kernel(instance), {.sm = sm})) << to_string(instance);
    }
    for (const SampleKernel& kernel : sample_kernels()) {
      ir::Module module = module_from(kernel.text);
      bool refused = false;
      for (const ir::Function& function : module.functions)
        for (const ir::Op& op : function.ops) {
          seen.insert(op.kind);
          refused = refused || is_refused(op.kind, sm);
        }
      if (refused)
        EXPECT_THROW(cuda(kernel.text, {.sm = sm}), codegen::TargetError) << kernel.name;
      else
        EXPECT_NO_THROW(cuda(kernel.text, {.sm = sm})) << kernel.name;
    }
  }
  for (size_t i = 0; i < ir::kOpCount; ++i) {
    auto kind = static_cast<ir::OpKind>(i);
    // Gone after the pipeline.
    bool is_lowered = kind == ir::OpKind::Var || kind == ir::OpKind::Get || kind == ir::OpKind::Set ||
                      kind == ir::OpKind::Exit;
    EXPECT_TRUE(is_lowered || is_text_of_others(kind) || seen.contains(kind))
        << ir::info(kind).text << " is in no kernel of tests/support/";
  }
}

TEST(CudaCpp, WhatIsNoOpOfTheTextIsRefusedByName) {
  std::string text = "kernel @k() {\n  %v = var : var<i32>\n  %x = get %v : i32\n  set %v, %x\n  return\n}\n";
  try {
    cuda(text);
    FAIL() << "nothing was thrown";
  } catch (const codegen::TargetError& error) {
    EXPECT_HAS(std::string(error.what()), "`k`: CUDA C++ cannot be written for the op `");
  }
}

TEST(CudaCpp, EntryAndParametersAreThoseOfThePtx) {
  std::string text = cuda(saxpy_kernel());
  EXPECT_HAS(text, "extern \"C\" __global__ void saxpy(long long n, float a, const float *x, ");
  EXPECT_HAS(text, "Compile with -arch=compute_75\n");
  EXPECT_LACKS(text, "__restrict__");
  PtxTarget checked{.sm = 80,
                    .ftz = true,
                    .max_threads = 256,
                    .min_blocks = 2,
                    .max_registers = 40,
                    .facts = {.small = true, .distinct = true}};
  text = cuda(saxpy_kernel(), checked);
  EXPECT_HAS(text, "const float *__restrict__ x");
  EXPECT_HAS(text, "__launch_bounds__(256, 2)");
  EXPECT_HAS(text, "Compile with -arch=compute_80 -ftz=true -maxrregcount=40\n");
}

TEST(CudaCpp, NamesThatMeanSomethingInCpp) {
  std::string text = cuda(
      "kernel @double(%int: i32, %min: ptr<i32, global>) {\n  %for = mul %int, %int : i32\n  %i = cast %int "
      ": i64\n"
      "  store %min, %i, %for\n  return\n}\n");
  EXPECT_HAS(text, "void double_(int int_, int *min_)");
  EXPECT_HAS(text, "for_ = wrap_mul32(int_, int_)");
  EXPECT_EQ(codegen::cuda_name("double"), "double_");
  EXPECT_EQ(codegen::cuda_name("saxpy"), "saxpy");
}

// An array that is waited for in a loop is read in every turn.
TEST(CudaCpp, LoopsThatWait) {
  std::string text = cuda(
      "kernel @k(%flag: ptr<i32, global>) {\n  %at = const 0 : i64\n  %zero = const 0 : i32\n"
      "  while cond {\n    %f = load %flag, %at : i32\n    %go = eq %f, %zero : bool\n    yield %go\n  } do "
      "{\n"
      "    yield\n  }\n  return\n}\n");
  EXPECT_HAS(text, "load_anew(&flag[0])");
}

// Two values that change places need a third.
TEST(CudaCpp, ValuesThatChangePlaces) {
  std::string text = cuda(
      "kernel @k(%n: i32, %out: ptr<i32, global>) {\n  %zero = const 0 : i32\n  %one = const 1 : i32\n"
      "  %p, %q = for %zero, %n, %one, %zero, %one : i32, i32 do(%i: i32, %a: i32, %b: i32) {\n"
      "    yield %b, %a\n  }\n  %at = const 0 : i64\n  store %out, %at, %p\n  %next = const 1 : i64\n"
      "  store %out, %next, %q\n  return\n}\n");
  EXPECT_HAS(text, "const int next_");
}

TEST(CudaCpp, ProductsThatMayNotMeetASum) {
  std::string body =
      " {\n  %at = const 0 : i64\n  %a = load %x, %at : f32\n  %p = mul %a, %a : f32\n"
      "  %s = add %p, %a : f32\n  store %x, %at, %s\n  return\n}\n";
  EXPECT_HAS(cuda("kernel @k(%x: ptr<f32, global>) no_contract" + body), "__fmul_rn(");
  EXPECT_LACKS(cuda("kernel @k(%x: ptr<f32, global>)" + body), "__fmul_rn(");
}

}  // namespace
}  // namespace lanewise::test
