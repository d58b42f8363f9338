// Reads tests/golden/run/*.ir: IR functions with lines that say what they give.
//
//   # run: @f(2, -inf) == 5, true          results in order; each exact: the same bits, any NaN for nan
//   # run: @g(0.5) ~= 0.479425538604203    within 4 ulp of the result's type; `ulp 1` at the end says how
//   many
//
// Arguments and results are typed by the function: whole numbers, decimal or 0x, floats, nan, inf, true,
// false.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "ir/scalar_ops.h"

namespace lanewise::run_tests {

struct RunLine {
  size_t line = 0;
  std::string text;  // for messages
  ir::FunctionId function;
  std::vector<ir::Bits> arguments, results;
  double ulp = 0;
};

struct RunFile {
  std::string name;
  ir::Module module;
  std::vector<RunLine> lines;
};

// Throws std::runtime_error with file and line on anything wrong.
RunFile read_run_file(const std::filesystem::path& path);
std::vector<std::filesystem::path> all_run_files();

// "" if `actual` is what the line expects, else what differs.
std::string compare(const RunLine& line, const std::vector<ir::Type>& types,
                    const std::vector<ir::Bits>& actual);

}  // namespace lanewise::run_tests
