from lanewise import gpu
from lanewise.gpu import int32, float32

SHAPE = (4, 5)
OFFSETS = [-1, 0, 1]
A, (B, *C) = 1, (2, 3, 4)


@gpu.jit
def tuples(x: float32[:, :, ::1], t: (int32, float32), u: "UniTuple(int64, 3)"):
    i, j, k = gpu.grid(3)
    a, b = (i, j), t[1]
    a = a + (k,)
    (p, q), r = (a[0], a[-1]), len(a)
    p, q = q, p
    for o in OFFSETS:
        x[p, q, r] += b * o + u[2]
    if a[:2] == (1, 2) and k in (1, 2, 3) and i not in range(4):
        x[i][j][k] = SHAPE[0] * SHAPE[1]
