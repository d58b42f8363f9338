"""Device arrays: copies, views, and passing them to kernels."""

import numpy as np
import pytest
from lanewise import LaunchError, LaunchTypeError, LaunchValueError, gpu


def make_double(target):
    @gpu.jit(target=target)
    def double(x):
        i = gpu.grid(1)
        if i < x.size:
            x[i] *= 2

    return double


def test_round_trip(target):
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    d = gpu.to_device(a, target=target)
    assert (d.shape, d.dtype, d.ndim, d.size, d.nbytes, d.strides, len(d), d.target) == (
        (2, 3), np.float32, 2, 6, 24, (12, 4), 2, target,
    )  # fmt: skip
    back = d.copy_to_host()
    assert np.array_equal(back, a) and back.dtype == a.dtype
    a[0, 0] = 100  # to_device copied
    assert d.copy_to_host()[0, 0] == 0


def test_copy_to_host_into_an_array(target):
    d = gpu.to_device(np.arange(4.0), target=target)
    out = np.zeros(4)
    assert d.copy_to_host(out) is out and out.tolist() == [0, 1, 2, 3]
    strided = np.zeros(8)[::2]
    d.copy_to_host(strided)
    assert strided.tolist() == [0, 1, 2, 3]
    with pytest.raises(LaunchValueError, match="copy_to_host.*float64.*float32"):
        d.copy_to_host(np.zeros(4, np.float32))
    with pytest.raises(LaunchValueError, match=r"copy_to_host.*\(4,\).*\(5,\)"):
        d.copy_to_host(np.zeros(5))


def test_copy_to_device(target):
    d = gpu.device_array(4, target=target)
    d.copy_to_device(np.arange(8.0)[::2])
    assert d.copy_to_host().tolist() == [0, 2, 4, 6]
    e = gpu.device_array_like(d)
    e.copy_to_device(d)
    assert e.copy_to_host().tolist() == [0, 2, 4, 6]
    with pytest.raises(LaunchValueError, match="copy_to_device"):
        d.copy_to_device(np.zeros(3))


def test_kernels_work_in_place(target):
    d = gpu.to_device(np.arange(4.0), target=target)
    kernel = make_double(target)
    kernel[1, 4](d)
    kernel[1, 4](d)
    gpu.synchronize(target)
    assert d.copy_to_host().tolist() == [0, 4, 8, 12]


def test_views_are_views(target):
    d = gpu.to_device(np.arange(10.0), target=target)
    make_double(target)[1, 8](d[1:8:2])
    assert d.copy_to_host().tolist() == [0, 2, 2, 6, 4, 10, 6, 14, 8, 9]
    make_double(target)[1, 8](d[::-1][:1])
    assert d[9] == 18


SLICES = [
    np.s_[1], np.s_[-1], np.s_[1:3], np.s_[::-1], np.s_[:, 1], np.s_[..., 2], np.s_[1, :, ::2], np.s_[::2, ...],
    np.s_[5:2], np.s_[:, -2:, 1:], np.s_[1, 2, 3], np.s_[-1, -1, -1], np.s_[...], np.s_[3:0:-2, ::-1],
]  # fmt: skip


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("key", SLICES, ids=str)
def test_slices_as_in_numpy(target, key, order):
    a = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    d = gpu.to_device(np.asarray(a, order=order), target=target)
    expected, got = a[key], d[key]
    if np.ndim(expected):
        assert got.shape == expected.shape
        got = got.copy_to_host()
    assert np.array_equal(got, expected) and got.dtype == expected.dtype


@pytest.mark.parametrize("key", SLICES, ids=str)
def test_assignment_as_in_numpy(target, key):
    a = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    d = gpu.to_device(a, target=target)
    d[key] = 7
    a[key] = 7
    assert np.array_equal(d.copy_to_host(), a)


@pytest.mark.parametrize("key", [3, (0, 4), (0, 0, 0, 0), (..., ...), [0, 1], "x", None, 1.5])
def test_indices_that_cannot_be(key):
    d = gpu.to_device(np.zeros((3, 4)), target="cpu")
    with pytest.raises(IndexError):
        d[key]


def test_orders(target):
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    d = gpu.to_device(a, target=target)
    assert d.strides == a.strides and d.is_f_contiguous() and not d.is_c_contiguous()
    assert np.array_equal(d.copy_to_host(), a)
    assert np.array_equal(d.T.copy_to_host(), a.T)
    assert np.array_equal(d.transpose().copy_to_host(), a.T)
    assert gpu.device_array_like(d).strides == a.strides


def test_reshape(target):
    d = gpu.to_device(np.arange(6.0), target=target)
    assert np.array_equal(d.reshape(2, 3).copy_to_host(), np.arange(6.0).reshape(2, 3))
    assert d.reshape((3, -1)).shape == (3, 2)
    assert d.reshape(2, 3).ravel().shape == (6,)
    with pytest.raises(ValueError):
        d.reshape(4)
    with pytest.raises(ValueError, match="contiguous"):
        d[::2].reshape(3, 1)


def test_numpy_reads_them(target):
    d = gpu.to_device(np.arange(3.0), target=target)
    assert np.array_equal(np.asarray(d), [0, 1, 2])
    assert np.asarray(d, np.float32).dtype == np.float32
    assert [x for x in d] == [0, 1, 2]


def test_empty_and_zero_dimensional(target):
    d = gpu.to_device(np.zeros((0, 3)), target=target)
    assert d.size == 0 and d.copy_to_host().shape == (0, 3)
    make_double(target)[1, 4](gpu.device_array(0, target=target))
    scalar = gpu.to_device(np.array(4.0), target=target)
    assert scalar.shape == () and scalar.copy_to_host() == 4 and scalar[()] == 4
    with pytest.raises(TypeError):
        len(scalar)


def test_to_device_of_lists_and_existing_arrays(target):
    d = gpu.to_device([1, 2, 3], target=target)
    assert d.dtype == np.int64 and d.copy_to_host().tolist() == [1, 2, 3]
    assert gpu.to_device(d, target=target) is d
    e = gpu.device_array(3, np.int64, target=target)
    assert gpu.to_device(np.array([4, 5, 6]), to=e) is e
    assert e.copy_to_host().tolist() == [4, 5, 6]


def test_types_as_dtypes(target):
    assert gpu.device_array((2, 2), gpu.float32, target=target).dtype == np.float32
    assert gpu.device_array((2, 2), "int8", order="F", target=target).strides == (1, 2)


@pytest.mark.parametrize("strides", [(32, 8), (8, 16), (-24, 8), (8, -40), (-64, -16)])
def test_strides_that_are_chosen(target, strides):
    @gpu.jit(target=target)
    def twice(x):
        x[gpu.grid(2)] *= 2

    a = np.arange(6.0).reshape(2, 3)
    d = gpu.device_array((2, 3), strides=strides, target=target)
    assert d.strides == strides and d.shape == (2, 3)
    d.copy_to_device(a)
    twice[1, (2, 3)](d)
    np.testing.assert_array_equal(d.copy_to_host(), 2 * a)
    np.testing.assert_array_equal(d[1, ::-1].copy_to_host(), 2 * a[1, ::-1])


def test_strides_of_elements_that_share_memory(target):
    d = gpu.device_array((4, 3), np.int32, strides=(0, 4), target=target)
    d.copy_to_device(np.full((4, 3), 5, np.int32))
    assert d.copy_to_host().tolist() == [[5] * 3] * 4


@pytest.mark.parametrize(
    "shape, strides, error, words",
    [
        (4, (4,), ValueError, "a stride is not a multiple of the item size"),
        (4, (8, 8), ValueError, "2 strides for 1 dimensions"),
        (4, (2.5,), TypeError, r"strides must be ints, in bytes, not \(2.5,\)"),
        (4, 8, TypeError, "strides must be ints, in bytes, not 8"),
        (4, (2**70,), ValueError, "too large"),
        (4, (2**62,), MemoryError, "no memory for shape"),
    ],
)
def test_strides_that_cannot_be(target, shape, strides, error, words):
    with pytest.raises(error, match=words):
        gpu.device_array(shape, strides=strides, target=target)


@pytest.mark.parametrize(
    "arguments, error",
    [
        (((-1,), np.float32), ValueError),
        ((1.5, np.float32), TypeError),
        ((3, np.clongdouble), LaunchTypeError),
        ((3, ">f4"), LaunchTypeError),
        ((3, object), LaunchTypeError),
    ],
)
def test_device_arrays_that_cannot_be(arguments, error):
    with pytest.raises(error):
        gpu.device_array(*arguments, target="cpu")
    with pytest.raises(LaunchError, match="no target"):
        gpu.device_array(3, target="nowhere")
    with pytest.raises(ValueError, match="order"):
        gpu.device_array(3, order="K", target="cpu")
    with pytest.raises(LaunchTypeError, match="masked"):
        gpu.to_device(np.ma.masked_array([1, 2], [0, 1]), target="cpu")


def test_memory_of_another_target(target):
    if target != "cuda":
        pytest.skip("needs two kinds of memory")
    with pytest.raises(LaunchValueError, match="argument `x`.*lives on target cpu.*runs on cuda"):
        make_double("cuda")[1, 1](gpu.to_device(np.zeros(1), target="cpu"))
    with pytest.raises(LaunchValueError, match="argument `x`.*lives on target cuda.*runs on cpu"):
        make_double("cpu")[1, 1](gpu.to_device(np.zeros(1), target="cuda"))


def test_the_cuda_array_interface(target):
    d = gpu.to_device(np.arange(6.0).reshape(2, 3), target=target)
    if target != "cuda":
        assert not hasattr(d, "__cuda_array_interface__")
        return
    interface = d[:, ::2].__cuda_array_interface__
    assert interface["shape"] == (2, 2) and interface["strides"] == (24, 16) and interface["typestr"] == "<f8"

    class Foreign:
        __cuda_array_interface__ = d[1].__cuda_array_interface__

    make_double("cuda")[1, 4](Foreign())
    gpu.synchronize("cuda")
    assert d.copy_to_host().tolist() == [[0, 1, 2], [6, 8, 10]]


def test_a_buffer_lives_as_long_as_its_views(target):
    view = gpu.to_device(np.arange(1000.0), target=target)[10:20]
    for _ in range(10):
        gpu.to_device(np.full(1000, -1.0), target=target)
    assert np.array_equal(view.copy_to_host(), np.arange(10.0, 20))


@pytest.mark.parametrize("shape", [2**62, 2**59, 2**70, (2**40, 2**40), (2**40, 2**40, 0), (0, 2**70)])
def test_arrays_beyond_memory(shape):
    with pytest.raises(MemoryError, match=r"device_array: there is no memory for shape \(.*\) of float64, \d+ bytes"):
        gpu.device_array(shape, np.float64, target="cpu")
