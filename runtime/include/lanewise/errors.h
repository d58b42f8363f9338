// What Lanewise throws, and its diagnostics. Part of lanewise.h.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/lanewise_c.h"

namespace lanewise {

struct Diagnostic {
  enum class Severity {
    Error = LW_SEVERITY_ERROR,
    Warning = LW_SEVERITY_WARNING,
    Performance = LW_SEVERITY_PERFORMANCE
  };
  Severity severity = Severity::Error;
  std::string id, file;           // "unknown-name"; the text's name
  unsigned line = 0, column = 0;  // one-based, 0 if the place is not known
  unsigned end_line = 0, end_column = 0;
  std::string message, hint;  // hint: the way out, "" if there is none
  std::string rendered;       // with source line and caret
};

class Error : public std::runtime_error {
 public:
  Error(lw_status code, const std::string& message) : std::runtime_error(message), status(code) {}
  lw_status status;
};
// The kernel is wrong. what() is the rendered diagnostics.
class CompileError : public Error {
 public:
  CompileError(lw_status code, const std::string& message, std::vector<Diagnostic> all)
      : Error(code, message), diagnostics(std::move(all)) {}
  std::vector<Diagnostic> diagnostics;
};
// The launch cannot be: grid, number, types or ranks of arguments. Nothing has run.
class LaunchError : public Error {
  using Error::Error;
};
// The kernel ended early while it ran.
class KernelError : public Error {
  using Error::Error;
};
// A thread of the kernel ended with `raise` or a failed `assert`: the first one in the order of blocks and
// threads.
class RaisedError : public KernelError {
 public:
  RaisedError(lw_status code, const std::string& message, const lw_raised& from)
      : KernelError(code, message),
        exception(from.exception),
        text(from.message),
        kernel(from.kernel),
        file(from.file),
        line(from.line),
        block{from.block[0], from.block[1], from.block[2]},
        thread{from.thread[0], from.thread[1], from.thread[2]} {}
  std::string exception, text;  // "ValueError", what the kernel said
  std::string kernel, file;
  uint32_t line = 0;  // 0: not known
  int64_t block[3], thread[3];
};
// A driver call failed, or there is no driver or device.
class CudaError : public Error {
  using Error::Error;
};
// The target cannot have what the kernel needs.
class TargetError : public Error {
  using Error::Error;
};
// A wrong call of this interface: an unknown kernel name, a range outside a buffer.
class InvalidArgument : public Error {
  using Error::Error;
};
// A fault of Lanewise itself.
class InternalError : public Error {
  using Error::Error;
};

namespace detail {

inline std::vector<Diagnostic> diagnostics() {
  std::vector<Diagnostic> all;
  for (size_t i = 0; i < lw_diagnostic_count(); ++i) {
    lw_diagnostic d{};
    d.struct_size = sizeof d;
    if (lw_get_diagnostic(i, &d) != LW_OK) break;
    all.push_back({static_cast<Diagnostic::Severity>(d.severity), d.id, d.file, d.line, d.column, d.end_line,
                   d.end_column, d.message, d.hint, d.rendered});
  }
  return all;
}

inline void check(lw_status status) {
  if (status == LW_OK) return;
  std::string message = lw_last_error();
  switch (status) {
    case LW_ERROR_COMPILE: throw CompileError(status, message, diagnostics());
    case LW_ERROR_LAUNCH: throw LaunchError(status, message);
    case LW_ERROR_KERNEL: throw KernelError(status, message);
    case LW_ERROR_RAISED: {
      lw_raised raised{};
      raised.struct_size = sizeof raised;
      if (lw_get_raised(&raised) == LW_OK) throw RaisedError(status, message, raised);
      throw KernelError(status, message);
    }
    case LW_ERROR_CUDA: throw CudaError(status, message);
    case LW_ERROR_TARGET: throw TargetError(status, message);
    case LW_ERROR_INVALID: throw InvalidArgument(status, message);
    case LW_ERROR_MEMORY: throw std::bad_alloc();
    default: throw InternalError(status, message);
  }
}

}  // namespace detail
}  // namespace lanewise
