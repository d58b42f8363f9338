// Identifiers of C++: names of the source where it has some, unique in their scope, none that means
// something.
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace lanewise::codegen::cuda_cpp {

// Whether a user's name cannot stand in CUDA C++ as it is: a keyword, or what the text itself calls.
bool is_reserved(std::string_view name);

class Names {
 public:
  // A name like the hint ("acc.1" and "x.shape0" give acc and x_shape0) that was not given before.
  std::string make(std::string_view hint);
  // That name as it is.
  std::string take(const std::string& name);

 private:
  std::map<std::string, int, std::less<>> taken_;  // with the last number that was added to it
};

// The hint without the number that made it unique in the IR's text.
std::string_view base_name(std::string_view hint);

}  // namespace lanewise::codegen::cuda_cpp
