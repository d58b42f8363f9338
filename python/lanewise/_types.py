"""The types of the kernel language as Python objects: float32, int64, float32[:, ::1], void(float32[:]).

They are casts on the host too (`float32(1.5)` is a NumPy scalar), they can be subscripted into array types and
called with types to make a signature. str() is the spelling that the compiler reads.
"""

import numpy as np


class Signature:
    """The types of a kernel's arguments: `void(float32[:], int64)`."""

    __slots__ = ("result", "arguments")

    def __init__(self, result, arguments):
        self.result = result
        self.arguments = tuple(arguments)

    def __str__(self):
        return f"{self.result}({', '.join(map(str, self.arguments))})"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, Signature) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


class Type:
    """A scalar type, an array type or `void`."""

    # The extension recognises types by this attribute of their class.
    __slots__ = ("name", "_dtype", "ndim", "layout")
    _lanewise_type = True

    def __init__(self, name, dtype=None, ndim=0, layout=""):
        self.name = name  # of the scalar or the elements
        self._dtype = dtype  # or a function that gives it
        self.ndim = ndim
        self.layout = layout  # of an array: "C", "F" or "A" (any)

    @property
    def dtype(self):
        return self._dtype() if callable(self._dtype) else self._dtype

    def __str__(self):
        if not self.layout:
            return self.name
        dimensions = [":"] * self.ndim
        if self.layout != "A":
            dimensions[-1 if self.layout == "C" else 0] = "::1"
        return f"{self.name}[{', '.join(dimensions)}]"

    __repr__ = __str__

    def __eq__(self, other):
        return isinstance(other, Type) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __getitem__(self, dimensions):
        """`float32[:]`, `float32[:, ::1]` (C order), `float32[::1, :]` (Fortran order)."""
        if self.layout or self._dtype is None:
            raise TypeError(f"{self} cannot be the element type of an array")
        if not isinstance(dimensions, tuple):
            dimensions = (dimensions,)
        steps = []
        for item in dimensions:
            if not isinstance(item, slice) or item.start is not None or item.stop is not None or item.step not in (None, 1):
                raise TypeError(f"an array type is written {self.name}[:], {self.name}[:, ::1] or {self.name}[::1, :]")
            steps.append(item.step)
        if not 1 <= len(steps) <= 8:
            raise TypeError("an array type has one to eight dimensions")
        layout = "A"
        if 1 in steps:
            if steps.count(1) > 1 or steps.index(1) not in (0, len(steps) - 1):
                raise TypeError("`::1` marks the first dimension (Fortran order) or the last one (C order)")
            layout = "C" if steps[-1] == 1 else "F"
        return Type(self.name, self._dtype, len(steps), layout)

    def __call__(self, *arguments):
        """With types: a signature. With a number: that number as a NumPy scalar of this type."""
        # A string is a number's text to a cast: float32("1.5").
        texts = [None if isinstance(argument, str) else type_text(argument, None) for argument in arguments]
        if self._dtype is None or (texts and None not in texts):
            if None in texts:
                raise TypeError(f"{self}(...) takes types, got {arguments[texts.index(None)]!r}")
            return Signature(self, texts)
        if self.layout:
            raise TypeError(f"{self} is an array type, not a cast")
        return self.dtype.type(*arguments)


class Vector(tuple):
    """A vector on the host, an argument of launches: `gpu.float32x4(1, 2, 3, 4)`. A tuple of NumPy scalars."""

    __slots__ = ()
    _lanewise_vector = ""  # the type's name, by which the extension knows vectors

    def __repr__(self):
        return f"{self._lanewise_vector}({', '.join(str(item) for item in self)})"

    __str__ = __repr__

    def __reduce__(self):
        return (_make_vector, (self._lanewise_vector, *self))


def _component_property(index):
    return property(lambda self: self[index])


class VectorType(Type):
    """`float32x4` and its like: a cast that makes vectors, and the elements of array types, `float32x4[::1]`."""

    __slots__ = ("lanes", "_class")

    def __init__(self, name):
        component, lanes = name.rsplit("x", 1)
        super().__init__(name, scalar_types[component].dtype)
        self.lanes = int(lanes)
        members = {"__slots__": (), "_lanewise_vector": name}
        members |= {axis: _component_property(i) for i, axis in enumerate("xyzw"[: self.lanes])}
        self._class = type(name, (Vector,), members)

    def __call__(self, *arguments):
        """From numbers and shorter vectors; one number is repeated. With types: a signature."""
        items = []
        for argument in arguments:
            items += argument if isinstance(argument, (tuple, list, np.ndarray)) else [argument]
        if items and all(isinstance(item, (Type, type, np.dtype, str)) for item in items):
            return super().__call__(*arguments)
        if len(items) == 1:
            items *= self.lanes
        if len(items) != self.lanes:
            raise TypeError(f"{self} has {self.lanes} components, got {len(items)}")
        return self._class(self.dtype.type(item) for item in items)


_NO_DEFAULT = object()


def type_text(thing, default=_NO_DEFAULT):
    """The spelling of anything that stands for a type: ours, NumPy's, Numba's, a string."""
    if isinstance(thing, (Type, Signature, str)):
        return str(thing)
    if thing is int or thing is float or thing is bool or thing is complex:
        return thing.__name__
    if isinstance(thing, np.dtype) or (isinstance(thing, type) and issubclass(thing, np.generic)):
        return dtype_text(np.dtype(thing))
    if isinstance(thing, tuple):
        texts = [type_text(item, default) for item in thing]
        if default not in texts:
            return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    elif type(thing).__module__.startswith("numba.core.types"):
        return _numba_text(thing)
    if default is not _NO_DEFAULT:
        return default
    raise TypeError(f"{thing!r} is not a type")


def dtype_text(dtype):
    """The spelling of a dtype as an element: a record says its fields with their offsets, and its size."""
    if dtype.names is not None:
        fields = []
        for name in dtype.names:
            base, shape = dtype.fields[name][0].base, dtype.fields[name][0].shape
            extents = f"[{', '.join(map(str, shape))}]" if shape else ""
            fields.append(f"{name}: {dtype_text(base)}{extents} @{dtype.fields[name][1]}")
        return f"record({', '.join(fields)}; {dtype.itemsize})"
    if dtype.kind in "SU":
        return f"{dtype.kind}{dtype.itemsize // (1 if dtype.kind == 'S' else 4)}"
    return dtype.name


def from_dtype(dtype):
    """The type of a NumPy dtype, for signatures: `gpu.from_dtype(particle)[:]`."""
    dtype = np.dtype(dtype)
    return Type(dtype_text(dtype), dtype)


def _numba_text(thing):
    if hasattr(thing, "ndim") and hasattr(thing, "layout"):
        return str(Type(str(thing.dtype), np.dtype(str(thing.dtype)), thing.ndim, thing.layout))
    return "void" if str(thing) == "none" else str(thing)


def signature_text(thing):
    """The spelling of a signature: a string, `void(...)`, or a tuple of types."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Signature):
        return str(thing)
    if isinstance(thing, tuple):
        return f"({', '.join(type_text(item) for item in thing)})"
    if type(thing).__module__.startswith("numba.core.typing"):
        return f"({', '.join(type_text(item) for item in thing.args)})"
    raise TypeError(
        f"{thing!r} is not a signature: write it like \"void(float32[:], int64)\", or void(float32[:], int64)"
    )


def _bfloat16():
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError("bfloat16 on the host needs the package ml_dtypes: pip install ml_dtypes") from error
    return np.dtype(ml_dtypes.bfloat16)


_vector_types = {}


def vector_type(name):
    """The type "float32x4", always the same object."""
    if name not in _vector_types:
        _vector_types.setdefault(name, VectorType(name))
    return _vector_types[name]


def _make_vector(name, *items):
    return vector_type(name)(*items)


_SCALARS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
_COMPLEX = ("complex64", "complex128")

void = Type("void")
#: All scalar types by name, Numba's short names included.
scalar_types = {name: Type(name, np.dtype(name)) for name in _SCALARS + _COMPLEX}
scalar_types["bool_"] = scalar_types["boolean"] = Type("bool", np.dtype(np.bool_))
scalar_types["bfloat16"] = Type("bfloat16", _bfloat16)
scalar_types["intp"] = scalar_types["int64"]
scalar_types["uintp"] = scalar_types["uint64"]
for _name in _SCALARS + _COMPLEX:
    _bits = int("".join(c for c in _name if c.isdigit()))
    scalar_types[f"{_name[0]}{_bits // 8}"] = scalar_types[_name]
