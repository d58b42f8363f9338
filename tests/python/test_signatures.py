"""Explicit signatures: compiled at decoration, and arguments converted to them or refused."""

import numpy as np
import pytest
from lanewise import CompileError, LaunchError, LaunchTypeError, LaunchValueError, gpu


def test_compiled_at_decoration(target):
    @gpu.jit("void(float32[::1], float32)", target=target)
    def fill(out, value):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = value

    assert fill.signatures == ["(float32[::1], float32)"]
    out = np.zeros(3, np.float32)
    fill[1, 4](out, 0.1)
    assert out.tolist() == [np.float32(0.1)] * 3
    assert len(fill.signatures) == 1


def test_mistakes_show_at_decoration():
    with pytest.raises(CompileError, match="test_signatures.py"):

        @gpu.jit("void(float32[:])", target="cpu")
        def wrong(out):
            out[0] = no_such_name  # noqa: F821


@pytest.mark.parametrize(
    "signature",
    [
        "void(float32[:], int64)",
        "(f4[:], i8)",
        "k(float32[:], int64)",
        gpu.void(gpu.float32[:], gpu.int64),
        (gpu.float32[:], gpu.int64),
        (gpu.float32[:], np.int64),
        (gpu.float32[:], np.dtype("int64")),
    ],
)
def test_spellings(signature):
    @gpu.jit(signature, target="cpu")
    def k(out, n):
        out[0] = n

    assert k.signatures == ["(float32[:], int64)"]
    out = np.zeros(4, np.float32)
    k[1, 1](out[::2], 3)
    assert out[0] == 3


def test_any_layout_takes_every_layout(target):
    @gpu.jit("void(float64[:, :], float64[:, :])", target=target)
    def copy(x, out):
        j, i = gpu.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            out[i, j] = x[i, j]

    a = np.arange(12.0).reshape(3, 4)
    for x in (a, np.asfortranarray(a), a[::-1, ::2], a.T):
        out = np.zeros(x.shape)
        copy[1, (4, 4)](x, out)
        assert np.array_equal(out, x)
    assert len(copy.signatures) == 1


SCALAR_CASES = [
    ("int8", -128, -128),
    ("uint8", 255, 255),
    ("uint64", 2**64 - 1, 2**64 - 1),
    ("int32", np.int64(-5), -5),
    ("int64", True, 1),
    ("int64", np.uint8(200), 200),
    ("uint8", np.int64(200), 200),
    ("float32", 3, 3.0),
    ("float32", 0.1, float(np.float32(0.1))),
    ("float64", np.float32(0.1), float(np.float32(0.1))),
    ("float64", np.int8(-3), -3.0),
    ("float16", 0.1, float(np.float16(0.1))),
    ("float32", np.float16(-0.1), float(np.float16(-0.1))),
    ("float64", np.float16(6e-8), float(np.float16(6e-8))),
    ("float64", 2**63, 2.0**63),
    ("float64", -(2**63), -(2.0**63)),
]


@pytest.mark.parametrize("name, given, expected", SCALAR_CASES)
def test_scalars_convert(target, name, given, expected):
    @gpu.jit(f"void({name}, {name}[::1])", target=target)
    def store(value, out):
        out[0] = value

    out = np.zeros(1, name)
    store[1, 1](given, out)
    assert out[0].item() == expected


@pytest.mark.parametrize(
    "name, given, error, words",
    [
        ("int8", 128, LaunchValueError, "argument `value`: the value 128 does not fit int8"),
        ("uint8", -1, LaunchValueError, "the value -1 does not fit uint8"),
        ("uint64", -1, LaunchValueError, "the value -1 does not fit uint64"),
        ("int64", 2**63, LaunchValueError, "the value 9223372036854775808 does not fit int64"),
        ("uint8", np.int16(256), LaunchValueError, "the value 256 does not fit uint8"),
        ("int64", 2.5, LaunchTypeError, "argument `value`: the signature wants int64, not float"),
        ("int64", np.float32(1), LaunchTypeError, "wants int64, not float32"),
        ("bool", 1, LaunchTypeError, "wants bool, not int"),
        ("float32", np.zeros(1), LaunchTypeError, r"wants float32, not float64\[::1\]"),
    ],
)
def test_scalars_that_do_not_convert(name, given, error, words):
    @gpu.jit(f"void({name}, {name}[::1])", target="cpu")
    def store(value, out):
        out[0] = value

    with pytest.raises(error, match=f"kernel `store`, .*{words}"):
        store[1, 1](given, np.zeros(1, name))


@pytest.mark.parametrize(
    "given, words",
    [
        (np.zeros(3), r"the signature wants float32\[::1\], not float64\[::1\]"),
        (np.zeros(6, np.float32)[::2], r"wants float32\[::1\], not float32\[:\]"),
        (np.zeros((3, 3), np.float32), r"wants float32\[::1\], not float32\[:, ::1\]"),
        (1.0, r"wants float32\[::1\], not float"),
    ],
)
def test_arrays_that_do_not_fit(given, words):
    @gpu.jit("void(float32[::1])", target="cpu")
    def k(out):
        out[0] = 1

    with pytest.raises(LaunchTypeError, match=f"kernel `k`, argument `out`: .*{words}"):
        k[1, 1](given)


def test_fortran_signature_takes_a_single_row():
    @gpu.jit("void(float64[::1, :])", target="cpu")
    def k(out):
        out[0, out.shape[1] - 1] = 1

    for shape in ((1, 4), (4, 1), (3, 3)):
        out = np.zeros(shape, order="F")
        k[1, 1](out)
        assert out[0, -1] == 1
    with pytest.raises(LaunchTypeError, match=r"wants float64\[::1, :\]"):
        k[1, 1](np.zeros((3, 3)))


def test_several_signatures(target):
    @gpu.jit(["void(int32[:], int32)", "void(float64[:], float64)"], target=target)
    def fill(out, value):
        out[0] = value

    assert len(fill.signatures) == 2
    a, b = np.zeros(1, np.int32), np.zeros(1)
    fill[1, 1](a, np.int32(3))
    fill[1, 1](b, 4)  # converted: only the second takes a float64 array
    assert (a[0], b[0]) == (3, 4)
    with pytest.raises(LaunchTypeError, match=r"(?s)kernel `fill`: no signature takes \(float32\[::1\], int\).*int32\[:\]"):
        fill[1, 1](np.zeros(1, np.float32), 1)


def test_exact_signatures_come_first(target):
    @gpu.jit(["void(int64[:], float64)", "void(int64[:], int32)"], target=target)
    def size(out, value):
        out[0] = value / 2 > 1

    out = np.zeros(1, np.int64)
    size[1, 1](out, np.int32(3))
    assert out[0] == 1


@pytest.mark.parametrize(
    "signature, error, words",
    [
        ("void(float32[:)", LaunchError, "not a signature"),
        ("void(floaty)", LaunchError, "not a signature"),
        ("", LaunchError, "is not a signature|0 arguments"),
        ("other(int64)", LaunchError, "for `other`, not for `k`"),
        ("void(int64, int64)", LaunchTypeError, "2 arguments, but `k` takes 1"),
        ("int64(int64)", LaunchTypeError, "has a result"),
    ],
)
def test_bad_signatures(signature, error, words):
    with pytest.raises(error, match=words):

        @gpu.jit(signature)
        def k(x):
            pass


def test_no_signature_at_all():
    with pytest.raises(TypeError):
        gpu.jit(3)
    with pytest.raises(TypeError):
        gpu.jit([3])


def test_keywords_with_a_signature(target):
    @gpu.jit("void(float64[:], float64)", target=target)
    def fill(out, value=2.0):
        out[0] = value

    out = np.zeros(1)
    fill[1, 1](out=out)
    assert out[0] == 2
    fill[1, 1](value=5, out=out)
    assert out[0] == 5


def test_device_functions_take_signatures(target):
    @gpu.jit("float64(float64)", device=True)
    def double(x):
        return 2 * x

    @gpu.jit(target=target)
    def k(out):
        out[0] = double(4.0)

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 8
