"""Device memory of other libraries and other processes."""

import contextlib
import math
import os

from .. import _core
from ..errors import LaunchTypeError, LaunchValueError
from ._memory import DeviceArray, _contiguous_strides, _dtype_of


def is_cuda_array(obj):
    """Whether kernels can take the object as an array in CUDA memory."""
    return hasattr(obj, "__cuda_array_interface__")


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array of a dict as __cuda_array_interface__ gives it; `owner` is kept alive.

    sync=True waits for the stream that the dict names, unless LANEWISE_CUDA_ARRAY_INTERFACE_SYNC=0.
    """
    shape, dtype = tuple(desc["shape"]), _dtype_of(desc["typestr"])
    if desc.get("mask") is not None:
        raise LaunchTypeError("as_cuda_array: a mask is not supported")
    pointer, _ = desc["data"]
    strides = desc.get("strides")
    if strides is None:
        steps = _contiguous_strides(shape, "C")
    elif any(s % dtype.itemsize for s in strides):
        raise LaunchValueError("as_cuda_array: a stride is not a multiple of the item size")
    else:
        steps = tuple(s // dtype.itemsize for s in strides)
    low = sum(min(0, (extent - 1) * step) for extent, step in zip(shape, steps)) * dtype.itemsize
    high = (sum(max(0, (extent - 1) * step) for extent, step in zip(shape, steps)) + 1) * dtype.itemsize
    if math.prod(shape) == 0:
        low = high = 0
    stream = desc.get("stream")
    if stream == 0:
        raise LaunchValueError("as_cuda_array: the stream 0 is not allowed in an interface: 1 is the default stream")
    if sync and stream is not None and os.environ.get("LANEWISE_CUDA_ARRAY_INTERFACE_SYNC", "1") != "0":
        _core.existing_stream("cuda", int(stream)).synchronize()
    buffer = _core.wrap_memory("cuda", (pointer or 0) + low, high - low, owner)
    return DeviceArray(buffer, -low, dtype, shape, steps)


def as_cuda_array(obj, sync=True):
    """A device array over the memory of another library's array (CuPy's, PyTorch's, ...), without a copy."""
    if isinstance(obj, DeviceArray) and obj.target == "cuda":
        return obj
    if not is_cuda_array(obj):
        raise LaunchTypeError(f"as_cuda_array: {type(obj).__name__} has no __cuda_array_interface__")
    return from_cuda_array_interface(obj.__cuda_array_interface__, owner=obj, sync=sync)


class IpcArrayHandle:
    """What another process needs to use a device array: pickle it, and open it there.

        with handle as array: ...       or  array = handle.open() ... handle.close()
    """

    def __init__(self, handle, offset, dtype, shape, strides, size):
        self._described = handle, offset, dtype, shape, strides, size
        self._array = None

    def __getstate__(self):
        return self._described

    def __setstate__(self, described):
        self._described, self._array = described, None

    def open(self):
        """The array, on the current device, in memory that the two processes share."""
        handle, offset, dtype, shape, strides, size = self._described
        if self._array is None:
            self._array = DeviceArray(_core.open_ipc_handle(handle, size), offset, dtype, shape, strides)
        return self._array

    def close(self):
        """Lets the memory go, once no array of it is left."""
        self._array = None

    def __enter__(self):
        return self.open()

    def __exit__(self, *exception):
        self.close()


@contextlib.contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """The device array of another process's 64-byte handle, for a block. Offset and strides are in bytes."""
    dtype = _dtype_of(dtype)
    shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    steps = _contiguous_strides(shape, "C") if strides is None else tuple(s // dtype.itemsize for s in strides)
    reach = sum(max(0, (extent - 1) * step) for extent, step in zip(shape, steps)) + 1
    buffer = _core.open_ipc_handle(bytes(handle), offset + reach * dtype.itemsize)
    yield DeviceArray(buffer, offset, dtype, shape, steps)
