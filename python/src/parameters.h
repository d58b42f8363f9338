// A Python function's parameters, and binding positional and keyword arguments to them as Python does.
#pragma once
#include <string>
#include <vector>

#include "core.h"

namespace lanewise::python {

// Arguments in the order of the parameters: borrowed references, and what was made to hold them.
struct BoundArguments {
  std::vector<PyObject*> values;
  py::object star;  // the tuple of *args
};

class Parameters {
 public:
  explicit Parameters(py::handle function);

  size_t count() const { return names_.size(); }
  const std::string& name(size_t i) const { return names_[i]; }
  const std::vector<py::object>& defaults() const { return defaults_; }  // null where there is none
  // Whether `n` positional arguments need no binding.
  bool is_plain(size_t n) const { return n == names_.size() && positional_ == n; }
  // Throws LaunchTypeError, in the words of `kernel`, if the arguments do not fit.
  BoundArguments bind(const std::string& kernel, PyObject* const* args, size_t count,
                      PyObject* keywords) const;
  // "(x, y, n)"
  std::string list() const;
  int traverse(visitproc visit, void* arg) const;

 private:
  size_t find_keyword(const std::string& kernel, PyObject* keyword) const;

  // In the order of the definition: positional ones, *args, keyword-only ones.
  std::vector<std::string> names_;
  std::vector<py::object> keys_;  // the names as interned str
  std::vector<py::object> defaults_;
  size_t positional_ = 0, positional_only_ = 0;
  bool has_star_ = false;
};

}  // namespace lanewise::python
