import cmath
import math

import numpy as np
from lanewise import gpu

DT = np.dtype([("id", np.int32), ("pos", np.float64, 3), ("amp", np.complex64)], align=True)


@gpu.jit(device=True)
def norm(z, *rest, scale=2.0):
    return abs(z) * scale + sum(r for r in rest)


@gpu.jit("void(float32[:, ::1], float32[:], complex64[::1], int32)")
def whole(a, row, z, n):
    a[0, :] = 0.5 * (a[1, :] + row)
    row[1:] = row[:-1]
    t = np.zeros(4, np.float32)
    t[:] = [i * i for i in range(4)]
    for slot[:] in a:
        pass
    total = (a[0] * row).sum() + np.max(t) + a[:, 0] @ a[:, 1]
    z[0] = cmath.exp(1j * z[1]) + z[2].conjugate() / (1 + 2j)
    z.real[1] = norm(z[0], 1, total, scale=3)
    assert total > 0, f"total {total:.3f} of {n}"
    match n:
        case 1 | 2:
            print("few", n, (1, 2.5), z[0])
        case k if k > 5:
            raise ValueError("too many", k)
        case _:
            v = gpu.float32x4(total, 1, 2, 3)
            row[0] = v.x + v[n & 3]
    if (m := gpu.ballot_sync(0xFFFFFFFF, n > 3)) != 0:
        row[2] = gpu.shfl_down_sync(m, row[1], 1)


@gpu.jit("void(float32[::1])")
def records(x):
    p = gpu.shared.array(8, DT)
    q = p[gpu.threadIdx.x]
    q.id += 1
    q["pos"][:] = (1, 2, 3)
    p[1] = p[0]
    gpu.atomic.add(p["id"], 0, 1)
    x[0] = p[2].pos[0] + math.gamma(q.amp.real)
