"""Device functions that call themselves: results, and an error instead of a crash where there is no end."""

import numpy as np
import pytest
from lanewise import KernelError, gpu


@gpu.jit(device=True)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def test_recursion():
    @gpu.jit
    def kernel(out):
        i = gpu.grid(1)
        if i < out.size:
            out[i] = fibonacci(i)

    out = np.zeros(15, np.int64)
    kernel[2, 8](out)
    np.testing.assert_array_equal(out, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377])


def test_recursion_without_an_end_is_an_error():
    if gpu.current_target() == "cuda":
        pytest.skip("undefined on a device: it may overwrite its stack")

    @gpu.jit(device=True)
    def endless(n):
        if n < 0:
            return 1
        return endless(n + 1) + endless(n + 2)

    @gpu.jit
    def kernel(out):
        out[0] = endless(3)

    with pytest.raises(KernelError, match="kernel.*call depth limit"):
        kernel[4, 32](np.zeros(1, np.int64))
    test_recursion()
