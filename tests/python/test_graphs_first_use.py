"""What is first used while a stream is captured: code is loaded, memory is found, and every launch of a graph that waits
for its grid has a counter of its own."""

import os

import lanewise
import numpy as np
import pytest
from lanewise import gpu

pytestmark = pytest.mark.skipif("LANEWISE_CUDA_DRIVER" not in os.environ, reason="needs a CUDA driver")


def test_a_kernel_is_loaded_in_a_capture():
    @gpu.jit(target="cuda")
    def add(x, n):
        i = gpu.grid(1)
        if i < x.size:
            x[i] += n

    stream = gpu.stream(target="cuda")
    d = gpu.to_device(np.zeros(64, np.float32), target="cuda")
    with stream.capture() as graph:
        add[2, 32, stream](d, 3)
    for _ in range(2):
        graph.launch(stream)
    stream.synchronize()
    assert np.all(d.copy_to_host() == 6)


def test_captured_arrays_are_copied_in_a_capture():
    table = np.arange(40_000, dtype=np.float32)

    @gpu.jit(target="cuda")
    def look(x):
        i = gpu.grid(1)
        x[i] = table[i * 500]

    stream = gpu.stream(target="cuda")
    d = gpu.to_device(np.zeros(64, np.float32), target="cuda")
    with stream.capture() as graph:
        look[2, 32, stream](d)
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(d.copy_to_host(), np.arange(64) * 500)


def test_what_a_graph_raises():
    @gpu.jit(target="cuda")
    def check(x):
        assert x[gpu.grid(1)] < 5, "too large"

    stream = gpu.stream(target="cuda")
    d = gpu.to_device(np.zeros(32, np.float32), target="cuda")
    with stream.capture() as graph:
        check[1, 32, stream](d)
    graph.launch(stream)
    stream.synchronize()
    d.copy_to_device(np.full(32, 7, np.float32))
    graph.launch(stream)
    with pytest.raises(AssertionError, match="too large"):
        stream.synchronize()


def test_launches_that_wait_for_the_grid_in_graphs():
    @gpu.jit(target="cuda")
    def turn(x, y):
        i = gpu.grid(1)
        y[i] = x[i]
        gpu.cg.this_grid().sync()
        x[i] = y[(i + 1) % y.size]

    stream, other = gpu.stream(target="cuda"), gpu.stream(target="cuda")
    x, y, u, v = (gpu.to_device(np.arange(128, dtype=np.int32), target="cuda") for _ in range(4))
    with stream.capture() as graph:
        turn[4, 32, stream](x, y)
        turn[4, 32, stream](x, y)
    with stream.capture() as second:
        turn[4, 32, stream](u, v)
    for _ in range(3):
        graph.launch(stream)
        second.launch(other)
    stream.synchronize()
    other.synchronize()
    np.testing.assert_array_equal(x.copy_to_host(), np.roll(np.arange(128), -6))
    np.testing.assert_array_equal(u.copy_to_host(), np.roll(np.arange(128), -3))
    del graph, second


def test_memory_is_not_part_of_a_graph():
    stream = gpu.stream(target="cuda")
    with pytest.raises(lanewise.Error):
        with stream.capture():
            gpu.device_array(10, np.float32, stream=stream, target="cuda")
