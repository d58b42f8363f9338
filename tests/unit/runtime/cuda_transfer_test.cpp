// Host arrays of a launch: what is copied in, what comes back, what is left alone.
#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/sample_kernels.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

runtime::LaunchConfig config_of(int64_t blocks, int64_t threads, int64_t shared = 0) {
  runtime::LaunchConfig config;
  config.grid[0] = blocks;
  config.block[0] = threads;
  config.dynamic_shared_bytes = shared;
  return config;
}

template <class T>
std::vector<T> values_in(const TestArgument& argument) {
  std::vector<T> values(argument.bytes.size() / sizeof(T));
  std::memcpy(values.data(), argument.bytes.data(), argument.bytes.size());
  return values;
}

std::vector<char> filled(size_t bytes) {
  std::vector<char> made(bytes);
  for (size_t i = 0; i < bytes; ++i) made[i] = static_cast<char>(i * 7 + 1);
  return made;
}

// Every layout of a 3 x 4 view: rows with gaps, reversed, transposed, sliced, broadcast input.
TEST(CudaTransfer, OnlyElementsOfStridedViewsComeBack) {
  struct Layout {
    std::vector<int64_t> strides;
    int64_t offset;  // elements
  };
  for (const Layout& layout : {Layout{{4, 1}, 0}, Layout{{10, 2}, 3}, Layout{{1, 3}, 0}, Layout{{-6, 1}, 20},
                               Layout{{-10, -2}, 30}, Layout{{1, 5}, 2}, Layout{{20, -3}, 9}}) {
    std::vector<TestArgument> arguments{
        view(ir::kI32, filled(64 * 4), 0, {3, 4}, {0, 1}),
        view(ir::kI32, filled(64 * 4), layout.offset * 4, {3, 4}, layout.strides)};
    BothWays both = run_both(strided_kernel(), runtime::make_cuda_kernel, config_of(3, 4), arguments);
    EXPECT_EQ(difference(both, 1), "") << layout.strides[0] << ", " << layout.strides[1];
    EXPECT_EQ(both.actual[0].bytes, arguments[0].bytes);
  }
}

// Nothing between the elements is written, not even with what was there: it may change meanwhile.
TEST(CudaTransfer, ReadOnlyArraysAreNeverWritten) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 4), scalar(ir::kF32, 0),
                                      array(ir::kF32, std::vector<float>{1, 2, 3, 4}),
                                      array(ir::kF32, std::vector<float>(4))};
  arguments[2].argument.writable = false;
  EXPECT_NO_THROW(run_both(saxpy_kernel(), runtime::make_cuda_kernel, config_of(1, 32), arguments));
  arguments[3].argument.writable = false;
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  try {
    launch(*kernel, config_of(1, 32), arguments);
    FAIL() << "a read-only array was accepted as output";
  } catch (const runtime::LaunchError& error) {
    EXPECT_NE(std::string(error.what()).find("arg3"), std::string::npos) << error.what();
  }
}

// x and y are windows of one array, one element apart: y[i] = 2 * x[i] + y[i], all reading before any writes
// is not promised, so a single thread runs the elements in order.
TEST(CudaTransfer, OverlappingArraysOverlapOnTheDevice) {
  std::string text =
      "kernel @shift(%n: i64, %x: ptr<i32, global>, %x.n: i64, %y: ptr<i32, global>, %y.n: i64) {\n"
      R"(
  %zero = const 0 : i64
  %one = const 1 : i64
  for %zero, %n, %one do(%i: i64) {
    %v = load %x, %i : i32
    %w = add %v, %v : i32
    store %y, %i, %w
    yield
  }
  return
}
)";
  TestArgument whole = array(ir::kI32, std::vector<int32_t>{1, 0, 0, 0, 0, 0});
  whole.argument.shape[0] = 5;
  TestArgument shifted = whole;
  shifted.bytes.clear();
  shifted.shares = 1;
  shifted.offset = 4;
  BothWays both =
      run_both(text, runtime::make_cuda_kernel, config_of(1, 1), {scalar(ir::kI64, 5), whole, shifted});
  EXPECT_EQ(difference(both, 1), "");
  EXPECT_EQ(values_in<int32_t>(both.actual[1]), (std::vector<int32_t>{1, 2, 4, 8, 16, 32}));
}

// A view of bytes one off the others' alignment: the union must not misalign the wider elements.
TEST(CudaTransfer, OverlapOfDifferentTypesKeepsAlignment) {
  std::string text =
      "kernel @mix(%n: i64, %b: ptr<u8, global>, %b.n: i64, %w: ptr<f64, global>, %w.n: i64) {\n"
      R"(
  %zero = const 0 : i64
  %seven = const 7 : u8
  %half = const 0.5 : f64
  %v = load %w, %zero : f64
  %sum = add %v, %half : f64
  store %w, %zero, %sum
  store %b, %zero, %seven
  return
}
)";
  std::vector<char> memory(32, 0);
  TestArgument bytes = array<char>(ir::kU8, memory);
  bytes.argument.shape[0] = 20;
  bytes.offset = 7;
  TestArgument wide = array<double>(ir::kF64, {});
  wide.argument.shape[0] = 1;
  wide.shares = 1;
  wide.offset = 8;
  BothWays both =
      run_both(text, runtime::make_cuda_kernel, config_of(1, 1), {scalar(ir::kI64, 1), bytes, wide});
  EXPECT_EQ(difference(both, 1), "");
  EXPECT_EQ(both.actual[1].bytes[7], 7);
}

TEST(CudaTransfer, ElementsThatTheKernelLeavesAloneStay) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 2), scalar(ir::kF32, 0),
                                      array(ir::kF32, std::vector<float>(5)),
                                      array(ir::kF32, std::vector<float>{1, 2, 3, 4, 5})};
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  launch(*kernel, config_of(1, 32), arguments);
  EXPECT_EQ(values_in<float>(arguments[3]), (std::vector<float>{1, 2, 3, 4, 5}));
}

TEST(CudaTransfer, EmptyArraysAndGrids) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 0), scalar(ir::kF32, 0),
                                      array(ir::kF32, std::vector<float>()),
                                      array(ir::kF32, std::vector<float>())};
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  EXPECT_NO_THROW(launch(*kernel, config_of(1, 32), arguments));
  EXPECT_NO_THROW(launch(*kernel, config_of(0, 32), arguments));
}

TEST(CudaTransfer, DeviceBuffersGoAndComeAndMixWithHostArrays) {
  std::vector<float> x{1, 2, 3, 4};
  auto buffer = runtime::allocate(runtime::Target::Cuda, 16);
  ASSERT_EQ(buffer->bytes, 16);
  buffer->copy_from_host(x.data(), 16, 0);
  std::vector<TestArgument> arguments{scalar(ir::kI64, 4), scalar(ir::kF32, 0x3F800000), array(ir::kF32, x),
                                      array(ir::kF32, std::vector<float>{10, 20, 30, 40})};
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  arguments[2].argument.device = true;
  arguments[2].argument.data = buffer->data;
  launch(*kernel, config_of(1, 32), arguments);
  EXPECT_EQ(values_in<float>(arguments[3]), (std::vector<float>{11, 22, 33, 44}));

  // Now as the output, beside a host array as the input.
  std::swap(arguments[2].argument, arguments[3].argument);
  arguments[2].argument.device = false;
  launch(*kernel, config_of(1, 32), arguments);
  runtime::synchronize(runtime::Target::Cuda);
  std::vector<float> result(4);
  buffer->copy_to_host(result.data() + 1, 12, 4);
  EXPECT_EQ(result, (std::vector<float>{0, 4, 6, 8}));
  EXPECT_NE(runtime::allocate(runtime::Target::Cuda, 0)->data, nullptr);
}

}  // namespace
}  // namespace lanewise::test
