import math
import numpy as np
from lanewise import gpu

PRIME = np.uint32(16777619)
BIG = 2**64 - 1
HALF = np.float16(0.5)
PI2 = 2 * math.pi
MASK = 0xFFFF_FFFF & ~0b1010 | 0o17
TINY, HUGE = 1e-310, 1.5e308


@gpu.jit("void(uint32[:], float32[:], int8[:], bool_[:])")
def numbers(h, x, s, b):
    i = gpu.grid(1)
    v = np.uint32(2166136261)
    v = (v ^ h[i]) * PRIME
    h[i] = v >> 3 | v << 29
    x[i] = 0.5 * x[i] + i / 3 - h[i] // 7 % 5 + math.sin(PI2 * i)
    s[i] = -s[i] + abs(s[i]) + int(x[i]) + round(2.5) + min(s[i], 3, i)
    b[i] = x[i] != x[i] or s[i] == 1 is not True
    x[i] = float(BIG) ** 0.5 if b[i] else np.float32(TINY)
