// A Python function's parameters, and binding positional and keyword arguments to them as Python does.
#pragma once
#include <string>
#include <vector>

#include "core.h"

namespace lanewise::python {

// Arguments in the order of the parameters: borrowed references, and what keeps those alive that no caller
// does.
struct BoundArguments {
  std::vector<PyObject*> values;
  std::vector<py::object> kept;  // the tuple of *args, default values
};

class Parameters {
 public:
  Parameters() = default;  // of no function
  explicit Parameters(py::handle function);

  // Whether the function still is what these were read from: its code and its defaults can be replaced.
  bool describe(py::handle function) const {
    return PyFunction_GET_CODE(function.ptr()) == code_.ptr() &&
           PyFunction_GET_DEFAULTS(function.ptr()) == positional_defaults_.ptr() &&
           PyFunction_GET_KW_DEFAULTS(function.ptr()) == keyword_defaults_.ptr();
  }
  size_t count() const { return names_.size(); }
  const std::string& name(size_t i) const { return names_[i]; }
  // The default value of a parameter; null where there is none.
  py::object default_value(size_t i) const;
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
  // The function's own, as they were; null where it has none.
  py::object code_, positional_defaults_, keyword_defaults_;
  size_t positional_ = 0, positional_only_ = 0;
  bool has_star_ = false, has_keywords_ = false;
};

}  // namespace lanewise::python
