"""gpu.reduce and gpu.vectorize: one value from an array, functions of arrays from functions of numbers."""

import lanewise
import numpy as np
import pytest
from lanewise import gpu


def total_of(target):
    return gpu.Reduce(lambda a, b: a + b, target=target)


@pytest.mark.parametrize("size", [0, 1, 2, 127, 128, 129, 1000, 128 * 1024 + 77])
def test_sums_and_extremes(target, size):
    if target == "interpreter" and size > 1000:
        pytest.skip("slow there")
    x = np.arange(size, dtype=np.int64) * 7919 % 1001
    assert total_of(target)(x) == x.sum()
    largest = gpu.Reduce(lambda a, b: a if a > b else b, target=target)
    assert largest(x, init=-1) == max(x, default=-1)


def test_what_a_reduction_takes(target):
    total = total_of(target)
    d = gpu.to_device(np.arange(10.0), target=target)
    res = gpu.device_array(1, np.float64, target=target)
    assert total(d, size=4, res=res) is None and res.copy_to_host()[0] == 6
    assert total(d, init=5) == 50 and total(d[::2]) == 20
    assert total(d, stream=gpu.stream(target=target)) == 45
    assert total(np.ones(5, np.float32), init=3) == np.float32(8)
    assert total(np.array([1 + 2j, 3j], np.complex64)) == 1 + 5j
    with pytest.raises(lanewise.LaunchError, match="must have 1 dimension, not 2"):
        total(np.zeros((2, 2)))
    with pytest.raises(lanewise.LaunchError, match="11 elements were asked for; the array has 10"):
        total(d, size=11)
    with pytest.raises(TypeError, match="`size` must be an int, not 10.5"):
        total(d, size=10.5)
    assert total(d, size=np.int32(4)) == 6
    with pytest.raises(lanewise.LaunchError, match="`init` is no int8"):
        total(np.ones(3, np.int8), init=2**70)
    with pytest.raises(TypeError, match="`res` must be a device array of float64"):
        total(d, res=np.zeros(1))


def test_reduce_is_a_decorator():
    @gpu.reduce
    def product(a, b):
        return a * b

    assert product(np.array([2, 3, 4], np.int32), init=1) == 24


def add_of(target):
    @gpu.vectorize(["int32(int32, int32)", "float32(float32, float32)", gpu.float64(gpu.float64, gpu.float64)], target=target)
    def add(a, b):
        return a + b

    return add


def test_the_signature_of_their_types_comes_first(target):
    @gpu.vectorize(["float32(float32)", "float64(float64)", "int64(int64)"], target=target)
    def same(a):
        return a

    large = np.array([2**60 + 1])
    assert same(large).dtype == np.int64 and same(large)[0] == 2**60 + 1
    assert same(np.array([1.5])).dtype == np.float64
    assert same(np.array([1], np.int16)).dtype == np.float32  # none is theirs: the first that takes them


def test_no_signature_is_refused():
    with pytest.raises(TypeError, match="vectorize needs at least one signature"):
        gpu.vectorize([])


def test_functions_of_arrays(target):
    add = add_of(target)
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(3, dtype=np.float32) * 10
    np.testing.assert_array_equal(add(x, y), x + y)
    assert add(x, y).dtype == np.float32 and add(x, y.astype(np.float64)).dtype == np.float64
    np.testing.assert_array_equal(add(x, 2), x + 2)
    np.testing.assert_array_equal(add(np.arange(4, dtype=np.int32), -1), np.arange(4) - 1)
    assert add(2, 3) == 5
    out = np.zeros((2, 3), np.float32)
    assert add(x, y, out) is out and out[1, 2] == 25
    assert add(np.zeros((0, 3), np.float32), y).shape == (0, 3)
    d = add(gpu.to_device(x, target=target), y, stream=gpu.stream(target=target))
    assert isinstance(d, gpu.DeviceArray)
    np.testing.assert_array_equal(d.copy_to_host(), x + y)
    assert add.reduce(np.arange(100, dtype=np.int32)) == 4950


def test_numbers_of_numpy(target):
    add = add_of(target)
    x = np.arange(4, dtype=np.float32)
    for two in (np.float64(2), np.float32(2), np.int16(2)):
        result = add(x, two)
        assert result.tolist() == [2, 3, 4, 5]
        assert result.dtype == (np.float64 if two.dtype == np.float64 else np.float32)
    with pytest.raises(lanewise.LaunchError, match=r"no signature takes \(float32, complex128\)"):
        add(x, np.complex128(2))


def test_integers_take_the_first_signature_that_holds_them(target):
    add = add_of(target)
    assert add(2**31 - 1, 0) == 2**31 - 1 and add(2**31 - 1, 0).dtype == np.int32
    assert add(2**31, 0).dtype == np.float32 and add(2**70, 0) == np.float32(2**70)
    one = gpu.vectorize(["uint8(uint8)"], target=target)(lambda a: a)
    assert one(255) == 255
    for value in (256, -1, 2**70):
        with pytest.raises(lanewise.LaunchError, match=r"no signature takes \(int\)"):
            one(value)


def test_results_go_where_they_are_asked_for(target):
    add = add_of(target)
    x = np.arange(4, dtype=np.float32)
    d = gpu.to_device(np.zeros((4, 3), np.float32), target=target)
    out = d[:, 1]
    assert add(gpu.to_device(x, target=target), x, out=out) is out
    assert add(x, 1, d[::-1, 2]).copy_to_host().tolist() == [1, 2, 3, 4]
    assert d.copy_to_host().tolist() == [[0, 0, 4], [0, 2, 3], [0, 4, 2], [0, 6, 1]]


def test_functions_of_arrays_that_cannot_be(target):
    add = add_of(target)
    with pytest.raises(lanewise.LaunchError, match=r"no signature takes \(complex128, float64\); there are\n  int32\(int32, int32\)"):
        add(np.zeros(2, complex), np.zeros(2))
    with pytest.raises(TypeError, match="`add` takes 2 arrays or numbers, not 1"):
        add(np.zeros(2))
    with pytest.raises(ValueError, match="shape"):
        add(np.zeros(2), np.zeros(3))
    with pytest.raises(lanewise.LaunchError, match=r"`out` must be float64 of shape \(2,\)"):
        add(np.zeros(2), np.zeros(2), out=np.zeros(3))
    with pytest.raises(ValueError, match="without elements"):
        add.reduce(np.zeros(0))
    with pytest.raises(TypeError, match="is not a signature of numbers"):
        gpu.vectorize("float32[:](float32)")(lambda x: x)
    with pytest.raises(TypeError, match="vectorize needs signatures"):
        gpu.vectorize(lambda x: x)
    with pytest.raises(NotImplementedError, match="write a kernel"):
        gpu.guvectorize(["void(float32[:])"], "(n)")
