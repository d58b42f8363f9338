"""gpu.jit: from a Python function to a kernel that compiles itself for the types it is launched with."""

import functools
import inspect
import operator
import os
import types

from .. import _core, _source
from .._types import Signature, signature_text, type_text
from ..errors import LaunchTypeError, LaunchValueError
from ._cuda_cpp import links
from ._occupancy import Occupancy
from ._overloads import Overloads

# Options of Numba's that change nothing of what a kernel means: accepted, without effect.
_HARMLESS = {
    "inline",
    "forceinline",
    "opt",
    "cache",
    "lto",
    "shared_memory_carveout",
}
# Options of Numba's that would: accepted only where they ask for nothing.
_REFUSED = {
    "extensions": "argument extensions are not supported",
    "boundscheck": "bounds checks are not available",
    "check": "checked mode is not supported yet",
    "argtypes": "give the types as a signature instead",
    "restype": "give the types as a signature instead",
    "bind": "give the types as a signature instead",
}


class Kernel(_core.Dispatcher, Occupancy, Overloads):
    """A jitted function. `kernel[grid, block](*args)` launches it; device functions are called by kernels."""

    def __init__(self, function, options, signatures):
        super().__init__(function, options, signatures)
        self.py_func = self.__wrapped__ = function
        self.targetoptions = options
        for name in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(self, name, getattr(function, name))

    def __repr__(self):
        kind = "device function" if self.is_device else "kernel"
        return f"<{kind} `{self.__qualname__}` of {self.__module__}>"

    def __reduce__(self):
        # By name, as functions are pickled.
        return self.__qualname__

    @property
    def is_device(self):
        return self.targetoptions["device"]

    @property
    def signatures(self):
        """The argument types that are compiled so far, as text."""
        return _core.signatures(self)

    def configure(self, griddim, blockdim, stream=0, sharedmem=0, cluster=None, priority=None, overlaps_previous=False):
        """The same as `kernel[griddim, blockdim, stream, sharedmem, cluster]`; `sharedmem`: dynamic shared memory in
        bytes. Of CUDA: `cluster`: blocks of a cluster (sm_90 and newer); `priority`: as that of streams;
        `overlaps_previous=True`: may start before the work in front of it on the stream has ended."""
        if priority is not None:
            priority = self._int("priority", priority, bits=31)
        overlaps = _flag("overlaps_previous", overlaps_previous) or False
        return _core.configure(self, (griddim, blockdim, stream, sharedmem, cluster), priority, overlaps, None)

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """A launch of at least `ntasks` threads in one dimension; `tpb` threads a block, 0 for what suits the device."""
        ntasks = self._count("number of tasks", ntasks)
        block = self._count("number of threads per block", tpb)
        return _core.configure(self, (1, block, stream, sharedmem), None, False, ntasks)

    def specialize(self, *args):
        """The kernel for the types of these arguments alone, compiled now."""
        return _make(self.py_func, self.targetoptions, [_core.signature_of(self, args)])

    def _int(self, what, value, bits=63):
        try:
            value = operator.index(value)
        except TypeError:
            raise LaunchTypeError(f"kernel `{self.__name__}`: the {what} must be an int, not {value!r}") from None
        if not -(2**bits) <= value < 2**bits:
            raise LaunchValueError(f"kernel `{self.__name__}`: the {what} is too {'small' if value < 0 else 'large'}: {value}")
        return value

    def _count(self, what, value):
        value = self._int(what, value)
        if value < 0:
            raise LaunchValueError(f"kernel `{self.__name__}`: the {what} is negative: {value}")
        return value

    def inspect_ir(self, signature=None):
        """The kernel in Lanewise's own intermediate form."""
        return self._inspect("ir", signature)

    def inspect_llvm(self, signature=None):
        """The kernel as LLVM IR."""
        return self._inspect("llvm", signature)

    def inspect_asm(self, signature=None):
        """The machine code as text: assembly on the CPU, PTX on CUDA."""
        return self._inspect("asm", signature)

    def inspect_ptx(self, signature=None):
        """The kernel as PTX, for the current device or compute capability 7.5."""
        return self._inspect("ptx", signature)

    def inspect_cuda(self, signature=None):
        """The kernel as CUDA C++ for people, nvcc and NVRTC, with the entry and the parameters of its PTX."""
        return self._inspect("cuda", signature)

    def inspect_sass(self, signature=None):
        """The GPU's machine code, by nvdisasm or cuobjdump: for the current device or compute capability 7.5."""
        return self._inspect("sass", signature)

    def get_regs_per_thread(self, signature=None):
        """How many registers a thread of the kernel has."""
        return self._resource("registers", signature)

    def get_const_mem_size(self, signature=None):
        """How many bytes of constant memory the kernel has."""
        return self._resource("constant_bytes", signature)

    def get_shared_mem_per_block(self, signature=None):
        """How many bytes of shared memory of fixed size a block of the kernel has."""
        return self._resource("shared_bytes", signature)

    def get_max_threads_per_block(self, signature=None):
        """How many threads a block of the kernel may have, for the registers they need."""
        return self._resource("max_threads", signature)

    def get_local_mem_per_thread(self, signature=None):
        """How many bytes of local memory a thread of the kernel has."""
        return self._resource("local_bytes", signature)

    def _resource(self, name, signature):
        # As the driver knows it, of the code for the current device.
        text = None if signature is None else signature_text(signature)
        found = [(key, numbers[name]) for key, numbers in _core.resources(self, text)]
        return self._one_or_all(found, signature)

    def report(self, signature=None):
        """In words, what the CPU engine made of the kernel in its last launch: how many threads run at once, what is
        kept over barriers, and the lines that are slower than they look."""
        return self._inspect("report", signature)

    def _inspect(self, stage, signature):
        text = None if signature is None else signature_text(signature)
        return self._one_or_all(_core.texts(self, stage, text), signature)

    def _one_or_all(self, found, signature):
        # One value if a signature is named or only one is compiled, else a dict by signature.
        if not found:
            raise ValueError(
                f"kernel `{self.__name__}` is not compiled for any argument types yet: launch it, or name a signature"
            )
        return found[0][1] if signature is not None or len(found) == 1 else dict(found)


def _function_of(thing):
    """The plain function inside what was decorated."""
    if isinstance(thing, Kernel):
        return thing.py_func
    if isinstance(thing, (staticmethod, classmethod)):
        thing = thing.__func__
    if isinstance(thing, types.FunctionType):
        if thing.__code__.co_flags & inspect.CO_COROUTINE:
            raise TypeError(f"gpu.jit: `{thing.__name__}` is a coroutine: write `def`, not `async def`")
        _refuse_wrapper(thing)
        return thing
    function = getattr(thing, "py_func", None)  # another compiler's jitted function
    if isinstance(function, types.FunctionType):
        return function
    raise TypeError(f"gpu.jit needs a Python function, got {type(thing).__name__}: {thing!r}{_way_out(thing)}")


def _refuse_wrapper(function):
    """What functools.wraps leaves is the decorator's own function, which calls Python's."""
    takes_anything = function.__code__.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
    if takes_anything and callable(getattr(function, "__wrapped__", None)):
        raise TypeError(
            f"gpu.jit: `{function.__name__}` is wrapped by another decorator, whose function kernels cannot run: "
            f"put gpu.jit directly above the `def` ({function.__code__.co_filename}:{function.__code__.co_firstlineno})"
        )


def _way_out(thing):
    if isinstance(thing, types.MethodType):
        return ": make it a static method, kernels know no `self`"
    if isinstance(thing, functools.partial):
        return ": pass its values as arguments, or capture them as a closure's variables"
    if callable(thing):
        return ": decorate a function written with `def` or `lambda`"
    return ""


def _is_signature(thing):
    return isinstance(thing, (str, Signature, tuple, list)) or type(thing).__module__.startswith("numba.core.typing")


def _python_float32(width):
    text = type_text(width, None)
    if text not in ("float32", "float64"):
        raise TypeError(f"python_float must be \"float32\" or \"float64\", not {width!r}")
    return text == "float32"


def _flag(name, value):
    if value not in (None, True, False):
        raise TypeError(f"{name} must be True or False, not {value!r}")
    return value if value is None else bool(value)


def _count(name, value, most):
    try:
        count = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {value!r}") from None
    if not 1 <= count <= most:
        raise ValueError(f"{name} must be 1 to {most}, not {count}")
    return count


def _launch_bounds(value):
    """(threads per block, blocks per multiprocessor, blocks per cluster), 0 for none."""
    if value is None:
        return 0, 0, 0
    numbers = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(numbers) <= 3:
        raise ValueError(f"launch_bounds must be threads, (threads, blocks) or (threads, blocks, blocks of a cluster), not {value!r}")
    threads = _count("launch_bounds", numbers[0], 1024)
    blocks = _count("the blocks of launch_bounds", numbers[1], 32) if len(numbers) > 1 else 0
    return threads, blocks, _count("the cluster of launch_bounds", numbers[2], 16) if len(numbers) > 2 else 0


def _cluster_dims(value):
    """[x, y, z], 0 0 0 for none."""
    if value is None:
        return [0, 0, 0]
    shape = value if isinstance(value, (tuple, list)) else (value,)
    if not 1 <= len(shape) <= 3:
        raise ValueError(f"cluster_dims must be blocks along x, (x, y) or (x, y, z), not {value!r}")
    counts = [_count("cluster_dims", n, 16) for n in shape] + [1] * (3 - len(shape))
    if counts[0] * counts[1] * counts[2] > 16:
        raise ValueError(f"cluster_dims {value!r} are {counts[0] * counts[1] * counts[2]} blocks; 16 is the limit")
    return counts


def _performance_notes(value):
    if value is None:
        return os.environ.get("LANEWISE_PERFORMANCE_NOTES", "0") not in ("", "0")
    return _flag("performance_notes", value)


def read_options(device=False, fastmath=None, fma=None, python_float="float64", target=None, source=None,
                 performance_notes=None, lineinfo=False, debug=None, ftz=False, launch_bounds=None, max_registers=None,
                 link=None, cluster_dims=None, **others):
    """Checks the keyword arguments of gpu.jit and makes them what the extension wants."""
    for name, value in others.items():
        if name in _HARMLESS:
            continue
        if name not in _REFUSED:
            known = ("device, fastmath, fma, python_float, target, source, performance_notes, lineinfo, debug, ftz, "
                     "launch_bounds, max_registers, cluster_dims, link")
            raise TypeError(f"gpu.jit has no option `{name}`; it has {known}")
        if value:
            raise TypeError(f"gpu.jit: the option `{name}`: {_REFUSED[name]}")
    if target is not None and not isinstance(target, str):
        raise TypeError(f"target must be \"cpu\", \"cuda\" or \"interpreter\", not {target!r}")
    if source is not None and not isinstance(source, str):
        raise TypeError(f"source must be the function's text, not {type(source).__name__}")
    max_threads, min_blocks, max_cluster_blocks = _launch_bounds(launch_bounds)
    cluster = _cluster_dims(cluster_dims)
    if cluster[0] and max_cluster_blocks:
        raise ValueError("gpu.jit: cluster_dims say how large clusters are: leave the third number of launch_bounds out")
    return {
        "device": _flag("device", device) or False,
        "fastmath": _flag("fastmath", fastmath),
        "fma": _flag("fma", fma),
        "python_float32": _python_float32(python_float),
        "target": target,
        "source": source,
        "performance_notes": _performance_notes(performance_notes),
        "lineinfo": _flag("lineinfo", lineinfo) or _flag("debug", debug) or False,
        "debug": _flag("debug", debug) or False,
        "ftz": _flag("ftz", ftz) or False,
        "max_threads": max_threads,
        "min_blocks": min_blocks,
        "max_cluster_blocks": max_cluster_blocks,
        "cluster": cluster,
        "max_registers": 0 if max_registers is None else _count("max_registers", max_registers, 255),
        "checked_launch": False,
        "link": links(link),
    }


def jit(func_or_sig=None, **options):
    """Makes a kernel of a function, or with device=True a function that kernels can call.

        @gpu.jit
        @gpu.jit("void(float32[:], int64)")      compiled at once, for these types only; also a list of several
        @gpu.jit(device=True)

    Options: fastmath (reassociation and approximate functions), fma=False (no fused multiply-add),
    python_float="float32" (Python floats in 32 bits), target="cpu", "cuda" or "interpreter", source="..." (the function's text,
    where it cannot be found: functions made by exec), performance_notes=True (warnings about what is slow; else as
    LANEWISE_PERFORMANCE_NOTES=1 says). Of CUDA code: launch_bounds=threads or (threads, blocks) (what blocks have at
    most, how many of them shall fit a multiprocessor), cluster_dims=(x, y, z) (blocks of a cluster; sm_90 and newer),
    max_registers, ftz (float32 denormals become zero).
    lineinfo=True or debug=True: source lines in the code, for profilers and, on the CPU, for gdb; LANEWISE_PERF=1 in
    the environment does that for all kernels and tells perf of them. With debug=True a launch without dynamic shared
    memory is an error where the kernel has elements in it.
    """
    checked = read_options(**options)
    if func_or_sig is None or _is_signature(func_or_sig):
        given = func_or_sig if isinstance(func_or_sig, list) else [] if func_or_sig is None else [func_or_sig]
        signatures = [signature_text(item) for item in given]
        return lambda function: _make(function, checked, signatures)
    return _make(func_or_sig, checked, [])


def _make(function, options, signatures):
    kernel = Kernel(_function_of(function), options, signatures)
    if options["source"] is None:
        _source.remember(kernel.py_func)
    if not options["device"]:
        _core.compile_signatures(kernel)
    return kernel


def device(function=None, **options):
    """The same as gpu.jit(device=True)."""
    options["device"] = True
    return jit(function, **options)


def compile_ptx(function, signature, cc=(8, 0), device=False, checked_launch=False, **options):
    """The PTX of a function for argument types and a compute capability; no GPU is needed.

    Returns (ptx, result type), as Numba does. `signature` is a string, a signature or a tuple of types.
    checked_launch=True gives the code that launches by Lanewise take where it is right. Who launches it himself must
    see to that: numbers of elements, extents, strides, int64 arguments and threads of the grid along each axis are
    2**30 at most, no array that is written shares memory with another, and all arrays begin at multiples of 16 bytes.
    """
    return _compile_ptx(function, signature, cc, device, checked_launch, options)


def _compile_ptx(function, signature, cc, device, checked_launch, options, name=""):
    try:
        major, minor = (operator.index(number) for number in cc)
    except (TypeError, ValueError):
        raise LaunchTypeError(f"cc must be a compute capability, (major, minor), not {cc!r}") from None
    if not (0 <= major < 1000 and 0 <= minor < 10):
        raise LaunchValueError(f"cc: there is no compute capability {major}.{minor}")
    checked = read_options(**options)
    if isinstance(function, Kernel):
        device = device or function.is_device
        checked = {**function.targetoptions, **{name: checked[name] for name in _names_of(options)}}
    checked.update(device=device, checked_launch=_flag("checked_launch", checked_launch) or False)
    kernel = Kernel(_function_of(function), checked, [])
    ptx, result = _core.compile_ptx(kernel, signature_text(signature), 10 * major + minor, name)
    from .._types import scalar_types, void

    return ptx, void if result == "void" else scalar_types.get(result, result)


def compile(function, signature, debug=None, lineinfo=False, device=True, fastmath=False, cc=None, opt=None, abi="c",
            abi_info=None, output="ptx", **options):
    """The code of a function for argument types and a compute capability; no GPU is needed.

    As Numba's: returns (code, result type). A device function unless device=False, with C's calling convention;
    abi_info={"abi_name": "f"} names it. output="ptx" gives text, "cubin" bytes (by nvJitLink or ptxas).
    """
    if output not in ("ptx", "cubin"):
        hint = ": nvJitLink links PTX with LTO-IR (link=[gpu.LTOIR(...)])" if output == "ltoir" else ""
        raise ValueError(f'compile: output is "ptx" or "cubin", not {output!r}{hint}')
    if abi not in ("c", "numba"):
        raise ValueError(f"compile: unsupported ABI: {abi!r}")
    if device and abi == "numba":
        raise ValueError('compile: device functions have the calling convention of C: abi="c"')
    name = (abi_info or {}).get("abi_name", "")
    cc = tuple(cc) if cc is not None else (8, 0)
    options.update(lineinfo=lineinfo, debug=debug, fastmath=fastmath or None)
    ptx, result = _compile_ptx(function, signature, cc, device, False, options, name)
    if output == "ptx":
        return ptx, result
    link = links(options.get("link"))
    return _core.make_cubin(ptx, 10 * cc[0] + cc[1], link, options.get("max_registers") or 0, lineinfo), result


def compile_for_current_device(function, signature, **options):
    """gpu.compile for the current device's compute capability."""
    return compile(function, signature, cc=_current_cc(), **options)


def compile_ptx_for_current_device(function, signature, **options):
    """gpu.compile_ptx for the current device's compute capability."""
    return compile_ptx(function, signature, cc=_current_cc(), **options)


def _current_cc():
    from ..errors import CudaError
    from ._devices import get_current_device

    usable, report, sm, _ = _core.cuda_status()
    if not usable:
        raise CudaError(f"there is no current device\n{report}")
    del sm
    return tuple(get_current_device().compute_capability)


def _names_of(options):
    """The names that read_options gives what these say."""
    for name in options:
        if name == "launch_bounds":
            yield from ("max_threads", "min_blocks", "max_cluster_blocks")
        elif name == "cluster_dims":
            yield "cluster"
        elif name == "python_float":
            yield "python_float32"
        elif name == "debug":
            yield from ("lineinfo", "debug")
        elif name not in _HARMLESS and name not in _REFUSED:
            yield name


def launch(kernel, grid, block, *args, **kwargs):
    """The same as kernel[grid, block](*args, **kwargs)."""
    return kernel[grid, block](*args, **kwargs)
