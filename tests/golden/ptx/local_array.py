# A small local array in loops of constant length is registers.
#: lacks .local
#: lacks bra
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def k(x: float32[:, ::1], y: float32[::1]):
    i = gpu.grid(1)
    a = gpu.local.array(4, float32)
    for j in range(4):
        a[j] = x[i, j]
    s = float32(0)
    for j in range(4):
        s += a[3 - j] * a[j]
    y[i] = s
