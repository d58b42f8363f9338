"""The smallest useful kernel: y += a * x, on whichever target there is.

python examples/saxpy.py
"""

import numpy as np
from lanewise import gpu


@gpu.jit
def saxpy(a, x, y):
    i = gpu.grid(1)
    if i < y.size:
        y[i] += a * x[i]


x = np.arange(1_000_000, dtype=np.float32)
y = np.ones_like(x)
saxpy[(x.size + 255) // 256, 256](np.float32(2), x, y)
print(y[:4])
assert np.array_equal(y, 1 + 2 * x)

ptx, _ = gpu.compile_ptx(saxpy, "void(float32, float32[::1], float32[::1])", cc=(8, 0))
print(ptx.splitlines()[0] if ptx else "", len(ptx.splitlines()), "lines of PTX")
