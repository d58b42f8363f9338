import numpy as np
from numba import types, boolean
from lanewise import gpu
from lanewise.gpu import float16, uint8, int64 as i64


@gpu.jit
def types_of(a: float16[:], b: gpu.uint32[:, ::1], c: np.float64, d: int, e: bool, f: "f4[::1, :]", g: tuple[int, uint8]):
    z: i64 = a[0]
    w: float = b[0, 0]
    v = c.dtype.type(d) if hasattr(c, 'x') else np.int16(e)
    b[0, 0] = z + w + v + g[1] + f[0, 0]


@gpu.jit(types.void(types.float32[:], types.UniTuple(types.int32, 2)), device=False)
def call_form(x, t):
    x[t[0]] = t[1]


@gpu.jit(["float32(float32, boolean)", "float64(float64, boolean)"], device=True)
def several(x, flag):
    return x if flag else -x
