import cmath

import numpy as np
from lanewise import gpu
from lanewise.gpu import complex64, float32, float32x4


@gpu.jit(device=True)
def lerp(a, b, t=0.5):
    return a + (b - a) * t


@gpu.jit
def spectrum(z: complex64[::1], w: complex64, out: float32[:, ::1]):
    i = gpu.grid(1)
    if i < z.size:
        v = float32x4(z[i].real, z[i].imag, abs(z[i]), 1)
        for k, x in enumerate(lerp(v, gpu.float4(0), 0.25)):
            out[i, k] = x
        z[i] = z[i] * w + cmath.exp(2j * i) / (1 - z[i].conjugate()) ** 2
        z.imag[i] += np.sum(z).real + np.dot(z, z).imag
        gpu.atomic.add(z.real, 0, np.angle(z[i]))
    lanes = gpu.shared.array(4, gpu.float32x2)
    lanes[i % 4] = gpu.float32x2(i, i)
    same = z[0] == 1j or isinstance(w, complex)
    out[0, 0] = gpu.shfl_xor_sync(0xFFFFFFFF, w if same else z[0], 1).imag
