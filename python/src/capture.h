// Captures: every outside name a compile read, where it was read, and what it was then. A launch compares.
#pragma once
#include <vector>

#include "core.h"

namespace lanewise::python {

class Capture {
 public:
  // Code, Defaults, KeywordDefaults: `container` is a function; what it is made of can be replaced.
  // Argument: `container` was an argument of the launch; it is only kept.
  enum class Place : uint8_t { Dict, Cell, Attribute, Code, Defaults, KeywordDefaults, Argument };
  // `value` is null if there was nothing.
  Capture(Place place, py::object container, py::object key, py::object value)
      : place_(place), container_(std::move(container)), key_(std::move(key)), value_(std::move(value)) {}

  // Whether the same object (or an equal int, float, bool or str) is still there.
  bool unchanged() const;
  int traverse(visitproc visit, void* arg) const;

 private:
  Place place_;
  py::object container_, key_, value_;
};
using Captures = std::vector<Capture>;

inline bool unchanged(const Captures& captures) {
  for (const Capture& capture : captures)
    if (!capture.unchanged()) return false;
  return true;
}

}  // namespace lanewise::python
