"""Device functions in CUDA C++, and device code from elsewhere that is linked to kernels."""

import os
import sys

from .. import _core
from .._types import signature_text


class CudaFunction(_core.CudaFunction):
    """A device function in CUDA C++ that kernels call; made by gpu.cuda_function and gpu.declare_device."""

    link = ()

    def __call__(self, *args, **kwargs):
        if self.fallback is not None:
            return getattr(self.fallback, "py_func", self.fallback)(*args, **kwargs)
        raise RuntimeError(f"`{self.name}` is written in CUDA C++: only kernels on CUDA can call it")

    def __repr__(self):
        return f"<CUDA function `{self.name}`: {self.signature}>"


def cuda_function(source, name, signature, *, options=(), include_dirs=(), fallback=None):
    """A device function written in CUDA C++, for kernels to call.

        square = gpu.cuda_function("__device__ float square(float x) { return x * x; }", "square", "float32(float32)")

    `source` is CUDA C++, or the path of a .cu file. NVRTC compiles it when a kernel that calls the function is
    compiled for CUDA; it becomes part of the kernel and is inlined. An array of the signature is handed over as the
    address of its first element. `options` go to NVRTC ("-DN=3"), `include_dirs` are where it looks for headers.
    `fallback` is what other targets call instead: a device function, or a plain function that can be one.
    """
    text, file, line = _source_of(source)
    return CudaFunction(
        name=_text("name", name),
        signature=signature_text(signature),
        source=text,
        file=file,
        first_line=line,
        options=_nvrtc_options(options, include_dirs),
        numba_abi=False,
        fallback=_device_function(fallback),
    )


def declare_device(name, sig, link=None, use_cooperative=False, abi="numba", fallback=None):
    """A device function that is defined in what is linked to the kernel, for kernels to call.

    As in Numba: with abi="numba" the function is `extern "C" __device__ int name(result*, arguments...)`, with abi="c"
    `extern "C" __device__ result name(arguments...)`. `link` goes to every kernel that calls it.
    """
    if abi not in ("numba", "c"):
        raise ValueError(f"declare_device: abi is \"numba\" or \"c\", not {abi!r}")
    if use_cooperative:
        raise NotImplementedError("declare_device: use_cooperative: sync the grid in the kernel: gpu.cg.this_grid()")
    made = CudaFunction(
        name=_text("name", name),
        signature=signature_text(sig),
        source="",
        file="",
        first_line=1,
        options=[],
        numba_abi=abi == "numba",
        fallback=_device_function(fallback),
    )
    made.link = tuple(links(link))
    return made


class _Linkable:
    """Device code in memory, for `link`."""

    kind = ""

    def __init__(self, data, name=None):
        if isinstance(data, str):
            data = data.encode()
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"{type(self).__name__} wants bytes or text, not {type(data).__name__}")
        self.data = bytes(data)
        self.name = name or f"<{type(self).__name__}>"


class CUSource(_Linkable):
    """CUDA C++ text."""

    kind = "cu"


class PTXSource(_Linkable):
    """PTX text."""

    kind = "ptx"


class Cubin(_Linkable):
    """A cubin."""

    kind = "cubin"


class Fatbin(_Linkable):
    """A fatbin."""

    kind = "fatbin"


class Archive(_Linkable):
    """A static library of objects."""

    kind = "archive"


class Object(_Linkable):
    """An object file with relocatable device code."""

    kind = "object"


class LTOIR(_Linkable):
    """NVIDIA's LTO-IR."""

    kind = "ltoir"


def links(given):
    """What gpu.jit's `link` is, as the extension wants it: [(kind, name, bytes, options)]."""
    if given is None:
        return []
    if isinstance(given, (str, os.PathLike, _Linkable)):
        given = [given]
    result = []
    for item in given:
        if isinstance(item, _Linkable):
            result.append((item.kind, item.name, item.data, []))
        elif isinstance(item, (str, os.PathLike)):
            result.append(("", os.fspath(item), b"", []))
        elif isinstance(item, tuple) and len(item) == 4:
            result.append(item)
        else:
            raise TypeError(f"link wants paths, or gpu.CUSource(...), gpu.PTXSource(...) and the like, not {item!r}")
    return result


def _text(what, value):
    if not isinstance(value, str):
        raise TypeError(f"{what} must be text, not {type(value).__name__}")
    return value


def _nvrtc_options(options, include_dirs):
    if isinstance(options, str) or isinstance(include_dirs, (str, os.PathLike)):
        raise TypeError("options and include_dirs are lists of texts")
    return [*map(str, options), *(f"--include-path={os.fspath(folder)}" for folder in include_dirs)]


def _source_of(source):
    """(text, name of the file, line of its first line)"""
    if isinstance(source, os.PathLike) or (isinstance(source, str) and source.endswith(".cu") and "\n" not in source):
        path = os.fspath(source)
        with open(path, encoding="utf-8") as file:
            return file.read(), path, 1
    if not isinstance(source, str):
        raise TypeError(f"source must be CUDA C++ as text, not {type(source).__name__}")
    if "\0" in source:
        raise ValueError("source holds a NUL character")
    return (source, *_place_of(source))


def _place_of(source):
    """Where a text stands in the file of the user who wrote it, so that errors name that file's lines."""
    import linecache

    frame = sys._getframe(1)
    while frame and frame.f_globals.get("__name__", "").startswith("lanewise."):
        frame = frame.f_back
    if frame is None:
        return "<cuda>", 1
    file = frame.f_code.co_filename
    text = "".join(linecache.getlines(file, frame.f_globals))
    at = text.find(source) if source.strip() else -1
    if at < 0:
        return f"<cuda function at {os.path.basename(file)}:{frame.f_lineno}>", 1
    return file, text.count("\n", 0, at) + 1


def _device_function(function):
    """The fallback as kernels can call it."""
    if function is None:
        return None
    from ._jit import Kernel, device

    if isinstance(function, Kernel):
        return function
    if not callable(function):
        raise TypeError(f"fallback must be a function, not {type(function).__name__}")
    return device(function)
