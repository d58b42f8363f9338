// Every scalar op on every type: PTX in the emulator against the interpreter, on values worth trying.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/scalar_ops.h"
#include "tests/support/op_instances.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

using ir::OpKind;

// How far libdevice may be from the C library that the interpreter uses, in units in the last place. Both are
// within 4 of the true value (docs/accuracy.md). 0 for ops that are exact.
int allowed_ulps(OpKind kind, ir::Type type) {
  switch (kind) {
    case OpKind::Fmod:
    case OpKind::Remainder:
    case OpKind::NextAfter:
    case OpKind::Ldexp: return 0;
    default: break;
  }
  if (kind < OpKind::Rsqrt || kind > OpKind::Hypot) return 0;
  return type.bits == 16 ? 1 : 4;
}

// All combinations of interesting operands, thinned out where there would be too many.
std::vector<TestArgument> arguments_for(const OpInstance& instance) {
  constexpr size_t kMost = 4000;
  std::vector<std::vector<uint64_t>> values;
  size_t total = 1;
  for (ir::Type type : instance.operands) {
    values.push_back(interesting_bits(type));
    total *= values.back().size();
  }
  size_t step = total / kMost + 1;
  if (step > 1 && step % 2 == 0) ++step;
  std::vector<TestArgument> arguments{scalar(ir::kI64, 0)};
  size_t count = (total + step - 1) / step;
  arguments[0].argument.bits = count;
  size_t period = 1;
  for (size_t i = 0; i < values.size(); ++i) {
    ir::Type type = instance.operands[i];
    std::vector<char> bytes(count * type.element_size());
    for (size_t k = 0; k < count; ++k)
      ir::store_bits(bytes.data() + k * type.element_size(), type,
                     values[i][k * step / period % values[i].size()]);
    period *= values[i].size();
    TestArgument operand = array<char>(type, bytes);
    operand.argument.shape[0] = static_cast<int64_t>(count);
    arguments.push_back(std::move(operand));
  }
  TestArgument out = array<char>(instance.result, std::vector<char>(count * instance.result.element_size()));
  out.argument.shape[0] = static_cast<int64_t>(count);
  arguments.push_back(std::move(out));
  return arguments;
}

class CudaOp : public ::testing::TestWithParam<OpKind> {};

TEST_P(CudaOp, AgreesWithTheInterpreter) {
  for (const OpInstance& instance : scalar_op_instances()) {
    if (instance.kind != GetParam()) continue;
    SCOPED_TRACE(to_string(instance));
    std::vector<TestArgument> arguments = arguments_for(instance);
    auto count = static_cast<int64_t>(arguments[0].argument.bits);
    runtime::LaunchConfig config;
    config.grid[0] = (count + 127) / 128;
    config.block[0] = 128;
    BothWays both = run_both(elementwise_kernel(instance), runtime::make_cuda_kernel, config, arguments);
    EXPECT_EQ(difference(both, arguments.size() - 1, allowed_ulps(instance.kind, instance.result)), "");
  }
}

// libdevice's have absolute errors, not relative ones, and take a step for each order: tests/conformance has
// their values.
bool is_bessel(OpKind kind) { return kind >= OpKind::BesselJ0 && kind <= OpKind::BesselYn; }

std::vector<OpKind> scalar_ops() {
  std::vector<OpKind> kinds;
  for (size_t i = 0; i < ir::kOpCount; ++i)
    if (auto kind = static_cast<OpKind>(i); ir::is_scalar_op(kind) && !is_bessel(kind)) kinds.push_back(kind);
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(All, CudaOp, ::testing::ValuesIn(scalar_ops()),
                         [](const auto& test) { return std::string(ir::info(test.param).text); });

}  // namespace
}  // namespace lanewise::test
