// The functions of the preamble: what C++ has no operator for, written once and only if it is called.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::codegen::cuda_cpp {

class Helpers {
 public:
  // The name of a function of the table, which becomes part of the text with what it needs itself. `bits`: of
  // the integers of a family ("wrap_add" is wrap_add32 or wrap_add64), else 0.
  std::string use(std::string_view name, unsigned bits = 0);
  // One that is made for the occasion.
  std::string use_own(const std::string& name, const std::string& text);
  std::string text() const;

 private:
  std::map<std::string, size_t> used_;
  std::vector<std::string> texts_;
};

bool is_helper(std::string_view name);

}  // namespace lanewise::codegen::cuda_cpp
