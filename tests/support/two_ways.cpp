#include "tests/support/two_ways.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "ir/scalar_ops.h"
#include "tests/support/op_instances.h"

namespace lanewise::test {

TestArgument scalar(ir::Type type, uint64_t bits) {
  TestArgument made{frontend::ValueType::typed(type), {}, {}, 0, -1};
  made.argument.bits = bits;
  return made;
}

TestArgument view(ir::Type element, std::vector<char> bytes, int64_t offset, std::vector<int64_t> shape,
                  std::vector<int64_t> strides) {
  TestArgument made{
      frontend::ValueType::array(element, static_cast<unsigned>(shape.size()), frontend::Layout::Strided),
      {},
      std::move(bytes),
      offset,
      -1};
  made.argument.ndim = static_cast<int>(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    made.argument.shape[d] = shape[d];
    made.argument.strides[d] = strides[d];
  }
  return made;
}

runtime::KernelInfo kernel_info(const std::string& text, const std::vector<TestArgument>& arguments) {
  return kernel_info(module_from(text), arguments);
}

runtime::KernelInfo kernel_info(ir::Module module, const std::vector<TestArgument>& arguments) {
  runtime::KernelInfo info;
  info.module = std::move(module);
  info.name = info.module.entry().name;
  std::vector<ir::Access> access = ir::parameter_access(info.module);
  size_t param = 0;
  for (const TestArgument& argument : arguments) {
    info.argument_types.push_back(argument.type);
    info.parameter_names.push_back("arg" + std::to_string(info.parameter_names.size()));
    info.leaf_access.push_back(access.at(param));
    param += frontend::flatten(argument.type).size();
  }
  return info;
}

std::vector<runtime::Argument> leaves_of(std::vector<TestArgument>& arguments) {
  std::vector<runtime::Argument> leaves;
  for (TestArgument& argument : arguments) {
    std::vector<char>& memory =
        argument.shares < 0 ? argument.bytes : arguments[static_cast<size_t>(argument.shares)].bytes;
    leaves.push_back(argument.argument);
    if (argument.type.is_array() && !argument.argument.device)
      leaves.back().data = memory.data() + argument.offset;
  }
  return leaves;
}

void launch(runtime::CompiledKernel& kernel, const runtime::LaunchConfig& config,
            std::vector<TestArgument>& arguments) {
  kernel.launch(config, leaves_of(arguments));
}

BothWays run_both(const std::string& text, MakeKernel make, const runtime::LaunchConfig& config,
                  const std::vector<TestArgument>& arguments) {
  BothWays both{arguments, arguments};
  auto reference = runtime::make_interpreter_kernel(kernel_info(text, arguments));
  launch(*reference, config, both.expected);
  launch(*make(kernel_info(text, arguments)), config, both.actual);
  return both;
}

namespace {

// Steps between two floats of one type; large if the signs or kinds differ.
double steps(uint64_t a, uint64_t b, ir::Type type) {
  double x = ir::float_value(a, type), y = ir::float_value(b, type);
  if (std::isnan(x) && std::isnan(y)) return 0;
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) != std::isinf(y)) return INFINITY;
  if (x == y) return std::signbit(x) == std::signbit(y) ? 0 : INFINITY;
  if (std::signbit(x) != std::signbit(y)) return INFINITY;
  return static_cast<double>(a > b ? a - b : b - a);
}

std::string value_text(uint64_t bits, ir::Type type) {
  char text[64];
  if (type.is_float())
    std::snprintf(text, sizeof text, "%.17g", ir::float_value(bits, type));
  else
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(bits));
  return text;
}

}  // namespace

std::string difference(const BothWays& both, size_t index, int ulps) {
  const std::vector<char>&expected = both.expected[index].bytes, &actual = both.actual[index].bytes;
  ir::Type type = both.expected[index].type.element.scalar;
  size_t size = type.element_size();
  std::string text;
  int shown = 0;
  for (size_t at = 0; at + size <= expected.size(); at += size) {
    uint64_t a = ir::load_bits(expected.data() + at, type), b = ir::load_bits(actual.data() + at, type);
    bool same = std::memcmp(expected.data() + at, actual.data() + at, size) == 0;
    if (same || (type.is_float() && steps(a, b, type) <= ulps)) continue;
    if (++shown > 5) return text + " ...";
    text += " [" + std::to_string(at / size) + "] expected " + value_text(a, type) + ", is " +
            value_text(b, type) + ";";
  }
  return text;
}

}  // namespace lanewise::test
