"""Kernels with types, for ptx_time: a line, a tile with barriers, functions of libdevice."""

import math

import numpy as np
from lanewise import gpu


@gpu.jit("void(float32[::1], float32[::1], float32)")
def saxpy(y, x, a):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = a * x[i] + y[i]


@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[:, ::1])")
def matmul(C, A, B):
    a = gpu.shared.array((16, 16), np.float32)
    b = gpu.shared.array((16, 16), np.float32)
    tx, ty = gpu.threadIdx.x, gpu.threadIdx.y
    x, y = gpu.grid(2)
    s = np.float32(0)
    for t in range(A.shape[1] // 16):
        a[ty, tx] = A[y, t * 16 + tx]
        b[ty, tx] = B[t * 16 + ty, x]
        gpu.syncthreads()
        for k in range(16):
            s += a[ty, k] * b[k, tx]
        gpu.syncthreads()
    C[y, x] = s


@gpu.jit("void(float32[::1], float32[::1], float32)")
def sin_pow(y, x, a):
    i = gpu.grid(1)
    if i < y.size:
        y[i] = math.sin(x[i]) + math.pow(x[i], a)
