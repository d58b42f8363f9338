"""Host memory for fast copies, and memory that host and kernels share.

The arrays are NumPy's. On the CPU all memory is shared: they are ordinary arrays there.
"""

import contextlib

import numpy as np

from .. import _core
from ..errors import LaunchTypeError


class _Memory:
    """Lets NumPy see the memory of a HostMemory; keeps it alive."""

    def __init__(self, memory):
        self.keep = memory
        self.__array_interface__ = {
            "version": 3, "typestr": "|u1", "shape": (memory.bytes,), "data": (memory.pointer, False)
        }


def _make(target, kind, shape, dtype, strides, order, portable=False, wc=False, attach_global=True):
    from ._memory import _dtype_of, _shape_tuple, byte_count

    if strides is not None:
        raise LaunchTypeError(f"{kind}_array: strides are not supported: give order=\"C\" or \"F\"")
    if order not in ("C", "F"):
        raise ValueError(f"order must be \"C\" or \"F\", not {order!r}")
    shape, dtype = _shape_tuple(shape), _dtype_of(dtype)
    count = byte_count(f"{kind}_array", shape, dtype)
    memory = _core.allocate_host_memory(target, count, kind, bool(portable), bool(wc), bool(attach_global))
    return np.ndarray(shape, dtype, np.asarray(_Memory(memory)), order=order)


def _like(ary):
    """(shape, dtype, order) of an array of the host or of a device."""
    from ._memory import DeviceArray

    if isinstance(ary, DeviceArray):
        is_fortran = ary.is_f_contiguous() and not ary.is_c_contiguous()
    else:
        ary = np.asarray(ary)
        is_fortran = ary.flags.f_contiguous and not ary.flags.c_contiguous
    return ary.shape, ary.dtype, "F" if is_fortran else "C"


def pinned_array(shape, dtype=np.float64, strides=None, order="C", target=None):
    """An uninitialised NumPy array in memory that is not paged: copies on a stream run beside the host."""
    return _make(target, "pinned", shape, dtype, strides, order)


def pinned_array_like(ary, target=None):
    """pinned_array of the shape, dtype and order of `ary`."""
    shape, dtype, order = _like(ary)
    return pinned_array(shape, dtype, order=order, target=target)


def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False, target=None):
    """A NumPy array that kernels use where it is, over the bus, without a copy.

    A launch does not wait: synchronise before reading what a kernel wrote. `portable`: for all devices; `wc`: fast
    for the device to read, slow for the host.
    """
    return _make(target, "mapped", shape, dtype, strides, order, portable, wc)


def mapped_array_like(ary, stream=0, portable=False, wc=False, target=None):
    """mapped_array of the shape, dtype and order of `ary`."""
    shape, dtype, order = _like(ary)
    return mapped_array(shape, dtype, order=order, portable=portable, wc=wc, target=target)


def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True, target=None):
    """A NumPy array whose memory the driver moves to where it is used, host or device.

    A launch does not wait: synchronise before reading what a kernel wrote.
    """
    return _make(target, "managed", shape, dtype, strides, order, attach_global=attach_global)


@contextlib.contextmanager
def pinned(*arylist, target=None):
    """Keeps NumPy arrays from being paged for the block, which makes copies of them fast."""
    kept = [_register(target, ary, "pinned", False) for ary in arylist]
    try:
        yield
    finally:
        kept.clear()


@contextlib.contextmanager
def mapped(*arylist, stream=0, portable=False, target=None):
    """Lets kernels use NumPy arrays where they are for the block. Yields the arrays: one, or a list."""
    kept = [_register(target, ary, "mapped", portable) for ary in arylist]
    try:
        yield arylist[0] if len(arylist) == 1 else list(arylist)
    finally:
        kept.clear()


def _register(target, ary, kind, portable):
    if not isinstance(ary, np.ndarray) or not (ary.flags.c_contiguous or ary.flags.f_contiguous):
        raise LaunchTypeError(f"{kind}: a contiguous NumPy array is needed, not {type(ary).__name__}")
    return _core.register_host_memory(target, ary.ctypes.data, ary.nbytes, kind, bool(portable))
