"""What can be passed to a kernel, and the words for what cannot."""

import enum
import os

import numpy as np
import pytest
from lanewise import LaunchError, LaunchTypeError, LaunchValueError, gpu

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()


def make_copy(target):
    @gpu.jit(target=target)
    def copy(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = x[i]

    return copy


def make_copy2(target):
    @gpu.jit(target=target)
    def copy2(x, out):
        j, i = gpu.grid(2)
        if i < x.shape[0] and j < x.shape[1]:
            out[i, j] = x[i, j]

    return copy2


def make_store(target):
    @gpu.jit(target=target)
    def store(value, out):
        out[0] = value

    return store


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_dtype(target, dtype):
    x = np.arange(5).astype(dtype)
    out = np.zeros(5, dtype)
    make_copy(target)[1, 8](x, out)
    assert np.array_equal(x, out)


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars_of_every_dtype(target, dtype):
    kernel = make_store(target)
    info = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    for value in (info.min, info.max) if info else (0, 1):
        out = np.zeros(1, dtype)
        kernel[1, 1](np.dtype(dtype).type(value), out)
        assert out[0] == np.dtype(dtype).type(value)


@pytest.mark.parametrize("value", [0, -1, 2**63 - 1, -(2**63)])
def test_python_ints(target, value):
    out = np.zeros(1, np.int64)
    make_store(target)[1, 1](value, out)
    assert out[0] == value


@pytest.mark.parametrize("value", [2**63, 2**64 - 1])
def test_python_ints_beyond_int64_are_unsigned(target, value):
    out = np.zeros(1, np.uint64)
    make_store(target)[1, 1](value, out)
    assert int(out[0]) == value


@pytest.mark.parametrize(
    "value, words",
    [
        (2**64, "an int of 65 bits does not fit"),
        (10**40, "an int of 133 bits does not fit"),
        (-(2**63) - 1, "the int is below int64's range"),
        (-(10**40), "the int is below int64's range"),
    ],
)
def test_python_ints_beyond_64_bits(value, words):
    with pytest.raises(LaunchValueError, match=f"kernel `store`, argument `value`: {words}"):
        make_store("cpu")[1, 1](value, np.zeros(1))


def test_python_floats_and_bools(target):
    kernel = make_store(target)
    out = np.zeros(1)
    for value in (0.1, -np.inf, 5e-324, True):
        kernel[1, 1](value, out)
        assert out[0] == value
    kernel[1, 1](float("nan"), out)
    assert np.isnan(out[0])


def test_subclasses_of_numbers_and_enums(target):
    class Metres(float):
        pass

    class Level(enum.IntEnum):
        HIGH = 3

    class Weight(enum.Enum):
        HALF = 0.5

    kernel = make_store(target)
    out = np.zeros(1)
    for value, expected in ((Metres(1.5), 1.5), (Level.HIGH, 3), (Weight.HALF, 0.5)):
        kernel[1, 1](value, out)
        assert out[0] == expected


LAYOUTS = {
    "c": lambda a: np.ascontiguousarray(a),
    "fortran": lambda a: np.asfortranarray(a),
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "every second": lambda a: np.repeat(np.repeat(a, 2, 0), 2, 1)[::2, ::2],
    "reversed": lambda a: np.ascontiguousarray(a[::-1, ::-1])[::-1, ::-1],
    "column slice": lambda a: np.pad(a, ((0, 0), (1, 2)))[:, 1:-2],
}


@pytest.mark.parametrize("inner", LAYOUTS)
@pytest.mark.parametrize("outer", LAYOUTS)
def test_layouts(target, inner, outer):
    a = np.arange(12.0).reshape(3, 4)
    x, out = LAYOUTS[inner](a), LAYOUTS[outer](np.zeros((3, 4)))
    assert np.array_equal(x, a)
    make_copy2(target)[1, (4, 4)](x, out)
    assert np.array_equal(out, a)


def test_only_the_view_is_written(target):
    whole = np.zeros((6, 8))
    make_copy2(target)[1, (4, 4)](np.ones((3, 4)), whole[::2, 1::2])
    expected = np.zeros((6, 8))
    expected[::2, 1::2] = 1
    assert np.array_equal(whole, expected)


def test_broadcast_arrays_have_stride_zero(target):
    x = np.broadcast_to(np.array([1.0, 2.0, 3.0, 4.0]), (3, 4))
    out = np.zeros((3, 4))
    make_copy2(target)[1, (4, 4)](x, out)
    assert np.array_equal(out, x)


@pytest.mark.parametrize("shape", [(1, 4), (3, 1), (1, 1)])
def test_extents_of_one_count_as_c_order(shape):
    kernel = make_copy2("cpu")
    a = np.arange(float(np.prod(shape))).reshape(shape)
    out = np.zeros(shape)
    kernel[1, (4, 4)](a, out)
    kernel[1, (4, 4)](np.asfortranarray(a), out)
    assert np.array_equal(a, out)
    assert len(kernel.signatures) == 1


def test_zero_dimensional_arrays(target):
    @gpu.jit(target=target)
    def k(x, out):
        out[()] = x[()] + 1

    out = np.zeros((), np.float32)
    k[1, 1](np.array(2.5, np.float32), out)
    assert out[()] == 3.5


def test_three_dimensions(target):
    @gpu.jit(target=target)
    def k(x, out):
        i = gpu.grid(1)
        if i < x.shape[0]:
            for j in range(x.shape[1]):
                for n in range(x.shape[2]):
                    out[i, j, n] = 2 * x[i, j, n]

    x = np.arange(24.0).reshape(2, 3, 4)
    for given in (x, np.asfortranarray(x), x.transpose(2, 0, 1), x[:, ::-1, ::2]):
        out = np.zeros(given.shape)
        k[1, 8](given, out)
        assert np.array_equal(out, 2 * given)


def test_empty_arrays(target):
    out = np.zeros(0)
    make_copy(target)[1, 8](np.zeros(0), out)
    make_copy2(target)[1, 8](np.zeros((0, 5)), np.zeros((0, 5)))


def test_read_only_arrays_may_be_read(target):
    x = np.arange(4.0)
    x.flags.writeable = False
    out = np.zeros(4)
    make_copy(target)[1, 4](x, out)
    assert np.array_equal(out, x)


def test_read_only_arrays_are_never_written(target):
    out = np.zeros(4)
    out.flags.writeable = False
    with pytest.raises(LaunchValueError, match="(?s)copy.*`out`.*read-only|read-only.*`out`"):
        make_copy(target)[1, 4](np.ones(4), out)
    assert not out.any()


def test_tuples_nested(target):
    @gpu.jit(target=target)
    def k(t, out):
        (a, b), c = t
        i = gpu.grid(1)
        if i < out.size:
            out[i] = a[i] * b + c[1][i]

    x, y, out = np.arange(3.0), np.ones(3), np.zeros(3)
    k[1, 4](((x, 2), (0, y)), out)
    assert out.tolist() == [1, 3, 5]


def test_subclasses_of_ndarray(target, tmp_path):
    mapped = np.memmap(tmp_path / "data", np.float32, "w+", shape=4)
    make_copy(target)[1, 4](np.arange(4, dtype=np.float32), mapped)
    assert mapped.tolist() == [0, 1, 2, 3]


def test_array_interfaces(target):
    class Wrapper:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__
            self.keep = array

    class Exporter:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **kwargs):
            return self.array.__dlpack__(**kwargs)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    out = np.zeros(3)
    make_copy(target)[1, 4](Wrapper(np.arange(3.0)), Wrapper(out))
    assert out.tolist() == [0, 1, 2]
    make_copy(target)[1, 4](Exporter(np.arange(3.0) + 1), out)
    assert out.tolist() == [1, 2, 3]


class Strange:
    pass


@pytest.mark.parametrize(
    "value, words",
    [
        (np.zeros(3, ">f4"), "byte-swapped"),
        (np.zeros(3, object), "arrays of dtype object"),
        (np.zeros(3, "V4"), "arrays of dtype |V4".replace("|", "[|]")),
        (np.zeros(3, ">M8[s]"), "byte-swapped"),
        (np.zeros(3, [("a", "f4"), ("b", object)]), "arrays of records whose field `b` is of dtype object"),
        (np.zeros(3, np.longdouble), "arrays of dtype"),
        (np.ma.masked_array(np.zeros(3), [0, 1, 0]), "masked"),
        (np.clongdouble(1), "scalars of dtype"),
        ([1, 2, 3], "a list cannot be passed"),
        ("text", "type str"),
        ({}, "type dict"),
        (Strange(), "Strange"),
        ((1, (2, "x")), "item 1: item 1: an object of type str"),
        (np.zeros([1] * 9), "arrays of 9 dimensions"),
    ],
)
def test_refused_arguments(value, words):
    kernel = make_copy("cpu")
    with pytest.raises(LaunchTypeError, match=f"kernel `copy`, argument `x`: .*{words}"):
        kernel[1, 1](value, np.zeros(3))


@pytest.mark.parametrize("offset, step", [(0, 6), (1, 4), (3, -5)])
def test_misaligned_arrays_are_read_byte_by_byte(offset, step):
    raw = np.arange(64, dtype=np.uint8)
    raw[3::4] = 0x40
    x = np.ndarray((4,), np.float32, raw.data, offset if step > 0 else 40 + offset, (step,))
    y = np.zeros(4)
    make_copy("cpu")[1, 4](x, y)
    np.testing.assert_array_equal(y, x.astype(np.float64))


def test_a_tuple_nested_too_deeply():
    value = ()
    for _ in range(10000):
        value = (value,)
    with pytest.raises(LaunchError, match="nested too deeply"):
        make_copy("cpu")[1, 1](value, np.zeros(4))


def test_each_type_is_compiled_once(target):
    kernel = make_copy(target)
    out = np.zeros(3)
    for _ in range(3):
        kernel[1, 4](np.zeros(3, np.float32), out)
        kernel[1, 4](np.zeros(3, np.int32), out)
        kernel[1, 4](np.zeros(6, np.int32)[::2], out)
    assert kernel.signatures == [
        "(float32[::1], float64[::1])",
        "(int32[::1], float64[::1])",
        "(int32[:], float64[::1])",
    ]


@pytest.mark.parametrize("protocol", ["__array_interface__", "__cuda_array_interface__"])
@pytest.mark.parametrize(
    "changes",
    [
        {"typestr": None},
        {"shape": None},
        {"data": None},
        {"typestr": 3},
        {"typestr": "no such type"},
        {"shape": 3},
        {"shape": (-3,)},
        {"shape": ("x",)},
        {"shape": (2**70,)},
        {"data": "there"},
        {"data": ("there", False)},
        {"strides": "x"},
        {"strides": (8, 8)},
        "not a dict",
    ],
)
def test_array_interfaces_that_are_wrong(protocol, changes):
    target = "cpu" if protocol == "__array_interface__" else "cuda"
    if target == "cuda" and not os.environ.get("LANEWISE_CUDA_DRIVER"):
        pytest.skip("no CUDA driver")
    given = changes
    if isinstance(changes, dict):
        given = {**np.zeros(3).__array_interface__, "strides": None, **changes}
        given = {key: value for key, value in given.items() if value is not None}
    thing = type("Thing", (), {protocol: given})()
    with pytest.raises(LaunchTypeError, match=f"kernel `store`, argument `out`: its {protocol} is wrong: "):
        make_store(target)[1, 1](1, thing)
