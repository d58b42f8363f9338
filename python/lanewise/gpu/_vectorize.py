"""gpu.vectorize: a function of numbers as one of arrays, element by element, as NumPy's ufuncs are."""

import re

import numpy as np

from .. import _core
from .._types import scalar_types, signature_text
from ..errors import LaunchTypeError, LaunchValueError
from ._jit import Kernel, jit
from ._memory import DeviceArray, device_array, to_device
from ._reduce import Reduce


def _read_signature(thing):
    """(result, (inputs...)) as dtypes."""
    text = signature_text(thing)
    found = re.fullmatch(r"\s*(\w+)\s*\(([\w\s,]*)\)\s*", text)
    names = [found[1], *(name.strip() for name in found[2].split(","))] if found else []
    if not names or any(name not in scalar_types or scalar_types[name].dtype is None for name in names):
        raise TypeError(f"vectorize: \"{text}\" is not a signature of numbers such as \"float32(float32, float32)\"")
    types = [scalar_types[name].dtype for name in names]
    return types[0], tuple(types[1:])


def _holds(dtype, value):
    if dtype.kind in "iu":
        return np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    return abs(value) < 2**1023  # NumPy makes no float of more


def _fits(value, dtype):
    # NumPy's float64 and complex128 are Python's float and complex too.
    if not hasattr(value, "dtype"):
        for kind, kinds in ((bool, "biufc"), (int, "iufc"), (float, "fc"), (complex, "c")):
            if isinstance(value, kind):
                return dtype.kind in kinds and (kind is not int or _holds(dtype, value))
    return np.can_cast(value.dtype if hasattr(value, "dtype") else np.asarray(value).dtype, dtype, "safe")


def _is_exactly(value, dtype):
    return value.dtype == dtype if hasattr(value, "dtype") else _fits(value, dtype)


class Vectorized:
    """A function of arrays and numbers, made by gpu.vectorize; launches a thread for each element."""

    def __init__(self, function, signatures, target):
        self._function = function if isinstance(function, Kernel) else jit(function, device=True)
        self.__name__ = self._function.__name__
        self.__doc__ = self._function.__doc__
        self._target = target
        self._signatures = [_read_signature(one) for one in signatures]
        self.nin = len(self._signatures[0][1])
        if any(len(inputs) != self.nin for _, inputs in self._signatures):
            raise TypeError(f"vectorize: the signatures of `{self.__name__}` have different numbers of arguments")
        self._kernel = self._make_kernel()
        self._reduction = None

    def _make_kernel(self):
        from lanewise import gpu

        names = ", ".join(f"a{i}" for i in range(self.nin))
        elements = ", ".join(f"a{i}[i]" for i in range(self.nin))
        text = f"def elementwise(out, {names}):\n    i = gpu.grid(1)\n    if i < out.size:\n        out[i] = function({elements})\n"
        scope = {"gpu": gpu, "function": self._function}
        exec(text, scope)  # noqa: S102 - the text is ours
        return jit(scope["elementwise"], source=text, target=self._target)

    def __call__(self, *args, out=None, stream=0):
        if len(args) == self.nin + 1 and out is None:
            *args, out = args
        if len(args) != self.nin:
            raise LaunchTypeError(f"`{self.__name__}` takes {self.nin} arrays or numbers, not {len(args)}")
        result, inputs = self._match(args)
        shape = np.broadcast_shapes(*(arg.shape if hasattr(arg, "shape") else np.shape(arg) for arg in args))
        target = self._target or next((a.target for a in (*args, out) if isinstance(a, DeviceArray)), _core.default_target())
        operands = [self._operand(arg, dtype, shape, stream, target) for arg, dtype in zip(args, inputs)]
        if out is not None and (tuple(out.shape) != tuple(shape) or out.dtype != result):
            raise LaunchValueError(f"`{self.__name__}`: `out` must be {result} of shape {tuple(shape)}, not {out.dtype} of {tuple(out.shape)}")
        on_device = isinstance(out, DeviceArray) or (out is None and any(isinstance(a, DeviceArray) for a in args))
        d = out if isinstance(out, DeviceArray) and out.is_c_contiguous() else device_array(shape, result, stream=stream, target=target)
        count = int(np.prod(shape, dtype=np.int64))
        if count:
            flat = [a.reshape(count) for a in (d, *operands)]
            self._kernel.forall(count, stream=stream)(*flat)
        if on_device:
            if out is None or d is out:
                return d
            out.copy_to_device(d, stream)
            return out
        host = d._elements(stream)
        if out is not None:
            out[...] = host
            return out
        return host if shape else host[()]

    def reduce(self, arr, stream=0):
        """The reduction of an array of one dimension, as gpu.reduce does it."""
        if self.nin != 2:
            raise LaunchTypeError(f"`{self.__name__}` takes {self.nin} arguments; a reduction needs a function of two")
        if np.size(arr) == 0:
            raise LaunchValueError(f"`{self.__name__}`: the reduction of an array without elements is not known")
        self._reduction = self._reduction or Reduce(self._function, self._target)
        return self._reduction(arr[1:], init=np.asarray(arr[:1])[0], stream=stream)

    def _match(self, args):
        for takes in (_is_exactly, _fits):
            for result, inputs in self._signatures:
                if all(takes(arg, dtype) for arg, dtype in zip(args, inputs)):
                    return result, inputs
        given = ", ".join(str(arg.dtype) if hasattr(arg, "dtype") else type(arg).__name__ for arg in args)
        known = "".join(f"\n  {result}({', '.join(map(str, inputs))})" for result, inputs in self._signatures)
        raise LaunchTypeError(f"`{self.__name__}`: no signature takes ({given}); there are{known}")

    def _operand(self, arg, dtype, shape, stream, target):
        if isinstance(arg, DeviceArray):
            if arg.shape == tuple(shape) and arg.dtype == dtype and arg.is_c_contiguous():
                return arg
            arg = arg._elements(stream)
        return to_device(np.ascontiguousarray(np.broadcast_to(np.asarray(arg, dtype), shape)), stream=stream, target=target)


def vectorize(signatures, target=None):
    """Makes a function of arrays of one of numbers.

        @gpu.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
        def add(a, b):
            return a + b

        add(x, y)    x and y are broadcast; the signature of their types is used, else the first that takes them
        add(x, y, out=z, stream=s)

    The result is an array of the device if an argument is one, else of the host. `target` is as in gpu.jit.
    """
    given = signatures if isinstance(signatures, (list, tuple)) and not callable(signatures) else [signatures]
    if callable(signatures) and not isinstance(signatures, str) and not hasattr(signatures, "args"):
        raise TypeError("vectorize needs signatures: @gpu.vectorize([\"float32(float32, float32)\"])")
    if not given:
        raise TypeError("vectorize needs at least one signature: @gpu.vectorize([\"float32(float32, float32)\"])")
    return lambda function: Vectorized(function, given, target)


def guvectorize(*_, **__):
    """Numba's generalised ufuncs are not there."""
    raise NotImplementedError(
        "guvectorize is not supported: write a kernel, with the outer dimensions as its grid, and launch it on whole arrays"
    )
