import numpy as np
from lanewise import gpu


@gpu.jit("void(float32[:, ::1], float32[:, ::1], float32[::1, :], int64)")
def assignments(a, b, f, y):
    a[y, :] = 0.5 * (a[y, :] + b[y, :])
    f[...] = a
    a[y, 1:] = a[y, :-1]
    b[1:-1, ::2] += 1
    row = a[y]
    row *= 2


@gpu.jit("void(float32[:, ::1], int32[::1], float64[::1])")
def reductions(m, n, out):
    out[0] = m[0].sum()
    out[1] = n.max()
    out[2] = (m[:, 0] > 1).any()
    out[3] = n.argmin()
    out[4] = m[0] @ m[:, 1]
    out[:2] = m.sum(axis=1)


@gpu.jit("void(float32[:, ::1], float64[::1])")
def views(m, out):
    t = m.reshape(2, -1)
    u = t.transpose(1, 0)[None, ..., 0]
    s = slice(1, 3)
    out[s] = u[0, s]
    z = np.zeros(3)
    out[0] = z[1]
