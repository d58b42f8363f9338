"""Pinned, mapped and managed memory, and the hints In, Out, InOut."""

import gc

import numpy as np
import pytest
from lanewise import LaunchError, LaunchTypeError, gpu


def make_scale(target):
    @gpu.jit(target=target)
    def scale(x, y):
        i = gpu.grid(1)
        if i < x.size:
            y[i] = 2 * x[i]
            x[i] = -1

    return scale


@pytest.mark.parametrize("make", ["pinned_array", "mapped_array", "managed_array"])
def test_arrays_are_numpys_and_kernels_take_them(target, make):
    scale = make_scale(target)
    x = getattr(gpu, make)((3, 5), np.float32, order="F", target=target)
    assert type(x) is np.ndarray and x.shape == (3, 5) and x.dtype == np.float32 and x.flags.f_contiguous
    x = getattr(gpu, make)(40, np.float32, target=target)
    x[:] = np.arange(40)
    y = np.zeros(40, np.float32)
    scale[2, 32](x, y)
    gpu.synchronize(target)
    assert y.tolist() == [2.0 * i for i in range(40)] and x.tolist() == [-1] * 40
    gpu.stream(target=target)


@pytest.mark.parametrize("make", ["mapped_array", "managed_array"])
def test_views_of_shared_memory_are_used_in_place(target, make):
    scale = make_scale(target)
    memory = getattr(gpu, make)(100, np.int64, target=target)
    memory[:] = np.arange(100)
    scale[1, 32](memory[10:30:2], memory[99:89:-1])
    gpu.synchronize(target)
    expected = np.arange(100)
    expected[99:89:-1] = 2 * expected[10:30:2]
    expected[10:30:2] = -1
    assert memory.tolist() == expected.tolist()


def test_overlapping_views_of_shared_memory(target):
    @gpu.jit(target=target)
    def shift(a, b):
        if gpu.grid(1) == 0:
            for i in range(a.size):
                b[i] = a[i] + 1

    memory = gpu.mapped_array(9, np.int32, target=target)
    memory[:] = 0
    shift[1, 1](memory[:-1], memory[1:])
    gpu.synchronize(target)
    assert memory.tolist() == list(range(9))


def test_pinned_copies_on_a_stream(target):
    stream = gpu.stream(target=target)
    source, result = gpu.pinned_array(1000, target=target), gpu.pinned_array(1000, target=target)
    source[:] = np.arange(1000)
    d = gpu.to_device(source, stream=stream, target=target)
    d.copy_to_host(result, stream=stream)
    stream.synchronize()
    assert np.array_equal(result, source)


def test_large_copies_of_ordinary_memory(target):
    # More than two of the halves that such copies go through, and no multiple of them.
    host = np.arange(1_700_001, dtype=np.float64)
    stream = gpu.stream(target=target)
    d = gpu.to_device(host, stream=stream, target=target)
    back = d.copy_to_host(stream=stream)
    stream.synchronize()
    assert np.array_equal(back, host)
    again = gpu.to_device(host[:-1], target=target).copy_to_host()
    assert np.array_equal(again, host[:-1])


def test_pinned_and_mapped_blocks(target):
    scale = make_scale(target)
    x, y = np.arange(8.0), np.zeros(8)
    with gpu.pinned(x, y, target=target):
        scale[1, 8](x, y)
        assert y.tolist() == [2.0 * i for i in range(8)]
    x[:] = 3
    with gpu.mapped(x, y, target=target) as (mx, my):
        scale[1, 8](mx, my)
        gpu.synchronize(target)
        assert y.tolist() == [6] * 8 and x.tolist() == [-1] * 8
    with gpu.mapped(x, target=target) as one:
        assert one is x
    x[:] = 1
    scale[1, 8](x, y)  # an ordinary array again
    assert y.tolist() == [2] * 8


def test_wrong_requests(target):
    with pytest.raises(LaunchTypeError, match="strides"):
        gpu.pinned_array(4, strides=(16,), target=target)
    with pytest.raises(ValueError, match="order"):
        gpu.mapped_array(4, order="A", target=target)
    with pytest.raises(ValueError, match="negative"):
        gpu.managed_array(-4, target=target)
    with pytest.raises(LaunchTypeError, match="contiguous NumPy array"):
        with gpu.pinned(np.zeros(8)[::2], target=target):
            pass
    with pytest.raises(LaunchTypeError, match="NumPy array is needed, not list"):
        with gpu.pinned([1, 2], target=target):
            pass
    assert gpu.pinned_array(0, target=target).size == 0
    assert gpu.pinned_array_like(np.zeros((2, 3), order="F"), target=target).flags.f_contiguous
    assert gpu.mapped_array_like(np.zeros((2, 3), np.int8), target=target).dtype == np.int8


def test_memory_goes_back(target):
    if target != "cuda":
        pytest.skip("the driver counts")
    gpu.synchronize(target)
    for make in (gpu.pinned_array, gpu.mapped_array, gpu.managed_array):
        array = make(1 << 20, np.uint8, target=target)
        view = array[5:]
        del array
        gc.collect()
        assert view.shape == (1048571,)
        del view


def test_in_is_never_written(target):
    scale = make_scale(target)
    x, y = np.arange(40.0), np.zeros(40)
    scale[2, 32](gpu.In(x), gpu.Out(y))
    assert x.tolist() == list(range(40)) and y.tolist() == [2.0 * i for i in range(40)]
    x.flags.writeable = False
    scale[2, 32](gpu.In(x[::2]), gpu.InOut(y[:20]))
    assert x.tolist() == list(range(40)) and y[:20].tolist() == [4.0 * i for i in range(20)]
    with pytest.raises(LaunchError, match="`x` is a read-only array"):
        scale[2, 32](x, y)
    scale[1, 1](gpu.In(np.zeros(0)), gpu.Out(np.zeros(0)))
    assert repr(gpu.In(3)) == "gpu.In(3)"


def test_hints_of_records_scalars_and_tuples(target):
    @gpu.jit(target=target)
    def clear(pair, n):
        i = gpu.grid(1)
        if i < n:
            pair[0][i] = 0
            pair[1][i].b = 0

    record = np.zeros(4, np.dtype([("a", np.int8), ("b", np.float64)]))
    record["b"] = 7
    x = np.ones(4)
    clear[1, 4](gpu.In((x, record[::2])), gpu.In(2))
    assert x.tolist() == [1] * 4 and record["b"].tolist() == [7] * 4
    clear[1, 4]((x, gpu.In(record)), 4)
    assert x.tolist() == [0] * 4 and record["b"].tolist() == [7] * 4


def test_out_is_not_copied_in(target):
    @gpu.jit(target=target)
    def half(y):
        i = gpu.grid(1)
        if i < y.size:
            y[i] = i

    y = np.full(8, -1)
    half[1, 8](gpu.Out(y))
    assert y.tolist() == list(range(8))
