// Every scalar op on every type: machine code against the interpreter, on values worth trying, for CPUs of
// several generations (AVX-512 or what this machine has, AVX2, SSE2).
#include <gtest/gtest.h>

#include "ir/scalar_ops.h"
#include "tests/support/op_instances.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

using ir::OpKind;

// All combinations of interesting operands, thinned out where there would be too many.
std::vector<TestArgument> arguments_for(const OpInstance& instance) {
  constexpr size_t kMost = 4000;
  size_t total = 1;
  for (ir::Type type : instance.operands) total *= interesting_bits(type).size();
  size_t step = total / kMost + 1;
  if (step > 1 && step % 2 == 0) ++step;  // or it would share factors with the numbers of values
  size_t count = (total + step - 1) / step, period = 1;
  std::vector<TestArgument> arguments{scalar(ir::kI64, count)};
  for (ir::Type type : instance.operands) {
    std::vector<uint64_t> values = interesting_bits(type);
    // As many steps as the order says.
    bool is_order =
        (instance.kind == OpKind::BesselJn || instance.kind == OpKind::BesselYn) && type == ir::kI32;
    if (is_order) values = {0, 1, 2, 7, 40, ~uint64_t{0}};
    std::vector<char> bytes(count * type.element_size());
    for (size_t k = 0; k < count; ++k)
      ir::store_bits(bytes.data() + k * type.element_size(), type, values[k * step / period % values.size()]);
    period *= values.size();
    arguments.push_back(array<char>(type, bytes));
    arguments.back().argument.shape[0] = static_cast<int64_t>(count);
  }
  arguments.push_back(
      array<char>(instance.result, std::vector<char>(count * instance.result.element_size())));
  arguments.back().argument.shape[0] = static_cast<int64_t>(count);
  return arguments;
}

// The interpreter calls the C library's functions of one number, whose errors are below 1 unit in the last
// place; compiled code those of vectors, below 4. All else agrees to the bit.
int allowed_ulps(OpKind kind) { return kind >= OpKind::Cbrt && kind <= OpKind::Hypot ? 4 : 0; }

std::shared_ptr<runtime::CompiledKernel> make_for(const char* cpu, runtime::KernelInfo info) {
  info.options.cpu = cpu;
  return runtime::make_cpu_kernel(std::move(info));
}
constexpr std::pair<const char*, MakeKernel> kCpus[] = {
    {"native", [](runtime::KernelInfo info) { return make_for("native", std::move(info)); }},
    {"haswell", [](runtime::KernelInfo info) { return make_for("haswell", std::move(info)); }},
    {"x86-64", [](runtime::KernelInfo info) { return make_for("x86-64", std::move(info)); }}};

class CpuOp : public ::testing::TestWithParam<OpKind> {};

TEST_P(CpuOp, AgreesWithTheInterpreter) {
  for (const OpInstance& instance : scalar_op_instances()) {
    if (instance.kind != GetParam()) continue;
    SCOPED_TRACE(to_string(instance));
    std::vector<TestArgument> arguments = arguments_for(instance);
    auto count = static_cast<int64_t>(arguments[0].argument.bits);
    runtime::LaunchConfig config;
    config.grid[0] = (count + 127) / 128;
    config.block[0] = 128;
    for (auto [cpu, make] : kCpus) {
      SCOPED_TRACE(cpu);
      BothWays both = run_both(elementwise_kernel(instance), make, config, arguments);
      EXPECT_EQ(difference(both, arguments.size() - 1, allowed_ulps(instance.kind)), "");
    }
  }
}

std::vector<OpKind> scalar_ops() {
  std::vector<OpKind> kinds;
  for (size_t i = 0; i < ir::kOpCount; ++i)
    if (auto kind = static_cast<OpKind>(i); ir::is_scalar_op(kind)) kinds.push_back(kind);
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(All, CpuOp, ::testing::ValuesIn(scalar_ops()),
                         [](const auto& test) { return std::string(ir::info(test.param).text); });

}  // namespace
}  // namespace lanewise::test
