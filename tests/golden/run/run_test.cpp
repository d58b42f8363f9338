// Every `# run:` line of every file on every target: interpreter, passes, CPU and CUDA must agree. Targets
// are not compared with each other but with what the line says.
#include <gtest/gtest.h>

#include <map>

#include "tests/golden/run/targets.h"

namespace lanewise::run_tests {
namespace {

using Case = std::tuple<std::filesystem::path, Target>;

class Run : public testing::TestWithParam<Case> {};

TEST_P(Run, EveryLine) {
  auto [path, target] = GetParam();
  if (auto reason = unavailable(target)) GTEST_SKIP() << *reason;
  RunFile file = read_run_file(path);
  std::map<ir::FunctionId, std::unique_ptr<Runner>> runners;
  for (const RunLine& line : file.lines) {
    const ir::Function& function = file.module[line.function];
    std::string where = path.filename().string() + ":" + std::to_string(line.line) + ": " + line.text + ": ";
    try {
      std::unique_ptr<Runner>& runner = runners[line.function];
      if (!runner) runner = make_runner(target, file.module, line.function);
      std::string wrong = compare(line, function.results, runner->run(line.arguments));
      EXPECT_EQ(wrong, "") << where << wrong;
    } catch (const std::exception& error) {
      ADD_FAILURE() << where << error.what();
    }
  }
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  return std::get<0>(info.param).stem().string() + "_" + to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Golden, Run,
                         testing::Combine(testing::ValuesIn(all_run_files()), testing::ValuesIn(kTargets)),
                         test_name);

TEST(RunCoverage, EveryOpHasALine) {
  std::map<ir::OpKind, bool> seen;
  for (const auto& path : all_run_files()) {
    RunFile file = read_run_file(path);
    std::vector<bool> run(file.module.functions.size());
    for (const RunLine& line : file.lines) run[line.function.index] = true;
    for (size_t f = 0; f < run.size(); ++f) {
      EXPECT_TRUE(run[f] || file.module.functions[f].name.starts_with("helper"))
          << path.filename() << ": no line runs @" << file.module.functions[f].name;
      for (const ir::Op& op : file.module.functions[f].ops) seen[op.kind] = true;
    }
  }
  // Not on every target, or not in a launch of one block: tests/python/test_cuda_functions.py,
  // tests/conformance.
  for (ir::OpKind kind :
       {ir::OpKind::CallExternal, ir::OpKind::InlinePtx, ir::OpKind::GridBarrier, ir::OpKind::Breakpoint})
    seen[kind] = true;
  for (size_t kind = 0; kind < ir::kOpCount; ++kind)
    EXPECT_TRUE(seen.contains(static_cast<ir::OpKind>(kind)))
        << "no run line for `" << ir::kOps[kind].text << "`";
}

TEST(RunFormat, ComparesAsItSays) {
  RunLine line{1, "", {}, {ir::Bits{0}}, {ir::float_bits(1.0, ir::kF32)}, 0};
  EXPECT_EQ(compare(line, {ir::kF32}, {ir::float_bits(1.0, ir::kF32)}), "");
  ir::Bits near = ir::float_bits(1.0, ir::kF32) + 2;  // two places above
  EXPECT_NE(compare(line, {ir::kF32}, {near}), "");
  line.ulp = 2;
  EXPECT_EQ(compare(line, {ir::kF32}, {near}), "");
  line.ulp = 1;
  EXPECT_NE(compare(line, {ir::kF32}, {near}), "");
  line.results = {ir::float_bits(0.0, ir::kF64)};
  EXPECT_NE(compare(line, {ir::kF64}, {ir::float_bits(-0.0, ir::kF64)}), "");
}

}  // namespace
}  // namespace lanewise::run_tests
