// Random programs on the CPU and on CUDA against the interpreter: control flow, calls and integer arithmetic
// of the back ends. Bit for bit, since nothing may be contracted.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "runtime/backend.h"
#include "tests/golden/run/targets.h"
#include "tests/unit/ir/random_program.h"

namespace lanewise::run_tests {
namespace {

constexpr size_t kMemory = 0, kResults = 4;  // of the wrapper's arrays

// The arrays of the wrapped entry: memory, three arguments, three results.
struct Data {
  std::vector<std::vector<uint64_t>> arrays;  // each with room for kMemoryWords elements

  explicit Data(const Wrapped& wrapped) : arrays(wrapped.elements.size()) {
    for (auto& array : arrays) array.resize(ir::kMemoryWords);
    for (int64_t i = 0; i < ir::kMemoryWords; ++i) memory()[i] = static_cast<int32_t>(i * 1000 - 3);
    ir::store_bits(arrays[1].data(), ir::kI32, 5);
    ir::store_bits(arrays[2].data(), ir::kI64, 3);
    ir::store_bits(arrays[3].data(), ir::kF64, ir::float_bits(0.5, ir::kF64));
  }
  int32_t* memory() { return reinterpret_cast<int32_t*>(arrays[kMemory].data()); }

  std::string text(const Wrapped& wrapped) {
    std::string out;
    for (size_t i = kResults; i < arrays.size(); ++i) {
      ir::Bits bits = ir::load_bits(arrays[i].data(), wrapped.elements[i]);
      bool nan = wrapped.elements[i].is_float() && std::isnan(ir::float_value(bits, wrapped.elements[i]));
      out += nan ? "nan " : std::to_string(bits) + " ";
    }
    for (int64_t i = 0; i < ir::kMemoryWords; ++i) out += " " + std::to_string(memory()[i]);
    return out;
  }
};

// nullopt where the program takes too long to be of use.
std::optional<std::string> expected(const Wrapped& wrapped) {
  Data data(wrapped);
  std::vector<ir::Scalar> arguments;
  for (auto& array : data.arrays) {
    arguments.push_back({reinterpret_cast<uint64_t>(array.data())});
    arguments.push_back({1});
  }
  if (ir::interpret_kernel(wrapped.module, arguments, {}, 100'000)) return std::nullopt;
  return data.text(wrapped);
}

std::string on_device(const Wrapped& wrapped, runtime::Target target) {
  runtime::KernelInfo info;
  info.name = "run";
  info.argument_types = wrapped.array_types();
  info.module = wrapped.module;
  ir::run_pipeline(info.module);
  std::vector<ir::Access> access = ir::parameter_access(info.module);
  for (size_t i = 0; i < access.size(); i += 2) {
    info.leaf_access.push_back(access[i]);
    info.parameter_names.push_back(std::to_string(i));
  }
  info.options.target = target;
  info.sources.add({"run.ir", ""});
  auto kernel = target == runtime::Target::Cpu ? runtime::make_cpu_kernel(std::move(info))
                                               : runtime::make_cuda_kernel(std::move(info));
  Data data(wrapped);
  std::vector<runtime::Argument> leaves;
  for (size_t i = 0; i < data.arrays.size(); ++i) {
    runtime::Argument leaf;
    leaf.ndim = 1;
    leaf.data = data.arrays[i].data();
    leaf.shape[0] = i == kMemory ? ir::kMemoryWords : 1;
    leaf.strides[0] = 1;
    leaves.push_back(leaf);
  }
  kernel->launch({}, leaves);
  return data.text(wrapped);
}

void run_programs(runtime::Target target, uint64_t first, uint64_t count) {
  size_t ran = 0;
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    ir::Module module = ir::random_program(seed);
    for (ir::Function& function : module.functions) function.float_mode.contract = false;
    Wrapped wrapped = wrap(module, {0});
    auto result = expected(wrapped);
    if (!result) continue;
    ++ran;
    try {
      EXPECT_EQ(on_device(wrapped, target), *result) << "seed " << seed << "\n" << ir::print(wrapped.module);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n" << ir::print(wrapped.module);
    }
  }
  EXPECT_GT(ran, count / 2);
}

TEST(RandomRun, Cpu) { run_programs(runtime::Target::Cpu, 0, 60); }

TEST(RandomRun, Cuda) {
  if (auto reason = unavailable(Target::Cuda)) GTEST_SKIP() << *reason;
  run_programs(runtime::Target::Cuda, 1000, 40);
}

}  // namespace
}  // namespace lanewise::run_tests
