// Reads parameters from the code object, which knows them without a Python-level call of inspect.
#include "parameters.h"

namespace lanewise::python {

namespace {
constexpr int kVarArgs = 0x04, kVarKeywords = 0x08;  // CO_VARARGS, CO_VARKEYWORDS
}

Parameters::Parameters(py::handle function) {
  py::object code = function.attr("__code__");
  auto variables = py::cast<py::tuple>(code.attr("co_varnames"));
  positional_ = py::cast<size_t>(code.attr("co_argcount"));
  positional_only_ = py::cast<size_t>(code.attr("co_posonlyargcount"));
  auto keyword_only = py::cast<size_t>(code.attr("co_kwonlyargcount"));
  int flags = py::cast<int>(code.attr("co_flags"));
  has_star_ = flags & kVarArgs;
  // co_varnames: positional, keyword-only, *args, **kwargs.
  auto add = [&](size_t i) {
    keys_.push_back(variables[i]);
    names_.push_back(py::cast<std::string>(variables[i]));
  };
  for (size_t i = 0; i < positional_; ++i) add(i);
  if (has_star_) add(positional_ + keyword_only);
  for (size_t i = 0; i < keyword_only; ++i) add(positional_ + i);
  has_keywords_ = flags & kVarKeywords;
  if (has_keywords_) add(positional_ + keyword_only + (has_star_ ? 1 : 0));

  auto part = [](PyObject* object) { return py::reinterpret_borrow<py::object>(object); };
  code_ = code;
  positional_defaults_ = part(PyFunction_GET_DEFAULTS(function.ptr()));
  keyword_defaults_ = part(PyFunction_GET_KW_DEFAULTS(function.ptr()));
}

py::object Parameters::default_value(size_t i) const {
  PyObject* value = nullptr;  // borrowed
  if (i < positional_ && positional_defaults_) {
    // They are the last parameters'; there may be more of them than parameters.
    auto count = static_cast<size_t>(PyTuple_GET_SIZE(positional_defaults_.ptr()));
    if (i + count >= positional_)
      value = PyTuple_GET_ITEM(positional_defaults_.ptr(), static_cast<Py_ssize_t>(i + count - positional_));
  } else if (i >= positional_ && keyword_defaults_) {
    value = PyDict_GetItemWithError(keyword_defaults_.ptr(), keys_[i].ptr());
    if (!value && PyErr_Occurred()) throw py::error_already_set();
  }
  return py::reinterpret_borrow<py::object>(value);
}

std::string Parameters::list() const {
  std::string text = "(";
  for (size_t i = 0; i < names_.size(); ++i) {
    if (i) text += ", ";
    if (has_star_ && i == positional_) text += "*";
    text += names_[i];
  }
  return text + ")";
}

size_t Parameters::find_keyword(const std::string& kernel, PyObject* keyword) const {
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (has_star_ && i == positional_) continue;
    if (keys_[i].ptr() == keyword || PyUnicode_Compare(keys_[i].ptr(), keyword) == 0) {
      if (i >= positional_only_) return i;
      throw LaunchTypeError("kernel `" + kernel + "`: the parameter `" + names_[i] + "` is positional-only");
    }
  }
  if (has_keywords_) return names_.size() - 1;
  std::string name = py::str(keyword);
  std::string hint = ir::nearest_name(name, names_);
  throw LaunchTypeError("kernel `" + kernel + "` has no parameter `" + name + "`: its parameters are " +
                        list() + (hint.empty() ? "" : "; did you mean `" + hint + "`?"));
}

BoundArguments Parameters::bind(const std::string& kernel, PyObject* const* args, size_t count,
                                PyObject* keywords) const {
  BoundArguments bound;
  bound.values.resize(names_.size(), nullptr);
  if (count > positional_ && !has_star_ && !has_keywords_)
    throw LaunchTypeError("kernel `" + kernel + "` takes " + std::to_string(positional_) +
                          (positional_ == 1 ? " argument " : " arguments ") + list() + ", but " +
                          std::to_string(count) + (count == 1 ? " was given" : " were given"));
  for (size_t i = 0; i < std::min(count, positional_); ++i) bound.values[i] = args[i];
  if (has_star_) {
    py::tuple rest(count > positional_ ? count - positional_ : 0);
    for (size_t i = positional_; i < count; ++i) rest[i - positional_] = py::handle(args[i]);
    bound.values[positional_] = rest.ptr();
    bound.kept.push_back(std::move(rest));
  }
  Py_ssize_t keyword_count = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < keyword_count; ++k) {
    size_t i = find_keyword(kernel, PyTuple_GET_ITEM(keywords, k));
    if (has_keywords_ && i == names_.size() - 1) continue;
    if (bound.values[i])
      throw LaunchTypeError("kernel `" + kernel + "`: two values were given for the parameter `" + names_[i] +
                            "`");
    bound.values[i] = args[count + static_cast<size_t>(k)];
  }
  std::string missing;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (bound.values[i]) continue;
    py::object value = default_value(i);
    // The compiler refuses **rest, and shows where. Whatever else is wrong does not matter then.
    if (!value && has_keywords_) value = py::tuple();
    bound.values[i] = value.ptr();
    if (value)
      bound.kept.push_back(std::move(value));
    else
      missing += (missing.empty() ? "`" : ", `") + names_[i] + "`";
  }
  if (!missing.empty())
    throw LaunchTypeError("kernel `" + kernel + "` takes the arguments " + list() + ": " + missing +
                          (missing.find(',') == missing.npos ? " is missing" : " are missing"));
  return bound;
}

int Parameters::traverse(visitproc visit, void* arg) const {
  for (const py::object* part : {&code_, &positional_defaults_, &keyword_defaults_}) Py_VISIT(part->ptr());
  return 0;
}

}  // namespace lanewise::python
