"""The exceptions and warnings of Lanewise."""

import os
import sys


class Error(Exception):
    """Base of all errors that Lanewise raises."""


class CompileError(Error):
    """The kernel's text is wrong. str() is the report, with the file and line of each mistake.

    `diagnostics` is a list of dicts: id, severity, message, hint, file, line, column, end_line, end_column (one-based,
    the end exclusive), labels and call_chain (lists of dicts: text and a place), rendered.
    """

    def __init__(self, text="", diagnostics=(), colored=None):
        super().__init__(text)
        self.diagnostics = list(diagnostics)
        self._colored = colored

    def render(self, color=None):
        """The report as text; with color=True for a terminal, by default if standard error is one."""
        if color is None:
            color = sys.stderr is not None and sys.stderr.isatty() and not os.environ.get("NO_COLOR")
        return self._colored if color and self._colored else str(self)

    def __str__(self):
        return str(self.args[0])

    def __reduce__(self):
        return type(self), (self.args[0], self.diagnostics, self._colored)


class LaunchError(Error):
    """A launch that cannot be; nothing has run. Names the kernel and the parameter."""


class LaunchTypeError(LaunchError, TypeError):
    """An argument or a configuration of the wrong type, or the wrong number of arguments."""


class LaunchValueError(LaunchError, ValueError):
    """An argument or a configuration whose value cannot be."""


class KernelError(Error, RuntimeError):
    """The kernel ended early while it ran. Names the kernel and the line."""


class CudaError(Error, RuntimeError):
    """A call of the CUDA driver failed, or there is no driver or device. `code` is the CUresult, 0 if no call
    was made."""

    code = 0


class TargetError(Error, RuntimeError):
    """The target cannot have what the kernel needs: an unknown architecture, a missing library."""


class InternalError(Error, RuntimeError):
    """A fault of Lanewise itself, not of your program."""


class CompileWarning(UserWarning):
    """Something in a kernel that is legal but probably not meant."""


class PerformanceWarning(CompileWarning):
    """Something in a kernel that is slower than it looks. Off by default: gpu.jit(performance_notes=True), or
    LANEWISE_PERFORMANCE_NOTES=1 for all kernels."""


_issued_warnings = {}  # for warnings.warn_explicit: each is said once, whatever the types of the arguments
