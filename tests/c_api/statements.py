"""Statements, expressions, types and functions of the language in one kernel, for the doors that take files."""

import enum
import math

import numpy as np
from lanewise import gpu

SCALE = 3
TABLE = (2, 3, 5, 7)
DAY = np.timedelta64(1, "D")


class Kind(enum.IntEnum):
    SMALL = 1
    LARGE = 4


def powers(n):
    def apply(x):
        return x**n

    return apply


cube = powers(3)


@gpu.jit(device=True)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@gpu.jit(device=True)
def swap(a, b=1, *rest, c=0):
    return b, a + len(rest) + c


@gpu.jit
def statements(out, a, when, deep):
    out[0] = factorial(6)
    out[1], out[2] = swap(4, 5, 6, 7, c=10)
    for i in range(10, 0, -3):
        if i == 4:
            break
        out[3] += i
    else:
        out[3] = -1
    n = 0
    while n < 3:
        n += 1
    else:
        out[4] = n
    out[5] = sum([t * SCALE for t in TABLE])
    if (m := a[-1, 0]) in (7, 9) and not m == 8:
        out[6] = m
    out[7] = 10 if a[0, 1] in (Kind.SMALL, 2) else a[0, 1]
    f = lambda x, y=2: x * y + 1  # noqa: E731
    out[8] = f(a.shape[0]) + (lambda: 5)()
    u = a[::-1, 1:] if a[0, 0] == 1 else a[:, :-1]
    out[9] = u[0, 0] + 10 * u.shape[1]
    own = gpu.local.array((2, 3), np.int32)
    own[...] = 4
    own[1, ::2] += a[0, :2]
    out[10] = own.sum()
    when[0] = when[0] + DAY * 2
    out[11] = (when[1] - when[0]) // np.timedelta64(12, "h")
    out[12] = deep[0, 1, 0, 1, 0, 1, 0, 1] + deep.ndim
    old = gpu.atomic.add(out, 13, 5)
    out[13] += old + Kind.LARGE
    out[14] = math.floor(-2.5) + round(2.5) + (-7) // 2 + (-7) % 3 + (1 << 5)
    z = complex(a[0, 0], 2) * 1j
    out[15] = z.real * 10 + z.imag
    del n
