// Golden files: the input of one stage and, in the same file, what it must give. One format for every stage,
// valid Python and valid IR text at once because all of it stands in comments:
//
//   #: key value     an option, anywhere: `signature k(float32[:])`, `pass fold_constants`, ...
//   #: contains T    the output has T somewhere (runs of white space count as one blank)
//   #: lacks T       the output does not have T
//   #: count N T     the output has T exactly N times
//   #: module M L    L is a line of the kernel module M that the file imports; tests/golden/modules/ has
//   others
//   #= line          the expected output, at the end of the file; `#=` alone is an empty line
//
// LANEWISE_BLESS=1 rewrites the `#=` lines of the files that have no contains, lacks or count.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanewise::golden {

struct GoldenCase {
  std::filesystem::path path;
  std::string stage;  // the name of its folder
  std::string name;   // the file's name
  std::string input;  // the file without its expected output; option lines are still there
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<std::string> expected;

  // The value of the first option with this key.
  std::optional<std::string> option(std::string_view key) const;
  std::vector<std::string> option_values(std::string_view key) const;
  bool has(std::string_view key) const { return option(key).has_value(); }
  bool is_python() const { return path.extension() == ".py"; }
};

GoldenCase read_case(const std::filesystem::path& path);
// All .py and .ir files of tests/golden/<stage>/, sorted, for the stages that stages.cpp knows.
std::vector<std::filesystem::path> all_cases();
// Replaces the expected output in the file.
void bless(const GoldenCase& golden, const std::string& output);
// What is wrong with the output, "" if nothing.
std::string check(const GoldenCase& golden, const std::string& output);

// --- stages.cpp
using Stage = std::function<std::string(const GoldenCase&)>;
// nullptr if there is no such stage.
const Stage* find_stage(std::string_view name);
// The passes that `#: pass NAME` can name.
std::vector<std::string> pass_names();

}  // namespace lanewise::golden
