"""Names from outside the kernel: globals, closures, helpers, modules; read at the first launch, and again when
they are rebound."""

import enum
import math
import types
from collections import namedtuple

import numpy as np
import pytest
from lanewise import CompileError, gpu
from lanewise.gpu import float32, grid

SIZE = 3
SCALE = np.float32(0.5)
TABLE = np.array([[1, 2, 3], [4, 5, 6]], np.int32)
PAIR = (2, 3.5)


class Settings:
    width = 4
    nested = types.SimpleNamespace(height=5)


class Mode(enum.IntEnum):
    FAST = 2


class Plain(enum.Enum):
    ONE = 1


def run(kernel, dtype=np.float64, n=1):
    out = np.zeros(n, dtype)
    kernel[1, n](out)
    return out if n > 1 else out[0]


def test_globals_of_all_kinds(target):
    @gpu.jit(target=target)
    def k(out):
        out[0] = SIZE + SCALE + PAIR[0] + PAIR[1] + TABLE[1, 2] + TABLE.shape[0]

    assert run(k) == 3 + 0.5 + 2 + 3.5 + 6 + 2


def test_functions_by_alias(target):
    sine, root = math.sin, np.sqrt

    @gpu.jit(target=target)
    def k(out):
        out[grid(1)] = sine(1.0) + root(4.0) + math.cos(0.0) + np.exp(0.0)

    assert run(k) == pytest.approx(math.sin(1) + 2 + 1 + 1, rel=1e-14)


def test_types_by_every_name(target):
    int8, numpy_type, dtype = np.int8, np.float32, np.dtype("uint16")

    @gpu.jit(target=target)
    def k(out):
        out[0] = int8(-2) + float32(0.5) + numpy_type(0.25) + dtype.type(1) + gpu.int32(7.9)

    assert run(k) == -2 + 0.5 + 0.25 + 1 + 7


def test_attributes_of_classes_objects_modules(target):
    module = types.ModuleType("mine")
    module.depth = 6

    @gpu.jit(target=target)
    def k(out):
        out[0] = Settings.width * 100 + Settings.nested.height * 10 + module.depth

    assert run(k) == 456
    module.depth = 7
    assert run(k) == 457
    Settings.nested.height = 6
    try:
        assert run(k) == 467
    finally:
        Settings.nested.height = 5


def test_enums(target):
    @gpu.jit(target=target)
    def k(out):
        out[0] = Mode.FAST * 10 + Plain.ONE

    assert run(k) == 21


def test_named_tuples(target):
    Point = namedtuple("Point", "x y")
    origin = Point(3, 4)

    @gpu.jit(target=target)
    def k(out):
        out[0] = origin[0] * 10 + origin[1]

    assert run(k) == 34


def test_a_factory_makes_independent_kernels(target):
    def make(n):
        @gpu.jit(target=target)
        def k(out):
            out[0] = n

        return k

    first, second = make(1), make(2.5)
    assert (run(first), run(second), run(first)) == (1, 2.5, 1)


def test_a_rebound_cell(target):
    n = 1

    @gpu.jit(target=target)
    def k(out):
        out[0] = n

    assert run(k) == 1
    n = 2
    assert run(k) == 2


def test_a_rebound_global(target):
    global SIZE

    @gpu.jit(target=target)
    def k(out):
        out[0] = SIZE

    assert run(k) == 3
    SIZE = 8
    try:
        assert run(k) == 8
    finally:
        SIZE = 3
    assert run(k) == 3
    assert len(k.signatures) == 1


def test_an_equal_value_does_not_recompile():
    global SIZE

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = SIZE + gpu.grid(1)

    SIZE = 1000
    try:
        run(k)
        text = k.inspect_ir()
        SIZE = int("1000")  # another object
        assert run(k) == 1000
        assert k.inspect_ir() == text
        SIZE = 1000.0  # equal, but of another type
        assert run(k) == 1000
        assert k.inspect_ir() != text
    finally:
        SIZE = 3


@gpu.jit(device=True)
def global_helper(x):
    return x + SIZE


def test_what_helpers_capture(target):
    global SIZE, global_helper

    @gpu.jit(target=target)
    def k(out):
        out[0] = global_helper(1)

    assert run(k) == 4
    SIZE = 10
    old = global_helper
    try:
        assert run(k) == 11

        @gpu.jit(device=True)
        def replacement(x):
            return -x

        global_helper = replacement
        assert run(k) == -1
    finally:
        SIZE, global_helper = 3, old


def test_helpers_with_defaults_and_keywords(target):
    @gpu.jit(device=True)
    def scale(x, by=SIZE, *, plus=0.5):
        return x * by + plus

    @gpu.jit(target=target)
    def k(out):
        out[0] = scale(2) + scale(1, plus=10) + scale(1, 1)

    assert run(k) == 6.5 + 13 + 1.5


def test_a_kernel_called_as_a_helper_is_an_error():
    @gpu.jit
    def other(out):
        out[0] = 1

    @gpu.jit(target="cpu")
    def k(out):
        other(out)

    with pytest.raises(CompileError, match="other"):
        run(k)


def test_a_plain_function_gets_a_hint():
    def plain(x):
        return x

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = plain(1)

    with pytest.raises(CompileError, match=r"gpu.jit\(device=True\)"):
        run(k)


def test_numba_style_dispatchers_give_their_function(target):
    # Numba's own are recognised by their class's module.
    def square(x):
        return x * x

    holder = type("CUDADispatcher", (), {"__module__": "numba.cuda.dispatcher", "py_func": staticmethod(square)})()

    @gpu.jit(target=target)
    def k(out):
        out[0] = holder(3)

    assert run(k) == 9


@pytest.mark.parametrize(
    "value, words",
    [
        ({}, "a dict"),
        ([1, 2], "a list"),
        (b"x", "a bytes"),
        (2**80, "an int of 81 bits"),
        (-(2**63) - 1, "an int below int64's range"),
        (np.zeros(2, np.clongdouble), "an array of dtype"),
        (np.longdouble, "numpy.longdouble"),
        (np.dtype("V5"), "the dtype"),
    ],
)
def test_values_that_cannot_be_captured(value, words):
    @gpu.jit(target="cpu")
    def k(out):
        out[0] = value

    with pytest.raises(CompileError, match=words):
        run(k)


def test_unknown_names_get_the_nearest():
    @gpu.jit(target="cpu")
    def k(out):
        out[0] = SIZ  # noqa: F821

    with pytest.raises(CompileError, match="(?s)`SIZ`.*SIZE"):
        run(k)


def test_a_name_that_appears_later():
    @gpu.jit(target="cpu")
    def k(out):
        out[0] = appears_later  # noqa: F821

    with pytest.raises(CompileError, match="appears_later"):
        run(k)
    globals()["appears_later"] = 4
    try:
        assert run(k) == 4
    finally:
        del globals()["appears_later"]


def test_a_builtin_may_be_shadowed(target):
    @gpu.jit(target=target)
    def k(out):
        out[0] = abs(-2)

    assert run(k) == 2

    @gpu.jit(device=True)
    def mine(x):
        return x * 100

    globals()["abs"] = mine
    try:
        assert run(k) == -200
    finally:
        del globals()["abs"]
    assert run(k) == 2


def test_attributes_whose_getter_fails():
    class Angry:
        @property
        def size(self):
            raise ValueError("no")

    angry = Angry()

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = angry.size

    with pytest.raises(CompileError, match=r"getter failed \(ValueError: no\)"):
        run(k)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("name", ["size", "missing"])
def test_what_is_no_exception_passes_through(error, name):
    class Interrupted:
        @property
        def size(self):
            raise error("now")

        def __getattr__(self, name):
            raise error("now")

    thing = Interrupted()
    space = {"gpu": gpu, "thing": thing}
    source = f"@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = thing.{name}\n"
    exec(source, space)
    for _ in range(2):
        with pytest.raises(error, match="^now$"):
            run(space["k"])
    space["thing"] = types.SimpleNamespace(**{name: 4})  # the kernel is none the worse
    assert run(space["k"]) == 4


def test_an_interrupt_while_captures_are_compared():
    class Settings:
        interrupt = False

        @property
        def size(self):
            if self.interrupt:
                raise KeyboardInterrupt
            return 4

    settings = Settings()

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = settings.size

    assert run(k) == 4
    settings.interrupt = True
    with pytest.raises(KeyboardInterrupt):
        run(k)
    settings.interrupt = False
    assert run(k) == 4


def test_an_argument_that_interrupts():
    class Interrupted:
        @property
        def __array_interface__(self):
            raise KeyboardInterrupt

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = 1

    with pytest.raises(KeyboardInterrupt):
        k[1, 1](Interrupted())


@pytest.mark.parametrize("place", ["global", "module", "cell", "attribute"])
def test_one_compile_sees_one_value(target, place):
    # The getter stands for another thread that rebinds the name in the middle of the compile.
    module = types.ModuleType("mine")
    holder = types.SimpleNamespace()

    class Rebinds:
        @property
        def zero(self):
            module.n = holder.n = 270
            set_cell()
            return 0

    rebinds = Rebinds()
    reads = {"global": "n", "module": "module.n", "cell": "cell", "attribute": "holder.n"}[place]
    space = vars(module)
    space.update(gpu=gpu, module=module, holder=holder, rebinds=rebinds, target=target)
    source = f"""def make():
    cell = 269
    def set_cell():
        nonlocal cell
        cell = 270
    @gpu.jit(target=target)
    def k(out):
        out[0] = {reads} * 1000 + rebinds.zero + {reads}
    return k, set_cell
"""
    exec(source, space)
    kernel, set_cell = space["make"]()
    module.n = holder.n = 269
    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 269269
    kernel[1, 1](out)
    assert out[0] == 270270


def test_helpers_whose_code_or_defaults_are_replaced(target):
    @gpu.jit(device=True)
    def helper(x, by=10, *, plus=1):
        return x * by + plus

    def other(x, by=10, *, plus=1):
        return x - by - plus

    @gpu.jit(target=target)
    def k(out):
        out[0] = helper(3)

    assert run(k) == 31
    helper.py_func.__defaults__ = (20,)
    assert run(k) == 61
    helper.py_func.__kwdefaults__["plus"] = 2
    assert run(k) == 62
    helper.py_func.__code__ = other.__code__
    assert run(k) == -19
    text = k.inspect_ir()
    assert run(k) == -19
    assert k.inspect_ir() == text


def test_captured_arrays_are_copied(target):
    table = np.arange(4.0)

    @gpu.jit(target=target)
    def k(out):
        i = gpu.grid(1)
        out[i] = table[i]

    assert run(k, n=4).tolist() == [0, 1, 2, 3]
    table[0] = 100  # the same object: what it held then counts
    assert run(k, n=4).tolist() == [0, 1, 2, 3]
    table = np.arange(4.0)[::-1]
    assert run(k, n=4).tolist() == [3, 2, 1, 0]


def test_recursive_captures_do_not_leak():
    import gc
    import weakref

    def make():
        @gpu.jit(target="cpu")
        def k(out):
            out[0] = holder.value

        holder = types.SimpleNamespace(value=1, kernel=None)
        holder.kernel = k  # a cycle through the captures
        run(k)
        return weakref.ref(k)

    kernel = make()
    gc.collect()
    assert kernel() is None
