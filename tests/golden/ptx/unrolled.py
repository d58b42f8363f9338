# Short loops of constant length have no loop left, and arrays of the thread indexed by them are registers.
#: sm 80
#: lacks bra
#: lacks .local
#: count 12 ld.global.b32
from lanewise import gpu
import numpy as np


@gpu.jit("void(float32[::1], float32[::1])")
def taps(out, x):
    t = gpu.threadIdx.x
    a = gpu.local.array(12, np.float32)
    for k in range(12):
        a[k] = x[t + k] * np.float32(k + 1)
    s = np.float32(0)
    for k in range(11, -1, -1):
        s = s * a[k] + a[k]
    out[t] = s
