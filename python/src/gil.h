// Letting go of the interpreter's lock and taking it. A thread that wants it while the interpreter is ending
// waits until the process is gone, as Python 3.14 does it by itself. Before, Python ends such a thread from
// within, which unwinds C++ frames that must not be unwound.
#pragma once
#include <optional>

#include "core.h"

namespace lanewise::python {

class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

class GilAcquire {
 public:
  GilAcquire();
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  std::optional<py::gil_scoped_acquire> held_;
};

}  // namespace lanewise::python
