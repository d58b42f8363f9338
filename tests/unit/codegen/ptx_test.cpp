// PTX text: versions, instructions that decide speed, names, launch bounds, lines, and that every op lowers.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "codegen/codegen.h"
#include "tests/support/op_instances.h"
#include "tests/support/sample_kernels.h"

namespace lanewise::test {
namespace {

using codegen::PtxTarget;

std::string ptx(const std::string& text, int sm = 75) {
  PtxTarget target;
  target.sm = sm;
  return codegen::emit_ptx(module_from(text), target);
}

#define EXPECT_HAS(text, part) \
  EXPECT_NE((text).find(part), std::string::npos) << "no " << (part) << " in:\n" << (text)
#define EXPECT_LACKS(text, part) \
  EXPECT_EQ((text).find(part), std::string::npos) << (part) << " in:\n" << (text)

std::string target_error(const std::string& text, const PtxTarget& target) {
  try {
    codegen::emit_ptx(module_from(text), target);
  } catch (const codegen::TargetError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Ptx, LowestVersionOfEveryArchitecture) {
  const std::vector<std::pair<int, std::string>> versions{
      {35, "3.2"}, {37, "4.1"}, {50, "4.0"},  {52, "4.1"},  {53, "4.2"},  {60, "5.0"},  {61, "5.0"},
      {62, "5.0"}, {70, "6.0"}, {72, "6.1"},  {75, "6.3"},  {80, "7.0"},  {86, "7.1"},  {87, "7.4"},
      {89, "7.8"}, {90, "7.8"}, {100, "8.6"}, {103, "8.8"}, {110, "9.0"}, {120, "8.7"}, {121, "8.8"}};
  std::vector<int> listed;
  for (const auto& [sm, version] : versions) {
    listed.push_back(sm);
    std::string text = ptx(saxpy_kernel(), sm);
    EXPECT_HAS(text, ".version " + version + "\n");
    EXPECT_HAS(text, ".target sm_" + std::to_string(sm) + "\n");
  }
  EXPECT_EQ(codegen::ptx_architectures(), listed);
}

// A kernel takes the two hidden parameters if it may fail and somebody wants to know; nothing else changes.
TEST(Ptx, HiddenParametersOfKernelsThatMayFail) {
  codegen::PtxHidden hidden;
  auto emit = [&](const std::string& text, bool wanted) {
    return codegen::emit_ptx(module_from(text), {.sm = 75}, nullptr, wanted ? &hidden : nullptr);
  };
  EXPECT_EQ(emit(saxpy_kernel(), true), emit(saxpy_kernel(), false));
  EXPECT_TRUE(hidden.failures.empty());
  std::string silent = emit(failing_kernel(), false), told = emit(failing_kernel(), true);
  EXPECT_LACKS(silent, "failing_param_3");
  EXPECT_LACKS(silent, "report");
  EXPECT_HAS(told, "failing_param_3");
  EXPECT_HAS(told, ".param .u64 failing_param_4");
  EXPECT_LACKS(told, "failing_param_5");
  ASSERT_EQ(hidden.failures.size(), 2u);
  EXPECT_EQ(hidden.failures[0].message, 1u);
  EXPECT_EQ(hidden.failures[0].types, (std::vector{ir::kI32, ir::kF32, ir::kBool}));
  EXPECT_EQ(hidden.failures[1].message, 0u);
}

// Constant arrays that constant memory has no room for are handed over, if somebody does that.
TEST(Ptx, HiddenParametersOfLargeData) {
  ir::Module module = module_from(data_kernel());
  codegen::PtxHidden hidden;
  std::string small = codegen::emit_ptx(module, {.sm = 75}, nullptr, &hidden);
  EXPECT_TRUE(hidden.data.empty());
  EXPECT_EQ(small, codegen::emit_ptx(module, {.sm = 75}));
  EXPECT_HAS(small, ".const ");
  ASSERT_EQ(module.data.size(), 2u);
  module.data[1].bytes.resize(80'000);
  std::string told = codegen::emit_ptx(module, {.sm = 75}, nullptr, &hidden);
  EXPECT_EQ(hidden.data, std::vector<size_t>{1});
  EXPECT_LT(told.size(), 8000u);
  EXPECT_HAS(told, "ld.global.nc");
  EXPECT_LACKS(told, ".const ");
  EXPECT_HAS(told, "lanewise_data_0");
  EXPECT_LACKS(told, "lanewise_data_1");
  EXPECT_HAS(codegen::emit_ptx(module, {.sm = 75}), "lanewise_data_1");
}

TEST(Ptx, AskedForVersions) {
  PtxTarget target{.sm = 75, .ptx_version = 80};
  EXPECT_HAS(codegen::emit_ptx(module_from(saxpy_kernel()), target), ".version 8.0\n");
  target.ptx_version = 60;
  EXPECT_HAS(target_error(saxpy_kernel(), target), "PTX 6.0 is too old");
  target.ptx_version = 66;
  EXPECT_HAS(target_error(saxpy_kernel(), target), "PTX 6.6 is not a version");
  target = {.sm = 76};
  EXPECT_HAS(target_error(saxpy_kernel(), target), "sm_76 is not an architecture");
}

std::string kernel_with_parameters(int count) {
  std::string text = "kernel @wide(";
  for (int i = 0; i < count; ++i) text.append(i ? ", %p" : "%p").append(std::to_string(i)).append(": i64");
  return text + ") {\n  return\n}\n";
}

// Instructions that are younger than their architecture.
TEST(Ptx, OpsThatNeedANewerVersion) {
  EXPECT_HAS(ptx(dynamic_shared_kernel(), 35), ".version 4.1\n");
  EXPECT_HAS(ptx(dynamic_shared_kernel(), 60), ".version 5.0\n");
  std::string root = elementwise_kernel({ir::OpKind::Rsqrt, {ir::kF64}, ir::kF64});
  EXPECT_HAS(ptx(root, 35), ".version 4.0\n");
  EXPECT_HAS(target_error(root, {.sm = 35, .ptx_version = 32}), "4.0 is needed");
}

TEST(Ptx, ManyParametersNeedANewerVersion) {
  EXPECT_HAS(ptx(kernel_with_parameters(544), 70), ".version 6.0\n");
  EXPECT_HAS(ptx(kernel_with_parameters(545), 70), ".version 8.1\n");
  EXPECT_HAS(target_error(kernel_with_parameters(545), {.sm = 61}), "4360 bytes");
  EXPECT_HAS(target_error(kernel_with_parameters(5000), {.sm = 90}), "40000 bytes");
}

TEST(Ptx, SaxpyIsWhatOneWouldWrite) {
  std::string text = ptx(saxpy_kernel());
  EXPECT_HAS(text, ".visible .entry saxpy(");
  EXPECT_HAS(text, "fma.rn.f32");
  EXPECT_HAS(text, "ld.global.b32");
  EXPECT_HAS(text, "st.global.b32");
  EXPECT_LACKS(text, "cvt.s64.s32");  // thread indices are known not to be negative
  EXPECT_LACKS(text, "cvta");
  EXPECT_LACKS(text, "div");
}

TEST(Ptx, FloatModes) {
  std::string text = saxpy_kernel();
  text.replace(text.find(") {"), 3, ") no_contract {");
  EXPECT_LACKS(ptx(text), "fma");
  std::string divide = elementwise_kernel({ir::OpKind::Div, {ir::kF32, ir::kF32}, ir::kF32});
  std::string root = elementwise_kernel({ir::OpKind::Sqrt, {ir::kF32}, ir::kF32});
  std::string sine = elementwise_kernel({ir::OpKind::Sin, {ir::kF32}, ir::kF32});
  EXPECT_HAS(ptx(divide), "div.rn.f32");
  EXPECT_HAS(ptx(root), "sqrt.rn.f32");
  EXPECT_LACKS(ptx(sine), "sin.approx");
  for (std::string* one : {&divide, &root, &sine}) one->replace(one->find("no_contract"), 11, "fast_math");
  EXPECT_HAS(ptx(divide), "div.approx.ftz.f32");
  EXPECT_HAS(ptx(root), "sqrt.approx.ftz.f32");
  EXPECT_HAS(ptx(sine), "sin.approx.ftz.f32");
  // Functions of libdevice are inlined under every mode.
  std::string tangent = elementwise_kernel({ir::OpKind::Tanh, {ir::kF32}, ir::kF32});
  EXPECT_LACKS(ptx(tangent), "call");
  EXPECT_LACKS(ptx(tangent, 75), "tanh.approx");
  tangent.replace(tangent.find("no_contract"), 11, "fast_math");
  EXPECT_LACKS(ptx(tangent, 70), "call");
  EXPECT_LACKS(ptx(tangent, 70), "tanh.approx");
  EXPECT_HAS(ptx(tangent, 75), "tanh.approx.f32");
}

TEST(Ptx, AtomicsAreInstructionsWhereTheyExist) {
  EXPECT_HAS(ptx(atomic_kernel("atomic_add", ir::kF64), 60), ".add.f64");
  EXPECT_HAS(ptx(atomic_kernel("atomic_add", ir::kF64), 50), ".cas.b64");
  EXPECT_HAS(ptx(atomic_kernel("atomic_sub", ir::kF32), 35), ".add.f32");
  EXPECT_HAS(ptx(atomic_kernel("atomic_max", ir::kU64), 35), ".max.u64");
  EXPECT_LACKS(ptx(atomic_kernel("atomic_max", ir::kI32), 35), "cas");
}

TEST(Ptx, MemoryOfEveryKind) {
  std::string sum = ptx(block_sum_kernel());
  EXPECT_HAS(sum, ".shared .align 16 .b8");
  EXPECT_HAS(sum, "ld.shared.b32");
  EXPECT_HAS(sum, "bar.sync");
  std::string dynamic = ptx(dynamic_shared_kernel());
  EXPECT_HAS(dynamic, ".extern .shared .align 16 .b8");
  EXPECT_HAS(dynamic, "%dynamic_smem_size");
  EXPECT_HAS(ptx(data_kernel()), ".const .align 16 .b8");
}

// Reverses eight elements through local memory that only constants index.
std::string reversed_by_local_array() {
  return "kernel @f(%x: ptr<f32, global>, %x.n: i64) {\n  %a = local_array 8 : ptr<f32, local>\n"
         R"(
  %zero = const 0 : i64
  %one = const 1 : i64
  %eight = const 8 : i64
  for %zero, %eight, %one do(%k: i64) {
    %v = load %x, %k : f32
    store %a, %k, %v
    yield
  }
  for %zero, %eight, %one do(%k2: i64) {
    %seven = const 7 : i64
    %back = sub %seven, %k2 : i64
    %v2 = load %a, %back : f32
    store %x, %k2, %v2
    yield
  }
  return
}
)";
}

TEST(Ptx, LocalArraysOfConstantIndicesAreRegisters) {
  EXPECT_LACKS(ptx(reversed_by_local_array()), ".local");
}

TEST(Ptx, LaunchBounds) {
  PtxTarget target{.sm = 80, .max_threads = 256, .min_blocks = 4, .max_registers = 64};
  std::string text = codegen::emit_ptx(module_from(saxpy_kernel()), target);
  EXPECT_HAS(text, ".maxntid 256");
  EXPECT_HAS(text, ".minnctapersm 4");
  EXPECT_HAS(text, ".maxnreg 64");
}

TEST(Ptx, NamesAreAscii) {
  EXPECT_EQ(codegen::ptx_name("saxpy_2"), "saxpy_2");
  EXPECT_EQ(codegen::ptx_name("größe"), "gr_u00F6_u00DFe");
  EXPECT_EQ(codegen::ptx_name("2λ"), "_u0032_u03BB");
  std::string text = saxpy_kernel();
  text.replace(text.find("@saxpy"), 6, "@größe");
  EXPECT_HAS(ptx(text), ".entry gr_u00F6_u00DFe(");
}

// A kernel may be called like something of ours or of libdevice.
TEST(Ptx, KernelNamesThatMeetInternalOnes) {
  for (std::string name : {"lanewise_data_0", "__nv_sinf", "llvm", "add", "lanewise_shared"}) {
    std::string text =
        name == "__nv_sinf" ? elementwise_kernel({ir::OpKind::Sin, {ir::kF32}, ir::kF32}) : data_kernel();
    size_t at = text.find("kernel @") + 8;
    text.replace(at, text.find('(', at) - at, name);
    EXPECT_HAS(ptx(text), ".entry " + name + "(");
  }
}

TEST(Ptx, LinesOnRequestOnly) {
  ir::SourceMap sources;
  uint32_t file = sources.add({"kernel.ir", saxpy_kernel(), 100});
  ir::Diagnostics diagnostics;
  std::optional<ir::Module> module = ir::parse(sources, file, diagnostics);
  ASSERT_TRUE(module);
  PtxTarget target{.sm = 75};
  EXPECT_LACKS(codegen::emit_ptx(*module, target, &sources), ".loc");
  target.line_info = true;
  std::string text = codegen::emit_ptx(*module, target, &sources);
  EXPECT_HAS(text, "kernel.ir\"");
  EXPECT_HAS(text, ".loc\t1 112 ");  // the load of %xv, on the 13th line of a text that starts at 100
}

TEST(Ptx, EveryOpLowers) {
  std::set<ir::OpKind> seen;
  for (const OpInstance& instance : scalar_op_instances()) {
    seen.insert(instance.kind);
    EXPECT_NO_THROW(ptx(elementwise_kernel(instance))) << to_string(instance);
  }
  for (const SampleKernel& kernel : sample_kernels()) {
    ir::Module module = module_from(kernel.text);
    for (const ir::Function& function : module.functions)
      for (const ir::Op& op : function.ops) seen.insert(op.kind);
    EXPECT_NO_THROW(ptx(kernel.text)) << kernel.name;
  }
  for (size_t i = 0; i < ir::kOpCount; ++i) {
    auto kind = static_cast<ir::OpKind>(i);
    // Gone after the pipeline.
    bool is_lowered = kind == ir::OpKind::Var || kind == ir::OpKind::Get || kind == ir::OpKind::Set ||
                      kind == ir::OpKind::Exit;
    // Needs code from elsewhere: tests/python/test_cuda_functions.py.
    bool is_linked = kind == ir::OpKind::CallExternal;
    EXPECT_TRUE(is_lowered || is_linked || seen.contains(kind))
        << ir::info(kind).text << " is in no kernel of tests/support/";
  }
}

// A launch whose arguments were checked: other code for the same module, which stays as it is.
TEST(Ptx, VariantsOfOneModule) {
  ir::Module module = module_from(saxpy_kernel());
  std::string before = ir::print(module), general = codegen::emit_ptx(module, {.sm = 80});
  PtxTarget target{.sm = 80, .facts = {.small = true, .distinct = true}};
  std::string checked = codegen::emit_ptx(module, target);
  EXPECT_EQ(ir::print(module), before);
  EXPECT_HAS(general, "setp.ge.s64");
  EXPECT_LACKS(general, ".nc");
  EXPECT_LACKS(checked, "setp.ge.s64");
  EXPECT_HAS(checked, "ld.global.nc.b32");  // x; y is written
  EXPECT_HAS(checked, "ld.global.b32");
  EXPECT_EQ(codegen::emit_ptx(module, {.sm = 80}), general);
}

TEST(Ptx, DeviceFunctionsOnTheirOwn) {
  std::string text = ptx("function @twice(%x: f32) -> f32 {\n  %y = add %x, %x : f32\n  return %y\n}\n");
  EXPECT_HAS(text, ".visible .func");
  EXPECT_HAS(text, "twice");
}

TEST(Ptx, DeepNestingIsNoProblem) {
  std::string text = "kernel @deep(%c: bool, %x: ptr<i32, global>, %x.n: i64) {\n  %z = const 0 : i64\n";
  constexpr int kDepth = 400;
  for (int i = 0; i < kDepth; ++i) text += "if %c then {\n";
  text += "%v = load %x, %z : i32\nstore %x, %z, %v\nyield\n";
  for (int i = 0; i < kDepth; ++i)
    text += i + 1 < kDepth ? "} else { yield }\nyield\n" : "} else { yield }\n";
  EXPECT_NO_THROW(ptx(text + "return\n}\n"));
}

TEST(Ptx, MissingOrDamagedLibdeviceSaysWhatToDo) {
  std::string sine = elementwise_kernel({ir::OpKind::Sin, {ir::kF64}, ir::kF64});
  PtxTarget target{.sm = 75, .libdevice = "/nonexistent/libdevice.10.bc"};
  EXPECT_HAS(target_error(sine, target), "/nonexistent/libdevice.10.bc");
  target.libdevice = LANEWISE_SOURCE_DIR "/README.md";
  EXPECT_HAS(target_error(sine, target), "damaged");
  EXPECT_NO_THROW(codegen::emit_ptx(module_from(saxpy_kernel()), target));
  std::vector<std::string> searched;
  EXPECT_NE(codegen::find_libdevice(&searched), "");
  EXPECT_FALSE(searched.empty());
}

// faulty_libdevice.bc has __nv_sin and __nv_exp in terms of llvm.sin and llvm.exp, which LLVM cannot select
// for PTX: one ends in its fatal-error handler, the other in an error diagnostic. Neither ends the process,
// however often, and the next compile works. (Made by llvm-as from `define double @__nv_sin(double %x) { %r =
// call double
// @llvm.sin.f64(double %x)  ret double %r }` and the same of exp.)
TEST(Ptx, FaultsOfLlvmAreExceptions) {
  PtxTarget faulty{.sm = 75, .libdevice = LANEWISE_SOURCE_DIR "/tests/unit/codegen/faulty_libdevice.bc"};
  ir::Module good = module_from(saxpy_kernel());
  std::string expected = codegen::emit_ptx(good, {.sm = 75});
  for (ir::OpKind kind : {ir::OpKind::Sin, ir::OpKind::Exp}) {
    ir::Module module = module_from(elementwise_kernel({kind, {ir::kF64}, ir::kF64}));
    for (int round = 0; round < 100; ++round)
      EXPECT_THROW(codegen::emit_ptx(module, faulty), ir::InternalError);
    EXPECT_EQ(codegen::emit_ptx(good, {.sm = 75}), expected);
  }
}

TEST(Ptx, TooMuchSharedMemoryOfFixedSize) {
  auto shared = [](int floats) {
    return "kernel @big(%x: ptr<f32, global>, %x.n: i64) {\n  %a = shared_array " + std::to_string(floats) +
           " : ptr<f32, shared>\n  %z = const 0 : i64\n  %v = load %a, %z : f32\n  store %x, %z, %v\n  "
           "return\n}\n";
  };
  EXPECT_NO_THROW(ptx(shared(12288)));
  std::string text = target_error(shared(12289), {.sm = 90});
  EXPECT_HAS(text, "49156 bytes");
  EXPECT_HAS(text, "dynamic shared memory");
}

TEST(Ptx, TooMuchLocalMemory) {
  std::string text =
      "kernel @big(%x: ptr<f64, global>, %x.n: i64) {\n  %mine = local_array 200000000 : ptr<f64, local>\n  "
      "%v = load %mine, %x.n : f64\n  store %x, %x.n, %v\n  return\n}\n";
  EXPECT_HAS(target_error(text, {.sm = 90}), "1600000000 bytes; a thread has 524288");
}

TEST(Ptx, ThreadsCompileSideBySideToTheSameText) {
  std::string sine = elementwise_kernel({ir::OpKind::Sin, {ir::kF32}, ir::kF32});
  std::string expected = ptx(sine, 80) + ptx(saxpy_kernel(), 35);
  std::vector<std::string> results(6);
  std::vector<std::thread> threads;
  for (std::string& result : results)
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) result = ptx(sine, 80) + ptx(saxpy_kernel(), 35);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, expected);
}

TEST(PtxLlvm, BeforeAndAfterOptimisation) {
  PtxTarget target{.sm = 75};
  std::string raw = codegen::ptx_llvm(module_from(saxpy_kernel()), target, false);
  EXPECT_HAS(raw, "define ptx_kernel void @saxpy(i64 %n, float %a, ptr addrspace(1) align 4 %x");
  EXPECT_HAS(raw, "fmul contract float");
  ir::Module module = module_from(reversed_by_local_array());
  EXPECT_HAS(codegen::ptx_llvm(module, target, false), "alloca [8 x float]");
  EXPECT_LACKS(codegen::ptx_llvm(module, target, true), "alloca");
}

}  // namespace
}  // namespace lanewise::test
