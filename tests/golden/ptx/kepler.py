# The oldest architecture, at the oldest PTX version: double-precision atomics as compare-and-swap loops.
#: sm 35
#: contains .version 3.2
#: contains .target sm_35
#: contains atom.global.cas.b64
#: lacks atom.global.add.f64
from lanewise import gpu
from lanewise.gpu import float64


@gpu.jit
def total(x: float64[::1], out: float64[::1]):
    gpu.atomic.add(out, 0, x[gpu.grid(1)])
