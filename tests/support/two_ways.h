// Runs one kernel, given as IR text, on the interpreter and on another target, on copies of the same arrays,
// and says where the results differ.
#pragma once
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.h"

namespace lanewise::test {

// An array or scalar argument of a test launch. Arrays are held as bytes so that every byte can be compared,
// also those between the elements of a strided view.
struct TestArgument {
  frontend::ValueType type;
  runtime::Argument argument;  // of an array: shape, strides, writable; `data` is filled in
  std::vector<char> bytes;     // of an array: the memory it lies in
  int64_t offset = 0;          // bytes from there to the first element
  int shares = -1;             // index of the argument whose memory this is a view of, -1: its own
};

TestArgument scalar(ir::Type type, uint64_t bits);
template <class T>
TestArgument array(ir::Type element, const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  TestArgument made{frontend::ValueType::array(element, 1, frontend::Layout::C), {}, {}, 0, -1};
  made.argument.ndim = 1;
  made.argument.shape[0] = static_cast<int64_t>(values.size());
  made.argument.strides[0] = 1;
  made.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
  return made;
}
// A view with a layout of its own on `bytes`; strides in elements.
TestArgument view(ir::Type element, std::vector<char> bytes, int64_t offset, std::vector<int64_t> shape,
                  std::vector<int64_t> strides);

runtime::KernelInfo kernel_info(const std::string& text, const std::vector<TestArgument>& arguments);
runtime::KernelInfo kernel_info(ir::Module module, const std::vector<TestArgument>& arguments);
// What a launch takes, on the arguments' own memory.
std::vector<runtime::Argument> leaves_of(std::vector<TestArgument>& arguments);
// Launches on the arguments' own memory.
void launch(runtime::CompiledKernel& kernel, const runtime::LaunchConfig& config,
            std::vector<TestArgument>& arguments);

// runtime/backend.h's make_cuda_kernel or make_cpu_kernel.
using MakeKernel = std::shared_ptr<runtime::CompiledKernel> (*)(runtime::KernelInfo);
// The arguments after a launch on the interpreter and on the target.
struct BothWays {
  std::vector<TestArgument> expected, actual;
};
BothWays run_both(const std::string& text, MakeKernel make, const runtime::LaunchConfig& config,
                  const std::vector<TestArgument>& arguments);

// Compares the array `index` element by element. Elements may differ by `ulps` units in the last place; every
// NaN equals every NaN. "" if they agree, else a text that names the first few that do not.
std::string difference(const BothWays& both, size_t index, int ulps = 0);

}  // namespace lanewise::test
