// A seeded fuzz run of the IR text form over the golden .ir files. LANEWISE_FUZZ_SEED chooses another run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/ir_text.h"
#include "tests/fuzz/mutate.h"

namespace lanewise::fuzz {
namespace {

constexpr int kRuns = 100000;
constexpr size_t kMaxFile = 6000;  // of a corpus file: longer ones slow the run down and find no more

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(LANEWISE_SOURCE_DIR "/tests/golden")) {
    if (file.path().extension() != ".ir" || file.file_size() > kMaxFile) continue;
    std::ifstream stream(file.path(), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    texts.push_back(text.str());
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::vector<std::string> tokens() {
  std::vector<std::string> out{"%",
                               "@",
                               "{",
                               "}",
                               "(",
                               ")",
                               ",",
                               ":",
                               "=",
                               "->",
                               "0",
                               "1",
                               "-1",
                               "1.5",
                               "nan",
                               "-inf",
                               "true",
                               "loc(0:1:2)",
                               " at 0",
                               "site",
                               "data",
                               "kernel",
                               "function",
                               "\"",
                               "\\x41",
                               "\n",
                               "#",
                               "99999999999999999999",
                               "bool",
                               "i8",
                               "i32",
                               "i64",
                               "u64",
                               "f16",
                               "f32",
                               "f64",
                               "ptr<f32, global>",
                               "ptr<f32, shared>",
                               "var<i32>",
                               "then",
                               "else",
                               "do",
                               "cond",
                               "body",
                               "%0",
                               "%a"};
  for (const ir::OpInfo& op : ir::kOps) out.emplace_back(op.text);
  return out;
}

TEST(IrTextFuzz, SeededRun) {
  uint32_t seed = 20240611;
  if (const char* wanted = std::getenv("LANEWISE_FUZZ_SEED"))
    seed = static_cast<uint32_t>(std::strtoul(wanted, nullptr, 10));
  std::vector<std::string> texts = corpus();
  ASSERT_GT(texts.size(), 10u);
  for (const std::string& text : texts) EXPECT_EQ(check_ir_text(text).wrong, "") << text;
  Mutator mutator(texts, tokens(), seed);
  int parsed = 0, verified = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::string text = mutator.next();
    IrTextResult result = check_ir_text(text);
    parsed += result.parsed;
    verified += result.verified;
    ASSERT_EQ(result.wrong, "") << "seed " << seed << ", run " << run << ":\n" << text;
  }
  // A run whose texts nearly all fail at once would test nothing but the first error.
  EXPECT_GT(parsed, kRuns / 20);
  EXPECT_GT(verified, kRuns / 50);
}

}  // namespace
}  // namespace lanewise::fuzz
