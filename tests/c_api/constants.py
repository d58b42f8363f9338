"""What a module may define for its kernels, in one file that all three doors read: Python, C++ and kc."""

import collections
import enum
import functools
import math
import typing

import numpy as np
from lanewise import gpu

TILE = 16
HALF: int = TILE // 2
A, (B, C) = 1, (2, 4)
PI2 = 2 * math.pi
MASK = 2**64 - 1
STEP = np.float32(0.1)
Z = 1 + 2j
MODE = "fast"
PRIMES = (2, 3, 5) + (7,)
SQUARES = tuple(i * i for i in range(5))
LAST = SQUARES[-2:]
WEIGHTS = np.array([0.25, 0.5, 0.25], dtype=np.float32)
TABLE = np.array([[1, 2, 3], [4, 5, 6]], np.int16)
RAMP = np.arange(4)
SINES = np.array([math.sin(0.5 * i) for i in range(4)])
COUNT = len(WEIGHTS) * TABLE.size
ROOTS = np.full((2, 2), 1j)
EVERY = slice(1, None, 2)
SPRING = np.datetime64("2024-03-20T03:06", "s")


class Config:
    WIDTH = TILE * 2
    SCALE: float = WIDTH / 64

    def describe(self):
        return f"{self.WIDTH}"


class Color(enum.IntEnum):
    RED = 1
    BLUE = 4


class Point(typing.NamedTuple):
    x: float
    y: float = 2.5


Pair = collections.namedtuple("Pair", "first second", defaults=(7,))
ORIGIN = Point(y=1, x=0.5)
BOTH = Pair(3)
Particle = np.dtype([("m", np.float32), ("n", np.int32)])


@gpu.jit(device=True)
def scaled(x, by=2):
    return x * by


twice = scaled
thrice = functools.partial(scaled, by=3)
square = gpu.jit(lambda x: x * x, device=True)
half = gpu.jit(device=True)(lambda x: x / 2)


@gpu.jit
def constants(out):
    out[0] = TILE + HALF + A + B + C
    out[1] = PI2
    out[2] = MASK >> 60
    out[3] = STEP
    out[4] = (Z * Z).imag
    out[5] = 1 if MODE == "fast" else 2
    out[6] = PRIMES[3] + SQUARES[4] + LAST[0]
    total = 0.0
    for i in range(3):
        total += WEIGHTS[i] * TABLE[1, i]
    out[7] = total
    out[8] = RAMP.sum() + COUNT
    out[9] = SINES[int(out[5]) + 1]
    out[10] = ROOTS[1, 0].imag
    out[11] = Config.WIDTH * Config.SCALE
    out[12] = Color.BLUE + Color.RED
    out[13] = ORIGIN.x + ORIGIN.y + BOTH.second + Point(1.0).y
    own = gpu.local.array(2, Particle)
    own[1].n = 5
    out[14] = own[1].n
    out[15] = twice(4) + thrice(4) + square(4) + half(4)
    out[16:20][EVERY] = 8
    out[16] = (SPRING - np.datetime64("2024-03-20")) / np.timedelta64(1, "m")
