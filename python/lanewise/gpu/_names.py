"""The names that mean something in a kernel only: grid, threadIdx, shared.array, atomic.add, ...

On the host they are placeholders, so that `from lanewise.gpu import grid` works; the compiler knows them by
their dotted name.
"""

from .. import _core
from .._types import scalar_types, vector_type


class Builtin:
    """A name of the kernel language. Using it outside a kernel is an error that says so."""

    # The extension recognises builtins by the attribute _lanewise_builtin.
    __slots__ = ("_lanewise_builtin",)

    def __init__(self, name):
        self._lanewise_builtin = name

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
        if _core.builtin_kind(full) != "builtin":
            raise AttributeError(f"there is no {full} in the kernel language")
        return Builtin(full)

    def __bool__(self):
        self._refuse()

    __int__ = __index__ = __float__ = __len__ = __iter__ = _refuse

    def __repr__(self):
        return f"<{self._lanewise_builtin}: for use in kernels>"


def find(name):
    """What gpu.<name> is on the host: a placeholder or a type; None if the language has no such name."""
    kind = _core.builtin_kind(f"gpu.{name}")
    if kind == "builtin":
        return Builtin(f"gpu.{name}")
    if not kind:
        return None
    return scalar_types.get("bool_" if kind == "bool" else kind) or vector_type(kind)
