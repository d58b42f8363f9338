"""Memory of the target's device: to_device, device_array, DeviceArray.

On the CPU the device's memory is the host's; to_device copies all the same, so that programs behave alike.
"""

import math
import operator
import sys

import numpy as np

from .. import _core
from ..errors import LaunchTypeError, LaunchValueError
from . import _memory_manager
from ._streams import Stream, handle_of


def _contiguous_strides(shape, order):
    """In elements."""
    strides = [1] * len(shape)
    indices = range(len(shape) - 2, -1, -1) if order == "C" else range(1, len(shape))
    for i in indices:
        neighbour = i + 1 if order == "C" else i - 1
        strides[i] = strides[neighbour] * max(shape[neighbour], 1)
    return tuple(strides)


class _HostView:
    """Lets NumPy see memory that a device buffer owns; keeps the buffer alive."""

    def __init__(self, array):
        self.keep = array._buffer
        self.__array_interface__ = array._interface()


class DeviceArray(_core.DeviceArrayBase):
    """An array in device memory. Kernels take it as it is, without copies; slices are views."""

    def __init__(self, buffer, offset, dtype, shape, strides):
        super().__init__(buffer, offset, dtype, shape, strides)
        self._buffer = buffer
        self._offset = offset  # bytes
        self._dtype = dtype
        self._shape = shape
        self._steps = strides  # elements

    shape = property(lambda self: self._shape)
    dtype = property(lambda self: self._dtype)
    ndim = property(lambda self: len(self._shape))
    strides = property(lambda self: tuple(s * self._dtype.itemsize for s in self._steps), doc="In bytes, as NumPy's.")
    nbytes = property(lambda self: self.size * self._dtype.itemsize)
    itemsize = property(lambda self: self._dtype.itemsize)
    target = property(lambda self: self._buffer.target)

    @property
    def size(self):
        size = 1
        for extent in self._shape:
            size *= extent
        return size

    def __len__(self):
        if not self._shape:
            raise TypeError("len() of a 0-dimensional device array")
        return self._shape[0]

    def __repr__(self):
        return f"<device array of {self._dtype}, shape {self._shape}, target {self.target}>"

    # --- layout

    def _is_contiguous(self, order):
        if self.size == 0:
            return True
        expected = 1
        axes = range(self.ndim - 1, -1, -1) if order == "C" else range(self.ndim)
        for i in axes:
            if self._shape[i] != 1 and self._steps[i] != expected:
                return False
            expected *= self._shape[i]
        return True

    def is_c_contiguous(self):
        return self._is_contiguous("C")

    def is_f_contiguous(self):
        return self._is_contiguous("F")

    def _interface(self):
        fields = {} if self._dtype.names is None else {"descr": self._dtype.descr}
        return {
            **fields,
            "version": 3,
            "shape": self._shape,
            "typestr": self._dtype.str,
            "data": (self._buffer.pointer + self._offset, False),
            "strides": self.strides,
        }

    @property
    def __cuda_array_interface__(self):
        if not self._buffer.is_cuda:
            raise AttributeError("__cuda_array_interface__ of an array that is not in CUDA memory")
        # Work on the array may still be on the legacy default stream, whose number is 1 there.
        return {**self._interface(), "stream": 1}

    # --- copies

    def _span(self):
        """The byte offsets, from the first element, of the memory that the elements lie in."""
        low = high = 0
        for extent, step in zip(self._shape, self._steps):
            low += min(0, (extent - 1) * step)
            high += max(0, (extent - 1) * step)
        item = self._dtype.itemsize
        return low * item, (high + 1) * item

    def _read_span(self, queue):
        """(host copy of the span's bytes, a NumPy view of it shaped as this array)"""
        low, high = self._span()
        raw = np.empty(high - low, np.uint8)
        self._buffer.copy_to_host(raw, self._offset + low, queue)
        if queue:
            _core.existing_stream(self.target, queue).synchronize()
        view = np.ndarray(self._shape, self._dtype, raw.data, -low, self.strides)
        return raw, view

    def copy_to_host(self, ary=None, stream=0):
        """A NumPy array with the elements; `ary` if given.

        With a stream the copy is ordered on it, and the elements are there when the stream is done.
        """
        queue = handle_of(stream, "copy_to_host", self.target)
        if ary is not None:
            if not isinstance(ary, np.ndarray):
                raise LaunchTypeError(f"copy_to_host: a NumPy array is needed, not {type(ary).__name__}")
            _check_same(self, ary, "copy_to_host")
            if not ary.flags.writeable:
                raise LaunchValueError("copy_to_host: the array is read-only")
        if self.size == 0:
            return np.empty(self._shape, self._dtype) if ary is None else ary
        for order in "CF":
            if ary is None and self._is_contiguous(order):
                ary = np.empty(self._shape, self._dtype, order=order)
            if ary is not None and self._is_contiguous(order) and ary.flags[f"{order}_CONTIGUOUS"]:
                self._buffer.copy_to_host(_flat(ary, order), self._offset, queue)
                return ary
        view = self._read_span(queue)[1]
        if ary is None:
            return view.copy()
        ary[...] = view
        return ary

    def copy_to_device(self, ary, stream=0):
        """Sets the elements from an array (NumPy's or a device's) of the same shape and dtype.

        With a stream the copy is ordered on it; from pinned memory it goes on after the call returns.
        """
        queue = handle_of(stream, "copy_to_device", self.target)
        _check_same(self, ary if isinstance(ary, DeviceArray) else np.asarray(ary), "copy_to_device")
        if self.size == 0:
            return
        if isinstance(ary, DeviceArray):
            if self._copy_on_device(ary, queue):
                return
            ary = ary._elements(stream)
        for order in "CF":
            if self._is_contiguous(order):
                self._buffer.copy_from_host(_flat(np.asarray(ary, order=order), order), self._offset, queue)
                return
        raw, view = self._read_span(queue)
        view[...] = ary
        self._buffer.copy_from_host(raw, self._offset + self._span()[0], queue)

    def _elements(self, stream):
        """A NumPy array with the elements, after the work of a stream that may be of another device or target."""
        if isinstance(stream, Stream):
            stream.synchronize()
        elif queue := handle_of(stream, "copy_to_device", "cuda"):
            _core.existing_stream("cuda", queue).synchronize()
        return self.copy_to_host()

    def _copy_on_device(self, other, queue):
        """Copies from an array whose elements lie in the same order; False if they do not, or may overlap."""
        if self.target != other.target or self._buffer is other._buffer:
            return False
        if not any(self._is_contiguous(order) and other._is_contiguous(order) for order in "CF"):
            return False
        self._buffer.copy_from_device(other._buffer, self.nbytes, other._offset, self._offset, queue)
        return True

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a device array becomes a NumPy array by a copy")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype, copy=False)

    # --- other processes

    def get_ipc_handle(self):
        """What another process on this machine needs to use the array's memory; it can be pickled. CUDA only."""
        from ._interop import IpcArrayHandle

        handle, begin = _core.ipc_handle(self._buffer)
        offset, size = begin + self._offset, begin + self._buffer.bytes
        return IpcArrayHandle(handle, offset, self._dtype, self._shape, self._steps, size)

    # --- views

    def _view(self, offset, shape, steps):
        return DeviceArray(self._buffer, offset, self._dtype, tuple(shape), tuple(steps))

    def _select(self, key):
        """(offset, shape, steps) of self[key] for integers, slices and `...`."""
        key = key if isinstance(key, tuple) else (key,)
        if sum(item is Ellipsis for item in key) > 1:
            raise IndexError("an index can only have a single ellipsis ('...')")
        given = sum(item is not Ellipsis for item in key)
        if given > self.ndim:
            raise IndexError(f"too many indices for a device array of {self.ndim} dimensions: {given}")
        whole = [slice(None)] * (self.ndim - given)
        at = next((i for i, item in enumerate(key) if item is Ellipsis), len(key))
        items = [*key[:at], *whole, *key[at + 1 :]]
        offset, shape, steps = self._offset, [], []
        for axis, (item, extent, step) in enumerate(zip(items, self._shape, self._steps)):
            if isinstance(item, slice):
                start, stop, stride = item.indices(extent)
                length = len(range(start, stop, stride))
                offset += start * step * self._dtype.itemsize if length else 0
                shape.append(length)
                steps.append(step * stride)
                continue
            try:
                if isinstance(item, (bool, np.bool_)):
                    raise TypeError  # a mask to NumPy
                index = operator.index(item)
            except TypeError:
                raise IndexError(f"device arrays are indexed with integers, slices and `...`, not {item!r}") from None
            if not -extent <= index < extent:
                raise IndexError(f"index {index} is out of bounds for axis {axis} with size {extent}")
            offset += index % extent * step * self._dtype.itemsize
        return offset, shape, steps

    def __getitem__(self, key):
        return self.getitem(key)

    def __setitem__(self, key, value):
        self.setitem(key, value)

    def getitem(self, key, stream=0):
        """array[key], a view or an element; an element is read after the work of the stream."""
        view = self._view(*self._select(key))
        is_array = view.ndim or key is Ellipsis or (isinstance(key, tuple) and any(item is Ellipsis for item in key))
        return view if is_array else view._elements(stream)[()]

    def setitem(self, key, value, stream=0):
        """array[key] = value, in the order of the stream's work."""
        view = self._view(*self._select(key))
        if isinstance(value, DeviceArray):
            value = value._elements(stream)
        view.copy_to_device(np.array(np.broadcast_to(np.asarray(value, self._dtype), view.shape)), stream=stream)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    @property
    def T(self):
        return self._view(self._offset, self._shape[::-1], self._steps[::-1])

    def transpose(self, axes=None):
        axes = range(self.ndim)[::-1] if axes is None else tuple(axes)
        if sorted(axes) != list(range(self.ndim)):
            raise ValueError("axes do not match the array")
        return self._view(self._offset, (self._shape[i] for i in axes), (self._steps[i] for i in axes))

    def reshape(self, *shape, order="C"):
        """A view of another shape; the array must be contiguous in `order`."""
        _check_order("reshape", order)
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        if not self._is_contiguous(order):
            raise ValueError("only a contiguous device array can be reshaped")
        # NumPy knows the rules for -1; no memory of that size is touched.
        shape = np.broadcast_to(np.empty((), np.uint8), self.size).reshape(shape).shape
        return self._view(self._offset, shape, _contiguous_strides(shape, order))

    def ravel(self, order="C", stream=0):
        return self.reshape(self.size, order=order)

    def squeeze(self, axis=None, stream=0):
        """A view without the axes of extent 1, or without those named."""
        named = None if axis is None else {_axis(item, self.ndim) for item in np.atleast_1d(axis).tolist()}
        for item in named or ():
            if self._shape[item] != 1:
                raise ValueError(f"axis {item} has extent {self._shape[item]}: only extents of 1 can be left out")
        kept = [i for i, extent in enumerate(self._shape) if extent != 1 or (named is not None and i not in named)]
        return self._view(self._offset, (self._shape[i] for i in kept), (self._steps[i] for i in kept))

    def view(self, dtype):
        """The same memory as elements of another type; the last axis must be contiguous if their sizes differ."""
        dtype = _dtype_of(dtype)
        old, new = self._dtype.itemsize, dtype.itemsize
        shape, steps = self._shape, self._steps
        if old != new:
            if not shape or (steps[-1] != 1 and shape[-1] != 1):
                raise ValueError("view: the last axis must be contiguous to change the size of the elements")
            if shape[-1] * old % new or any(step * old % new for step in steps[:-1]):
                raise ValueError(f"view: {shape[-1]} elements of {old} bytes are no whole elements of {new}")
            shape = (*shape[:-1], shape[-1] * old // new)
            steps = (*(step * old // new for step in steps[:-1]), 1)
        return DeviceArray(self._buffer, self._offset, dtype, shape, steps)

    def split(self, section, stream=0):
        """Views of `section` elements each along the one axis, in order; the last may be shorter."""
        if self.ndim != 1:
            raise ValueError("split: only arrays of one dimension can be split")
        section = operator.index(section)
        if section < 1:
            raise ValueError(f"split: the section must be 1 or more, not {section}")
        for begin in range(0, self.size, section):
            yield self[begin : begin + section]


def _axis(axis, ndim):
    if not -ndim <= axis < ndim:
        raise ValueError(f"axis {axis} is out of bounds for an array of {ndim} dimensions")
    return axis % ndim


def _flat(array, order):
    """The memory of a contiguous array as bytes; a copy never."""
    return array.reshape(-1, order=order).view(np.uint8)


def _check_same(device, host, what):
    if host.shape != device.shape or host.dtype != device.dtype:
        raise LaunchValueError(
            f"{what}: the device array has shape {device.shape} and dtype {device.dtype}, "
            f"the other shape {host.shape} and dtype {host.dtype}"
        )


def _shape_tuple(shape):
    shape = tuple(operator.index(n) for n in shape) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
    if any(n < 0 for n in shape):
        raise ValueError(f"negative dimensions are not allowed: {shape}")
    return shape


def _dtype_of(dtype):
    from .._types import Type

    dtype = dtype.dtype if isinstance(dtype, Type) and dtype.dtype is not None else np.dtype(dtype)
    if dtype.hasobject:
        raise LaunchTypeError(f"arrays of dtype {dtype} are not supported: Python objects have no place in kernels")
    if not dtype.isnative:
        raise LaunchTypeError(f"device arrays of dtype {dtype} are not supported (byte-swapped)")
    return dtype


def steps_of(who, strides, shape, dtype, order="C"):
    """Strides in elements, of strides in bytes; None: those of the order."""
    byte_count(who, shape, dtype)
    if strides is None:
        return _contiguous_strides(shape, order)
    strides = tuple(operator.index(stride) for stride in strides)
    if len(strides) != len(shape):
        raise LaunchValueError(f"{who}: {len(strides)} strides for {len(shape)} dimensions")
    if not all(-(2**63) <= stride < 2**63 for stride in strides):
        raise LaunchValueError(f"{who}: the strides {strides} are too large")
    if dtype.itemsize and any(stride % dtype.itemsize for stride in strides):
        raise LaunchValueError(f"{who}: a stride is not a multiple of the item size")
    return tuple(stride // (dtype.itemsize or 1) for stride in strides)


def reach(shape, steps, dtype):
    """Where the elements begin and end, in bytes from the first one."""
    if math.prod(shape) == 0:
        return 0, 0
    low = sum(min(0, (extent - 1) * step) for extent, step in zip(shape, steps))
    high = sum(max(0, (extent - 1) * step) for extent, step in zip(shape, steps)) + 1
    return low * dtype.itemsize, high * dtype.itemsize


def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0, target=None):
    """An uninitialised array in the memory of the target's device. `strides` are in bytes, one for each dimension; they
    replace the order, and may leave gaps, be negative, or let elements share memory."""
    _check_order("device_array", order)
    shape, dtype = _shape_tuple(shape), _dtype_of(dtype)
    handle = handle_of(stream, "device_array", target)
    try:
        steps = steps_of("device_array", strides, shape, dtype, order)
    except TypeError:
        raise LaunchTypeError(f"device_array: strides must be ints, in bytes, not {strides!r}") from None
    low, high = reach(shape, steps, dtype)
    count = high - low
    if count > sys.maxsize:
        raise _no_memory("device_array", shape, dtype, count)
    try:
        buffer = _memory_manager.allocate(target, count, handle)
    except MemoryError:
        raise _no_memory("device_array", shape, dtype, count) from None
    return DeviceArray(buffer, -low, dtype, shape, steps)


def _check_order(who, order):
    if order not in ("C", "F"):
        raise LaunchValueError(f"{who}: order must be \"C\" or \"F\", not {order!r}")


def byte_count(who, shape, dtype):
    """Of an array; MemoryError if no memory can be that large."""
    # As NumPy does, an array without elements is refused if it were too large with an extent of 1 for the 0.
    most = math.prod(extent or 1 for extent in shape) * dtype.itemsize
    if most > sys.maxsize:
        raise _no_memory(who, shape, dtype, most)
    return math.prod(shape) * dtype.itemsize


def _no_memory(who, shape, dtype, count):
    return MemoryError(f"{who}: there is no memory for shape {shape} of {dtype}, {count} bytes")


def device_array_like(ary, stream=0, target=None):
    """An uninitialised device array with the shape, dtype and order of `ary`."""
    if isinstance(ary, DeviceArray):
        is_fortran, target = ary.is_f_contiguous() and not ary.is_c_contiguous(), target or ary.target
    else:
        ary = np.asarray(ary)
        is_fortran = ary.flags.f_contiguous and not ary.flags.c_contiguous
    return device_array(ary.shape, ary.dtype, order="F" if is_fortran else "C", stream=stream, target=target)


def to_device(obj, stream=0, copy=True, to=None, target=None):
    """A device array with the elements of `obj`; `to` is an existing device array to fill.

    With a stream the copy is ordered on it; from pinned memory it goes on after the call returns.
    """
    if to is not None and not isinstance(to, DeviceArray):
        raise LaunchTypeError(f"to_device: `to` must be a device array, not {type(to).__name__}")
    if isinstance(obj, DeviceArray) and to is None and (target is None or target == obj.target):
        return obj
    if isinstance(obj, DeviceArray):
        host = obj._elements(stream)
        # A stream of the source's target has been waited for, and orders nothing on this one.
        if isinstance(stream, Stream) and stream.target == obj.target:
            stream = 0
    else:
        host = np.asarray(obj)
    if isinstance(obj, np.ma.MaskedArray):
        raise LaunchTypeError("to_device: masked arrays are not supported: pass a.filled(value)")
    result = device_array_like(host, stream=stream, target=target) if to is None else to
    if copy:
        result.copy_to_device(host, stream)
    return result


def synchronize(target=None):
    """Waits until the device has done all its work; raises what went wrong in it."""
    _core.synchronize(target)
