"""What the tests of kc share: running it, and a few kernel files."""

import os
import pathlib
import subprocess

KC = os.environ["KC"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

SAXPY = """
from lanewise import gpu
from lanewise.gpu import float32

@gpu.jit
def saxpy(a: float32, x: float32[::1], y: float32[::1]):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]
"""

UNTYPED = """
from lanewise import gpu

@gpu.jit
def scale(x, f):
    i = gpu.grid(1)
    if i < x.size:
        x[i] *= f
"""

TWO = """
from lanewise import gpu

@gpu.jit("void(float32[::1])")
def first(x):
    x[gpu.grid(1)] = 1

@gpu.jit("void(int32[::1])")
def second(x):
    x[gpu.grid(1)] = 2
"""


CONSTANT = """
from lanewise import gpu

TILE = 4

@gpu.jit("void(int32[::1])")
def fill(x):
    x[gpu.threadIdx.x] = TILE
"""


def kc(*arguments, stdin=None, cwd=None):
    return subprocess.run([KC, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=120, cwd=cwd)


def good(*arguments, **keywords):
    done = kc(*arguments, **keywords)
    assert done.returncode == 0, done.stderr
    return done.stdout
