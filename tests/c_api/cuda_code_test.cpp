// CUDA C++ in kernels, and device code that is linked to them, through the C++ door.
#include <gtest/gtest.h>
#include <lanewise/lanewise.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace {

constexpr const char* kKernels = R"py(
from lanewise import gpu

square = gpu.cuda_function("""
__device__ float square(float x) { return x * x; }
""", "square", "float32(float32)")
cube = gpu.declare_device("cube", "float32(float32)", abi="c")

@gpu.jit("void(float32[::1])")
def squares(x):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = square(x[i])

@gpu.jit("void(float32[::1])")
def cubes(x):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = cube(x[i])
)py";

bool on_cuda() {
  const char* target = std::getenv("LANEWISE_TARGET");
  return target && std::string(target) == "cuda";
}

// "" if the work can be done, else why NVRTC does not do it.
template <class Work>
std::string without_nvrtc(Work work) {
  try {
    work();
  } catch (const lanewise::Error& error) {
    std::string text = error.what();
    if (text.find("NVRTC (compiles CUDA C++) is not on this machine") != text.npos) return text;
    throw;
  }
  return "";
}

// A file of this process alone: the same tests run on other targets at the same time.
std::string write_file(const std::string& name, const std::string& text) {
  std::filesystem::path folder = testing::TempDir() + "/lanewise_" + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << text;
  return folder / name;
}

const char* kPlain = R"py(
from lanewise import gpu

@gpu.jit("void(float32[::1])")
def fill(x):
    i = gpu.grid(1)
    if i < x.size:
        x[i] = 3
)py";

TEST(CudaCode, CudaFunctionsAreMerged) {
  lanewise::Module module = lanewise::compile(kKernels);
  std::string ptx;
  std::string missing = without_nvrtc([&] { ptx = module.ptx("squares", {}, 80); });
  if (!missing.empty()) GTEST_SKIP() << missing;
  EXPECT_NE(ptx.find("lanewise_call_square_"), ptx.npos);
  EXPECT_EQ(ptx.find(".extern .func"), ptx.npos);
}

TEST(CudaCode, Results) {
  lanewise::Options options;
  options.link = {write_file("cube.cu", "extern \"C\" __device__ float cube(float x) { return x * x * x; }")};
  lanewise::Module module = lanewise::compile(kKernels, options);
  std::vector<float> x(5);
  std::iota(x.begin(), x.end(), 0.0f);
  if (!on_cuda()) {
    EXPECT_THROW(module.launch("squares", {1}, {32}, std::span<float>(x)), lanewise::CompileError);
    return;
  }
  std::string missing = without_nvrtc([&] { module.launch("squares", {1}, {32}, std::span<float>(x)); });
  if (!missing.empty()) GTEST_SKIP() << missing;
  EXPECT_EQ(x, (std::vector<float>{0, 1, 4, 9, 16}));
  module.launch("cubes", {1}, {32}, std::span<float>(x));
  EXPECT_EQ(x, (std::vector<float>{0, 1, 64, 729, 4096}));
}

TEST(CudaCode, WhatCannotBeLinked) {
  lanewise::Options options;
  options.link = {"/nonexistent/cube.cu"};
  EXPECT_THROW(lanewise::compile(kKernels, options), lanewise::Error);
  options.link = {write_file("cube.txt", "")};
  EXPECT_THROW(lanewise::compile(kKernels, options), lanewise::Error);
  lanewise::Module module = lanewise::compile(kKernels);
  try {
    module.ptx("cubes", {}, 80);
    FAIL() << "nothing defines cube";
  } catch (const lanewise::Error& error) {
    EXPECT_NE(std::string(error.what()).find("calls `cube`, which nothing that is linked to it defines"),
              std::string::npos)
        << error.what();
  }
}

TEST(CudaCode, ErrorsInTheSourceAreDiagnostics) {
  std::string text = kKernels;
  text.replace(text.find("return x * x;"), 13, "return x * y;");
  lanewise::Module module = lanewise::compile(text);
  try {
    std::string missing = without_nvrtc([&] { module.ptx("squares", {}, 80); });
    if (!missing.empty()) GTEST_SKIP() << missing;
    FAIL() << "there is no y";
  } catch (const lanewise::CompileError& error) {
    ASSERT_EQ(error.diagnostics.size(), 1u);
    EXPECT_EQ(error.diagnostics[0].id, "cuda-source");
    EXPECT_EQ(error.diagnostics[0].line, 5u);
  }
}

TEST(CudaCode, LaunchBoundsAndClustersAreInThePtx) {
  lanewise::Options options;
  options.max_threads = 128;
  options.min_blocks = 2;
  options.max_registers = 40;
  options.cluster = {2, 2};
  lanewise::Module module = lanewise::compile(kPlain, options);
  std::string ptx = module.ptx("fill", {}, 90);
  for (const char* part : {".maxntid 128", ".minnctapersm 2", ".maxnreg 40", ".reqnctapercluster 2, 2, 1"})
    EXPECT_NE(ptx.find(part), ptx.npos) << part << " in\n" << ptx;
  try {
    module.ptx("fill", {}, 80);
    FAIL() << "sm_80 has no clusters";
  } catch (const lanewise::Error& error) {
    EXPECT_NE(std::string(error.what()).find("which sm_80 does not have"), std::string::npos) << error.what();
  }
  options.cluster = {17};
  EXPECT_THROW(lanewise::compile(kPlain, options), lanewise::Error);
  options.cluster = {0, 0, 0};
  options.max_threads = 0;
  EXPECT_THROW(lanewise::compile(kPlain, options), lanewise::Error);
}

TEST(CudaCode, OccupancyAndAttributes) {
  lanewise::Kernel kernel = lanewise::compile(kPlain).kernel("fill");
  std::vector<float> x(64);
  EXPECT_GE(kernel.suggested_block(), 32);
  EXPECT_THROW(kernel.suggested_block(-1), lanewise::LaunchError);
  EXPECT_GT(kernel.max_cooperative_blocks({64}), 0);
  EXPECT_THROW(kernel.max_cooperative_blocks({2048}), lanewise::LaunchError);
  lanewise::Launch how{.grid = 4, .block = 16};
  how.priority = -1;
  how.overlaps_previous = true;
  if (!on_cuda()) {
    EXPECT_THROW(kernel.max_active_blocks({64}), lanewise::LaunchError);
    EXPECT_THROW(kernel.launch(how, std::span<float>(x)), lanewise::LaunchError);
    EXPECT_THROW(kernel.launch({.grid = 4, .block = 16, .cluster = 2}, std::span<float>(x)),
                 lanewise::LaunchError);
    return;
  }
  EXPECT_GT(kernel.max_active_blocks({64}), 0);
  kernel.launch(how, std::span<float>(x));
  EXPECT_EQ(x, std::vector<float>(64, 3));
  how.cluster = 3;  // not a divisor of the grid, or the device has none
  EXPECT_THROW(kernel.launch(how, std::span<float>(x)), lanewise::LaunchError);
}

}  // namespace
