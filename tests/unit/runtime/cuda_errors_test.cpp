// What goes wrong around a device, and what the user is told. Errors that kill the context run in a process
// of their own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "codegen/codegen.h"
#include "tests/support/op_instances.h"
#include "tests/support/sample_kernels.h"
#include "tests/support/two_ways.h"

namespace lanewise::test {
namespace {

std::vector<TestArgument> saxpy_arguments(int64_t n, size_t elements) {
  return {scalar(ir::kI64, static_cast<uint64_t>(n)), scalar(ir::kF32, 0),
          array(ir::kF32, std::vector<float>(elements)), array(ir::kF32, std::vector<float>(elements))};
}

runtime::LaunchConfig config_of(int64_t blocks, int64_t threads, int64_t shared = 0) {
  runtime::LaunchConfig config;
  config.grid[0] = blocks;
  config.block[0] = threads;
  config.dynamic_shared_bytes = shared;
  return config;
}

template <class Error>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(CudaStatus, ReportsDriverAndDevice) {
  const runtime::CudaStatus& status = runtime::cuda_status();
  EXPECT_TRUE(status.usable) << status.report;
  EXPECT_GE(status.sm, 35);
  EXPECT_GE(status.driver_version, 7000);
  EXPECT_HAS(status.report, "device 0: ");
  EXPECT_HAS(status.report, "compute capability ");
}

TEST(CudaError, SharedMemoryBeyondTheDeviceIsRefusedWithNumbers) {
  std::vector<TestArgument> arguments{scalar(ir::kI64, 32), array(ir::kI32, std::vector<int32_t>(32, 1)),
                                      array(ir::kI64, std::vector<int64_t>(32))};
  auto kernel = runtime::make_cuda_kernel(kernel_info(dynamic_shared_kernel(), arguments));
  std::string text =
      message_of<runtime::LaunchError>([&] { launch(*kernel, config_of(1, 32, 1 << 20), arguments); });
  EXPECT_HAS(text, "1048576");
  EXPECT_HAS(text, "rotate");
  // Exactly 48 KiB needs no leave, a little more does.
  EXPECT_NO_THROW(launch(*kernel, config_of(1, 32, 49152), arguments));
  EXPECT_NO_THROW(launch(*kernel, config_of(1, 32, 49152 + 4), arguments));
  EXPECT_NO_THROW(launch(*kernel, config_of(1, 32, 128), arguments));
}

TEST(CudaError, CodeForANewerArchitectureThanTheDevice) {
  runtime::KernelInfo info = kernel_info(saxpy_kernel(), saxpy_arguments(4, 4));
  info.options.cuda.sm = 121;
  if (runtime::cuda_status().sm >= 121) GTEST_SKIP() << "the device is new enough";
  std::string text = message_of<runtime::CudaError>([&] { runtime::make_cuda_kernel(info); });
  EXPECT_HAS(text, "sm_121");
  info.options.cuda.sm = 35;
  EXPECT_NO_THROW(runtime::make_cuda_kernel(info));
}

TEST(CudaError, TooManyThreads) {
  std::vector<TestArgument> arguments = saxpy_arguments(4, 4);
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  EXPECT_HAS(message_of<runtime::LaunchError>([&] { launch(*kernel, config_of(1, 2048), arguments); }),
             "1024");
}

// Ends the process: 0 if the error is the one expected and the next call knows of it.
void provoke_illegal_address() {
  std::vector<TestArgument> arguments = saxpy_arguments(int64_t{1} << 40, 4);
  auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
  std::string text =
      message_of<runtime::CudaError>([&] { launch(*kernel, config_of(1 << 20, 1024), arguments); });
  std::string later = message_of<runtime::CudaError>([] { runtime::synchronize(runtime::Target::Cuda); });
  std::fprintf(stderr, "first: %s\nlater: %s\n", text.c_str(), later.c_str());
  for (std::string_view part : {"CUDA_ERROR_ILLEGAL_ADDRESS (700)", "kernel: saxpy", "restart the process"})
    if (text.find(part) == text.npos) exit(1);
  exit(later.find("context is lost") == later.npos ? 2 : 0);
}

TEST(CudaErrorDeathTest, IllegalAddressNamesTheCallAndTheContextStaysLost) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(provoke_illegal_address(), ::testing::ExitedWithCode(0), "");
}

void use_in_a_forked_child() {
  runtime::synchronize(runtime::Target::Cuda);
  pid_t child = fork();
  if (child == 0) {
    std::string text = message_of<runtime::CudaError>([] { runtime::synchronize(runtime::Target::Cuda); });
    _exit(text.find("spawn") == text.npos ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  exit(WIFEXITED(status) ? WEXITSTATUS(status) : 99);
}

TEST(CudaErrorDeathTest, AForkedChildIsToldToSpawn) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(use_in_a_forked_child(), ::testing::ExitedWithCode(0), "");
}

// The driver is opened once in a process, so each of these starts one of its own.
void expect_report(const char* driver, std::initializer_list<std::string_view> parts) {
  setenv("LANEWISE_CUDA_DRIVER", driver, 1);
  const runtime::CudaStatus& status = runtime::cuda_status();
  bool good = !status.usable;
  for (std::string_view part : parts) good = good && status.report.find(part) != std::string::npos;
  std::string thrown = message_of<runtime::CudaError>([] { runtime::allocate(runtime::Target::Cuda, 16); });
  if (good && thrown == status.report) exit(0);
  std::fprintf(stderr, "report: %s\nthrown: %s\n", status.report.c_str(), thrown.c_str());
  exit(1);
}

TEST(CudaStatusDeathTest, WithoutADriverTheReportSaysSo) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(expect_report("/nonexistent", {"no CUDA driver", "/nonexistent", "LANEWISE_CUDA_DRIVER"}),
              ::testing::ExitedWithCode(0), "");
}

TEST(CudaStatusDeathTest, ALibraryThatIsNoDriverIsTooOld) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(expect_report("libm.so.6", {"too old", "cuInit"}), ::testing::ExitedWithCode(0), "");
}

TEST(CudaError, ThreadsCompileAndLaunchSideBySide) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &wrong] {
      std::vector<TestArgument> arguments = saxpy_arguments(64, 64);
      for (int round = 0; round < 5; ++round) {
        std::vector<float> x(64, static_cast<float>(t));
        std::memcpy(arguments[3].bytes.data(), x.data(), 256);
        auto kernel = runtime::make_cuda_kernel(kernel_info(saxpy_kernel(), arguments));
        launch(*kernel, config_of(2, 32), arguments);
        if (std::memcmp(arguments[3].bytes.data(), x.data(), 256) != 0) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace lanewise::test
