# Neighbouring elements are read and written at once where arrays are known to begin at multiples of 16 bytes.
#: sm 80
#: checked_launch
#: contains ld.global.nc.v4.b32
#: contains ld.global.nc.v2.b32
#: contains st.global.v2.b32
#: contains st.shared.v4.b32
#: contains ld.shared.v4.b32
#: contains ld.global.nc.v2.b64
from lanewise import gpu
import numpy as np


@gpu.jit("void(float32[::1], float32[::1])")
def four(a, out):
    i = gpu.grid(1)
    out[i] = a[4 * i] + a[4 * i + 1] * a[4 * i + 2] - a[4 * i + 3]


@gpu.jit("void(complex64[::1], complex64[::1])")
def squares(a, out):
    i = gpu.grid(1)
    out[i] = a[i] * a[i]


@gpu.jit("void(complex128[::1], float64[::1])")
def sums(a, out):
    i = gpu.grid(1)
    out[i] = a[i].real + a[i].imag


@gpu.jit("void(float32[::1], float32[::1])")
def vectors(a, out):
    t = gpu.threadIdx.x
    s = gpu.shared.array(128, gpu.float32x4)
    s[t] = gpu.float32x4(a[t], 1.0, 2.0, a[t + 1])
    gpu.syncthreads()
    v = s[127 - t]
    out[t] = v.x + v.y + v.z + v.w
