from lanewise import gpu
import numpy as np


@gpu.jit("void(float32[:, ::1], float32[::1], int32[::1], int64)")
def k(m, a, n, i):
    if a > 0:
        n[0] = 1
    n[0] = a + 1
    n[:] = n[n > 2]
    a[n] = 1
    n[0] = a.copy()[0] + m.flatten()[0]
    a[:] = m.sum(axis=i)
    a[:] = m.sum(axis=2)
    n[0] = np.zeros(i)[0]
    n[:] = a & 1
    a[:] = np.sum(a, where=n)
    n[0] = max(m)
    a.sort()
    a[:] = (a + 1)[1:]
    a[:] = m - m.mean(axis=0)
    s = gpu.shared.array(4, np.float32, alignment=12)
    t = gpu.local.array(4, np.float32, alignment=16)
    m[:, :] = m.transpose(0, 0)
