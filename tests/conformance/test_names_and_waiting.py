"""Kernels with the names of C functions, and blocks that wait for an earlier block."""

import math

import numpy as np
from lanewise import gpu


def test_kernels_named_like_the_functions_that_their_code_calls():
    @gpu.jit
    def exp(x, out):
        i = gpu.grid(1)
        if i < x.size:
            out[i] = math.exp(x[i])

    @gpu.jit
    def memset(x, out):
        s = gpu.shared.array(32, np.float64)
        t = gpu.threadIdx.x
        if t >= x.size:
            return
        s[t] = x[t]
        gpu.syncthreads()
        out[t] = s[x.size - 1 - t]

    x = np.linspace(0, 2, 8)
    out = np.zeros(8)
    exp[1, 8](x, out)
    np.testing.assert_allclose(out, np.exp(x), rtol=1e-15)
    memset[1, 32](x, out)
    np.testing.assert_array_equal(out, x[::-1])


def test_blocks_wait_for_an_earlier_block():
    @gpu.jit(device=True)
    def ready(flag):
        if flag[0] != 0:
            return True
        return False

    @gpu.jit
    def direct(flag, out):
        b = gpu.blockIdx.x
        if b == 0:
            gpu.atomic.add(flag, 0, 1)
        else:
            while flag[0] == 0:
                pass
            out[b] = b

    @gpu.jit
    def through_a_helper(flag, out):
        b = gpu.blockIdx.x
        if b == 0:
            gpu.atomic.add(flag, 0, 1)
        else:
            while not ready(flag):
                pass
            out[b] = b

    for kernel in (direct, through_a_helper):
        flag, out = np.zeros(1, np.int32), np.zeros(8, np.int32)
        kernel[8, 1](flag, out)
        np.testing.assert_array_equal(out, np.arange(8))
