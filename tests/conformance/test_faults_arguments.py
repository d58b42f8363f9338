"""Arguments: layouts, dtypes, interoperation: faults that other compilers had (README.md has the table)."""

import pickle

import numpy as np
import pytest
from lanewise import gpu


@gpu.jit
def double(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= 2


@gpu.jit
def first(out, a):
    out[0] = a[0]


def test_b101_fortran_array_is_written():
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    double[1, 1](a)
    np.testing.assert_array_equal(a, 2 * np.arange(6.0).reshape(2, 3))


def test_b103_b104_no_elements():
    for shape in ((10, 0), (0, 10), (0, 0)):
        a = np.zeros(shape)
        double[1, 1](a)
        double.forall(0)(a)


def test_b106_stride_zero_is_honoured():
    @gpu.jit
    def kernel(out, a):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                out[i, j] = a[i, j]

    a = np.broadcast_to(np.arange(3.0), (4, 3))
    out = np.zeros((4, 3))
    kernel[1, 1](out, a)
    np.testing.assert_array_equal(out, a)


def test_b107_read_only_array():
    a = np.arange(6.0).reshape(2, 3)
    a.flags.writeable = False
    with pytest.raises(Exception, match="read-only|not writable|writeable"):
        double[1, 1](a)
    out = np.zeros(1)
    first[1, 1](out, a[1])
    assert out[0] == 3
    signed = gpu.jit("void(float64[::1], float64[::1])")(first.py_func)
    signed[1, 1](out, a[0])
    assert out[0] == 0


def test_b113_bools_by_dlpack():
    class Tensor:
        def __init__(self, a):
            self.a = a

        def __dlpack__(self, **options):
            return self.a.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.a.__dlpack_device__()

    out = np.zeros(1)
    try:
        np.from_dlpack(np.array([True]))
    except (BufferError, TypeError):
        pytest.skip("this NumPy does not")
    first[1, 1](out, Tensor(np.array([True, False])))
    assert out[0] == 1


def test_zero_dimensional_array():
    @gpu.jit
    def kernel(a, b):
        a[()] = b[()] + 1

    a, b = np.array(0.0), np.array(41.0)
    kernel[1, 1](a, b)
    assert a == 42


@pytest.mark.parametrize(
    "a", [np.zeros(3, ">f8"), np.ma.masked_array(np.zeros(3), [0, 1, 0]), np.array([None])]
)
def test_refused_arrays_are_named(a):
    with pytest.raises(Exception, match="`a`.*(byte-swapped|masked|object)"):
        first[1, 1](np.zeros(1), a)


def test_kernels_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(double)) is double


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 4)], ids=str)
def test_b104_whole_assignment_to_no_elements(shape):
    @gpu.jit
    def kernel(x, n):
        x[...] = 7
        n[0] += 1

    x, n = np.zeros(shape), np.zeros(1, np.int32)
    kernel[1, 1](x, n)
    assert n[0] == 1 and x.shape == shape
