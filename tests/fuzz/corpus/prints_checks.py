from collections import namedtuple

import numpy as np
from lanewise import gpu
from lanewise.gpu.random import philox4x32, xoroshiro128p_uniform_float32

Point = namedtuple("Point", "x y", defaults=(0,))


@gpu.jit(device=True)
def checked(p, *rest, limit=None):
    assert limit is None or p.x < limit, f"{p.x:.3f} is not below {limit!r:>5}"
    if not rest:
        raise ValueError("nothing", p)
    return Point(p.y, rest[-1])


@gpu.jit(fma=False, fastmath=True)
def kernel(x: gpu.float32[::1], h: gpu.float16[:], b: gpu.bfloat16[:], states: "record(s0: uint64, s1: uint64)[::1]"):
    i = gpu.grid(1)
    p = checked(Point(x[i]), 1, i, limit=10)
    a, *rest, c = (1, 2.5, h[i], b[i] * 2)
    print(p, rest, None, True, f"{i:>4}|{a:#x}|{x[i]!r:^10}", sep=", ", end="!\n")
    squares = sum(v * v for v in rest if v is not None)
    x[i] = np.clip(squares, None, 5) + min(p) + philox4x32((i, 0, 0, 0), (1, 2))[3] % 8
    x[1:-1] = 0.5 * x[1:-1] + np.where(x[1:-1] > 0, x[1:-1], c)
    x[i] += xoroshiro128p_uniform_float32(states, i) if (n := x.argmax()) % 2 else gpu.fp16.hfma(h[i], 2, n)
