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

}  // namespace
