"""Device memory of other libraries and other processes."""

import contextlib
import operator
import os
import sys

from .. import _core
from ..errors import LaunchError, LaunchTypeError, LaunchValueError
from ._memory import DeviceArray, _dtype_of, _shape_tuple, reach, steps_of
from ._streams import handle_of


def is_cuda_array(obj):
    """Whether kernels can take the object as an array in CUDA memory."""
    return hasattr(obj, "__cuda_array_interface__")


def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array of a dict as __cuda_array_interface__ gives it; `owner` is kept alive.

    sync=True waits for the stream that the dict names, unless LANEWISE_CUDA_ARRAY_INTERFACE_SYNC=0.
    """
    try:
        shape, dtype, (pointer, _) = _shape_tuple(tuple(desc["shape"])), _dtype_of(desc["typestr"]), desc["data"]
        pointer = operator.index(pointer or 0)
        steps = steps_of("as_cuda_array", desc.get("strides"), shape, dtype)
    except LaunchError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise LaunchTypeError(f"as_cuda_array: not an array interface: {problem}") from None
    if not 0 <= pointer < 2**64:
        raise LaunchValueError(f"as_cuda_array: {pointer} is no address")
    if desc.get("mask") is not None:
        raise LaunchTypeError("as_cuda_array: a mask is not supported")
    low, high = reach(shape, steps, dtype)
    if not 0 <= pointer + low <= pointer + high < 2**64:
        raise LaunchValueError(f"as_cuda_array: the array reaches from address {pointer + low} to {pointer + high}")
    stream = desc.get("stream")
    if stream == 0:
        raise LaunchValueError("as_cuda_array: the stream 0 is not allowed in an interface: 1 is the default stream")
    if sync and stream is not None and os.environ.get("LANEWISE_CUDA_ARRAY_INTERFACE_SYNC", "1") != "0":
        _core.existing_stream("cuda", handle_of(stream, "as_cuda_array", "cuda")).synchronize()
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
    if not isinstance(handle, (bytes, bytearray, memoryview)):
        raise LaunchTypeError(f"open_ipc_array: the handle must be bytes, not {type(handle).__name__}")
    shape, dtype, offset = _shape_tuple(shape), _dtype_of(dtype), operator.index(offset)
    steps = steps_of("open_ipc_array", strides, shape, dtype)
    low, high = reach(shape, steps, dtype)
    if offset + low < 0 or offset + high > sys.maxsize:
        raise LaunchValueError(f"open_ipc_array: the array begins {offset + low} bytes from the memory's begin")
    buffer = _core.open_ipc_handle(bytes(handle), offset + high)
    yield DeviceArray(buffer, offset, dtype, shape, steps)
