"""Compile errors and warnings as Python sees them, and the options of the decorator."""

import inspect
import pickle
import warnings

import lanewise
import numpy as np
import pytest
from lanewise import CompileError, CompileWarning, gpu


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if text in line)


def test_the_report_names_file_and_line():
    @gpu.jit(target="cpu")
    def wrong(out):
        out[0] = 1
        out[1] = missing_name  # noqa: F821  marker

    with pytest.raises(CompileError) as caught:
        wrong[1, 1](np.zeros(2))
    line = line_of(wrong.py_func, "marker")
    assert f"{__file__}:{line}:18: error: " in str(caught.value)
    assert "out[1] = missing_name" in str(caught.value)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic["severity"] == "error"
    assert (diagnostic["file"], diagnostic["line"], diagnostic["column"]) == (__file__, line, 18)
    assert "missing_name" in diagnostic["message"]


def test_several_errors_at_once():
    @gpu.jit(target="cpu")
    def wrong(out):
        out[0] = first_missing  # noqa: F821
        out[1] = second_missing  # noqa: F821

    with pytest.raises(CompileError) as caught:
        wrong[1, 1](np.zeros(2))
    assert len(caught.value.diagnostics) == 2
    assert "first_missing" in str(caught.value) and "second_missing" in str(caught.value)


def test_errors_in_helpers_of_other_files(tmp_path):
    import importlib.util

    path = tmp_path / "helpers.py"
    path.write_text(
        "from lanewise import gpu\n\n\n@gpu.jit(device=True)\ndef helper(x):\n    return x + not_there\n"
    )
    spec = importlib.util.spec_from_file_location("helpers", path)
    helpers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(helpers)

    @gpu.jit(target="cpu")
    def k(out):
        out[0] = helpers.helper(1)

    with pytest.raises(CompileError) as caught:
        k[1, 1](np.zeros(1))
    assert f"{path}:6:" in str(caught.value)
    assert __file__ in str(caught.value)  # the call


def test_a_kernel_that_failed_can_be_fixed_and_launched():
    @gpu.jit(target="cpu")
    def k(out):
        out[0] = late_name  # noqa: F821

    out = np.zeros(1)
    for _ in range(2):
        with pytest.raises(CompileError):
            k[1, 1](out)
    globals()["late_name"] = 5
    k[1, 1](out)
    assert out[0] == 5


def test_compile_errors_can_be_pickled():
    error = CompileError("text", [{"id": "x"}])
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == "text" and copy.diagnostics == [{"id": "x"}]


def test_all_are_lanewise_errors():
    for name in lanewise.__all__:
        thing = getattr(lanewise, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, (lanewise.Error, Warning))


def test_warnings_are_python_warnings():
    # Only some paths bind `x` (docs/language.md, "Statements and expressions").
    @gpu.jit(target="cpu")
    def k(out):
        if out.size > 100:
            x = 1.0
        out[0] = x

    with pytest.warns(CompileWarning, match="`x`") as caught:
        k[1, 1](np.zeros(1))
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        k[1, 1](np.zeros(1))  # compiled: nothing to say again


def test_diagnostics_are_data():
    @gpu.jit(target="cpu")
    def k(out):
        out[0] = helpers & 1

    helpers = 1.5
    with pytest.raises(CompileError) as caught:
        k[1, 1](np.zeros(1))
    (error,) = caught.value.diagnostics
    assert error["id"] == "operand-types" and error["severity"] == "error"
    assert error["file"] == __file__ and error["line"] == error["end_line"]
    assert error["end_column"] == error["column"] + 1
    assert error["labels"] == [] and error["call_chain"] == []
    assert error["rendered"].startswith(f"{__file__}:{error['line']}:")
    assert caught.value.render(color=False) == str(caught.value)
    assert "\x1b[1;31merror" in caught.value.render(color=True)


def test_performance_notes_are_asked_for(monkeypatch):
    def kernel(**options):
        @gpu.jit(target="cpu", **options)
        def k(out):
            i, j = gpu.grid(2)
            out[i, j] = 1

        return k

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel()[1, 1](np.zeros((1, 1)))
    with pytest.warns(lanewise.PerformanceWarning, match="uncoalesced-access"):
        kernel(performance_notes=True)[1, 1](np.zeros((1, 1)))
    monkeypatch.setenv("LANEWISE_PERFORMANCE_NOTES", "1")
    with pytest.warns(lanewise.PerformanceWarning):
        kernel()[1, 1](np.zeros((1, 1)))


def test_a_divergent_barrier_is_a_kernel_error(target):
    @gpu.jit(target=target)
    def k(out):
        i = gpu.threadIdx.x
        if out[i] > 0:
            gpu.syncthreads()
        out[i] = 2
        gpu.syncthreads()
        out[i] = 3

    if target == "cuda":
        pytest.skip("undefined on CUDA outside checked mode")
    with pytest.raises(lanewise.KernelError, match="k"):
        k[1, 4](np.array([0.0, 1, 0, 1]))


@pytest.mark.parametrize(
    "options, words",
    [
        ({"divice": True}, "no option `divice`"),
        ({"boundscheck": True}, "`boundscheck`"),
        ({"link": [3]}, "link wants paths"),
        ({"max_registers": "few"}, "max_registers must be an int, not 'few'"),
        ({"launch_bounds": (128, 2.5)}, "the blocks of launch_bounds must be an int, not 2.5"),
        ({"lineinfo": 3}, "lineinfo must be True or False"),
        ({"ftz": "on"}, "ftz must be True or False"),
        ({"check": True}, "`check`: .* not supported yet"),
        ({"device": "yes"}, "device must be True or False"),
        ({"fastmath": 2}, "fastmath must be"),
        ({"python_float": "float16"}, "python_float must be"),
        ({"target": 3}, "target must be"),
        ({"source": 3}, "source must be"),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises(TypeError, match=words):
        gpu.jit(**options)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"max_registers": 0}, "max_registers must be 1 to 255, not 0"),
        ({"launch_bounds": 1025}, "launch_bounds must be 1 to 1024, not 1025"),
        ({"launch_bounds": (1, 2, 3, 4)}, "launch_bounds must be threads, "),
    ],
)
def test_numbers_that_cannot_be(options, words):
    with pytest.raises(ValueError, match=words):
        gpu.jit(**options)


def test_a_block_beyond_the_launch_bounds(target):
    @gpu.jit(launch_bounds=(64, 2), max_registers=32)
    def k(out):
        out[gpu.threadIdx.x] = 1

    out = np.zeros(64)
    k[1, 64](out)
    assert out.all()
    with pytest.raises(lanewise.LaunchError, match=r"a block of \(65, 1, 1\) has 65 threads; .* launch_bounds allow 64"):
        k[1, 65](out)


def test_a_target_that_cannot_be():
    with pytest.raises(lanewise.LaunchError, match='there is no target "vulkan"'):
        gpu.jit(lambda x: x, target="vulkan")


def test_options_without_effect():
    @gpu.jit(
        inline="always", opt=True, debug=False, lineinfo=False, cache=True, max_registers=None, launch_bounds=None, link=(),
        boundscheck=False, target="cpu",
    )  # fmt: skip
    def k(out):
        out[0] = 1

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 1


@pytest.mark.parametrize("thing", [None, 3, print, np.sin])
def test_jit_of_what_is_no_function(thing):
    if thing is None:
        with pytest.raises(TypeError):
            gpu.jit()(thing)
    else:
        with pytest.raises(TypeError):
            gpu.jit(thing)


def test_kinds_of_functions_that_cannot_be_kernels():
    async def wait(out):
        out[0] = 1

    def keywords(out, **rest):
        out[0] = 1

    def generator(out):
        yield 1

    with pytest.raises(TypeError, match="`wait` is a coroutine"):
        gpu.jit(wait)
    for function in (keywords, generator):
        with pytest.raises(CompileError, match="test_errors.py"):
            gpu.jit(function, target="cpu")[1, 1](np.zeros(1))


def test_options_reach_the_compiler(target):
    @gpu.jit(target=target, python_float="float32")
    def k(out):
        x = 0.1 * gpu.threadIdx.x + 0.1
        out[0] = x

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == np.float32(0.1)


def test_fma_can_be_turned_off():
    # (1 + e)(1 - e) - 1 is -e*e exactly, but 0 if the product is rounded first.
    def source(x, y, out):
        out[0] = x[0] * y[0] - 1.0

    e = 2.0**-30
    x, y = np.array([1 + e]), np.array([1 - e])
    results = []
    for fma in (None, False):
        out = np.zeros(1)
        gpu.jit(source, fma=fma, target="cpu")[1, 1](x, y, out)
        results.append(out[0])
    assert results[1] == 0
    assert results[0] in (0, -(e * e))


def test_a_device_function_cannot_be_launched_or_called():
    @gpu.device
    def f(x):
        return x + 1

    with pytest.raises(lanewise.LaunchTypeError, match="`f` is a device function"):
        f[1, 1](1)
    with pytest.raises(lanewise.LaunchTypeError, match=r"f.py_func"):
        f(1)
    assert f.py_func(1) == 2


def test_jit_of_a_jitted_function(target):
    @gpu.jit
    def k(out):
        out[0] = 4

    out = np.zeros(1)
    gpu.jit(k, target=target)[1, 1](out)
    assert out[0] == 4
