"""Tiled matmul with guards, int32 -> exact."""

import numpy as np
from lanewise import gpu

i32 = np.int32
rng = np.random.default_rng(7)


def test_matmul():
    T = 4

    @gpu.jit
    def k(A, B, C):
        sa = gpu.shared.array((T, T), i32)
        sb = gpu.shared.array((T, T), i32)
        r, c = gpu.grid(2)
        tr, tc = gpu.threadIdx.x, gpu.threadIdx.y
        acc = i32(0)
        for m in range((A.shape[1] + T - 1) // T):
            sa[tr, tc] = A[r, m * T + tc] if r < A.shape[0] and m * T + tc < A.shape[1] else 0
            sb[tr, tc] = B[m * T + tr, c] if m * T + tr < B.shape[0] and c < B.shape[1] else 0
            gpu.syncthreads()
            for j in range(T):
                acc += sa[tr, j] * sb[j, tc]
            gpu.syncthreads()
        if r < C.shape[0] and c < C.shape[1]:
            C[r, c] = acc

    A = rng.integers(-9, 9, (5, 7)).astype(i32)
    B = rng.integers(-9, 9, (7, 6)).astype(i32)
    C = np.zeros((5, 6), i32)
    k[(2, 2), (T, T)](A, B, C)
    np.testing.assert_array_equal(C, A @ B)
