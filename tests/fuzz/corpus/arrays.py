import numpy as np
from lanewise import gpu


@gpu.device
def fill(row, value):
    for i in range(row.shape[0]):
        row[i] = value


@gpu.jit("void(float64[:, :], float64[::1, :], uint16[:])")
def views(a, f, u):
    i = gpu.grid(1)
    if i < a.shape[0]:
        fill(a[i], 1)
        fill(a[:, 0], 2)
        fill(a[1:-1, i][::-2], a.ndim)
        row = a[i] if i % 2 else f[:, i]
        row[-1] = u[i] + row.size
        local = gpu.local.array(8, np.float32)
        local[i % 8] = np.sqrt(u[i])
        a[i, -1] = local[i % 8]
