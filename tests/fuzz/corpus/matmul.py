import numpy as np
from lanewise import gpu as cuda

TILE = 16


@cuda.jit("void(float32[:, ::1], float32[:, ::1], float32[:, :])", fastmath=True)
def matmul(a, b, c):
    """Tiles in shared memory."""
    sa = cuda.shared.array((TILE, TILE), np.float32)
    sb = cuda.shared.array(shape=(TILE, TILE), dtype=np.float32)
    col, row = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = np.float32(0)
    for k in range((a.shape[1] + TILE - 1) // TILE):
        sa[ty, tx] = a[row, k * TILE + tx] if row < a.shape[0] and k * TILE + tx < a.shape[1] else 0
        sb[ty, tx] = b[k * TILE + ty, col] if col < b.shape[1] and k * TILE + ty < b.shape[0] else 0
        cuda.syncthreads()
        for j in range(TILE):
            total += sa[ty, j] * sb[j, tx]
        cuda.syncthreads()
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total
