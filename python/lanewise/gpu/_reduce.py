"""gpu.reduce: one value from all elements of an array, by a function of two of them."""

import operator

import numpy as np

from .. import _core
from .._types import from_dtype
from ..errors import LaunchTypeError, LaunchValueError
from ._jit import Kernel, jit
from ._memory import DeviceArray, device_array, to_device

_BLOCK = 128
_MOST_BLOCKS = 1024


def _make_kernel(functor, element, block, target):
    # Each block leaves what its elements come to; a launch of one block adds up what the blocks have left.
    import lanewise.gpu as gpu

    @jit(target=target)
    def reduce_blocks(x, n, out):
        tile = gpu.shared.array(block, element)
        t = gpu.threadIdx.x
        i = gpu.grid(1)
        if i < n:
            value = x[i]
            i += gpu.gridsize(1)
            while i < n:
                value = element(functor(value, x[i]))
                i += gpu.gridsize(1)
            tile[t] = value
        gpu.syncthreads()
        filled = n - gpu.blockIdx.x * block  # threads of this block that had an element
        step = block // 2
        while step > 0:
            if t < step and t + step < filled:
                tile[t] = element(functor(tile[t], tile[t + step]))
            gpu.syncthreads()
            step //= 2
        if t == 0:
            out[gpu.blockIdx.x] = tile[0]

    return reduce_blocks


class Reduce:
    """A reduction by `functor(a, b)`, which may be applied to the elements in any order.

        @gpu.reduce
        def total(a, b):
            return a + b

        total(x)                                  a number; x is an array of one dimension, of the host or the device
        total(x, size=n, res=d, init=5, stream=s) of n elements and 5, into d[0] of a device array
    """

    def __init__(self, functor, target=None):
        self._functor = functor if isinstance(functor, Kernel) else jit(functor, device=True)
        self._target = target
        self._kernels = {}
        self.__name__ = self._functor.__name__

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        target = arr.target if isinstance(arr, DeviceArray) else self._target or _core.default_target()
        if not isinstance(arr, DeviceArray):
            arr = np.asarray(arr)
        if arr.ndim != 1:
            raise LaunchTypeError(f"reduction `{self.__name__}`: the array must have 1 dimension, not {arr.ndim}")
        try:
            size = arr.size if size is None else operator.index(size)
        except TypeError:
            raise LaunchTypeError(f"reduction `{self.__name__}`: `size` must be an int, not {size!r}") from None
        if not 0 <= size <= arr.size:
            raise LaunchValueError(f"reduction `{self.__name__}`: {size} elements were asked for; the array has {arr.size}")
        if res is not None and (not isinstance(res, DeviceArray) or res.size < 1 or res.dtype != arr.dtype):
            raise LaunchTypeError(f"reduction `{self.__name__}`: `res` must be a device array of {arr.dtype} with an element")
        try:
            first = arr.dtype.type(init)
        except (OverflowError, TypeError, ValueError) as error:
            raise LaunchValueError(f"reduction `{self.__name__}`: `init` is no {arr.dtype}: {error}") from None
        if size == 0:
            return self._give(first, res, stream)
        d = to_device(arr[:size], stream=stream, target=target)
        blocks = min((size + _BLOCK - 1) // _BLOCK, _MOST_BLOCKS)
        parts = device_array(blocks, arr.dtype, stream=stream, target=target)
        kernel = self._kernel(arr.dtype, target)
        kernel[blocks, _BLOCK, stream](d, size, parts)
        if blocks > 1:
            total = device_array(1, arr.dtype, stream=stream, target=target)
            kernel[1, _BLOCK, stream](parts, blocks, total)
            parts = total
        value = parts._elements(stream)
        # The initial value is an operand like the others.
        pair = np.array([first, value[0]], arr.dtype)
        out = np.zeros(1, arr.dtype)
        self._kernel(arr.dtype, target)[1, _BLOCK](pair, 2, out)
        return self._give(out[0], res, stream)

    def _give(self, value, res, stream):
        if res is None:
            return value
        res[:1].copy_to_device(np.array([value], res.dtype), stream)
        return None

    def _kernel(self, dtype, target):
        key = (dtype, target)
        if key not in self._kernels:
            self._kernels[key] = _make_kernel(self._functor, from_dtype(dtype), _BLOCK, target)
        return self._kernels[key]


reduce = Reduce
