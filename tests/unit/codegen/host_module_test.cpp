// What surrounds the code of a kernel on the CPU: texts of the stages, the choice of a CPU, freeing, compiles
// at once; and device functions, on random programs.
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <thread>

#include "host_run.h"
#include "ir/builder.h"
#include "tests/support/sample_kernels.h"
#include "tests/unit/ir/random_program.h"

namespace lanewise::test {
namespace {

using A = HostArgument;
using codegen::HostTarget;

TEST(HostModule, TextsOfTheStages) {
  ir::Module module = parse_ir(saxpy_kernel());
  std::string unoptimised = codegen::host_llvm(module, {}, false),
              optimised = codegen::host_llvm(module, {}, true);
  EXPECT_NE(unoptimised.find("define i64 @saxpy(ptr"), std::string::npos);
  EXPECT_NE(optimised.find("define i64 @saxpy(ptr"), std::string::npos);
  EXPECT_NE(optimised, unoptimised);
  EXPECT_NE(codegen::host_assembly(module, {}).find("saxpy:"), std::string::npos);
  std::string object = codegen::host_object(module, {});
  EXPECT_TRUE(
      object.starts_with("\x7F"
                         "ELF"));
  EXPECT_NE(object.find("saxpy"), std::string::npos);
}

TEST(HostModule, MultiplyAndAddAreFusedOnlyIfAllowed) {
  ir::Module module = parse_ir(saxpy_kernel());
  HostTarget haswell{"haswell", 2};
  EXPECT_NE(codegen::host_assembly(module, haswell).find("vfmadd"), std::string::npos);
  module.entry().float_mode.contract = false;
  EXPECT_EQ(codegen::host_assembly(module, haswell).find("vfmadd"), std::string::npos);
}

TEST(HostModule, AnUnknownCpuIsNamed) {
  ir::Module module = parse_ir(saxpy_kernel());
  try {
    codegen::compile_host(module, {"z80", 2});
    FAIL() << "no error";
  } catch (const codegen::TargetError& error) {
    EXPECT_NE(std::string(error.what()).find("`z80`"), std::string::npos) << error.what();
  }
  EXPECT_NE(codegen::compile_host(module, {"x86-64", 2}), nullptr);
}

// i386 has no 64-bit code, and no machine has the instructions of both CPUs.
TEST(HostModule, ACpuWhoseCodeCannotRunHereIsNamed) {
  ir::Module module = parse_ir(saxpy_kernel());
  int refused = 0;
  for (const char* cpu : {"i386", "graniterapids", "bdver4"}) {
    try {
      codegen::compile_host(module, {cpu, 2});
    } catch (const codegen::TargetError& error) {
      EXPECT_NE(std::string(error.what()).find(cpu), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GE(refused, 2);
}

TEST(HostModule, AModuleWithoutAKernelIsRefused) {
  ir::Module module = parse_ir("function @f(%a: i32) -> i32 {\n  return %a\n}\n");
  EXPECT_THROW(codegen::compile_host(module, {}), ir::InternalError);
}

int64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  int64_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST(HostModule, KernelsAreFreed) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer keeps freed memory for a while";
#endif
  ir::Module module = parse_ir(saxpy_kernel());
  for (int i = 0; i < 20; ++i) codegen::compile_host(module, {"native", 0});
  int64_t before = resident_bytes();
  for (int i = 0; i < 300; ++i) codegen::compile_host(module, {"native", 0});
  EXPECT_LT(resident_bytes() - before, 16 << 20);
}

TEST(HostModule, CompilesOfSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([] {
      std::vector<int32_t> x(96, 2);
      for (int k = 0; k < 5; ++k) {
        ir::Module module = parse_ir(cas_kernel());
        HostResult result = run_on_cpu(
            module, {A::scalar<int64_t>(64), A::array(std::vector<int32_t>(9)), A::scalar<int64_t>(9)},
            {{1, 1, 1}, {64, 1, 1}});
        EXPECT_EQ(result.arguments[1].as<int32_t>()[0], 8);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// --- random programs, called by a kernel of one thread
ir::Module called_by_a_kernel(const ir::Module& program) {
  ir::Module module;
  module.functions.resize(1);
  for (ir::Function function : program.functions) {
    for (ir::Op& op : function.ops)
      if (op.kind == ir::OpKind::Call) ++op.callee.index;
    module.functions.push_back(std::move(function));
  }
  for (ir::Function& function : module.functions) function.float_mode.contract = false;
  ir::Function& kernel = module.entry();
  kernel.name = "kernel";
  kernel.is_kernel = true;
  ir::Builder b(module, kernel);
  std::vector<ir::ValueId> arguments;
  for (ir::ValueId param : module.functions[1].params())
    arguments.push_back(b.param(module.functions[1].type(param)));
  ir::ValueId out = b.param(ir::kI64.pointer(ir::Space::Global)),
              real = b.param(ir::kF64.pointer(ir::Space::Global));
  std::vector<ir::ValueId> results = b.call({1}, arguments);
  auto store = [&](ir::ValueId array, int64_t index, ir::ValueId value) {
    b.emit_void(ir::OpKind::Store, {array, b.const_int(ir::kI64, index), value});
  };
  store(out, 0, results[0]);
  store(real, 0, results[1]);
  store(out, 1, b.cast(results[2], ir::kI64));
  b.emit_void(ir::OpKind::Return);
  return module;
}

TEST(HostModule, RandomPrograms) {
  int calls = 0;
  for (uint64_t seed = 0; seed < 300 && !HasFailure(); ++seed) {
    ir::Module module = called_by_a_kernel(ir::random_program(seed));
    std::vector<int32_t> memory;
    for (int i = 0; i < ir::kMemoryWords; ++i) memory.push_back(i * 1000 - 3);
    std::vector<HostArgument> arguments = {A::array(memory),
                                           A::scalar<int32_t>(static_cast<int32_t>(seed % 9) - 3),
                                           A::scalar<int64_t>(int64_t{1} << (seed % 40)),
                                           A::scalar<double>(0.5),
                                           A::array(std::vector<int64_t>(2)),
                                           A::array(std::vector<double>(1))};
    HostResult expected = run_on_interpreter(module, arguments, {}, 500'000);
    if (!expected.error.empty()) continue;  // a range with too many turns
    // As it comes, with all its calls, or through the passes, which inline most.
    ir::Module prepared = module;
    if (seed % 2 == 0)
      ir::run_pipeline(prepared);
    else
      for (ir::Function& function : prepared.functions) ir::promote_variables(function);
    calls += prepared.functions.size() > 1;
    for (unsigned optimize : {0u, 2u}) {
      HostResult got = run_on_cpu(prepared, arguments, {}, {"native", optimize});
      EXPECT_EQ(got.arguments[0].bytes, expected.arguments[0].bytes) << "memory, seed " << seed;
      EXPECT_EQ(got.arguments[4].bytes, expected.arguments[4].bytes) << "results, seed " << seed;
      double a = got.arguments[5].as<double>()[0], b = expected.arguments[5].as<double>()[0];
      EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b << " seed " << seed;
    }
  }
  EXPECT_GT(calls, 20);
}

}  // namespace
}  // namespace lanewise::test
