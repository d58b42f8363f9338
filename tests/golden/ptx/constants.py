# A captured tuple indexed by data, and a name that is not ASCII.
#: contains .entry gr_u00F6_u00DFe(
from lanewise import gpu
from lanewise.gpu import float32


@gpu.jit
def größe(x: float32[::1]):
    λ = gpu.grid(1)
    x[λ] += 1
