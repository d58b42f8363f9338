"""The exceptions and warnings of Lanewise."""


class Error(Exception):
    """Base of all errors that Lanewise raises."""


class CompileError(Error):
    """The kernel's text is wrong. str() is the report, with the file and line of each mistake.

    `diagnostics` is a list of dicts: id, severity, message, hint, file, line, column.
    """

    def __init__(self, text="", diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)

    def __str__(self):
        return str(self.args[0])

    def __reduce__(self):
        return type(self), (self.args[0], self.diagnostics)


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
