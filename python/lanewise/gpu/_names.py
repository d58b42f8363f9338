"""The names that mean something in a kernel only: grid, threadIdx, shared.array, atomic.add, ...

On the host they are placeholders, so that `from lanewise.gpu import grid` works; the compiler knows them by
their dotted name.
"""

from .. import _core


class Builtin:
    """A name of the kernel language. Using it outside a kernel is an error that says so."""

    # The extension recognises builtins by the attribute _lanewise_builtin.
    __slots__ = ("_lanewise_builtin", "__doc__")

    def __init__(self, name):
        self._lanewise_builtin = name
        self.__doc__ = f"`{name}` of the kernel language; it only means something inside a kernel."

    def _refuse(self):
        raise RuntimeError(
            f"{self._lanewise_builtin} only means something inside a kernel (a function decorated with @gpu.jit)"
        )

    def __call__(self, *args, **kwargs):
        self._refuse()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        full = f"{self._lanewise_builtin}.{name}"
        if not _core.is_builtin(full):
            raise AttributeError(f"there is no {full} in the kernel language")
        return Builtin(full)

    def __bool__(self):
        self._refuse()

    __int__ = __index__ = __float__ = __len__ = __iter__ = _refuse

    def __repr__(self):
        return f"<{self._lanewise_builtin}: for use in kernels>"


def find(name):
    """The placeholder for gpu.<name>, None if the language has no such name."""
    full = f"gpu.{name}"
    return Builtin(full) if _core.is_builtin(full) else None
