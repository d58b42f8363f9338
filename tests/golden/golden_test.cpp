// One test for each golden file that is there when the tests run.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/golden/golden.h"

namespace lanewise::golden {
namespace {

class Golden : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, File) {
  GoldenCase golden = read_case(GetParam());
  std::string output = (*find_stage(golden.stage))(golden);
  if (const char* wanted = std::getenv("LANEWISE_BLESS"); wanted && std::string_view(wanted) == "1") {
    bless(golden, output);
    golden = read_case(GetParam());
  }
  std::string wrong = check(golden, output);
  EXPECT_TRUE(wrong.empty()) << golden.path.string() << " " << wrong;
}

std::string test_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string() +
                     (info.param.extension() == ".ir" ? "_ir" : "");
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Golden);
INSTANTIATE_TEST_SUITE_P(Files, Golden, ::testing::ValuesIn(all_cases()), test_name);

TEST(GoldenFormat, EveryFolderIsAStage) {
  for (const auto& folder : std::filesystem::directory_iterator(LANEWISE_SOURCE_DIR "/tests/golden")) {
    std::string name = folder.path().filename().string();
    // run/ has a runner of its own; modules/ holds what golden files import.
    bool known = !folder.is_directory() || name == "run" || name == "modules" || find_stage(name);
    EXPECT_TRUE(known) << name << " is the name of no stage";
  }
}

TEST(GoldenFormat, ChecksWhatItSays) {
  GoldenCase golden;
  golden.options = {{"contains", "bar.sync 0"}, {"lacks", "ld.local"}, {"count", "2 st.global"}};
  EXPECT_EQ(check(golden, "bar.sync\t0;\nst.global a\nst.global b"), "");
  EXPECT_NE(check(golden, "bar.sync\t1;\nst.global a\nst.global b"), "");
  EXPECT_NE(check(golden, "bar.sync\t0; ld.local st.global st.global"), "");
  EXPECT_NE(check(golden, "bar.sync\t0; st.global"), "");
  golden.options.clear();
  EXPECT_NE(check(golden, "x"), "");  // a file without any expectation is no test
  golden.expected = "a\n\nb\n";
  EXPECT_EQ(check(golden, "a\n\nb"), "");
  EXPECT_NE(check(golden, "a\nb\n"), "");
}

}  // namespace
}  // namespace lanewise::golden
