"""Launch configurations, and binding arguments to parameters."""

import gc
import weakref

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, LaunchTypeError, LaunchValueError, gpu


def make_fill(target):
    @gpu.jit(target=target)
    def fill(out, value=7, *, scale=1):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = value * scale

    return fill


def make_place(target):
    @gpu.jit(target=target)
    def place(out):
        x, y, z = gpu.grid(3)
        out[z, y, x] = 100 * x + 10 * y + z

    return place


def test_grid_and_block_as_ints(target):
    out = np.zeros(10, np.int64)
    make_fill(target)[3, 4](out, 5)
    assert out.tolist() == [5] * 10


def test_grid_and_block_as_tuples(target):
    out = np.zeros((2, 3, 4), np.int64)
    make_place(target)[(2, 3, 1), (2, 1, 2)](out)
    z, y, x = np.indices(out.shape)
    assert np.array_equal(out, 100 * x + 10 * y + z)


def test_numpy_integers_in_a_configuration(target):
    out = np.zeros(4, np.int64)
    make_fill(target)[np.int32(1), (np.uint8(4),)](out)
    assert out.tolist() == [7] * 4


def test_fewer_threads_than_elements_leave_the_rest(target):
    out = np.zeros(4, np.int64)
    make_fill(target)[1, 3](out)
    assert out.tolist() == [7, 7, 7, 0]


def test_stream_and_shared_bytes_may_be_given(target):
    out = np.zeros(4, np.int64)
    make_fill(target)[1, 4, 0, 256](out)
    make_fill(target)[1, 4, None](out)
    assert out.tolist() == [7] * 4


def test_empty_grid_does_nothing(target):
    out = np.zeros(4, np.int64)
    make_fill(target)[0, 4](out)
    assert out.tolist() == [0] * 4


def test_configure_and_launch_are_the_same(target):
    out = np.zeros(4, np.int64)
    kernel = make_fill(target)
    kernel.configure(1, 4)(out, 1)
    assert out.tolist() == [1] * 4
    gpu.launch(kernel, 1, 4, out, value=2)
    assert out.tolist() == [2] * 4


@pytest.mark.parametrize("n", [0, 1, 127, 128, 129])
def test_forall_covers_all_tasks(target, n):
    out = np.zeros(130, np.int64)

    @gpu.jit(target=target)
    def mark(out, n):
        i = gpu.grid(1)
        if i < n:
            out[i] = 1

    mark.forall(n)(out, n)
    assert out.sum() == n
    assert mark.forall(n, tpb=32) is not None


def test_forall_of_a_negative_number():
    with pytest.raises(ValueError, match="`fill`.*-1"):
        make_fill("cpu").forall(-1)


def test_keywords_and_defaults(target):
    kernel = make_fill(target)
    out = np.zeros(2, np.int64)
    kernel[1, 2](out=out, value=3)
    assert out.tolist() == [3, 3]
    kernel[1, 2](out, scale=10)
    assert out.tolist() == [70, 70]
    kernel[1, 2](value=2, scale=4, out=out)
    assert out.tolist() == [8, 8]


@pytest.mark.parametrize(
    "args, kwargs, words",
    [
        ((), {}, r"kernel `fill` takes the arguments \(out, value, scale\): `out` is missing"),
        ((1, 2, 3), {}, r"kernel `fill` takes 2 arguments .*3 were given"),
        ((1,), {"out": 2}, "two values.*`out`"),
        ((1,), {"vlue": 2}, "no parameter `vlue`.*did you mean `value`"),
    ],
)
def test_arguments_that_do_not_fit(args, kwargs, words):
    with pytest.raises(LaunchTypeError, match=words):
        make_fill("cpu")[1, 1](*args, **kwargs)


def test_positional_only_parameters():
    @gpu.jit(target="cpu")
    def k(out, /, value):
        out[0] = value

    out = np.zeros(1)
    k[1, 1](out, value=2.5)
    assert out[0] == 2.5
    with pytest.raises(LaunchTypeError, match="`out` is positional-only"):
        k[1, 1](out=out, value=1.0)


def test_call_without_a_configuration():
    with pytest.raises(LaunchError, match=r"`fill` was called without a launch configuration: write fill\[grid, block\]"):
        make_fill("cpu")(np.zeros(1))


@pytest.mark.parametrize(
    "item, error, words",
    [
        (1, LaunchTypeError, r"`fill`.*fill\[grid, block\]"),
        ((1,), LaunchTypeError, r"fill\[grid, block\]"),
        ((1, 2, 0, 0, 1, 1), LaunchTypeError, r"fill\[grid, block\]"),
        ((1.0, 2), LaunchTypeError, r"`fill`: the grid must be an int or a tuple.*1.0 \(float\)"),
        ((1, 2.5), LaunchTypeError, r"`fill`: the block must be.*2.5 \(float\)"),
        (("1", 2), LaunchTypeError, "the grid.*str"),
        ((-1, 2), LaunchValueError, "`fill`: the grid is negative: -1"),
        ((1, (2, -3)), LaunchValueError, "`fill`: the block is negative: -3"),
        (((1, 2, 3, 4), 1), LaunchValueError, "the grid has 4 dimensions"),
        ((1, ()), LaunchValueError, "the block has 0 dimensions"),
        ((10**30, 1), LaunchValueError, "the grid is 10+: too large"),
        ((1, 1, "stream"), LaunchTypeError, "`fill`: the stream"),
        ((1, 1, 0, -4), LaunchValueError, "shared bytes is negative"),
        ((1, 1, 0, 1.5), LaunchTypeError, "shared bytes must be"),
    ],
)
def test_configurations_that_cannot_be(item, error, words):
    with pytest.raises(error, match=words):
        make_fill("cpu")[item]


@pytest.mark.parametrize("item", [(1, 1025), (1, (32, 33)), (1, (1, 1, 65)), ((1, 65536), 1), (2**31, 1), (1, 0)])
def test_limits_are_checked_before_anything_runs(target, item):
    out = np.zeros(4, np.int64)
    with pytest.raises(LaunchValueError, match="fill"):
        make_fill(target)[item](out)
    assert not out.any()


def test_errors_have_the_usual_bases():
    assert issubclass(LaunchTypeError, (LaunchError,)) and issubclass(LaunchTypeError, TypeError)
    assert issubclass(LaunchValueError, LaunchError) and issubclass(LaunchValueError, ValueError)


def test_repr():
    kernel = make_fill("cpu")
    assert repr(kernel).startswith("<kernel `make_fill.<locals>.fill` of ")
    assert repr(kernel[(2, 3), 4]) == "<kernel `fill` at grid (2, 3, 1), block (4, 1, 1)>"
    assert kernel.__name__ == "fill" and kernel.py_func.__name__ == "fill"


def test_configured_kernels_can_be_kept(target):
    configured = make_fill(target)[1, 4]
    out = np.zeros(4, np.int64)
    for value in range(3):
        configured(out, value)
        assert out.tolist() == [value] * 4


def test_a_configured_kernel_in_its_own_globals_does_not_leak():
    space = {"gpu": gpu}
    exec("@gpu.jit(target='cpu')\ndef k(out):\n    out[0] = 3\n", space)
    space["configured"] = space["k"][1, 1]
    out = np.zeros(1)
    space["configured"](out)
    assert out[0] == 3
    kernel = weakref.ref(space["k"])
    del space
    gc.collect()
    assert kernel() is None


def test_configured_kernels_are_made_by_subscripts_only():
    configured = make_fill("cpu")[1, 1]
    with pytest.raises(TypeError, match="cannot create"):
        type(configured)()
    with pytest.raises(TypeError):
        object.__new__(type(configured))


@pytest.mark.parametrize("options", [{"ntasks": 10.5}, {"ntasks": "10"}, {"ntasks": None}])
def test_forall_of_what_is_no_int(options):
    with pytest.raises(LaunchTypeError, match="`fill`: the number of tasks must be an int, not"):
        make_fill("cpu").forall(**options)
    with pytest.raises(LaunchTypeError, match="`fill`: the number of threads per block must be an int, not 2.5"):
        make_fill("cpu").forall(10, tpb=2.5)
    with pytest.raises(LaunchValueError, match="`fill`: the number of threads per block is negative: -1"):
        make_fill("cpu").forall(10, tpb=-1)


@pytest.mark.parametrize("stream", [2**70, 2**64, -1])
def test_streams_that_are_no_handles(stream):
    with pytest.raises(LaunchValueError, match=f"`fill`: the stream {stream} is no handle"):
        make_fill("cpu")[1, 1, stream]


@pytest.mark.parametrize("arguments, keywords", [((), {}), ((1,), {}), ((1, 2), {"x": 3}), ((), {"x": 3})])
def test_keyword_collectors_are_the_compilers_affair(arguments, keywords):
    @gpu.jit(target="cpu")
    def k(**o):
        gpu.syncthreads()

    @gpu.jit(target="cpu")
    def with_others(out, **o):
        out[0] = 1

    for kernel in (k, with_others):
        with pytest.raises(CompileError, match="(?s)test_launch.py.*not part of the kernel language"):
            kernel[1, 1](*arguments, **keywords)


def test_dynamic_shared_memory_beyond_memory():
    for target in ("cpu", "interpreter"):
        with pytest.raises(LaunchValueError, match=f"`fill`.*{2**40} bytes.*{2**30} is the limit"):
            make_fill(target)[1, 1, 0, 2**40](np.zeros(1))


def test_code_that_is_replaced(target):
    @gpu.jit(target=target)
    def k(out, value=5):
        out[0] = value

    def other(out, by, value=5):
        out[0] = by * 100 + value

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 5
    k.py_func.__code__ = other.__code__
    k[1, 1](out, 2)  # and it has the parameters of the new code
    assert out[0] == 205
    with pytest.raises(LaunchTypeError, match="`by` is missing"):
        k[1, 1](out)


def test_code_that_is_not_of_the_given_text_any_more():
    @gpu.jit(target="cpu", source="def k(out):\n    out[0] = 1\n")
    def k(out):
        pass

    def other(out):
        out[0] = 2

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 1
    k.py_func.__code__ = other.__code__
    with pytest.raises(LaunchError, match="the code of `k` was replaced: .* is not the text of it any more"):
        k[1, 1](out)


def test_code_that_does_not_fit_the_signature_any_more():
    @gpu.jit("void(float64[:], int64)", target="cpu")
    def k(out, value):
        out[0] = value

    def other(out):
        out[0] = 1

    k.py_func.__code__ = other.__code__
    for _ in range(2):
        with pytest.raises(LaunchTypeError, match="`k`: its code was replaced by one that takes 1 arguments"):
            k[1, 1](np.zeros(1))


def test_defaults_that_are_replaced(target):
    @gpu.jit(target=target)
    def k(out, value=5, *, scale=1):
        out[0] = value * scale

    def run():
        out = np.zeros(1)
        k[1, 1](out)
        return out[0]

    assert run() == 5
    k.py_func.__defaults__ = (7,)
    assert run() == 7
    k.py_func.__kwdefaults__["scale"] = 2
    assert run() == 14
    k.py_func.__kwdefaults__ = {"scale": 3.5}
    assert run() == 24.5
    k.py_func.__defaults__ = (1, 2, 3, 4)  # Python takes the last ones
    assert run() == 14
    k.py_func.__defaults__ = None
    with pytest.raises(LaunchTypeError, match="`value` is missing"):
        run()


def test_a_kernel_among_its_own_defaults_does_not_leak():
    def make():
        @gpu.jit(target="cpu")
        def k(out, x=1):
            out[0] = x

        out = np.zeros(1)
        k[1, 1](out)
        k.py_func.__defaults__ = (k,)
        with pytest.raises(LaunchTypeError):
            k[1, 1](out)
        return weakref.ref(k)

    kernel = make()
    gc.collect()
    assert kernel() is None


def test_dynamic_shared_memory_that_was_forgotten(target):
    def reverse(x):
        tile = gpu.shared.array(0, gpu.float32)
        t = gpu.threadIdx.x
        tile[t] = x[t]
        gpu.syncthreads()
        x[t] = tile[31 - t]

    x = np.arange(32, dtype=np.float32)
    kernel = gpu.jit(reverse, debug=True, target=target)
    with pytest.raises(LaunchError, match=r"0 bytes of it: give their number at the launch, after the stream \(.*test_launch.py, line"):
        kernel[1, 32](x)
    kernel[1, 32, 0, 128](x)
    assert x.tolist() == list(range(31, -1, -1))

    @gpu.jit(debug=True, target=target)
    def size(x):
        x[0] = gpu.shared.array(0, gpu.float32).size

    size[1, 1](x)
    assert x[0] == 0
