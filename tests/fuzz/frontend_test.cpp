// A seeded fuzz run of the front end over the kernels of corpus/. LANEWISE_FUZZ_SEED chooses another run,
// LANEWISE_FUZZ_RUNS another length.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/frontend_text.h"
#include "tests/fuzz/mutate.h"

namespace lanewise::fuzz {
namespace {

uint32_t setting(const char* name, uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& file : std::filesystem::directory_iterator(LANEWISE_SOURCE_DIR "/tests/fuzz/corpus")) {
    std::ifstream stream(file.path(), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    texts.push_back(text.str());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

// What the mutator puts in: separated by blanks, and those that hold some.
std::vector<std::string> tokens() {
  std::vector<std::string> out = {"\\\n",         "\n",         "\n    ",     "\n        ", "\t",
                                  "\r\n",         "elif ",      "for i in ",  "\xFF",       "\xC3\xA9",
                                  "@gpu.jit\n",   "match x:\n", "def f(x): ", "return ",    "import ",
                                  "\xEF\xBB\xBF", "lambda ",    "not ",       "(1, 2)",     "if x else y"};
  std::istringstream words(
      "( ) [ ] { } : , . ; = == != < <= + - * ** / // % @ & | ^ ~ << >> += := -> ... # \" ' \"\"\" ''' f\"{ "
      "f'{x!r:>{w}}' "
      "rb' 0 1 -1 2**64 0x 1e400 1_ 0.5 1j True None if else: while class yield await async with try: except "
      "from global "
      "del assert raise case and or is break continue pass x i n gpu gpu.grid(1) "
      "gpu.shared.array(8,gpu.float32) "
      "gpu.syncthreads() range(n) math.sqrt(x) float32 float32[:] int64 \"void(float32[:])\" x[i] x.shape[0] "
      "x[1:-1] "
      "gpu.atomic.add(x,0,1)");
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

TEST(FrontendFuzz, CorpusHolds) {
  int parsed = 0, inferred = 0;
  for (const std::string& text : corpus()) {
    FrontendResult result = check_frontend(text);
    EXPECT_EQ(result.wrong, "") << text;
    parsed += result.parsed;
    inferred += result.inferred;
  }
  EXPECT_GE(parsed, 18);
  EXPECT_GE(inferred, 6);
}

TEST(FrontendFuzz, SeededRun) {
  uint32_t seed = setting("LANEWISE_FUZZ_SEED", 20240611), runs = setting("LANEWISE_FUZZ_RUNS", 100000);
  std::vector<std::string> texts = corpus();
  ASSERT_GE(texts.size(), 20u);
  Mutator mutator(texts, tokens(), seed);
  uint32_t parsed = 0, inferred = 0;
  double slowest = 0;  // in seconds of this process: the machine may be busy with others
  for (uint32_t run = 0; run < runs; ++run) {
    std::string text = mutator.next();
    std::clock_t start = std::clock();
    FrontendResult result;
    ASSERT_NO_THROW(result = check_frontend(text)) << "seed " << seed << ", run " << run << ":\n" << text;
    double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    slowest = std::max(slowest, took);
    parsed += result.parsed;
    inferred += result.inferred;
    ASSERT_EQ(result.wrong, "") << "seed " << seed << ", run " << run << ":\n" << text;
    ASSERT_LT(took, 10) << "seed " << seed << ", run " << run << ":\n" << text;
  }
  // A run whose texts nearly all fail at once would test nothing but the first error.
  EXPECT_GT(parsed, runs / 20);
  EXPECT_GT(inferred, runs / 50);
  RecordProperty("slowest_ms", static_cast<int>(slowest * 1000));
}

}  // namespace
}  // namespace lanewise::fuzz
